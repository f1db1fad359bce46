#include "spec/catalog/parameter_sets.h"

#include "spec/algorithms/sequential_fma.h"

namespace mmaspec {

Algorithm make_fma(const DotFormats& formats, std::string_view) {
  return SequentialFma{{formats.d, Rounding::nearest_even}};
}

std::vector<std::string> no_variants(const DotFormats&) { return {}; }

}  // namespace mmaspec
