// Finds words of VHDL by which elaboration may reach files and foreign subprograms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "hardware/rtl/vhdl/ghdl.h"

namespace mmaspec::rtl {
namespace {

constexpr std::array<std::string_view, 3> kRefused{"file", "file_open", "foreign"};

/// IEEE 1076-2008, 15.10.
bool is_reserved(const std::string& word) {
  static const std::set<std::string> all{"abs",
                                         "access",
                                         "after",
                                         "alias",
                                         "all",
                                         "and",
                                         "architecture",
                                         "array",
                                         "assert",
                                         "assume",
                                         "assume_guarantee",
                                         "attribute",
                                         "begin",
                                         "block",
                                         "body",
                                         "buffer",
                                         "bus",
                                         "case",
                                         "component",
                                         "configuration",
                                         "constant",
                                         "context",
                                         "cover",
                                         "default",
                                         "disconnect",
                                         "downto",
                                         "else",
                                         "elsif",
                                         "end",
                                         "entity",
                                         "exit",
                                         "fairness",
                                         "file",
                                         "for",
                                         "force",
                                         "function",
                                         "generate",
                                         "generic",
                                         "group",
                                         "guarded",
                                         "if",
                                         "impure",
                                         "in",
                                         "inertial",
                                         "inout",
                                         "is",
                                         "label",
                                         "library",
                                         "linkage",
                                         "literal",
                                         "loop",
                                         "map",
                                         "mod",
                                         "nand",
                                         "new",
                                         "next",
                                         "nor",
                                         "not",
                                         "null",
                                         "of",
                                         "on",
                                         "open",
                                         "or",
                                         "others",
                                         "out",
                                         "package",
                                         "parameter",
                                         "port",
                                         "postponed",
                                         "procedure",
                                         "process",
                                         "property",
                                         "protected",
                                         "pure",
                                         "range",
                                         "record",
                                         "register",
                                         "reject",
                                         "release",
                                         "rem",
                                         "report",
                                         "restrict",
                                         "restrict_guarantee",
                                         "return",
                                         "rol",
                                         "ror",
                                         "select",
                                         "sequence",
                                         "severity",
                                         "shared",
                                         "signal",
                                         "sla",
                                         "sll",
                                         "sra",
                                         "srl",
                                         "strong",
                                         "subtype",
                                         "then",
                                         "to",
                                         "transport",
                                         "type",
                                         "unaffected",
                                         "units",
                                         "until",
                                         "use",
                                         "variable",
                                         "vmode",
                                         "vprop",
                                         "vunit",
                                         "wait",
                                         "when",
                                         "while",
                                         "with",
                                         "xnor",
                                         "xor"};
  return all.contains(word);
}

/// Of ASCII: what else may be a letter ends a word here, so that it hides none.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Reads a design file's words, outside comments, strings, characters and extended identifiers.
class VhdlWords {
 public:
  VhdlWords(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  void check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (starts("--")) {
        skip_to('\n');
      } else if (starts("/*")) {
        skip_comment();
      } else if (c == '"' || c == '\\') {
        skip_quoted(c);
      } else if (c == '\'') {
        skip_tick();
      } else if (is_letter(c)) {
        word();
      } else {
        if (c == '\n') ++line_;
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
          before_ = c == ')' || c == ']' ? Before::end_of_value : Before::other;
        }
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw ForeignVhdl(fmt::format("{}:{}: {}; --trust-rtl allows it", name_, line_, why));
  }
  bool starts(std::string_view with) const { return text_.compare(at_, with.size(), with) == 0; }

  /// To the end of the line, which tools end at any of VHDL's format effectors.
  void skip_to(char end) {
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\r' && text_[at_] != '\v' &&
           text_[at_] != '\f') {
      ++at_;
    }
  }

  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string::npos) refuse("a comment that does not end");
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end + 2;
  }

  /// A string or an extended identifier; both end on their line. A doubled quote begins another.
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\n' || text_[at_] == '\r') refuse("a string that does not end");
    }
    if (at_ == text_.size()) refuse("a string that does not end");
    ++at_;
    before_ = Before::end_of_value;
  }

  /// A character, or the tick of an attribute or a qualified expression: a tick behind a name. What
  /// may be read in two ways is refused; VHDL allows it nowhere.
  void skip_tick() {
    const bool may_be_character = at_ + 2 < text_.size() && text_[at_ + 2] == '\'';
    const bool is_tick = before_ == Before::name && text_[at_ + 1] == '(';
    if (may_be_character && !is_tick && before_ != Before::other) {
      refuse("a character behind a name or value");
    }
    const bool is_character = may_be_character && !is_tick;
    at_ += is_character ? 3 : 1;
    before_ = is_character ? Before::end_of_value : Before::other;
  }

  void word() {
    std::string word;
    while (at_ < text_.size() && is_letter(text_[at_])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_++])));
    }
    if (std::find(kRefused.begin(), kRefused.end(), word) != kRefused.end()) {
      refuse(
          fmt::format("'{}': GHDL could access files or start foreign code while it elaborates "
                      "this design",
                      word));
    }
    before_ = is_reserved(word) ? Before::other : Before::name;
  }

  /// What the last token was.
  enum class Before { name, end_of_value, other };

  const std::string& text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
  Before before_ = Before::other;
};

}  // namespace

void require_harmless_vhdl(const std::string& text, const std::string& name) {
  VhdlWords(text, name).check();
}

}  // namespace mmaspec::rtl
