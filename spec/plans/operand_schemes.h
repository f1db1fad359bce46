#pragma once
/// What kernels do to operands before the unit reads them: they convert them, and read them in
/// another order.

#include <cstdint>

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Each operand is converted to the inner one's format.
struct Convert {
  static constexpr std::string_view kName = "convert";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, include/cutlass/numeric_conversion.h, NumericConverter; NVIDIA PTX ISA, cvt";

  const Format* a = &formats::f32;  ///< what the operands are before
  const Format* b = &formats::f32;
  Rounding round = Rounding::nearest_even;
  bool saturate = false;  ///< numbers beyond the largest become that; infinities stay
  /// f32 patterns: each operand is multiplied by this in f32, rounded to nearest even, before it is
  /// converted.
  Integer scale_a = kUnscaled;
  Integer scale_b = kUnscaled;

  static constexpr std::uint32_t kUnscaled = 0x3f800000;

  friend bool operator==(const Convert& x, const Convert& y) {
    const auto& [a, b, round, saturate, scale_a, scale_b] = x;
    return *a == *y.a && *b == *y.b && round == y.round && saturate == y.saturate &&
           scale_a == y.scale_a && scale_b == y.scale_b;
  }
};

/// The order in which the inner one gets the products.
enum class ProductOrder {
  /// Of each `within` products, blocks are dealt to `ways` in turn, and all of the first way come
  /// first.
  interleaved,
  reversed,  ///< the last block comes first; within a block the order stays
};
std::string to_string(ProductOrder order);

/// Products come in another order.
struct Permute {
  static constexpr std::string_view kName = "permute";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, media/docs/efficient_gemm.md, \"Parallelized Reductions\" (sliced K)";

  ProductOrder order = ProductOrder::interleaved;
  int ways = 2;
  int block = 1;   ///< products that stay together
  int within = 0;  ///< of order interleaved: a multiple of ways * block; 0: all products
  /// Of order interleaved: products of an unrolled iteration, a multiple of ways * block. The
  /// products that do not fill an iteration follow those of the first way. 0: they are dealt, too.
  int unroll = 0;

  friend bool operator==(const Permute&, const Permute&) = default;
};

/// The products that do not fill a tile come first, filled up with +0 * +0 to a multiple of the
/// inner one's K; whole tiles follow.
struct RestFirst {
  static constexpr std::string_view kName = "rest-first";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, include/cutlass/transform/threadblock/predicated_tile_access_iterator.h, "
      "the "
      "residue tile";

  int tile = 0;  ///< products; a multiple of the inner one's K

  friend bool operator==(const RestFirst&, const RestFirst&) = default;
};

/// The products of `k` in the order in which an inner one of K = `inner_k` gets them; -1: +0 * +0.
std::vector<int> rest_first_products(const RestFirst& scheme, int k, int inner_k);

/// The products of `k`, a multiple of permuted_multiple(), in the order in which the inner one gets
/// them.
std::vector<int> permuted_products(const Permute& scheme, int k);
/// Products of which a permutation takes whole multiples.
int permuted_multiple(const Permute& scheme);

/// `number`, a pattern of `from`, times `scale`, as the inner one gets it.
Int converted_operand(const Convert& scheme, const Format& from, Int number, const Format& to,
                      const Integer& scale);

// formats_around(): the plan's formats around such an inner one, for K = k. Throws
// std::invalid_argument where the scheme does not go with it.
DotFormats formats_around(const Convert& scheme, const Inner& inner, int k);
DotFormats formats_around(const Permute& scheme, const Inner& inner, int k);
DotFormats formats_around(const RestFirst& scheme, const Inner& inner, int k);

void describe(Convert& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(Permute& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(RestFirst& scheme, const DotFormats& formats, ParameterVisitor& visit);

Int build_plan(const Convert& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const Permute& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const RestFirst& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);

// Products of one step, where the whole is a chain of steps; else 0.
int plan_step(const Convert& scheme, const Inner& inner);
int plan_step(const Permute& scheme, const Inner& inner);
int plan_step(const RestFirst& scheme, const Inner& inner);

}  // namespace mmaspec
