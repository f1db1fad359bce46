#pragma once
/// Operands as random data have them: what numerical analysts draw, where Sampler draws corners.

#include <optional>

#include "concrete/dot/model.h"
#include "util/split_mix.h"

namespace mmaspec {

enum class Distribution {
  normal,   ///< mean 0, deviation 1
  uniform,  ///< in [-1, 1)
};

/// Draws a and b, each rounded to nearest even into its format; c is +0, as a GEMM begins, and
/// scale factors are 1. Integers are as many times larger as fills their format. The same for the
/// same seed, everywhere.
class TypicalData {
 public:
  TypicalData(const DotFormats& formats, Distribution distribution, unsigned seed)
      : formats_(formats), distribution_(distribution), random_(seed) {}

  DotValues next();
  std::vector<DotValues> next(std::size_t count);

 private:
  double number();

  DotFormats formats_;
  Distribution distribution_;
  SplitMix random_;
  std::optional<double> spare_;  ///< the second of two normal numbers
};

}  // namespace mmaspec
