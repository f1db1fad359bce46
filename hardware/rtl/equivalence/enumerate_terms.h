#pragma once
/// A Boolean term of few variables on all of their values: an answer that needs no solver.

#include <optional>

#include "encoder/bitvector.h"
#include "solver/attempt.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// Whether there are values of the variables for which `assertion` holds, with such values. nullopt
/// if to try them all takes more than `work` evaluations of one term of up to 64 bits (wider terms
/// count more), or if the deadline passes.
std::optional<Answer> enumerate_terms(const BvTerms& terms, TermId assertion, std::size_t work,
                                      const Deadline& deadline);

}  // namespace mmaspec::rtl
