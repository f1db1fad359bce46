#include "apps/cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/topics.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

/// An option or an argument in help.
struct Entry {
  std::string names;  ///< "--ulp NUMBER"
  std::string says;
  bool positional = false;
};

Entry entry_of(const CLI::Option& o) {
  Entry e;
  e.positional = o.get_positional();
  e.names = e.positional ? o.get_name(true) : o.get_name(false, true);
  const std::string value = value_of(o);
  if (!e.positional && !value.empty()) e.names += " " + value;
  if (o.get_items_expected_max() > 1) e.names += " ...";
  e.says = says_of(o);
  return e;
}

std::vector<Entry> entries_of(const CLI::App& app) {
  std::vector<Entry> entries;
  for (const CLI::Option* o : app.get_options()) entries.push_back(entry_of(*o));
  return entries;
}

constexpr std::size_t kSaysColumn = 30;

/// A name and its description, which starts in a fixed column.
std::string line_of(const std::string& name, const std::string& says) {
  const std::string start = "  " + name;
  if (start.size() + 2 <= kSaysColumn) {
    return wrapped(start + std::string(kSaysColumn - start.size(), ' '), says, kSaysColumn);
  }
  return start + "\n" + wrapped(std::string(kSaysColumn, ' '), says, kSaysColumn);
}

/// Formats help in lines of at most kHelpColumns columns, with the tool's names for values.
class HelpText : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const Entry e = entry_of(*option);
    return is_positional == e.positional ? line_of(e.names, e.says) : "";
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped("", app->get_description(), 0);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return line_of(command->get_name(), command->get_description());
  }
};

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : parent->get_name() + " " + app.get_name();
}

std::string usage(const CLI::App& app) {
  std::string text = full_name(app);
  if (app.get_parent() == nullptr) return text + " COMMAND [OPTIONS]";
  text += " [OPTIONS]";
  for (const Entry& e : entries_of(app)) {
    if (e.positional) text += " " + e.names;
  }
  return text;
}

/// Escapes text for roff: backslashes, hyphens, and lines that start like requests.
std::string roff(const std::string& text) {
  std::string all;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) all += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      all += "\\e";
    } else if (c == '-') {
      all += "\\-";
    } else {
      all += c;
    }
  }
  return all;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

int write_man_pages(const CLI::App& app, const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error(folder + ": " + error.message());
  write_file(path / "mmaspec.1", man_page(app));
  for (const CLI::App* command : commands_of(app)) {
    write_file(path / ("mmaspec-" + command->get_name() + ".1"), man_page(*command));
  }
  return kDone;
}

struct HelpOptions {
  std::string subject;
  std::string man;
  std::string shell;
  bool markdown = false;
};

int run_help(CLI::App& app, const HelpOptions& options) {
  if (!options.man.empty()) return write_man_pages(app, options.man);
  if (options.markdown) {
    print(markdown(app));
    return kDone;
  }
  if (options.subject.empty()) {
    print(app.help());
    return kDone;
  }
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() != options.subject) continue;
    print(command->help(app.get_name()));
    return kDone;
  }
  print(topic(options.subject));
  return kDone;
}

}  // namespace

void wrap_help(CLI::App& app) { app.formatter(std::make_shared<HelpText>()); }

std::string man_page(const CLI::App& app) {
  const bool whole = app.get_parent() == nullptr;
  std::string dashed = full_name(app);
  std::replace(dashed.begin(), dashed.end(), ' ', '-');
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"MMA-Spec\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n",
      roff(dashed), roff(dashed), roff(app.get_description()), roff(usage(app)));
  text += ".SH OPTIONS\n";
  for (const Entry& e : entries_of(app)) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(e.names), roff(e.says));
  }
  if (whole) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
      text += fmt::format(".TP\n.BR mmaspec\\-{} (1)\n{}\n", roff(command->get_name()),
                          roff(command->get_description()));
    }
  }
  if (!app.get_footer().empty()) {
    text += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  }
  return text;
}

std::string markdown(const CLI::App& app) {
  std::string text =
      "# Commands\n\n`mmaspec help --markdown` writes this page. `mmaspec help COMMAND` prints the "
      "same text, and so do the manual pages\n(`mmaspec help --man FOLDER`).\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("\n## {}\n\n{}.\n\n```\n{}\n```\n\n", command->get_name(),
                        command->get_description(), usage(*command));
    for (const Entry& e : entries_of(*command)) {
      text += fmt::format("- `{}`: {}\n", e.names, e.says);
    }
    if (!command->get_footer().empty()) {
      text += fmt::format("\n```\n{}```\n", command->get_footer());
    }
  }
  for (const std::string& name : topics()) {
    text += fmt::format("\n## help {}\n\n```\n{}```\n", name, topic(name));
  }
  return text;
}

void add_help_commands(CLI::App& app, int& status) {
  auto options = std::make_shared<HelpOptions>();
  CLI::App* help = app.add_subcommand(
      "help", "show help for a command, or for one of the topics where, design, plan, theorems");
  help->add_option("SUBJECT", options->subject, "a command, or where, design, plan, theorems");
  help->add_option("--man", options->man, "write the manual pages of all commands to this folder");
  help->add_flag("--markdown", options->markdown, "write the help of all commands as Markdown");
  help->footer(
      "Examples:\n  mmaspec help diff\n      the options of diff\n  mmaspec help where\n      the "
      "syntax of preconditions\n  mmaspec help --man man1 && man -l man1/mmaspec-diff.1\n      "
      "manual pages\n");
  help->callback([&app, options, &status] { status = run_help(app, *options); });

  CLI::App* complete = app.add_subcommand("completion", "write a completion script for a shell");
  complete->add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  complete->footer(
      "Examples:\n  source <(mmaspec completion bash)\n      in ~/.bashrc\n  mmaspec completion "
      "zsh > ~/.zfunc/_mmaspec\n      in a folder of $fpath\n  mmaspec completion fish > "
      "~/.config/fish/completions/mmaspec.fish\n      for fish\n");
  complete->callback([&app, options, &status] {
    print(completion(app, options->shell));
    status = kDone;
  });
}

}  // namespace mmaspec::cli
