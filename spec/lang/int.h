#pragma once
/// The language of specifications: `Int` and `Bool` handles over the current graph.
///
/// A specification is an ordinary function of these types. Executing it once builds the graph of
/// its result, and backends traverse that graph. Values are mathematical integers without width or
/// overflow. Operations fold constants and normalize expressions while they build, so that
/// expressions which are equal by commutation, association, or distribution of a sign or a constant
/// factor are the same node.

#include <concepts>
#include <string_view>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// A Boolean expression.
class Bool {
 public:
  /// A constant. Only `bool` converts, so that select(b, 1, 0) has integer arguments.
  template <std::same_as<bool> B>
  Bool(B value) : id_(constant_id(value)) {}  // NOLINT(google-explicit-constructor)
  static Bool of(NodeId id) { return Bool(id, 0); }

  NodeId id() const { return id_; }
  bool is_constant() const { return Graph::current()[id_].range.is_point(); }
  /// Whether both are the same node, and so equal for all inputs. (The converse does not hold.)
  bool same_as(Bool other) const { return id_ == other.id_; }

 private:
  Bool(NodeId id, int) : id_(id) {}
  static NodeId constant_id(bool value);
  NodeId id_;
};

/// An integer expression.
class Int {
 public:
  Int(int value) : Int(Integer(value)) {}  // NOLINT(google-explicit-constructor)
  Int(Integer value);                      // NOLINT(google-explicit-constructor)
  static Int of(NodeId id) { return Int(id, 0); }

  NodeId id() const { return id_; }
  const Range& range() const { return Graph::current()[id_].range; }
  bool is_constant() const { return range().is_point(); }
  bool same_as(Int other) const { return id_ == other.id_; }

 private:
  Int(NodeId id, int) : id_(id) {}
  NodeId id_;
};

/// The input `name`, an integer of `width` bits: 0 <= x < 2^width.
Int input(const std::string& name, unsigned width);

Int operator+(Int x, Int y);
Int operator-(Int x, Int y);
Int operator-(Int x);
Int operator*(Int x, Int y);
/// The sum of all; 0 for none.
Int total(const std::vector<Int>& terms);

Bool operator<(Int x, Int y);
Bool operator<=(Int x, Int y);
Bool operator>(Int x, Int y);
Bool operator>=(Int x, Int y);
Bool operator==(Int x, Int y);
Bool operator!=(Int x, Int y);

Bool operator!(Bool x);
Bool operator&&(Bool x, Bool y);  // builds both sides, without short-circuit evaluation
Bool operator||(Bool x, Bool y);
Bool operator^(Bool x, Bool y);
/// All of them; true for none.
Bool all_of(const std::vector<Bool>& conditions);
/// Any of them; false for none.
Bool any_of(const std::vector<Bool>& conditions);

/// `yes` if `condition` else `no`.
Int select(Bool condition, Int yes, Int no);
Bool select(Bool condition, Bool yes, Bool no);

Int abs(Int x);
/// -x if `sign` else x.
Int negate_if(Bool sign, Int x);
Int min(const std::vector<Int>& values);
Int max(const std::vector<Int>& values);
inline Int min(Int x, Int y) { return min(std::vector<Int>{x, y}); }
inline Int max(Int x, Int y) { return max(std::vector<Int>{x, y}); }

/// x * 2^n. Throws CannotBuild unless n's range is at least 0.
Int shift_left(Int x, Int n);
/// floor(x / 2^n). Throws CannotBuild unless n's range is at least 0.
Int floor_shift_right(Int x, Int n);
/// Bits low .. low+width-1 of x. Throws CannotBuild unless x's range is at least 0.
Int bits(Int x, unsigned low, unsigned width);
/// Bit i of x >= 0.
Bool bit(Int x, unsigned i);
/// The least n with x < 2^n. Throws CannotBuild unless x's range is at least 0.
Int bit_length(Int x);

/// x, with the author's claim that low <= x <= high for all inputs. The exact evaluator checks the
/// claim at every evaluation, and `mmaspec check` lets a solver prove it.
Int claim(Int x, const Integer& low, const Integer& high);

/// Marks an intermediate result for traces: the integer x.
void mark(std::string_view label, Int x, MarkRole role = MarkRole::value);
/// Marks the number significand * 2^(exponent + offset).
void mark(std::string_view label, Int significand, Int exponent, int offset,
          MarkRole role = MarkRole::value);

}  // namespace mmaspec
