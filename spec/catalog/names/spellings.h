#pragma once
/// Other names of NVIDIA's instructions: PTX with all its qualifiers, MMA-Sim's with their kinds,
/// and the shapes of C++'s wmma::mma_sync.

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
/// `wmma.mma.mMnNkK.D.C` (f16 operands). nullopt: it is no such shape, or the architecture has no
/// floating-point WMMA of it.
std::optional<WmmaExpansion> wmma_expansion(const std::string& architecture,
                                            const std::string& mnemonic);

}  // namespace mmaspec
