#pragma once
/// Simplifies a witness for human readers: as many zero terms as possible, powers of two, small
/// exponents, few significant bits, positive signs.

#include <functional>

#include "concrete/dot/model.h"
#include "util/deadline.h"

namespace mmaspec {

/// True if the operands are still a witness of the same question.
using StillHolds = std::function<bool(const DotValues&)>;

/// The simplest operands found by steps that each satisfy `still_holds`. `values` must satisfy it.
/// Ends after `trials` trials or at the deadline.
DotValues shrink(const DotFormats& formats, DotValues values, const StillHolds& still_holds,
                 int trials = 20000, const Deadline& deadline = {});

/// The same for one number.
Integer shrink_one(const Format& format, const Integer& pattern,
                   const std::function<bool(const Integer&)>& still_holds,
                   const Deadline& deadline = {});

}  // namespace mmaspec
