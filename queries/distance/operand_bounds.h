#pragma once
/// Bounds of the operands of a dot product that follow from premises.

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

/// What the premises leave one operand.
struct OperandBounds {
  Rational low;
  Rational high;
  bool subnormal = true;  ///< it may be

  /// The largest magnitude.
  Rational size() const {
    return std::max(Rational(boost::multiprecision::abs(low)),
                    Rational(boost::multiprecision::abs(high)));
  }
};

/// Bounds of all operands, in the order of dot_inputs(), which are the graph's first inputs.
/// Premises that relate operands are not used.
class Operands {
 public:
  Operands(const DotFormats& formats, Graph& graph, const std::vector<NodeId>& premises,
           const Portfolio& solvers, const Deadline& deadline);

  /// Every operand is finite and has bounds, which are right if are_confirmed().
  bool are_known() const;
  const OperandBounds& operator[](int i) const { return *bounds_[static_cast<std::size_t>(i)]; }

  /// The bounds of operands of which not every pattern was tried are right, too: asks a solver.
  bool are_confirmed() const;

 private:
  /// What a solver is to confirm: these conditions on an operand leave it no more than low .. high.
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

/// Extremes of the terms, the products and c.
struct TermExtremes {
  Rational largest = 0;  ///< magnitude of any
  Rational sum = 0;      ///< of all magnitudes
  bool one_sign = true;  ///< no two of them have opposite signs
  bool subnormal_factors = false;
  int exponent = 0;  ///< the largest that a term counts
  OperandRange range{0, 0, 0, 1, 1, 0};
};

TermExtremes terms_of(const DotFormats& f, const Operands& in);

/// The range of all operands on which the premises hold, which is confirmed. nullopt: they leave
/// some operand unbounded, or it was not confirmed before the deadline.
std::optional<OperandRange> operand_range(const DotFormats& formats, Graph& graph,
                                          const std::vector<NodeId>& premises,
                                          const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
