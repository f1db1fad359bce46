#pragma once
/// Decides a Boolean term of few variables by enumerating their values, without a solver.

#include <optional>

#include "encoder/bitvector.h"
#include "solver/attempt.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// Values of the variables for which `assertion` holds, or that there are none. nullopt if
/// enumeration takes more than `work` evaluations of one term of up to 64 bits (wider terms count
/// more), or if the deadline passes.
std::optional<Answer> enumerate_terms(const BvTerms& terms, TermId assertion, std::size_t work,
                                      const Deadline& deadline);

}  // namespace mmaspec::rtl
