#pragma once
/// The designs that a suite distinguishes: selected by the user, with equal K.

#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

struct DesignRequest {
  /// Instructions, `design:...`, and patterns of instruction names: `*` is any text, `?` any
  /// character, `[...]` one of these (`hopper/*`, `*/*_f16`, `hopper/wgmma*@mma-sim`).
  std::vector<std::string> names = {};
  /// Operand formats `a,b,c,d` or `a,b,c,d,scale`, or `d.a.b.c` as in mnemonics: a filter for the
  /// instructions that patterns match. Empty: any.
  std::string formats = {};
  /// Operand formats. From each architecture that has instructions of these formats, selects the
  /// longest in its default variant (all of them if several are equally long). Empty: none.
  std::string all_architectures = {};
  int chain = 0;     ///< chain all to this K; 0: to the longest
  bool pad = false;  ///< pad all to the shortest K: the others' products beyond it are zero
};

/// A design of a suite.
struct SuiteDesign {
  Instruction own;  ///< the named design
  Instruction run;  ///< at the suite's K: chained, or with its other products zero

  std::string name() const { return own.name(); }
  std::string label() const { return own.label(); }
};

/// The requested designs, each once, in the requested order. All `run` have the same formats and K.
/// Throws std::invalid_argument with a one-line message for an unknown name, a pattern without
/// matches, an empty request, and designs with different formats or with K that cannot be made
/// equal.
std::vector<SuiteDesign> designs_of(const DesignRequest& request);

/// The same for given instructions, see DesignRequest.
std::vector<SuiteDesign> brought_together(const std::vector<Instruction>& all, int chain, bool pad);

}  // namespace mmaspec
