#pragma once
/// `--where`: conditions on inputs, as a user writes them.
/// where_help() says the grammar, and what it means.

#include <memory>
#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The grammar of conditions and their meaning, for people.
std::string where_help();

class Where {
 public:
  /// All of `expressions` must hold. Throws std::invalid_argument naming the place of the first
  /// error.
  explicit Where(const std::vector<std::string>& expressions);

  /// In the current graph. Throws std::invalid_argument for an operand that the formats lack.
  Bool holds(const DotFormats& formats, const DotOperands& operands, Int d) const;

  bool empty() const { return expressions_.empty(); }

  struct Expression;

 private:
  std::vector<std::shared_ptr<const Expression>> expressions_;
};

}  // namespace mmaspec
