#pragma once
/// The designs that a suite is to tell apart: which ones a user means, brought to one K.

#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

struct DesignRequest {
  /// Instructions, `design:...`, and patterns of instructions' names: `*` is any text, `?` any
  /// character, `[...]` one of these (`hopper/*`, `*/*_f16`, `hopper/wgmma*@mma-sim`).
  std::vector<std::string> names = {};
  /// Operand formats `a,b,c,d` or `a,b,c,d,scale`, or `d.a.b.c` as in mnemonics: of what patterns
  /// stand for. Empty: any.
  std::string formats = {};
  /// Operand formats: of each architecture that has an instruction of these, the longest (all,
  /// where several are as long), in its default variant. Empty: none.
  std::string all_architectures = {};
  int chain = 0;     ///< bring all to this K; 0: to the longest
  bool pad = false;  ///< to the shortest, the others' products beyond it zero
};

/// A design of a suite.
struct SuiteDesign {
  Instruction own;  ///< as it was named
  Instruction run;  ///< at the suite's K: chained, or with its other products zero

  std::string name() const { return own.name(); }
  std::string label() const { return own.label(); }
};

/// What is asked for, each design once, in the order asked; all `run` are of the same formats and
/// K. Throws std::invalid_argument with one line: an unknown name, a pattern that nothing matches,
/// nothing asked for, or two designs of unlike formats or of K that nothing brings together.
std::vector<SuiteDesign> designs_of(const DesignRequest& request);

/// The same of instructions, see DesignRequest.
std::vector<SuiteDesign> brought_together(const std::vector<Instruction>& all, int chain, bool pad);

}  // namespace mmaspec
