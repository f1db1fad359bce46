#pragma once
/// Recorded algorithms as text: how a plugin hands its own to the tool, whatever compiler and
/// standard library either was built with.

#include <string>
#include <string_view>

#include "spec/own/recorded.h"

namespace mmaspec {

/// The first line of what a plugin hands over, before its algorithms; another one for each change
/// of this text or of what an operation means.
constexpr std::string_view kPluginVersion = "mmaspec-plugin 1";
/// The function of a plugin that hands it over: const char* mmaspec_plugin(), or "error: " and a
/// message.
constexpr const char* kPluginFunction = "mmaspec_plugin";

/// A line of the name, one of the formats, one for each node that counts, one for each mark and
/// each of its texts, and one of the result. The name is one word.
std::string to_text(const Recorded& recorded);

/// Reads what to_text() wrote and takes it off the front of `text`. Nodes are made again through
/// the language, so that nothing is believed of their ranges but claims, which are checked like
/// those of any other algorithm. Throws std::invalid_argument.
std::shared_ptr<const Recorded> take_recorded(std::string_view& text);

}  // namespace mmaspec
