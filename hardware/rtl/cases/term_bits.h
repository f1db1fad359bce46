#pragma once
/// Bits of bitvector terms that are known without a solver.

#include <deque>
#include <optional>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Known bits of a term; a Boolean has one bit.
struct BitFacts {
  Integer ones;   ///< bits that are 1 for all inputs: also the least unsigned value
  Integer maybe;  ///< bits that can be 1, these included: also the largest unsigned value
  bool is_constant() const { return ones == maybe; }
};

/// Computes facts from the arguments of each operation. Terms may be added during its lifetime.
class TermBits {
 public:
  explicit TermBits(const BvTerms& terms) : terms_(terms) {}
  const BitFacts& operator()(TermId term);

 private:
  BitFacts of_operation(const BvTerm& t) const;
  const BitFacts& known(TermId term) const { return *facts_[term]; }

  const BvTerms& terms_;
  std::deque<std::optional<BitFacts>> facts_;  ///< references stay valid
};

}  // namespace mmaspec::rtl
