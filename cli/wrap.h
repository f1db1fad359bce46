#pragma once
/// Text in lines of limited length, for help.

#include <cstddef>
#include <string>

namespace mmaspec::cli {

constexpr std::size_t kHelpColumns = 96;

/// `start` and the words of `text`, in lines of at most kHelpColumns columns; all but the first
/// line begin with `indent` spaces. Ends with a line's end. A word that is longer than a line stays
/// whole.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent);

/// A command line of an example; where it is too long, lines that end with a backslash. It breaks
/// at spaces outside of quotes.
std::string wrapped_command(const std::string& command, std::size_t indent);

}  // namespace mmaspec::cli
