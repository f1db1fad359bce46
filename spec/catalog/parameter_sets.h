#pragma once
/// Parameter sets: each stands once, however many instructions share it.

#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Makes an algorithm for an instruction's formats. `variant` is empty or a name of variants().
struct ParameterSet {
  std::string_view id;
  Algorithm (*make)(const DotFormats& formats, std::string_view variant);
  std::vector<Provenance> (*provenance)(const DotFormats& formats, std::string_view variant);
  std::vector<std::string> variants;  ///< those that differ from the default
  bool canonical_nan = true;
};

struct CatalogueRow {
  std::string_view architecture;
  std::string_view mnemonic;
  const ParameterSet* parameters;
};

/// The rows of each vendor, in the order of the catalogue.
const std::vector<CatalogueRow>& nvidia_rows();
const std::vector<CatalogueRow>& amd_rows();

}  // namespace mmaspec
