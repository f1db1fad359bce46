#pragma once
/// Rulers as SVG.

#include <string>
#include <vector>

#include "report/picture/ruler.h"

namespace mmaspec {

/// The rulers one above the other on one axis of exponents, a self-contained SVG document.
///
/// Each bit is a digit under its exponent; kept bits stand in a solid frame; lost ones in a dashed
/// frame, struck through; a dashed line is the cut. Where nothing changes over many exponents the
/// axis is shortened (three dots). The document says what it draws in numbers, too: the group
/// `axis` has the exponent and place of each column (data-columns="5:120 4:130 ...") and of each
/// gap (data-gaps="-7..-30:240"), each row what number it is (data-number="-13*2^-24"). It is to be
/// read without colour, and follows the reader's dark mode.
std::string draw(const std::vector<Ruler>& rulers);

/// A picture that says so, where there is nothing to draw.
std::string draw_text(const std::string& text);

}  // namespace mmaspec
