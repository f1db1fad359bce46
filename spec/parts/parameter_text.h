#pragma once
/// Parameters of algorithms as text: printing and parsing.

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "spec/parts/terms.h"

namespace mmaspec {

/// rz, rne, rd, ru, rna, rto.
std::string to_string(Rounding rounding);
/// gradual, flush, flush-tiny.
std::string to_string(Underflow underflow);
/// infinity, directed, saturate.
std::string to_string(Overflow overflow);
/// left-out, operands-count.
std::string to_string(ZeroTerms zero_terms);
/// A list of integers, with repeated ones counted: `768x5:256`.
std::string to_string(const std::vector<int>& integers);

/// Parses `key=value` pairs. Every error is a std::invalid_argument with a one-line message.
class ParameterReader {
 public:
  explicit ParameterReader(std::map<std::string, std::string> values)
      : values_(std::move(values)) {}

  bool has(const std::string& key) const { return values_.contains(key); }
  /// Without `otherwise` the key is required: if it is missing, the result is `low`, and
  /// require_all_read() or explain_missing() throws.
  int integer(const std::string& key, int low, int high, std::optional<int> otherwise = {});
  /// `none` or an integer.
  std::optional<int> integer_or_none(const std::string& key, int low, int high,
                                     std::optional<int> otherwise);
  bool yes_no(const std::string& key, bool otherwise);
  /// Any text. Without `otherwise` the key is required, as of an integer.
  std::string text(const std::string& key, const std::optional<std::string>& otherwise);
  /// A list of at most 1024 integers, in the form of to_string(); if not given: empty.
  std::vector<int> integers(const std::string& key, int low, int high);
  const Format& format(const std::string& key, const Format& otherwise);
  /// The pattern of a number of a format, in any spelling that operands allow.
  Integer number(const std::string& key, const Format& format, const Integer& otherwise);
  /// The index of one of `words`.
  std::size_t choice(const std::string& key, const std::vector<std::string>& words,
                     std::size_t otherwise);
  /// Throws for an unknown key, then for a missing parameter.
  void require_all_read() const;
  /// Throws if a parameter is missing. Call it where a missing parameter could cause another error.
  void explain_missing() const;

 private:
  std::optional<std::string> given(const std::string& key);
  [[noreturn]] static void refuse(const std::string& key, const std::string& given,
                                  const std::string& allowed);

  std::map<std::string, std::string> values_;
  std::set<std::string> read_;
  std::vector<std::string> missing_;
};

}  // namespace mmaspec
