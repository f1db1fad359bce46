#pragma once
/// Progress of work in this process, told as a race tells its own.

#include <chrono>
#include <string>

#include "solver/attempt.h"

namespace mmaspec {

/// Tells what is being done, a few times a second while tick() is called, and at the end of this
/// object's life that it is over. `progress` may be empty.
class Ticker {
 public:
  Ticker(const Progress& progress, std::string what);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void tick();
  /// Tells it at once.
  void tell();

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const;

  const Progress& progress_;
  const std::string what_;
  const Clock::time_point start_ = Clock::now();
  double told_ = 0;  ///< seconds after the start
};

}  // namespace mmaspec
