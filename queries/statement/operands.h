#pragma once
/// The operands of a dot-add as inputs of a graph, and as numbers.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/formats/unpack.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// Values of a graph's inputs, in the order of Graph::inputs().
using InputValues = std::vector<Integer>;

/// True if all operands belong to the class.
Bool belong(InputClass inputs, const DotFormats& formats, const DotOperands& operands);
/// The same for concrete values.
bool belong(InputClass inputs, const DotFormats& formats, const DotValues& values);

/// The operands that correspond to the graph inputs a[0].., b[0].., c, sa[0].., sb[0].., with the
/// bits cleared that their formats ignore. Operands that are not inputs of the graph are 0.
DotValues dot_values(const Graph& graph, const DotFormats& formats, const InputValues& inputs);

/// Maps operand values to the inputs of one graph. Construct it once to convert many values.
class InputPlaces {
 public:
  explicit InputPlaces(const Graph& graph);
  /// The graph's inputs for these operands. `others` gives inputs with other names; a missing one
  /// is 0.
  InputValues operator()(const DotValues& values,
                         const std::map<std::string, Integer>& others) const;

 private:
  struct Place {
    std::string name;
    const std::vector<Integer> DotValues::*vector = nullptr;  ///< nullptr: c, or an input with
                                                              ///< another name
    std::size_t index = 0;
  };
  std::vector<Place> places_;
};

/// The same for a single conversion.
InputValues input_values(const Graph& graph, const DotValues& values,
                         const std::map<std::string, Integer>& others = {});

/// The format of each graph input, in their order: from `formats` for operands, from `others` by
/// name, and nullptr for any other input.
std::vector<const Format*> input_formats(const Graph& graph, const DotFormats& formats,
                                         const std::map<std::string, const Format*>& others = {});

}  // namespace mmaspec
