#pragma once
/// Bitvector terms on numbers, many at once: what suggests that two are equal.

#include <map>
#include <string>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Values of terms on samples. Terms may be added while it is used.
class TermSimulator {
 public:
  explicit TermSimulator(const BvTerms& terms) : terms_(terms) {}

  /// A sample more: values of variables by name; those missing are 0.
  void add_sample(const std::map<std::string, Integer>& variables);
  std::size_t samples() const { return inputs_.size(); }

  /// The term's value on each sample; a Boolean is 0 or 1.
  const std::vector<Integer>& operator()(TermId term);

 private:
  Integer evaluate(TermId term, std::size_t sample) const;

  const BvTerms& terms_;
  std::vector<std::map<std::string, Integer>> inputs_;
  std::map<TermId, std::vector<Integer>> values_;
};

/// The number that a word of two's complement is.
Integer signed_value(const Integer& pattern, unsigned width);

}  // namespace mmaspec::rtl
