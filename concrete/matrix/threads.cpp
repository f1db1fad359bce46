#include "concrete/matrix/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mmaspec {

std::size_t number_of_threads(int asked) {
  return asked > 0 ? static_cast<std::size_t>(asked)
                   : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void on_threads(std::size_t threads, std::size_t jobs,
                const std::function<std::function<void(std::size_t)>()>& start) {
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      const std::function<void(std::size_t)> run = start();
      for (std::size_t i = next++; i < jobs; i = next++) run(i);
    } catch (...) {
      const std::scoped_lock held(lock);
      if (!failure) failure = std::current_exception();
      next = jobs;
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(threads, jobs); ++i) others.emplace_back(work);
  work();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mmaspec
