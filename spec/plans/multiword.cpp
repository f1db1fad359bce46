#include "spec/plans/multiword.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

constexpr int kScaling = 126;

/// 2^exponent in f32, which may be subnormal there.
Integer pattern_of_power(int exponent) {
  const Format& f32 = formats::f32;
  const int below = f32.least_exponent() - exponent;
  return below <= 0 ? Integer(exponent + f32.bias) << static_cast<unsigned>(f32.fraction_bits)
                    : power_of_two(static_cast<unsigned>(f32.fraction_bits - below));
}

std::vector<WordPair> pairs_of(const Words& scheme) {
  std::vector<WordPair> pairs;
  for (int i = 0; i < scheme.words; ++i) {
    for (int j = 0; j < scheme.words; ++j) {
      if (i + j <= scheme.reach) pairs.push_back({i, j});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const WordPair& x, const WordPair& y) {
    return scheme.lowest_first ? x.weight() > y.weight() : x.weight() < y.weight();
  });
  return pairs;
}

/// A number of f32 in a word: the nearest, ties to even.
Int to_word(const Words& scheme, const Format& word, Int number) {
  const Format& f32 = formats::f32;
  const Int nearest = convert(f32, number, word).pattern;
  if (scheme.subnormals) return nearest;
  const Int magnitude = bits(number, 0, 31);
  const int least = word.least_exponent();
  const Bool zero = magnitude <= pattern_of_power(least - 1);
  const Bool small = magnitude < pattern_of_power(least);
  const Int normal = with_sign(word, bit(number, 31), power(word, least));
  return select(small, select(zero, with_sign(word, bit(number, 31), 0), normal), nearest);
}

/// For each word that of all operands.
std::vector<std::vector<Int>> split(const Words& scheme, const Format& word,
                                    const std::vector<Int>& operands) {
  std::vector<std::vector<Int>> words(static_cast<std::size_t>(scheme.words));
  for (const Int& operand : operands) {
    const std::vector<Int> of_operand = words_of(scheme, word, operand);
    for (std::size_t i = 0; i < words.size(); ++i) words[i].push_back(of_operand[i]);
  }
  return words;
}

}  // namespace

std::vector<Int> words_of(const Words& scheme, const Format& word, Int operand) {
  const Format& f32 = formats::f32;
  std::vector<Int> words;
  Int rest = operand;
  for (int i = 0; i < scheme.words; ++i) {
    const Int w = to_word(scheme, word, rest);
    words.push_back(w);
    if (i + 1 == scheme.words) break;
    rest = plus(f32, rest, minus(f32, convert(word, w, f32).pattern));
    if (scheme.scale > 0) rest = times(f32, rest, power(f32, scheme.scale));
  }
  return words;
}

std::vector<WordSum> sums_of_words(const Words& scheme) {
  const std::vector<WordPair> pairs = pairs_of(scheme);
  if (scheme.sums == WordSums::one) return {{pairs, true, false}};
  std::vector<WordSum> sums;
  for (const WordPair& p : pairs) {
    const bool with_last = scheme.sums == WordSums::weight && !sums.empty() &&
                           sums.back().pairs.back().weight() == p.weight();
    const bool highest = p.weight() == 0;
    if (!with_last) sums.push_back({{}, highest, highest && scheme.outside});
    sums.back().pairs.push_back(p);
  }
  std::stable_sort(sums.begin(), sums.end(), [](const WordSum& x, const WordSum& y) {
    return x.pairs[0].weight() > y.pairs[0].weight();
  });
  return sums;
}

Int with_lower_sums(const Words& scheme, const Format& d, const WordSum& sum, Int value,
                    const WordSum& lower, Int of_lower) {
  const int up = scheme.scale * (lower.pairs[0].weight() - sum.pairs[0].weight());
  return plus(d, value, up > 0 ? times(d, of_lower, power(d, -up)) : of_lower);
}

std::string to_string(WordSums sums) {
  switch (sums) {
    case WordSums::one:
      return "one";
    case WordSums::weight:
      return "weight";
    case WordSums::product:
      return "product";
  }
  throw std::logic_error("no such sums");
}

DotFormats formats_around(const Words& scheme, const Inner& inner, int k) {
  const auto& f = inner.formats;
  const auto refuse = [&](const std::string& what) { throw std::invalid_argument(what); };
  if (!(*f.a == *f.b) || f.scale != nullptr) {
    refuse("words need an instruction of one operand format without scale factors, not " +
           inner.name);
  }
  if (!(*f.c == *f.d) || f.d->storage_bits > 32) {
    refuse("words are added in f32 or a narrower format, and c has the format of d; " + inner.name +
           " has " + std::string(f.c->name) + " and " + std::string(f.d->name));
  }
  if (f.d->least_exponent() > -scheme.scale * scheme.reach) {
    refuse("scale=" + std::to_string(scheme.scale) + " is too large for " + std::string(f.d->name));
  }
  if (scheme.theta >= power_of_two(31) || scheme.theta >= formats::f32.first_non_finite()) {
    refuse("theta must be a positive number");
  }
  if (f.a->fraction_bits >= formats::f32.fraction_bits || !f.a->has_zero) {
    refuse(std::string(f.a->name) + " cannot be a word of f32");
  }
  if (k % f.k != 0) {
    refuse("k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(f.k));
  }
  if (scheme.scale > 0 && scheme.sums == WordSums::one) {
    refuse("scale=" + std::to_string(scheme.scale) + " needs sums=weight or sums=product");
  }
  if (scheme.outside && scheme.sums == WordSums::one) {
    refuse("outside=yes needs sums=weight or sums=product");
  }
  if (scheme.theta != 0) {
    return {&formats::f32, &formats::f32, &formats::f32, &formats::f32, k};
  }
  return {&formats::f32, &formats::f32, f.c, f.d, k};
}

void describe(Words& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [words, reach, scale, sums, lowest_first, outside, subnormals, theta] = scheme;
  visit.integer({.key = "words", .meaning = "number of words of an operand"}, words, 1, 4);
  if (reach < 0) reach = words - 1;
  visit.integer(
      {.key = "reach", .meaning = "the largest i + j for which words i and j are multiplied"},
      reach, 0, 6);
  visit.integer(
      {.key = "scale", .meaning = "bits by which the remainder is scaled before it becomes a word"},
      scale, 0, 24);
  visit.one_of<WordSums>(
      {"sums",
       "one accumulator for all products, for each weight i + j, or for each product of words"},
      sums, {WordSums::one, WordSums::weight, WordSums::product});
  visit.yes_no({"lowest_first", "products of the lowest words are added first"}, lowest_first);
  visit.yes_no({"outside", "products of the highest words are added outside the unit"}, outside);
  visit.yes_no({"subnormals", "words may be subnormal"}, subnormals);
  visit.number(
      {"theta", "a and b are scaled by a power of two up to this value; 0: they are not scaled"},
      theta, formats::f32);
}

namespace {

/// One accumulator: step by step the products of words one after the other.
Int in_one_accumulator(const std::vector<WordPair>& pairs, const Inner& inner,
                       const std::vector<std::vector<Int>>& a,
                       const std::vector<std::vector<Int>>& b, int k, Int c) {
  const int step = inner.formats.k;
  for (int first = 0; first < k; first += step) {
    for (const WordPair& p : pairs) {
      const auto part = [&](const std::vector<std::vector<Int>>& words, int which) {
        const auto& word = words[static_cast<std::size_t>(which)];
        return std::vector<Int>(word.begin() + first, word.begin() + first + step);
      };
      c = inner.algorithm.build(inner.formats, {part(a, p.i), part(b, p.j), c, {}, {}});
    }
  }
  return c;
}

}  // namespace

namespace {

Int sum_of_words(const Words& scheme, const Inner& inner, const DotFormats& formats,
                 const DotOperands& operands) {
  const Format& d = *inner.formats.d;
  const auto a = split(scheme, *inner.formats.a, operands.a);
  const auto b = split(scheme, *inner.formats.b, operands.b);
  std::optional<Int> all;
  const WordSum* lower = nullptr;
  const std::vector<WordSum> sums = sums_of_words(scheme);
  for (const WordSum& sum : sums) {
    Int value = sum.takes_c ? operands.c : Int(0);
    if (sum.outside) {
      DotOperands in{a[0], b[0], operands.c, {}, {}};
      DotFormats of_words = inner.formats;
      of_words.k = formats.k;
      value = chain(of_words, in, inner.formats.k, [&](const DotFormats&, const DotOperands& step) {
        DotOperands from_zero = step;
        from_zero.c = 0;
        return plus(d, step.c, inner.algorithm.build(inner.formats, from_zero));
      });
    } else {
      value = in_one_accumulator(sum.pairs, inner, a, b, formats.k, value);
    }
    all = all ? with_lower_sums(scheme, d, sum, value, *lower, *all) : value;
    lower = &sum;
  }
  return *all;
}

/// Of all the largest power of two by which none exceeds theta, clamped to what f32 has; its
/// exponent.
Int scaling(const Words& scheme, const std::vector<Int>& operands) {
  const Format& f32 = formats::f32;
  std::vector<Int> sizes;
  for (Int x : operands) sizes.push_back(bits(x, 0, 31));
  const Int largest = max(sizes);
  const Unpacked theta = unpack_normalized(f32, scheme.theta);
  const Unpacked x = unpack_normalized(f32, largest);
  const Int exponent =
      theta.exponent - x.exponent - select(theta.significand < x.significand, Int(1), Int(0));
  return select(largest == 0, Int(0), max(min(exponent, kScaling), -kScaling));
}

/// 2^exponent in f32.
Int power_at(Int exponent) {
  return (exponent + formats::f32.bias) *
         power_of_two(static_cast<unsigned>(formats::f32.fraction_bits));
}

}  // namespace

Int build_plan(const Words& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  if (scheme.theta == 0) return sum_of_words(scheme, inner, formats, operands);
  const Format& f32 = formats::f32;
  const Int of_a = scaling(scheme, operands.a);
  const Int of_b = scaling(scheme, operands.b);
  DotOperands scaled{{}, {}, 0, {}, {}};
  for (Int x : operands.a) scaled.a.push_back(times(f32, x, power_at(of_a)));
  for (Int x : operands.b) scaled.b.push_back(times(f32, x, power_at(of_b)));
  const Int sum =
      convert(*inner.formats.d, sum_of_words(scheme, inner, formats, scaled), f32).pattern;
  const Int back = times(f32, times(f32, sum, power_at(-of_a)), power_at(-of_b));
  return plus(f32, back, operands.c);
}

int plan_step(const Words& scheme, const Inner& inner) {
  return scheme.sums == WordSums::one && scheme.theta == 0 ? inner.formats.k : 0;
}

}  // namespace mmaspec
