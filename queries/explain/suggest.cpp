#include "queries/explain/suggest.h"

#include <algorithm>
#include <set>

#include "queries/explain/check_plan.h"
#include "util/split_mix.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kSide = 8;
constexpr int kDraws = 60;

/// The pattern of a normal number of an exponent, which is brought into the format's range.
std::uint64_t number(const Format& f, SplitMix& random, int exponent) {
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
  return pattern ^ std::uint64_t{1} << static_cast<unsigned>(f.sign_bit());
}

/// Operands of exponents that spread over `span` binades; in every row of A some large numbers are
/// there with both signs, and cancel where B's rows are equal.
Suggestion draw(const DotFormats& f, std::size_t k, bool has_c, int span, int pairs, int larger,
                SplitMix& random) {
  Suggestion s{kSide, k, {}, {}, {}, 0};
  s.a.resize(kSide * k);
  s.b.resize(k * kSide);
  for (std::uint64_t& x : s.a) x = number(*f.a, random, -random.below(span));
  for (std::uint64_t& x : s.b) x = number(*f.b, random, -random.below(span));
  for (int i = 0; i < pairs && k > 1; ++i) {
    const std::size_t p = random.index(k);
    std::size_t q = random.index(k - 1);
    if (q >= p) ++q;
    const int exponent = 1 + random.below(larger);
    for (std::size_t row = 0; row < kSide; ++row) {
      const std::uint64_t x = number(*f.a, random, exponent);
      s.a[row * k + p] = x;
      s.a[row * k + q] = negated(*f.a, x);
    }
    for (std::size_t column = 0; column < kSide; ++column) {
      s.b[p * kSide + column] = s.b[q * kSide + column] = number(*f.b, random, exponent);
    }
  }
  if (has_c) {
    s.c.resize(kSide * kSide);
    for (std::uint64_t& x : s.c) x = number(*f.c, random, random.below(span));
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
  for (const std::string& name : names) plans.push_back(find_instruction(name));
  const DotFormats& f = plans.front().formats;
  std::vector<Element> elements;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) elements.push_back({row, column});
  }
  SplitMix random(1);
  Suggestion best;
  for (int i = 0; i < kDraws && best.classes < plans.size(); ++i) {
    if (deadline.passed()) break;
    const int span = i % 3 == 0 ? 2 : i % 3 == 1 ? 6 : 12;
    Suggestion s = draw(f, k, has_c, span, i % 4 * 4, 2 + i % 5 * 2, random);
    const Product product{
        view_of(s.a, kSide, k), view_of(s.b, k, kSide), view_of(s.c, kSide, kSide), {}};
    std::set<std::vector<std::uint64_t>> answers;
    for (const Instruction& plan : plans) {
      answers.insert(results_of_plan(plan, product, has_c ? f.c : nullptr, elements));
    }
    s.classes = answers.size();
    if (s.classes > best.classes) best = std::move(s);
  }
  return best;
}

}  // namespace mmaspec::explain
