#pragma once
/// Bits that conditions on a single input determine. Substituting them as constants simplifies what
/// depends on them. For example, if an exponent is fixed, the alignment shift is a constant.

#include <functional>
#include <vector>

#include "queries/ask/question.h"

namespace mmaspec {

/// Bits of an input that have the same value wherever the conditions hold.
struct KnownBits {
  NodeId input;
  Integer mask;   ///< mask of the fixed bits
  Integer value;  ///< their values; zero elsewhere
};

/// The bits that follow from conjuncts which depend on one input each. For inputs of at most 16
/// bits, every pattern is tried. For wider inputs, samples and solver models (for at most 64
/// different conditions) suggest bits, and a solver confirms them before the deadline.
std::vector<KnownBits> fixed_bits(const Graph& graph, const std::vector<NodeId>& conditions,
                                  const Portfolio& solvers, const Deadline& deadline = {});

/// True if a solver proves within a few seconds, and before the deadline, that no input satisfies
/// all conditions.
bool is_impossible(const Graph& graph, const std::vector<NodeId>& conditions,
                   const Portfolio& solvers, const Deadline& deadline = {});

/// The input x of `width` bits with its fixed bits replaced by constants.
Int with_fixed_bits(const KnownBits& fixed, Int x, unsigned width);

/// Substitutes all fixed bits in a copy.
void put_in(const std::vector<KnownBits>& all, const Graph& graph, Substitution& copy);

/// True if the conditions on each of these inputs alone allow only patterns for which `allowed` is
/// true. False if this is not decided, for example for an input of more than 16 bits.
bool keep_to(const Graph& graph, const std::vector<NodeId>& conditions,
             const std::vector<NodeId>& inputs,
             const std::function<bool(const Integer& pattern)>& allowed);

/// The conditions, with conjunctions split into their members.
std::vector<NodeId> conjuncts(const Graph& graph, const std::vector<NodeId>& conditions);

}  // namespace mmaspec
