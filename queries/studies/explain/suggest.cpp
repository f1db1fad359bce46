#include "queries/studies/explain/suggest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>

#include "queries/studies/explain/check_plan.h"
#include "util/split_mix.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kSide = 8;
constexpr int kDraws = 60;
constexpr double kMostEvaluated = 1e9;  // approximate total for all draws

std::uint64_t mask_of(const Format& f) {
  return (std::uint64_t{1} << static_cast<unsigned>(f.storage_bits - 1)) * 2 - 1;
}

/// The pattern of a normal number with this exponent, limited to the format's range; for integer
/// formats any integer.
std::uint64_t number(const Format& f, SplitMix& random, int exponent) {
  if (f.is_integer()) return random() & mask_of(f);
  const int e = std::clamp(exponent, f.least_exponent(), f.largest_exponent() - 1);
  const auto fraction =
      random() & ((std::uint64_t{1} << static_cast<unsigned>(f.fraction_bits)) - 1);
  const auto field = static_cast<std::uint64_t>(e + f.bias)
                     << static_cast<unsigned>(f.fraction_bits);
  const std::uint64_t sign = f.has_sign && random.one_in(2) ? 1 : 0;
  return (sign << static_cast<unsigned>(f.exponent_bits + f.fraction_bits) | field | fraction)
         << static_cast<unsigned>(f.ignored_low_bits);
}

std::uint64_t negated(const Format& f, std::uint64_t pattern) {
  if (f.is_integer()) return (~pattern + 1) & mask_of(f);
  return pattern ^ std::uint64_t{1} << static_cast<unsigned>(f.sign_bit());
}

/// Magnitudes of operands.
struct Magnitudes {
  int span;    ///< number of binades over which most operands' exponents spread
  int pairs;   ///< number of large pairs in each row of A
  int larger;  ///< their largest exponent
};

/// Every row of A has some large numbers with both signs, at different positions in each row. They
/// cancel, because B's rows at these positions are equal. What remains are the losses of other
/// additions while a large number is in the accumulator.
Suggestion draw(const DotFormats& f, std::size_t k, bool has_c, const Magnitudes& sizes,
                SplitMix& random) {
  Suggestion s{kSide, k, {}, {}, {}, 0};
  s.a.resize(kSide * k);
  s.b.resize(k * kSide);
  for (std::uint64_t& x : s.a) x = number(*f.a, random, -random.below(sizes.span));
  for (std::uint64_t& x : s.b) x = number(*f.b, random, -random.below(sizes.span));
  std::vector<std::size_t> places(k);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto pairs = std::min(static_cast<std::size_t>(sizes.pairs), k / 4);
  const auto shuffle_first = [&](std::size_t count, std::size_t among) {
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(places[i], places[i + random.index(among - i)]);
    }
  };
  const std::size_t large = std::min(4 * pairs, k / 2);
  shuffle_first(large, k);
  for (std::size_t column = 0; column < kSide && pairs > 0; ++column) {
    const std::uint64_t x = number(*f.b, random, 1 + random.below(sizes.larger));
    for (std::size_t i = 0; i < large; ++i) s.b[places[i] * kSide + column] = x;
  }
  for (std::size_t row = 0; row < kSide; ++row) {
    std::uint64_t* const a = &s.a[row * k];
    shuffle_first(2 * pairs, large);
    for (std::size_t i = 0; i < large; ++i) a[places[i]] = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::uint64_t x = number(*f.a, random, 1 + random.below(sizes.larger));
      a[places[2 * i]] = x;
      a[places[2 * i + 1]] = negated(*f.a, x);
    }
  }
  if (has_c) {
    s.c.resize(kSide * kSide);
    for (std::uint64_t& x : s.c) x = number(*f.c, random, random.below(sizes.span));
  }
  return s;
}

/// Numbers of one row of A, or column of B: blocks with one magnitude each, in which `share` - 1 of
/// `share` numbers are zero.
std::vector<std::uint64_t> draw_blocks(const Format& f, std::size_t k, std::size_t blocks, int span,
                                       int share, SplitMix& random) {
  const int least = f.is_integer() ? 0 : std::max(f.least_exponent(), -span);
  const int largest = f.is_integer() ? 0 : std::min(f.largest_exponent() - 1, span);
  std::vector<std::uint64_t> all;
  for (std::size_t block = 0; block < blocks; ++block) {
    const int exponent = least + random.below(largest - least + 1);
    while (all.size() < k * (block + 1) / blocks) {
      all.push_back(random.one_in(share) ? number(f, random, exponent) : 0);
    }
  }
  return all;
}

/// Sums of parts of K have very different magnitudes, so that their additions are rounded even if
/// the sums have few bits.
Suggestion draw_of_blocks(const DotFormats& f, std::size_t k, bool has_c, int span,
                          SplitMix& random) {
  Suggestion s{kSide, k, {}, {}, {}, 0};
  const std::size_t blocks = std::min(k, 2 + random.index(15));
  s.b.resize(k * kSide);
  for (std::size_t i = 0; i < kSide; ++i) {
    const std::vector<std::uint64_t> row = draw_blocks(*f.a, k, blocks, span, 8, random);
    s.a.insert(s.a.end(), row.begin(), row.end());
    const std::vector<std::uint64_t> column = draw_blocks(*f.b, k, blocks, span, 1, random);
    for (std::size_t j = 0; j < k; ++j) s.b[j * kSide + i] = column[j];
  }
  if (has_c) {
    s.c.resize(kSide * kSide);
    for (std::uint64_t& x : s.c) x = number(*f.c, random, random.below(span));
  }
  return s;
}

/// The pattern of 2^exponent, limited to the format's normal numbers.
std::uint64_t pattern_of_power(const Format& f, int exponent) {
  const int e = std::clamp(exponent, f.least_exponent(), f.largest_exponent() - 1);
  return static_cast<std::uint64_t>(e + f.bias)
         << static_cast<unsigned>(f.fraction_bits + f.ignored_low_bits);
}

/// Whether D's format hides most bits of the sums.
bool hides_bits(const DotFormats& f) {
  return !f.d->is_integer() && f.d->fraction_bits < formats::f32.fraction_bits;
}

/// Each sum is a number half-way between two numbers of D's format, and much smaller numbers, which
/// are among consecutive products. Their sum, as the plan rounds it, determines to which of both D
/// is rounded.
Suggestion draw_near_ties(const DotFormats& f, std::size_t k, bool has_c, int span,
                          SplitMix& random) {
  Suggestion s{kSide, k, {}, {}, {}, 0};
  s.a.resize(kSide * k);
  s.b.resize(k * kSide);
  if (has_c) s.c.resize(kSide * kSide);
  const int half = -(f.d->fraction_bits + 1);  // 1 + 2^half is half-way, and so is 1 + 3 * 2^half
  const int of_a = half / 2;
  const int of_b = half - of_a;
  const auto small = [&](const Format& format, int largest) {
    return number(format, random, largest - 1 - random.below(span));
  };
  for (std::uint64_t& x : s.b) x = small(*f.b, of_b);
  const std::size_t length =
      std::min(k, std::size_t{1} << random.index(static_cast<std::size_t>(std::bit_width(k)) + 1));
  const std::size_t first = random.one_in(2) ? k - length : random.index(k - length + 1);
  const int share = std::max(1, static_cast<int>(length / 16));
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t i = first; i < first + length; ++i) {
      if (random.one_in(share)) s.a[row * k + i] = small(*f.a, of_a);
    }
  }
  // The places of numbers that are not small: in these of B all columns are equal.
  const std::size_t pool = std::clamp<std::size_t>(k / 8, 1, kSide);
  std::vector<std::size_t> places(k);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t count = std::min(2 * pool, k);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(places[i], places[i + random.index(k - i)]);
    for (std::size_t j = 0; j < kSide; ++j) {
      s.a[j * k + places[i]] = 0;
      s.b[places[i] * kSide + j] = pattern_of_power(*f.b, i < pool ? 0 : of_b);
    }
  }
  if (count < 2 * pool) return s;
  for (std::size_t row = 0; row < kSide; ++row) {
    const auto set = [&](std::size_t place, int exponent) {
      s.a[row * k + places[place]] = pattern_of_power(*f.a, exponent);
    };
    const std::size_t at = random.index(pool);
    set(random.index(pool), 0);
    if (random.one_in(2)) set(pool + (at + 1) % pool, of_a + 1);
    set(pool + at, of_a);
  }
  return s;
}

PatternView view_of(const std::vector<std::uint64_t>& all, std::size_t rows, std::size_t columns) {
  if (all.empty()) return {};
  constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
  return {reinterpret_cast<const std::byte*>(all.data()),
          sizeof(std::uint64_t),
          rows,
          columns,
          kBytes * static_cast<std::ptrdiff_t>(columns),
          kBytes};
}

}  // namespace

Suggestion suggest(const std::vector<std::string>& names, std::size_t k, bool has_c,
                   const Deadline& deadline) {
  std::vector<Instruction> plans;
  std::vector<LaneRunner> runners;  // compiled once for all draws
  for (const std::string& name : names) {
    plans.push_back(find_instruction(name));
    runners.emplace_back(plans.back().algorithm, plans.back().formats);
  }
  const DotFormats& f = plans.front().formats;
  std::vector<Element> elements;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) elements.push_back({row, column});
  }
  SplitMix random(1);
  Suggestion best;
  std::size_t most_apart = 0;
  const double products = static_cast<double>(plans.size() * elements.size() * k);
  const int draws = std::clamp(static_cast<int>(kMostEvaluated / products), 1, kDraws);
  for (int i = 0; i < kDraws && (i < draws || best.classes < plans.size()); ++i) {
    if (deadline.passed()) break;
    constexpr std::array kSpans{2, 6, 12};
    constexpr std::array kPairs{8, 4, 16, 0};
    constexpr std::array kLarger{11, 7, 14, 3, 5};
    constexpr std::array kBlockSpans{8, 12, 16};
    const int kinds = hides_bits(f) ? 3 : 2;
    const auto n = static_cast<std::size_t>(i / kinds);
    Suggestion s = i % kinds == 0
                       ? draw(f, k, has_c, {kSpans[n % 3], kPairs[n % 4], kLarger[n % 5]}, random)
                   : i % kinds == 1 ? draw_of_blocks(f, k, has_c, kBlockSpans[n % 3], random)
                                    : draw_near_ties(f, k, has_c, kSpans[n % 3], random);
    const Product product{
        view_of(s.a, kSide, k), view_of(s.b, k, kSide), view_of(s.c, kSide, kSide), {}};
    std::set<std::vector<std::uint64_t>> answers;
    for (std::size_t p = 0; p < plans.size(); ++p) {
      answers.insert(
          results_of_plan(plans[p], runners[p], product, has_c ? f.c : nullptr, elements));
    }
    s.classes = answers.size();
    // Elements that distinguish the plans of this list distinguish others too.
    std::size_t apart = 0;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      std::set<std::uint64_t> unlike;
      for (const auto& answer : answers) unlike.insert(answer[e]);
      apart += unlike.size();
    }
    if (s.classes < best.classes || (s.classes == best.classes && apart <= most_apart)) continue;
    most_apart = apart;
    best = std::move(s);
  }
  return best;
}

}  // namespace mmaspec::explain
