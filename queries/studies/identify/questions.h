#pragma once
/// Chooses the next inputs to ask an unknown unit.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "queries/draw/samples.h"
#include "queries/studies/identify/space/version_space.h"

namespace mmaspec {

/// Draws inputs of every kind, evaluates designs that still fit on them, and chooses the inputs
/// whose answers are most informative. Equal seeds and survivors give equal choices.
class Questions {
 public:
  Questions(const Space& space, unsigned seed);
  ~Questions();

  /// Up to `count` inputs on which fitting designs differ, the most informative first; empty if
  /// none was found. Throws OutOfTime.
  std::vector<DotValues> choose(const VersionSpace& survivors, std::size_t count,
                                const Deadline& deadline);

 private:
  class Program;

  DotValues plain_row();
  Program& program(std::size_t family);

  const Space& space_;
  SplitMix random_;
  Sampler plain_;
  Sampler any_;
  std::map<std::size_t, std::unique_ptr<Program>> programs_;
};

}  // namespace mmaspec
