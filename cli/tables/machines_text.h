#pragma once
/// What changes between two machines, as one page.

#include <string>
#include <vector>

#include "queries/machines/machines.h"

namespace mmaspec::cli {

std::string text_of(const std::string& first, const std::string& second,
                    const std::vector<SharedProduct>& products);
std::string json_of(const std::string& first, const std::string& second,
                    const std::vector<SharedProduct>& products);

}  // namespace mmaspec::cli
