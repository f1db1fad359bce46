#include "spec/plans/ozaki.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

constexpr int kMostBits = 24;

unsigned u(int n) { return static_cast<unsigned>(n); }

int ceil_log2_of(int k) {
  int n = 0;
  for (; (1 << n) < k; ++n) {
  }
  return n;
}

/// A row as integers of one exponent.
struct Row {
  std::vector<std::vector<Int>> slices;  ///< the highest first, in the unit's format
  Int exponent;                          ///< numbers are less than 2^exponent
  Bool is_finite;
};

Row row_of(const Ozaki1& scheme, int bits_each, const Format& word, const std::vector<Int>& all) {
  const Format& f = *scheme.of;
  const int precision = f.precision();
  const int kept = scheme.slices * bits_each;
  std::vector<Int> exponents;
  std::vector<Bool> finite;
  for (Int x : all) {
    const Unpacked n = unpack(f, x);
    exponents.push_back(select(n.is_zero(), Int(f.least_exponent()), n.exponent));
    finite.push_back(n.is_finite());
  }
  const Int largest = max(exponents);
  Row row{std::vector<std::vector<Int>>(static_cast<std::size_t>(scheme.slices)), largest + 1,
          all_of(finite)};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Unpacked n = unpack(f, all[k]);
    const int up = std::max(kept - precision, 0);
    const int down = std::max(precision - kept, 0);
    const Int wide = shift_left(n.significand, up);
    const Int below = min(largest - exponents[k] + down, precision + up);
    const Int integer = floor_shift_right(wide, max(below, 0));
    for (int i = 0; i < scheme.slices; ++i) {
      const int low = (scheme.slices - 1 - i) * bits_each;
      const Int slice = bits(integer, u(low), u(bits_each));
      const Number number{n.sign, slice, 0, false, false, false};
      row.slices[static_cast<std::size_t>(i)].push_back(
          round_and_pack(number, ResultFormat{&word}));
    }
  }
  return row;
}

}  // namespace

int bits_of_slices(const Ozaki1& scheme, const Inner& inner, int k) {
  if (scheme.bits > 0) return scheme.bits;
  const int sum = inner.formats.d->precision();
  return std::min(inner.formats.a->precision(), (sum - ceil_log2_of(k)) / 2);
}

DotFormats formats_around(const Ozaki1& scheme, const Inner& inner, int k) {
  const DotFormats& f = inner.formats;
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (!(*f.a == *f.b) || f.scale != nullptr || !f.a->has_sign || !f.a->has_zero) {
    refuse("slices need an instruction of one signed operand format without scale factors, not " +
           inner.name);
  }
  if (!(*f.c == *f.d))
    refuse("the accumulator of " + inner.name + " is not of its result's format");
  if (k % f.k != 0) {
    refuse("k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(f.k));
  }
  const int bits = bits_of_slices(scheme, inner, k);
  if (bits < 1) {
    refuse("k=" + std::to_string(k) + ": no sum of so many products of slices fits " +
           std::string(f.d->name) + "; bits=N has some that do not fit");
  }
  if (bits > f.a->precision() || bits - 1 > f.a->largest_exponent()) {
    refuse("bits=" + std::to_string(bits) + ": " + std::string(f.a->name) + " does not hold it");
  }
  if (scheme.of->precision() <= f.a->precision()) {
    refuse("of=" + std::string(scheme.of->name) + ": there is nothing to slice");
  }
  return {scheme.of, scheme.of, scheme.of, scheme.of, k};
}

void describe(Ozaki1& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [slices, bits, reach, of] = scheme;
  visit.integer({.key = "slices", .meaning = "slices of a number"}, slices, 1, 32);
  visit.integer({.key = "bits", .meaning = "of a slice; 0: the most whose sums the unit holds"},
                bits, 0, kMostBits);
  if (reach < 0) reach = slices - 1;
  visit.integer({.key = "reach", .meaning = "the largest i + j of products of slices i and j"},
                reach, 0, 62);
  visit.one_of<const Format*>({"of", "format of the operands and the result"}, of,
                              {&formats::f64, &formats::f32});
}

Int build_plan(const Ozaki1& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const Format& f = *scheme.of;
  const int each = bits_of_slices(scheme, inner, formats.k);
  const Row a = row_of(scheme, each, *inner.formats.a, operands.a);
  const Row b = row_of(scheme, each, *inner.formats.b, operands.b);
  DotFormats of_slices = inner.formats;
  of_slices.k = formats.k;
  const int top = std::min(scheme.reach, 2 * (scheme.slices - 1));
  Int sum = 0;
  for (int weight = top; weight >= 0; --weight) {
    for (int i = 0; i < scheme.slices; ++i) {
      const int j = weight - i;
      if (j < 0 || j >= scheme.slices) continue;
      const Int part = run_inner(inner, of_slices,
                                 {a.slices[static_cast<std::size_t>(i)],
                                  b.slices[static_cast<std::size_t>(j)],
                                  0,
                                  {},
                                  {}});
      const Format& d = *inner.formats.d;
      const Unpacked n = unpack(d, part);
      // The integer times 2^(exponents - (i + j + 2) bits), rounded once.
      const Int exponent =
          n.exponent - d.fraction_bits + a.exponent + b.exponent - (weight + 2) * each;
      const Int scaled = round_and_pack({n.sign, n.significand, exponent}, ResultFormat{&f});
      sum = plus(f, sum, select(n.is_finite(), scaled, Int(quiet_nan(f))));
    }
  }
  const Int all = plus(f, sum, operands.c);
  return select(a.is_finite && b.is_finite, all, Int(quiet_nan(f)));
}

int plan_step(const Ozaki1&, const Inner&) { return 0; }

}  // namespace mmaspec
