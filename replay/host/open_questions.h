#pragma once
/// The open questions about NVIDIA's matrix units, as inputs that decide or record them: where the
/// largest exponent's floor lies, whether zero products count for it, signs of zero, what FP8
/// mma.sync becomes, and where results overflow. Each row carries what every reading predicts.

#include <string>
#include <vector>

#include "replay/host/rows.h"

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

/// All questions for each architecture's instructions; empty: for hopper. Throws
/// std::invalid_argument for an unknown architecture, or one without such questions.
std::vector<ReplayRow> open_questions(const std::vector<std::string>& architectures);

}  // namespace mmaspec
