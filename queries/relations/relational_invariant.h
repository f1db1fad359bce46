#pragma once
/// Relational invariants: how a node can be a function of an earlier one.

#include <optional>
#include <string>

#include "queries/ask/question.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// A difference bound: the node `to` is less than `from` + constant by 0 to `most`.
struct DifferenceBound {
  NodeId from;
  Integer constant;
  NodeId to;
  unsigned most;
  unsigned usual = 0;                 ///< the difference if `from` is large
  std::optional<Integer> below = {};  ///< the difference is `usual` if `from` is larger than this
  std::optional<Integer> least = {};  ///< `from` counts as this value if it is less

  friend bool operator==(const DifferenceBound&, const DifferenceBound&) = default;
};

/// A node as a function of an earlier one, its base, for all inputs that the premises allow.
struct RelationalInvariant {
  enum class Kind {
    constant,  ///< equals `constant`; for a Boolean 0 or 1
    linear,    ///< floor(factor * base / 2^places) + constant; for Booleans equal or negated
    bounded_difference,  ///< a difference bound, not a function: the base minus a number within
                         ///< `fall`
    shifted,             ///< floor(factor * base * 2^(the difference of other nodes, `fall`) /
                         ///< 2^places)
    clamped,             ///< the base clamped to at most `constant`
    rounded_to_odd,      ///< base / 2^places, or the odd neighbour if that is not an integer
    equal_pattern,       ///< the same except for the sign of a zero
    negated_pattern,     ///< the negative, except for the sign of a zero; a NaN stays that NaN
    doubled_pattern,     ///< for finite numbers, twice the base
  };
  NodeId node;
  Kind kind;
  NodeId base = 0;
  Integer factor = 1;
  unsigned places = 0;
  Integer constant = 0;
  DifferenceBound fall = {};
  std::optional<NodeId> unless = {};  ///< linear: a Boolean outside the second execution; if it
                                      ///< holds, the node may have any value
  bool is_exact = false;              ///< linear, shifted: the dividend is a multiple of 2^places
  bool is_never_nan = false;          ///< the base, a pattern, is known not to be a NaN
};

/// The statement that the relation holds, in the current graph, which has both nodes. `f`: the
/// format of patterns.
Bool holds(const RelationalInvariant& r, const Format& f);

/// The node of the current graph, which has both nodes, that the relation makes the node equal to:
/// a function of its base. nullopt if it does not determine the node.
std::optional<NodeId> image_of(const RelationalInvariant& r, const Graph& graph);

/// A description for people that names nodes by their marks.
std::string description_of(const RelationalInvariant& r, const Graph& graph);

/// Replaces the node in a copy by the function of the base's copy; returns the facts that hold for
/// it in addition.
Bool put_in(const RelationalInvariant& r, const Graph& graph, const Format& f, Substitution& copy);

}  // namespace mmaspec
