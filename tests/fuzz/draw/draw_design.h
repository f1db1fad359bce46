#pragma once
/// Random designs of all algorithms, with all parameters.

#include <string>

#include "tests/fuzz/draw/random.h"
#include "tests/support/reference/design.h"

namespace mmaspec::fuzz {

/// The number of inputs that a random design has.
enum class Size {
  tiny,   ///< at most about 24 bits of input: all can be tried
  small,  ///< formats of 16 bits at most, K up to 8
  real,   ///< any format, K up to 32
};

/// A random design's text.
std::string draw_design(Size size, Random& random);

/// The design with one or two parameters changed, and the same formats and K.
std::string changed_design(const std::string& text, Random& random);

/// Another algorithm with the same formats, K and common parameters.
std::string other_algorithm(const std::string& text, Random& random);

/// The design with another K (a multiple or a divisor), where that is possible.
std::string of_other_length(const std::string& text, Random& random);

/// The design with other formats for some operands or the result; some of these formats hold more
/// values.
std::string of_other_formats(const std::string& text, Random& random);

}  // namespace mmaspec::fuzz
