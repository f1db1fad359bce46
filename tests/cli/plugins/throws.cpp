// An algorithm that cannot be built: it shifts by an amount that may be negative.
#include "api/plugin/plugin.h"

std::vector<mmaspec::OwnAlgorithm> mmaspec::own_algorithms() {
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 1};
  return {{"shifted", formats, [](const DotOperands& in) { return shift_left(in.c, in.c - 1); }}};
}
