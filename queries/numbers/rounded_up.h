#pragma once
/// Exact bounds as doubles.

#include "spec/formats/text.h"

namespace mmaspec {

/// A double near x that is not below x; infinity beyond the largest one. x >= 0.
double rounded_up(const Rational& x);

}  // namespace mmaspec
