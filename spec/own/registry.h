#pragma once
/// Algorithms that this process was given beside the catalogue's.

#include <memory>
#include <vector>

#include "spec/own/recorded.h"

namespace mmaspec {

/// Makes it known under its name. To be called before other threads ask for names. Throws
/// std::invalid_argument for a name that is taken, or holds anything but letters, digits, '.', '_'
/// and '-'.
void add_own(std::shared_ptr<const Recorded> recorded);

/// All of them, in the order in which they came.
const std::vector<std::shared_ptr<const Recorded>>& all_own();

}  // namespace mmaspec
