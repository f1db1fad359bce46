#pragma once
/// Rulers as SVG.

#include <string>
#include <vector>

#include "report/picture/ruler.h"

namespace mmaspec {

/// Draws the rulers one above another on a common axis of exponents, as a self-contained SVG
/// document.
///
/// Each bit is a digit at its exponent. Kept bits have a solid frame. Lost bits have a dashed frame
/// and are struck through. A dashed line marks the cut. Ranges of exponents without changes are
/// shortened (three dots). The document also contains the numbers: the group `axis` has the
/// exponent and position of each column (data-columns="5:120 4:130 ...") and of each gap
/// (data-gaps="-7..-30:240"), and each row has its number (data-number="-13*2^-24"). The picture is
/// readable without color and follows the reader's dark mode.
std::string draw(const std::vector<Ruler>& rulers);

/// A picture with this text, for when there is nothing to draw.
std::string draw_text(const std::string& text);

}  // namespace mmaspec
