#pragma once
/// A SystemVerilog module that counts which cover points a bench reaches.

#include <string>
#include <vector>

#include "encoder/export/module.h"

namespace mmaspec {

/// A cover point, whose bin's index has kBinBits bits of the module's result: the first point has
/// the lowest bits.
struct ExportedPoint {
  std::string name;
  std::string meaning;
  std::vector<std::string> bins;
};
constexpr unsigned kBinBits = 3;

/// The module `bins` that computes the indices, and the module `name`, which samples operands at
/// clock edges: counters, and a covergroup for simulators that have them.
std::string to_coverage(const Module& bins, const std::string& name,
                        const std::vector<ExportedPoint>& points);

}  // namespace mmaspec
