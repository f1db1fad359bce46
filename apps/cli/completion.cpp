// Writes completion scripts for shells.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "apps/cli/help.h"
#include "apps/cli/parser.h"

namespace mmaspec::cli {
namespace {

/// The kind of arguments that a command takes, besides options.
enum class Words { names, properties, files, none };

Words arguments_of(const std::string& command) {
  if (command == "verify" || command == "replay") return Words::files;
  if (command == "prove") return Words::properties;
  if (command == "list" || command == "identify" || command == "help" || command == "completion") {
    return Words::none;
  }
  return Words::names;
}

struct CommandWords {
  std::string name;
  std::string says;
  Words words;
  std::vector<const CLI::Option*> options;
};

std::vector<CommandWords> words_of_commands(const CLI::App& app) {
  std::vector<CommandWords> all;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandWords words{c->get_name(), c->get_description(), arguments_of(c->get_name()), {}};
    for (const CLI::Option* o : c->get_options()) {
      if (!o->get_lnames().empty()) words.options.push_back(o);
    }
    all.push_back(std::move(words));
  }
  return all;
}

std::string command_names(const std::vector<CommandWords>& commands) {
  std::string text;
  for (const CommandWords& c : commands) text += (text.empty() ? "" : " ") + c.name;
  return text;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// Instructions, architectures' products and targets.
constexpr const char* kNames =
    "mmaspec list 2>/dev/null | cut -d' ' -f1; mmaspec list --products 2>/dev/null | "
    "grep -v 'not in the catalogue' | cut -d' ' -f1";
constexpr const char* kProperties = "mmaspec prove --list 2>/dev/null | cut -d' ' -f1";

/// Text in single quotes of any shell.
std::string quoted(const std::string& text, bool fish) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'') {
      all += fish ? "\\'" : "'\\''";
    } else {
      all += c;
    }
  }
  return all + "'";
}

std::string bash(const std::vector<CommandWords>& commands) {
  std::string cases;
  std::string values;
  for (const CommandWords& c : commands) {
    std::string options;
    for (const CLI::Option* o : c.options) {
      for (const std::string& name : o->get_lnames()) options += " --" + name;
      const std::vector<std::string>& words = words_of(*o);
      if (!words.empty()) {
        values += fmt::format("    '{} --{}') words='{}' ;;\n", c.name, o->get_lnames()[0],
                              fmt::join(words, " "));
      } else if (takes_value(*o)) {
        values += fmt::format("    '{} --{}') files=1 ;;\n", c.name, o->get_lnames()[0]);
      }
    }
    std::string words;
    if (c.words == Words::names) words = fmt::format(" words=$({});", kNames);
    if (c.words == Words::properties) words = fmt::format(" words=$({}; {});", kProperties, kNames);
    if (c.words == Words::files) words = " files=1;";
    if (c.name == "help")
      words = fmt::format(" words='{} where design plan';", command_names(commands));
    if (c.name == "completion") words = " words='bash zsh fish';";
    cases += fmt::format("    {}) options='{}';{} ;;\n", c.name,
                         options.substr(options.empty() ? 0 : 1), words);
  }
  return fmt::format(R"(# bash completion of mmaspec: source <(mmaspec completion bash)
_mmaspec() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}} options='' words='' files=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$current")
    return
  fi
  case "$command $previous" in
{}    *) ;;
  esac
  if [[ -z $words$files ]]; then
    case $command in
{}    *) return ;;
    esac
    if [[ $current == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
      return
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $files ]]; then
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _mmaspec mmaspec
)",
                     command_names(commands), values, cases);
}

std::string zsh_text(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

std::string zsh(const std::vector<CommandWords>& commands) {
  std::string names;
  std::string cases;
  for (const CommandWords& c : commands) {
    names += "    " + quoted(zsh_text(c.name) + ":" + c.says, false) + "\n";
    std::string options;
    for (const CLI::Option* o : c.options) {
      std::string value;
      if (takes_value(*o)) {
        const std::vector<std::string>& words = words_of(*o);
        value = words.empty() ? ":value:_files" : fmt::format(":value:({})", fmt::join(words, " "));
      }
      options += " " + quoted(fmt::format("--{}[{}]{}", o->get_lnames()[0],
                                          zsh_text(o->get_description()), value),
                              false);
    }
    std::string words = "_files";
    if (c.words == Words::names) words = fmt::format("compadd -- $({})", kNames);
    if (c.words == Words::properties) {
      words = fmt::format("compadd -- $({}) $({})", kProperties, kNames);
    }
    if (c.name == "help") words = "compadd -- " + command_names(commands) + " where design plan";
    if (c.name == "completion") words = "compadd -- bash zsh fish";
    cases +=
        fmt::format("    {})\n      _arguments{} '*::word:{{ {} }}' ;;\n", c.name, options, words);
  }
  return fmt::format(R"(#compdef mmaspec
# zsh completion of mmaspec: mmaspec completion zsh > a folder of $fpath/_mmaspec
_mmaspec() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = "_mmaspec" ]; then
  _mmaspec "$@"
else
  compdef _mmaspec mmaspec
fi
)",
                     names, cases);
}

std::string fish(const std::vector<CommandWords>& commands) {
  std::string text =
      "# fish completion of mmaspec: mmaspec completion fish > "
      "~/.config/fish/completions/mmaspec.fish\ncomplete -c mmaspec -f\n";
  for (const CommandWords& c : commands) {
    text += fmt::format("complete -c mmaspec -n __fish_use_subcommand -a {} -d {}\n", c.name,
                        quoted(c.says, true));
    const std::string here =
        fmt::format("complete -c mmaspec -n '__fish_seen_subcommand_from {}'", c.name);
    for (const CLI::Option* o : c.options) {
      std::string value;
      if (takes_value(*o)) {
        const std::vector<std::string>& words = words_of(*o);
        value = words.empty() ? " -r -F" : fmt::format(" -x -a '{}'", fmt::join(words, " "));
      }
      text += fmt::format("{} -l {}{} -d {}\n", here, o->get_lnames()[0], value,
                          quoted(o->get_description(), true));
    }
    if (c.words == Words::names || c.words == Words::properties) {
      text += fmt::format("{} -a \"({})\"\n", here, kNames);
    }
    if (c.words == Words::properties) text += fmt::format("{} -a \"({})\"\n", here, kProperties);
    if (c.words == Words::files) text += here + " -F\n";
    if (c.name == "help") {
      text += fmt::format("{} -a '{} where design plan'\n", here, command_names(commands));
    }
    if (c.name == "completion") text += here + " -a 'bash zsh fish'\n";
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  const std::vector<CommandWords> commands = words_of_commands(app);
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw std::invalid_argument("completion: unknown shell '" + shell + "' (bash, zsh or fish)");
}

}  // namespace mmaspec::cli
