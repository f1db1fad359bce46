#include "queries/derive/maxima.h"

#include <algorithm>

namespace mmaspec {
namespace {

constexpr int kFarthest = 40;  // that maxima may lie apart

struct Members {
  NodeId x;
  NodeId y;
  Integer least;  ///< y - x in the samples
  Integer most;
};

Members apart(NodeId x, NodeId y, const SampledNodes& sampled) {
  const std::vector<Integer>& of_x = sampled.values(x);
  const std::vector<Integer>& of_y = sampled.values(y);
  Members m{x, y, of_y[0] - of_x[0], of_y[0] - of_x[0]};
  for (std::size_t i = 1; i < of_x.size(); ++i) {
    m.least = std::min(m.least, Integer(of_y[i] - of_x[i]));
    m.most = std::max(m.most, Integer(of_y[i] - of_x[i]));
  }
  return m;
}

/// Each member of y with the one of x that lies nearest by the samples. Which is taken decides what
/// is asked, and not what is believed.
std::vector<Members> paired(const Node& x, const Node& y, const SampledNodes& sampled) {
  std::vector<NodeId> open = x.args;
  std::vector<Members> all;
  for (NodeId m : y.args) {
    std::optional<Members> nearest;
    for (NodeId other : open) {
      const Members tried = apart(other, m, sampled);
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
  ByMembers(std::vector<Members> members, const SampledNodes& sampled,
            const IsExcluded& is_excluded)
      : members_(std::move(members)), sampled_(sampled), is_excluded_(is_excluded) {}

  /// Of y - x, or of x - y.
  std::optional<int> largest_difference(bool of_y) const {
    std::optional<Integer> known;
    for (const Members& m : members_) {
      const Integer sampled = of_y ? m.most : Integer(-m.least);
      known = std::max(known.value_or(sampled), sampled);
    }
    if (*known > kFarthest || *known < -kFarthest) return std::nullopt;
    int bound = known->convert_to<int>();
    for (const Members& m : members_) {
      const Int by = of_y ? Int::of(m.y) - Int::of(m.x) : Int::of(m.x) - Int::of(m.y);
      int step = 1;
      while (by.range().high > bound &&
             !is_excluded_("members of maxima differ by no more than " + std::to_string(bound),
                           by > bound)) {
        bound += step;
        step *= 2;
        if (bound > kFarthest) return std::nullopt;
      }
    }
    return bound;
  }

  /// Up to which x may be where x + high - y is positive, if that is less than x may be at all.
  std::optional<Integer> largest_where_it_falls(int high) const {
    constexpr int kSteps = 8;
    std::optional<Integer> bound;
    for (const Members& m : members_) {
      const Int x = Int::of(m.x);
      const Bool falls = x + high > Int::of(m.y);
      if (falls.same_as(false)) continue;
      Integer own = sampled_where_it_falls(m, high).value_or(x.range().low);
      if (bound) own = std::max(own, *bound);
      Integer step = 1;
      for (int i = 0;
           own < x.range().high &&
           !is_excluded_("where a largest exponent falls it is no more than " + own.str(),
                         falls && x > own);
           ++i) {
        own += step;
        step *= 2;
        if (i == kSteps) return std::nullopt;
      }
      if (own >= x.range().high) return std::nullopt;
      bound = own;
    }
    return bound;
  }

 private:
  std::optional<Integer> sampled_where_it_falls(const Members& m, int high) const {
    const std::vector<Integer>& x = sampled_.values(m.x);
    const std::vector<Integer>& y = sampled_.values(m.y);
    std::optional<Integer> largest;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] + high > y[i]) largest = std::max(largest.value_or(x[i]), x[i]);
    }
    return largest;
  }

  const std::vector<Members> members_;
  const SampledNodes& sampled_;
  const IsExcluded& is_excluded_;
};

}  // namespace

std::optional<NodeRelation> bound_by_members(NodeId y, NodeId x, const SampledNodes& sampled,
                                             const IsExcluded& is_excluded) {
  const Graph& graph = Graph::current();
  if (graph[x].args.size() != graph[y].args.size()) return std::nullopt;
  const ByMembers members(paired(graph[x], graph[y], sampled), sampled, is_excluded);
  const auto high = members.largest_difference(true);
  const auto fall = high ? members.largest_difference(false) : std::nullopt;
  if (!fall || *high + *fall > kFarthest) return std::nullopt;
  NodeRelation r{y, NodeRelation::Kind::linear, x};
  if (*high + *fall == 0) {
    r.constant = *high;
    return r;
  }
  r.kind = NodeRelation::Kind::falls;
  r.fall = {x, *high, y, static_cast<unsigned>(*high + *fall),
            members.largest_where_it_falls(*high)};
  return r;
}

}  // namespace mmaspec
