#pragma once
/// Other names of instructions: PTX with all its qualifiers, MMA-Sim's with their kinds, the shapes
/// of C++'s wmma::mma_sync, and sparse instructions.

#include <optional>
#include <string>

namespace mmaspec {

/// A mnemonic without the qualifiers that change no number.
struct Spelling {
  std::string mnemonic;
  std::string kind;  ///< of `.kind::KIND`; empty: none is given
};

/// Leaves .sync, .aligned, .row, .col and .kind::KIND out.
Spelling without_qualifiers(const std::string& mnemonic);

/// The kind that PTX wants of the mnemonic, several with '|' between them; empty: it has none.
/// `mma` has one where `architecture` has FP6 and FP4.
std::string kinds_of(const std::string& architecture, const std::string& mnemonic);

/// What a compiler makes of wmma::mma_sync.
struct WmmaExpansion {
  std::string mnemonic;  ///< of the instruction that each step is
  int k;                 ///< products of the whole, a chain of such steps in the order of k
  int step_k;            ///< products of one step
};

/// Of `[wmma.][mma.]mMnNkK.D.A.B.C`, such as m16n16k16.f32.f16.f16.f32, and of PTX's
/// `wmma.mma.mMnNkK.D.C` (f16 operands). nullopt: it is not such a shape, or the architecture has
/// no floating-point WMMA of it.
std::optional<WmmaExpansion> wmma_expansion(const std::string& architecture,
                                            const std::string& mnemonic);

/// A sparse instruction: the dense one of half its K over the elements of b that its metadata
/// selects. Elements that are not selected count for nothing.
struct SparseName {
  std::string mnemonic;  ///< in one spelling
  std::string dense;     ///< the dense instruction's mnemonic; it may not exist
  /// A GPU's results (tests/data/hardware/sparse) are those of the dense instruction.
  bool recorded;
};

/// Of PTX's mma.sp, wgmma.sp and tcgen05.mma.sp without block scale factors, and of AMD's SMFMAC
/// and SWMMAC. nullopt: the name is not one of these, or the architecture has no such instruction.
std::optional<SparseName> sparse_name(const std::string& architecture, const std::string& mnemonic);

}  // namespace mmaspec
