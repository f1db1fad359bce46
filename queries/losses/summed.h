#pragma once
/// What alignment cuts from the terms of a sum, from lemmas about each term alone.

#include <optional>
#include <vector>

#include "queries/losses/loss_lemmas.h"

namespace mmaspec {

/// What was cut from a sum's terms.
struct Cut {
  std::vector<std::size_t> terms;  ///< of `numbers`, which it is a sum of
  Rational error;                  ///< in the unit of their sizes
  bool only_shrinks;               ///< no term became larger than it was
};

/// How far the sum lies from the sum of the exact numbers of which its nodes are made; nullopt: it
/// was not found.
///
/// Each of its summands is proved to lie within a unit of an exact number, or to be exact where the
/// sum's exponent is no more than so far above that number's; each member of the maximum that the
/// exponent is, to be at most so far above that number's leading bit. The sum's exponent is one of
/// these members: the cuts add up for each of them.
std::optional<Cut> cut_of(const SumOfNumbers& sum, const ExactNumbers& numbers, int least_exponent,
                          LossLemmas& lemmas);

}  // namespace mmaspec
