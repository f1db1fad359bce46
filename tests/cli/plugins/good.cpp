// An algorithm that --plugin accepts: its result is c.
#include "api/plugin/plugin.h"

std::vector<mmaspec::OwnAlgorithm> mmaspec::own_algorithms() {
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 1};
  return {{"keeps_c", formats, [](const DotOperands& in) { return in.c; }}};
}
