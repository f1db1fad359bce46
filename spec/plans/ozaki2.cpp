#include "spec/plans/ozaki2.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/round.h"
#include "spec/formats/unpack.h"
#include "spec/plans/integer_rows.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

constexpr int kMostResultBits = 128;
constexpr unsigned kChunk = 16;  // number of bits that are reduced at a time

/// x modulo p, for x >= 0 by its range. The sum of x's chunks is congruent to x and short, so that
/// the quotient is one product with ceil(2^s / p): floor(x m / 2^s) is floor(x / p) for all x of at
/// most s - bit_length(p) bits (Granlund and Montgomery, PLDI 1994, theorem 4.2).
Int modulo(Int x, const Integer& p) {
  for (unsigned length = bit_length(x.range().high); length > 2 * kChunk;) {
    Int sum = 0;
    Integer weight = 1;
    for (unsigned low = 0; low < length; low += kChunk) {
      sum = sum + bits(x, low, std::min(kChunk, length - low)) * Int(weight);
      weight = weight * power_of_two(kChunk) % p;
    }
    x = sum;
    length = bit_length(x.range().high);
  }
  const unsigned shift = bit_length(x.range().high) + bit_length(p);
  const Integer inverse = (power_of_two(shift) + p - 1) / p;
  const Int quotient = floor_shift_right(x * Int(inverse), static_cast<int>(shift));
  // The remainder is less than p and lies in the lowest bits; adding a multiple of a power of two
  // makes the difference's range non-negative.
  const unsigned width = bit_length(p);
  const Int difference = x - Int(p) * quotient;
  const Integer least = difference.range().low;
  const Integer lift = least >= 0 ? Integer(0) : Integer(((-least >> width) + 1) << width);
  return bits(difference + Int(lift), 0, width);
}

/// For each number the residue nearest to zero, in the unit's format. Half of an even modulus has
/// two such residues in floating point, either of which is valid, and one in two's complement.
std::vector<Int> residues_of(const IntegerRow& row, int modulus, const Format& word) {
  std::vector<Int> residues;
  for (std::size_t k = 0; k < row.signs.size(); ++k) {
    const Int of_magnitude = modulo(row.magnitudes[k], modulus);
    const Bool upper = of_magnitude + of_magnitude > modulus;
    const Int nearest = abs(select(upper, of_magnitude - modulus, of_magnitude));
    residues.push_back(operand_of_integer(word, row.signs[k] ^ upper, nearest));
  }
  return residues;
}

/// x with x * a = 1 modulo p.
int inverse_of(const Integer& a, int p) {
  for (int x = 1; x < p; ++x) {
    if (a * x % p == 1) return x;
  }
  throw std::logic_error("the moduli are not coprime");
}

/// An integer reconstructed from residues.
struct Reconstructed {
  Int integer;
  Bool is_finite;
};

/// The integer nearest to zero with these residues. `sums`: for each modulus.
Reconstructed reconstruct(const std::vector<UnitSum>& sums) {
  const int count = static_cast<int>(sums.size());
  const Integer product = product_of_moduli(count);
  std::vector<Int> terms;
  std::vector<Bool> finite;
  for (std::size_t t = 0; t < sums.size(); ++t) {
    const int p = moduli_of_ozaki2()[t];
    const Integer others = product / p;
    const int inverse = inverse_of(others, p);
    // For a negative sum, the negative inverse. A number that is not an integer is cut to one.
    const UnitSum& unit = sums[t];
    const Int integer = floor_shift_right(shift_left(unit.magnitude, max(unit.exponent, 0)),
                                          max(-unit.exponent, 0));
    const Int share =
        modulo(modulo(integer, p) * select(unit.sign, Int(p - inverse), Int(inverse)), p);
    terms.push_back(share * Int(others));
    finite.push_back(sums[t].is_finite);
  }
  Int sum = total(terms);
  unsigned level = bit_length(Integer(count));
  for (Integer multiple = product << level; level > 0; --level) {
    multiple >>= 1;
    sum = select(sum >= Int(multiple), sum - Int(multiple), sum);
  }
  return {select(sum + sum >= Int(product), sum - Int(product), sum), all_of(finite)};
}

}  // namespace

const std::vector<int>& moduli_of_ozaki2() {
  static const std::vector<int> all{256, 255, 253, 251, 247, 241, 239, 233, 229, 227,
                                    223, 217, 211, 199, 197, 193, 191, 181, 179, 173};
  return all;
}

Integer product_of_moduli(int count) {
  Integer product = 1;
  for (int i = 0; i < count; ++i) product *= moduli_of_ozaki2().at(static_cast<std::size_t>(i));
  return product;
}

int bits_of_integers(const Ozaki2& scheme, int k) {
  if (scheme.bits > 0) return scheme.bits;
  const Integer product = product_of_moduli(scheme.moduli);
  int bits = 0;
  while (bits < kMostResultBits &&
         2 * most_of_products(k, power_of_two(static_cast<unsigned>(bits + 1)) - 1) < product) {
    ++bits;
  }
  return bits;
}

DotFormats formats_around(const Ozaki2& scheme, const Inner& inner, int k) {
  const DotFormats& f = inner.formats;
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (!(*f.a == *f.b) || f.scale != nullptr) {
    refuse("residues need an instruction of one operand format without scale factors, not " +
           inner.name);
  }
  if (!(*f.c == *f.d)) {
    refuse("the accumulator of " + inner.name + " has another format than its result");
  }
  if (k % f.k != 0) {
    refuse("k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(f.k));
  }
  if (!holds_integers_up_to(*f.a, f.a->is_integer() ? 127 : 128)) {
    refuse(std::string(f.a->name) + " does not represent residues from -128 to 127");
  }
  if (bits_of_integers(scheme, k) < 1) {
    refuse("moduli=" + std::to_string(scheme.moduli) + ", k=" + std::to_string(k) +
           ": the product of the moduli is too small for any sum; bits=N overrides this");
  }
  return {scheme.of, scheme.of, scheme.of, scheme.of, k};
}

void describe(Ozaki2& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [moduli, bits, of] = scheme;
  const auto most = static_cast<int>(moduli_of_ozaki2().size());
  visit.integer({.key = "moduli",
                 .meaning = "the number of moduli, taken from 256, 255, 253, 251, 247, ..., 173"},
                moduli, 1, most);
  visit.integer(
      {.key = "bits", .meaning = "bits of a row's integers; 0: the largest number that is safe"},
      bits, 0, kMostResultBits);
  visit.one_of<const Format*>({"of", "format of the operands and the result"}, of,
                              {&formats::f64, &formats::f32});
}

Int build_plan(const Ozaki2& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const Format& f = *scheme.of;
  const int kept = bits_of_integers(scheme, formats.k);
  const IntegerRow a = integer_row(f, operands.a, kept);
  const IntegerRow b = integer_row(f, operands.b, kept);
  DotFormats of_residues = inner.formats;
  of_residues.k = formats.k;
  std::vector<UnitSum> sums;
  for (int t = 0; t < scheme.moduli; ++t) {
    const int modulus = moduli_of_ozaki2()[static_cast<std::size_t>(t)];
    const DotOperands residues{residues_of(a, modulus, *inner.formats.a),
                               residues_of(b, modulus, *inner.formats.b),
                               0,
                               {},
                               {}};
    sums.push_back(sum_of_unit(*inner.formats.d, run_inner(inner, of_residues, residues)));
  }
  const Reconstructed x = reconstruct(sums);
  const Number scaled{x.integer < 0, abs(x.integer), a.exponent + b.exponent - 2 * kept};
  const Int all = plus(f, round_and_pack(scaled, ResultFormat{&f}), operands.c);
  return select(a.is_finite && b.is_finite && x.is_finite, all, Int(quiet_nan(f)));
}

int plan_step(const Ozaki2&, const Inner&) { return 0; }

}  // namespace mmaspec
