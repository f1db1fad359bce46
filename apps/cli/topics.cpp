#include "apps/cli/topics.h"

#include <fmt/format.h>

#include "apps/cli/where_help.h"
#include "queries/theorems/theorems.h"
#include "spec/catalog/plan.h"

namespace mmaspec::cli {
namespace {

constexpr const char* kDesign =
    R"(design:ALGORITHM(key=value,...) is an algorithm with chosen parameters; it need not exist as
hardware. You can use it wherever an instruction's name is allowed. All algorithms have the
formats a, b, c, d (default: f16, f16, f32, f32) and the length k. Those with block scale factors
have scale and scale_block too.

  mmaspec diff 'design:fused-dot-add(k=4,fraction_bits=24)' \
      'design:fused-dot-add(k=4,fraction_bits=25)'

'mmaspec show NAME' prints the algorithm and the parameters of an instruction.
)";

constexpr const char* kPlan =
    R"(plan:SCHEME(NAME,key=value,...) is a whole dot product of a kernel, built around an instruction or
a design. You can use it wherever an instruction's name is allowed. If the scheme's block length
does not divide K, the missing products are +0 * +0. 'mmaspec show --parameters SCHEME' lists the
keys of a scheme.

  mmaspec eval 'plan:split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=64,parts=2)' --a 1,2,3 --b 1,1,1
)";

constexpr const char* kTheorems =
    R"(An analytical proof ('by' is argument) rests on one of these theorems about the algorithms of
the catalogue. No solver and no proof kernel checks them: they are trusted. 'mmaspec prove',
'diff', 'table' and 'matrix' use none of them with --no-trust.
)";

std::string theorems_text() {
  std::string text = kTheorems;
  for (const TheoremRecord& t : theorems()) {
    text += "\n" + wrapped(fmt::format("{:<5}", number_of(t.theorem)), std::string(t.statement), 5);
    if (!t.literature.empty()) text += wrapped("     ", std::string(t.literature), 5);
  }
  return text;
}

/// Splits a text at spaces; with `quotes`, spaces inside quotes do not split.
std::vector<std::string> words_between_spaces(const std::string& text, bool quotes) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (quotes && c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string lines_of_words(const std::string& start, const std::vector<std::string>& words,
                           std::size_t indent, const std::string& at_break) {
  const std::size_t columns = kHelpColumns - at_break.size();
  std::string text;
  std::string line = start;
  bool is_empty = true;  // the line does not have a word yet
  for (const std::string& word : words) {
    const bool has_space = line.empty() || line.back() == ' ';
    const std::size_t length = line.size() + (has_space ? 0 : 1) + word.size();
    if (!is_empty && length > columns) {
      text += line + at_break + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (has_space ? "" : " ") + word;
    }
    is_empty = false;
  }
  return text + line + "\n";
}

}  // namespace

std::string wrapped(const std::string& start, const std::string& text, std::size_t indent) {
  return lines_of_words(start, words_between_spaces(text, false), indent, "");
}

std::string wrapped_command(const std::string& command, std::size_t indent) {
  const std::string start(indent, ' ');
  if (indent + command.size() <= kHelpColumns) return start + command + "\n";
  return lines_of_words(start, words_between_spaces(command, true), indent + 4, " \\");
}

const std::vector<std::string>& topics() {
  static const std::vector<std::string> all{"where", "design", "plan", "theorems"};
  return all;
}

std::string parameters_text(const OpenAlgorithmHelp& help, const std::string& usage) {
  std::string text = fmt::format(fmt::runtime(usage), help.name) + "\n";
  text += wrapped("  ", help.reference, 2);
  for (const ParameterHelp& p : help.parameters) {
    text +=
        wrapped(fmt::format("  {:<20} ", p.key),
                fmt::format("{} [{}]: {}", p.allowed,
                            p.default_value.empty() ? "required" : "default: " + p.default_value,
                            p.meaning),
                23);
  }
  return text;
}

std::string topic(const std::string& name) {
  if (name == "theorems") return theorems_text();
  if (name == "where") return where_help();
  if (name == "plan")
    return kPlan +
           ("\n" + wrapped("", fmt::format("Schemes: {}.", fmt::join(plan_schemes(), ", ")), 0));
  if (name == "design") {
    std::string text = kDesign;
    for (const std::string& algorithm : open_algorithms()) {
      text += "\n" + parameters_text(open_algorithm_help(algorithm), "design:{}(key=value,...)");
    }
    return text;
  }
  throw std::invalid_argument("help: unknown subject '" + name.substr(0, 60) +
                              "' (a command, or where, design, plan, theorems)");
}

}  // namespace mmaspec::cli
