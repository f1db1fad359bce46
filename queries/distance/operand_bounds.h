#pragma once
/// Bounds of a dot product's operands that follow from premises.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "queries/draw/operand_sets.h"
#include "queries/errors/range_error.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"
#include "util/deadline.h"

namespace mmaspec {

/// The bounds of one operand.
struct OperandBounds {
  Rational low;
  Rational high;
  bool subnormal = true;  ///< whether it may be subnormal

  /// The largest magnitude.
  Rational size() const {
    return std::max(Rational(boost::multiprecision::abs(low)),
                    Rational(boost::multiprecision::abs(high)));
  }
};

/// Bounds of all operands, in the order of dot_inputs(), which must be the graph's first inputs.
/// Premises that relate several operands are not used.
class Operands {
 public:
  Operands(const DotFormats& formats, Graph& graph, const std::vector<NodeId>& premises,
           const Portfolio& solvers, const Deadline& deadline);

  /// True if every operand is finite and has bounds. The bounds are proved only if are_confirmed()
  /// is true.
  bool are_known() const;
  const OperandBounds& operator[](int i) const { return *bounds_[static_cast<std::size_t>(i)]; }

  /// True if a solver proves the bounds of those operands for which not every pattern was tried.
  bool are_confirmed() const;

 private:
  /// A bound for a solver to confirm: these conditions on an operand imply low .. high.
  struct Open {
    NodeId input;
    const Format* format;
    std::vector<Literal> own;
    std::int64_t low;
    std::int64_t high;
  };

  std::optional<OperandBounds> bounds(NodeId input, const Format& f,
                                      const std::vector<Literal>& own);
  bool is_confirmed(const Open& open) const;

  Graph& graph_;
  const Portfolio& solvers_;
  const Deadline deadline_;
  OperandSets sets_;
  std::vector<std::optional<OperandBounds>> bounds_;
  std::vector<Open> open_;
};

/// Extreme values of the terms, which are the products and c.
struct TermExtremes {
  Rational largest = 0;  ///< largest magnitude of a term
  Rational sum = 0;      ///< sum of all magnitudes
  bool one_sign = true;  ///< no two of them have opposite signs
  bool subnormal_factors = false;
  int exponent = 0;  ///< the largest exponent of a term
  OperandRange range{0, 0, 0, 1, 1, 0};
};

TermExtremes terms_of(const DotFormats& f, const Operands& in);

/// The confirmed range of all operands under the premises. nullopt if some operand is unbounded, or
/// if the range was not confirmed before the deadline.
std::optional<OperandRange> operand_range(const DotFormats& formats, Graph& graph,
                                          const std::vector<NodeId>& premises,
                                          const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
