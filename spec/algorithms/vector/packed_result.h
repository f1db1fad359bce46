#pragma once
/// Results of RDNA's DOT and WMMA instructions: f32, f16, or the high part of an f32.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// (-1)^sign * magnitude * 2^exponent, rounded once to the result's format, or, `through_f32`, to
/// f32, of which the 16 high bits are d. A zero is +0, whatever was rounded to it.
Int packed_result(Bool sign, Int magnitude, Int exponent, const SymbolicResultFormat& result,
                  bool through_f32);

/// Describes through_f32, with what it needs.
void describe_through_f32(bool& through_f32, const DotFormats& formats, ParameterVisitor& visit);

}  // namespace mmaspec
