#pragma once
/// Names of a circuit's nodes for messages, taken from the RTL.

#include <string>
#include <vector>

#include "hardware/rtl/circuit/btor2.h"

namespace mmaspec::rtl {

class SignalNames {
 public:
  /// `circuit` must outlive this object.
  explicit SignalNames(const Circuit& circuit);

  /// A signal of the RTL with this value, or a part of one (x[7:4]); empty: there is none. Of
  /// several signals, the one at the highest level of the hierarchy.
  const std::string& name(std::size_t node) const { return names_.at(node); }

  /// The name; otherwise the nearest named signal that depends on the node, as `a value in NAME`;
  /// with its position in the files if it is known.
  std::string describe(std::size_t node) const;

 private:
  void offer(std::size_t node, const std::string& name);
  void name_parts(std::size_t node, const std::string& whole);

  const Circuit& circuit_;
  std::vector<std::size_t> unaliased_;  ///< the node itself, or the node of which it is an alias
  std::vector<std::string> names_;
  std::vector<std::string> sources_;
  std::vector<std::vector<std::size_t>> users_;
};

}  // namespace mmaspec::rtl
