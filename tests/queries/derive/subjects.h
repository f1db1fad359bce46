#pragma once
/// Subjects of derivations: instructions and designs by name, and algorithms of the tests.

#include <string>

#include "queries/prove/prove.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

inline Subject named(const std::string& name) { return {find_instruction(name)}; }

inline Subject of(const Algorithm& algorithm, const DotFormats& formats) {
  Subject s;
  s.first.formats = formats;
  s.first.algorithm = algorithm;
  return s;
}

}  // namespace mmaspec
