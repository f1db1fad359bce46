#pragma once
/// Custom designs: any algorithm with any parameters.

#include <map>

#include "spec/catalog/instruction.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// `design:<algorithm>(key=value,...)`: its formats a, b, c, d (default f16, f16, f32, f32), its
/// length k, and the algorithm's own parameters, as printed by `show`. Throws std::invalid_argument
/// with a one-line message.
Instruction open_design(std::string_view text);

/// The algorithm as a design with its name in `design:`, if it has one.
Instruction open_design(const Algorithm& algorithm, const DotFormats& formats);

/// The pairs of `key=value,...`. Throws std::invalid_argument.
std::map<std::string, std::string> parse_pairs(std::string_view text);

/// Names of the algorithms that `design:` accepts.
const std::vector<std::string>& open_algorithms();

/// The parameters of an algorithm in `design:`.
struct OpenAlgorithmHelp {
  std::string name;
  std::string reference;  ///< its definition in the literature
  std::vector<ParameterHelp> parameters;
};
/// Throws std::invalid_argument for an unknown name.
OpenAlgorithmHelp open_algorithm_help(const std::string& name);

}  // namespace mmaspec
