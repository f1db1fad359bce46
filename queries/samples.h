#pragma once
/// Inputs of the kinds that find bugs: random bits, exponents near to each other and far apart,
/// powers of two, cancelling pairs, subnormals, zeros beside huge numbers, special values.

#include <random>

#include "concrete/dot_model.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// Draws operands; the kind changes from one draw to the next. `inputs` bounds the patterns drawn.
class Sampler {
 public:
  Sampler(const DotFormats& formats, InputClass inputs, unsigned seed)
      : formats_(formats), inputs_(inputs), random_(seed) {}

  DotValues next();

 private:
  Integer bits(int count);
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  /// A pattern of the format with the exponent field near `field` and `fraction_bits` random
  /// leading fraction bits.
  Integer number(const Format& format, int field, int fraction_bits);
  Integer allowed(const Format& format, Integer pattern);
  void cancel(DotValues& values);

  DotFormats formats_;
  InputClass inputs_;
  std::mt19937_64 random_;
  unsigned kind_ = 0;
};

}  // namespace mmaspec
