#include "spec/catalog/parameter_sets.h"

#include <stdexcept>

#include "spec/algorithms/vector/sequential_fma.h"

namespace mmaspec {

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::hardware:
      return "hardware";
    case Evidence::documented:
      return "documented";
    case Evidence::emulator:
      return "emulator";
    case Evidence::model:
      return "model";
    case Evidence::open:
      return "open";
  }
  throw std::logic_error("no such evidence");
}

Algorithm make_fma(const DotFormats& formats, std::string_view) {
  return SequentialFma{{formats.d, Rounding::nearest_even}};
}

std::vector<std::string> no_variants(const DotFormats&) { return {}; }

std::vector<Provenance> all_from(const Algorithm& algorithm, Evidence evidence,
                                 const std::string& source) {
  std::vector<Provenance> all{{"algorithm", evidence, source}};
  for (const Parameter& p : algorithm.parameters()) all.push_back({p.key, evidence, source});
  return all;
}

}  // namespace mmaspec
