#pragma once
/// The output of `mmaspec explain`.

#include <optional>
#include <string>

#include "queries/studies/explain/explain.h"

namespace mmaspec {

/// Matrices written by --suggest.
struct Suggested {
  std::string folder;
  std::size_t products;  ///< number of different products of these matrices by the plans that fit
};

/// For people. `full`: shows all plans that fit, and all their names.
std::string text_of(const explain::Explanation& found, const std::optional<Suggested>& suggested,
                    bool full);
std::string json_of(const explain::Explanation& found, const std::optional<Suggested>& suggested);

}  // namespace mmaspec
