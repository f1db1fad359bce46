#pragma once
/// Local search for inputs on which two results lie as far apart as can be found: small changes of
/// the best inputs so far, many at once on the batch evaluator, and a fresh start where none helps
/// any more.

#include <functional>
#include <optional>

#include "queries/ask/question.h"
#include "queries/draw/fitting.h"
#include "util/deadline.h"

namespace mmaspec {

/// How far apart two results' patterns are; infinity ends the search, NaN is not allowed.
using Height = std::function<double(std::uint64_t d_first, std::uint64_t d_second)>;

struct Landscape {
  const Graph* graph;              ///< its inputs are those of dot_inputs(), in their order
  std::vector<NodeId> conditions;  ///< Booleans that are all to hold
  NodeId d_first;
  NodeId d_second;
  Height height;
  int products;                   ///< K
  std::vector<const Format*> of;  ///< formats of the inputs
};

/// The highest inputs found, if some are above 0. `starts`: inputs to begin at besides drawn ones.
/// Ends with the deadline, or after about `work` operations of the batch evaluator; the same for
/// the same seed where that is the end.
std::optional<InputValues> climb(const Landscape& landscape, const Fitting& fitting,
                                 const Candidates& draw, const std::vector<InputValues>& starts,
                                 unsigned seed, std::size_t work, const Deadline& deadline);

}  // namespace mmaspec
