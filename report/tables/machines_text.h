#pragma once
/// What changes between two machines, as one page.

#include <optional>
#include <string>
#include <vector>

#include "queries/studies/machines/machines.h"
#include "report/text/diff_text.h"

namespace mmaspec {

/// `asked`: of each pair. `distribution`: of what statistics are; none: of the user's data.
std::string text_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution);
std::string json_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution);

}  // namespace mmaspec
