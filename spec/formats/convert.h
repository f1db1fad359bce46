#pragma once
/// From one format to another, in the language.

#include "spec/formats/round.h"

namespace mmaspec {

struct Converted {
  /// In the new format: exact if `exact`, else rounded as asked. NaN becomes NaN (0 where there is
  /// none); infinities and numbers beyond the largest become infinite_pattern(). Of integers into
  /// another integer format: the nearest number.
  Int pattern;
  Bool exact;  ///< the new format holds the value; NaN counts as held where it has one
};

/// `pattern` of `from`, rounded into `to`. Throws std::logic_error for one that is no integer into
/// an integer format.
Converted convert(const Format& from, Int pattern, const Format& to,
                  Rounding rounding = Rounding::nearest_even);

}  // namespace mmaspec
