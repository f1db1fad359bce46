#pragma once
/// Algorithms of one's own for every command of the tool: `mmaspec diff --plugin mine.so
/// custom/mine h100/...`. A plugin is a shared object that is linked with mmaspec::plugin and
/// defines own_algorithms(); examples/plugin/ has one.
///
/// Each function is run once, in the plugin, over the inputs of its formats. What it built goes to
/// the tool as text, so that the two need not share a compiler, a standard library or a version;
/// there it is built, evaluated and reasoned about like any other.

#include <functional>
#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

struct OwnAlgorithm {
  std::string name;  ///< letters, digits, '.', '_' and '-'; commands know it as custom/NAME
  DotFormats formats;
  /// The pattern of d, in the language of spec/lang/int.h.
  std::function<Int(const DotOperands&)> build;
};

/// To be defined by the plugin. What it throws, and what its functions throw, ends the tool with
/// that message and status 2.
std::vector<OwnAlgorithm> own_algorithms();

}  // namespace mmaspec
