#pragma once
/// Upper bounds of exact numbers as doubles.

#include "spec/formats/text.h"

namespace mmaspec {

/// A double near x that is at least x; infinity beyond the largest double. Requires x >= 0.
double rounded_up(const Rational& x);

}  // namespace mmaspec
