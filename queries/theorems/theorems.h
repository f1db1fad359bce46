#pragma once
/// The theorems that analytical proofs rest on. They are trusted: no kernel and no solver checks
/// them. Each has a number, the literature, and the place of its conditions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

/// In the order of their numbers: T1, T2, ...
enum class TrustedTheorem {
  monotone_steps,
  accumulator_outweighs,
  group_outweighs,
  saturating_sum,
  doubling,
  sign_symmetry,
  one_rounding,
  zero_products,
  subnormals_kept,
  exact_near_overflow,
  no_overflow,
  no_overflow_in_range,
  pair_commutes,
  integers_exact,
  error_of_steps,
  componentwise_error,
  norm_error_of_words,
  sum_of_errors,
  common_values,
  flushed_links,
  exact_slices,
  added_sums,
};

/// A theorem, as docs/explanation/theorems.md lists it.
struct TheoremRecord {
  TrustedTheorem theorem;
  std::string_view statement;
  std::string_view literature;  ///< empty: none but this project's documentation
  std::string_view conditions;  ///< the file that decides for which designs it is used
  std::string_view attack;      ///< the file whose tests try to refute its conclusions
};

/// All of them, in the order of their numbers.
const std::vector<TheoremRecord>& theorems();

/// `T1`, `T2`, ...
std::string number_of(TrustedTheorem theorem);

/// An analytical proof: the theorem, and in a clause why it applies.
struct Argument {
  TrustedTheorem theorem;
  std::string because;
};

/// The argument if the condition holds.
std::optional<Argument> argument_if(bool condition, TrustedTheorem theorem,
                                    std::string_view because);

}  // namespace mmaspec
