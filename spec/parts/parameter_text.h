#pragma once
/// Parameters of algorithms as text: printed, and read back.

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
/// A list of integers, equal ones that follow each other counted: `768x5:256`.
std::string to_string(const std::vector<int>& integers);

/// Reads `key=value` pairs. Every reading names what is wrong in one line (std::invalid_argument).
class ParameterReader {
 public:
  explicit ParameterReader(std::map<std::string, std::string> values)
      : values_(std::move(values)) {}

  bool has(const std::string& key) const { return values_.contains(key); }
  /// Without `otherwise` the key must be given: if it is not, the result is `low`, and
  /// require_all_read() or explain_missing() throws.
  int integer(const std::string& key, int low, int high, std::optional<int> otherwise = {});
  /// `none` or an integer.
  std::optional<int> integer_or_none(const std::string& key, int low, int high,
                                     std::optional<int> otherwise);
  bool yes_no(const std::string& key, bool otherwise);
  /// What to_string() prints of a list of at most 1024 integers; not given: none.
  std::vector<int> integers(const std::string& key, int low, int high);
  const Format& format(const std::string& key, const Format& otherwise);
  /// The pattern of a number of a format, in any spelling that operands have.
  Integer number(const std::string& key, const Format& format, const Integer& otherwise);
  /// The index of one of `words`.
  std::size_t choice(const std::string& key, const std::vector<std::string>& words,
                     std::size_t otherwise);
  /// Throws for a key that is not a parameter, then for a parameter that is missing.
  void require_all_read() const;
  /// Throws if a parameter is missing: to be asked where another error may follow from that.
  void explain_missing() const;

 private:
  std::optional<std::string> text(const std::string& key);
  [[noreturn]] static void refuse(const std::string& key, const std::string& given,
                                  const std::string& allowed);

  std::map<std::string, std::string> values_;
  std::set<std::string> read_;
  std::vector<std::string> missing_;
};

}  // namespace mmaspec
