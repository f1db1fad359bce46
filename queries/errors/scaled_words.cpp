#include "queries/errors/scaled_words.h"

#include <algorithm>
#include <map>

#include "queries/errors/sum_error.h"
#include "spec/plans/multiword.h"

namespace mmaspec {
namespace {

/// The bound relative * |x| + absolute, for an operand x after scaling.
struct Size {
  Rational relative;
  Rational absolute;
};

Size operator+(const Size& x, const Size& y) {
  return {x.relative + y.relative, x.absolute + y.absolute};
}
Size operator*(const Rational& factor, const Size& x) {
  return {factor * x.relative, factor * x.absolute};
}

Rational half_ulp_of_1(const Format& f) { return rational_power_of_two(-f.fraction_bits - 1); }
Rational largest_of(const Format& f) {
  return decode(f, f.largest_finite() << static_cast<unsigned>(f.ignored_low_bits)).value();
}

/// Bounds of the words and the remainder of an operand x with |x| <= theta. Each word is `scale`
/// bits higher than the last, as they are split.
struct Split {
  std::vector<Size> words;
  Size rest;  ///< of x itself
};

/// Word i is the number nearest to the remainder y: |word - y| <= u |y|, u = h / (1 + h) with h
/// half an ulp of 1, if y is a normal number of the word's format; otherwise the distance is at
/// most g, half of the least number of that format. nullopt: a word may overflow.
std::optional<Split> split_of(const Words& scheme, const Format& word, const Rational& theta) {
  const Rational h = half_ulp_of_1(word);
  const Rational u = h / (1 + h);
  const int least = word.least_exponent() - (scheme.subnormals ? word.fraction_bits : 0);
  const Rational g = rational_power_of_two(least - 1);
  const Rational up = rational_power_of_two(scheme.scale);
  Split all;
  Size y{1, 0};
  Rational largest = theta;
  for (int i = 0; i < scheme.words; ++i) {
    if (largest > largest_of(word)) return std::nullopt;
    const Size lost = u * y + Size{0, g};
    all.words.push_back(y + lost);
    all.rest = rational_power_of_two(-scheme.scale * i) * lost;
    y = up * lost;
    largest = up * std::max(Rational(u * largest), g);
  }
  return all;
}

/// Bounds in units of N = sum |x[k]| max |y[k]|, where x and y are the scaled a and b. The largest
/// of each is more than theta / 2, or all are zero; then all words and the result are zero, too.
class InNorms {
 public:
  InNorms(const Rational& theta, int k) : of_one_(2 / theta), k_(k) {}

  /// An upper bound of the sum over k of (size x of x[k]) times (size y of y[k]).
  Rational of_products(const Size& x, const Size& y) const {
    return x.relative * y.relative + x.relative * y.absolute * of_one_ +
           x.absolute * k_ * of_one_ * y.relative + x.absolute * y.absolute * k_ * of_constant();
  }
  /// N is more than the square of theta / 2.
  Rational of_constant() const { return of_one_ * of_one_; }

 private:
  Rational of_one_;
  int k_;
};

/// An error bound of a sum, and a bound of its magnitude.
struct Sum {
  Rational error;
  Rational size;
};

/// The unit's sums of words' products, and their total, in units of N.
std::optional<Sum> sum_of(const Words& scheme, const Inner& inner, const Split& split,
                          const InNorms& norms, int k) {
  const DotFormats& f = inner.formats;
  // Without subnormal words no factor is subnormal.
  const ErrorOf of = scheme.subnormals ? ErrorOf::all : ErrorOf::normal_factors;
  const auto unit =
      sum_error_for_all_k({"", inner.name, "", inner.formats, inner.algorithm, {}}, of);
  if (!unit || !unit->is_unconditional()) return std::nullopt;
  const Rational least = rational_power_of_two(f.d->least_exponent());
  const Rational half_least = rational_power_of_two(f.d->least_exponent() - f.d->fraction_bits - 1);
  const auto by_unit = [&](const Rational& products, long count) {
    const Rational error = unit->at(count * k);
    const long sums = std::max(unit->sums_at(count * k), 1L);
    const Rational erred = error * (products + sums * least * norms.of_constant());
    return Sum{erred, products + erred};
  };

  // By weight: the products of words.
  std::map<int, std::vector<Rational>, std::greater<>> products;
  for (int i = 0; i < scheme.words; ++i) {
    for (int j = 0; j < scheme.words; ++j) {
      if (i + j > scheme.reach) continue;
      products[i + j].push_back(norms.of_products(split.words[static_cast<std::size_t>(i)],
                                                  split.words[static_cast<std::size_t>(j)]));
    }
  }
  std::vector<std::pair<int, Sum>> sums;  // from the lowest weight on
  Rational in_one = 0;
  long count_in_one = 0;
  for (const auto& [weight, of_weight] : products) {
    Rational total = 0;
    for (const Rational& p : of_weight) total += p;
    const auto count = static_cast<long>(of_weight.size());
    if (scheme.sums == WordSums::one) {
      in_one += total;
      count_in_one += count;
    } else if (scheme.sums == WordSums::weight) {
      sums.emplace_back(weight, by_unit(total, count));
    } else {
      for (const Rational& p : of_weight) sums.emplace_back(weight, by_unit(p, 1));
    }
  }
  if (scheme.sums == WordSums::one) return by_unit(in_one, count_in_one);

  // Additions outside the unit are exact if their results are subnormal; scaling down is exact if
  // its results are not.
  auto [weight, all] = sums.front();
  for (std::size_t s = 1; s < sums.size(); ++s) {
    const auto& [next_weight, next] = sums[s];
    const int down = scheme.scale * (weight - next_weight);
    const Rational tiny = down > 0 ? Rational(half_least * norms.of_constant()) : Rational(0);
    const Rational by = rational_power_of_two(-down);
    const Rational size = next.size + all.size * by + tiny;
    const Rational rounded = half_ulp_of_1(*f.d) * size;
    all = {next.error + all.error * by + tiny + rounded, size + rounded};
    weight = next_weight;
  }
  return all;
}

std::optional<Rational> error_of(const Words& scheme, const Inner& inner, int k) {
  const auto& [words, reach, scale, sums, lowest_first, outside, subnormals, pattern] = scheme;
  if (pattern == 0 || outside || inner.algorithm.as<Composed>() != nullptr) return std::nullopt;
  const Format& f32 = formats::f32;
  const Rational theta = decode(f32, pattern).value();
  // Each operand is scaled by a power of two from 2^-(2 E + 1) to 2^(2 E + 1), and stays normal.
  if (std::abs(floor_log2(theta)) >= kModerateExponent) return std::nullopt;
  const auto split = split_of(scheme, *inner.formats.a, theta);
  if (!split) return std::nullopt;
  const InNorms norms(theta, k);
  const auto sum = sum_of(scheme, inner, *split, norms, k);
  if (!sum) return std::nullopt;

  // x y is the sum of the products of all words, of x's remainder times y, and of x's words times
  // y's remainder.
  const Size whole{1, 0};
  Rational error = sum->error + norms.of_products(split->rest, whole) +
                   norms.of_products(whole + split->rest, split->rest);
  for (int i = 0; i < words; ++i) {
    for (int j = 0; j < words; ++j) {
      if (i + j <= reach) continue;
      error += rational_power_of_two(-scale * (i + j)) *
               norms.of_products(split->words[static_cast<std::size_t>(i)],
                                 split->words[static_cast<std::size_t>(j)]);
    }
  }
  // When a small sum is scaled back by two powers of two, it may be subnormal in f32 after each:
  // the error is at most half of the least number times the other power, and |a| and |b| are at
  // least 2^-E.
  const int lost = f32.least_exponent() - f32.fraction_bits - 1;
  error += 2 * rational_power_of_two(lost + 4 * kModerateExponent + 1);
  // The sum with c is rounded once.
  const Rational h = half_ulp_of_1(f32);
  return error + h * (1 + error);
}

}  // namespace

std::optional<Rational> norm_error_of_scaled_words(const Instruction& instruction) {
  const auto* plan = instruction.algorithm.as<Composed>();
  if (plan == nullptr) return std::nullopt;
  const auto* scheme = dynamic_cast<const Scheme<Multiword>*>(plan->composition.get());
  if (scheme == nullptr) return std::nullopt;
  return error_of(scheme->scheme(), scheme->inner(), instruction.formats.k);
}

}  // namespace mmaspec
