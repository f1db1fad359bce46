#pragma once
/// Decimal numbers as people and programs print them, which formats rarely hold exactly.

#include <string_view>

#include "spec/formats/format.h"

namespace mmaspec {

/// Reads a pattern as parse_pattern_of() does (spec/formats/text.h), but a number that the format
/// does not hold becomes the nearest one, ties to the even significand: what `print` showed of a
/// number reads back as it. Beyond the largest number: infinity. Throws std::invalid_argument for
/// what is no number, and for one that the format has nothing near: a negative one without signs,
/// zero without a zero, one beyond the largest without infinity.
Integer parse_nearest_pattern_of(const Format& format, std::string_view text);

}  // namespace mmaspec
