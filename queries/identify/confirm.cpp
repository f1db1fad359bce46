// Inputs that the name of a unit must survive.

#include <algorithm>

#include "queries/identify/identify.h"
#include "queries/identify/numbers.h"
#include "queries/samples.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

/// Terms that are large and cancel, or nearly so, beside terms further and further below: what a
/// sum in a longer format loses, and what an exact one does not.
DotValues far_apart(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values{std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), 0, {}, {}};
  const int low = a.least() + b.least();
  const int high = a.largest() + b.largest();
  const int top = random.between(std::max(low, high - 8), high);
  const auto product = [&](std::size_t i, int exponent, bool negative, bool plain) {
    const int half = std::clamp(exponent - exponent / 2, b.least(), b.largest());
    values.a[i] = a.at(exponent - half, negative, plain);
    values.b[i] = b.at(half, false, plain);
  };
  for (std::size_t i = 0; i < k; ++i) {
    const int below = random.below(std::max(1, std::min(top - low, 140)));
    product(i, top - below, random.one_in(2), random.one_in(2));
    if (random.one_in(6)) values.a[i] = 0;
  }
  const bool c_large = c.largest() > top + 8 && random.one_in(2);
  if (c_large) {
    // c itself is far above the products.
    const int e = random.between(top, std::min(c.largest(), top + 140));
    values.c = c.at(e, random.one_in(2), random.one_in(2));
  } else {
    const std::size_t i = random.index(k);
    product(i, top, false, true);
    const std::size_t j = random.index(k);
    if (j != i) product(j, top, true, true);  // exactly or nearly cancelled
    values.c = c.at(top - random.below(140), random.one_in(2), random.one_in(2));
  }
  if (f.scale != nullptr) {
    const Integer one = Integer(f.scale->bias) << static_cast<unsigned>(f.scale->fraction_bits);
    values.scale_a.assign(static_cast<std::size_t>(f.scales()), one);
    values.scale_b = values.scale_a;
  }
  return values;
}

}  // namespace

std::vector<DotValues> confirming_rows(const DotFormats& formats, std::size_t count,
                                       unsigned seed) {
  SplitMix random(seed + 77);
  Sampler any(formats, InputClass::any, seed + 78);
  Sampler finite(formats, InputClass::finite, seed + 79);
  std::vector<DotValues> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(i % 4 == 0   ? far_apart(formats, random)
                  : i % 4 == 1 ? any.next()
                               : finite.next());
  }
  return all;
}

}  // namespace mmaspec
