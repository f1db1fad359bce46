#pragma once
/// Finds the plans that reproduce a matrix computed by a library, element by element.
///
/// The search works by elimination: each candidate is evaluated on one element after another and
/// discarded when it gives another result. The remaining plans are checked on all elements by their
/// specifications.

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
  /// The candidates: instructions and designs, around which plans are searched, and plans, which
  /// are tried unchanged.
  std::vector<Instruction> instructions;
  /// With Extent::all, further plans are searched only if no usual plan fits.
  Extent extent = Extent::usual;
  std::size_t elements = 0;  ///< number of elements that are drawn at random; 0: all
  int threads = 0;           ///< 0: one for each core
  Deadline deadline;
  std::function<void(const std::string&)> progress;  ///< may be empty
};

enum class Verdict {
  explained,    ///< one class of equal plans reproduces all elements
  several,      ///< several plans that are not known to be equal do
  none_fits,    ///< no plan of the space reproduces all elements
  out_of_time,  ///< the search did not finish
};

/// Plans that compute the same for all inputs, and reproduce all elements.
struct ExplainedPlan {
  std::string plan;
  std::vector<std::string> equal_to;  ///< their other names
  std::size_t elements = 0;           ///< number reproduced
  PlanParts parts = {};               ///< empty for a plan that the user named
};

/// Of the plans tried on all elements, the one that reproduces the most.
struct NearestPlan {
  std::string plan;
  std::size_t matched = 0;
  std::size_t checked = 0;
  std::optional<Mismatch> first;
  std::vector<TracedSum> trace = {};  ///< for that element; empty for a plan that the user named
};

/// The space that was searched.
struct SearchedSpace {
  std::size_t units = 0;   ///< number of instructions with different steps, counted with
                           ///< conversions of operands
  std::size_t orders = 0;  ///< number of pairs of these and orders of K
  std::size_t plans = 0;   ///< number of candidates
  Extent extent = Extent::usual;
};

struct RegionPlan {
  Region region;
  ExplainedPlan plan;
};

struct Explanation {
  Verdict verdict = Verdict::out_of_time;
  std::vector<ExplainedPlan> plans;  ///< the simplest first
  /// Number of plans that reproduce the elements on which they were tried, but were not checked on
  /// all elements by their specifications.
  std::size_t unchecked = 0;
  std::size_t elements = 0;  ///< number of elements to reproduce
  std::size_t unknown = 0;   ///< number of other elements: NaN
  std::size_t left_out = 0;  ///< number of other elements: see Options::elements
  SearchedSpace searched;
  std::optional<NearestPlan> nearest;  ///< if no plan fits
  /// If no plan reproduces all elements, but one plan reproduces all inside a rectangle and another
  /// one all outside: both, the larger region first.
  std::vector<RegionPlan> regions;
};

/// Throws std::invalid_argument if no instruction's formats fit the matrices.
Explanation explain(const Product& product, const MatrixFormats& formats, const Options& options);

}  // namespace mmaspec::explain
