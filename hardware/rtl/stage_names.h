#pragma once
/// Users' names for the specification's stages.

#include <map>
#include <string>

#include "spec/lang/graph.h"

namespace mmaspec::rtl {

/// The names of marked nodes in exported Verilog, with and without the number at the end.
class StageNames {
 public:
  /// For the graph's current marks, and for nodes of the cone of `root`.
  StageNames(const Graph& graph, NodeId root);

  /// Throws std::invalid_argument with a list of all names.
  NodeId find(const std::string& name) const;

 private:
  std::map<std::string, NodeId> by_name_;
  std::string marked_;
};

}  // namespace mmaspec::rtl
