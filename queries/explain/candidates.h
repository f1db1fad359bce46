#pragma once
/// The plans that are tried around a unit: how K is ordered, promoted and cut into parts, in which
/// order the parts' sums are added, where C joins, and what the result is stored as.

#include <optional>
#include <string>
#include <vector>

#include "queries/explain/arithmetic.h"
#include "queries/explain/segment_sums.h"
#include "queries/explain/units.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec::explain {

/// How K is cut, in points of SegmentSums.
struct Shape {
  int every = 0;          ///< between two promotions; 0: there are none
  std::vector<int> ends;  ///< of the parts; the last one is the last point

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

/// Where C joins.
enum class Joins {
  none,   ///< without C: c is +0
  first,  ///< the first part, or memory that atomic additions go to, starts from it
  last,   ///< it is added to the sum of all parts
  after   ///< a bias, added to the stored result by another kernel
};

/// What becomes of the parts' sums.
struct Finish {
  Reduce reduce = Reduce::forward;
  int order = 0;                    ///< of Reduce::atomic
  const Format* partial = nullptr;  ///< see SplitK
  Joins joins = Joins::none;
  const Format* out;  ///< what D is of
};

/// What a plan is made of, in words: two plans are compared part by part.
struct PlanParts {
  std::string instruction;
  std::string operands;  ///< how they are converted
  std::string products;  ///< the order in which the unit gets them
  std::string sums;      ///< see Space::tree()
  std::string result;    ///< its format, and where C joins
};

/// A plan around one unit.
struct Candidate {
  std::size_t shape = 0;
  std::size_t finish = 0;
  /// Without C: whether the results' zeros have the signs that they have where +0 is not added to
  /// the sum of the parts, and where it is.
  bool zeros_as_summed = true;
  bool zeros_as_added = true;
};

/// The order in which a unit gets the products.
struct ProductsOrder {
  std::optional<Permute> permute = {};  ///< none: ascending
  /// Not 0: in ascending order, but in each of `parts` equal parts the rest comes first: see
  /// RestFirst.
  int tile = 0;
  int parts = 1;
};

/// The candidates around one unit in one order of K.
class Space {
 public:
  /// `products`: K. `has_c`, and `outs`: the formats that D may be of.
  Space(const PreparedUnit& unit, const ProductsOrder& order, std::size_t products, bool has_c,
        std::vector<const Format*> outs, Extent extent);

  const PreparedUnit& unit() const { return unit_; }
  /// K as the unit runs it: a multiple of its steps, filled up with +0.
  std::size_t whole_k() const { return whole_k_; }
  std::size_t steps() const { return whole_k_ / static_cast<std::size_t>(unit_.unit->k); }
  int grain() const { return grain_; }
  const std::vector<Shape>& shapes() const { return shapes_; }
  /// The finishes of a shape; a candidate's `finish` counts in these.
  const std::vector<Finish>& finishes(const Shape& shape) const;
  std::size_t size() const;

  /// The order of the products in the operands that the unit gets; -1: +0 * +0.
  const std::vector<int>& products() const { return products_; }

  /// Which segments the shapes need: see SegmentSums::compute(). `from_c`: whether a chain from c,
  /// too.
  struct Needs {
    std::vector<int> last_end;
    bool from_c = false;
  };
  Needs needs(const std::vector<bool>& alive_shapes) const;

  /// Keeps those of `candidates` (all of one shape) that give `d`, a pattern of their `out`.
  void keep(const Shape& shape, const SegmentSums& sums, std::uint64_t c, std::uint64_t d,
            std::vector<Candidate>& candidates) const;

  /// The plan, around instruction `name` of the unit's names.
  std::string name(const Candidate& candidate, std::size_t name) const;
  /// Whether that instruction's K divides all that the plan cuts.
  bool takes(const Candidate& candidate, std::size_t name) const;
  /// The tree in which the sums of consecutive products are added: `((0..16+16..32)+32..48)`, where
  /// 0..16 is the unit's chain over the first 16 products in the order in which it gets them.
  std::string tree(const Candidate& candidate) const;
  /// The plan's parts, of instruction `name`.
  PlanParts parts(const Candidate& candidate, std::size_t name) const;
  /// Equal for candidates, of any space, that compute the same for all inputs.
  std::string key(const Candidate& candidate) const;
  /// Less for simpler plans.
  int complexity(const Candidate& candidate) const;

 private:
  /// Blocks of all K are dealt to ways.
  bool is_dealt() const {
    return order_ && order_->order == ProductOrder::interleaved && order_->within == 0;
  }
  bool is_reversed() const { return order_ && order_->order == ProductOrder::reversed; }
  void add_shapes(Extent extent);
  std::vector<int> lengths(const Shape& shape) const;

  PreparedUnit unit_;
  std::optional<Permute> order_;
  int tile_;
  int parts_;
  std::size_t k_;
  std::size_t whole_k_;
  bool has_c_;
  std::vector<const Format*> outs_;
  int grain_ = 1;
  int points_ = 0;
  std::vector<int> products_;
  std::vector<Shape> shapes_;
  std::vector<std::vector<Finish>> finishes_;  ///< by the number of parts, up to the largest kept
  std::optional<SumArithmetic> arithmetic_;
};

/// The orders of K that are tried with a unit of `unit_k` products a step.
std::vector<ProductsOrder> orders_of_products(int unit_k, std::size_t products, Extent extent);

}  // namespace mmaspec::explain
