#pragma once
/// Conditions of --where as trees: drawn at random, printed as a user writes them, and evaluated
/// according to queries/numbers/where.h.

#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/draw/random.h"
#include "tests/support/reference/design.h"

namespace mmaspec::fuzz {

/// `a[2]`, `a[*]`, `c`, `d`.
struct Named {
  std::string name;
  int index = 0;
  static constexpr int kEvery = -1;
};

/// A side of a comparison.
struct Side {
  enum class Kind { operand, literal, exponent } kind = Kind::literal;
  Named operand;
  long double literal = 0;
  std::string text;  ///< of the literal
  bool absolute = false;
  bool negative = false;
};

class Condition {
 public:
  enum class Kind { all, any, none_of, is_class, comparison };

  /// A random condition about operands of the design's formats, with `k` products. `infinities`:
  /// operands may be infinite or NaN.
  static Condition draw(const reference::Design& design, int k, bool infinities, Random& random);

  std::string text() const;
  bool holds(const reference::Design& formats, const reference::Operands& x,
             std::uint64_t d) const {
    return score(formats, x, d) == 1;
  }
  /// 1 if the condition holds; otherwise less than 1, and larger if more parts hold.
  double score(const reference::Design& formats, const reference::Operands& x,
               std::uint64_t d) const;
  /// Appends the numbers that it names.
  void numbers(std::vector<double>& all) const;
  bool speaks_of_d() const;

 private:
  double score_at(const reference::Design& formats, const reference::Operands& x, std::uint64_t d,
                  int every) const;

  Kind kind_ = Kind::all;
  std::vector<Condition> parts_;
  std::string word_;  ///< the class, or the operator
  Named operand_;
  Side left_;
  Side right_;
};

}  // namespace mmaspec::fuzz
