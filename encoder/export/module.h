#pragma once
/// The interface of exported hardware or programs: a graph's result with its inputs grouped into
/// ports, and names for intermediate nodes.

#include <string>
#include <unordered_map>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// An operand as a port of the module: one value, or several of one width.
struct Port {
  std::string name;
  std::vector<NodeId> elements;  ///< inputs of the graph; element 0 has the lowest bits
  unsigned width = 0;            ///< number of bits of each
  bool is_vector = false;        ///< an array in C, even of one element
};

struct Module {
  const Graph* graph = nullptr;
  std::string name;     ///< an identifier in Verilog and C
  std::string comment;  ///< lines that describe it
  std::vector<Port> inputs;
  NodeId result = 0;  ///< not negative
  unsigned result_width = 0;
};

/// Converts `text` to an identifier: letters, digits and single underscores, starting with a
/// letter.
std::string identifier(const std::string& text);

/// Names of a graph's nodes: the label of a mark, otherwise stage and number. Constants and inputs
/// do not have names.
class NodeNames {
 public:
  /// For the cone of `root`.
  NodeNames(const Graph& graph, NodeId root);

  const std::string& operator[](NodeId id) const { return names_.at(id); }
  /// The cone of the root, ascending.
  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  std::vector<NodeId> nodes_;
  std::unordered_map<NodeId, std::string> names_;
};

/// Verilog-2005: one combinational module with a wire for each node, of the width that its range
/// needs. Element `index` of a vector is [index * width +: width] of its port.
std::string to_verilog(const Module& module);

/// C99: one function `uint64_t NAME(const uint64_t a[], ..., uint64_t c)` that only needs
/// <stdint.h>. Values of more than 64 bits are arrays of words.
std::string to_c(const Module& module);

/// BTOR2: one input for each element, words encoded as by the encoder, one output.
std::string to_btor2(const Module& module);

}  // namespace mmaspec
