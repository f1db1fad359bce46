#pragma once
/// An algorithm as a value: a design with all its parameters set. What is built follows from the
/// design alone, so that who knows the design knows the computation.

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "spec/algorithms/exact_dot_add.h"
#include "spec/algorithms/fixed_point_dot_add.h"
#include "spec/algorithms/fused_dot_add.h"
#include "spec/algorithms/group_dot_fused_sum.h"
#include "spec/algorithms/group_pairwise_sum.h"
#include "spec/algorithms/round_down_dot_add.h"
#include "spec/algorithms/split_fp8.h"
#include "spec/algorithms/vector/bulk_normalized_dot_add.h"
#include "spec/algorithms/vector/f32_chain.h"
#include "spec/algorithms/vector/floored_dot_add.h"
#include "spec/algorithms/vector/integer_dot_add.h"
#include "spec/algorithms/vector/ones_complement_dot_add.h"
#include "spec/algorithms/vector/pair_dot_add.h"
#include "spec/algorithms/vector/partial_product_dot_add.h"
#include "spec/algorithms/vector/rounded_product_dot_add.h"
#include "spec/algorithms/vector/sequential_fma.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

class Algorithm;

/// A longer dot-add of steps, each of which takes the last one's d as its c: what a kernel does.
/// Nothing that holds for a step holds for the chain by itself.
struct Chained {
  std::shared_ptr<const Algorithm> step;
  DotFormats step_formats;  ///< c's format is d's; the chain's k is a multiple of its k
};

/// A shorter dot-add: the given one with +0 for all operands a and b beyond those that there are.
/// Nothing that depends on K, or on what zeros do, holds for it by itself.
struct Padded {
  std::shared_ptr<const Algorithm> whole;
  DotFormats whole_formats;  ///< without scale factors
};

/// A computation of which nothing is known but what it builds.
struct Custom {
  std::string name;
  std::function<Int(const DotFormats&, const DotOperands&)> build;
};

/// What a kernel makes of instructions, such as sums of several chains (spec/plans/).
class Composition {
 public:
  Composition() = default;
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  virtual ~Composition() = default;

  virtual Int build(const DotFormats& formats, const DotOperands& operands) const = 0;
  virtual bool equals(const Composition& other) const = 0;
  /// Products of one step where the whole is a chain of equal steps, each of which takes the last
  /// one's d as its c; 0: it is none.
  virtual int step_k() const = 0;
  virtual std::string name() const = 0;
  virtual std::string reference() const = 0;
  virtual std::vector<Parameter> parameters() const = 0;
};

/// A computation of which arguments know that it is equal to itself, and nothing else.
struct Composed {
  std::shared_ptr<const Composition> composition;
};

using Design =
    std::variant<Custom, SequentialFma, GroupPairwiseSum, FusedDotAdd, RoundDownDotAdd,
                 GroupDotFusedSum, SplitFp8, ExactDotAdd, PairDotAdd, BulkNormalizedDotAdd,
                 OnesComplementDotAdd, FlooredDotAdd, PartialProductDotAdd, RoundedProductDotAdd,
                 F32Chain, IntegerDotAdd, FixedPointDotAdd, Chained, Padded, Composed>;

class Algorithm {
 public:
  /// Of a Custom that builds nothing.
  Algorithm();
  // In algorithm.cpp, since those of a variant are a function for each type, in each source that
  // copies an instruction.
  Algorithm(const Algorithm& other);
  Algorithm(Algorithm&& other) noexcept;
  Algorithm& operator=(const Algorithm& other);
  Algorithm& operator=(Algorithm&& other) noexcept;
  ~Algorithm();
  /// Of any type of Design.
  template <typename D>
  requires std::constructible_from<Design, D> &&
      (!std::same_as<std::remove_cvref_t<D>, Algorithm>)Algorithm(D&& design)  // NOLINT
      : design_(std::forward<D>(design)) {}

  const Design& design() const { return design_; }
  /// The design if it is of this type, or nullptr.
  template <typename D>
  const D* as() const {
    return std::get_if<D>(&design_);
  }

  /// Builds the pattern of d in the current graph.
  Int build(const DotFormats& formats, const DotOperands& operands) const;

  /// For people: as `design:` takes the name and `show` prints the rest. Nothing is concluded from
  /// these texts.
  std::string name() const;
  std::string reference() const;  ///< where the literature defines it
  std::vector<Parameter> parameters() const;

  /// Equal designs build the same; a Custom is equal to none.
  friend bool operator==(const Algorithm& x, const Algorithm& y);

 private:
  Design design_;
};

}  // namespace mmaspec
