#include "queries/draw/fitting.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace mmaspec {
namespace {

/// Largest number of cases for which disjunctions are split.
constexpr std::size_t kMostWays = 16;

/// Number of lanes of one kind.
constexpr std::size_t kSegment = 32;

/// A set counts as bounded if its numbers are at most this: uniform draws from it have ordinary
/// magnitudes.
constexpr double kBounded = 0x1p24;

/// Attempts to change an operand so that it satisfies a relation.
constexpr int kAttempts = 15;
/// The attempt that exchanges both operands.
constexpr int kSwap = 1;

/// The finite members at both ends.
std::pair<double, double> hull(const OperandSet& set) {
  const Ordinals& o = set.ordinals();
  const auto finite = [&](std::int64_t x) {
    return std::clamp(x, o.least_finite(), o.largest_finite());
  };
  return {o.value(finite(set.ranges().front().low)), o.value(finite(set.ranges().back().high))};
}

}  // namespace

Fitting::Fitting(const Graph& graph, const std::vector<NodeId>& conditions,
                 const std::vector<const Format*>& formats, unsigned seed)
    : random_(seed) {
  std::vector<Way> ways;
  OperandSets known(graph);
  for (const std::vector<Literal>& literals : ways_to_satisfy(graph, conditions, kMostWays)) {
    Way way;
    std::map<NodeId, std::vector<Literal>> alone;
    std::vector<Literal> relations;
    bool possible = true;
    for (const Literal& l : literals) {
      const std::vector<NodeId> inputs = inputs_of(graph, l);
      if (inputs.empty()) possible = possible && (graph[l.node].range.low != 0) == l.holds;
      if (inputs.size() == 1) alone[inputs[0]].push_back(l);
      if (inputs.size() == 2 || inputs.size() == 3) relations.push_back(l);
    }
    for (std::size_t i = 0; i < formats.size(); ++i) {
      way.sets.emplace_back();
      if (formats[i] == nullptr) continue;
      const NodeId input = graph.inputs()[i];
      const auto set = known.of(input, *formats[i], alone[input]);
      possible = possible && !set->empty();
      way.sets.back() = set;
    }
    if (!possible) continue;
    way.repairs = repairs_of(graph, relations);
    std::erase_if(way.repairs, [&](const Repair& r) {
      return way.sets[r.target] == nullptr ||
             std::any_of(r.sources.begin(), r.sources.end(),
                         [&](std::size_t s) { return way.sets[s] == nullptr; });
    });
    ways.push_back(std::move(way));
  }
  ways_ = std::make_shared<const std::vector<Way>>(std::move(ways));
}

/// Orders repairs so that their sources are already final: operands in many relations come first,
/// then those with lower numbers.
std::vector<Fitting::Repair> Fitting::repairs_of(const Graph& graph,
                                                 const std::vector<Literal>& relations) {
  std::map<NodeId, int> degree;
  for (const Literal& l : relations) {
    for (const NodeId i : inputs_of(graph, l)) ++degree[i];
  }
  const auto later = [&](NodeId x, NodeId y) {
    return degree[x] != degree[y] ? degree[x] < degree[y] : graph[x].low > graph[y].low;
  };
  std::map<NodeId, std::vector<Literal>> of_target;
  for (const Literal& l : relations) {
    std::vector<NodeId> inputs = inputs_of(graph, l);
    of_target[*std::min_element(inputs.begin(), inputs.end(), later)].push_back(l);
  }
  std::vector<NodeId> targets;
  for (const auto& [target, literals] : of_target) targets.push_back(target);
  std::sort(targets.begin(), targets.end(), [&](NodeId x, NodeId y) { return later(y, x); });
  std::vector<Repair> repairs;
  std::set<NodeId> settled;
  for (const NodeId target : targets) {
    Repair r{graph[target].low, {}, {}, false, of_target[target], nullptr};
    std::vector<NodeId> roots;
    for (const Literal& l : r.literals) {
      roots.push_back(l.node);
      for (const NodeId i : inputs_of(graph, l)) {
        if (i == target) continue;
        r.sources.push_back(graph[i].low);
        r.may_swap = degree[i] == 1;
        if (settled.insert(i).second) r.free_sources.push_back(graph[i].low);
      }
    }
    settled.insert(target);
    std::sort(r.sources.begin(), r.sources.end());
    r.sources.erase(std::unique(r.sources.begin(), r.sources.end()), r.sources.end());
    r.may_swap = r.may_swap && r.sources.size() == 1;
    r.evaluator = std::make_shared<const BatchEvaluator>(graph, roots);
    repairs.push_back(std::move(r));
  }
  return repairs;
}

Fitting Fitting::reseeded(unsigned seed) const {
  Fitting other = *this;
  other.random_ = SplitMix(seed);
  return other;
}

bool Fitting::says_something() const {
  return std::any_of(ways_->begin(), ways_->end(), [](const Way& w) {
    return !w.repairs.empty() || std::any_of(w.sets.begin(), w.sets.end(), [](const auto& set) {
      return set && set->ranges() != std::vector<OrdinalRange>{
                                         {set->ordinals().least(), set->ordinals().most()}};
    });
  });
}

const OperandSet* Fitting::set(std::size_t input) const {
  return ways_->empty() || input >= ways_->front().sets.size() ? nullptr
                                                               : ways_->front().sets[input].get();
}

bool Fitting::has_relations() const {
  return ways_->size() > 1 || (!ways_->empty() && !ways_->front().repairs.empty());
}

const Fitting::Way* Fitting::next_way() {
  return ways_->empty() ? nullptr : &(*ways_)[way_++ % ways_->size()];
}

void Fitting::put_in(Lanes& rows) {
  const Way* way = next_way();
  if (way == nullptr) return;
  for (std::size_t i = 0; i < std::min(rows.rows(), way->sets.size()); ++i) {
    if (!way->sets[i]) continue;
    const OperandSet& set = *way->sets[i];
    const Ordinals& o = set.ordinals();
    for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
      rows[i][lane] = o.pattern(set.nearest(o.of(rows[i][lane])));
    }
  }
  repair(*way, rows);
}

void Fitting::fill(Lanes& rows) {
  const Way* way = next_way();
  if (way == nullptr) return;
  std::vector<Common> lanes(kSegment);
  for (std::size_t first = 0; first < rows.lanes(); first += kSegment) {
    static constexpr Kind kKinds[] = {// NOLINT(modernize-avoid-c-arrays)
                                      Kind::kept,     Kind::by_value,   Kind::mirrored,
                                      Kind::at_ends,  Kind::by_pattern, Kind::kept,
                                      Kind::mirrored, Kind::one_binade, Kind::kept,
                                      Kind::by_value, Kind::mirrored,   Kind::mixed};
    const Kind kind = kKinds[segment_++ % std::size(kKinds)];
    const std::size_t count = std::min(kSegment, rows.lanes() - first);
    for (Common& c : lanes) c = common();
    for (std::size_t i = 0; i < std::min(rows.rows(), way->sets.size()); ++i) {
      if (!way->sets[i]) continue;
      const OperandSet& set = *way->sets[i];
      const Ordinals& o = set.ordinals();
      std::uint64_t* const row = rows[i] + first;
      for (std::size_t j = 0; j < count; ++j) {
        std::int64_t x = 0;
        if (kind == Kind::kept) {
          x = set.nearest(o.of(row[j]));
        } else if (kind == Kind::mirrored) {
          x = o.of(row[j]);
          if (!set.holds(x)) x = -1 - x;
          if (!set.holds(x)) x = set.member(random_() % set.count());
        } else {
          x = draw(set, kind, lanes[j]);
        }
        row[j] = o.pattern(x);
      }
    }
  }
  repair(*way, rows);
}

Fitting::Common Fitting::common() {
  const auto chance = [&](int n) { return random_.one_in(n); };
  Common c{};
  c.scale = chance(2) ? 1 : std::ldexp(1.0, random_.between(-12, 12));
  c.scaled = chance(4);
  c.drop = chance(2) ? 0 : random_.below(13);
  c.at_top = !chance(4);
  c.sign = chance(4) ? 1 : chance(8) ? -1 : 0;
  c.sparse = chance(8);
  return c;
}

std::int64_t Fitting::draw(const OperandSet& set, Kind kind, const Common& lane) {
  if (lane.sparse && random_.one_in(2) && set.holds(0)) return 0;
  std::int64_t x = 0;
  if (kind == Kind::mixed) {
    constexpr std::array kKinds = {Kind::by_value, Kind::by_pattern, Kind::at_ends,
                                   Kind::one_binade};
    kind = kKinds[random_.index(std::size(kKinds))];
  }
  switch (kind) {
    case Kind::by_pattern:
      x = set.member(random_() % set.count());
      break;
    case Kind::at_ends:
      x = at_ends(set, lane);
      break;
    case Kind::one_binade:
      x = one_binade(set, lane);
      break;
    default:
      x = by_value(set, lane);
      break;
  }
  if (lane.sign != 0 && (x < 0) != (lane.sign < 0) && set.holds(-1 - x)) x = -1 - x;
  return x;
}

std::int64_t Fitting::by_value(const OperandSet& set, const Common& lane) {
  auto [low, high] = hull(set);
  const bool bounded = -low <= kBounded && high <= kBounded;
  if ((!bounded || lane.scaled) && low < lane.scale && high > -lane.scale) {
    low = std::max(low, -lane.scale);
    high = std::min(high, lane.scale);
  }
  // Half values, because the difference of two numbers may overflow.
  const double x = 2 * std::fma(high / 2 - low / 2, random_.fraction(), low / 2);
  return set.nearest(set.ordinals().toward_zero(x));
}

std::int64_t Fitting::one_binade(const OperandSet& set, const Common& lane) {
  const auto [low, high] = hull(set);
  double top = std::max(-low, high);
  if (top > kBounded || lane.scaled) top = std::min(top, lane.scale);
  const double size = std::ldexp(top, -lane.drop) * (1 - random_.fraction() / 2);
  const bool negative = high <= 0 || (low < 0 && random_.one_in(2));
  return set.nearest(set.ordinals().toward_zero(negative ? -size : size));
}

std::int64_t Fitting::at_ends(const OperandSet& set, const Common& lane) {
  const auto& ranges = set.ranges();
  const Ordinals& o = set.ordinals();
  const std::int64_t low = std::max(ranges.front().low, o.least_finite());
  const std::int64_t high = std::min(ranges.back().high, o.largest_finite());
  std::int64_t end = std::max(low, high);
  if (lane.at_top) {
    const bool negative_is_larger = -1 - low > high;
    const bool both = -1 - low == high;
    end = negative_is_larger || (both && random_.one_in(2)) ? low : high;
  } else {
    const OrdinalRange& r = ranges[random_.index(ranges.size())];
    end = random_.one_in(2) ? r.low : r.high;
  }
  // Near it, at a distance drawn from a few steps to half a binade.
  const std::int64_t span = std::max<std::int64_t>(o.binade() >> random_.below(16), 2);
  const auto distance = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(span)) -
                        (lane.at_top ? 0 : span / 2);
  const std::int64_t x =
      end >= 0 ? std::max<std::int64_t>(end - distance, o.least()) : end + distance;
  return set.nearest(std::clamp(x, o.least(), o.most()));
}

/// Most numbers of a wider format are not numbers of a narrower one.
void Fitting::round_sources(const Way& way, const Repair& r, Lanes& rows) {
  const Ordinals& narrow = way.sets[r.target]->ordinals();
  for (const std::size_t s : r.free_sources) {
    const OperandSet& source = *way.sets[s];
    const Ordinals& o = source.ordinals();
    if (o.used_bits() <= narrow.used_bits()) continue;
    for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
      const std::int64_t x = o.of(rows[s][lane]);
      if (random_.one_in(8) || x < o.least_finite() || x > o.largest_finite()) continue;
      const std::int64_t near = way.sets[r.target]->nearest(narrow.toward_zero(o.value(x)));
      if (near < narrow.least_finite() || near > narrow.largest_finite()) continue;
      const std::int64_t rounded = o.toward_zero(narrow.value(near));
      if (source.holds(rounded)) rows[s][lane] = o.pattern(rounded);
    }
  }
}

void Fitting::repair(const Way& way, Lanes& rows) {
  scratches_.resize(std::max(scratches_.size(), way.repairs.size()));
  std::vector<std::uint64_t> settled(rows.lanes());
  std::vector<unsigned char> fits(rows.lanes());
  for (std::size_t s = 0; s < way.repairs.size(); ++s) {
    const Repair& r = way.repairs[s];
    const OperandSet& set = *way.sets[r.target];
    const Ordinals& o = set.ordinals();
    Lanes holds(r.literals.size(), rows.lanes());
    std::uint64_t* const row = rows[r.target];
    round_sources(way, r, rows);
    std::copy_n(row, rows.lanes(), settled.begin());
    std::fill(fits.begin(), fits.end(), 0);
    const auto exchange = [&](std::size_t lane) {
      const OperandSet& other = *way.sets[r.sources[0]];
      std::uint64_t& x = rows[r.sources[0]][lane];
      if (set.holds(o.of(x)) && other.holds(o.of(row[lane]))) std::swap(x, row[lane]);
    };
    const bool swaps = r.may_swap && set.format() == way.sets[r.sources[0]]->format();
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (attempt == kSwap && !swaps) continue;
      for (std::size_t lane = 0; attempt > 0 && lane < rows.lanes(); ++lane) {
        if (fits[lane] != 0) continue;
        if (attempt == kSwap) {
          exchange(lane);
          continue;
        }
        const std::size_t from = r.sources[random_.index(r.sources.size())];
        const OperandSet& source = *way.sets[from];
        row[lane] = o.pattern(set.nearest(candidate(attempt, set, o.of(settled[lane]), source,
                                                    source.ordinals().of(rows[from][lane]))));
      }
      r.evaluator->evaluate(rows, holds, scratches_[s]);
      bool all_fit = true;
      for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
        if (fits[lane] != 0) continue;
        bool hold = true;
        for (std::size_t i = 0; i < r.literals.size(); ++i) {
          hold = hold && (holds[i][lane] != 0) == r.literals[i].holds;
        }
        fits[lane] = hold ? 1 : 0;
        if (!hold && attempt == kSwap) exchange(lane);
        all_fit = all_fit && hold;
      }
      if (all_fit) break;
    }
    for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
      if (fits[lane] == 0) row[lane] = settled[lane];
    }
  }
}

/// Candidates for y that relations with x may require: x itself, its negative, a neighbour, x's
/// exponent, x's sign, smaller, larger.
std::int64_t Fitting::candidate(int attempt, const OperandSet& target, std::int64_t y,
                                const OperandSet& source, std::int64_t x) {
  const Ordinals& to = target.ordinals();
  const Ordinals& from = source.ordinals();
  const auto finite = [](const Ordinals& o, std::int64_t ordinal) {
    return std::clamp(ordinal, o.least_finite(), o.largest_finite());
  };
  const double value = from.value(finite(from, x));
  const std::int64_t same = to.toward_zero(value);
  const bool negative = same < 0;
  const auto of_sign = [&](std::int64_t ordinal, bool below_zero) {
    return (ordinal < 0) == below_zero ? ordinal : -1 - ordinal;
  };
  // x's exponent, and y's fraction.
  const std::int64_t size = negative ? -1 - same : same;
  const std::int64_t of_y = y < 0 ? -1 - y : y;
  const std::int64_t mixed = (size & ~(to.binade() - 1)) | (of_y & (to.binade() - 1));
  const std::int64_t step = std::int64_t{1} << random_.below(std::max(to.used_bits() - 2, 1));
  switch (attempt) {
    case 2:  // y's fraction: fewer rows then have equal operands than with a plain copy
      return of_sign(mixed, y < 0);
    case 3:
      return of_sign(mixed, negative);
    case 4:
      return of_sign(y, negative);
    case 5:
      return of_sign(y, !negative);
    case 6:
      return std::min(same, to.most() - step) + step;
    case 7:
      return std::max(same, to.least() + step) - step;
    case 8:
      return to.toward_zero(std::ldexp(value, -random_.between(1, 8)));
    case 9:
      return to.toward_zero(std::ldexp(value, random_.between(1, 8)));
    case 10:
      return same;
    case 11:
      return -1 - same;
    case 12:
      return 0;
    case 13:
      return target.ranges().front().low;
    default:
      return target.ranges().back().high;
  }
}

}  // namespace mmaspec
