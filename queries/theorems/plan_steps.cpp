// Classifies plans by their operations outside the unit.
#include "queries/theorems/plan_steps.h"

#include <type_traits>

#include "spec/plans/kernel_schemes.h"
#include "spec/plans/multiword.h"

namespace mmaspec {
namespace {

/// True for a finite f32 number that is +0 or positive.
bool is_not_negative(const Integer& pattern) { return pattern < formats::f32.first_non_finite(); }

bool has_c_outside(const SplitK& scheme) {
  // In any known order. Conversions of partial sums are monotone.
  const auto& [parts, reduce, accumulator, order, part, lengths, partial, fan] = scheme;
  return accumulator == WholeAccumulator::last && reduce != Reduce::atomic_any;
}

bool has_c_outside(const Promote& scheme) {
  [[maybe_unused]] const auto& [every, scales, fma] =
      scheme;  // the scaled sum does not depend on c
  return true;
}

bool has_c_outside(const Epilogue& scheme) {
  // Conversions and saturation are monotone, and the sum does not depend on c.
  [[maybe_unused]] const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
  return is_not_negative(beta);
}

bool has_c_outside(const Words& scheme) {
  [[maybe_unused]] const auto& [words, reach, scale, sums, lowest_first, outside, subnormals,
                                theta] = scheme;
  return outside || theta != 0;
}

bool rises(const SplitK& scheme) {
  [[maybe_unused]] const auto& [parts, reduce, accumulator, order, part, lengths, partial, fan] =
      scheme;
  return reduce != Reduce::atomic_any;
}

bool rises(const Promote& scheme) {
  [[maybe_unused]] const auto& [every, scales, fma] = scheme;
  return !scales;  // scale factors may be negative
}

bool rises(const Epilogue& scheme) {
  [[maybe_unused]] const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
  return is_not_negative(alpha);
}

template <typename S>
const Scheme<S>* as(const Composition& plan) {
  return dynamic_cast<const Scheme<S>*>(&plan);
}

template <typename... S>
bool any_has_c_outside(const Composition& plan) {
  return (... || (as<S>(plan) != nullptr && has_c_outside(as<S>(plan)->scheme())));
}

template <typename... S>
const Inner* inner_of_rising(const Composition& plan) {
  const Inner* found = nullptr;
  (void)(... || (as<S>(plan) != nullptr && rises(as<S>(plan)->scheme()) &&
                 (found = &as<S>(plan)->inner()) != nullptr));
  return found;
}

}  // namespace

bool adds_c_outside(const Composition& plan) {
  return any_has_c_outside<SplitK, Promote, Epilogue, Multiword, Markidis, Ootomo, Tf32x3, Bf16x3,
                           Bf16x6, Bf16x9>(plan);
}

const Inner* rises_with_inner(const Composition& plan) {
  return inner_of_rising<SplitK, Promote, Epilogue>(plan);
}

}  // namespace mmaspec
