#pragma once
/// Which input to ask an unknown unit next.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "queries/draw/samples.h"
#include "queries/studies/identify/space/survivors.h"

namespace mmaspec {

/// Draws inputs of every kind, tries them on designs that still fit, and takes those whose answers
/// tell most. The same for the same seed and survivors.
class Questions {
 public:
  Questions(const Space& space, unsigned seed);
  ~Questions();

  /// Inputs on which designs that fit differ, the most telling one first, at most `count`; none:
  /// none was found. Throws OutOfTime.
  std::vector<DotValues> choose(const Survivors& survivors, std::size_t count,
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
