#include "queries/theorems/equal.h"

#include "queries/theorems/exact_slices.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// The group-pairwise-sum that a design is equal to, except for signs of zeros: itself, or the
/// design that it chains. A link that flushes its c gets the result of another link, which is not
/// subnormal if results are flushed too. Flushing then changes at most -0 to +0, and the sign of a
/// zero summand affects only the sign of a zero sum. Formats whose -0 is a NaN are excluded.
std::optional<GroupPairwiseSum> as_one_pairwise_sum(const Instruction& instruction) {
  const DotFormats& formats = instruction.formats;
  if (const auto* sum = known<GroupPairwiseSum>(instruction.algorithm, formats)) return *sum;
  const auto* chain = known<Chained>(instruction.algorithm, formats);
  if (chain == nullptr) return std::nullopt;
  const auto& [step, step_formats] = *chain;
  const auto* sum = known<GroupPairwiseSum>(*step, step_formats);
  if (sum == nullptr) return std::nullopt;
  const auto& [group, flush_inputs, rounded, minus_zero_products] = *sum;
  if (group < 1 || formats.d->specials != Specials::ieee || !formats.d->has_sign) {
    return std::nullopt;
  }
  return !flush_inputs || rounded.underflow == Underflow::flush ? std::optional(*sum)
                                                                : std::nullopt;
}

}  // namespace

std::optional<Argument> equal_because(const Instruction& first, const Instruction& second) {
  if (!(first.formats == second.formats) || first.formats.scale != nullptr) {
    return std::nullopt;
  }
  if (auto as_sums = equal_as_exact_sums(first, second)) return as_sums;
  const auto sum = as_one_pairwise_sum(first);
  if (sum && sum == as_one_pairwise_sum(second)) {
    return Argument{TrustedTheorem::flushed_links,
                    "what a link of the chain is handed was flushed as it was rounded"};
  }
  const auto one = only_rounding(first);
  return argument_if(one && one == only_rounding(second), TrustedTheorem::one_rounding,
                     "both round the exact result once, and alike");
}

}  // namespace mmaspec
