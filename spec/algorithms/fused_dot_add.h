#pragma once
/// Fused dot-add (FDA) and its chain (CoFDA): NVIDIA's tensor cores for every format below f64.

#include <optional>

#include "spec/parts/terms.h"

namespace mmaspec {

/// When c joins the sum.
enum class AccumulatorJoins {
  early,  ///< as one of the terms
  late,   ///< to the products' sum: both are aligned to the larger of their exponents
};
/// early, late.
std::string to_string(AccumulatorJoins joins);

/// d = round(c + sum a[k] * b[k]). All terms are aligned to the largest exponent, cut to
/// `fraction_bits` bits below it, summed exactly and rounded once. A K beyond `block` is computed
/// as a chain of such steps. Block scale factors multiply the products: their exponents are added,
/// their significands are multiplied. MMA-Sim sections IV-C and
/// IV-D.
///
/// The defaults of the parameters after `result` are the values of existing units; other values
/// describe hypothetical designs.
struct FusedDotAdd {
  static constexpr std::string_view kName = "fused-dot-add";
  static constexpr std::string_view kReference = "MMA-Sim sections IV-C, IV-D (FDA, CoFDA)";
  static constexpr bool kTakesScaleFactors = true;

  int fraction_bits;  ///< F: bits kept below the largest exponent
  /// The least that the largest exponent counts (Khattak and Mikaitis); none: unbounded.
  std::optional<int> exponent_floor;
  ZeroTerms zero_terms = ZeroTerms::left_out;
  int zero_exponent = -126;                             ///< with ZeroTerms::operands_count
  int block;                                            ///< products in one fused step; divides K
  ResultFormat result{nullptr, Rounding::toward_zero};  ///< of each step
  Rounding align_rounding = Rounding::toward_zero;      ///< or down
  AccumulatorJoins c_joins = AccumulatorJoins::early;
  bool normalized_products = false;     ///< a product's leading bit decides its exponent
  bool flush_inputs = false;            ///< subnormals and zeros among a, b, c count as +0
  std::optional<int> product_overflow;  ///< products from 2^this on count as infinities
  /// -0 where every term is a zero and one of them -0; else +0. The released code of Valpey et al.
  /// (arXiv 2502.15999) has this rule and one more: it gives -0 where terms cancel exactly, too.
  bool minus_zero = false;
  /// A c of another format than d's counts the exponent of its leading bit; else a subnormal one
  /// counts its format's least exponent (MMA-Sim 2.1.1: f16 c of f32 results). Of no effect on a c
  /// of d's format.
  bool normalized_c = true;

  friend bool operator==(const FusedDotAdd&, const FusedDotAdd&) = default;
};

/// One step over all of `operands`; the pattern of d.
Int fused_dot_add(const FusedDotAdd& design, const DotFormats& formats,
                  const DotOperands& operands);

/// Its parameters, as `design:` takes them.
void describe_fused(FusedDotAdd& design, const DotFormats& formats, bool with_block,
                    ParameterVisitor& visit);
void describe(FusedDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const FusedDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
