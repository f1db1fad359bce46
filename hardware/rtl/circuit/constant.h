#pragma once
/// Constants as users write them for ports: decimal, 0x3f or 16'h3f.

#include <string>

#include "spec/lang/integer.h"

namespace mmaspec::rtl {

/// Parses a natural number: decimal digits (a leading 0 is not octal), 0x and hexadecimal digits,
/// or a Verilog constant (16'h3c00, 4'b1010, 'd7; digits may be separated by _, and the number must
/// fit the width). Throws std::invalid_argument with a message that starts with `option`.
Integer parse_constant(const std::string& option, const std::string& text);

}  // namespace mmaspec::rtl
