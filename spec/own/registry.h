#pragma once
/// Algorithms of this process in addition to the catalogue.

#include <memory>
#include <vector>

#include "spec/own/recorded.h"

namespace mmaspec {

/// Registers it under its name. Call it before other threads look up names. Throws
/// std::invalid_argument for a name that exists or contains other characters than letters, digits,
/// '.', '_' and '-'.
void add_own(std::shared_ptr<const Recorded> recorded);

/// All of them, in the order of registration.
const std::vector<std::shared_ptr<const Recorded>>& all_own();

}  // namespace mmaspec
