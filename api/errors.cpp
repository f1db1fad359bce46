#include <mmaspec/errors.h>
#include <mmaspec/mmaspec.h>

namespace mmaspec::v0 {

// Defined here so that each exception has a single type in a process.
BadInput::~BadInput() = default;
Contradiction::~Contradiction() = default;
Stopped::~Stopped() = default;
Failure::~Failure() = default;

std::string version() { return MMASPEC_VERSION; }

}  // namespace mmaspec::v0
