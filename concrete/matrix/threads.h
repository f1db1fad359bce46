#pragma once
/// Executes jobs on threads.

#include <cstddef>
#include <functional>

namespace mmaspec {

/// The number of threads to use: `asked`, or one for each core if that is 0.
std::size_t number_of_threads(int asked);

/// Executes jobs 0 .. jobs - 1 on `threads` threads, including the calling one. Each job goes to
/// the next free thread. `start` returns the function that executes the jobs of one thread. The
/// first exception ends the work and is rethrown.
void on_threads(std::size_t threads, std::size_t jobs,
                const std::function<std::function<void(std::size_t)>()>& start);

}  // namespace mmaspec
