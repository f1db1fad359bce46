#include "queries/distance/apart.h"

#include <algorithm>
#include <map>

#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/fixed_bits.h"
#include "queries/draw/operand_sets.h"
#include "queries/errors/error_analysis.h"
#include "queries/errors/range_error.h"
#include "queries/errors/sum_error.h"
#include "queries/numbers/difference.h"
#include "queries/numbers/exact.h"

namespace mmaspec {
namespace {

using boost::multiprecision::abs;

/// What the premises leave one operand.
struct OperandBounds {
  Rational low;
  Rational high;
  bool subnormal = true;  ///< it may be

  Rational size() const { return std::max(Rational(abs(low)), Rational(abs(high))); }
};

class Operands {
 public:
  Operands(const DotFormats& formats, Graph& graph, const std::vector<NodeId>& premises,
           const Portfolio& solvers, const Deadline& deadline)
      : graph_(graph), solvers_(solvers), deadline_(deadline), sets_(graph) {
    const std::vector<Literal> literals = ways_to_satisfy(graph, premises, 1).front();
    std::map<NodeId, std::vector<Literal>> alone;
    for (const Literal& l : literals) {
      const std::vector<NodeId> inputs = inputs_of(graph, l);
      if (inputs.size() == 1) alone[inputs[0]].push_back(l);
    }
    const std::vector<const Format*> all = input_formats(graph, formats);
    const auto count = static_cast<std::size_t>(2 * formats.k + 1 + 2 * formats.scales());
    for (std::size_t i = 0; i < count; ++i) {
      const NodeId input = graph.inputs()[i];
      bounds_.push_back(all[i] == nullptr ? std::nullopt : bounds(input, *all[i], alone[input]));
    }
  }

  bool are_known() const {
    return std::all_of(bounds_.begin(), bounds_.end(), [](const auto& b) { return b; });
  }
  const OperandBounds& operator[](int i) const { return *bounds_[static_cast<std::size_t>(i)]; }

  /// The bounds of operands of which not every pattern was tried are right, too.
  bool are_confirmed() const {
    return std::all_of(open_.begin(), open_.end(), [&](const Open& o) { return is_confirmed(o); });
  }

 private:
  /// What a solver is to confirm: these conditions on an operand leave it no more than low .. high.
  struct Open {
    NodeId input;
    const Format* format;
    std::vector<Literal> own;
    std::int64_t low;
    std::int64_t high;
  };

  std::optional<OperandBounds> bounds(NodeId input, const Format& f,
                                      const std::vector<Literal>& own) {
    const std::shared_ptr<const OperandSet> found = sets_.of(input, f, own);
    const OperandSet& set = *found;
    if (set.empty()) return std::nullopt;  // nothing satisfies the premises, or it was missed
    const Ordinals& o = set.ordinals();
    const std::int64_t low = set.ranges().front().low;
    const std::int64_t high = set.ranges().back().high;
    if (low < o.least_finite() || high > o.largest_finite()) return std::nullopt;
    if (!set.is_exact()) open_.push_back({input, &f, own, low, high});
    const auto value = [&](std::int64_t x) { return decode(f, Integer(o.pattern(x))).value(); };
    OperandBounds b{value(low), value(high)};
    const std::int64_t most = o.binade() - 1;
    const auto holds_subnormal = [&](const OrdinalRange& r) {
      return (r.low <= most && r.high >= 1) || (r.low <= -2 && r.high >= -1 - most);
    };
    // A set that is not exact says no more than its ends, which are confirmed.
    b.subnormal = f.has_zero && (set.is_exact() ? std::any_of(set.ranges().begin(),
                                                              set.ranges().end(), holds_subnormal)
                                                : holds_subnormal({low, high}));
    return b;
  }

  bool is_confirmed(const Open& open) const {
    const auto as_place = [](std::int64_t ordinal) {
      return Integer(ordinal < 0 ? ordinal + 1 : ordinal);
    };
    const Int p = ordinal(*open.format, Int::of(open.input));
    std::vector<NodeId> conditions{(p < as_place(open.low) || p > as_place(open.high)).id()};
    for (const Literal& l : open.own) {
      conditions.push_back(l.holds ? l.node : (!Bool::of(l.node)).id());
    }
    return is_impossible(graph_, conditions, solvers_, deadline_);
  }

  Graph& graph_;
  const Portfolio& solvers_;
  const Deadline deadline_;
  OperandSets sets_;
  std::vector<std::optional<OperandBounds>> bounds_;
  std::vector<Open> open_;
};

/// Extremes of the terms, the products and c.
struct TermExtremes {
  Rational largest = 0;  ///< magnitude of any
  Rational sum = 0;      ///< of all magnitudes
  bool one_sign = true;  ///< no two of them have opposite signs
  bool subnormal_factors = false;
  int exponent = 0;  ///< the largest that a term counts
  OperandRange range{0, 0, 0, 1, 1, 0};
};

/// The largest exponent that an operand counts, of a subnormal number or zero its format's least.
int counted_exponent(const Format& f, const OperandBounds& bounds) {
  const Rational size = bounds.size();
  return size == 0 ? f.least_exponent() : std::max(floor_log2(size), f.least_exponent());
}

TermExtremes terms_of(const DotFormats& f, const Operands& in) {
  TermExtremes t;
  t.exponent = counted_exponent(*f.c, in[2 * f.k]);
  if (f.scale != nullptr) t.range.scale_a = t.range.scale_b = 0;
  bool some_negative = false;
  bool some_positive = false;
  const auto raise = [](Rational& most, const Rational& x) {
    if (x > most) most = x;
  };
  const auto add = [&](const Rational& low, const Rational& high) {
    const Rational size = std::max(Rational(abs(low)), Rational(abs(high)));
    t.largest = std::max(t.largest, size);
    t.sum += size;
    some_negative = some_negative || low < 0;
    some_positive = some_positive || high > 0;
  };
  for (int k = 0; k < f.k; ++k) {
    const OperandBounds& a = in[k];
    const OperandBounds& b = in[f.k + k];
    t.subnormal_factors = t.subnormal_factors || a.subnormal || b.subnormal;
    raise(t.range.a, a.size());
    raise(t.range.b, b.size());
    Rational scale = 1;
    int exponent = counted_exponent(*f.a, a) + counted_exponent(*f.b, b);
    if (f.scale != nullptr) {
      const int block = k / f.scale_block;
      const OperandBounds& scale_a = in[2 * f.k + 1 + block];
      const OperandBounds& scale_b = in[2 * f.k + 1 + f.scales() + block];
      scale = scale_a.size() * scale_b.size();
      raise(t.range.scale_a, scale_a.size());
      raise(t.range.scale_b, scale_b.size());
      exponent += counted_exponent(*f.scale, scale_a) + counted_exponent(*f.scale, scale_b);
    }
    t.exponent = std::max(t.exponent, exponent);
    const Rational corners[] = {a.low * b.low * scale,  // NOLINT(modernize-avoid-c-arrays)
                                a.low * b.high * scale, a.high * b.low * scale,
                                a.high * b.high * scale};
    const Rational& low = *std::min_element(std::begin(corners), std::end(corners));
    const Rational& high = *std::max_element(std::begin(corners), std::end(corners));
    add(low, high);
    raise(t.range.product, std::max(Rational(-low), high));
  }
  t.range.c = in[2 * f.k].size();
  add(in[2 * f.k].low, in[2 * f.k].high);
  t.one_sign = !(some_negative && some_positive);
  t.range.non_negative = !some_negative;
  t.range.non_positive = !some_positive;
  t.range.magnitudes = t.sum;
  return t;
}

/// The place of the largest number that is at most x, which is at most the largest.
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

  // An error's unit is largest where the largest term is, or the largest exponent that is counted.
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
  // The analysis is of finite results. No partial sum exceeds the magnitudes and the error
  // together; a quarter of the largest number leaves room for each step's own rounding.
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
  // d_first - d_second is the difference of the errors. Those of one sign do not add up.
  DistanceBound apart{std::max(Rational(errors_1->below + errors_2->above),
                               Rational(errors_1->above + errors_2->below)),
                      std::nullopt, std::nullopt};
  // Of terms of one sign the exact result is as large as their magnitudes together, if these are no
  // smaller than a normal number.
  const auto sum_1 = sum_error_for_all_k(pair.first, of);
  const auto sum_2 = sum_error_for_all_k(pair.second, of);
  const DotFormats& f = pair.first.formats;
  const auto is_plain = [&](const std::optional<SumError>& sum, const Instruction& i) {
    return sum && sum->sums == 0 && !sum->least_operand && products_are_normal(i.formats);
  };
  if (terms.one_sign && d1 == d2 && !operands[2 * f.k].subnormal && is_plain(sum_1, pair.first) &&
      is_plain(sum_2, pair.second)) {
    const Rational r_1 = sum_1->at(f.k);
    const Rational r_2 = sum_2->at(f.k);
    if (r_1 < 1) apart.relative = (r_1 + r_2) / (1 - r_1);
  }
  if (!(d1 == d2)) return apart;

  // Numbers are densest about zero: so many steps fit between two that lie so far apart, or that
  // are so large at most.
  const Rational reach = terms.sum + std::max(errors_1->size(), errors_2->size());
  Rational steps =
      Rational(2 * (place_below(d1, std::min(Rational(apart.absolute / 2), reach)) + 1));
  // Of terms of one sign the sum is no less than the largest term, whose exponent is l. With errors
  // of at most 2^(l - 1) both results are 2^(l - 1) at least, where a step is half an ulp of the
  // largest term. (Below d's least normal number all steps are one ulp.)
  const Rational half = rational_power_of_two(d1.fraction_bits - 1);
  if (terms.one_sign && error_1 && error_2 && *error_1 <= half && *error_2 <= half) {
    const Rational ulps = 2 * (*error_1 + *error_2);
    steps = std::min(steps, Rational(numerator(ulps) / denominator(ulps)));
  }
  apart.ulp = steps;
  return apart;
}

}  // namespace mmaspec
