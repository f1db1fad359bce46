#pragma once
/// How much time and work the parts of a proof or search may take. All limits are here, so that
/// they can be compared and changed together. Seconds are processor time of the process that asks
/// (util/deadline.h). A share is of the time that is left. None of them decides whether an answer
/// is right.

#include <cstddef>

namespace mmaspec::budget {

// Lemmas of derivations (queries/relations/, queries/derive/, queries/error_bounds/): seconds.
inline constexpr double kBriefLemma = 0.4;    ///< nearly all decided queries take less
inline constexpr double kOppositesLemma = 1;  ///< takes far less if signs are separate from
                                              ///< magnitudes
inline constexpr double kFactLemma = 2;       ///< a fact about one node or one term
inline constexpr double kNodeLemma = 10;      ///< a marked node, a rounding, an alignment, a loss
inline constexpr double kMemberLemma = 20;    ///< a member of a sum, for all exponents
inline constexpr double kStepLemma = 30;      ///< a whole step of a chain, and a term whose formula
                                              ///< is that of all other terms
inline constexpr double kSumLemma = 120;      ///< two sums, and the difference of their exponents
inline constexpr double kStageLemma = 15;     ///< stages of two runs (queries/ask/lemmas/)
inline constexpr double kStageLemmasShare = 0.5;
inline constexpr std::size_t kStageLemmaSearch = 20'000'000;  ///< operations of the batch evaluator

// Questions before all strategies: seconds.
inline constexpr double kAtOnce = 0.6;
inline constexpr double kFoldedAtOnce = 3;      ///< if conditions simplify much of the formula
inline constexpr double kUnsearchedAtOnce = 5;  ///< without a search, solvers find most witnesses
inline constexpr double kBeforeStrategies = 1;  ///< for the whole formula
inline constexpr double kConditionOfOneInput = 10;
inline constexpr double kReduction = 5;   ///< whether the reduced form implies the whole
inline constexpr double kPremises = 0.2;  ///< a search for an input that satisfies assumptions
inline constexpr double kVacuity = 10;
inline constexpr std::size_t kVacuitySearch = 30'000'000;  ///< operations

// Searches together with the solvers, and of each case of a property: operations of the batch
// evaluator.
inline constexpr std::size_t kEnumeratedAtOnce = 2'000'000'000;  ///< all inputs, before solvers
inline constexpr std::size_t kSearchBetweenChecks = 100'000'000;
inline constexpr std::size_t kLeastSearchOfCase = 30'000'000;

// Shares of a question's time, and seconds that are kept for what follows.
inline constexpr double kDerivationOfDifference = 0.75;  ///< the other strategies get the rest
inline constexpr double kAllInputsFirst = 1.0 / 3;       ///< before a question under a condition
inline constexpr double kSmallerShare = 1.0 / 6;         ///< for sub-cases of what is undecided
inline constexpr double kSmaller = 10;
inline constexpr double kStepOfInduction = 0.5;
inline constexpr double kShrinkShare = 0.5;  ///< to simplify a witness
inline constexpr double kKeptToShrinkShare = 0.1;
inline constexpr double kKeptToShrink = 1;
inline constexpr double kConstructShare = 0.5;  ///< maximize: constructed inputs
inline constexpr double kClimbShare = 0.5;      ///< maximize: local search
inline constexpr double kBoundShare = 0.5;      ///< maximize: one question to solvers
inline constexpr double kMaximumShrinkShare = 0.1;
inline constexpr double kMaximumShrink = 2;

}  // namespace mmaspec::budget
