#pragma once
/// How a node may be a function of an earlier one.

#include <optional>
#include <string>

#include "queries/ask/question.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// By how much a node is less than another one's value and a constant: from 0 to `most`.
struct Fall {
  NodeId from;
  Integer constant;
  NodeId to;
  unsigned most;
  unsigned usual = 0;                 ///< by how much where `from` is large
  std::optional<Integer> below = {};  ///< it is `usual` where `from` is larger than this
  std::optional<Integer> least = {};  ///< `from` counts for this where it is less

  friend bool operator==(const Fall&, const Fall&) = default;
};

/// A node is a function of an earlier one, its base, whatever the inputs that the premises allow.
struct NodeRelation {
  enum class Kind {
    constant,         ///< it is `constant`; of a Boolean 0 or 1
    linear,           ///< floor(factor * base / 2^places) + constant; of Booleans equal or negated
    falls,            ///< the base less a number within `fall`: no function, but a bound
    shifted,          ///< floor(factor * base * 2^(the fall of other nodes) / 2^places)
    limited,          ///< the base, but no more than `constant`
    rounded_to_odd,   ///< base / 2^places, an odd one of the integers beside it if it is none
    equal_pattern,    ///< the same but for the sign of a zero
    negated_pattern,  ///< its negative but for the sign of a zero; of a NaN that NaN
    doubled_pattern,  ///< finite numbers, twice the base
  };
  NodeId node;
  Kind kind;
  NodeId base = 0;
  Integer factor = 1;
  unsigned places = 0;
  Integer constant = 0;
  Fall fall = {};
  std::optional<NodeId> unless = {};  ///< linear: a Boolean that is not of the second run; where it
                                      ///< holds the node may be anything
  bool is_exact = false;      ///< linear, shifted: what is divided by 2^places is a multiple of it
  bool is_never_nan = false;  ///< known of the base, a pattern
};

/// That it holds, in the current graph, of which both nodes are. `f`: the patterns' format.
Bool holds(const NodeRelation& r, const Format& f);

/// For people; nodes by their marks.
std::string description_of(const NodeRelation& r, const Graph& graph);

/// Puts into a copy what the relation makes of the base's copy; returns what holds of that besides.
Bool put_in(const NodeRelation& r, const Graph& graph, const Format& f, Substitution& copy);

}  // namespace mmaspec
