#include "queries/relations/relational_invariant.h"

#include <stdexcept>

#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

using Kind = RelationalInvariant::Kind;

Int magnitude(const Format& f, Int pattern) { return bits(pattern, 0, u(f.sign_bit())); }
Bool sign(const Format& f, Int pattern) { return bit(pattern, u(f.sign_bit())); }

/// The weight of the exponent's lowest bit in a pattern.
Integer binade(const Format& f) { return power_of_two(u(f.fraction_bits + f.ignored_low_bits)); }

/// The doubled magnitude of a finite number. The result is not finite if it exceeds the largest
/// number.
Int doubled_magnitude(const Format& f, Int m) {
  return select(m < binade(f), 2 * m, m + binade(f));
}

Int linear_image(const RelationalInvariant& r, Int base) {
  return floor_shift_right(base * r.factor, Int(static_cast<int>(r.places))) + r.constant;
}

Bool is_exact_image(const RelationalInvariant& r, Int y, Int base) {
  return shift_left(y - r.constant, Int(static_cast<int>(r.places))) == base * r.factor;
}

Int rounded_to_odd(Int x, unsigned places) {
  const Int pairs = floor_shift_right(x, Int(static_cast<int>(places + 1)));
  const Int unit = power_of_two(places + 1);
  return 2 * pairs + select(pairs * unit == x, 0, 1);
}

/// The minuend of the difference for a value of the node `from`. max() is not used, because it
/// would merge a maximum and a constant, and `from` would no longer be a node of the expression.
Int start_of(const DifferenceBound& fall, Int from) {
  if (!fall.least) return from + fall.constant;
  return select(from < *fall.least, *fall.least, from) + fall.constant;
}

/// The difference for two nodes' values.
Int value_of(const DifferenceBound& fall, Int from, Int to) {
  return min(max(start_of(fall, from) - to, 0), Integer(fall.most));
}

Bool is_usual_where_large(const DifferenceBound& fall, Int from, Int by) {
  return fall.below ? by == Integer(fall.usual) || from <= *fall.below : Bool(true);
}

}  // namespace

Bool holds(const RelationalInvariant& r, const Format& f) {
  if (is_boolean(Graph::current()[r.node].op)) {
    const Bool y = Bool::of(r.node);
    if (r.kind == Kind::constant) return r.constant != 0 ? y : !y;
    return y ^ Bool::of(r.base) ^ Bool(r.factor > 0);
  }
  const Int y = Int::of(r.node);
  if (r.kind == Kind::constant) return y == r.constant;
  const Int x = Int::of(r.base);
  if (r.kind == Kind::linear) {
    const Bool equal = r.is_exact ? is_exact_image(r, y, x) : y == linear_image(r, x);
    return r.unless ? Bool::of(*r.unless) || equal : equal;
  }
  if (r.kind == Kind::bounded_difference) {
    const Int by = start_of(r.fall, x) - y;
    return by >= 0 && by <= Integer(r.fall.most) && is_usual_where_large(r.fall, x, by);
  }
  if (r.kind == Kind::shifted) {
    const Int by = value_of(r.fall, Int::of(r.fall.from), Int::of(r.fall.to));
    return r.is_exact ? is_exact_image(r, y, shift_left(x, by))
                      : y == linear_image(r, shift_left(x, by));
  }
  if (r.kind == Kind::clamped) return y == min(x, r.constant);
  if (r.kind == Kind::rounded_to_odd) return y == rounded_to_odd(x, r.places);
  const Bool numbers = unpack(f, x).is_finite() && unpack(f, y).is_finite();
  if (r.kind == Kind::equal_pattern || r.kind == Kind::negated_pattern) {
    const Bool other_sign = sign(f, x) ^ sign(f, y) ^ Bool(r.kind == Kind::equal_pattern);
    const Bool related = magnitude(f, x) == magnitude(f, y) && (magnitude(f, x) == 0 || other_sign);
    if (r.kind == Kind::equal_pattern) return related;
    return select(unpack(f, x).is_nan, x == y, related);
  }
  return numbers && magnitude(f, y) == doubled_magnitude(f, magnitude(f, x)) &&
         !(sign(f, x) ^ sign(f, y));
}

namespace {

/// For an integer. `fall`: the difference of the nodes by which it is shifted.
Int image_of(const RelationalInvariant& r, const Format& f, Int x, Int fall) {
  switch (r.kind) {
    case Kind::constant:
      return r.constant;
    case Kind::linear:
      return linear_image(r, x);
    case Kind::bounded_difference: {
      const Int by = input("fall " + std::to_string(r.node), bit_length(Integer(r.fall.most)));
      return start_of(r.fall, x) - min(by, Integer(r.fall.most));
    }
    case Kind::shifted:
      return linear_image(r, shift_left(x, fall));
    case Kind::clamped:
      return min(x, r.constant);
    case Kind::rounded_to_odd:
      return rounded_to_odd(x, r.places);
    case Kind::equal_pattern:
    case Kind::negated_pattern: {
      // The sign of a zero is free.
      const Int m = magnitude(f, x);
      const Bool of_zero = input("zero sign " + std::to_string(r.node), 1) == 1;
      const Bool of_number = sign(f, x) ^ Bool(r.kind == Kind::negated_pattern);
      const Int number = with_sign(f, select(m == 0, of_zero, of_number), m);
      const bool may_be_nan = r.kind == Kind::negated_pattern && !r.is_never_nan;
      return may_be_nan ? select(unpack(f, x).is_nan, x, number) : number;
    }
    case Kind::doubled_pattern:
      return with_sign(f, sign(f, x), doubled_magnitude(f, magnitude(f, x)));
  }
  throw std::logic_error("no such relation of nodes");
}

/// An arbitrary number in a range or above it.
Int any_of(NodeId node, const Range& range) {
  return input("any " + std::to_string(node), bit_length(Integer(range.high - range.low))) +
         range.low;
}

}  // namespace

Bool put_in(const RelationalInvariant& r, const Graph& graph, const Format& f, Substitution& copy) {
  if (copy.determines(r.node)) return true;
  if (is_boolean(graph[r.node].op)) {
    if (r.kind == Kind::constant) {
      copy.replace(r.node, Bool(r.constant != 0));
      return true;
    }
    const Bool x = copy.boolean(r.base);
    copy.replace(r.node, r.factor > 0 ? x : !x);
    return true;
  }
  const Int x = r.kind == Kind::constant ? Int(0) : copy.integer(r.base);
  const Int fall = r.kind == Kind::shifted
                       ? value_of(r.fall, copy.integer(r.fall.from), copy.integer(r.fall.to))
                       : Int(0);
  const Range& range = graph[r.node].range;
  Int image = image_of(r, f, x, fall);
  if (r.unless) image = select(copy.boolean(*r.unless), any_of(r.node, range), image);
  Bool known = true;
  if (r.kind == Kind::bounded_difference)
    known = is_usual_where_large(r.fall, x, start_of(r.fall, x) - image);
  if (r.kind == Kind::shifted && r.is_exact) known = is_exact_image(r, image, shift_left(x, fall));
  if (range.low <= image.range().low && image.range().high <= range.high) {
    copy.replace(r.node, image);
    return known;
  }
  // Users of the node may rely on its range.
  copy.replace(r.node, claim(image, range.low, range.high));
  return known && image >= range.low && image <= range.high;
}

std::optional<NodeId> image_of(const RelationalInvariant& r, const Graph& graph) {
  if (is_boolean(graph[r.node].op)) {
    if (r.kind == Kind::constant) return Bool(r.constant != 0).id();
    return (Bool::of(r.base) ^ Bool(r.factor < 0)).id();
  }
  if (r.unless) return std::nullopt;
  switch (r.kind) {
    case Kind::constant:
      return Int(r.constant).id();
    case Kind::linear:
      return linear_image(r, Int::of(r.base)).id();
    case Kind::shifted: {
      const Int by = value_of(r.fall, Int::of(r.fall.from), Int::of(r.fall.to));
      return linear_image(r, shift_left(Int::of(r.base), by)).id();
    }
    case Kind::clamped:
      return min(Int::of(r.base), r.constant).id();
    case Kind::rounded_to_odd:
      return rounded_to_odd(Int::of(r.base), r.places).id();
    case Kind::bounded_difference:
    case Kind::equal_pattern:
    case Kind::negated_pattern:
    case Kind::doubled_pattern:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string description_of(const RelationalInvariant& r, const Graph& graph) {
  const auto node = [&](NodeId n) {
    for (const Mark& m : graph.marks()) {
      if (m.node == n) return m.stage + " " + m.label;
    }
    return std::string(mmaspec::name(graph[n].op)) + " " + std::to_string(n);
  };
  std::string text = node(r.node) + " is ";
  switch (r.kind) {
    case RelationalInvariant::Kind::constant:
      return text + r.constant.str();
    case RelationalInvariant::Kind::equal_pattern:
      return text + "the number " + node(r.base);
    case RelationalInvariant::Kind::negated_pattern:
      return text + "the negative of " + node(r.base);
    case RelationalInvariant::Kind::doubled_pattern:
      return text + "the double of " + node(r.base);
    case RelationalInvariant::Kind::bounded_difference:
      text += "less than " + node(r.base) + " + " + r.fall.constant.str() + " by no more than " +
              std::to_string(r.fall.most);
      if (r.fall.least) text += " from " + r.fall.least->str() + " on";
      return text;
    case RelationalInvariant::Kind::clamped:
      return text + "a sum, but no more than " + r.constant.str();
    case RelationalInvariant::Kind::linear:
    case RelationalInvariant::Kind::shifted:
    case RelationalInvariant::Kind::rounded_to_odd:
      break;
  }
  if (r.factor != 1) text += r.factor == -1 ? "-" : r.factor.str() + " ";
  text += node(r.base);
  if (r.kind == RelationalInvariant::Kind::shifted) text += " * 2^fall";
  if (r.places > 0) text += " / 2^" + std::to_string(r.places);
  if (r.kind == RelationalInvariant::Kind::rounded_to_odd) text += " rounded to odd";
  if (r.constant != 0) text += " + " + r.constant.str();
  if (r.unless) text += " unless " + node(*r.unless);
  return text;
}

}  // namespace mmaspec
