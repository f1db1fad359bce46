#pragma once
/// Colours of text on a terminal.

#include <string>
#include <string_view>

namespace mmaspec {

/// A colour never carries information that the text does not.
enum class Colour { good, bad, open };

/// The text in this colour, if standard output is a terminal, NO_COLOR is empty or not set
/// (no-color.org) and TERM is not dumb, or if CLICOLOR_FORCE is set and not 0. Otherwise the text
/// without a colour.
std::string in_colour(Colour colour, std::string_view text);

/// While an object of this class exists, texts have no colour, for output to files.
class WithoutColour {
 public:
  WithoutColour();
  ~WithoutColour();
  WithoutColour(const WithoutColour&) = delete;
  WithoutColour& operator=(const WithoutColour&) = delete;
};

}  // namespace mmaspec
