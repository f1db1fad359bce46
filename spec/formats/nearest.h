#pragma once
/// Parses decimal numbers that a format may not hold exactly.

#include <string_view>

#include "spec/formats/format.h"

namespace mmaspec {

/// Parses a pattern as parse_pattern_of() does (spec/formats/text.h), but rounds a number that the
/// format does not hold to the nearest one, ties to the even significand. Parsing what `print`
/// showed of a number gives that number. Beyond the largest number: infinity. Throws
/// std::invalid_argument for text that is not a number, and for a number without a near one in the
/// format: negative without signs, zero without a zero, beyond the largest without infinity.
Integer parse_nearest_pattern_of(const Format& format, std::string_view text);

}  // namespace mmaspec
