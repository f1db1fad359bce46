#include "spec/plans/ozaki.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/round.h"
#include "spec/formats/unpack.h"
#include "spec/plans/integer_rows.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

constexpr int kMostBits = 24;

/// For each slice, highest first, the slices of all numbers in the unit's format.
std::vector<std::vector<Int>> slices_of(const Ozaki1& scheme, int each, const Format& word,
                                        const IntegerRow& row) {
  std::vector<std::vector<Int>> slices;
  for (int i = 0; i < scheme.slices; ++i) {
    const auto low = static_cast<unsigned>((scheme.slices - 1 - i) * each);
    std::vector<Int>& slice = slices.emplace_back();
    for (std::size_t k = 0; k < row.signs.size(); ++k) {
      const Int integer = bits(row.magnitudes[k], low, static_cast<unsigned>(each));
      slice.push_back(operand_of_integer(word, row.signs[k], integer));
    }
  }
  return slices;
}

/// The largest integer of this many bits.
Integer largest_of(int bits) { return power_of_two(static_cast<unsigned>(bits)) - 1; }

}  // namespace

int bits_of_slices(const Ozaki1& scheme, const Inner& inner, int k) {
  if (scheme.bits > 0) return scheme.bits;
  const Format& word = *inner.formats.a;
  const Integer most = most_of_sums(*inner.formats.d);
  int bits = 0;
  while (holds_integers_up_to(word, largest_of(bits + 1)) &&
         most_of_products(k, largest_of(bits + 1)) <= most) {
    ++bits;
  }
  return bits;
}

DotFormats formats_around(const Ozaki1& scheme, const Inner& inner, int k) {
  const DotFormats& f = inner.formats;
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (!(*f.a == *f.b) || f.scale != nullptr || !f.a->has_sign || !f.a->has_zero) {
    refuse("slices need an instruction of one signed operand format without scale factors, not " +
           inner.name);
  }
  if (!(*f.c == *f.d))
    refuse("the accumulator of " + inner.name + " has another format than its result");
  if (k % f.k != 0) {
    refuse("k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(f.k));
  }
  const int bits = bits_of_slices(scheme, inner, k);
  if (bits < 1) {
    refuse("k=" + std::to_string(k) + ": no sum of this many products of slices fits " +
           std::string(f.d->name) + "; bits=N allows sums that do not fit");
  }
  if (!holds_integers_up_to(*f.a, largest_of(bits))) {
    refuse("bits=" + std::to_string(bits) + ": " + std::string(f.a->name) +
           " does not represent it");
  }
  if (scheme.of->precision() <= f.a->precision()) {
    refuse("of=" + std::string(scheme.of->name) + ": there is nothing to slice");
  }
  return {scheme.of, scheme.of, scheme.of, scheme.of, k};
}

void describe(Ozaki1& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [slices, bits, reach, of] = scheme;
  visit.integer({.key = "slices", .meaning = "number of slices of a number"}, slices, 1, 32);
  visit.integer(
      {.key = "bits",
       .meaning = "bits of a slice; 0: the largest number for which the unit represents all sums"},
      bits, 0, kMostBits);
  if (reach < 0) reach = slices - 1;
  visit.integer(
      {.key = "reach", .meaning = "the largest i + j for which slices i and j are multiplied"},
      reach, 0, 62);
  visit.one_of<const Format*>({"of", "format of the operands and the result"}, of,
                              {&formats::f64, &formats::f32});
}

Int build_plan(const Ozaki1& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const Format& f = *scheme.of;
  const int each = bits_of_slices(scheme, inner, formats.k);
  const IntegerRow a = integer_row(f, operands.a, scheme.slices * each);
  const IntegerRow b = integer_row(f, operands.b, scheme.slices * each);
  const auto of_a = slices_of(scheme, each, *inner.formats.a, a);
  const auto of_b = slices_of(scheme, each, *inner.formats.b, b);
  DotFormats of_slices = inner.formats;
  of_slices.k = formats.k;
  const int top = std::min(scheme.reach, 2 * (scheme.slices - 1));
  Int sum = 0;
  for (int weight = top; weight >= 0; --weight) {
    for (int i = 0; i < scheme.slices; ++i) {
      const int j = weight - i;
      if (j < 0 || j >= scheme.slices) continue;
      const Int part = run_inner(
          inner, of_slices,
          {of_a[static_cast<std::size_t>(i)], of_b[static_cast<std::size_t>(j)], 0, {}, {}});
      // The sum times 2^(exponents - (i + j + 2) bits), rounded once.
      const UnitSum n = sum_of_unit(*inner.formats.d, part);
      const Int exponent = n.exponent + a.exponent + b.exponent - (weight + 2) * each;
      const Int scaled = round_and_pack({n.sign, n.magnitude, exponent}, ResultFormat{&f});
      sum = plus(f, sum, select(n.is_finite, scaled, Int(quiet_nan(f))));
    }
  }
  const Int all = plus(f, sum, operands.c);
  return select(a.is_finite && b.is_finite, all, Int(quiet_nan(f)));
}

int plan_step(const Ozaki1&, const Inner&) { return 0; }

}  // namespace mmaspec
