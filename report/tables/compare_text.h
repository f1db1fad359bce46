#pragma once
/// How a comparison on matrices is shown.

#include <string>

#include "queries/compare/compare.h"

namespace mmaspec {

std::string text_of(const Comparison& comparison);
std::string json_of(const Comparison& comparison);
/// How many differ by how many ulp, as SVG.
std::string picture_of(const Comparison& comparison);

}  // namespace mmaspec
