#pragma once
/// Checks of a specification: every claim is proved, every range is checked on samples, and the
/// encoder is compared with the evaluator.

#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"
#include "util/deadline.h"

namespace mmaspec {

enum class CheckVerdict { sound, unsound, undecided };

struct CheckResult {
  std::string name;
  CheckVerdict verdict = CheckVerdict::sound;
  std::size_t claims = 0;
  std::size_t claims_proved = 0;
  std::size_t samples = 0;          ///< inputs for which every node's value was in its range
  std::size_t encoder_samples = 0;  ///< inputs for which a solver proved that the encoding has an
                                    ///< equal d
  std::string problem;              ///< what is unsound or undecided; empty if sound
};

/// All checks of an instruction, within the time limit of `solvers`.
CheckResult check(const Instruction& instruction, int samples, unsigned seed,
                  const Portfolio& solvers);

/// Checks only the claims of a graph.
CheckResult check_claims(const Graph& graph, const std::vector<NodeId>& roots,
                         const Portfolio& solvers, const Deadline& deadline = {});

/// Algorithm, parameters, formats and K in one line: equal for instructions that compute the same.
std::string signature(const Instruction& instruction);

/// One instruction for each distinct signature(), variants included.
std::vector<Instruction> distinct(const std::vector<Instruction>& instructions);

}  // namespace mmaspec
