#pragma once
/// Deviations of variants from the released code of their models.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A difference between the released code of a variant's model and the variant.
struct Departure {
  std::string theirs;  ///< the behaviour of the code
  std::string ours;    ///< the behaviour of the variant
};

/// The departures of an instruction in a variant; empty for default variants, for open designs, and
/// if the variant equals its model for all inputs.
std::vector<Departure> departures(const Instruction& instruction);

}  // namespace mmaspec
