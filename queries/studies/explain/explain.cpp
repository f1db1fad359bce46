#include "queries/studies/explain/explain.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "queries/compare/doubles.h"
#include "queries/statement/pairing.h"
#include "queries/studies/explain/search.h"
#include "queries/studies/explain/space/atomic_orders.h"
#include "queries/studies/explain/space/scaled_plans.h"
#include "queries/studies/explain/space/scaled_units.h"
#include "queries/studies/explain/space/word_plans.h"
#include "util/split_mix.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kMostNamed = 4096;     // candidates that are left, the simplest, get names
constexpr std::size_t kMostChecked = 64;     // classes of plans that are checked on all elements
constexpr std::size_t kMostNearest = 65536;  // elements on which nearest plans are counted
constexpr double kMostWork = 2e8;            // products of all plans that are checked, about
constexpr std::size_t kRefutedKept = 3;      // plans that may be the nearest
constexpr std::size_t kFirstScaled = 64;     // elements, of plans with scale factors
constexpr std::size_t kFirstChecked = 512;   // elements, before all
constexpr std::size_t kMostCompared = 8192;  // products of all plans whose expressions are compared
constexpr std::size_t kLeastRegion = 8;      // elements that are worth a plan of their own

/// A class of plans that compute the same.
struct PlanClass {
  std::shared_ptr<const Space> space;
  Candidate candidate;
  std::vector<std::string> names;  ///< the first is the simplest
  int complexity = 0;
};

/// All names of a candidate.
std::vector<std::string> names_of(const Space& space, const Candidate& candidate) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < space.unit().unit->names.size(); ++i) {
    if (takes(space, candidate, i)) all.push_back(plan_name(space, candidate, i));
  }
  return all;
}

/// The classes of the simplest candidates that are left. `others`: how many candidates have none.
std::vector<PlanClass> classes_of(const std::vector<VersionSpace>& left, std::size_t& others) {
  struct Left {
    const VersionSpace* of;
    Candidate candidate;
    int complexity;
  };
  std::vector<Left> all_left;
  for (const VersionSpace& survivors : left) {
    for (const Candidate& candidate : survivors.candidates) {
      all_left.push_back({&survivors, candidate, complexity(*survivors.space, candidate)});
    }
  }
  std::stable_sort(all_left.begin(), all_left.end(),
                   [](const Left& x, const Left& y) { return x.complexity < y.complexity; });
  others = all_left.size() - std::min(all_left.size(), kMostNamed);
  all_left.resize(all_left.size() - others);
  std::map<std::string, PlanClass> by_key;
  for (const auto& [of, candidate, complexity] : all_left) {
    const Space& space = *of->space;
    const std::vector<std::string> names = names_of(space, candidate);
    if (names.empty()) continue;
    auto [at, is_new] = by_key.try_emplace(class_key(space, candidate));
    PlanClass& c = at->second;
    if (is_new) c = {of->space, candidate, {}, complexity};
    c.names.insert(c.names.end(), names.begin(), names.end());
  }
  std::vector<PlanClass> all;
  for (auto& [key, c] : by_key) all.push_back(std::move(c));
  std::stable_sort(all.begin(), all.end(), [](const PlanClass& x, const PlanClass& y) {
    return x.complexity != y.complexity ? x.complexity < y.complexity : x.names < y.names;
  });
  return all;
}

ExplainedPlan explained(const std::vector<std::string>& names, std::size_t elements) {
  ExplainedPlan plan{names.front(), {}, elements, {}};
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto& all = plan.equal_to;
    if (names[i] != plan.plan && std::find(all.begin(), all.end(), names[i]) == all.end()) {
      plan.equal_to.push_back(names[i]);
    }
  }
  return plan;
}

/// Where instructions were declined for another reason than their formats.
std::string declined(const std::vector<Instruction>& instructions) {
  for (const Instruction& i : instructions) {
    if (i.formats.scale != nullptr) {
      return "; " + i.name() + " has scale factors: --sa and --sb are missing";
    }
  }
  return "";
}

std::vector<Element> first_of(const std::vector<Element>& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), count))};
}

/// What fits among the given instructions, on the given elements.
class Explainer {
 public:
  Explainer(const Product& product, const MatrixFormats& formats, const Options& options)
      : product_(product), formats_(formats), options_(options) {
    formats_.saturated = saturated_formats(product, formats);
    for (const Instruction& i : options.instructions) {
      (i.architecture == "plan" ? plans_ : instructions_).push_back(i);
    }
    std::erase_if(plans_, [&](const Instruction& plan) { return !fits(plan); });
    if (product.has_scales()) {
      classes_with_scales_ =
          scaled_plans(instructions_, formats_, product_.a.columns, scale_block(product));
    }
    const bool has_units =
        product.has_scales() ? !classes_with_scales_.empty() : !units(Extent::all).empty();
    if (!has_units && plans_.empty()) {
      throw std::invalid_argument(
          "none of the named instructions has operands and results in these matrices' "
          "formats" +
          (product.has_scales() ? " with such scale factors" : declined(options.instructions)));
    }
  }

  Explanation run(std::vector<Element> elements) {
    if (product_.has_scales()) {
      shuffle(elements);
      return run_with_scales(elements);
    }
    put_in_order(elements, product_, formats_);
    Explanation result;
    if (options_.extent == Extent::usual) result = run(elements, Extent::usual);
    const bool is_done = result.verdict == Verdict::explained || result.verdict == Verdict::several;
    if (!is_done && !options_.deadline.passed()) result = run(elements, Extent::all);
    return result;
  }

  /// The elements that the nearest plan of the last run() got wrong.
  const std::vector<Element>& mismatches() const { return mismatches_; }

 private:
  /// The plans that were named, on all elements.
  void try_named(Explanation& result, const std::vector<Element>& elements) {
    for (const Instruction& given : plans_) {
      const Instruction plan = for_matrices(given, product_.a.columns);
      const CheckedPlan checked = check(plan, elements);
      if (checked.checked < elements.size()) {
        ++result.unchecked;
      } else if (checked.matched == checked.checked) {
        result.plans.push_back({plan.name(), {}, checked.matched, {}});
      } else {
        consider_nearest(plan.name(), checked, nullptr, {});
      }
    }
  }

  /// Few plans have scale factors: each is tried by its specification.
  Explanation run_with_scales(const std::vector<Element>& elements) {
    Explanation result;
    nearest_.reset();
    result.elements = elements.size();
    result.searched.extent = Extent::all;
    result.searched.plans = plans_.size() + classes_with_scales_.size();
    try_named(result, elements);
    const std::vector<Element> first = first_of(elements, kFirstScaled);
    for (const std::vector<std::string>& names : classes_with_scales_) {
      const bool is_named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(plans_.begin(), plans_.end(),
                           [&](const Instruction& plan) { return plan.name() == name; });
      });
      if (is_named) continue;
      if (options_.deadline.passed()) {
        ++result.unchecked;
        continue;
      }
      progress("checking " + names.front());
      const Instruction plan = find_instruction(names.front());
      CheckedPlan checked = check(plan, first);
      const bool is_left = checked.matched == checked.checked;
      if (is_left && elements.size() > first.size()) checked = check(plan, elements);
      if (checked.checked < (is_left ? elements : first).size()) {
        ++result.unchecked;
      } else if (checked.matched == checked.checked) {
        result.plans.push_back(explained(names, checked.matched));
      } else {
        consider_nearest(names.front(), checked, nullptr, {});
      }
    }
    result.verdict = result.plans.size() > 1 || (!result.plans.empty() && result.unchecked > 0)
                         ? Verdict::several
                     : result.unchecked > 0 ? Verdict::out_of_time
                     : result.plans.empty() ? Verdict::none_fits
                                            : Verdict::explained;
    if (result.verdict == Verdict::none_fits && nearest_) {
      // Counted on all elements, as regions need it.
      const std::string name = nearest_->plan;
      nearest_.reset();
      consider_nearest(name, check(find_instruction(name), elements), nullptr, {});
    }
    if (result.plans.empty()) result.nearest = nearest_;
    return result;
  }

  Explanation run(const std::vector<Element>& elements, Extent extent) {
    Explanation result;
    nearest_.reset();
    const std::vector<PreparedUnit> units = this->units(extent);
    result.elements = elements.size();
    SearchResult found =
        search(units, product_, formats_, elements, extent, options_.threads, options_.deadline);
    result.searched = {units.size(), found.spaces, found.plans + plans_.size(), extent};
    try_named(result, elements);
    if (found.left.empty() && result.plans.empty() && extent == Extent::all && found.finished) {
      try {
        found.left = search_atomic_orders(units, product_, formats_, elements, options_.deadline);
      } catch (const OutOfTime&) {
        found.finished = false;
      }
    }
    if (found.left.empty() && extent == Extent::all) {
      for (const std::string& name : word_plans(instructions_, formats_, product_.a.columns)) {
        if (options_.deadline.passed()) {
          found.finished = false;
          break;
        }
        progress("checking " + name);
        const Instruction plan = find_instruction(name);
        CheckedPlan checked = check(plan, first_of(elements, kFirstChecked));
        ++result.searched.plans;
        if (checked.matched == checked.checked) checked = check(plan, elements);
        if (checked.checked < elements.size() && checked.matched == checked.checked) {
          ++result.unchecked;
        } else if (checked.matched == checked.checked) {
          result.plans.push_back({name, {}, checked.matched, {}});
        }
      }
    }
    std::size_t others = 0;
    const std::vector<PlanClass> classes = classes_of(found.left, others);
    result.unchecked += others;
    // Where several fit, more of them say little, and each takes all elements.
    const double products =
        static_cast<double>(elements.size()) * static_cast<double>(product_.a.columns);
    const auto most = static_cast<std::size_t>(
        std::clamp(kMostWork / products, 4.0, static_cast<double>(kMostChecked)));
    std::vector<const PlanClass*> refuted;
    const std::vector<Element> first = first_of(elements, kFirstChecked);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (result.plans.size() >= most || options_.deadline.passed()) {
        result.unchecked += classes.size() - i;
        break;
      }
      const std::string& name = classes[i].names.front();
      progress("checking " + name);
      // Those that tell most refute most of the plans that others refute.
      const Instruction plan = find_instruction(name);
      CheckedPlan checked = check(plan, first);
      if (checked.matched == checked.checked && elements.size() > first.size()) {
        checked = check(plan, elements);
      }
      if (checked.matched < checked.checked) {
        if (refuted.size() < kRefutedKept) refuted.push_back(&classes[i]);
      } else if (checked.checked < elements.size()) {
        ++result.unchecked;
      } else {
        result.plans.push_back(explained(classes[i].names, checked.matched));
        const PlanClass& c = classes[i];
        std::size_t number = 0;
        while (!takes(*c.space, c.candidate, number)) ++number;
        result.plans.back().parts = plan_parts(*c.space, c.candidate, number);
      }
    }
    merge_same_expressions(result.plans);
    const bool complete = found.finished && result.unchecked == 0;
    result.verdict = result.plans.size() > 1 || (!result.plans.empty() && result.unchecked > 0)
                         ? Verdict::several
                     : !complete            ? Verdict::out_of_time
                     : result.plans.empty() ? Verdict::none_fits
                                            : Verdict::explained;
    if (result.verdict == Verdict::none_fits && extent == Extent::all) {
      for (const PlanClass* c : refuted) {
        const std::string& name = c->names.front();
        consider_nearest(name, check(find_instruction(name), elements), c->space, c->candidate);
      }
      find_nearest(found, elements);
    }
    if (result.plans.empty()) result.nearest = nearest_;
    return result;
  }

  /// Makes one plan of those that are one expression, which the search does not see: with few
  /// products, different orders and parts may leave the same products to each step.
  void merge_same_expressions(std::vector<ExplainedPlan>& plans) const {
    if (plans.size() < 2 || plans.size() * product_.a.columns > kMostCompared) return;
    std::vector<Instruction> designs;
    for (const ExplainedPlan& plan : plans) {
      designs.push_back(for_matrices(find_instruction(plan.plan), product_.a.columns));
    }
    const bool has_c = product_.c.data != nullptr;
    const std::vector<std::size_t> first = first_same_expressions(designs, has_c);
    std::vector<ExplainedPlan> kept;
    std::vector<std::size_t> at(plans.size());  // of the first ones, in `kept`
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (first[i] == i) {
        at[i] = kept.size();
        kept.push_back(std::move(plans[i]));
        continue;
      }
      std::vector<std::string>& others = kept[at[first[i]]].equal_to;
      others.push_back(plans[i].plan);
      others.insert(others.end(), plans[i].equal_to.begin(), plans[i].equal_to.end());
    }
    plans = std::move(kept);
  }

  std::vector<PreparedUnit> units(Extent extent) const {
    std::vector<PreparedUnit> all =
        fitting_units(instructions_, formats_, extent, product_.factors);
    if (extent == Extent::usual) return all;
    for (PreparedUnit& unit : scaled_units(instructions_, product_, formats_)) {
      all.push_back(std::move(unit));
    }
    return all;
  }

  bool fits(const Instruction& plan) const {
    const DotFormats& f = plan.formats;
    const auto among = [](const std::vector<const Format*>& all, const Format& format) {
      return std::any_of(all.begin(), all.end(), [&](const Format* x) { return *x == format; });
    };
    const bool scales_fit =
        product_.has_scales()
            ? f.scale != nullptr && among(formats_.scale, *f.scale) &&
                  scale_block(product_) % static_cast<std::size_t>(f.scale_block) == 0
            : f.scale == nullptr;
    return scales_fit && among(formats_.a, *f.a) && among(formats_.b, *f.b) &&
           among(formats_.d, *f.d);
  }

  CheckedPlan check(const Instruction& plan, const std::vector<Element>& elements) const {
    return check_plan(plan, product_, formats_.c.empty() ? nullptr : formats_.c.front(), elements,
                      options_.threads, options_.deadline);
  }

  void progress(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  void consider_nearest(const std::string& name, const CheckedPlan& checked,
                        const std::shared_ptr<const Space>& space, const Candidate& candidate) {
    const bool is_better =
        !nearest_ || checked.matched * nearest_->checked > nearest_->matched * checked.checked;
    if (!is_better) return;
    nearest_ = NearestPlan{name, checked.matched, checked.checked, checked.first};
    if (space && checked.first) {
      nearest_->trace = trace_of(*space, candidate, product_, formats_, checked.first->element);
    }
    mismatches_ = checked.mismatches;
  }

  /// Of the spaces whose last candidates agreed longest, the plans that reproduce most elements.
  void find_nearest(const SearchResult& found, const std::vector<Element>& elements) {
    constexpr std::size_t kSpaces = 6;
    constexpr std::size_t kOfEach = 6;
    constexpr std::size_t kTried = 48;
    constexpr std::size_t kOnAll =
        3;  // candidates that are counted on more than the first elements
    struct Near {
      std::size_t matched;
      std::shared_ptr<const Space> space;
      Candidate candidate;
      std::string name;
    };
    std::vector<Near> near;
    const std::vector<Element> first = first_of(elements, kFirstChecked);
    try {
      for (std::size_t i = 0; i < std::min(kSpaces, found.nearest.size()); ++i) {
        const std::shared_ptr<const Space>& space = found.nearest[i].space;
        progress("looking for the nearest plan");
        for (const Candidate& candidate : nearest_candidates(*space, product_, formats_, elements,
                                                             kTried, kOfEach, options_.deadline)) {
          const std::vector<std::string> names = names_of(*space, candidate);
          if (names.empty()) continue;
          const CheckedPlan checked = check(find_instruction(names.front()), first);
          near.push_back({checked.matched, space, candidate, names.front()});
        }
      }
    } catch (const OutOfTime&) {
      // What was found so far may still be near.
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const Near& x, const Near& y) { return x.matched > y.matched; });
    near.resize(std::min(near.size(), kOnAll));
    const std::vector<Element> many = first_of(elements, kMostNearest);
    for (const Near& n : near) {
      if (options_.deadline.passed()) return;
      const CheckedPlan checked = check(find_instruction(n.name), many);
      if (checked.checked > 0) consider_nearest(n.name, checked, n.space, n.candidate);
    }
  }

  const Product& product_;
  MatrixFormats formats_;
  const Options& options_;
  std::vector<Instruction> instructions_;
  std::vector<Instruction> plans_;
  /// Where the product has scale factors: the plans that are tried.
  std::vector<std::vector<std::string>> classes_with_scales_;
  std::optional<NearestPlan> nearest_;  ///< of the last run
  std::vector<Element> mismatches_;     ///< its
};

Region bounds_of(const std::vector<Element>& elements) {
  Region box{elements.front().row, 0, elements.front().column, 0};
  for (const Element& e : elements) {
    box.first_row = std::min(box.first_row, e.row);
    box.end_row = std::max(box.end_row, e.row + 1);
    box.first_column = std::min(box.first_column, e.column);
    box.end_column = std::max(box.end_column, e.column + 1);
  }
  return box;
}

/// One plan inside of the rectangle in which the nearest plan fails, and another one outside.
void explain_regions(Explanation& result, Explainer& explainer,
                     const std::vector<Element>& elements, const Region& whole) {
  if (!result.nearest || explainer.mismatches().empty()) return;
  if (result.nearest->checked < elements.size()) return;
  const Region box = bounds_of(explainer.mismatches());
  std::vector<Element> inside;
  std::vector<Element> outside;
  for (const Element& e : elements) (box.has(e) ? inside : outside).push_back(e);
  if (inside.size() < kLeastRegion || outside.size() < kLeastRegion) return;
  const Explanation of_box = explainer.run(inside);
  if (of_box.verdict != Verdict::explained) return;
  const Explanation of_rest = explainer.run(outside);
  if (of_rest.verdict != Verdict::explained) return;
  result.regions = {{whole, of_rest.plans.front()}, {box, of_box.plans.front()}};
  result.verdict = Verdict::explained;
}

/// Where there are scale factors.
void require_scales(const Product& p) {
  if (!p.has_scales()) return;
  const auto require = [](bool holds, const std::string& otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
  };
  require(p.c.data == nullptr && p.factors.alpha == kUnscaled,
          "scale factors go with neither C nor alpha");
  const std::size_t k = p.a.columns;
  const std::size_t scales = p.scale_a.columns;
  require(scales > 0 && k % scales == 0 && p.scale_b.rows == scales,
          "K = " + std::to_string(k) + " is not cut into equal blocks by " +
              std::to_string(scales) + " scale factors of a row of A and " +
              std::to_string(p.scale_b.rows) + " of a column of B");
  const std::size_t block = k / scales;
  const auto of_squares = [block](std::size_t n) { return (n + block - 1) / block; };
  const auto fits = [&](std::size_t given, std::size_t n) {
    return given == n || given == of_squares(n);
  };
  require(fits(p.scale_a.rows, p.a.rows),
          "the scale factors of A have " + std::to_string(p.scale_a.rows) + " rows, and A has " +
              std::to_string(p.a.rows) + ": expected as many, or one for each " +
              std::to_string(block));
  require(fits(p.scale_b.columns, p.b.columns),
          "the scale factors of B have " + std::to_string(p.scale_b.columns) +
              " columns, and B has " + std::to_string(p.b.columns) +
              ": expected as many, or one for each " + std::to_string(block));
}

void require_shapes(const Product& p) {
  const auto shape = [](const PatternView& x) {
    return std::to_string(x.rows) + " x " + std::to_string(x.columns);
  };
  const bool fits = p.b.rows == p.a.columns && p.d.rows == p.a.rows && p.d.columns == p.b.columns;
  const bool c_fits = p.c.data == nullptr || (p.c.rows == p.d.rows && p.c.columns == p.d.columns);
  if (fits && c_fits) return;
  throw std::invalid_argument("shapes do not fit: A " + shape(p.a) + ", B " + shape(p.b) + ", D " +
                              shape(p.d) + (c_fits ? "" : ", C " + shape(p.c)));
}

}  // namespace

Explanation explain(const Product& product, const MatrixFormats& formats, const Options& options) {
  require_shapes(product);
  require_scales(product);
  Explainer explainer(product, formats, options);
  const Region whole{0, product.d.rows, 0, product.d.columns};
  std::vector<Element> elements = known_elements(product, formats, whole);
  if (elements.empty()) throw std::invalid_argument("D has no element that is not a NaN");
  const std::size_t known = elements.size();
  if (options.elements > 0 && options.elements < known) {
    shuffle(elements);
    elements.resize(options.elements);
  }
  Explanation result = explainer.run(elements);
  result.unknown = whole.size() - known;
  result.left_out = known - elements.size();
  if (result.verdict == Verdict::none_fits) explain_regions(result, explainer, elements, whole);
  return result;
}

}  // namespace mmaspec::explain
