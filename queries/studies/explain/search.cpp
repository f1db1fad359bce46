#include "queries/studies/explain/search.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "concrete/matrix/threads.h"
#include "queries/studies/explain/element_reader.h"
#include "queries/studies/explain/space/candidate_names.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kLeastElements = 24;  // before the remaining candidates are passed to
                                            // check_plan()
constexpr std::size_t kFew = 8;             // if there are at most this many
constexpr std::size_t kMostElements = 96;   // after which all remaining ones are

std::vector<std::vector<Candidate>> all_candidates(const Space& space) {
  std::vector<std::vector<Candidate>> all(space.shapes().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t count = space.finishes(space.shapes()[i]).size();
    for (std::size_t f = 0; f < count; ++f) all[i].push_back({i, f});
  }
  return all;
}

VersionSpace eliminate(const std::shared_ptr<const Space>& space, const UnitStep& step,
                       const Product& product, const MatrixFormats& formats,
                       const std::vector<Element>& elements, const Deadline& deadline) {
  ElementReader operands(*space, product, c_format_of(formats));
  SegmentSums sums(step, space->grain());
  std::vector<std::vector<Candidate>> left = all_candidates(*space);
  std::vector<bool> alive(left.size(), true);
  VersionSpace survivors{space, {}, 0};
  const auto flat = [&left] {
    std::vector<Candidate> all;
    for (const auto& of_shape : left) all.insert(all.end(), of_shape.begin(), of_shape.end());
    return all;
  };
  for (const Element& e : elements) {
    if (deadline.passed()) throw OutOfTime();
    const ElementOperands in = operands(e);
    const Space::Needs needs = space->needs(alive);
    sums.compute(in, needs.last_end, needs.from_c, deadline);
    const std::uint64_t d = pattern_at(product.d, e.row, e.column);
    std::size_t count = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i].empty()) continue;
      space->keep(space->shapes()[i], sums, in, d, left[i]);
      alive[i] = !left[i].empty();
      count += left[i].size();
    }
    if (count == 0) return survivors;
    ++survivors.elements;
    if (count <= kFew && survivors.elements >= kLeastElements) break;
    if (survivors.elements == kMostElements) break;
  }
  survivors.candidates = flat();
  return survivors;
}

}  // namespace

SearchResult search(const std::vector<PreparedUnit>& units, const Product& product,
                    const MatrixFormats& formats, const std::vector<Element>& elements,
                    Extent extent, int threads, const Deadline& deadline) {
  struct Task {
    const PreparedUnit* unit;
    ProductsOrder order;
  };
  std::vector<Task> tasks;
  // The usual order of K for all units first.
  for (const bool usual : {true, false}) {
    for (const PreparedUnit& unit : units) {
      const bool has_arithmetic = SumArithmetic::has(*unit.unit->formats.d);
      for (const ProductsOrder& order :
           orders_of_products(unit.unit->k, product.a.columns, extent)) {
        const bool is_usual = !order.permute && order.tile == 0;
        if (is_usual != usual || (!is_usual && !has_arithmetic)) continue;
        if (!is_usual && unit.scales_operands()) continue;
        tasks.push_back({&unit, order});
      }
    }
  }
  SearchResult result;
  result.spaces = tasks.size();
  std::mutex lock;
  const auto start = [&] {
    // A thread's compiled step, shared by many successive tasks.
    struct Step {
      const Unit* unit = nullptr;
      std::unique_ptr<UnitStep> compiled;
    };
    return [&, step = std::make_shared<Step>()](std::size_t i) {
      const Task& task = tasks[i];
      const Unit* unit = task.unit->unit.get();
      if (step->unit != unit) {
        step->compiled = std::make_unique<UnitStep>(*unit);
        step->unit = unit;
      }
      const auto space = std::make_shared<const Space>(
          *task.unit, task.order, product.a.columns,
          ResultChoices{result_formats(*unit->formats.d, formats), formats.saturated,
                        product.c.data != nullptr, extent});
      VersionSpace survivors =
          eliminate(space, *step->compiled, product, formats, elements, deadline);
      const std::scoped_lock held(lock);
      result.plans += space->size();
      const bool some = !survivors.candidates.empty();
      (some ? result.left : result.nearest).push_back(std::move(survivors));
    };
  };
  result.finished = true;
  try {
    on_threads(number_of_threads(threads), tasks.size(), start);
  } catch (const OutOfTime&) {
    result.finished = false;
  }
  std::stable_sort(
      result.nearest.begin(), result.nearest.end(),
      [](const VersionSpace& x, const VersionSpace& y) { return x.elements > y.elements; });
  return result;
}

std::vector<Candidate> nearest_candidates(const Space& space, const Product& product,
                                          const MatrixFormats& formats,
                                          const std::vector<Element>& elements, std::size_t tried,
                                          std::size_t count, const Deadline& deadline) {
  const UnitStep step(*space.unit().unit);
  ElementReader operands(space, product, c_format_of(formats));
  SegmentSums sums(step, space.grain());
  const std::vector<std::vector<Candidate>> all = all_candidates(space);
  std::vector<std::vector<std::size_t>> matched;
  for (const auto& of_shape : all) matched.emplace_back(of_shape.size(), 0);
  const Space::Needs needs = space.needs(std::vector<bool>(all.size(), true));
  for (std::size_t i = 0; i < std::min(tried, elements.size()); ++i) {
    if (deadline.passed()) break;
    const ElementOperands in = operands(elements[i]);
    sums.compute(in, needs.last_end, needs.from_c, deadline);
    const std::uint64_t d = pattern_at(product.d, elements[i].row, elements[i].column);
    for (std::size_t shape = 0; shape < all.size(); ++shape) {
      std::vector<Candidate> kept = all[shape];
      space.keep(space.shapes()[shape], sums, in, d, kept);
      for (const Candidate& c : kept) ++matched[shape][c.finish];
    }
  }
  std::vector<Candidate> best;
  for (const auto& of_shape : all) best.insert(best.end(), of_shape.begin(), of_shape.end());
  const auto is_better = [&](const Candidate& x, const Candidate& y) {
    const std::size_t of_x = matched[x.shape][x.finish];
    const std::size_t of_y = matched[y.shape][y.finish];
    return of_x != of_y ? of_x > of_y : complexity(space, x) < complexity(space, y);
  };
  const std::size_t kept = std::min(count, best.size());
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(kept), best.end(),
                    is_better);
  best.resize(kept);
  return best;
}

}  // namespace mmaspec::explain
