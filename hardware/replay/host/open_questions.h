#pragma once
/// The open questions about matrix units, as inputs that decide or record them: where the largest
/// exponent's floor lies, whether zero products count for it, signs of zero, what FP8 mma.sync
/// becomes, and where results overflow; and what two releases of MMA-Sim disagree about. Each row
/// carries what every reading predicts.

#include <string>
#include <vector>

#include "hardware/replay/host/rows.h"

namespace mmaspec {

/// A reading of the hardware: a name, and the model that it means.
struct Hypothesis {
  std::string name;
  Instruction model;
};

/// Floors of the largest exponent, and none.
std::vector<Hypothesis> floor_hypotheses(const Instruction& instruction);
/// Whether, and as what, zero products count for the largest exponent.
std::vector<Hypothesis> zero_product_hypotheses(const Instruction& instruction);
/// What an FP8 mma.sync that the assembler writes is made of.
std::vector<Hypothesis> split_hypotheses(const Instruction& instruction);
/// Overflow, rounding and blocks of results.
std::vector<Hypothesis> result_hypotheses(const Instruction& instruction);
/// Whether an f16 c of f32 results counts the exponent of its own format, or that of its leading
/// bit; empty: c has d's format.
std::vector<Hypothesis> c_hypotheses(const Instruction& instruction);
/// Whether groups of FP4 that cancel count for the largest exponent, and whether it has a floor.
std::vector<Hypothesis> group_hypotheses(const Instruction& instruction);
/// The sign of CDNA2's products of -0.
std::vector<Hypothesis> minus_zero_hypotheses(const Instruction& instruction);
/// How CDNA3 rounds sums, what zeros count there, and what an overflowed product next to an
/// infinity makes.
std::vector<Hypothesis> round_down_hypotheses(const Instruction& instruction);

/// All questions for each architecture's instructions; empty: for hopper. Throws
/// std::invalid_argument for an unknown architecture, or one without such questions.
std::vector<ReplayRow> open_questions(const std::vector<std::string>& architectures);

}  // namespace mmaspec
