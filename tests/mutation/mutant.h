#pragma once
/// Selects a mutant at run time: tests/mutation/mutate.py writes `mmaspec_mutant(N) ? changed :
/// original` into a copy of the sources, so that all mutants are compiled once.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace mmaspec_mutation {

/// MMASPEC_MUTANT of the environment. Without it 0, which is not the number of a mutant.
inline int chosen() {
  static const int n = [] {
    const char* text = std::getenv("MMASPEC_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return n;
}

/// Appends N to the file MMASPEC_MUTANTS_REACHED, once per process.
inline void reach(int n) {
  static const char* const path = std::getenv("MMASPEC_MUTANTS_REACHED");
  if (path == nullptr) return;
  static std::array<std::atomic<bool>, 20000> reached{};
  if (reached.at(static_cast<std::size_t>(n)).exchange(true)) return;
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  std::array<char, 16> line{};
  const int size = std::snprintf(line.data(), line.size(), "%d\n", n);
  if (write(file, line.data(), static_cast<std::size_t>(size)) != size) std::abort();
  close(file);
}

}  // namespace mmaspec_mutation

constexpr bool mmaspec_mutant(int n) {
  if (std::is_constant_evaluated()) return false;
  mmaspec_mutation::reach(n);
  return mmaspec_mutation::chosen() == n;
}
