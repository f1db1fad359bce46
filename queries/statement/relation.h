#pragma once
/// Possible relations between the matching stages of two executions.

#include <string>

#include "spec/formats/format.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// The results of one stage in both executions.
struct StagePair {
  std::string name;
  NodeId first;
  NodeId second;
  MarkRole role = MarkRole::value;
  const Format* format = nullptr;  ///< the format of both patterns; nullptr: plain integers
};

enum class Relation {
  equal,            ///< second = first
  negated,          ///< second = -first
  next,             ///< second = first + 1
  negated_pattern,  ///< patterns of numbers: both are zero, or magnitudes are equal and signs
                    ///< opposite
  ordered,          ///< patterns of numbers, first <= second
};

}  // namespace mmaspec
