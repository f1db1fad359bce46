#pragma once
/// A question about a tolerance as a user states it. The command line and the Python package share
/// it, so that both accept and refuse the same.

#include <optional>
#include <string>

#include "queries/prove/maximize.h"
#include "queries/studies/machines/sampled_tolerance.h"

namespace mmaspec {

/// A test passes where |first - second| <= atol + rtol |first|. One of the two numbers may be
/// given; the least other one is looked for, which is atol without either.
struct ToleranceRequest {
  std::string rtol = {};  ///< as tolerance_number() reads it; empty: 0, or looked for
  std::string atol = {};
  DiffOptions diff = {};
  /// Random rows that are tried too: "normal", "uniform", or a .npy file of numbers from which each
  /// operand is drawn; empty: none, or normal with a confidence.
  std::string distribution = {};
  int samples = 100000;  ///< so many
  /// The probability of a statistical tolerance.
  std::optional<double> confidence = {};
};

struct FoundTolerance {
  Maximum maximum;
  std::optional<LargestDifference> typical;  ///< what random rows show
  std::optional<SampledTolerance> sampled;   ///< with a confidence: what they show of that
};

/// The double precision number of an option, from 0 on; empty: 0. Throws std::invalid_argument that
/// names the option.
double tolerance_number(const std::string& option, const std::string& text);

/// Throws std::invalid_argument for numbers that are none, and where both are given.
FoundTolerance ask_tolerance(const Instruction& first, const Instruction& second,
                             ToleranceRequest request, const Portfolio& solvers);

}  // namespace mmaspec
