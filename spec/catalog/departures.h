#pragma once
/// Where a variant is not what the released code of its model does.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Something that the released code of a variant's model does and the variant does not.
struct Departure {
  std::string theirs;  ///< what the code does
  std::string ours;    ///< what the variant does
};

/// Of an instruction in a variant; empty where it is its model in all that it can be given, and for
/// defaults and open designs.
std::vector<Departure> departures(const Instruction& instruction);

}  // namespace mmaspec
