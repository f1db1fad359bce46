#pragma once
/// Progress reports for work in this process, in the form of a race's reports.

#include <chrono>
#include <string>

#include "solver/attempt.h"

namespace mmaspec {

/// Reports the current work a few times a second while tick() is called, and its end when this
/// object is destroyed. `progress` may be empty.
class Ticker {
 public:
  Ticker(const Progress& progress, std::string what);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  void tick();
  /// Reports at once.
  void tell();

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const;

  const Progress& progress_;
  const std::string what_;
  const Clock::time_point start_ = Clock::now();
  double told_ = 0;  ///< time of the last report, in seconds after the start
};

}  // namespace mmaspec
