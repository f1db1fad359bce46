#include <mmaspec/errors.h>
#include <mmaspec/mmaspec.h>

namespace mmaspec::v0 {

// Here, so that each exception has one type in a process: in this library.
BadInput::~BadInput() = default;
Contradiction::~Contradiction() = default;
Stopped::~Stopped() = default;
Failure::~Failure() = default;

std::string version() { return MMASPEC_VERSION; }

}  // namespace mmaspec::v0
