#pragma once
/// Lines of decimal numbers separated by single spaces, as in DIMACS and LRAT text.

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mmaspec {

inline constexpr long kMostVariables = 1L << 30;
inline constexpr long kMostClauses = 1L << 30;

inline void append_number(std::string& text, long x, char after) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
  text.append(digits.data(), end);
  text += after;
}

/// Parses numbers. Throws std::invalid_argument.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }

  /// The next number of the line.
  long next(long low, long high) {
    if (!line_begins_) {
      if (at_ == end_ || *at_ != ' ') throw std::invalid_argument("no space between two numbers");
      ++at_;
    }
    line_begins_ = false;
    long x = 0;
    const auto [rest, error] = std::from_chars(at_, end_, x);
    if (error != std::errc() || x < low || x > high) throw std::invalid_argument("no such number");
    // Each number has one spelling: another checker might read -0 or 01 as another number.
    const bool is_negative = *at_ == '-';
    if (at_[is_negative ? 1 : 0] == '0' && (is_negative || rest != at_ + 1)) {
      throw std::invalid_argument("a number that begins with 0");
    }
    at_ = rest;
    return x;
  }
  void end_line() {
    if (at_ == end_ || *at_ != '\n') throw std::invalid_argument("a line that does not end");
    ++at_;
    line_begins_ = true;
  }

 private:
  const char* at_;
  const char* end_;
  bool line_begins_ = true;
};

}  // namespace mmaspec
