#include "hardware/replay/device/common/rows.h"

#include <cstring>

namespace mmaspec::replay {
namespace {

/// Scans the text of one JSON object. Every function returns false at the first fault and sets
/// `fault`.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }
  const char* fault() const { return fault_; }

  void skip_space() {
    while (at_ < end_ && is_space(*at_)) ++at_;
  }

  bool at_end() {
    skip_space();
    return at_ == end_;
  }

  bool next_is(char c) {
    skip_space();
    return at_ < end_ && *at_ == c;
  }

  /// Skips `c` if it is next.
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  /// The text between the quotes, without replacing escapes.
  bool string(std::string_view& value) {
    if (!take('"')) return fail("expected a string");
    const char* const begin = at_;
    while (true) {
      const auto* const quote =
          static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
      if (!quote) break;
      const char* escapes =
          quote;  // an odd number of backslashes before the quote makes it part of the string
      while (escapes > begin && escapes[-1] == '\\') --escapes;
      at_ = quote + 1;
      if ((quote - escapes) % 2 == 0) {
        value = std::string_view(begin, static_cast<std::size_t>(quote - begin));
        return true;
      }
    }
    return fail("a string is not terminated");
  }

  /// Skips any value: strings are scanned, the nesting of other values is tracked by brackets.
  bool skip_value() {
    skip_space();
    if (at_ == end_) return fail("a value is missing");
    std::string_view ignored;
    if (*at_ == '"') return string(ignored);
    if (*at_ != '{' && *at_ != '[') {
      const char* begin = at_;
      while (at_ < end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && !is_space(*at_)) ++at_;
      return at_ > begin ? true : fail("a value is missing");
    }
    for (int depth = 0; at_ < end_;) {
      if (*at_ == '"') {
        if (!string(ignored)) return false;
        continue;
      }
      if (*at_ == '{' || *at_ == '[') ++depth;
      if (*at_ == '}' || *at_ == ']') --depth;
      ++at_;
      if (depth == 0) return true;
    }
    return fail("a bracket is not closed");
  }

  bool fail(const char* what) {
    fault_ = what;
    return false;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  const char* at_;
  const char* end_;
  const char* fault_ = nullptr;
};

bool is_answer(std::string_view key, bool drawn) {
  return key == "d" || key == "lacks" || key == "uneven" || (drawn && key == "first");
}

std::string_view* operand(Row& row, std::string_view key) {
  if (key == "instr") return &row.instr;
  if (key == "a") return &row.a;
  if (key == "b") return &row.b;
  if (key == "c") return &row.c;
  if (key == "sa") return &row.sa;
  if (key == "sb") return &row.sb;
  return nullptr;
}

/// The members of drawn rows; other rows may have other members with these names.
std::string_view* drawn_member(Row& row, std::string_view key) {
  if (key == "drawn") return &row.drawn;
  if (key == "seed") return &row.seed;
  if (key == "first") return &row.first;
  return nullptr;
}

/// Calls `visit(key, begin, end)` for each member, from its key's quote to the end of its value.
/// `value` is set for members for which `wants(key)` is true.
template <class Wants, class Visit>
bool for_each_member(Scanner& scanner, Wants wants, Visit visit) {
  if (!scanner.take('{')) return scanner.fail("expected a JSON object");
  if (scanner.take('}')) return true;
  do {
    scanner.skip_space();
    const char* begin = scanner.at();
    std::string_view key;
    if (!scanner.string(key)) return false;
    if (!scanner.take(':')) return scanner.fail("expected ':' after a key");
    std::string_view* value = wants(key);
    if (value ? !scanner.string(*value) : !scanner.skip_value()) return false;
    visit(key, begin, scanner.at());
  } while (scanner.take(','));
  return scanner.take('}') || scanner.fail("expected ',' or '}'");
}

}  // namespace

std::string scan_row(std::string_view line, Row& row) {
  row = Row{};
  Scanner scanner(line);
  scanner.skip_space();
  const char* begin = scanner.at();
  std::string_view repeated;
  bool good = for_each_member(
      scanner,
      [&](std::string_view key) {
        std::string_view* value = operand(row, key);
        if (!value && scanner.next_is('"')) value = drawn_member(row, key);
        if (value && value->data()) repeated = key;
        return value;
      },
      [&](std::string_view key, const char*, const char*) {
        if (is_answer(key, true)) row.has_answer = true;
      });
  row.text = std::string_view(begin, static_cast<std::size_t>(scanner.at() - begin));
  if (good && !scanner.at_end()) good = scanner.fail("text after the object");
  if (!good) return scanner.fault();
  if (repeated.data()) return "key '" + std::string(repeated) + "' twice";
  for (const char* key : {"instr", "a", "b", "c"}) {
    if (!operand(row, key)->data()) return "the key '" + std::string(key) + "' is missing";
  }
  return {};
}

void append_answered(const Row& row, std::string_view members, std::string& out) {
  if (!row.has_answer) {
    out.append(row.text.substr(0, row.text.size() - 1));
  } else {
    char separator = '{';
    Scanner scanner(row.text);
    for_each_member(
        scanner, [](std::string_view) -> std::string_view* { return nullptr; },
        [&](std::string_view key, const char* begin, const char* end) {
          if (is_answer(key, row.drawn.data() != nullptr)) return;
          out += separator;
          out.append(begin, end);
          separator = ',';
        });
  }
  out += ',';
  out.append(members);
  out += "}\n";
}

}  // namespace mmaspec::replay
