#pragma once
/// Makes a witness as simple as can be found, because people read it: most terms zero, powers of
/// two, small exponents, few significant bits, positive.

#include <functional>

#include "concrete/dot/model.h"
#include "util/deadline.h"

namespace mmaspec {

/// True if the operands are still a witness of the same question.
using StillHolds = std::function<bool(const DotValues&)>;

/// The simplest operands found by steps each of which `still_holds`, as far as so many trials and
/// the deadline let them be tried. `values` must hold itself.
DotValues shrink(const DotFormats& formats, DotValues values, const StillHolds& still_holds,
                 int trials = 20000, const Deadline& deadline = {});

/// The same for one number.
Integer shrink_one(const Format& format, const Integer& pattern,
                   const std::function<bool(const Integer&)>& still_holds,
                   const Deadline& deadline = {});

}  // namespace mmaspec
