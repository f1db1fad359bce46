#pragma once
/// Local search for inputs that maximize the distance between two results. Each round makes small
/// changes to the best inputs so far and evaluates many variants at once on the batch evaluator.
/// The search restarts when no change improves the result any more.

#include <functional>
#include <optional>

#include "queries/ask/question.h"
#include "queries/draw/fitting.h"
#include "util/deadline.h"

namespace mmaspec {

/// The distance between two result patterns. Infinity ends the search; NaN is not allowed.
using Height = std::function<double(std::uint64_t d_first, std::uint64_t d_second)>;

struct Landscape {
  const Graph* graph;              ///< its inputs are those of dot_inputs(), in that order
  std::vector<NodeId> conditions;  ///< Booleans that must all hold
  NodeId d_first;
  NodeId d_second;
  Height height;
  int products;                   ///< K
  std::vector<const Format*> of;  ///< format of each input
};

/// Returns the inputs with the largest height found, or nullopt if no height above 0 was found.
/// `starts` are initial inputs in addition to drawn ones. The search ends at the deadline or after
/// about `work` operations of the batch evaluator. If `work` ends it, equal seeds give equal
/// results.
std::optional<InputValues> climb(const Landscape& landscape, const Fitting& fitting,
                                 const Candidates& draw, const std::vector<InputValues>& starts,
                                 unsigned seed, std::size_t work, const Deadline& deadline);

}  // namespace mmaspec
