// A page cannot start child processes. Asking solvers would start one for each attempt, so the
// page's portfolios are empty, and an attempt to start a process throws.

#include <stdexcept>

#include "util/process.h"

namespace mmaspec {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("a page cannot start processes"); }

}  // namespace

Child::Child(const std::function<std::string()>& /*work*/) { refuse(); }
Child::~Child() = default;
double Child::seconds() const { refuse(); }
bool Child::read_more() { refuse(); }
Child::End Child::end() { refuse(); }

}  // namespace mmaspec
