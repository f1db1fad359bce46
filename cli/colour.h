#pragma once
/// Colours of what people read on a terminal.

#include <string>
#include <string_view>

namespace mmaspec::cli {

/// Colours are comfort: the words say all.
enum class Colour { good, bad, open };

/// The text in this colour where standard output is a terminal, NO_COLOR is empty or not set
/// (no-color.org) and TERM is not dumb, or where CLICOLOR_FORCE is set to other than 0; else the
/// text as it is.
std::string in_colour(Colour colour, std::string_view text);

/// As long as one lives, no text gets a colour: of what goes elsewhere than to standard output.
class WithoutColour {
 public:
  WithoutColour();
  ~WithoutColour();
  WithoutColour(const WithoutColour&) = delete;
  WithoutColour& operator=(const WithoutColour&) = delete;
};

}  // namespace mmaspec::cli
