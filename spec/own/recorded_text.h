#pragma once
/// Recorded algorithms as text. A plugin passes its algorithms to the tool in this form,
/// independent of the compiler and standard library of either.

#include <string>
#include <string_view>

#include "spec/own/recorded.h"

namespace mmaspec {

/// The first line of a plugin's text. It changes with each change of this format or of the meaning
/// of an operation.
constexpr std::string_view kPluginVersion = "mmaspec-plugin 1";
/// The function of a plugin that returns the text: const char* mmaspec_plugin(). It returns "error:
/// " and a message on failure.
constexpr const char* kPluginFunction = "mmaspec_plugin";

/// One line each for the name, the formats, each node in use, each mark and each of its texts, and
/// the result. The name is one word.
std::string to_text(const Recorded& recorded);

/// Parses what to_text() wrote and removes it from the front of `text`. Nodes are rebuilt through
/// the language, so that their ranges are recomputed; claims are checked like those of any other
/// algorithm. Throws std::invalid_argument.
std::shared_ptr<const Recorded> take_recorded(std::string_view& text);

}  // namespace mmaspec
