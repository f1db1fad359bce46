// An algorithm whose results are not patterns of its format.
#include "api/plugin/plugin.h"

std::vector<mmaspec::OwnAlgorithm> mmaspec::own_algorithms() {
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 1};
  return {{"wide", formats, [](const DotOperands& in) { return in.c + in.c; }}};
}
