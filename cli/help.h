#pragma once
/// The commands' help in other forms: manual pages, Markdown, completions of shells. All are made
/// from what --help says.

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace mmaspec::cli {

/// Gives --help lines of limited length, of the command and of those added later.
void wrap_help(CLI::App& app);

/// A manual page (section 1) of a command; of `mmaspec` itself, if it has no parent.
std::string man_page(const CLI::App& app);

/// All commands, one after the other, as Markdown.
std::string markdown(const CLI::App& app);

/// What makes the shell complete commands, options, their words, names of instructions and
/// properties. `shell`: bash, zsh or fish; throws std::invalid_argument for another.
std::string completion(const CLI::App& app, const std::string& shell);

/// The commands `help` and `completion`.
void add_help_commands(CLI::App& app, int& status);

}  // namespace mmaspec::cli
