#include "apps/cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include "apps/cli/topics.h"
#include "queries/request/plugins.h"

namespace mmaspec::cli {
namespace {

std::map<const CLI::Option*, std::vector<std::string>>& known_words() {
  static std::map<const CLI::Option*, std::vector<std::string>> all;
  return all;
}

/// The name, if every version of CLI11 accepts it: newer versions reject names with spaces.
const std::string& checked(const std::string& name) {
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != ',') {
      throw std::logic_error("'" + name + "' cannot be the name of an option or an argument");
    }
  }
  return name;
}

std::map<const CLI::Option*, std::string>& known_ranges() {
  static std::map<const CLI::Option*, std::string> all;
  return all;
}

/// Placeholders for values of options in help, by option name. Other options have NUMBER for
/// numbers, and NAME.
const std::map<std::string, std::string>& value_names() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> names;
    const auto add = [&names](const char* value, std::initializer_list<const char*> options) {
      for (const char* option : options) names.emplace(option, value);
    };
    add("FILE", {"--data", "--html", "--out", "--picture", "--plugin", "--recorded", "--results",
                 "--resume", "--rows", "--rtl", "--testbench", "--vcd"});
    add("FOLDER", {"--bundle", "--certificates", "--include", "--man", "--rounds", "--suggest"});
    add("NUMBER", {"--abs", "--atol", "--bound", "--confidence", "--rel", "--rtol", "--ulp"});
    add("normal|uniform|FILE.npy", {"--distribution"});
    add("VALUES", {"--a", "--b"});
    add("VALUE", {"--c"});
    add("EXPR", {"--where", "--space"});
    add("FORMATS", {"--formats", "--all-architectures"});
    add("COMMAND", {"--oracle", "--device", "--via"});
    add("NAME=VALUE", {"--define", "--map", "--parameter", "--set"});
    add("SIGNAL=STAGE", {"--cut"});
    add("I/N", {"--shard"});
    return names;
  }();
  return all;
}

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// Extensions of the types of files that commands write, and of some that they never write.
const std::map<std::string, std::vector<std::string>>& endings_of_types() {
  static const std::map<std::string, std::vector<std::string>> all{
      {"text", {".txt"}},
      {"rows", {".jsonl", ".json", ".ndjson"}},
      {"json", {".json"}},
      {"csv", {".csv"}},
      {"markdown", {".md", ".markdown"}},
      {"html", {".html", ".htm"}},
      {"dot", {".dot", ".gv"}},
      {"c", {".c", ".h"}},
      {"cuda", {".cu", ".cuh"}},
      {"opencl", {".cl"}},
      {"smtlib2", {".smt2"}},
      {"btor2", {".btor2", ".btor"}},
      {"verilog", {".v", ".sv"}},
      {"sva", {".sv", ".svh"}},
      {"coverage", {".sv", ".svh"}},
      {"none of these", {".svg", ".png", ".pdf", ".jpg", ".npy", ".npz", ".gz", ".zip", ".xlsx"}}};
  return all;
}

std::string joined_by(const std::vector<std::string>& words, const std::string& between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::string range_text(double low, double high) {
  std::ostringstream text;
  text.precision(15);
  text << low << " to " << high;
  return text.str();
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::vector<std::string>& words = words_of(option);
  if (words.size() > 1 && words.size() < 8) return joined_by(words, "|");
  const std::string name = option.get_name();
  const auto known = value_names().find(name.substr(0, name.find(',')));
  if (known != value_names().end()) return known->second;
  const std::string type = option.get_type_name();
  const bool is_number =
      type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
  return is_number ? "NUMBER" : "NAME";
}

std::string says_of(const CLI::Option& option) {
  std::string text = option.get_description();
  std::string more;
  const auto range = known_ranges().find(&option);
  if (range != known_ranges().end()) more = range->second;
  if (const std::string given = option.get_default_str(); !given.empty()) {
    more += (more.empty() ? "" : "; ") + ("default: " + given);
  }
  return more.empty() ? text : text + " [" + more + "]";
}

void require_ending(const std::string& option, const std::string& file,
                    const std::vector<std::string>& allowed) {
  const std::string ending = ending_of(file);
  if (ending.empty() || std::find(allowed.begin(), allowed.end(), ending) != allowed.end()) return;
  throw std::invalid_argument(option + ": '" + file.substr(0, 200) + "' ends in " + ending +
                              ", but the name must end in " + joined_by(allowed, " or "));
}

void require_ending_of(const std::string& option, const std::string& file,
                       const std::string& type) {
  const std::string ending = ending_of(file);
  const auto known = endings_of_types().find(type);
  if (known == endings_of_types().end()) return;  // such as a command's own result format
  const std::vector<std::string>& own = known->second;
  if (std::find(own.begin(), own.end(), ending) != own.end()) return;
  for (const auto& [other, endings] : endings_of_types()) {
    if (other != "text" && std::find(endings.begin(), endings.end(), ending) != endings.end()) {
      require_ending(option, file, own);
    }
  }
}

const std::vector<std::string>& words_of(const CLI::Option& option) {
  return known_words()[&option];
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::range(int low, int high) {
  option_->check(CLI::Range(low, high));
  known_ranges()[option_] = range_text(low, high);
  return *this;
}

Option& Option::range(double low, double high) {
  option_->check(CLI::Range(low, high));
  known_ranges()[option_] = range_text(low, high);
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  known_words()[option_] = words;
  return *this;
}

Option& Option::not_empty() {
  option_->check(CLI::Validator(
      [](std::string& text) { return text.empty() ? "expected a value" : std::string(); }, ""));
  return *this;
}

Option& Option::seconds() {
  option_->check(CLI::Validator(
      [](std::string& text) {
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds > 0 && seconds <= 1e6 ? std::string()
                                             : "expected seconds above 0, got " + text;
      },
      "SECONDS > 0"));
  return *this;
}

Option& Option::ending(const std::vector<std::string>& allowed) {
  std::vector<std::string> endings;
  for (const std::string& word : allowed) endings.push_back("." + word);
  option_->check(CLI::Validator(
      [endings, name = option_->get_name()](std::string& file) {
        try {
          require_ending(name, file, endings);
        } catch (const std::invalid_argument& error) {
          return std::string(error.what()).substr(name.size() + 2);
        }
        return std::string();
      },
      ""));
  return *this;
}

Option& Option::rows_file() {
  option_->check(CLI::Validator(
      [name = option_->get_name()](std::string& file) {
        try {
          require_ending_of(name, file, "rows");
        } catch (const std::invalid_argument& error) {
          return std::string(error.what()).substr(name.size() + 2);
        }
        return std::string();
      },
      ""));
  return *this;
}

Option& Option::default_text(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::expected(int least, int most) {
  option_->expected(least, most);
  return *this;
}

Option& Option::comma_separated() {
  option_->delimiter(',');
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::repeatable() {
  option_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

bool Option::is_given() const { return option_->count() > 0; }

Command Command::add_command(const std::string& name, const std::string& help) {
  return Command(*app_->add_subcommand(name, help));
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(app_->add_option(checked(name), value, help));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  return Option(app_->add_option(checked(name), values, help));
}

Option Command::add_option(const std::string& name, int& value, const std::string& help) {
  return Option(app_->add_option(checked(name), value, help));
}

Option Command::add_option(const std::string& name, unsigned& value, const std::string& help) {
  return Option(app_->add_option(checked(name), value, help));
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) {
  return Option(app_->add_option(checked(name), value, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(checked(name), value, help));
}

void Command::examples(const std::vector<Example>& examples, const std::string& also) {
  std::string text = examples.size() == 1 ? "Example:\n" : "Examples:\n";
  for (const auto& [command, does] : examples) {
    text += wrapped_command(command, 2) + wrapped("      ", does, 6);
  }
  app_->footer(text + (also.empty() ? "" : "\n" + also));
}

void Command::run(const std::function<void()>& work) {
  app_->add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load_plugin(file);
          },
          "a shared library with your own algorithms, each named custom/NAME "
          "(docs/writing-a-spec.md)")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app_->callback(work);
}

Option Command::add_word(const std::string& name,
                         const std::function<void(const std::string&)>& set,
                         const std::vector<std::string>& words, const std::string& help) {
  return Option(app_->add_option_function<std::string>(checked(name), set, help)).one_of(words);
}

}  // namespace mmaspec::cli
