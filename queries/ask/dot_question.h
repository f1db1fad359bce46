#pragma once
/// What questions about dot-adds have in common: their operands as inputs of a graph.

#include "concrete/dot/model.h"
#include "queries/ask/question.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// All operands belong to the class.
Bool belong(InputClass inputs, const DotFormats& formats, const DotOperands& operands);
/// The same of numbers.
bool belong(InputClass inputs, const DotFormats& formats, const DotValues& values);

/// The operands that the graph's inputs a[0].., b[0].., c, sa[0].., sb[0].. are, without the bits
/// that their formats ignore. Inputs that the graph lacks are 0.
DotValues dot_values(const Graph& graph, const DotFormats& formats, const InputValues& inputs);

/// Which of the operands each of a graph's inputs is, for many draws of these.
class InputPlaces {
 public:
  explicit InputPlaces(const Graph& graph);
  /// The operands, and `others` for inputs of other names, as inputs of the graph.
  InputValues operator()(const DotValues& values,
                         const std::map<std::string, Integer>& others) const;

 private:
  struct Place {
    std::string name;
    const std::vector<Integer> DotValues::*vector = nullptr;  ///< or c, or another input
    std::size_t index = 0;
  };
  std::vector<Place> places_;
};

/// The same of one draw.
InputValues input_values(const Graph& graph, const DotValues& values,
                         const std::map<std::string, Integer>& others = {});

/// The formats of the graph's inputs, in their order: those of the operands, and of `others` by
/// name; nullptr for any other input.
std::vector<const Format*> input_formats(const Graph& graph, const DotFormats& formats,
                                         const std::map<std::string, const Format*>& others = {});

/// Few terms, and b powers of two: where witnesses are found soon.
std::vector<Restriction> dot_restrictions(const DotFormats& formats);

/// The nodes on which both of two expressions depend and that either uses in its own way.
std::vector<NodeId> shared_frontier(const Graph& graph, NodeId first, NodeId second);

/// The same, further down: where all that is used of some inputs passes through one node, that node
/// instead of what is made of it, which is not torn apart so (the fields of one number); and
/// nothing for what depends on one input alone.
std::vector<NodeId> shared_dominators(const Graph& graph, NodeId first, NodeId second);

}  // namespace mmaspec
