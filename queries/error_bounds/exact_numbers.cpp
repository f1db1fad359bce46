#include "queries/error_bounds/exact_numbers.h"

#include <algorithm>

#include "spec/formats/unpack.h"
#include "spec/lang/linear.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// The unit of a sum that is a marked node times a power of two.
std::optional<ScaledSum> marked(const Graph& graph, NodeId sum) {
  const auto without_content = [&](NodeId n) {
    LinearForm form = LinearForm::of(graph, n);
    const Integer content = form.constant == 0 ? form.content() : Integer(1);
    const unsigned places = content == 0 ? 0 : trailing_zeros(content);
    for (auto& [node, factor] : form.terms) factor /= power_of_two(places);
    return std::pair{form, static_cast<int>(places)};
  };
  const auto [form, places] = without_content(sum);
  for (const Mark& m : graph.marks()) {
    if (!m.exponent) continue;
    if (m.node == sum) return ScaledSum{sum, *m.exponent, m.exponent_offset};
    const auto [of_mark, places_of_mark] = without_content(m.node);
    if (places > places_of_mark && form.constant == 0 && of_mark.constant == 0 &&
        form.terms == of_mark.terms) {
      return ScaledSum{sum, *m.exponent, m.exponent_offset - (places - places_of_mark)};
    }
  }
  return std::nullopt;
}

bool is_marked_as_sum(const Graph& graph, NodeId n) {
  return std::any_of(graph.marks().begin(), graph.marks().end(), [&](const Mark& m) {
    return m.node == n && m.exponent && m.role == MarkRole::sum;
  });
}

Rational value(const Integer& significand, const Integer& exponent, int offset) {
  return Rational(significand) * rational_power_of_two(exponent.convert_to<int>() + offset);
}

/// The nodes on which a node's value depends through sums, products and shifts, back to exact
/// numbers, and the maxima by which it is shifted.
std::set<NodeId> parts_of(const Graph& graph, NodeId root, const ExactNumbers& numbers) {
  std::set<NodeId> parts;
  std::vector<std::pair<NodeId, bool>> pending{{root, true}};  // whether it is a value
  std::set<std::pair<NodeId, bool>> seen;
  while (!pending.empty()) {
    const auto [n, is_value] = pending.back();
    pending.pop_back();
    if (!seen.insert({n, is_value}).second || (n != root && numbers.is_source(n))) continue;
    const Node& node = graph[n];
    if (is_value || node.op == Op::maximum) parts.insert(n);
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      const bool is_shift = node.op == Op::shift_left || node.op == Op::floor_shift_right;
      const bool is_place = is_shift && i == 1;
      const bool is_condition = is_boolean(graph[node.args[i]].op);
      const bool is_exponent = node.op == Op::maximum || node.op == Op::bit_length;
      pending.emplace_back(node.args[i], is_value && !is_place && !is_condition && !is_exponent);
    }
  }
  return parts;
}

/// Finds the unit from samples in which the sum is large, so that cuts are relatively small.
class UnitBySamples {
 public:
  UnitBySamples(NodeId sum, const std::set<std::size_t>& terms, const ExactNumbers& numbers,
                const std::vector<NodeId>& exponents, const Samples& samples)
      : sum_(sum) {
    std::vector<NodeId> nodes = exponents;
    nodes.push_back(sum);
    for (std::size_t i : terms) {
      const BinaryRational& x = numbers[i].value;
      nodes.insert(nodes.end(), {x.significand.id(), x.exponent.id()});
    }
    const SimulationSignatures sampled = samples(nodes);
    const std::vector<Integer>& units = sampled.values(sum);
    for (std::size_t s = 0; s < units.size(); ++s) {
      if (boost::multiprecision::abs(units[s]) < kLarge) continue;
      Rational exact = 0;
      for (std::size_t i : terms) {
        const BinaryRational& x = numbers[i].value;
        exact += value(sampled.values(x.significand.id())[s], sampled.values(x.exponent.id())[s],
                       x.offset);
      }
      exact_.push_back(exact / Rational(units[s]));
      large_.push_back(s);
    }
    for (NodeId e : exponents) exponents_.emplace(e, sampled.values(e));
  }

  std::optional<ScaledSum> with(NodeId exponent) const {
    constexpr std::size_t kFewest = 3;
    std::optional<int> offset;
    if (large_.size() < kFewest) return std::nullopt;
    for (std::size_t i = 0; i < large_.size(); ++i) {
      const Integer& e = exponents_.at(exponent)[large_[i]];
      const Rational unit = exact_[i] / rational_power_of_two(e.convert_to<int>());
      if (unit <= 0) return std::nullopt;
      const int near = floor_log2(unit * Rational(4, 3));
      const Rational ratio = unit / rational_power_of_two(near);
      if (abs(Rational(ratio - 1)) > kLittle || near != offset.value_or(near)) return std::nullopt;
      offset = near;
    }
    return ScaledSum{sum_, exponent, *offset};
  }

 private:
  static inline const Integer kLarge = 64;
  static inline const Rational kLittle{1, 4};

  NodeId sum_;
  std::vector<Rational> exact_;     ///< the unit, if nothing were cut
  std::vector<std::size_t> large_;  ///< indices of these samples
  std::map<NodeId, std::vector<Integer>> exponents_;
};

}  // namespace

BinaryRational scaled_number(const Format& format, const Unpacked& x) {
  return {negate_if(x.sign, x.significand), x.exponent, -format.fraction_bits};
}

BinaryRational scaled_number(const Format& format, Int pattern) {
  return scaled_number(format, unpack(format, pattern));
}

void ExactNumbers::add_operands(const DotFormats& formats, const Magnitude& size) {
  const DotOperands in = dot_inputs(formats);
  const UnpackedOperands x = unpack(formats, in);
  for (std::size_t k = 0; k < in.a.size(); ++k) {
    const Term t = scaled_product(formats, x, k);
    add({{negate_if(t.sign, t.significand), t.exponent, -t.fraction_bits},
         {in.a[k].id(), in.b[k].id()},
         size});
  }
  add({scaled_number(*formats.c, x.c), {in.c.id()}, size});
}

void ExactNumbers::add(ExactNumber number) {
  for (NodeId s : number.sources) of_source_.emplace(s, all_.size());
  all_.push_back(std::move(number));
}

std::set<std::size_t> ExactNumbers::below(NodeId root, const std::vector<NodeId>& cut) const {
  std::set<std::size_t> found;
  std::set<NodeId> seen;
  std::vector<NodeId> pending{root};
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (!seen.insert(n).second || std::find(cut.begin(), cut.end(), n) != cut.end()) continue;
    if (const auto it = of_source_.find(n); it != of_source_.end()) {
      found.insert(it->second);
    } else {
      pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
    }
  }
  return found;
}

std::vector<ScaledSum> sums_below(Graph& graph, NodeId node, const ExactNumbers& numbers,
                                  const Samples& samples) {
  std::vector<NodeId> maxima;
  std::vector<NodeId> sums;
  for (NodeId n : parts_of(graph, node, numbers)) {
    if (graph[n].op == Op::maximum) maxima.push_back(n);
    const bool is_sum = graph[n].op == Op::sum && graph[n].range.low < 0;
    if (is_sum || is_marked_as_sum(graph, n)) sums.push_back(n);
  }
  std::vector<ScaledSum> all;
  for (NodeId n : sums) {
    const std::set<std::size_t> terms = numbers.below(n, maxima);
    if (terms.size() < (is_marked_as_sum(graph, n) ? 1 : 2)) continue;
    if (const auto sum = marked(graph, n)) {
      all.push_back(*sum);
      continue;
    }
    std::vector<NodeId> exponents{Int(0).id()};
    for (NodeId m : maxima) {
      if (m < n) exponents.push_back(m);
    }
    const UnitBySamples unit(n, terms, numbers, exponents, samples);
    for (auto e = exponents.rbegin(); e != exponents.rend(); ++e) {
      if (const auto sum = unit.with(*e)) {
        all.push_back(*sum);
        break;
      }
    }
  }
  return all;
}

}  // namespace mmaspec
