#pragma once
/// The commands' help in other forms: manual pages, Markdown, completions of shells. All are made
/// from the same texts as --help.

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace mmaspec::cli {

/// Limits the length of lines of --help, for this command and its subcommands.
void wrap_help(CLI::App& app);

/// A manual page (section 1) of a command; of `mmaspec` itself, if it has no parent.
std::string man_page(const CLI::App& app);

/// All commands, one after the other, as Markdown.
std::string markdown(const CLI::App& app);

/// A script with which a shell completes commands, options and their values, and names of
/// instructions and properties. `shell`: bash, zsh or fish; throws std::invalid_argument for
/// others.
std::string completion(const CLI::App& app, const std::string& shell);

/// The commands `help` and `completion`.
void add_help_commands(CLI::App& app, int& status);

}  // namespace mmaspec::cli
