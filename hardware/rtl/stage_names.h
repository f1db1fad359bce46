#pragma once
/// What a person calls the specification's stages.

#include <map>
#include <string>

#include "spec/lang/graph.h"

namespace mmaspec::rtl {

/// The names that exported Verilog has for marked nodes, with and without the number behind them.
class StageNames {
 public:
  /// Of the marks that the graph has now, and of nodes of the cone of `root`.
  StageNames(const Graph& graph, NodeId root);

  /// Throws std::invalid_argument naming all that there are.
  NodeId find(const std::string& name) const;

 private:
  std::map<std::string, NodeId> by_name_;
  std::string marked_;
};

}  // namespace mmaspec::rtl
