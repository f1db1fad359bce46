#include "queries/errors/sum_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "queries/errors/step_cuts.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/steps.h"
#include "spec/plans/kernel_schemes.h"
#include "spec/plans/multiword.h"
#include "spec/plans/operand_schemes.h"

namespace mmaspec {
namespace {

Rational power(const Rational& x, long n) {
  Rational result = 1;
  Rational square = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result *= square;
    square *= square;
  }
  return result;
}

/// Numbers with more digits are rounded up.
constexpr int kDigits = 256;

Rational rounded_up(const Rational& x, int digits = kDigits) {
  if (x == 0 || bit_length(numerator(x)) <= static_cast<unsigned>(digits)) return x;
  const Rational unit = rational_power_of_two(floor_log2(x) - digits);
  const Rational units = x / unit;
  return (Rational(numerator(units) / denominator(units)) + 1) * unit;
}

/// (1 + x)^n, rounded up slightly.
Rational grown(const Rational& x, long n) {
  Rational result = 1;
  Rational square = 1 + x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = rounded_up(result * square);
    square = rounded_up(square * square);
  }
  return result;
}

/// The error of rounding to nearest even of an IEEE 754 operation in d's format.
Rational half_ulp(const DotFormats& f) { return rational_power_of_two(-f.d->fraction_bits - 1); }

SumError of_factors(std::vector<GrowthFactor> factors, int step_k) {
  return {{{1, std::move(factors)}}, step_k, 0, 0, {}, false};
}

/// Multiplies all terms by one more factor.
void also(SumError& error, const GrowthFactor& factor) {
  for (GrowthTerm& t : error.terms) t.factors.push_back(factor);
}

/// The error with everything that depends on K fixed at this K.
SumError fixed_at(SumError error, long k) {
  for (GrowthTerm& t : error.terms) {
    for (GrowthFactor& f : t.factors) {
      f.steps = f.per == 0 ? f.steps : f.steps * k / f.per;
      f.per = 0;
    }
  }
  return error;
}

/// The error of a chain of K = k steps with this error.
SumError as_step(const SumError& error, int k) { return of_factors({{error.at(k), 1, k}}, k); }

/// For steps of `block` products whose errors are cuts and rounding.
SumError chain_of(const DotFormats& f, int block, const StepCuts& step, bool cuts_shrink) {
  const auto& [cuts, rounding] = step;
  const Rational cut = cuts * rational_power_of_two(-f.d->fraction_bits);
  const Rational last = rational_power_of_two(-rounding.kept - (rounding.to_nearest ? 1 : 0));
  const Rational error = cut + last * (cuts_shrink ? Rational(1) : Rational(1 + cut));
  return of_factors({{error, 1, block, cuts_shrink && !rounding.to_nearest}}, block);
}

/// The halves of FP8 are chained, or added, from zero; then c is added.
std::optional<SumError> split_fp8(const DotFormats& f, const SplitFp8& design, ErrorOf of) {
  const auto& [fused, chained_halves] = design;
  const DotFormats half = half_formats(f);
  if (!products_are_normal(half)) return std::nullopt;
  const auto step = cuts_of_fused_sum(half, fused, f.k / 2, of);
  if (!step) return std::nullopt;
  GrowthFactor x = chain_of(half, f.k / 2, *step, true).terms[0].factors[0];
  x.steps = chained_halves ? 2 : 1;
  x.per = 0;
  const GrowthFactor additions{half_ulp(f), chained_halves ? 1 : 2};
  return as_step(of_factors({x, additions}, f.k), f.k);
}

/// Products and sums are each rounded. A product passes through one rounding in each level of its
/// group's tree, and one in each later sum.
std::optional<SumError> pairwise(const DotFormats& f, const GroupPairwiseSum& design) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const auto rounding = known_rounding(step);
  if (!rounding || rounding->flushes || flush_inputs || !products_are_normal(f)) {
    return std::nullopt;
  }
  const Rational x = rational_power_of_two(-rounding->kept - (rounding->to_nearest ? 1 : 0));
  return of_factors({{x, 1 + ceil_log2(group)}, {x, 1, group}}, group);
}

std::optional<SumError> fma_chain(const DotFormats& f, const SequentialFma& design) {
  const auto& [result, flush_inputs, reversed, chains] = design;  // in any order
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || flush_inputs || chains != 1) return std::nullopt;
  SumError error = chain_of(f, 1, {0, *rounding}, true);
  error.step_k = std::max(reversed, 1);
  return error;
}

std::optional<SumError> exact_sum(const DotFormats& f, const ExactDotAdd& design) {
  const auto& [block, result] = design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes) return std::nullopt;
  return chain_of(f, block, {0, *rounding}, true);
}

std::optional<SumError> analysed_sum(const Algorithm& algorithm, const DotFormats& f, ErrorOf of);

/// The inner node chained over any multiple of its K.
std::optional<SumError> chained(const Inner& inner, ErrorOf of) {
  auto error = analysed_sum(inner.algorithm, inner.formats, of);
  const auto* plan = inner.algorithm.as<Composed>();
  if (!error || plan == nullptr || plan->composition->step_k() != 0) return error;
  if (error->sums != 0 || !error->is_unconditional()) return std::nullopt;
  return as_step(*error, inner.formats.k);
}

std::optional<SumError> analysed_plan(const SplitK& scheme, const Inner& inner, const DotFormats& f,
                                      ErrorOf of) {
  if (scheme.partial != nullptr) return std::nullopt;  // which may overflow
  auto error = chained(inner, of);
  if (!error || error->sums != 0) return std::nullopt;
  // The largest number of roundings for a part's sum, or for c.
  const bool atomic = scheme.reduce == Reduce::atomic || scheme.reduce == Reduce::atomic_any;
  const bool adds_c = atomic || scheme.accumulator == WholeAccumulator::last;
  const GrowthFactor additions{half_ulp(inner.formats), most_additions(scheme) + (adds_c ? 1 : 0)};
  const bool are_normal = products_are_normal(inner.formats);
  if (scheme.part != 0 || !scheme.lengths.empty()) {
    // For another K the parts differ: the whole is one step of a chain, whose error is at most that
    // of parts as long as the longest.
    if (!are_normal) return std::nullopt;
    const std::vector<int> all = lengths_of_parts(scheme, f.k);
    SumError whole = fixed_at(std::move(*error), *std::max_element(all.begin(), all.end()));
    also(whole, additions);
    return as_step(whole, f.k);
  }
  for (GrowthTerm& t : error->terms) {
    for (GrowthFactor& factor : t.factors) factor.per *= scheme.parts;
  }
  also(*error, additions);
  if (!are_normal) error->sums = scheme.parts;
  error->step_k *= scheme.parts;
  return error;
}

std::optional<SumError> analysed_plan(const Promote& scheme, const Inner& inner, const DotFormats&,
                                      ErrorOf of) {
  const auto& [every, scales, fma] = scheme;
  if (scales) return std::nullopt;  // scaled products may be subnormal
  auto error = chained(inner, of);
  if (!error || error->sums != 0) return std::nullopt;
  error = fixed_at(std::move(*error), every);
  also(*error, {half_ulp(inner.formats), 1, every});
  if (!products_are_normal(inner.formats)) {
    error->sums = 1;
    error->sums_per = every;
  }
  error->step_k = every;
  return error;
}

/// The sum and c, each times one, rounded to f32 and then to the stored format. A number that
/// overflows there becomes infinite or NaN.
std::optional<SumError> analysed_plan(const Epilogue& scheme, const Inner& inner, const DotFormats&,
                                      ErrorOf of) {
  const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
  const Integer one = 0x3f800000;
  const bool reads_c = beta % power_of_two(31) != 0;
  if (alpha != one || (reads_c && beta != one) || saturate || bias == Bias::after ||
      !products_are_normal(inner.formats) ||
      out->least_exponent() < formats::f32.least_exponent()) {
    return std::nullopt;
  }
  auto error = chained(inner, of);
  if (!error) return error;
  if (reads_c) also(*error, {half_ulp(inner.formats), 1});
  error->only_zero_c = !reads_c;
  if (!(*out == *inner.formats.d)) {
    also(*error, {rational_power_of_two(-out->fraction_bits - 1), 1});
  }
  return error;
}

/// The sum of magnitudes does not depend on the order.
std::optional<SumError> analysed_plan(const Permute& scheme, const Inner& inner, const DotFormats&,
                                      ErrorOf of) {
  auto error = chained(inner, of);
  if (error) error->step_k = std::lcm(error->step_k, permuted_multiple(scheme));
  return error;
}

/// A chain of the products that fill whole steps. For another K the rest differs: the whole is one
/// step of a chain.
std::optional<SumError> analysed_plan(const RestFirst& scheme, const Inner& inner,
                                      const DotFormats& f, ErrorOf of) {
  const auto error = chained(inner, of);
  if (!error || error->sums != 0 || !error->is_unconditional()) return std::nullopt;
  const auto k = static_cast<long>(rest_first_products(scheme, f.k, inner.formats.k).size());
  return as_step(fixed_at(*error, k), f.k);
}

/// Let u be the largest relative change by the conversion. If no converted operand is subnormal, a
/// product changes by at most (1 + u)^2 - 1; nothing changes if the new format contains all numbers
/// of the old one. If a number overflows, the result is not a number.
std::optional<SumError> analysed_plan(const Convert& scheme, const Inner& inner, const DotFormats&,
                                      ErrorOf of) {
  const auto& [from_a, from_b, round, saturate, scale_a, scale_b] = scheme;
  if (scale_a != Convert::kUnscaled || scale_b != Convert::kUnscaled) return std::nullopt;
  if (inner.formats.a->is_integer() || inner.formats.b->is_integer()) return std::nullopt;
  Rational larger = 1;  // an upper bound for products
  std::optional<int> least;
  const auto convert_operand = [&, rounding = round, may_saturate = saturate](const Format& from,
                                                                              const Format& to) {
    if (from == to) return true;
    const bool is_exact =
        to.fraction_bits >= from.fraction_bits &&
        to.least_exponent() - to.fraction_bits <= from.least_exponent() - from.fraction_bits &&
        largest_number(to) >= largest_number(from);
    if (!is_exact) {
      const bool says_overflow =
          to.specials == Specials::ieee || to.specials == Specials::nan_all_ones;
      if (may_saturate || !says_overflow) return false;
      larger *= 1 + rational_power_of_two(-to.fraction_bits -
                                          (rounding == Rounding::toward_zero ? 0 : 1));
    }
    // Numbers that are not subnormal must not become subnormal.
    const bool stays_normal = from.least_exponent() >= to.least_exponent();
    if (!is_exact || (of == ErrorOf::normal_factors && !stays_normal)) {
      least = std::max(least.value_or(to.least_exponent()), to.least_exponent());
    }
    return true;
  };
  if (!convert_operand(*from_a, *inner.formats.a)) return std::nullopt;
  if (!convert_operand(*from_b, *inner.formats.b)) return std::nullopt;
  auto error = chained(inner, of);
  if (!error || !error->is_unconditional() || (least && error->sums != 0)) return std::nullopt;
  error->least_operand = least;
  for (GrowthTerm& t : error->terms) t.weight *= larger;
  return error;
}

/// x is the sum of its words and a remainder, and products of words with too small a weight are
/// left out. Let u_w be half an ulp of 1 in a word. Word i and the remainder before it are at most
/// (1 + u_w) u_w^i |x| and u_w^i |x|, if no word is subnormal: remainders are multiples of f32's
/// ulp of x, and those of operands from 2^least_operand on are zero or at least a word's least
/// normal number. If a word overflows, the result is not a number.
std::optional<SumError> analysed_plan(const Words& scheme, const Inner& inner, const DotFormats&,
                                      ErrorOf) {
  const auto& [words, reach, scale, sums, lowest_first, outside, subnormals, theta] = scheme;
  const DotFormats& f = inner.formats;
  const bool says_overflow =
      f.a->specials == Specials::ieee || f.a->specials == Specials::nan_all_ones;
  // Without subnormal words the setting makes no difference.
  if (!says_overflow || theta != 0 || !(*f.d == formats::f32) ||
      inner.algorithm.as<Composed>() != nullptr)
    return std::nullopt;
  const int least_product = 2 * (f.a->least_exponent() - f.a->fraction_bits);
  // Sums of such products can be scaled down.
  const bool stays_normal = least_product - scale * reach >= f.d->least_exponent();
  if (scale > 0 && !stays_normal) return std::nullopt;
  const auto chain = chained(inner, ErrorOf::normal_factors);
  if (!chain || chain->sums != 0) return std::nullopt;
  const int rest_bits = formats::f32.fraction_bits;
  // Products of two words then cannot be subnormal either.
  const int least_of_products = stays_normal ? f.a->least_exponent() : f.d->least_exponent() / 2;
  const Rational u_w = rational_power_of_two(-f.a->fraction_bits - 1);
  const Rational rest = power(u_w, words);
  const auto size = [&](int weight) { return (1 + u_w) * (1 + u_w) * power(u_w, weight); };
  Rational left_out = 2 * rest + rest * rest;
  // For each weight: the number of products of words.
  std::vector<long> pairs(static_cast<std::size_t>(2 * words - 1), 0);
  for (int i = 0; i < words; ++i) {
    for (int j = 0; j < words; ++j) {
      if (i + j > reach) left_out += size(i + j);
      ++pairs[static_cast<std::size_t>(i + j)];
    }
  }
  pairs.resize(std::min(pairs.size(), static_cast<std::size_t>(reach) + 1));
  SumError all;
  all.step_k = chain->step_k;
  all.least_operand = std::max(f.a->least_exponent(), least_of_products) + rest_bits;
  Rational kept = 0;
  // Adds a sum that chains `count` products of words in place of one, with this upper bound.
  const auto add = [&](const Rational& largest, long count, bool is_outside) {
    kept += largest;
    const SumError sum = is_outside ? fixed_at(*chain, f.k) : *chain;
    for (const GrowthTerm& t : sum.terms) {
      all.terms.push_back({t.weight * largest, t.factors});
      std::vector<GrowthFactor>& factors = all.terms.back().factors;
      for (GrowthFactor& g : factors) g.steps *= count;
      if (is_outside) factors.push_back({half_ulp(f), 1, f.k});
    }
  };
  long sum_count = 0;
  if (sums == WordSums::one) {
    long count = 0;
    Rational largest = 0;
    for (std::size_t w = 0; w < pairs.size(); ++w) {
      count += pairs[w];
      largest += pairs[w] * size(static_cast<int>(w));
    }
    add(largest, count, false);
    sum_count = 1;
  } else {
    for (std::size_t w = 0; w < pairs.size(); ++w) {
      const bool by_weight = sums == WordSums::weight;
      add(pairs[w] * size(static_cast<int>(w)), by_weight ? pairs[w] : 1, w == 0 && outside);
      sum_count += by_weight ? 1 : pairs[w];
    }
  }
  // The sum of the highest words comes last.
  if (sum_count > 1) also(all, {half_ulp(f), sum_count - 1});
  all.terms.push_back({1 + left_out - kept, {}});
  return all;
}

template <typename S>
std::optional<SumError> of_scheme(const Composition& plan, const DotFormats& f, ErrorOf of) {
  const auto* scheme = dynamic_cast<const Scheme<S>*>(&plan);
  return scheme == nullptr ? std::nullopt : analysed_plan(scheme->scheme(), scheme->inner(), f, of);
}

template <typename... S>
std::optional<SumError> of_schemes(const Composition& plan, const DotFormats& f, ErrorOf of) {
  std::optional<SumError> error;
  (void)(... || (error = of_scheme<S>(plan, f, of), error.has_value()));
  return error;
}

std::optional<SumError> analysed_sum(const Algorithm& algorithm, const DotFormats& f, ErrorOf of) {
  if (const auto* plan = algorithm.as<Composed>()) {
    return of_schemes<SplitK, Promote, Epilogue, Convert, Permute, RestFirst, Multiword, Markidis,
                      Ootomo, Tf32x3, Bf16x3, Bf16x6, Bf16x9>(*plan->composition, f, of);
  }
  if (const auto* chain = known<Chained>(algorithm, f)) {
    return chained({"", chain->step_formats, *chain->step}, of);
  }
  if (!(*f.c == *f.d)) return std::nullopt;
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) {
    const auto step = cuts_of_fused_sum(f, *fused, fused->block, of);
    return step ? std::optional(chain_of(f, fused->block, *step, true)) : std::nullopt;
  }
  if (const auto* down = known<RoundDownDotAdd>(algorithm, f)) {
    const auto step = cuts_of_round_down_sum(f, *down, of);
    if (!step || step->rounding.flushes) return std::nullopt;
    return chain_of(f, down->block, *step, false);
  }
  if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) {
    const auto step = cuts_of_group_sum(f, *groups);
    return step ? std::optional(chain_of(f, f.k, *step, true)) : std::nullopt;
  }
  if (const auto* split = known<SplitFp8>(algorithm, f)) return split_fp8(f, *split, of);
  if (const auto* fma = known<SequentialFma>(algorithm, f)) return fma_chain(f, *fma);
  if (const auto* pairs = known<GroupPairwiseSum>(algorithm, f)) return pairwise(f, *pairs);
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) return exact_sum(f, *exact);
  return std::nullopt;
}

/// As a multiple of a power of two; exact for errors, which are sums of a few powers of two.
std::string text_of(const Rational& x) {
  if (x == 0) return "0";
  const int down = static_cast<int>(bit_length(Integer(denominator(x)))) - 1;
  if (down <= 4) return x.str();
  const std::string digits = numerator(x).str();
  return (numerator(x) < 0 ? "-" : "") +
         fmt::format("{}*2**-{}", Integer(abs(numerator(x))).str(), down);
}

std::string text_of(const GrowthFactor& f) {
  const std::string times = f.steps == 1 ? "K" : fmt::format("{}*K", f.steps);
  const std::string n = f.per == 0   ? std::to_string(f.steps)
                        : f.per == 1 ? times
                                     : fmt::format("{}/{}", times, f.per);
  if (f.adds_up) return fmt::format("(1 + {}*{})", n, text_of(f.x));
  return fmt::format("(1 + {}){}", text_of(f.x), n == "1" ? "" : fmt::format("**({})", n));
}

}  // namespace

bool products_are_normal(const DotFormats& f) {
  if (f.scale != nullptr) return false;
  const auto least = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  return least(*f.a) + least(*f.b) >= f.d->least_exponent();
}

Rational SumError::at(long k) const {
  Rational sum = 0;
  for (const auto& [weight, factors] : terms) {
    Rational product = 1;
    for (const GrowthFactor& f : factors) {
      const long n = f.per == 0 ? f.steps : f.steps * k / f.per;
      product *= f.adds_up ? Rational(1 + n * f.x) : grown(f.x, n);
    }
    sum += weight * product;
  }
  return sum - 1;
}

long SumError::sums_at(long k) const { return sums_per == 0 ? sums : sums * k / sums_per; }

std::string SumError::formula() const {
  // A single sum whose errors add up is a plain multiple.
  if (terms.size() == 1 && terms[0].weight == 1 && terms[0].factors.size() == 1 &&
      terms[0].factors[0].adds_up) {
    const GrowthFactor& f = terms[0].factors[0];
    if (f.steps == 1 && f.per > 1) {
      return fmt::format("K/{}*{}", f.per, text_of(f.x));
    }
  }
  std::string text;
  for (const auto& [weight, factors] : terms) {
    std::string term = weight == 1 && !factors.empty() ? "" : text_of(weight);
    for (const GrowthFactor& f : factors) term += (term.empty() ? "" : "*") + text_of(f);
    text += (text.empty() ? "" : " + ") + term;
  }
  return text + " - 1";
}

std::optional<SumError> sum_error_for_all_k(const Instruction& instruction, ErrorOf of) {
  return analysed_sum(instruction.algorithm, instruction.formats, of);
}

}  // namespace mmaspec
