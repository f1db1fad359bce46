#include "queries/draw/operand_sets.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <unordered_set>

#include "concrete/batch/evaluator.h"

namespace mmaspec {
namespace {

/// A program that evaluates literals on one input.
class Membership {
 public:
  Membership(const Graph& graph, NodeId input, const Ordinals& ordinals,
             const std::vector<Literal>& literals)
      : ordinals_(ordinals),
        literals_(literals),
        row_(graph[input].low),
        evaluator_(graph, nodes(literals)),
        inputs_(row_ + 1, kLanes),
        results_(literals.size(), kLanes) {}

  /// For each ordinal, whether all literals hold.
  std::vector<bool> of(const std::vector<std::int64_t>& all) {
    std::vector<bool> members;
    members.reserve(all.size());
    for (std::size_t first = 0; first < all.size(); first += kLanes) {
      const std::size_t count = std::min(kLanes, all.size() - first);
      for (std::size_t i = 0; i < kLanes; ++i) {
        inputs_[row_][i] = ordinals_.pattern(all[first + std::min(i, count - 1)]);
      }
      evaluator_.evaluate(inputs_, results_, scratch_);
      for (std::size_t i = 0; i < count; ++i) {
        bool all_hold = true;
        for (std::size_t r = 0; r < literals_.size(); ++r) {
          all_hold = all_hold && (results_[r][i] != 0) == literals_[r].holds;
        }
        members.push_back(all_hold);
      }
    }
    return members;
  }

 private:
  static constexpr std::size_t kLanes = 4 * BatchEvaluator::kBlock;

  static std::vector<NodeId> nodes(const std::vector<Literal>& literals) {
    std::vector<NodeId> all;
    for (const Literal& l : literals) all.push_back(l.node);
    return all;
  }

  const Ordinals& ordinals_;
  const std::vector<Literal>& literals_;
  std::size_t row_;
  BatchEvaluator evaluator_;
  BatchEvaluator::Scratch scratch_;
  Lanes inputs_;
  Lanes results_;
};

/// Ordinals near the constants of the literals, with both signs.
std::vector<std::int64_t> about_constants(const Graph& graph, const std::vector<Literal>& literals,
                                          const Ordinals& ordinals) {
  std::vector<NodeId> roots;
  for (const Literal& l : literals) roots.push_back(l.node);
  std::vector<std::int64_t> all;
  for (const NodeId n : graph.cone(roots)) {
    const Node& node = graph[n];
    if (node.op != Op::constant && node.op != Op::sum) continue;
    const Integer size = boost::multiprecision::abs(node.value);
    if (size > ordinals.most()) continue;
    const auto constant = size.convert_to<std::int64_t>();
    for (const std::int64_t x : {constant, -1 - constant}) {
      for (const std::int64_t step : {-2, -1, 0, 1, 2}) all.push_back(x + step);
    }
  }
  return all;
}

/// Ascending, without duplicates, within the format.
std::vector<std::int64_t> tried(const Graph& graph, const std::vector<Literal>& literals,
                                const Ordinals& ordinals) {
  std::vector<std::int64_t> all;
  const int below = std::max(ordinals.used_bits() - OperandSet::kTriedBits, 0);
  const std::uint64_t count = std::uint64_t{1} << (ordinals.used_bits() - below);
  for (std::uint64_t i = 0; i < count; ++i) {
    all.push_back(ordinals.least() + static_cast<std::int64_t>(i << below));
  }
  if (below == 0) return all;
  all.push_back(ordinals.most());
  // Boundaries of exponents and classes.
  for (const std::int64_t x : {std::int64_t{0}, ordinals.largest_finite(), ordinals.binade()}) {
    for (const std::int64_t y : {x - 1, x, x + 1, -2 - x, -1 - x, -x}) all.push_back(y);
  }
  const std::vector<std::int64_t> special = about_constants(graph, literals, ordinals);
  all.insert(all.end(), special.begin(), special.end());
  std::erase_if(all, [&](std::int64_t x) { return x < ordinals.least() || x > ordinals.most(); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Neighbouring ordinals, one of which is a member and the other is not.
struct Limit {
  std::int64_t low;
  std::int64_t high;
  bool low_is_member;
};

void halve(std::vector<Limit>& limits, Membership& membership) {
  std::vector<std::int64_t> middles(limits.size());
  const auto apart = [](const Limit& l) {
    return static_cast<std::uint64_t>(l.high) - static_cast<std::uint64_t>(l.low);
  };
  while (std::any_of(limits.begin(), limits.end(), [&](const Limit& l) { return apart(l) > 1; })) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      middles[i] = limits[i].low + static_cast<std::int64_t>(apart(limits[i]) / 2);
    }
    const std::vector<bool> members = membership.of(middles);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (apart(limits[i]) <= 1) continue;
      (members[i] == limits[i].low_is_member ? limits[i].low : limits[i].high) = middles[i];
    }
  }
}

}  // namespace

OperandSet::OperandSet(const Format& format, std::vector<OrdinalRange> ranges)
    : format_(&format), ordinals_(format), ranges_(std::move(ranges)) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  for (const OrdinalRange& r : ranges_) {
    before_.push_back(count_);
    const std::uint64_t size =
        static_cast<std::uint64_t>(r.high) - static_cast<std::uint64_t>(r.low) + 1;
    count_ = size == 0 || size > kMost - count_ ? kMost : count_ + size;
  }
}

bool OperandSet::holds(std::int64_t ordinal) const {
  return !ranges_.empty() && nearest(ordinal) == ordinal;
}

std::int64_t OperandSet::nearest(std::int64_t ordinal) const {
  const auto above =
      std::upper_bound(ranges_.begin(), ranges_.end(), ordinal,
                       [](std::int64_t x, const OrdinalRange& r) { return x < r.low; });
  if (above == ranges_.begin()) return above->low;
  const auto below = std::prev(above);
  if (ordinal <= below->high) return ordinal;
  if (above == ranges_.end()) return below->high;
  const auto distance = [](std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  };
  return distance(below->high, ordinal) <= distance(ordinal, above->low) ? below->high : above->low;
}

std::int64_t OperandSet::member(std::uint64_t number) const {
  const auto after = std::upper_bound(before_.begin(), before_.end(), number);
  const auto i = static_cast<std::size_t>(std::distance(before_.begin(), after)) - 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(ranges_[i].low) +
                                   (number - before_[i]));
}

std::vector<NodeId> inputs_of(const Graph& graph, const Literal& literal) {
  // Graph::cone() is not used because its time depends on the size of the whole graph.
  std::vector<NodeId> all;
  std::unordered_set<NodeId> seen{literal.node};
  std::vector<NodeId> pending{literal.node};
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (graph[n].op == Op::input) all.push_back(n);
    for (const NodeId a : graph[n].args) {
      if (seen.insert(a).second) pending.push_back(a);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

OperandSet operand_set(const Graph& graph, NodeId input, const Format& format,
                       const std::vector<Literal>& literals) {
  const Ordinals ordinals(format);
  if (literals.empty()) return {format, {{ordinals.least(), ordinals.most()}}};
  Membership membership(graph, input, ordinals, literals);
  const std::vector<std::int64_t> all = tried(graph, literals, ordinals);
  const std::vector<bool> members = membership.of(all);
  std::vector<Limit> limits;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (members[i] != members[i - 1]) limits.push_back({all[i - 1], all[i], members[i - 1]});
  }
  halve(limits, membership);
  std::vector<OrdinalRange> ranges;
  std::optional<std::int64_t> begin;
  if (members.front()) begin = all.front();
  for (const Limit& l : limits) {
    if (l.low_is_member) {
      ranges.push_back({*begin, l.low});
      begin.reset();
    } else {
      begin = l.high;
    }
  }
  if (begin) ranges.push_back({*begin, all.back()});
  return {format, std::move(ranges)};
}

std::shared_ptr<const OperandSet> OperandSets::of(NodeId input, const Format& format,
                                                  const std::vector<Literal>& literals) {
  // The literals as text in which the input does not have a name.
  std::string key(format.name);
  std::map<NodeId, std::size_t> numbers;
  const std::function<void(NodeId)> write = [&](NodeId n) {
    const auto [it, is_new] = numbers.emplace(n, numbers.size());
    key += " " + std::to_string(it->second);
    if (!is_new) return;
    const Node& node = graph_[n];
    key += std::string(name(node.op));
    if (node.op == Op::input) return;
    key += " " + node.value.str() + " " + std::to_string(node.low) + " " +
           std::to_string(node.width) + " " + node.range.low.str() + " " + node.range.high.str();
    for (const Integer& c : node.coefficients) key += " " + c.str();
    for (const NodeId a : node.args) write(a);
  };
  for (const Literal& l : literals) {
    key += l.holds ? " +" : " -";
    write(l.node);
  }
  auto& set = known_[key];
  if (!set) {
    set = std::make_shared<const OperandSet>(operand_set(graph_, input, format, literals));
  }
  return set;
}

std::vector<std::vector<Literal>> ways_to_satisfy(const Graph& graph,
                                                  const std::vector<NodeId>& conditions,
                                                  std::size_t most) {
  struct Way {
    std::vector<Literal> done;
    std::vector<Literal> pending;
  };
  std::vector<Way> open(1);
  for (const NodeId c : conditions) open[0].pending.push_back({c});
  std::vector<std::vector<Literal>> ways;
  while (!open.empty()) {
    Way way = std::move(open.back());
    open.pop_back();
    bool parted = false;
    while (!way.pending.empty() && !parted) {
      const Literal l = way.pending.back();
      way.pending.pop_back();
      const Node& node = graph[l.node];
      if (node.op == Op::logical_not) {
        way.pending.push_back({node.args[0], !l.holds});
      } else if (node.op == Op::logical_and && l.holds) {
        for (const NodeId a : node.args) way.pending.push_back({a});
      } else if (node.op == Op::logical_and && inputs_of(graph, l).size() > 1 &&
                 ways.size() + open.size() + node.args.size() <= most) {
        for (const NodeId a : node.args) {
          open.push_back(way);
          open.back().pending.push_back({a, false});
        }
        parted = true;
      } else {
        way.done.push_back(l);
      }
    }
    if (!parted) ways.push_back(std::move(way.done));
  }
  return ways;
}

}  // namespace mmaspec
