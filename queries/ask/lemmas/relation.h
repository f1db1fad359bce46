#pragma once
/// What the matching stages of two runs may have to do with each other.

#include <string>

#include "spec/formats/format.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// Results of one stage in either run.
struct StagePair {
  std::string name;
  NodeId first;
  NodeId second;
  MarkRole role = MarkRole::value;
  const Format* format = nullptr;  ///< they are patterns of it; nullptr: plain integers
};

enum class Relation {
  equal,            ///< second = first
  negated,          ///< second = -first
  next,             ///< second = first + 1
  negated_pattern,  ///< numbers, zeros both or of one magnitude and opposite signs
  ordered,          ///< patterns of numbers, first <= second
};

}  // namespace mmaspec
