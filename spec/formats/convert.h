#pragma once
/// From one format to another, in the language.

#include "spec/formats/round.h"

namespace mmaspec {

struct Converted {
  Int pattern;  ///< in the new format: exact if `exact`, else rounded as asked (NaN to NaN,
                ///< infinity to infinity or, where there is none, to the largest number)
  Bool exact;   ///< the new format holds the value; NaN counts as held where it has one
};

/// `pattern` of `from`, rounded into `to`.
Converted convert(const Format& from, Int pattern, const Format& to,
                  Rounding rounding = Rounding::nearest_even);

}  // namespace mmaspec
