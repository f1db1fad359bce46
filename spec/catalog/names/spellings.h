#pragma once
/// Other names of instructions: PTX with all its qualifiers, MMA-Sim's with their kinds, the shapes
/// of C++'s wmma::mma_sync, and sparse instructions.

#include <optional>
#include <string>

namespace mmaspec {

/// A mnemonic without the qualifiers that have no effect on numbers.
struct Spelling {
  std::string mnemonic;
  std::string kind;  ///< of `.kind::KIND`; empty if there is none
};

/// Removes .sync, .aligned, .row, .col and .kind::KIND.
Spelling without_qualifiers(const std::string& mnemonic);

/// The kind that PTX requires for the mnemonic, alternatives separated by '|'; empty if it has
/// none. `mma` has one if `architecture` has FP6 and FP4.
std::string kinds_of(const std::string& architecture, const std::string& mnemonic);

/// The instructions that a compiler emits for wmma::mma_sync.
struct WmmaExpansion {
  std::string mnemonic;  ///< the instruction of each step
  int k;                 ///< total number of products, in a chain of such steps in the order of k
  int step_k;            ///< products of one step
};

/// For `[wmma.][mma.]mMnNkK.D.A.B.C`, such as m16n16k16.f32.f16.f16.f32, and for PTX's
/// `wmma.mma.mMnNkK.D.C` (f16 operands). nullopt: it is not such a shape, or the architecture has
/// no floating-point WMMA of this shape.
std::optional<WmmaExpansion> wmma_expansion(const std::string& architecture,
                                            const std::string& mnemonic);

/// A sparse instruction: the dense one with half its K on the elements of b that its metadata
/// selects. Other elements have no effect.
struct SparseName {
  std::string mnemonic;  ///< in canonical spelling
  std::string dense;     ///< the dense instruction's mnemonic; it may not exist
  /// Recorded results of a GPU (tests/data/hardware/sparse) are those of the dense instruction.
  bool recorded;
};

/// For PTX's mma.sp, wgmma.sp and tcgen05.mma.sp without block scale factors, and AMD's SMFMAC and
/// SWMMAC. nullopt: it is not one of these names, or the architecture does not have the
/// instruction.
std::optional<SparseName> sparse_name(const std::string& architecture, const std::string& mnemonic);

}  // namespace mmaspec
