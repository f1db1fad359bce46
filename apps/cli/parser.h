#pragma once
/// Options of a command. The interface hides the library that parses them, because its headers are
/// large and every command would compile them.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mmaspec::cli {

/// An option or an argument that was added to a command. Each function returns the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  /// At least `low` and at most `high`.
  Option& range(int low, int high);
  Option& range(double low, double high);
  Option& one_of(const std::vector<std::string>& words);
  /// An empty value is an error, because it would look like an omitted option.
  Option& not_empty();
  /// Seconds above 0.
  Option& seconds();
  /// A file name with one of these endings, such as {"svg"}, or without an ending.
  Option& ending(const std::vector<std::string>& allowed);
  /// A file of rows as JSON Lines: its name must not have the ending of another type.
  Option& rows_file();
  /// The default that --help shows; without a text, the variable's current value.
  Option& default_text(const std::string& text);
  Option& shows_default();
  /// The least and the largest number of values.
  Option& expected(int least, int most);
  /// May be given several times; all values count.
  Option& repeatable();
  /// A list in one argument, such as a,b,c; the next word is another argument.
  Option& comma_separated();

  /// Whether the command line contains the option; known after parsing.
  bool is_given() const;

 private:
  CLI::Option* option_;
};

/// A command of `mmaspec`, or `mmaspec` itself. Variables passed to it get their values when the
/// command line is parsed, and must exist until then.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_command(const std::string& name, const std::string& help);

  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& help);
  Option add_option(const std::string& name, int& value, const std::string& help);
  Option add_option(const std::string& name, unsigned& value, const std::string& help);
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);

  /// An option whose value is one of a few words.
  template <typename T>
  Option add_choice(const std::string& name, T& value, const std::map<std::string, T>& choices,
                    const std::string& help) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    return add_word(
        name, [choices, &value](const std::string& word) { value = choices.at(word); }, words,
        help);
  }

  /// Command lines shown in the command's help, each with a description.
  struct Example {
    std::string command;
    std::string does;
  };
  void examples(const std::vector<Example>& examples, const std::string& also = "");

  /// The function to call after the options have their values.
  void run(const std::function<void()>& work);

 private:
  Option add_word(const std::string& name, const std::function<void(const std::string&)>& set,
                  const std::vector<std::string>& words, const std::string& help);

  CLI::App* app_;
};

/// The words that an option accepts; empty: any value.
const std::vector<std::string>& words_of(const CLI::Option& option);

/// The placeholder of the option's value in help: FILE, FOLDER, NUMBER, EXPR, NAME, ..., or its
/// words, `a|b`. Empty: the option has no value.
std::string value_of(const CLI::Option& option);
/// The option's help: its description, range and default.
std::string says_of(const CLI::Option& option);

/// Throws std::invalid_argument if the file's name has another ending than those allowed, such as
/// {"svg"}. No ending is allowed too.
void require_ending(const std::string& option, const std::string& file,
                    const std::vector<std::string>& allowed);
/// For an option that writes one of several types, each with its own endings: throws
/// std::invalid_argument if the file's name has an ending of another type than `type`.
void require_ending_of(const std::string& option, const std::string& file, const std::string& type);

}  // namespace mmaspec::cli
