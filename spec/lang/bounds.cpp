#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

thread_local Deadline build_by;
thread_local std::size_t spent = 0;  // since the last check of the clock

constexpr std::size_t kCheckTime = std::size_t{1} << 16U;  // units between two checks

}  // namespace

BuildBy::BuildBy(const Deadline& deadline) : outer_(build_by) {
  build_by = earlier(outer_, deadline);
  spent = 0;
}
BuildBy::~BuildBy() { build_by = outer_; }

void BuildBy::check() {
  if (build_by.passed()) throw OutOfTime();
}

void BuildBy::spend(std::size_t units) {
  spent += units;
  if (spent < kCheckTime) return;
  spent = 0;
  check();
}

}  // namespace mmaspec
