// Bounds of operands from the sets of patterns that conditions on one operand allow.
#include "queries/distance/operand_bounds.h"

#include <map>

#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/numbers/difference.h"

namespace mmaspec {

using boost::multiprecision::abs;

Operands::Operands(const DotFormats& formats, Graph& graph, const std::vector<NodeId>& premises,
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

bool Operands::are_known() const {
  return std::all_of(bounds_.begin(), bounds_.end(), [](const auto& b) { return b; });
}

bool Operands::are_confirmed() const {
  return std::all_of(open_.begin(), open_.end(), [&](const Open& o) { return is_confirmed(o); });
}

std::optional<OperandBounds> Operands::bounds(NodeId input, const Format& f,
                                              const std::vector<Literal>& own) {
  const std::shared_ptr<const OperandSet> found = sets_.of(input, f, own);
  const OperandSet& set = *found;
  if (set.empty()) return std::nullopt;  // the premises are unsatisfiable, or a member was missed
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
  // For a set that is not exact only its ends are used, which are confirmed.
  b.subnormal = f.has_zero && (set.is_exact() ? std::any_of(set.ranges().begin(),
                                                            set.ranges().end(), holds_subnormal)
                                              : holds_subnormal({low, high}));
  return b;
}

bool Operands::is_confirmed(const Open& open) const {
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

namespace {

/// The largest exponent that an operand counts with; a subnormal number or zero counts with its
/// format's least exponent.
int largest_counted_exponent(const Format& f, const OperandBounds& bounds) {
  const Rational size = bounds.size();
  return size == 0 ? f.least_exponent() : std::max(floor_log2(size), f.least_exponent());
}

}  // namespace

TermExtremes terms_of(const DotFormats& f, const Operands& in) {
  TermExtremes t;
  t.exponent = largest_counted_exponent(*f.c, in[2 * f.k]);
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
    int exponent = largest_counted_exponent(*f.a, a) + largest_counted_exponent(*f.b, b);
    if (f.scale != nullptr) {
      const int block = k / f.scale_block;
      const OperandBounds& scale_a = in[2 * f.k + 1 + block];
      const OperandBounds& scale_b = in[2 * f.k + 1 + f.scales() + block];
      scale = scale_a.size() * scale_b.size();
      raise(t.range.scale_a, scale_a.size());
      raise(t.range.scale_b, scale_b.size());
      exponent +=
          largest_counted_exponent(*f.scale, scale_a) + largest_counted_exponent(*f.scale, scale_b);
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

std::optional<OperandRange> operand_range(const DotFormats& formats, Graph& graph,
                                          const std::vector<NodeId>& premises,
                                          const Portfolio& solvers, const Deadline& deadline) {
  const Operands operands(formats, graph, premises, solvers, deadline);
  if (!operands.are_known() || !operands.are_confirmed()) return std::nullopt;
  const TermExtremes terms = terms_of(formats, operands);
  OperandRange range = terms.range;
  range.subnormal_factors = terms.subnormal_factors;
  return range;
}

}  // namespace mmaspec
