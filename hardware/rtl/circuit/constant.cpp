#include "hardware/rtl/circuit/constant.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <stdexcept>

namespace mmaspec::rtl {
namespace {

std::optional<Integer> parse_digits(const std::string& digits, int base) {
  Integer value = 0;
  bool any = false;
  for (const char c : digits) {
    if (c == '_') continue;
    const auto u = static_cast<unsigned char>(c);
    const int digit = std::isdigit(u) != 0    ? c - '0'
                      : std::isxdigit(u) != 0 ? std::tolower(u) - 'a' + 10
                                              : 99;
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

std::optional<Integer> parse_sized(const std::string& text, std::size_t quote) {
  std::size_t at = quote + 1;
  if (at < text.size() && (text[at] == 's' || text[at] == 'S')) ++at;
  if (at == text.size()) return std::nullopt;
  const int base = [&] {
    switch (std::tolower(static_cast<unsigned char>(text[at]))) {
      case 'b':
        return 2;
      case 'o':
        return 8;
      case 'd':
        return 10;
      case 'h':
        return 16;
      default:
        return 0;
    }
  }();
  if (base == 0) return std::nullopt;
  const auto value = parse_digits(text.substr(at + 1), base);
  if (!value || quote == 0) return value;
  const auto width = parse_digits(text.substr(0, quote), 10);
  if (!width || *width > 65536) return std::nullopt;
  return *value < power_of_two(width->convert_to<unsigned>()) ? value : std::nullopt;
}

}  // namespace

Integer parse_constant(const std::string& option, const std::string& text) {
  std::optional<Integer> value;
  if (text.size() <= 300) {
    const std::size_t quote = text.find('\'');
    if (quote != std::string::npos) {
      value = parse_sized(text, quote);
    } else if (text.starts_with("0x") || text.starts_with("0X")) {
      value = parse_digits(text.substr(2), 16);
    } else {
      value = parse_digits(text, 10);
    }
  }
  if (value) return *value;
  throw std::invalid_argument(fmt::format(
      "{}: '{}' is not a natural number, such as 1, 0x3f or 16'h3f", option, text.substr(0, 60)));
}

}  // namespace mmaspec::rtl
