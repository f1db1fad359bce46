#include "queries/studies/identify/space/version_space.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

constexpr double kLookedAt = 6e7;        // limit of evaluated nodes for one family at patience 1
constexpr std::size_t kBoxes = 100'000;  // limit of boxes for one family at patience 1
constexpr std::size_t kTogether = 8;     // number of answers that are used together
constexpr int kDraws = 64;               // number of draws that are tried while answers are open

/// The order of splitting. Axes that count kept bits come later: intermediate exponents depend on
/// one kind, so intervals are wide while it is undetermined; the last bits of results depend on the
/// other.
int rank(const Axis& axis) {
  if (axis.key == "kept_bits") return 1;
  return axis.key.ends_with("_bits") ? 2 : 0;
}

int length(const std::array<std::int16_t, 2>& run) { return run[1] - run[0] + 1; }

/// Merges boxes that differ along a single axis and are adjacent there.
void merge(std::vector<Box>& boxes) {
  if (boxes.size() < 2) return;
  const std::size_t axes = boxes[0].runs.size();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto key_less = [axis](const Box& x, const Box& y) {
      for (std::size_t i = 0; i < x.runs.size(); ++i) {
        if (i != axis && x.runs[i] != y.runs[i]) return x.runs[i] < y.runs[i];
      }
      if (x.open != y.open) return x.open < y.open;
      return x.runs[axis] < y.runs[axis];
    };
    std::sort(boxes.begin(), boxes.end(), key_less);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < boxes.size(); ++i) {
      Box& last = boxes[kept];
      Box& next = boxes[i];
      bool same = last.open == next.open && last.runs[axis][1] + 1 == next.runs[axis][0];
      for (std::size_t a = 0; a < axes && same; ++a) {
        same = a == axis || last.runs[a] == next.runs[a];
      }
      if (same) {
        last.runs[axis][1] = next.runs[axis][1];
      } else if (++kept != i) {
        boxes[kept] = std::move(next);
      }
    }
    boxes.resize(kept + 1);
  }
}

/// The smallest intervals that contain those of all boxes.
Runs hull_of(const std::vector<Box>& boxes) {
  Runs hull = boxes.front().runs;
  for (const Box& box : boxes) {
    for (std::size_t i = 0; i < hull.size(); ++i) {
      hull[i][0] = std::min(hull[i][0], box.runs[i][0]);
      hull[i][1] = std::max(hull[i][1], box.runs[i][1]);
    }
  }
  return hull;
}

/// Splits boxes until each box gives the answer or excludes it.
class Search {
 public:
  using Open = std::vector<std::pair<std::uint32_t, FamilyAtInput*>>;

  Search(const std::vector<Axis>& axes, double patience, const Deadline& deadline)
      : patience_(patience), deadline_(deadline), counts_(axes.size()) {
    for (const Axis& axis : axes) ranks_.push_back(rank(axis));
  }

  void box(const Box& whole, const Open& open) {
    box_ = whole;
    cut(0, open);
  }

  std::vector<Box> found;

 private:
  void cut(std::size_t level, const Open& all) {
    if (++boxes_ % 256 == 0 && deadline_.passed()) throw OutOfTime();
    if (looked_at_ > patience_ * kLookedAt ||
        static_cast<double>(found.size()) > patience_ * kBoxes) {
      return keep(all);
    }
    Open open;
    for (const auto& [number, family] : all) {
      const std::uint64_t before = family->looked_at();
      const FamilyAtInput::Gives gives = family->enter(level, box_.runs);
      looked_at_ += static_cast<double>(family->looked_at() - before);
      if (gives == FamilyAtInput::Gives::another) {
        ++excluded_[number];
        return;
      }
      if (gives == FamilyAtInput::Gives::either) open.emplace_back(number, family);
    }
    if (open.empty()) return keep(open);
    // Answers that have excluded the most boxes come first.
    std::stable_sort(open.begin(), open.end(), [&](const auto& x, const auto& y) {
      return excluded_[x.first] > excluded_[y.first];
    });
    const std::size_t axis = choose(level, open);
    const auto whole = box_.runs[axis];
    const auto middle = static_cast<std::int16_t>((whole[0] + whole[1]) / 2);
    box_.runs[axis] = {whole[0], middle};
    cut(level + 1, open);
    box_.runs[axis] = {static_cast<std::int16_t>(middle + 1), whole[1]};
    cut(level + 1, open);
    box_.runs[axis] = whole;
  }

  void keep(const Open& open) {
    found.push_back(box_);
    std::vector<std::uint32_t>& numbers = found.back().open;
    numbers.clear();
    for (const auto& [number, family] : open) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
  }

  std::size_t choose(std::size_t level, const Open& open) {
    std::fill(counts_.begin(), counts_.end(), 0U);
    for (const auto& [number, family] : open) family->count(level, counts_);
    std::optional<std::size_t> best;
    const auto worth = [&](std::size_t i) {
      return std::tuple(ranks_[i], ranks_[i] > 0 ? length(box_.runs[i]) : 0, counts_[i]);
    };
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0 || length(box_.runs[i]) < 2) continue;
      if (!best || worth(i) > worth(*best)) best = i;
    }
    if (!best) throw std::logic_error("a design does not have a unique result");
    return *best;
  }

  double patience_;
  const Deadline& deadline_;
  std::vector<int> ranks_;
  std::vector<std::uint32_t> counts_;
  double looked_at_ = 0;
  std::size_t boxes_ = 0;
  std::map<std::uint32_t, std::size_t> excluded_;  ///< number of boxes excluded by each answer
  Box box_;
};

}  // namespace

double Box::size() const {
  double all = 1;
  for (const auto& run : runs) all *= length(run);
  return all;
}

double FamilySurvivors::size() const {
  double all = 0;
  for (const Box& box : boxes) all += box.size();
  return all;
}

VersionSpace::VersionSpace(const Space& space) : space_(&space) {
  for (std::size_t i = 0; i < space.families().size(); ++i) {
    Box all;
    for (const Axis& axis : space.families()[i].axes) {
      all.runs.push_back({0, static_cast<std::int16_t>(axis.values.size() - 1)});
    }
    families_.push_back({i, {std::move(all)}, {}});
  }
}

std::vector<Axis> VersionSpace::axes_of(const FamilySurvivors& of) const {
  std::vector<Axis> axes = space_->families()[of.family].axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::vector<bool> taken(axes[i].values.size(), false);
    for (const Box& box : of.boxes) {
      for (int v = box.runs[i][0]; v <= box.runs[i][1]; ++v)
        taken[static_cast<std::size_t>(v)] = true;
    }
    std::vector<int> left;
    for (std::size_t v = 0; v < taken.size(); ++v) {
      if (taken[v]) left.push_back(axes[i].values[v]);
    }
    axes[i].values = std::move(left);
  }
  return axes;
}

void VersionSpace::refine(FamilySurvivors& of, const std::vector<std::uint32_t>& answers,
                          double patience, const Deadline& deadline) const {
  const BuildBy bound(deadline);
  const Family& family = space_->families()[of.family];
  const Runs hull = hull_of(of.boxes);
  const auto compiled = [&](std::uint32_t number) {
    auto& made = of.open[number];
    if (!made) {
      const Answered& a = answers_[number];
      made = std::make_shared<FamilyAtInput>(family, hull, space_->formats(), a.values, a.d);
    }
    return std::pair(number, made.get());
  };
  Search search(family.axes, patience, deadline);
  for (const Box& box : of.boxes) {
    Search::Open open;
    for (const std::uint32_t number : box.open) open.push_back(compiled(number));
    for (const std::uint32_t number : answers) open.push_back(compiled(number));
    search.box(box, open);
  }
  of.boxes = std::move(search.found);
  merge(of.boxes);
  std::set<std::uint32_t> left;
  for (const Box& box : of.boxes) left.insert(box.open.begin(), box.open.end());
  std::erase_if(of.open, [&](const auto& made) { return !left.contains(made.first); });
}

void VersionSpace::take(const std::vector<Answered>& answers, const Deadline& deadline, int jobs,
                        double patience) {
  for (std::size_t first = 0; first == 0 || first < answers.size(); first += kTogether) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = first; i < std::min(first + kTogether, answers.size()); ++i) {
      numbers.push_back(static_cast<std::uint32_t>(answers_.size()));
      answers_.push_back(answers[i]);
    }
    std::vector<std::exception_ptr> errors(families_.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < families_.size(); i = next++) {
        try {
          refine(families_[i], numbers, patience, deadline);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      }
    };
    {
      std::vector<std::jthread> threads;
      const std::size_t wanted =
          std::min(static_cast<std::size_t>(std::max(jobs, 1)), families_.size());
      for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
      work();
    }
    for (const std::exception_ptr& e : errors) {
      if (e) std::rethrow_exception(e);
    }
    std::erase_if(families_, [](const FamilySurvivors& of) { return of.boxes.empty(); });
  }
}

double VersionSpace::size() const {
  double all = 0;
  for (const FamilySurvivors& of : families_) all += of.size();
  return all;
}

bool VersionSpace::has_pending() const {
  return std::any_of(families_.begin(), families_.end(),
                     [](const FamilySurvivors& of) { return !of.open.empty(); });
}

VersionSpace::Point VersionSpace::at(const FamilySurvivors& of,
                                     const std::vector<std::int16_t>& places) const {
  Point point{of.family, {}};
  const auto& axes = space_->families()[of.family].axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    point.values.push_back(axes[i].values[static_cast<std::size_t>(places[i])]);
  }
  return point;
}

VersionSpace::Point VersionSpace::first(const FamilySurvivors& of) const {
  const Box* best = &of.boxes.front();
  for (const Box& box : of.boxes) {
    if (box.open.size() < best->open.size()) best = &box;
  }
  std::vector<std::int16_t> places;
  for (const auto& run : best->runs) places.push_back(run[0]);
  return at(of, places);
}

bool VersionSpace::fits(const FamilySurvivors& of, const Box& box,
                        const std::vector<std::int16_t>& places) const {
  Runs runs;
  for (const std::int16_t place : places) runs.push_back({place, place});
  return std::all_of(box.open.begin(), box.open.end(), [&](std::uint32_t number) {
    return of.open.at(number)->enter(0, runs) == FamilyAtInput::Gives::answer;
  });
}

VersionSpace::Point VersionSpace::draw(const FamilySurvivors& of, SplitMix& random) const {
  std::vector<std::int16_t> places;
  for (int i = 0; i < kDraws; ++i) {
    const Box& box = of.boxes[random.index(of.boxes.size())];
    places.clear();
    for (const auto& run : box.runs) {
      places.push_back(static_cast<std::int16_t>(random.between(run[0], run[1])));
    }
    if (fits(of, box, places)) break;
  }
  return at(of, places);
}

std::vector<VersionSpace::Point> VersionSpace::all(const FamilySurvivors& of) const {
  std::vector<Point> points;
  for (const Box& box : of.boxes) {
    std::vector<std::int16_t> places;
    for (const auto& run : box.runs) places.push_back(run[0]);
    for (bool more = true; more;) {
      points.push_back(at(of, places));
      more = false;
      for (std::size_t i = 0; i < places.size() && !more; ++i) {
        more = places[i] < box.runs[i][1];
        places[i] = more ? static_cast<std::int16_t>(places[i] + 1) : box.runs[i][0];
      }
    }
  }
  return points;
}

bool VersionSpace::holds(const Space::Place& place) const {
  const auto& axes = space_->families()[place.family].axes;
  std::vector<std::int16_t> places;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& values = axes[i].values;
    const auto it = std::lower_bound(values.begin(), values.end(), place.values[i]);
    if (it == values.end() || *it != place.values[i]) return false;
    places.push_back(static_cast<std::int16_t>(it - values.begin()));
  }
  for (const FamilySurvivors& of : families_) {
    if (of.family != place.family) continue;
    for (const Box& box : of.boxes) {
      bool inside = true;
      for (std::size_t i = 0; i < places.size() && inside; ++i) {
        inside = box.runs[i][0] <= places[i] && places[i] <= box.runs[i][1];
      }
      if (inside) return fits(of, box, places);
    }
  }
  return false;
}

}  // namespace mmaspec
