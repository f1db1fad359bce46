#pragma once
/// Evaluates bitvector terms on many samples at once, to find candidates for equality.

#include <map>
#include <string>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Values of terms on samples. Terms may be added during its lifetime.
class TermSimulator {
 public:
  explicit TermSimulator(const BvTerms& terms) : terms_(terms) {}

  /// Adds a sample: values of variables by name; missing ones are 0.
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

}  // namespace mmaspec::rtl
