#pragma once
/// A spec's own obligations: every claim proved, every range sound on samples, encoder against
/// evaluator.

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
  std::size_t samples = 0;          ///< inputs on which every node's value was inside its range
  std::size_t encoder_samples = 0;  ///< inputs on which a solver proved the encoding's d equal
  std::string problem;              ///< what is wrong or undecided; empty if sound
};

/// All of an instruction, within the time limit of `solvers`.
CheckResult check(const Instruction& instruction, int samples, unsigned seed,
                  const Portfolio& solvers);

/// The obligations of a graph's claims alone.
CheckResult check_claims(const Graph& graph, const std::vector<NodeId>& roots,
                         const Portfolio& solvers, const Deadline& deadline = {});

/// Algorithm, parameters, formats and K as one line: equal for instructions that compute the same.
std::string signature(const Instruction& instruction);

/// One instruction of each distinct algorithm, parameter set, formats and K, variants included.
std::vector<Instruction> distinct(const std::vector<Instruction>& instructions);

}  // namespace mmaspec
