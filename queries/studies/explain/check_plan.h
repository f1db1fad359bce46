#pragma once
/// A plan, as its name says it, on the elements of a product: by the specification alone, which
/// shares nothing with the search.

#include <cstdint>
#include <optional>
#include <vector>

#include "concrete/dot/lane_runner.h"
#include "queries/studies/explain/product.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// An element that a plan gets wrong.
struct Mismatch {
  Element element;
  std::uint64_t given;     ///< D's pattern
  std::uint64_t computed;  ///< the plan's
};

struct CheckedPlan {
  std::size_t matched = 0;
  std::size_t checked = 0;          ///< fewer than the elements where the time ended
  std::optional<Mismatch> first;    ///< row by row
  std::vector<Element> mismatches;  ///< all
};

/// `plan`: a design with K = the columns of A. `c_format`: of the file of C. `threads`: 0: one a
/// core. Elements whose d is a NaN of the plan's format count as matched.
CheckedPlan check_plan(const Instruction& plan, const Product& product, const Format* c_format,
                       std::vector<Element> elements, int threads, const Deadline& deadline);

/// The plan's results by its runner. The product needs no D.
std::vector<std::uint64_t> results_of_plan(const Instruction& plan, LaneRunner& runner,
                                           const Product& product, const Format* c_format,
                                           const std::vector<Element>& elements);
/// The same by a runner that is made for this call.
std::vector<std::uint64_t> results_of_plan(const Instruction& plan, const Product& product,
                                           const Format* c_format,
                                           const std::vector<Element>& elements);

}  // namespace mmaspec::explain
