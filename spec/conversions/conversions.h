#pragma once
/// Conversion instructions by name: NVIDIA's cvt and AMD's V_CVT_*, one element each.

#include <string>
#include <vector>

#include "spec/catalog/open_design.h"

namespace mmaspec {

struct ListedConversion {
  std::string architecture;
  std::string mnemonic;
  std::string keys;  ///< what the name takes in parentheses, such as "scale=E"; may be empty
  const Format* from;
  const Format* to;
};

/// All conversion instructions, vendor by vendor.
std::vector<ListedConversion> conversion_names();

/// The same as instructions. A name that takes a scale or random bits has scale 1 (a factor of two)
/// or the middle one of all random numbers.
std::vector<Instruction> listed_conversions();

/// The parameters of `design:conversion(...)`.
OpenAlgorithmHelp conversion_help();

/// What find_instruction() finds, and conversions: `<arch>/<mnemonic>[(key=value,...)]` and
/// `design:conversion(c=..,d=..,key=value,...)`. Only commands that accept dot products without
/// products call it.
Instruction find_with_conversions(std::string_view given);

}  // namespace mmaspec
