// A page has no child processes. Who asks solvers starts one for each attempt; the page's
// portfolios are empty, and whoever gets here all the same is told.

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
