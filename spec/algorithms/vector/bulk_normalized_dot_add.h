#pragma once
/// Bulk-normalized dot-add: RISC-V's dot-product extensions (Zvdota, Zvbdota), and Intel's AMX-FP8
/// and ACE, whose guard bits are so many that nothing is jammed.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// What the sum of the products is rounded to before c is added.
enum class BulkResult {
  to_odd,       ///< to odd, as the manual's text says and the simulator Spike does
  pseudo_code,  ///< by the manual's pseudo-code, word for word: see build()
};
/// to-odd, pseudo-code.
std::string to_string(BulkResult result);

/// d = c + dot. The products are aligned to the largest sum of their factors' encoded exponents;
/// zero products are ignored. Each is rounded to odd to p - 1 + guard_bits fraction bits, where p
/// is d's precision. dot is their exact sum, rounded to d's format; beyond the largest number it is
/// infinity. c is added last, rounded to odd. Block scale factors multiply the products: their
/// exponents are added, their significands are multiplied. RISC-V Instruction Set Manual, Zvdota
/// and Zvbdota, "RISC-V Bulk Normalization Algorithm" (RVBNA); riscv-isa-sim, riscv/bulknormdot.h
/// and zvbdot.h.
struct BulkNormalizedDotAdd {
  static constexpr std::string_view kName = "bulk-normalized-dot-add";
  static constexpr std::string_view kReference =
      "RISC-V Instruction Set Manual, Zvdota and Zvbdota (RVBNA)";
  static constexpr bool kTakesScaleFactors = true;

  int block;                                       ///< products in one sum; a longer K is a chain
  int guard_bits = 0;                              ///< the manual: ceil(log2(block))
  BulkResult dot = BulkResult::to_odd;             ///< pseudo-code: f32 results alone
  ResultFormat result{nullptr, Rounding::to_odd};  ///< of the dot product and of its sum with c
  bool flush_c = false;                            ///< a subnormal c counts as a zero of its sign
  /// Patterns of infinities and NaNs among a and b are numbers with one more exponent.
  bool numbers_alone = false;

  friend bool operator==(const BulkNormalizedDotAdd&, const BulkNormalizedDotAdd&) = default;
};

/// The same with expressions for its parameters; blocks, and what the products' sum is rounded to,
/// shape the graph.
struct SymbolicBulkNormalizedDotAdd {
  int block;
  Int guard_bits;  ///< >= 0
  BulkResult dot;
  SymbolicResultFormat result;
  Bool flush_c;
  Bool numbers_alone;
};
SymbolicBulkNormalizedDotAdd symbolic(const BulkNormalizedDotAdd& design);

/// Its parameters, as `design:` takes them.
void describe(BulkNormalizedDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const BulkNormalizedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicBulkNormalizedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
