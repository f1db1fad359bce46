#pragma once
/// What changes between two machines, as one page.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "queries/machines/machines.h"

namespace mmaspec::cli {

std::string text_of(const std::string& first, const std::string& second,
                    const std::vector<SharedProduct>& products);
std::string json_of(const std::string& first, const std::string& second,
                    const std::vector<SharedProduct>& products);

/// One line: the share that differs, and by how much.
std::string text_of(const Statistics& statistics, Distribution distribution);
nlohmann::ordered_json json_of(const Statistics& statistics, Distribution distribution);

}  // namespace mmaspec::cli
