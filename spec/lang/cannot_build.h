#pragma once
/// What is thrown where a part of a graph cannot be built.

#include <stdexcept>

namespace mmaspec {

/// An expression cannot be built: an operation does not accept operands of these ranges, a
/// replacement contradicts a node's range, or a change does not apply to these nodes. A copy of
/// a graph with other operands may meet this; such a copy decides nothing.
class CannotBuild : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace mmaspec
