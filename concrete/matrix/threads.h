#pragma once
/// Jobs on threads.

#include <cstddef>
#include <functional>

namespace mmaspec {

/// How many threads run where so many are asked for: as many, or one a core for 0.
std::size_t number_of_threads(int asked);

/// Runs jobs 0 .. jobs - 1 on so many threads, this one among them, each job on the next thread
/// that is free. `start` makes what runs the jobs of one thread. The first exception ends the work
/// and is thrown.
void on_threads(std::size_t threads, std::size_t jobs,
                const std::function<std::function<void(std::size_t)>()>& start);

}  // namespace mmaspec
