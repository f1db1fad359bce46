#pragma once
/// What conditions on one input alone say of its bits: put in as constants, they fold what depends
/// on them. (Where an exponent is given, alignment is no shift by a variable any more.)

#include <functional>
#include <vector>

#include "queries/ask/question.h"

namespace mmaspec {

/// Bits of an input that are the same wherever conditions hold.
struct FixedBits {
  NodeId input;
  Integer mask;   ///< which bits
  Integer value;  ///< what they are; zero elsewhere
};

/// Those that follow from conjuncts of the conditions that depend on one input each. Every pattern
/// of an input of 16 bits or less is tried; of wider ones samples suggest bits (and models, of
/// 64 different conditions at most), which a solver confirms before the deadline.
std::vector<FixedBits> fixed_bits(const Graph& graph, const std::vector<NodeId>& conditions,
                                  const Portfolio& solvers, const Deadline& deadline = {});

/// True if a solver finds within a few seconds, and before the deadline, that no input satisfies
/// all conditions.
bool is_impossible(const Graph& graph, const std::vector<NodeId>& conditions,
                   const Portfolio& solvers, const Deadline& deadline = {});

/// The input x of so many bits with its fixed bits as constants.
Int with_fixed_bits(const FixedBits& fixed, Int x, unsigned width);

/// Puts them into a copy.
void put_in(const std::vector<FixedBits>& all, const Graph& graph, Substitution& copy);

/// True if the conditions on each of these inputs alone leave it allowed patterns only. False where
/// that is not seen: of an input of more than 16 bits, for one.
bool keep_to(const Graph& graph, const std::vector<NodeId>& conditions,
             const std::vector<NodeId>& inputs,
             const std::function<bool(const Integer& pattern)>& allowed);

/// The conditions, those that are all of several taken apart.
std::vector<NodeId> conjuncts(const Graph& graph, const std::vector<NodeId>& conditions);

}  // namespace mmaspec
