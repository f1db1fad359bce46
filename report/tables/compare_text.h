#pragma once
/// Output of comparisons on matrices.

#include <string>

#include "queries/compare/compare.h"

namespace mmaspec {

std::string text_of(const Comparison& comparison);
std::string json_of(const Comparison& comparison);
/// Histogram of differences in ulp, as SVG.
std::string picture_of(const Comparison& comparison);

}  // namespace mmaspec
