#include "queries/theorems/exact_slices.h"

#include <optional>

#include "queries/theorems/known_design.h"
#include "spec/plans/integer_rows.h"
#include "spec/plans/ozaki.h"
#include "spec/plans/ozaki2.h"

namespace mmaspec {
namespace {

/// Whether sums of integers are exact if no partial sum exceeds `most` in magnitude.
bool keeps_integers(const Algorithm& algorithm, const DotFormats& f, const Integer& most) {
  if (const auto* chain = known<Chained>(algorithm, f)) {
    return keeps_integers(*chain->step, chain->step_formats, most);
  }
  if (const auto* integers = known<IntegerDotAdd>(algorithm, f)) {
    // For all group sizes, and whatever happens to larger sums.
    [[maybe_unused]] const auto& [overflow, group] = *integers;
    return f.d->twos_complement && *f.c == *f.d && most <= f.d->largest_integer();
  }
  const int top = static_cast<int>(bit_length(most)) - 1;  // the largest exponent
  if (f.a->least_exponent() > 0 || f.b->least_exponent() > 0 || top > f.d->largest_exponent()) {
    return false;
  }
  const auto holds = [&](const ResultFormat& result) {
    return most <= power_of_two(static_cast<unsigned>(result.fraction_bits() + 1));
  };
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) {
    // Nothing is cut, rounded, subnormal or flushed, for every rounding mode.
    const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
                 normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
        *fused;
    return zero_terms == ZeroTerms::left_out && c_joins == AccumulatorJoins::early &&
           top <= places && (!floor || *floor <= places) && holds(result) &&
           (!product_overflow || top < *product_overflow);
  }
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) {
    const auto& [block, result] = *exact;
    return holds(result);
  }
  return false;
}

/// Whether sums are computed modulo 2^n, where n is the number of accumulator bits, and so
/// modulo p.
bool wraps_modulo(const Algorithm& algorithm, const DotFormats& f, int p) {
  if (const auto* chain = known<Chained>(algorithm, f)) {
    return wraps_modulo(*chain->step, chain->step_formats, p);
  }
  const auto* integers = known<IntegerDotAdd>(algorithm, f);
  if (integers == nullptr) return false;
  const auto& [overflow, group] = *integers;
  return overflow == IntegerOverflow::wrap && *f.c == *f.d &&
         power_of_two(static_cast<unsigned>(f.d->storage_bits)) % p == 0;
}

Integer largest_of(int bits) { return power_of_two(static_cast<unsigned>(bits)) - 1; }

struct Slices {
  int slices;
  int bits;
  int reach;
  const Format* of;

  friend bool operator==(const Slices&, const Slices&) = default;
};

/// For an ozaki1 plan whose sums are all exact.
std::optional<Slices> exact_slices(const Instruction& instruction) {
  const auto* scheme = scheme_of<Ozaki1>(instruction.algorithm);
  if (scheme == nullptr) return std::nullopt;
  const Inner& inner = scheme->inner();
  const int k = instruction.formats.k;
  const auto& [slices, asked, reach, of] = scheme->scheme();
  const int bits = bits_of_slices(scheme->scheme(), inner, k);
  if (!keeps_integers(inner.algorithm, inner.formats, most_of_products(k, largest_of(bits)))) {
    return std::nullopt;
  }
  return Slices{slices, bits, reach, of};
}

struct Integers {
  int bits;
  const Format* of;

  friend bool operator==(const Integers&, const Integers&) = default;
};

/// For an ozaki2 plan that reconstructs every sum.
std::optional<Integers> exact_integers(const Instruction& instruction) {
  const auto* scheme = scheme_of<Ozaki2>(instruction.algorithm);
  if (scheme == nullptr) return std::nullopt;
  const Inner& inner = scheme->inner();
  const int k = instruction.formats.k;
  const auto& [moduli, asked, of] = scheme->scheme();
  const int bits = bits_of_integers(scheme->scheme(), k);
  if (2 * most_of_products(k, largest_of(bits)) >= product_of_moduli(moduli)) return std::nullopt;
  for (int t = 0; t < moduli; ++t) {
    const int p = moduli_of_ozaki2()[static_cast<std::size_t>(t)];
    if (wraps_modulo(inner.algorithm, inner.formats, p)) continue;
    if (!keeps_integers(inner.algorithm, inner.formats, most_of_products(k, p / 2))) {
      return std::nullopt;
    }
  }
  return Integers{bits, of};
}

}  // namespace

std::optional<Argument> equal_as_exact_sums(const Instruction& first, const Instruction& second) {
  if (!(first.formats == second.formats)) return std::nullopt;
  const auto slices = exact_slices(first);
  if (slices && slices == exact_slices(second)) {
    return Argument{TrustedTheorem::exact_slices, "no sum of slices is rounded"};
  }
  const auto integers = exact_integers(first);
  return argument_if(integers && integers == exact_integers(second), TrustedTheorem::exact_slices,
                     "no sum of residues is rounded, and all are reconstructed");
}

}  // namespace mmaspec
