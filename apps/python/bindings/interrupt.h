#pragma once
/// Long work called from Python: releases the interpreter's lock, and Ctrl-C ends it.

#include <nanobind/nanobind.h>

#include <csignal>
#include <utility>

namespace mmaspec::python {

/// During its lifetime in Python's main thread, SIGINT makes all deadlines pass. The interpreter
/// handles the signal afterwards.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  /// Whether SIGINT was received. Call it before destruction.
  bool was_interrupted() const;

 private:
  bool is_main_thread_;
  struct sigaction before_ {};
};

/// Throws Python's KeyboardInterrupt. The lock must be held.
[[noreturn]] void raise_interrupt();

/// Returns work(), without the interpreter's lock. If SIGINT is received, the result is discarded.
template <typename Work>
auto without_lock(const Work& work) {
  bool interrupted = false;
  const auto run = [&] {
    const nanobind::gil_scoped_release released;
    const StopOnInterrupt stop;
    try {
      auto result = work();
      interrupted = stop.was_interrupted();
      return result;
    } catch (...) {
      interrupted = stop.was_interrupted();
      if (!interrupted) throw;
      return decltype(work()){};
    }
  };
  auto result = run();
  if (interrupted) raise_interrupt();
  return result;
}

}  // namespace mmaspec::python
