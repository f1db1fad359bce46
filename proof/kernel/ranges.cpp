// Interval arithmetic over the operations of a goal.

#include "proof/kernel/ranges.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace mmaspec::kernel {
namespace {

constexpr unsigned kLongest = 20000;  // in bits of a word

void require_defined(bool holds, const std::string& otherwise) {
  if (!holds) throw OutOfDomain(otherwise);
}

Range product(const Range& x, const Range& y) {
  const std::array<Integer, 4> ends{x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
  const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  return {*least, *most};
}

/// The amount as a machine integer, clamped to the longest word.
unsigned amount(const Integer& n) { return n < kLongest ? n.convert_to<unsigned>() : kLongest; }

/// constant + the sum of coefficient * node.
struct LinearForm {
  Integer constant = 0;
  std::map<NodeId, Integer> terms = {};

  void add(const Integer& factor, NodeId id, const TermGraph& graph) {
    const Node& node = graph.nodes[id];
    if (node.op == Op::constant) {
      constant += factor * node.value;
    } else if (node.op == Op::sum) {
      constant += factor * node.value;
      for (std::size_t i = 0; i < node.args.size(); ++i) {
        terms[node.args[i]] += factor * node.coefficients[i];
      }
    } else {
      terms[id] += factor;
    }
  }
};

/// Limits: nested substitutions, and members of an extremum that are tried.
constexpr int kSubstitutions = 2;
constexpr std::size_t kMostMembers = 256;
constexpr std::size_t kMostConditions = 3;

/// The form with a branch in place of each select of the condition: 1 if it holds, otherwise 2.
LinearForm with_branch(const LinearForm& form, NodeId condition, std::size_t branch,
                       const TermGraph& graph) {
  LinearForm taken{form.constant};
  for (const auto& [id, coefficient] : form.terms) {
    const Node& node = graph.nodes[id];
    if (node.op == Op::select && node.args[0] == condition) {
      taken.add(coefficient, node.args[branch], graph);
    } else {
      taken.terms[id] += coefficient;
    }
  }
  return taken;
}

/// A lower bound of the form. A maximum is at least each of its members: replacing a positive
/// multiple of it by a member does not increase the sum. It also equals one of its members: the sum
/// equals one of those with a member in its place. For a minimum the same holds with the signs
/// exchanged. All selects of one condition take the same branch: the sum equals that with all first
/// branches or that with all second branches.
Integer lower_bound(const LinearForm& form, int substitutions, const TermGraph& graph,
                    const std::vector<Range>& ranges) {
  Integer bound = form.constant;
  for (const auto& [id, coefficient] : form.terms) {
    bound += coefficient * (coefficient < 0 ? ranges[id].high : ranges[id].low);
  }
  if (substitutions == 0) return bound;
  std::set<NodeId> conditions;
  for (const auto& [id, coefficient] : form.terms) {
    const Node& node = graph.nodes[id];
    if (node.op == Op::select) conditions.insert(node.args[0]);
    const bool is_extremum = node.op == Op::maximum || node.op == Op::minimum;
    if (!is_extremum || node.args.size() > kMostMembers) continue;
    // The bounds with each member in place of the extremum: one of them holds, or all of them do.
    const bool all_hold = (node.op == Op::maximum) == (coefficient > 0);
    std::optional<Integer> with_members;
    for (const NodeId member : node.args) {
      LinearForm other = form;
      other.terms.erase(id);
      other.add(coefficient, member, graph);
      const Integer b = lower_bound(other, substitutions - 1, graph, ranges);
      if (!with_members || (all_hold ? b > *with_members : b < *with_members)) with_members = b;
    }
    bound = std::max(bound, *with_members);
  }
  if (conditions.size() > kMostConditions) return bound;
  for (const NodeId condition : conditions) {
    const auto bound_with = [&](std::size_t branch) {
      return lower_bound(with_branch(form, condition, branch, graph), substitutions - 1, graph,
                         ranges);
    };
    bound = std::max(bound, std::min(bound_with(1), bound_with(2)));
  }
  return bound;
}

/// An upper bound of the length of node x plus or minus the amount n, that is, of its bits after a
/// shift. Known if a node before `before` is the length of x.
std::optional<Integer> shifted_length(NodeId x, NodeId n, int sign, std::size_t before,
                                      const TermGraph& graph, const std::vector<Range>& ranges) {
  for (std::size_t i = 0; i < before; ++i) {
    const Node& node = graph.nodes[i];
    if (node.op != Op::bit_length || node.args[0] != x) continue;
    LinearForm negative;
    negative.add(-1, static_cast<NodeId>(i), graph);
    negative.add(-sign, n, graph);
    return -lower_bound(negative, kSubstitutions, graph, ranges);
  }
  return std::nullopt;
}

/// Limits a nonnegative number by its length, if that is known.
void bound_by_length(Range& range, const std::optional<Integer>& length) {
  if (!length || *length >= kLongest) return;
  const Integer high = *length <= 0 ? Integer(0) : power_of_two(amount(*length)) - 1;
  range.high = std::max(range.low, std::min(range.high, high));
}

Range range_of_sum(const Node& node, const TermGraph& graph, const std::vector<Range>& ranges) {
  LinearForm form{node.value};
  LinearForm negative{-node.value};
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    form.terms[node.args[i]] += node.coefficients[i];
    negative.terms[node.args[i]] -= node.coefficients[i];
  }
  return {lower_bound(form, kSubstitutions, graph, ranges),
          -lower_bound(negative, kSubstitutions, graph, ranges)};
}

Range range_of(const Node& node, const TermGraph& graph, const std::vector<Range>& ranges) {
  const auto arg = [&](std::size_t i) -> const Range& { return ranges[node.args[i]]; };
  switch (node.op) {
    case Op::constant:
    case Op::boolean:
      return {node.value, node.value};
    case Op::input:
      return {0, power_of_two(node.width) - 1};
    case Op::sum:
      return range_of_sum(node, graph, ranges);
    case Op::product: {
      Range all = arg(0);
      for (std::size_t i = 1; i < node.args.size(); ++i) all = product(all, arg(i));
      return all;
    }
    case Op::absolute: {
      const Range& x = arg(0);
      if (x.low >= 0) return x;
      if (x.high <= 0) return {-x.high, -x.low};
      return {0, std::max(Integer(-x.low), x.high)};
    }
    case Op::negate_if:
      return hull(arg(1), {-arg(1).high, -arg(1).low});
    case Op::select:
      return hull(arg(1), arg(2));
    case Op::minimum:
    case Op::maximum: {
      Range all = arg(0);
      const bool is_least = node.op == Op::minimum;
      for (std::size_t i = 1; i < node.args.size(); ++i) {
        all.low = is_least ? std::min(all.low, arg(i).low) : std::max(all.low, arg(i).low);
        all.high = is_least ? std::min(all.high, arg(i).high) : std::max(all.high, arg(i).high);
      }
      return all;
    }
    case Op::shift_left: {
      const Range& x = arg(0);
      const Range& n = arg(1);
      require_defined(n.low >= 0, "a shift amount may be negative");
      require_defined(n.high < kLongest, "a shift amount may exceed the longest word");
      Range result{x.low << amount(x.low < 0 ? n.high : n.low),
                   x.high << amount(x.high < 0 ? n.low : n.high)};
      if (x.low >= 0) {
        bound_by_length(
            result, shifted_length(node.args[0], node.args[1], 1, ranges.size(), graph, ranges));
      }
      // Rounding down to a multiple of 2^n does not increase a number.
      const Node& quotient = graph.nodes[node.args[0]];
      if (quotient.op == Op::floor_shift_right && quotient.args[1] == node.args[1]) {
        result.high = std::max(result.low, std::min(result.high, ranges[quotient.args[0]].high));
      }
      return result;
    }
    case Op::floor_shift_right: {
      const Range& x = arg(0);
      const Range& n = arg(1);
      require_defined(n.low >= 0, "a shift amount may be negative");
      Range result{floor_shift_right(x.low, amount(x.low < 0 ? n.low : n.high)),
                   floor_shift_right(x.high, amount(x.high < 0 ? n.high : n.low))};
      if (x.low >= 0) {
        bound_by_length(
            result, shifted_length(node.args[0], node.args[1], -1, ranges.size(), graph, ranges));
      }
      return result;
    }
    case Op::bits: {
      require_defined(arg(0).low >= 0, "bits of a number that may be negative");
      const Integer high = arg(0).high >> node.low;
      // Without bits above the extracted ones this is a division, which is monotone.
      if (bit_length(high) <= node.width) return {arg(0).low >> node.low, high};
      return {0, power_of_two(node.width) - 1};
    }
    case Op::bit_length:
      require_defined(arg(0).low >= 0, "the length of a number that may be negative");
      return {bit_length(arg(0).low), bit_length(arg(0).high)};
    case Op::claim: {
      const Range both{std::max(arg(0).low, node.range.low),
                       std::min(arg(0).high, node.range.high)};
      require_defined(both.low <= both.high, "a claim that contradicts the range of its operand");
      return both;
    }
    case Op::less:
    case Op::equal:
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_xor:
      return {0, 1};
  }
  throw std::logic_error("no such operation");
}

}  // namespace

unsigned width_of(const Range& range) {
  if (range.low >= 0) return std::max(bit_length(range.high), 1U);
  const unsigned negative = bit_length(Integer(-range.low - 1));
  const unsigned positive = range.high > 0 ? bit_length(range.high) : 0U;
  return std::max(negative, positive) + 1;
}

void extend_ranges(const TermGraph& graph, std::vector<Range>& ranges) {
  while (ranges.size() < graph.nodes.size()) {
    Range range = range_of(graph.nodes[ranges.size()], graph, ranges);
    require_defined(width_of(range) <= kLongest,
                    "a word of more than " + std::to_string(kLongest) + " bits");
    ranges.push_back(std::move(range));
  }
}

}  // namespace mmaspec::kernel
