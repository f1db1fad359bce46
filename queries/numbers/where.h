#pragma once
/// `--where`: conditions on inputs, as a user writes them. `mmaspec help where` prints
/// the grammar and its meaning.

#include <memory>
#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

class Where {
 public:
  /// A conjunction of all `expressions`. Throws std::invalid_argument with the position of the
  /// first error.
  explicit Where(const std::vector<std::string>& expressions);

  /// The condition in the current graph. Throws std::invalid_argument for an operand that the
  /// formats lack.
  Bool holds(const DotFormats& formats, const DotOperands& operands, Int d) const;

  bool empty() const { return expressions_.empty(); }

  struct Expression;

 private:
  std::vector<std::shared_ptr<const Expression>> expressions_;
};

}  // namespace mmaspec
