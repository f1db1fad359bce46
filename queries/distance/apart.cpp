#include "queries/distance/apart.h"

#include <algorithm>

#include "queries/distance/operand_bounds.h"
#include "queries/errors/error_analysis.h"
#include "queries/errors/range_error.h"
#include "queries/errors/sum_error.h"
#include "queries/values/distance.h"
#include "queries/values/exact_result.h"

namespace mmaspec {
namespace {

using boost::multiprecision::abs;

/// The ordinal of the largest number that is at most x; at most that of the largest number.
Integer place_below(const Format& f, const Rational& x) {
  return ordinal(f, neighbours(f, x).below);
}

}  // namespace

std::optional<DistanceBound> distance_bound(const Pair& pair, Graph& graph,
                                            const std::vector<NodeId>& premises,
                                            const Portfolio& solvers, const Deadline& deadline) {
  const Format& d1 = *pair.first.formats.d;
  const Format& d2 = *pair.second.formats.d;
  const Operands operands(pair.first.formats, graph, premises, solvers, deadline);
  if (!operands.are_known()) return std::nullopt;
  TermExtremes terms = terms_of(pair.first.formats, operands);
  // A factor that is normal in one format may be subnormal in the other.
  const bool same_factors = *pair.first.formats.a == *pair.second.formats.a &&
                            *pair.first.formats.b == *pair.second.formats.b;
  const ErrorOf of =
      same_factors && !terms.subnormal_factors ? ErrorOf::normal_factors : ErrorOf::all;
  terms.range.subnormal_factors = of == ErrorOf::all;
  const auto error_1 = error_by_analysis(pair.first, of);
  const auto error_2 = error_by_analysis(pair.second, of);

  // The unit of an error is largest for the largest term, or for the largest counted exponent.
  const auto absolute = [&](const Instruction& instruction, const Rational& error) {
    const Format& d = *instruction.formats.d;
    const int least = d.least_exponent();
    const int exponent = terms.largest == 0 ? least : std::max(floor_log2(terms.largest), least);
    const auto at = [&](int e, const Rational& x) {
      return Rational(x * rational_power_of_two(e - d.fraction_bits));
    };
    const Rational far = at(exponent, error);
    const auto counted =
        same_factors ? error_by_analysis(instruction, ErrorOf::counted) : std::nullopt;
    if (!counted) return far;
    return std::min(far, at(std::max(exponent, terms.exponent), *counted));
  };
  // The analysis covers finite results. No partial sum exceeds the magnitudes plus the error; a
  // quarter of the largest number leaves room for the rounding of each step.
  const auto may_overflow = [&](const Format& d, const Rational& far) {
    const Integer largest = d.largest_finite() << static_cast<unsigned>(d.ignored_low_bits);
    return 4 * (terms.sum + far) > decode(d, largest).value();
  };
  const auto errors_of = [&](const Instruction& instruction, const std::optional<Rational>& error) {
    std::optional<ErrorInterval> errors = error_in_range(instruction, terms.range);
    if (!error) return errors;
    const Rational by_largest_term = absolute(instruction, *error);
    if (may_overflow(*instruction.formats.d, by_largest_term)) return errors;
    if (!errors) return std::optional(ErrorInterval{by_largest_term, by_largest_term});
    errors->below = std::min(errors->below, by_largest_term);
    errors->above = std::min(errors->above, by_largest_term);
    return errors;
  };
  const auto errors_1 = errors_of(pair.first, error_1);
  const auto errors_2 = errors_of(pair.second, error_2);
  if (!errors_1 || !errors_2 || !operands.are_confirmed()) return std::nullopt;
  // d_first - d_second is the difference of the errors. Errors of one sign do not add up.
  DistanceBound apart{std::max(Rational(errors_1->below + errors_2->above),
                               Rational(errors_1->above + errors_2->below)),
                      std::nullopt, std::nullopt};
  // If all terms have one sign, the exact result is as large as the sum of their magnitudes,
  // provided that this is at least a normal number.
  const auto sum_1 = sum_error_for_all_k(pair.first, of);
  const auto sum_2 = sum_error_for_all_k(pair.second, of);
  const DotFormats& f = pair.first.formats;
  const auto is_plain = [&](const std::optional<SumError>& sum, const Instruction& i) {
    return sum && sum->sums == 0 && sum->is_unconditional() && products_are_normal(i.formats);
  };
  if (terms.one_sign && d1 == d2 && !operands[2 * f.k].subnormal && is_plain(sum_1, pair.first) &&
      is_plain(sum_2, pair.second)) {
    const Rational r_1 = sum_1->at(f.k);
    const Rational r_2 = sum_2->at(f.k);
    if (r_1 < 1) apart.relative = (r_1 + r_2) / (1 - r_1);
  }
  if (!(d1 == d2)) return apart;

  // Numbers are densest near zero: this bounds the number of steps between two numbers with this
  // distance, or of at most this magnitude.
  const Rational reach = terms.sum + std::max(errors_1->size(), errors_2->size());
  Rational steps =
      Rational(2 * (place_below(d1, std::min(Rational(apart.absolute / 2), reach)) + 1));
  // If all terms have one sign, the sum is at least the largest term, whose exponent is l. With
  // errors of at most 2^(l - 1), both results are at least 2^(l - 1), where a step is half an ulp
  // of the largest term. (Below d's least normal number all steps are one ulp.)
  const Rational half = rational_power_of_two(d1.fraction_bits - 1);
  if (terms.one_sign && error_1 && error_2 && *error_1 <= half && *error_2 <= half) {
    const Rational ulps = 2 * (*error_1 + *error_2);
    steps = std::min(steps, Rational(numerator(ulps) / denominator(ulps)));
  }
  apart.ulp = steps;
  return apart;
}

}  // namespace mmaspec
