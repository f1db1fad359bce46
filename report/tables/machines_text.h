#pragma once
/// Differences between two machines, on one page.

#include <optional>
#include <string>
#include <vector>

#include "queries/studies/machines/machines.h"
#include "report/text/diff_text.h"

namespace mmaspec {

/// `asked`: the question for each pair. `distribution`: that of the statistics; none: the user's
/// data.
std::string text_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution);
std::string json_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution);

}  // namespace mmaspec
