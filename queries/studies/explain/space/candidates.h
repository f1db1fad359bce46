#pragma once
/// The plans that are tried around a unit, in one order of K.

#include <optional>
#include <vector>

#include "queries/studies/explain/arithmetic.h"
#include "queries/studies/explain/segment_sums.h"
#include "queries/studies/explain/space/k_shapes.h"
#include "queries/studies/explain/space/part_sums.h"
#include "queries/studies/explain/space/product_orders.h"
#include "queries/studies/explain/space/stored_result.h"
#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// A plan around one unit.
struct Candidate {
  std::size_t shape = 0;
  std::size_t finish = 0;
  /// Without C: whether the zeros of the results have the signs that they have without, and with,
  /// an addition of +0 to the sum of the parts.
  bool zeros_as_summed = true;
  bool zeros_as_added = true;
};

/// The candidates around one unit in one order of K.
class Space {
 public:
  /// `products`: K.
  Space(const PreparedUnit& unit, const ProductsOrder& order, std::size_t products,
        const ResultChoices& choices);

  /// One shape of another space, with only these finishes.
  Space(const Space& other, const Shape& shape, std::vector<Finish> finishes) : Space(other) {
    shapes_ = {shape};
    finishes_ = Finishes(std::move(finishes));
  }

  const PreparedUnit& unit() const { return unit_; }
  const ProductsOrder& order() const { return order_; }
  std::size_t k() const { return k_; }
  /// The K that the unit executes: a multiple of its steps, padded with +0.
  std::size_t whole_k() const { return products_.size(); }
  std::size_t steps() const { return whole_k() / static_cast<std::size_t>(unit_.unit->k); }
  int grain() const { return grain_; }
  const std::vector<Shape>& shapes() const { return shapes_; }
  /// The finishes of a shape; a candidate's `finish` is an index into them.
  const std::vector<Finish>& finishes(const Shape& shape) const {
    return finishes_.of_parts(shape.ends.size());
  }
  const Shape& shape_of(const Candidate& candidate) const { return shapes_[candidate.shape]; }
  const Finish& finish_of(const Candidate& candidate) const {
    return finishes(shape_of(candidate))[candidate.finish];
  }
  std::size_t size() const;
  const StoredResult& result() const { return result_; }

  /// The order of the products in the operands that the unit gets; see ordered_products().
  const std::vector<int>& products() const { return products_; }
  /// Number of products between two promotions; 0: there are none.
  int every(const Shape& shape) const { return shape.every * unit_.unit->k * grain_; }
  /// Number of products of each part, padded to whole steps of the unit.
  std::vector<int> lengths(const Shape& shape) const;

  /// The segments that the shapes need: see SegmentSums::compute(). `from_c`: whether they need a
  /// chain from c.
  struct Needs {
    std::vector<int> last_end;
    bool from_c = false;
  };
  Needs needs(const std::vector<bool>& alive_shapes) const;

  /// Keeps those of `candidates` (all of one shape) that give `d`, a pattern of their `out`.
  /// `sums`: those of `operands`.
  void keep(const Shape& shape, const SegmentSums& sums, const ElementOperands& operands,
            std::uint64_t d, std::vector<Candidate>& candidates) const;

 private:
  PreparedUnit unit_;
  ProductsOrder order_;
  std::size_t k_;
  bool has_c_;
  std::vector<int> products_;
  int grain_;
  std::vector<Shape> shapes_;
  Finishes finishes_;
  StoredResult result_;
  std::optional<SumArithmetic> arithmetic_;
};

}  // namespace mmaspec::explain
