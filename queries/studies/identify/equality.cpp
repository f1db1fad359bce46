#include "queries/studies/identify/equality.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "concrete/dot/runner.h"
#include "queries/prove/diff.h"
#include "queries/studies/identify/structured_witness.h"
#include "queries/theorems/redundant/idle.h"
#include "spec/algorithms/chain_step.h"
#include "spec/catalog/open_design.h"
#include "spec/lang/bounds.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

constexpr std::size_t kEnumerated = 50'000;  // limit for enumerating designs
constexpr std::size_t kBuilt = 3'000;        // limit for building their expressions
// Number of structured inputs that are tried on two expressions before solvers, and after solvers
// did not decide.
constexpr std::size_t kDrawnBefore = 1 << 16;
constexpr std::size_t kDrawnAfter = 1 << 19;

std::string text_of(const Algorithm& algorithm, const DotFormats& formats) {
  return open_design(algorithm, formats).name();
}

/// The combinations of values of some axes that occur in a family's survivors, with the other axes
/// as in the first; empty: there are too many.
std::vector<std::vector<int>> projections(const VersionSpace& survivors, const FamilySurvivors& of,
                                          const std::vector<std::size_t>& depends,
                                          std::size_t most) {
  const std::vector<int> others = survivors.first(of).values;
  const auto& axes = survivors.space().families()[of.family].axes;
  std::set<Runs> runs;  // of those axes
  for (const Box& box : of.boxes) {
    Runs some;
    for (const std::size_t axis : depends) some.push_back(box.runs[axis]);
    runs.insert(std::move(some));
  }
  std::set<std::vector<int>> all;
  for (const Runs& some : runs) {
    std::vector<std::int16_t> at;
    for (const auto& run : some) at.push_back(run[0]);
    for (bool more = true; more;) {
      std::vector<int> values = others;
      for (std::size_t i = 0; i < depends.size(); ++i) {
        values[depends[i]] = axes[depends[i]].values[static_cast<std::size_t>(at[i])];
      }
      all.insert(std::move(values));
      if (all.size() > most) return {};
      more = false;
      for (std::size_t i = 0; i < depends.size() && !more; ++i) {
        more = at[i] < some[i][1];
        at[i] = more ? static_cast<std::int16_t>(at[i] + 1) : some[i][0];
      }
    }
  }
  return {all.begin(), all.end()};
}

/// Number of products of a common step: if each step of the chains is the same for both designs, so
/// are their chains. K itself if there is no smaller one.
int common_step(const Algorithm& first, const Algorithm& second, const DotFormats& formats) {
  const int step = std::lcm(chain_step(first, formats), chain_step(second, formats));
  const bool divides = step > 0 && formats.k % step == 0 && formats.scale == nullptr;
  return divides ? step : formats.k;
}

DiffResult ask_diff(const Algorithm& first, const Algorithm& second, const DotFormats& formats,
                    const EqualityOptions& options, const Portfolio& solvers, bool has_c) {
  DiffOptions diff_options;
  diff_options.difference.signed_zero = true;
  diff_options.inputs = InputClass::any;
  diff_options.shrink = false;
  if (!has_c) {
    diff_options.where = [](const DotFormats&, const DotOperands& in, Int) { return in.c == 0; };
  }
  diff_options.strategies = options.strategies;
  diff_options.strategies.deadline = earlier(options.deadline, Deadline::in(options.pair_seconds));
  return diff(open_design(first, formats), open_design(second, formats), diff_options, solvers);
}

/// An input of the whole dot-add on which the designs differ, from one of a step: the other
/// products are zeros.
std::optional<DotValues> widened(const DotValues& step, const Algorithm& first,
                                 const Algorithm& second, const DotFormats& formats) {
  DotRunner x(first, formats);
  DotRunner y(second, formats);
  const auto k = static_cast<std::size_t>(formats.k);
  for (std::size_t at = 0; at < k; at += step.a.size()) {
    DotValues values{std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), step.c, {}, {}};
    std::copy(step.a.begin(), step.a.end(), values.a.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy(step.b.begin(), step.b.end(), values.b.begin() + static_cast<std::ptrdiff_t>(at));
    if (!same_answer(*formats.d, x.run(values), y.run(values))) return values;
  }
  return std::nullopt;
}

enum class Found { equal, differ, unknown };

/// Decides whether two designs are equal; stores a witness in `result`.
Found decide(const Algorithm& first, const Algorithm& second, const DotFormats& formats,
             const EqualityOptions& options, const Portfolio& solvers, bool has_c,
             Equality& result) {
  // The c of a later step is the d of the one before. With c = +0 the whole must be asked.
  const int step = has_c ? common_step(first, second, formats) : formats.k;
  bool equal = true;
  for (const bool later : {false, true}) {
    DotFormats part = formats;
    part.k = step;
    if (later && (step == formats.k || *formats.c == *formats.d)) break;
    if (later) part.c = formats.d;
    std::optional<DotValues> values =
        structured_witness(first, second, part, kDrawnBefore, options.deadline, has_c);
    if (!values) {
      const DiffResult found = ask_diff(first, second, part, options, solvers, has_c);
      if (found.verdict == Verdict::satisfiable) values = found.witnesses.at(0).row.values;
      if (found.verdict == Verdict::unknown) {
        values = structured_witness(first, second, part, kDrawnAfter, options.deadline, has_c);
        if (!values) return Found::unknown;
      }
      if (found.verdict == Verdict::unsatisfiable) result.by.push_back(found.justification.how());
    }
    if (!values) continue;
    if (step == formats.k) {
      result.witness = values;
      return Found::differ;
    }
    if (!later) result.witness = widened(*values, first, second, formats);
    if (result.witness) return Found::differ;
    equal = false;
    break;  // only the steps differ: the whole must be asked
  }
  if (equal) return Found::equal;
  const DiffResult found = ask_diff(first, second, formats, options, solvers, has_c);
  if (found.verdict == Verdict::satisfiable) result.witness = found.witnesses.at(0).row.values;
  if (found.verdict == Verdict::unsatisfiable) result.by.push_back(found.justification.how());
  return found.verdict == Verdict::satisfiable     ? Found::differ
         : found.verdict == Verdict::unsatisfiable ? Found::equal
                                                   : Found::unknown;
}

/// Expressions in one graph: designs with the same node are equal.
class Expressions {
 public:
  Expressions(const DotFormats& formats, bool has_c)
      : formats_(formats), building_(graph_), operands_(dot_inputs(formats)) {
    if (!has_c) operands_.c = 0;
  }

  NodeId of(const Algorithm& algorithm) { return algorithm.build(formats_, operands_).id(); }

  /// The axes on which the family's result depends, each within the hull of its values.
  std::vector<std::size_t> dependences(const Family& family, const std::vector<Axis>& axes) {
    const Int d = family.build(parameter_inputs(axes, family.name + "."), operands_);
    std::vector<std::size_t> all;
    for (const NodeId node : graph_.cone({d.id()})) {
      if (graph_[node].op != Op::input) continue;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        if (graph_.input_name(node) == family.name + "." + axes[i].key) all.push_back(i);
      }
    }
    return all;
  }

 private:
  const DotFormats& formats_;
  Graph graph_;
  Graph::Building building_;
  DotOperands operands_;
};

/// One design for each expression among the survivors; false: there are too many.
bool classes_of(const VersionSpace& survivors, Expressions& expressions,
                std::map<NodeId, Algorithm>& classes, Equality& result) {
  const DotFormats& formats = survivors.space().formats();
  std::map<std::string, Algorithm> designs;  // with redundant parameters removed
  for (const FamilySurvivors& of : survivors.families()) {
    const Family& family = survivors.space().families()[of.family];
    const std::vector<std::size_t> depends = expressions.dependences(family, survivors.axes_of(of));
    const auto all = projections(survivors, of, depends, kEnumerated);
    if (all.empty()) {
      result.undecided.push_back("more than " + std::to_string(kEnumerated) + " designs of " +
                                 family.name);
      return false;
    }
    for (const std::vector<int>& values : all) {
      BuildBy::check();
      Algorithm design = without_idle_parameters(family.design(values), formats);
      std::string text = text_of(design, formats);
      designs.emplace(std::move(text), std::move(design));
    }
  }
  if (designs.size() > kBuilt) {
    result.undecided.push_back(counted(designs.size(), "design"));
    return false;
  }
  for (const auto& [text, design] : designs) classes.emplace(expressions.of(design), design);
  return true;
}

}  // namespace

Equality two_equal(const Algorithm& first, const Algorithm& second, const DotFormats& formats,
                   const EqualityOptions& options, const Portfolio& solvers) {
  Equality result;
  const Algorithm x = without_idle_parameters(first, formats);
  const Algorithm y = without_idle_parameters(second, formats);
  result.expressions = 1;
  if (x == y) {
    result.proved = true;
    return result;
  }
  switch (decide(x, y, formats, options, solvers, true, result)) {
    case Found::equal:
      result.proved = true;
      break;
    case Found::differ:
      break;
    case Found::unknown:
      result.undecided.push_back(text_of(second, formats));
      break;
  }
  return result;
}

Equality all_equal(const VersionSpace& survivors, const Algorithm& representative,
                   const EqualityOptions& options, const Portfolio& solvers) {
  Equality result;
  const DotFormats& formats = survivors.space().formats();
  if (survivors.has_pending()) {
    result.undecided.emplace_back("unused answers: too many designs fit the others");
    return result;
  }
  std::map<NodeId, Algorithm> classes;
  const Algorithm centre = without_idle_parameters(representative, formats);
  try {
    const BuildBy bound(options.deadline);
    Expressions expressions(formats, survivors.space().has_c());
    const NodeId known = expressions.of(centre);
    if (!classes_of(survivors, expressions, classes, result)) return result;
    result.expressions = classes.size();
    classes.erase(known);
  } catch (const OutOfTime&) {
    result.undecided.emplace_back("out of time");
    return result;
  }
  for (const auto& [node, design] : classes) {
    if (options.deadline.passed()) {
      result.undecided.push_back(text_of(design, formats));
      continue;
    }
    const bool has_c = survivors.space().has_c();
    switch (decide(centre, design, formats, options, solvers, has_c, result)) {
      case Found::equal:
        break;
      case Found::differ:
        return result;
      case Found::unknown:
        result.undecided.push_back(text_of(design, formats));
        break;
    }
  }
  result.proved = result.undecided.empty();
  return result;
}

}  // namespace mmaspec
