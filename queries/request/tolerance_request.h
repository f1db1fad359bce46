#pragma once
/// A question about a tolerance as a user states it. The command line and the Python package share
/// it, so that both accept and reject the same input.

#include <optional>
#include <string>

#include "queries/prove/maximize.h"
#include "queries/studies/machines/sampled_tolerance.h"

namespace mmaspec {

/// A test passes if |first - second| <= atol + rtol |first|. At most one of the two numbers is
/// given. The query finds the least value of the other: atol if neither is given.
struct ToleranceRequest {
  std::string rtol = {};  ///< as tolerance_number() parses it; empty: 0, or to be found
  std::string atol = {};
  DiffOptions diff = {};
  /// Random rows to try in addition: "normal", "uniform", or a .npy file of numbers from which each
  /// operand is drawn. Empty: none, or normal if `confidence` is set.
  std::string distribution = {};
  int samples = 100000;  ///< number of random rows
  /// The probability of a statistical tolerance.
  std::optional<double> confidence = {};
};

struct FoundTolerance {
  Maximum maximum;
  std::optional<LargestDifference> typical;  ///< the largest difference on random rows
  std::optional<SampledTolerance> sampled;   ///< if `confidence` is set: the estimate from random
                                             ///< rows
};

/// The double-precision number >= 0 of an option; empty: 0. Throws std::invalid_argument that names
/// the option.
double tolerance_number(const std::string& option, const std::string& text);

/// Throws std::invalid_argument for malformed numbers, and if both numbers are given.
FoundTolerance ask_tolerance(const Instruction& first, const Instruction& second,
                             ToleranceRequest request, const Portfolio& solvers);

}  // namespace mmaspec
