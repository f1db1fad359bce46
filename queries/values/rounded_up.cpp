#include "queries/values/rounded_up.h"

#include <cmath>

namespace mmaspec {

double rounded_up(const Rational& x) {
  auto near = x.convert_to<double>();
  while (std::isfinite(near) && Rational(near) < x) near = std::nextafter(near, HUGE_VAL);
  return near;
}

}  // namespace mmaspec
