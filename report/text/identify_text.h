#pragma once
/// The output of `mmaspec identify`.

#include <string>

#include "queries/studies/identify/identify.h"

namespace mmaspec {

/// For people. `open`: what is open of the parameters, where nobody was asked. `full`: all products
/// of an input are shown.
std::string text_of(const Space& space, const Identification& found, const std::vector<Open>& open,
                    bool full);
std::string json_of(const Space& space, const Identification& found, const std::vector<Open>& open);

}  // namespace mmaspec
