#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

#include "cli/plugins.h"

namespace mmaspec::cli {
namespace {

std::map<const CLI::Option*, std::vector<std::string>>& known_words() {
  static std::map<const CLI::Option*, std::vector<std::string>> all;
  return all;
}

/// The name, if every version of CLI11 accepts it: newer versions refuse a name that has a space.
const std::string& checked(const std::string& name) {
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != ',') {
      throw std::logic_error("'" + name + "' cannot be the name of an option or an argument");
    }
  }
  return name;
}

}  // namespace

const std::vector<std::string>& words_of(const CLI::Option& option) {
  return known_words()[&option];
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::range(int low, int high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Option& Option::range(double low, double high) {
  option_->check(CLI::Range(low, high));
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
  for (const auto& [command, does] : examples) text += "  " + command + "\n      " + does + "\n";
  app_->footer(text + (also.empty() ? "" : "\n" + also));
}

void Command::run(const std::function<void()>& work) {
  app_->add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load_plugin(file);
          },
          "a shared object with algorithms of one's own, known as custom/NAME "
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
