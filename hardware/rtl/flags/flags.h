#pragma once
/// Exception flags as the result of a specification.

#include <string>

#include "spec/catalog/instruction.h"
#include "spec/parts/ieee_flags.h"

namespace mmaspec::rtl {

/// The format of flags_pattern(): an integer of five bits.
const Format& flags_format();

/// The names of the flags that are set: `overflow, inexact`, or `none`.
std::string flag_names(const Integer& pattern);

/// The design with its exception flags as d. The design must have one rounding: an exact-dot-add of
/// one block, or a sequential-fma with k=1 that counts subnormal operands, with gradual underflow,
/// all fraction bits, and formats of IEEE 754 without scale factors. Otherwise throws
/// std::invalid_argument with a one-line message.
Instruction with_flags(const Instruction& design, Tininess tininess);

}  // namespace mmaspec::rtl
