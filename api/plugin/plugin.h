#pragma once
/// Your own algorithms for every command of the tool: `mmaspec diff --plugin mine.so custom/mine
/// h100/...`. A plugin is a shared object that links to mmaspec::plugin and defines
/// own_algorithms(); examples/plugin/ has one.
///
/// Each function is executed once, in the plugin, with the inputs of its formats. Its graph is
/// passed to the tool as text, so that the two need not share a compiler, a standard library or a
/// version. The tool rebuilds, evaluates and analyzes it like any other algorithm.

#include <functional>
#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

struct OwnAlgorithm {
  std::string name;  ///< letters, digits, '.', '_' and '-'; commands use the name custom/NAME
  DotFormats formats;
  /// The pattern of d, in the language of spec/lang/int.h.
  std::function<Int(const DotOperands&)> build;
};

/// The plugin must define this function. An exception from it, or from its functions, ends the tool
/// with the exception's message and status 2.
std::vector<OwnAlgorithm> own_algorithms();

}  // namespace mmaspec
