#pragma once
/// Names of a circuit's nodes for messages: what the RTL calls them.

#include <string>
#include <vector>

#include "hardware/rtl/circuit/btor2.h"

namespace mmaspec::rtl {

class SignalNames {
 public:
  /// `circuit` must outlive this object.
  explicit SignalNames(const Circuit& circuit);

  /// A signal of the RTL with this value, or the part of one (x[7:4]); empty: there is none. Of
  /// several the one that is the least deep in the hierarchy.
  const std::string& name(std::size_t node) const { return names_.at(node); }

  /// The name; else the nearest named signal that depends on the node, as `a value in NAME`; with
  /// the place in the files where it is known.
  std::string describe(std::size_t node) const;

 private:
  void offer(std::size_t node, const std::string& name);
  void name_parts(std::size_t node, const std::string& whole);

  const Circuit& circuit_;
  std::vector<std::size_t> unaliased_;  ///< the node itself, or the one that it is another name of
  std::vector<std::string> names_;
  std::vector<std::string> sources_;
  std::vector<std::vector<std::size_t>> users_;
};

}  // namespace mmaspec::rtl
