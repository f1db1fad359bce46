#pragma once
/// For tests that would look for minutes at all there is, such as the commands of a document.

#include <chrono>
#include <cstdlib>

namespace mmaspec {

inline std::size_t days_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::hours>(now).count() / 24);
}

/// True of one index in `every`, of another one each day, so that `every` days see all; of each
/// index where MMASPEC_ALL_DAYS is set.
inline bool is_of_today(std::size_t index, std::size_t every) {
  return std::getenv("MMASPEC_ALL_DAYS") != nullptr || (index + days_since_1970()) % every == 0;
}

}  // namespace mmaspec
