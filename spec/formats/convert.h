#pragma once
/// Conversion between formats, in the language.

#include "spec/formats/round.h"

namespace mmaspec {

struct Converted {
  /// In the new format: exact if `exact`, otherwise rounded. NaN becomes NaN (0 if the format lacks
  /// NaN); infinities and numbers beyond the largest become infinite_pattern(). For integer
  /// formats: the nearest number.
  Int pattern;
  Bool exact;  ///< the new format holds the value; NaN counts as held if the format has one
};

/// `pattern` of `from`, rounded into `to`. Throws std::logic_error if `to` is an integer format and
/// `from` is not.
Converted convert(const Format& from, Int pattern, const Format& to,
                  Rounding rounding = Rounding::nearest_even);

}  // namespace mmaspec
