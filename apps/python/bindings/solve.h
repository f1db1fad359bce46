#pragma once
/// How long and by what a question is answered.

#include <nanobind/nanobind.h>

#include <string>

#include "queries/ask/question.h"
#include "solver/solver.h"

namespace mmaspec::python {

/// The options that all questions share.
struct Solve {
  double timeout = 60;
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;
  /// Called a few times a second with the elapsed seconds and what is running; None: not called.
  nanobind::object progress = nanobind::none();

  Portfolio portfolio() const {
    Limits limits;
    limits.seconds = timeout;
    Portfolio solvers(solver, limits);
    if (!progress.is_none()) {
      solvers.on_wait(
          [look = nanobind::handle(progress)](double seconds, const std::string& running) {
            const nanobind::gil_scoped_acquire lock;
            look(seconds, running);
          });
    }
    return solvers;
  }
  Strategies strategies() const {
    Strategies s;
    s.seed = seed;
    s.jobs = jobs;
    s.deadline = Deadline::in(timeout);
    return s;
  }
};

}  // namespace mmaspec::python
