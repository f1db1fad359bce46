#pragma once
/// Backends that fail in each way in which a solver can fail.

#include <poll.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/solver.h"

namespace mmaspec::lang_test {

/// A backend that calls the given function.
class Scripted final : public Backend {
 public:
  Scripted(std::string name, std::function<Answer(const Query&)> solve, bool leads)
      : name_(std::move(name)), solve_(std::move(solve)), leads_(leads) {}
  std::string name() const override { return name_; }
  bool leads() const override { return leads_; }
  Answer solve(const Query& query) const override { return solve_(query); }

 private:
  std::string name_;
  std::function<Answer(const Query&)> solve_;
  bool leads_;
};

inline std::unique_ptr<Backend> scripted(std::string name,
                                         std::function<Answer(const Query&)> solve,
                                         bool leads = false) {
  return std::make_unique<Scripted>(std::move(name), std::move(solve), leads);
}

/// A pipe that every process started from now on inherits, so that a test can wait for their end.
class Lifeline {
 public:
  Lifeline() {
    if (pipe(ends_.data()) != 0) throw std::runtime_error("cannot make a pipe");
  }
  ~Lifeline() {
    close(ends_[0]);
    release();
  }
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  /// True once no other process holds the pipe; false if one still does after 10 s.
  bool all_ended() {
    release();
    pollfd end{ends_[0], POLLIN, 0};
    return poll(&end, 1, 10'000) == 1;
  }

 private:
  void release() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::array<int, 2> ends_{};
};

}  // namespace mmaspec::lang_test
