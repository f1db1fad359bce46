#pragma once
/// What `mmaspec explain` says.

#include <optional>
#include <string>

#include "queries/explain/explain.h"

namespace mmaspec::cli {

/// Matrices that --suggest wrote.
struct Suggested {
  std::string folder;
  std::size_t products;  ///< of these matrices by all plans that fit: how many are unlike
};

/// For people. `full`: all plans that fit are shown, and all their names.
std::string text_of(const explain::Explanation& found, const std::optional<Suggested>& suggested,
                    bool full);
std::string json_of(const explain::Explanation& found, const std::optional<Suggested>& suggested);

/// Two results of one product.
struct TwoResults {
  explain::Explanation first;
  explain::Explanation second;
  const Format* first_format;  ///< of D
  const Format* second_format;
  std::size_t compared = 0;   ///< elements that both know
  std::size_t differing = 0;  ///< of unlike values
  /// The element that differs most; `given`: the first result.
  std::optional<explain::Mismatch> worst;
};

std::string text_of(const TwoResults& results, bool full);
std::string json_of(const TwoResults& results);

}  // namespace mmaspec::cli
