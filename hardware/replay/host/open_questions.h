#pragma once
/// Open questions about matrix units, as inputs that answer or record them: the floor of the
/// largest exponent, whether zero products count for it, signs of zero, the implementation of FP8
/// mma.sync, overflow of results, and differences between two releases of MMA-Sim. Each row carries
/// the prediction of every hypothesis.

#include <string>
#include <vector>

#include "hardware/replay/host/rows.h"

namespace mmaspec {

/// A hypothesis about the hardware: its name and its model.
struct Hypothesis {
  std::string name;
  Instruction model;
};

/// Exponent floors, and no floor.
std::vector<Hypothesis> floor_hypotheses(const Instruction& instruction);
/// Whether zero products count for the largest exponent, and with which exponent.
std::vector<Hypothesis> zero_product_hypotheses(const Instruction& instruction);
/// Which instructions implement an FP8 mma.sync.
std::vector<Hypothesis> split_hypotheses(const Instruction& instruction);
/// Overflow, rounding and block sizes of results.
std::vector<Hypothesis> result_hypotheses(const Instruction& instruction);
/// Whether an f16 c with an f32 result counts with the exponent of its own format or with that of
/// its leading bit; empty if c has d's format.
std::vector<Hypothesis> c_hypotheses(const Instruction& instruction);
/// Whether groups of FP4 products that cancel count for the largest exponent, and whether it has a
/// floor.
std::vector<Hypothesis> group_hypotheses(const Instruction& instruction);
/// The sign of products with -0 on CDNA2.
std::vector<Hypothesis> minus_zero_hypotheses(const Instruction& instruction);
/// On CDNA3: how sums are rounded, what zeros count as, and the result of an overflowed product
/// next to an infinity.
std::vector<Hypothesis> round_down_hypotheses(const Instruction& instruction);

/// All questions for the instructions of each architecture; empty: for hopper. Throws
/// std::invalid_argument for an unknown architecture, or one without such questions.
std::vector<ReplayRow> open_questions(const std::vector<std::string>& architectures);

}  // namespace mmaspec
