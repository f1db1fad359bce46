#pragma once
/// Evaluates a plan on the elements of a product by its specification, which is independent of the
/// search, and finds plans whose specifications are one expression.

#include <cstdint>
#include <optional>
#include <vector>

#include "concrete/dot/lane_runner.h"
#include "queries/studies/explain/product.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// An element for which a plan gives another result.
struct Mismatch {
  Element element;
  std::uint64_t given;     ///< the pattern in D
  std::uint64_t computed;  ///< the pattern that the plan gives
};

struct CheckedPlan {
  std::size_t matched = 0;
  std::size_t checked = 0;          ///< fewer than the elements if the time ended
  std::optional<Mismatch> first;    ///< in row-major order
  std::vector<Element> mismatches;  ///< all of them
};

/// `plan`: a design whose K is the number of columns of A. `c_format`: the format of the file of C.
/// `threads`: 0: one for each core. Elements whose d is a NaN of the plan's format count as
/// matches.
CheckedPlan check_plan(const Instruction& plan, const Product& product, const Format* c_format,
                       std::vector<Element> elements, int threads, const Deadline& deadline);

/// The plan's results, computed by its runner. The product does not need D.
std::vector<std::uint64_t> results_of_plan(const Instruction& plan, LaneRunner& runner,
                                           const Product& product, const Format* c_format,
                                           const std::vector<Element>& elements);
/// The same with a runner constructed for this call.
std::vector<std::uint64_t> results_of_plan(const Instruction& plan, const Product& product,
                                           const Format* c_format,
                                           const std::vector<Element>& elements);

/// For each plan, the index of the first plan that is the same expression of the operands, and so
/// computes the same for all inputs. All have the same K. Without C, c is +0.
std::vector<std::size_t> first_same_expressions(const std::vector<Instruction>& plans, bool has_c);

}  // namespace mmaspec::explain
