#pragma once
/// An algorithm whose graph was built once and is kept.

#include <memory>
#include <string>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A graph over dot_inputs() of some formats, and the pattern of d in it.
struct Recorded {
  std::string name;
  DotFormats formats;
  Graph graph = {};
  NodeId result = 0;
};

/// A design that builds copies of the graph, with its marks: it calls nothing of the interpreter,
/// so that solvers' processes and other threads may build it. It throws std::invalid_argument for
/// other formats than its own. Its name is the algorithm's, '#' and a digest of what it builds:
/// answers on file are known by it, and one of today must not be taken for that of an earlier text.
Custom design_of(std::shared_ptr<const Recorded> recorded);

}  // namespace mmaspec
