#include "queries/relations/maxima.h"

#include <algorithm>

namespace mmaspec {
namespace {

struct Members {
  NodeId x;
  NodeId y;
  Integer least;  ///< range of y - x in the samples
  Integer most;
};

Members apart(NodeId x, NodeId y, const Integer& least_x, const Integer& least_y,
              const SimulationSignatures& sampled) {
  const std::vector<Integer>& of_x = sampled.values(x);
  const std::vector<Integer>& of_y = sampled.values(y);
  std::optional<Integer> least;
  std::optional<Integer> most;
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    const Integer by = std::max(of_y[i], least_y) - std::max(of_x[i], least_x);
    least = std::min(least.value_or(by), by);
    most = std::max(most.value_or(by), by);
  }
  return {x, y, *least, *most};
}

/// The members that decide a maximum. Each counts as at least the maximum's least value.
std::vector<NodeId> members_of(const Node& maximum, const Graph& graph) {
  std::vector<NodeId> all = maximum.args;
  std::erase_if(all, [&](NodeId n) { return graph[n].range.high <= maximum.range.low; });
  return all;
}

/// The value that a smaller maximum counts as: its least possible value, or the least value in the
/// samples of all members that do not have the sentinel exponent of zero.
Integer least_but_for_zeros(const std::vector<NodeId>& members, const Integer& least,
                            const SimulationSignatures& sampled) {
  constexpr int kFar = 40;
  std::optional<Integer> next;
  for (NodeId m : members) {
    for (const Integer& value : sampled.values(m)) {
      if (value > least) next = std::min(next.value_or(value), value);
    }
  }
  return next && *next - least > kFar ? *next : least;
}

/// Pairs each member of y with the member of x that is nearest in the samples. The pairing
/// determines which lemmas are tried; the proof does not depend on it.
std::vector<Members> paired(std::vector<NodeId> open, const std::vector<NodeId>& of_y,
                            const SimulationSignatures& sampled, const Integer& least_x,
                            const Integer& least_y) {
  std::vector<Members> all;
  for (NodeId m : of_y) {
    std::optional<Members> nearest;
    for (NodeId other : open) {
      const Members tried = apart(other, m, least_x, least_y, sampled);
      const bool nearer =
          !nearest || tried.most - tried.least < nearest->most - nearest->least || other == m;
      if (nearer) nearest = tried;
      if (other == m) break;
    }
    open.erase(std::find(open.begin(), open.end(), nearest->x));
    all.push_back(*nearest);
  }
  return all;
}

class ByMembers {
 public:
  ByMembers(std::vector<Members> members, Integer least_x, Integer least_y,
            const SimulationSignatures& sampled, const IsExcluded& is_excluded)
      : members_(std::move(members)),
        least_x_(std::move(least_x)),
        least_y_(std::move(least_y)),
        sampled_(sampled),
        is_excluded_(is_excluded) {}

  /// An upper bound of y - x, or of x - y.
  std::optional<int> largest_difference(bool of_y, int farthest) const {
    std::optional<Integer> known;
    for (const Members& m : members_) {
      const Integer sampled = of_y ? m.most : Integer(-m.least);
      known = std::max(known.value_or(sampled), sampled);
    }
    if (!known || *known > farthest || *known < -farthest) return std::nullopt;
    int bound = known->convert_to<int>();
    for (const Members& m : members_) {
      const Int by = of_y ? y(m) - x(m) : x(m) - y(m);
      int step = 1;
      while (by.range().high > bound &&
             !is_excluded_("members of maxima differ by no more than " + std::to_string(bound),
                           by > bound)) {
        bound += step;
        step *= 2;
        if (bound > farthest) return std::nullopt;
      }
    }
    return bound;
  }

  /// y - x where x is largest in the samples.
  Integer usual_difference() const {
    std::optional<Integer> largest;
    Integer usual = 0;
    for (const Members& m : members_) {
      for (std::size_t i = 0; i < sampled_.values(m.x).size(); ++i) {
        if (largest && sampled_.values(m.x)[i] <= *largest) continue;
        largest = sampled_.values(m.x)[i];
        usual = sampled_y(m, i) - sampled_x(m, i);
      }
    }
    return usual;
  }

  /// An upper bound of x and y - usual where y - x is not `usual`, if it is less than the range of
  /// x.
  std::optional<Integer> largest_where_unusual(const Integer& usual) const {
    constexpr int kSteps = 8;
    std::optional<Integer> bound;
    for (const Members& m : members_) {
      const Int own_x = x(m);
      const Int other = y(m) - usual;
      const Bool unusual = own_x != other;
      if (unusual.same_as(false)) continue;
      Integer own = sampled_where_unusual(m, usual).value_or(own_x.range().low);
      if (bound) own = std::max(own, *bound);
      Integer step = 1;
      for (int i = 0;
           own < own_x.range().high &&
           !is_excluded_(
               "where largest exponents differ otherwise they are no more than " + own.str(),
               unusual && max(own_x, other) > own);
           ++i) {
        own += step;
        step *= 2;
        if (i == kSteps) return std::nullopt;
      }
      if (own >= own_x.range().high) return std::nullopt;
      bound = own;
    }
    return bound;
  }

 private:
  Int x(const Members& m) const { return max(Int::of(m.x), least_x_); }
  Int y(const Members& m) const { return max(Int::of(m.y), least_y_); }

  Integer sampled_x(const Members& m, std::size_t i) const {
    return std::max(sampled_.values(m.x)[i], least_x_);
  }
  Integer sampled_y(const Members& m, std::size_t i) const {
    return std::max(sampled_.values(m.y)[i], least_y_);
  }

  std::optional<Integer> sampled_where_unusual(const Members& m, const Integer& usual) const {
    std::optional<Integer> largest;
    for (std::size_t i = 0; i < sampled_.values(m.x).size(); ++i) {
      const Integer own = sampled_x(m, i);
      const Integer other = sampled_y(m, i) - usual;
      if (own != other) largest = std::max(largest.value_or(own), std::max(own, other));
    }
    return largest;
  }

  const std::vector<Members> members_;
  const Integer least_x_;  ///< lower bound of the maximum, and so of what each member counts as
  const Integer least_y_;
  const SimulationSignatures& sampled_;
  const IsExcluded& is_excluded_;
};

}  // namespace

std::optional<RelationalInvariant> bound_by_members(NodeId y, NodeId x, Zeros zeros, int farthest,
                                                    const SimulationSignatures& sampled,
                                                    const IsExcluded& is_excluded) {
  const Graph& graph = Graph::current();
  const std::vector<NodeId> of_x = members_of(graph[x], graph);
  const std::vector<NodeId> of_y = members_of(graph[y], graph);
  if (of_x.size() != of_y.size()) return std::nullopt;
  const Integer& lowest = graph[x].range.low;
  const Integer least_x =
      zeros == Zeros::far_below ? least_but_for_zeros(of_x, lowest, sampled) : lowest;
  const bool counts_more = least_x > lowest;
  if (zeros == Zeros::far_below && !counts_more) return std::nullopt;
  const Integer least_y = graph[y].range.low;
  const ByMembers members(paired(of_x, of_y, sampled, least_x, least_y), least_x, least_y, sampled,
                          is_excluded);
  const auto high = members.largest_difference(true, farthest);
  const auto fall = high ? members.largest_difference(false, farthest) : std::nullopt;
  if (!fall || *high + *fall > farthest) return std::nullopt;
  RelationalInvariant r{y, RelationalInvariant::Kind::linear, x};
  if (*high + *fall == 0 && !counts_more) {
    r.constant = *high;
    return r;
  }
  r.kind = RelationalInvariant::Kind::bounded_difference;
  const Integer usual = members.usual_difference();
  r.fall = {x,
            *high,
            y,
            static_cast<unsigned>(std::max(*high + *fall, 1)),
            (*high - usual).convert_to<unsigned>(),
            members.largest_where_unusual(usual)};
  if (counts_more) r.fall.least = least_x;
  return r;
}

std::optional<Range> range_by_members(NodeId maximum, const SimulationSignatures& sampled,
                                      const IsExcluded& is_excluded) {
  const Range& range = Graph::current()[maximum].range;
  const std::vector<Integer>& values = sampled.values(maximum);
  Integer bound = *std::max_element(values.begin(), values.end());
  const std::vector<NodeId> members = members_of(Graph::current()[maximum], Graph::current());
  // Samples may not contain the largest.
  for (Integer step = 1; bound < range.high; bound += step, step *= 2) {
    if (std::all_of(members.begin(), members.end(), [&](NodeId m) {
          return is_excluded("a member of a maximum is no more than " + bound.str(),
                             Int::of(m) > bound);
        })) {
      return Range{range.low, bound};
    }
  }
  return std::nullopt;
}

}  // namespace mmaspec
