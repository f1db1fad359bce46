#include "queries/relations/candidate_invariants.h"

#include <algorithm>

#include "concrete/evaluator.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

using Kind = RelationalInvariant::Kind;

Integer rounded_to_odd(const Integer& x, unsigned places) {
  const Integer pairs = floor_shift_right(x, places + 1);
  return 2 * pairs + (pairs * power_of_two(places + 1) == x ? 0 : 1);
}

/// The number of places by which each `fine` value, rounded to odd, gives the `coarse` one; 0:
/// there is none.
unsigned places_rounded_to_odd(const std::vector<Integer>& fine,
                               const std::vector<Integer>& coarse) {
  std::optional<unsigned> most;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    if ((fine[i] == 0) != (coarse[i] == 0)) return 0;
    if (fine[i] == 0) continue;
    const unsigned of_fine = bit_length(fine[i]);
    const unsigned of_coarse = bit_length(coarse[i]);
    if (of_fine < of_coarse) return 0;
    // Values below one unit become one.
    most = std::max(most.value_or(0), of_fine - of_coarse);
  }
  if (!most || *most == 0) return 0;
  bool exact = true;  // each value is a multiple of the coarse unit
  for (std::size_t i = 0; i < fine.size(); ++i) {
    if (rounded_to_odd(fine[i], *most) != coarse[i]) return 0;
    exact = exact && coarse[i] * power_of_two(*most) == fine[i];
  }
  return exact ? 0 : *most;
}

/// The values' odd parts; the first nonzero one is positive.
std::vector<Integer> odd_parts(const std::vector<Integer>& values) {
  std::vector<Integer> all = values;
  bool negative = false;
  bool any = false;
  for (Integer& x : all) {
    if (x == 0) continue;
    if (!any) negative = x < 0;
    any = true;
    if (negative) x = -x;
    x /= power_of_two(trailing_zeros(x));
  }
  return all;
}

}  // namespace

SimulationSignatures::SimulationSignatures(const Graph& graph, const std::vector<NodeId>& roots,
                                           const std::vector<InputValues>& samples)
    : values_(graph.size()) {
  const ExactEvaluator evaluator(graph, roots);
  nodes_ = evaluator.nodes();
  ExactEvaluator::Values values = evaluator.scratch();
  for (const InputValues& sample : samples) {
    BuildBy::check();
    evaluator.evaluate(sample, values);
    for (NodeId n : nodes_) values_[n].push_back(values[n]);
  }
}

CandidateInvariants::CandidateInvariants(const Graph& graph, const SimulationSignatures& sampled,
                                         const Format& result)
    : graph_(graph), sampled_(sampled), result_(result), is_factor_(graph.size()) {
  for (NodeId n : sampled.nodes()) {
    if (graph[n].op != Op::product) continue;
    for (NodeId a : graph[n].args) is_factor_[a] = true;
  }
}

CandidateInvariants::Shape CandidateInvariants::shape_of(NodeId node) const {
  Shape shape;
  shape.values = sampled_.values(node);
  shape.offset = shape.values.front();
  Integer all = 0;  // disjunction of their bits
  const Integer* first = nullptr;
  for (Integer& x : shape.values) {
    x -= shape.offset;
    if (x == 0) continue;
    all |= boost::multiprecision::abs(x);
    if (first == nullptr) first = &x;
  }
  if (first == nullptr) return shape;
  shape.negative = *first < 0;
  shape.places = trailing_zeros(all);
  for (Integer& x : shape.values) {
    if (shape.negative) x = -x;
    x /= power_of_two(shape.places);
  }
  return shape;
}

RelationalInvariant CandidateInvariants::linear(NodeId node, const Shape& shape, NodeId base,
                                                const Shape& of_base) const {
  RelationalInvariant r{node, Kind::linear, base};
  const bool larger = shape.places >= of_base.places;
  const unsigned places = larger ? shape.places - of_base.places : of_base.places - shape.places;
  if (larger) {
    r.factor = power_of_two(places);
  } else {
    r.places = places;
    const Integer unit = power_of_two(places);
    const std::vector<Integer>& values = sampled_.values(base);
    r.is_exact =
        std::all_of(values.begin(), values.end(), [&](const Integer& x) { return x % unit == 0; });
  }
  if (shape.negative != of_base.negative) r.factor = -r.factor;
  // The offset of the base may not be a multiple: the remainder is the same for all values.
  const Integer scaled = r.factor * of_base.offset;
  r.constant = shape.offset - floor_shift_right(scaled, r.places);
  return r;
}

bool CandidateInvariants::is_called_like(NodeId x, NodeId y) const {
  const auto mark_of = [&](NodeId n) {
    return std::find_if(graph_.marks().begin(), graph_.marks().end(),
                        [n](const Mark& m) { return m.node == n; });
  };
  const auto of_x = mark_of(x);
  const auto of_y = mark_of(y);
  const auto none = graph_.marks().end();
  return of_x != none && of_y != none && of_x->stage == of_y->stage && of_x->label == of_y->label;
}

bool CandidateInvariants::is_marked(NodeId node) const {
  return std::any_of(graph_.marks().begin(), graph_.marks().end(),
                     [&](const Mark& m) { return m.node == node; });
}

bool CandidateInvariants::is_pattern(NodeId node) const {
  return std::any_of(graph_.marks().begin(), graph_.marks().end(),
                     [&](const Mark& m) { return m.node == node && m.role == MarkRole::pattern; });
}

bool CandidateInvariants::has_exponent(NodeId node) const {
  return std::any_of(graph_.marks().begin(), graph_.marks().end(),
                     [&](const Mark& m) { return m.node == node && m.exponent; });
}

std::optional<RelationalInvariant> CandidateInvariants::of_patterns(NodeId node,
                                                                    NodeId base) const {
  const std::vector<Integer>& x = sampled_.values(base);
  const std::vector<Integer>& y = sampled_.values(node);
  const auto same = [&](std::size_t i) {
    const Integer sign_bit = power_of_two(u(result_.sign_bit()));
    return x[i] == y[i] || (x[i] % sign_bit == 0 && y[i] % sign_bit == 0);
  };
  bool equal = true;
  for (std::size_t i = 0; i < x.size(); ++i) equal = equal && same(i);
  if (equal) return RelationalInvariant{node, Kind::equal_pattern, base};
  const auto all = [&](const auto& related) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Decoded p = decode(result_, x[i]);
      const Decoded q = decode(result_, y[i]);
      if (p.is_nan || q.is_nan || p.is_infinite != q.is_infinite) return false;
      if (!p.is_infinite && !related(p.value(), q.value())) return false;
    }
    return true;
  };
  if (all([](const Rational& p, const Rational& q) { return q == -p; })) {
    return RelationalInvariant{node, Kind::negated_pattern, base};
  }
  if (all([](const Rational& p, const Rational& q) { return q == 2 * p; })) {
    return RelationalInvariant{node, Kind::doubled_pattern, base};
  }
  return std::nullopt;
}

std::vector<RelationalInvariant> CandidateInvariants::of(NodeId node) const {
  const std::size_t most = is_marked(node) ? 2 : 4;
  std::vector<RelationalInvariant> all;
  const Shape shape = shape_of(node);
  const bool boolean = is_boolean(graph_[node].op);
  if (std::all_of(shape.values.begin(), shape.values.end(),
                  [](const Integer& x) { return x == 0; })) {
    if (boolean) all.push_back({node, Kind::constant, 0, 1, 0, shape.offset});
    return all;
  }
  if (const auto it = kept_.find({boolean, shape.values}); it != kept_.end()) {
    // Bases with the same mark name come first, then those with similar uses: samples may not
    // distinguish a result from a value that it selects, or a factor from the operand that a
    // conversion computes it from.
    std::vector<NodeId> bases = it->second;
    std::stable_partition(bases.begin(), bases.end(),
                          [&](NodeId base) { return is_factor_[base] == is_factor_[node]; });
    std::stable_partition(bases.begin(), bases.end(),
                          [&](NodeId base) { return is_called_like(base, node); });
    for (NodeId base : bases) {
      all.push_back(linear(node, shape, base, shape_of(base)));
      RelationalInvariant& r = all.back();
      // Samples may not show that it is not a multiple.
      if (r.is_exact && r.factor == 1 && r.constant == 0 && rounded_to_odd_.contains(r.places) &&
          has_exponent(node) && has_exponent(base)) {
        r.kind = Kind::rounded_to_odd;
        r.is_exact = false;
      }
      if (all.size() == most) break;
    }
  }
  if (!boolean) {
    // Samples may not show any difference.
    if (const auto r = shifted(node)) all.insert(all.begin(), *r);
    if (const auto r = rounded_to_odd(node); r && all.empty()) all.push_back(*r);
  }
  if (is_pattern(node)) {
    for (NodeId base : patterns_) {
      if (const auto r = of_patterns(node, base)) {
        all.push_back(*r);
        break;
      }
    }
  }
  return all;
}

void CandidateInvariants::keep(NodeId node) {
  kept_[{is_boolean(graph_[node].op), shape_of(node).values}].push_back(node);
  if (is_pattern(node)) patterns_.push_back(node);
  if (has_exponent(node)) with_exponent_.push_back(node);
  if (!is_boolean(graph_[node].op)) odd_[odd_parts(sampled_.values(node))].push_back(node);
}

void CandidateInvariants::keep(const DifferenceBound& fall) {
  falls_.push_back(fall);
  std::vector<bool>& above = above_.emplace_back(graph_.size());
  above[fall.to] = true;
  for (NodeId n = fall.to + 1; n < graph_.size(); ++n) {
    for (NodeId a : graph_[n].args) above[n] = above[n] || above[a];
  }
}

std::optional<RelationalInvariant> CandidateInvariants::rounded_to_odd(NodeId node) const {
  if (!has_exponent(node)) return std::nullopt;
  std::optional<RelationalInvariant> found;
  for (NodeId base : with_exponent_) {
    if (found && !is_called_like(base, node)) continue;
    const unsigned places = places_rounded_to_odd(sampled_.values(base), sampled_.values(node));
    if (places == 0) continue;
    found = RelationalInvariant{node, Kind::rounded_to_odd, base};
    found->places = places;
    if (is_called_like(base, node)) break;
  }
  return found;
}

bool CandidateInvariants::is_finer(NodeId node) const {
  return has_exponent(node) &&
         std::any_of(with_exponent_.begin(), with_exponent_.end(), [&](NodeId kept) {
           return places_rounded_to_odd(sampled_.values(node), sampled_.values(kept)) > 0;
         });
}

std::optional<RelationalInvariant> CandidateInvariants::shifted(NodeId node) const {
  if (falls_.empty()) return std::nullopt;
  const auto it = odd_.find(odd_parts(sampled_.values(node)));
  if (it == odd_.end()) return std::nullopt;
  // Bases with the same mark name come first: samples may not distinguish a term that is mostly
  // zero from another.
  std::vector<NodeId> bases = it->second;
  std::stable_partition(bases.begin(), bases.end(),
                        [&](NodeId base) { return is_called_like(base, node); });
  for (NodeId base : bases) {
    // The last one first, because aligned terms depend on it.
    for (std::size_t i = falls_.size(); i-- > 0;) {
      if (!above_[i][node]) continue;
      if (const auto r = shifted(node, base, falls_[i])) return r;
    }
  }
  return std::nullopt;
}

std::optional<RelationalInvariant> CandidateInvariants::shifted(NodeId node, NodeId base,
                                                                const DifferenceBound& fall) const {
  const std::vector<Integer>& x = sampled_.values(base);
  const std::vector<Integer>& y = sampled_.values(node);
  const auto lowest = [](const Integer& v) { return static_cast<int>(trailing_zeros(v)); };
  std::optional<int> places;
  std::optional<int> lowest_bit;  // of the shifted base
  bool negative = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 0) continue;
    const Integer& from = sampled_.values(fall.from)[i];
    const Integer by =
        std::max(from, fall.least.value_or(from)) + fall.constant - sampled_.values(fall.to)[i];
    const int shifted = lowest(x[i]) + by.convert_to<int>();
    lowest_bit = std::min(lowest_bit.value_or(shifted), shifted);
    const int rest = lowest(y[i]) - shifted;
    if (!places) negative = (x[i] < 0) != (y[i] < 0);
    if (places && *places != rest) return std::nullopt;
    places = rest;
  }
  if (!places) return std::nullopt;
  RelationalInvariant r{node, Kind::shifted, base};
  r.factor = *places > 0 ? power_of_two(u(*places)) : Integer(1);
  if (negative) r.factor = -r.factor;
  r.places = *places < 0 ? u(-*places) : 0;
  r.fall = fall;
  r.is_exact = *places < 0 && *lowest_bit >= -*places;
  return r;
}

std::optional<RelationalInvariant> equal_unless(const SimulationSignatures& sampled, NodeId y,
                                                NodeId x, const WhereNotAsked& unless) {
  std::optional<Integer> apart;
  for (std::size_t i = 0; i < sampled.values(y).size(); ++i) {
    if ((sampled.values(unless.condition)[i] != 0) == unless.is) continue;
    const Integer by = sampled.values(y)[i] - sampled.values(x)[i];
    if (apart && *apart != by) return std::nullopt;
    apart = by;
  }
  if (!apart) return std::nullopt;
  RelationalInvariant r{y, Kind::linear, x};
  r.constant = *apart;
  r.unless = unless.holds;
  return r;
}

}  // namespace mmaspec
