// Reads lists of source files in the syntax of simulators.
#include "apps/cli/options/file_list.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace mmaspec::cli {
namespace {

constexpr int kMostNested = 16;

class ListReader {
 public:
  ListReader(std::string list, std::string base, int depth, rtl::Sources& sources)
      : list_(std::move(list)), base_(std::move(base)), depth_(depth), sources_(sources) {}

  void read() {
    if (depth_ > kMostNested) fail("file lists are nested too deeply");
    std::ifstream file(list_);
    if (!file) throw std::invalid_argument(list_ + ": cannot be read");
    for (std::string line; std::getline(file, line);) {
      ++line_;
      line = line.substr(0, std::min(line.find("//"), line.find('#')));
      std::istringstream words(expanded(line));
      for (std::string word; words >> word;) take(word, words);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", list_, line_, what));
  }

  std::string expanded(const std::string& text) const {
    static const std::regex variable("\\$(?:\\{([A-Za-z_]\\w*)\\}|([A-Za-z_]\\w*))");
    std::string all;
    std::string rest = text;
    for (std::smatch found; std::regex_search(rest, found, variable); rest = found.suffix()) {
      const std::string name = found[1].matched ? found[1] : found[2];
      const char* value = std::getenv(name.c_str());
      if (value == nullptr) fail("the environment variable " + name + " is not set");
      all += found.prefix();
      all += value;
    }
    return all + rest;
  }

  std::string path(const std::string& name) const {
    return base_.empty() || name.starts_with("/") ? name : base_ + "/" + name;
  }

  static std::string next(std::istringstream& words) {
    std::string word;
    words >> word;
    return word;
  }

  /// The parts of `+incdir+one+two`.
  static std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, '+');) all.push_back(part);
    return all;
  }

  void take(const std::string& word, std::istringstream& words) {
    const auto value_of = [&](std::size_t letters) {
      const std::string value = word.size() > letters ? word.substr(letters) : next(words);
      if (value.empty()) fail(word + ": a value is missing");
      return value;
    };
    if (word.starts_with("+incdir+")) {
      for (const std::string& folder : parts(word.substr(8))) {
        sources_.include_folders.push_back(path(folder));
      }
    } else if (word.starts_with("+define+")) {
      for (const std::string& define : parts(word.substr(8))) sources_.defines.push_back(define);
    } else if (word.starts_with("-I")) {
      sources_.include_folders.push_back(path(value_of(2)));
    } else if (word.starts_with("-D")) {
      sources_.defines.push_back(value_of(2));
    } else if (word == "-f" || word == "-F") {
      const std::string list = path(value_of(2));
      const std::string folder = std::filesystem::path(list).parent_path();
      ListReader(list, word == "-F" ? (folder.empty() ? "." : folder) : base_, depth_ + 1, sources_)
          .read();
    } else if (word.starts_with("-") || word.starts_with("+")) {
      fail(word + ": this option is not supported in a file list");
    } else {
      sources_.files.push_back(path(word));
    }
  }

  std::string list_;
  std::string base_;  ///< the folder for relative names; empty: the current folder
  int depth_;
  rtl::Sources& sources_;
  int line_ = 0;
};

}  // namespace

void add_file_list(const std::string& list, rtl::Sources& sources) {
  ListReader(list, "", 0, sources).read();
}

}  // namespace mmaspec::cli
