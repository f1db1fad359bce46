#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

thread_local Deadline build_by;

}  // namespace

BuildBy::BuildBy(const Deadline& deadline) : outer_(build_by) {
  build_by = earlier(outer_, deadline);
}
BuildBy::~BuildBy() { build_by = outer_; }

void BuildBy::check() {
  if (build_by.passed()) throw OutOfTime();
}

}  // namespace mmaspec
