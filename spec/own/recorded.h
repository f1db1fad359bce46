#pragma once
/// An algorithm whose graph was built once and stored.

#include <memory>
#include <string>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A graph over dot_inputs() of some formats, and the node of the pattern of d.
struct Recorded {
  std::string name;
  DotFormats formats;
  Graph graph = {};
  NodeId result = 0;
};

/// A design that builds copies of the graph with its marks. It does not call the Python
/// interpreter, so that solver processes and other threads can build it. It throws
/// std::invalid_argument for other formats than its own. Its name is the algorithm's, '#' and a
/// digest of its graph: result files identify it by that name, and a changed algorithm must not
/// reuse old answers.
Custom design_of(std::shared_ptr<const Recorded> recorded);

}  // namespace mmaspec
