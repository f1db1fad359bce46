#include "proof/certify/folder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {

TemporaryFile::TemporaryFile()
    : path_((std::filesystem::temp_directory_path() / "mmaspec-certify-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw std::runtime_error("cannot make a temporary file");
  close(file);
}

TemporaryFile::~TemporaryFile() {
  std::error_code none;
  std::filesystem::remove(path_, none);
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!std::filesystem::is_regular_file(entry.symlink_status())) {
      throw std::invalid_argument(name + " is not a file");
    }
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string sums_of(const std::string& folder) {
  std::string text;
  for (const std::string& name : files_of(folder)) {
    if (name == kSumsFile) continue;
    text += sha256(content_of(folder + "/" + name)) + "  " + name + "\n";
  }
  return text;
}

std::vector<std::string> queries_in(const std::string& folder) {
  constexpr std::string_view kEnd = ".cnf";
  std::vector<std::string> numbers;
  for (const std::string& name : files_of(folder)) {
    if (name.ends_with(kEnd)) numbers.push_back(name.substr(0, name.size() - kEnd.size()));
  }
  return numbers;
}

std::vector<std::string> certificates_in(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw std::invalid_argument(folder + " is not a folder");
  if (std::filesystem::exists(folder + "/" + kStatementFile) ||
      std::filesystem::exists(folder + "/" + kSumsFile)) {
    return {folder};
  }
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::is_directory(entry.symlink_status())) all.push_back(entry.path().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace mmaspec
