#pragma once
/// The expression graph that executing a specification builds, and that every backend traverses.
///
/// Nodes are hash-consed (equal subexpressions are one node) and numbered in the order of their
/// creation. An operand's number is always less than its user's, so ascending order is topological.
/// Each node carries a range [low, high] that holds for all inputs.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/lang/integer.h"
#include "util/intern_table.h"

namespace mmaspec {

using NodeId = std::uint32_t;

/// What a node computes. Booleans are nodes of range [0, 1].
enum class Op : std::uint8_t {
  constant,           ///< `value`
  input,              ///< an input of `width` bits, 0 <= x < 2^width, named Graph::input_name(low)
  sum,                ///< value + sum of coefficients[i] * args[i]
  product,            ///< the product of all args
  absolute,           ///< |args[0]|
  negate_if,          ///< -args[1] if args[0] else args[1]
  select,             ///< args[1] if args[0] else args[2]
  minimum,            ///< the minimum of args
  maximum,            ///< the maximum of args
  shift_left,         ///< args[0] * 2^args[1], args[1] >= 0
  floor_shift_right,  ///< floor(args[0] / 2^args[1]), args[1] >= 0
  bits,               ///< bits low .. low+width-1 of args[0] >= 0, bit 0 the least significant
  bit_length,         ///< the number of bits of args[0] >= 0; 0 for 0
  claim,              ///< args[0], which the author claims to be in `range`
  boolean,            ///< value: 0 or 1
  less,               ///< args[0] < args[1]
  equal,              ///< args[0] = args[1]
  logical_not,        ///< not args[0]
  logical_and,        ///< all of args
  logical_xor,        ///< an odd number of args
};

/// The operation's name in lower case, as print() shows it.
std::string_view name(Op op);

/// True if the operation yields a Boolean.
bool is_boolean(Op op);

/// A closed interval of integers, low <= high.
struct Range {
  Integer low;
  Integer high;

  bool holds(const Integer& x) const { return low <= x && x <= high; }
  bool is_point() const { return low == high; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The intersection; throws CannotBuild if it is empty.
Range intersect(const Range& x, const Range& y);
/// The smallest interval that contains both.
Range hull(const Range& x, const Range& y);

struct Node {
  Op op;
  std::vector<NodeId> args;
  std::vector<Integer> coefficients;  ///< sum only, one for each of args, none of them zero
  Integer value;                      ///< constant, boolean; sum: the constant term
  std::uint32_t low = 0;              ///< bits: the lowest bit; input: the input's number
  std::uint32_t width = 0;            ///< bits, input: the number of bits
  Range range;                        ///< holds for all inputs if all claims hold
  std::uint32_t stage = 0;            ///< index into Graph::stages(): the stage that created it
                                      ///< first
};

/// What a mark means for cutpoints of proofs. Labels are only for people.
enum class MarkRole {
  value,             ///< only a number to be shown
  pattern,           ///< the bit pattern of a number in the result's format
  largest_exponent,  ///< to which terms are aligned
  sum,               ///< of all terms of one step, before rounding
  normalized,        ///< a significand before rounding
};

/// Graph::members_with() indexes the members of an extremum with more members than this.
inline constexpr std::size_t kManyMembers = 256;
bool is_extremum_of_many(const Node& node);

/// A named intermediate result. With an exponent its value is node * 2^(exponent +
/// exponent_offset), without one it is the integer itself.
struct Mark {
  std::string stage;
  std::string label;
  NodeId node;
  MarkRole role = MarkRole::value;
  std::optional<NodeId> exponent = {};
  int exponent_offset = 0;
};

/// Owns nodes. Not thread-safe while being built; a finished graph may be read by many threads.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const Node& operator[](NodeId id) const { return blocks_[id / kBlock][id % kBlock]; }
  std::size_t size() const { return size_; }

  /// Returns the node equal to `node` (ignoring the range), or adds it.
  NodeId intern(Node node);
  /// The node equal to `node`, if there is one.
  std::optional<NodeId> find(const Node& node) const;

  /// The input of this name, created at the first call. Throws CannotBuild if it exists with
  /// another width, or for width 0.
  NodeId input(const std::string& input_name, unsigned width);
  const std::vector<NodeId>& inputs() const { return inputs_; }
  /// The input of this name, if there is one.
  std::optional<NodeId> find_input(const std::string& input_name) const;
  /// Throws TooLarge if `more` further nodes would exceed the capacity of a graph.
  void expect(std::size_t more) const;
  const std::string& input_name(NodeId id) const { return input_names_[(*this)[id].low]; }

  /// Names of stages; stage 0 has the empty name.
  const std::vector<std::string>& stages() const { return stages_; }
  const std::string& current_stage() const { return stages_[stage_]; }
  void add_mark(Mark mark) { marks_.push_back(std::move(mark)); }
  const std::vector<Mark>& marks() const { return marks_; }

  /// The members of an extremum of many members that are `part`, or a sum with `part` as a term;
  /// ascending.
  const std::vector<NodeId>& members_with(NodeId extremum, NodeId part) const;

  /// All nodes on which `roots` depend, including `roots`, ascending.
  std::vector<NodeId> cone(const std::vector<NodeId>& roots) const;

  /// The graph into which specifications in this thread build. Throws std::logic_error if there is
  /// none.
  static Graph& current();

  /// Makes `graph` the current one for the lifetime of this object.
  class Building {
   public:
    explicit Building(Graph& graph);
    ~Building();
    Building(const Building&) = delete;
    Building& operator=(const Building&) = delete;

   private:
    Graph* outer_;
  };

 private:
  friend class Stage;

  std::optional<NodeId> find(std::size_t node_hash, const Node& node) const;
  void add_parts(NodeId extremum, const Node& node);

  static constexpr std::size_t kBlock = 128;
  std::vector<std::vector<Node>> blocks_;  // blocks never grow: references to nodes stay valid
  std::size_t size_ = 0;
  InternTable unique_;
  std::vector<NodeId> inputs_;
  std::vector<std::string> input_names_;
  std::unordered_map<std::string, NodeId> input_by_name_;
  /// For each extremum of many members: its members by the terms of their sums.
  std::unordered_map<NodeId, std::unordered_map<NodeId, std::vector<NodeId>>> members_by_part_;
  std::vector<std::string> stages_;
  std::vector<Mark> marks_;
  std::uint32_t stage_ = 0;
};

/// Names the stage of nodes created in the current graph during this object's lifetime: `unpack`,
/// `product`, `align`, `sum`, `normalize`, `round`. Stages nest; the innermost one counts.
class Stage {
 public:
  explicit Stage(std::string_view stage_name);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  Graph& graph_;
  std::uint32_t outer_;
};

}  // namespace mmaspec
