#pragma once
/// The output of `mmaspec identify`.

#include <string>

#include "queries/studies/identify/identify.h"

namespace mmaspec {

/// For people. `open`: the parameters that are not determined, for identification without an
/// oracle. `full`: shows all products of an input.
std::string text_of(const Space& space, const Identification& found, const std::vector<Open>& open,
                    bool full);
std::string json_of(const Space& space, const Identification& found, const std::vector<Open>& open);

}  // namespace mmaspec
