#pragma once
/// Parameters of algorithms as text: printed, and read back.

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "spec/parts/terms.h"

namespace mmaspec {

/// rz, rne, rd, ru, rna.
std::string to_string(Rounding rounding);
/// gradual, flush.
std::string to_string(Underflow underflow);
/// infinity, directed, saturate.
std::string to_string(Overflow overflow);
/// left-out, operands-count.
std::string to_string(ZeroTerms zero_terms);

/// Reads `key=value` pairs. Every reading names what is wrong in one line (std::invalid_argument).
class ParameterReader {
 public:
  explicit ParameterReader(std::map<std::string, std::string> values)
      : values_(std::move(values)) {}

  bool has(const std::string& key) const { return values_.contains(key); }
  /// Without `otherwise` the key must be given.
  int integer(const std::string& key, int low, int high, std::optional<int> otherwise = {});
  /// `none` or an integer; not given: none.
  std::optional<int> integer_or_none(const std::string& key, int low, int high);
  bool yes_no(const std::string& key, bool otherwise);
  const Format& format(const std::string& key, const Format& otherwise);
  /// One of `choices` by their texts.
  template <typename T>
  T one_of(const std::string& key, const std::vector<T>& choices, T otherwise) {
    const auto given = text(key);
    if (!given) return otherwise;
    std::string allowed;
    for (T choice : choices) {
      if (to_string(choice) == *given) return choice;
      allowed += (allowed.empty() ? "" : ", ") + to_string(choice);
    }
    refuse(key, *given, allowed);
  }
  /// One of `choices`; not given: the first.
  std::string choice(const std::string& key, const std::vector<std::string>& choices);
  /// Throws for a key that nobody has read.
  void require_all_read() const;

 private:
  std::optional<std::string> text(const std::string& key);
  [[noreturn]] static void refuse(const std::string& key, const std::string& given,
                                  const std::string& allowed);

  std::map<std::string, std::string> values_;
  std::set<std::string> read_;
};

/// round, kept_bits, underflow, overflow of a result in `format`.
ResultFormat read_result(ParameterReader& reader, const Format& format, Rounding otherwise);
/// An integer that divides `k`; not given: k.
int read_divisor(ParameterReader& reader, const std::string& key, int k);

/// Appends zero_terms, and where operands count the exponent that zeros have.
void append_zero_terms(ZeroTerms zero_terms, int zero_exponent, std::string meaning,
                       std::vector<Parameter>& parameters);
/// Appends round, kept_bits, underflow, overflow.
void append_result_parameters(const ResultFormat& result, std::vector<Parameter>& parameters);

}  // namespace mmaspec
