#include "queries/studies/identify/questions.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "concrete/batch/evaluator.h"
#include "queries/studies/identify/space/numbers.h"
#include "queries/studies/identify/structured_rows.h"
#include "queries/theorems/redundant/idle.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

using Point = VersionSpace::Point;

constexpr std::size_t kCandidates = 512;  // number tried together
constexpr int kRounds = 24;               // rounds before the search gives up
constexpr int kMoreRounds = 72;           // rounds of structured candidates if few designs are left
constexpr std::size_t kFewPoints = 32;
constexpr std::size_t kPoints = 384;  // number of designs on which candidates are evaluated
constexpr std::size_t kLanes = 4096;  // of one evaluation
constexpr std::size_t kManyFamilies = 16;
constexpr std::size_t kPlain = 8;    // largest number of nonzero products of a plain input
constexpr std::size_t kOpening = 6;  // largest number of plain inputs that are asked without
                                     // evaluation

/// Designs of a family that still fit: all of them, or random ones from large and small boxes.
/// Designs that are equal by an analytical proof are represented by one.
std::vector<Point> points_of(const VersionSpace& survivors, const FamilySurvivors& of,
                             std::size_t most, SplitMix& random) {
  std::vector<Point> points;
  std::set<std::string> texts;
  const auto add = [&](Point point) {
    const DotFormats& formats = survivors.space().formats();
    const Algorithm plain = without_idle_parameters(survivors.design(point), formats);
    if (texts.insert(open_design(plain, formats).name()).second) points.push_back(std::move(point));
  };
  if (of.size() <= static_cast<double>(most)) {
    for (Point& point : survivors.all(of)) add(std::move(point));
  } else {
    for (std::size_t i = 0; i < most; ++i) add(survivors.draw(of, random));
  }
  return points;
}

/// The numbers of bits that these designs keep.
FittingBits fitting_bits(const Space& space, const std::vector<std::vector<Point>>& points) {
  std::set<int> kept;
  std::set<int> cut;
  for (const auto& some : points) {
    for (const Point& point : some) {
      const auto& axes = space.families()[point.family].axes;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].key == "kept_bits") {
          kept.insert(point.values[i]);
        } else if (axes[i].key.ends_with("_bits")) {
          cut.insert(point.values[i]);
        }
      }
    }
  }
  return {{kept.begin(), kept.end()}, {cut.begin(), cut.end()}};
}

}  // namespace

/// A family's graph with operands and parameters as inputs.
class Questions::Program {
 public:
  Program(const Family& family, const DotFormats& formats) {
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands operands = dot_inputs(formats);
    operands_ = graph.inputs().size();
    const Int d = family.build(parameter_inputs(family.axes), operands);
    inputs_ = graph.inputs().size();
    for (const Axis& axis : family.axes) {
      lows_.push_back(axis.values.front());
      open_.push_back(axis.values.size() > 1);
    }
    evaluator_.emplace(graph, std::vector<NodeId>{d.id()});
  }

  /// The result of each of `points` for each of `candidates` (lanes), candidate by candidate.
  std::vector<std::uint64_t> run(const Lanes& candidates, const std::vector<Point>& points) {
    std::vector<std::uint64_t> all;
    all.reserve(candidates.lanes() * points.size());
    const std::size_t at_once = std::max<std::size_t>(1, kLanes / points.size());
    for (std::size_t first = 0; first < candidates.lanes(); first += at_once) {
      const std::size_t some = std::min(at_once, candidates.lanes() - first);
      const std::size_t count = some * points.size();
      Lanes lanes(inputs_, count);
      Lanes results(1, count);
      for (std::size_t row = 0; row < operands_; ++row) {
        std::uint64_t* to = lanes[row];
        for (std::size_t c = first; c < first + some; ++c) {
          to = std::fill_n(to, points.size(), candidates[row][c]);
        }
      }
      std::size_t row = operands_;
      for (std::size_t axis = 0; axis < lows_.size(); ++axis) {
        if (!open_[axis]) continue;
        for (std::size_t i = 0; i < count; ++i) {
          lanes[row][i] =
              static_cast<std::uint64_t>(points[i % points.size()].values[axis] - lows_[axis]);
        }
        ++row;
      }
      evaluator_->evaluate(lanes, results, scratch_);
      all.insert(all.end(), results[0], results[0] + count);
    }
    return all;
  }

 private:
  std::size_t operands_ = 0;
  std::size_t inputs_ = 0;
  std::vector<int> lows_;
  std::vector<bool> open_;
  std::optional<BatchEvaluator> evaluator_;
  BatchEvaluator::Scratch scratch_;
};

Questions::Questions(const Space& space, unsigned seed)
    : space_(space),
      random_(seed + 1),
      plain_(space.formats(), InputClass::normal, seed + 2),
      any_(space.formats(), InputClass::any, seed + 3) {}
Questions::~Questions() = default;

Questions::Program& Questions::program(std::size_t family) {
  std::unique_ptr<Program>& made = programs_[family];
  if (!made) made = std::make_unique<Program>(space_.families()[family], space_.formats());
  return *made;
}

/// Normal numbers of moderate exponents, mostly of one sign. Only parameters of alignment and
/// rounding affect such sums, and few of these depend on each other.
DotValues Questions::plain_row() {
  const DotFormats& f = space_.formats();
  if (f.d->is_integer()) return any_.next();
  Numbers a(*f.a, random_);
  Numbers b(*f.b, random_);
  Numbers c(*f.c, random_);
  const int mode = random_.below(4);  // all positive, all negative, or (two cases) mixed signs
  const int spread = 2 << random_.below(5);
  const auto near_zero = [&](const Numbers& n) {
    return random_.between(std::max(n.least() + 1, -spread / 2), std::min(n.largest(), spread / 2));
  };
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values{{}, {}, 0, {}, {}};
  // For a long sum only the last products: a chain then begins with steps that add zeros to a power
  // of two.
  const std::size_t zeros = k > kPlain ? k - kPlain : 0;
  for (std::size_t i = 0; i < k; ++i) {
    if (i < zeros) {
      values.a.emplace_back(0);
      values.b.emplace_back(0);
      continue;
    }
    const bool negative = mode == 1 || (mode > 1 && random_.one_in(2));
    values.a.push_back(a.at(near_zero(a), negative, false));
    values.b.push_back(b.at(near_zero(b), false, false));
  }
  values.c = c.at(near_zero(c) + random_.below(spread),
                  mode == 1 || (mode > 1 && random_.one_in(2)), zeros > 0);
  if (f.scale != nullptr) {
    Numbers scale(*f.scale, random_);
    for (int i = 0; i < f.scales(); ++i) {
      values.scale_a.push_back(scale.at(random_.between(-2, 2), false, true));
      values.scale_b.push_back(scale.at(random_.between(-2, 2), false, true));
    }
  }
  return values;
}

std::vector<DotValues> Questions::choose(const VersionSpace& survivors, std::size_t count,
                                         const Deadline& deadline) {
  const BuildBy bound(deadline);
  if (survivors.families().size() > kManyFamilies && survivors.answers().size() < kOpening) {
    std::vector<DotValues> first;
    while (first.size() < std::max(count, kOpening)) {
      first.push_back(plain_row());
      if (!space_.has_c()) first.back().c = 0;
    }
    return first;
  }
  const DotFormats& formats = space_.formats();
  std::vector<std::vector<Point>> points;
  std::vector<const FamilySurvivors*> of;
  const std::size_t families = std::min(survivors.families().size(), kManyFamilies);
  for (std::size_t i = 0; i < families; ++i) {
    const std::size_t number =
        families == survivors.families().size() ? i : random_.index(survivors.families().size());
    of.push_back(&survivors.families()[number]);
    points.push_back(
        points_of(survivors, *of.back(), std::max<std::size_t>(4, kPoints / families), random_));
  }
  // If all designs were evaluated and are equal, there is nothing to ask.
  if (points.size() == 1 && points[0].size() == 1 &&
      survivors.size() <= static_cast<double>(kPoints)) {
    return {};
  }
  const std::size_t rows = static_cast<std::size_t>(2 * formats.k + 1 + 2 * formats.scales());
  const NanTest is_nan(*formats.d);
  const FittingBits fitting = fitting_bits(space_, points);
  std::vector<std::pair<double, DotValues>> best;
  std::size_t designs = 0;
  for (const auto& some : points) designs += some.size();
  const int rounds = kRounds + (designs <= kFewPoints ? kMoreRounds : 0);
  for (int round = 0; round < rounds; ++round) {
    if (deadline.passed()) throw OutOfTime();
    Lanes candidates(rows, kCandidates);
    if (round % 3 == 2 || round >= kRounds) {
      for (std::size_t lane = 0; lane < kCandidates; ++lane) {
        const std::vector<Integer> row = in_input_order(structured_row(formats, random_, fitting));
        for (std::size_t i = 0; i < rows; ++i) {
          candidates[i][lane] = row[i].convert_to<std::uint64_t>();
        }
      }
    } else {
      (round % 3 == 0 ? plain_ : any_).fill(candidates);
    }
    if (!space_.has_c()) {
      std::fill_n(candidates[static_cast<std::size_t>(2 * formats.k)], kCandidates, 0);
    }
    std::vector<std::unordered_map<std::uint64_t, double>> classes(kCandidates);
    double all = 0;
    for (std::size_t f = 0; f < of.size(); ++f) {
      const std::vector<std::uint64_t> results = program(of[f]->family).run(candidates, points[f]);
      all += static_cast<double>(points[f].size());
      for (std::size_t i = 0; i < results.size(); ++i) {
        // Different NaNs count as equal.
        const std::uint64_t d = is_nan(results[i]) ? ~std::uint64_t{0} : results[i];
        classes[i / points[f].size()][d] += 1;
      }
    }
    for (std::size_t c = 0; c < kCandidates; ++c) {
      if (classes[c].size() < 2) continue;
      double entropy = 0;
      for (const auto& [d, n] : classes[c]) entropy -= n / all * std::log2(n / all);
      DotValues values;
      std::size_t row = 0;
      const auto take = [&](int n, std::vector<Integer>& to) {
        for (int i = 0; i < n; ++i) to.emplace_back(candidates[row++][c]);
      };
      take(formats.k, values.a);
      take(formats.k, values.b);
      values.c = candidates[row++][c];
      take(formats.scales(), values.scale_a);
      take(formats.scales(), values.scale_b);
      best.emplace_back(entropy, std::move(values));
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    if (best.size() > count) best.resize(count);
    // If there are many good inputs, a few rounds find one; if there are hardly any, the first one
    // suffices.
    if (!best.empty() && round >= 3) break;
  }
  std::vector<DotValues> chosen;
  if (best.empty()) return chosen;
  for (std::size_t i = 0; i < std::min(count, best.size()); ++i) {
    chosen.push_back(std::move(best[i].second));
  }
  return chosen;
}

}  // namespace mmaspec
