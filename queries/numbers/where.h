#pragma once
/// `--where`: conditions on inputs, as a user writes them.
///
///     expr     = expr "||" expr | expr "&&" expr | "!" expr | "(" expr ")" | class | comparison
///     class    = ("normal" | "subnormal" | "zero" | "finite" | "infinite" | "nan" | "negative")
///                "(" operand ")"
///     comparison = value ("<" | "<=" | ">" | ">=" | "==" | "!=") value
///     value    = ["-"] (operand | number) | "abs" "(" value ")" | "exponent" "(" operand ")"
///     operand  = ("a" | "b" | "sa" | "sb") "[" (index | "*") "]" | "c" | "d"
///
/// Numbers are decimal or C99 hex floats, exact. `a[*]` means every k, the same one wherever a
/// comparison says *. exponent(x) is floor(log2(|x|)) of a non-zero number; that of zero is less
/// than any number's of any format and any integer, that of an infinity larger. Comparisons of NaN
/// are false, but for !=. normal(x): not zero, not subnormal, finite. negative(x): the sign bit, of
/// zeros and NaNs too; false where the format has no sign. An integer is normal where it is not
/// zero.

#include <memory>
#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

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
