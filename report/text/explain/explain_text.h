#pragma once
/// What `mmaspec explain` says.

#include <optional>
#include <string>

#include "queries/studies/explain/explain.h"

namespace mmaspec {

/// Matrices that --suggest wrote.
struct Suggested {
  std::string folder;
  std::size_t products;  ///< of these matrices by all plans that fit: how many are unlike
};

/// For people. `full`: all plans that fit are shown, and all their names.
std::string text_of(const explain::Explanation& found, const std::optional<Suggested>& suggested,
                    bool full);
std::string json_of(const explain::Explanation& found, const std::optional<Suggested>& suggested);

}  // namespace mmaspec
