#pragma once
/// Which plans reproduce a matrix that a library computed, element by element.
///
/// The search is by elimination: each candidate is evaluated on one element after the other and
/// left out as soon as it gives another result. What is left is checked on all elements by the
/// plan's own specification.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/studies/explain/check_plan.h"
#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidate_names.h"
#include "queries/studies/explain/sum_trace.h"

namespace mmaspec::explain {

struct Options {
  /// What may have run: instructions and designs, around which plans are searched, and plans, which
  /// are tried as they are.
  std::vector<Instruction> instructions;
  /// Only the usual plans are searched if one of them fits, unless this is all.
  Extent extent = Extent::usual;
  std::size_t elements = 0;  ///< so many are drawn at random; 0: all
  int threads = 0;           ///< 0: one a core
  Deadline deadline;
  std::function<void(const std::string&)> progress;  ///< may be empty
};

enum class Verdict {
  explained,    ///< one class of equal plans reproduces all elements
  several,      ///< several do, which are not known to be equal
  none_fits,    ///< none of the space reproduces all elements
  out_of_time,  ///< the space was not searched to its end
};

/// Plans that compute the same for all inputs, and reproduce all elements.
struct ExplainedPlan {
  std::string plan;
  std::vector<std::string> equal_to;  ///< other names of it
  std::size_t elements = 0;           ///< reproduced
  PlanParts parts = {};               ///< empty for a plan that was named
};

/// The plan that reproduces the most elements, of those that were tried on all.
struct NearestPlan {
  std::string plan;
  std::size_t matched = 0;
  std::size_t checked = 0;
  std::optional<Mismatch> first;
  std::vector<TracedSum> trace = {};  ///< of that element; empty for a plan that was named
};

/// What was searched.
struct SearchedSpace {
  std::size_t units = 0;   ///< instructions that compute unlike steps, with conversions of operands
  std::size_t orders = 0;  ///< of these with the orders of K
  std::size_t plans = 0;   ///< candidates
  Extent extent = Extent::usual;
};

struct RegionPlan {
  Region region;
  ExplainedPlan plan;
};

struct Explanation {
  Verdict verdict = Verdict::out_of_time;
  std::vector<ExplainedPlan> plans;  ///< the simplest first
  /// Plans that reproduce the elements on which they were tried, but were not checked on all by
  /// their specification.
  std::size_t unchecked = 0;
  std::size_t elements = 0;  ///< that were to be reproduced
  std::size_t unknown = 0;   ///< others: NaN
  std::size_t left_out = 0;  ///< others: see Options::elements
  SearchedSpace searched;
  std::optional<NearestPlan> nearest;  ///< where none fits
  /// Where no plan reproduces all elements, but one all those inside of a rectangle and another one
  /// all outside: both, the larger first.
  std::vector<RegionPlan> regions;
};

/// Throws std::invalid_argument if no instruction's formats fit the matrices.
Explanation explain(const Product& product, const MatrixFormats& formats, const Options& options);

}  // namespace mmaspec::explain
