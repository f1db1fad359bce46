#pragma once
/// Designs that nobody has built: any algorithm with every parameter open.

#include <map>

#include "spec/catalog/instruction.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// `design:<algorithm>(key=value,...)`: its formats a, b, c, d (default f16, f16, f32, f32), its
/// length k, and the algorithm's own parameters, as `show` prints them. Throws
/// std::invalid_argument with one line that says what is wrong.
Instruction open_design(std::string_view text);

/// The algorithm under the name that `design:` takes for it, where it takes it.
Instruction open_design(const Algorithm& algorithm, const DotFormats& formats);

/// The pairs of `key=value,...`. Throws std::invalid_argument.
std::map<std::string, std::string> parse_pairs(std::string_view text);

/// Names of the algorithms that `design:` takes.
const std::vector<std::string>& open_algorithms();

/// What `design:` takes for an algorithm.
struct OpenAlgorithmHelp {
  std::string name;
  std::string reference;  ///< where the literature defines it
  std::vector<ParameterHelp> parameters;
};
/// Throws std::invalid_argument for an unknown name.
OpenAlgorithmHelp open_algorithm_help(const std::string& name);

}  // namespace mmaspec
