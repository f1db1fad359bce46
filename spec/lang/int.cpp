// Arithmetic operations: constant folding, normal forms and ranges.

#include "spec/lang/int.h"

#include <algorithm>

#include "spec/lang/cannot_build.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

constexpr unsigned kMaxShift = 1U << 16;  // a larger shift is an author's mistake

Graph& g() { return Graph::current(); }
const Node& node(Int x) { return g()[x.id()]; }
LinearForm form(Int x) { return LinearForm::of(g(), x.id()); }
Int of_form(const LinearForm& f) { return Int::of(intern(g(), f)); }

LinearForm difference(Int x, Int y) {
  LinearForm d = form(x);
  d.add(form(y), -1);
  return d;
}

/// Interns `n`. The range is computed only if the node is new.
template <typename RangeOf>
NodeId intern_with(Node n, const RangeOf& range) {
  if (const auto known = g().find(n)) return *known;
  n.range = range();
  return g().intern(std::move(n));
}

Node plain(Op op, std::vector<NodeId> args) { return {op, std::move(args), {}, 0, 0, 0, {}}; }

unsigned shift_amount(const Integer& n) {
  if (n > kMaxShift) throw CannotBuild("a shift by up to " + n.str() + " bits");
  return n.convert_to<unsigned>();
}

std::string text(const Range& r) { return "[" + r.low.str() + ", " + r.high.str() + "]"; }

Range shift_range(Int n) {
  const Range r = n.range();
  if (r.low < 0) {
    throw CannotBuild("a shift by an amount in " + text(r) + ": it must not be negative");
  }
  return r;
}

void require_non_negative(Int x, std::string_view what) {
  if (x.range().low < 0) {
    throw CannotBuild(std::string(what) + " of an integer that may be negative: its range is " +
                      text(x.range()));
  }
}

/// An upper bound of n + factor * bit_length(x), if bit_length(x) is a node of the graph:
/// normalization and its inverse shift by amounts that depend on the shifted number's own length.
std::optional<Integer> shifted_length(Int x, Int n, int factor) {
  const auto length = g().find(plain(Op::bit_length, {x.id()}));
  if (!length) return std::nullopt;
  LinearForm f = form(n);
  f.scale(factor);
  f.add(LinearForm::of(g(), *length), 1);
  return range_of(g(), f).high;
}

/// -1, +1: the sign that makes the first coefficient positive.
int leading_sign(const LinearForm& f) { return f.terms.empty() || f.terms[0].second > 0 ? 1 : -1; }

/// ceil(x / y), y > 0.
Integer ceiling_quotient(const Integer& x, const Integer& y) {
  const Integer q = x / y;  // rounded toward zero
  return q * y < x ? Integer(q + 1) : q;
}

/// The terms with positive coefficients, and the negation of the others; both without constants.
std::pair<LinearForm, LinearForm> split_by_sign(const LinearForm& f) {
  LinearForm positive;
  LinearForm negative;
  for (const auto& [id, coefficient] : f.terms) {
    if (coefficient > 0) {
      positive.terms.emplace_back(id, coefficient);
    } else {
      negative.terms.emplace_back(id, Integer(-coefficient));
    }
  }
  return {std::move(positive), std::move(negative)};
}

/// The node of the form, if the graph has it.
std::optional<NodeId> find_node(const LinearForm& f) {
  if (f.is_constant()) return g().find({Op::constant, {}, {}, f.constant, 0, 0, {}});
  if (f.constant == 0 && f.terms.size() == 1 && f.terms[0].second == 1) return f.terms[0].first;
  Node n{Op::sum, {}, {}, f.constant, 0, 0, {}};
  for (const auto& [id, coefficient] : f.terms) {
    n.args.push_back(id);
    n.coefficients.push_back(coefficient);
  }
  return g().find(n);
}

Bool compare(Op op, Int x, Int y) {
  return Bool::of(g().intern({op, {x.id(), y.id()}, {}, 0, 0, 0, {0, 1}}));
}

/// left op right, if the graph has that node: a comparison keeps the form in which it was built
/// first.
std::optional<Bool> find_comparison(Op op, const LinearForm& left, const LinearForm& right) {
  const auto x = find_node(left);
  const auto y = find_node(right);
  if (!x || !y) return std::nullopt;
  const auto known = g().find(plain(op, {*x, *y}));
  return known ? std::optional(Bool::of(*known)) : std::nullopt;
}

/// Splits f into a part divisible by 2^n, divided by 2^n, and the rest.
std::pair<LinearForm, LinearForm> divide_by_power(const LinearForm& f, unsigned n) {
  const Integer power = power_of_two(n);
  LinearForm quotient;
  LinearForm rest;
  for (const auto& [id, coefficient] : f.terms) {
    if (coefficient % power == 0) {
      quotient.terms.emplace_back(id, Integer(coefficient / power));
    } else {
      rest.terms.emplace_back(id, coefficient);
    }
  }
  quotient.constant = floor_shift_right(f.constant, n);
  rest.constant = f.constant - quotient.constant * power;
  return {std::move(quotient), std::move(rest)};
}

}  // namespace

Int::Int(Integer value) : id_(g().intern({Op::constant, {}, {}, value, 0, 0, {value, value}})) {}

Int input(const std::string& name, unsigned width) { return Int::of(g().input(name, width)); }

Int operator+(Int x, Int y) {
  LinearForm f = form(x);
  f.add(form(y), 1);
  return of_form(f);
}

Int operator-(Int x, Int y) { return of_form(difference(x, y)); }

Int operator-(Int x) {
  LinearForm f = form(x);
  f.scale(-1);
  return of_form(f);
}

Int total(const std::vector<Int>& terms) {
  std::vector<LinearForm> forms;
  forms.reserve(terms.size());
  for (Int t : terms) forms.push_back(form(t));
  return of_form(LinearForm::total(forms));
}

Int operator*(Int x, Int y) {
  // Constant factors become coefficients of the surrounding linear form.
  Integer factor = 1;
  std::vector<NodeId> factors;
  for (Int operand : {x, y}) {
    const LinearForm f = form(operand);
    if (f.is_constant()) {
      factor *= f.constant;
    } else if (f.constant == 0 && f.terms.size() == 1) {
      factor *= f.terms[0].second;
      const Node& n = g()[f.terms[0].first];
      if (n.op == Op::product) {
        factors.insert(factors.end(), n.args.begin(), n.args.end());
      } else {
        factors.push_back(f.terms[0].first);
      }
    } else {
      factors.push_back(operand.id());
    }
  }
  if (factor == 0) return 0;
  LinearForm result;
  if (factors.empty()) {
    result.constant = factor;
  } else if (factors.size() == 1) {
    result = LinearForm::of(g(), factors[0]);
    result.scale(factor);
  } else {
    std::sort(factors.begin(), factors.end());
    const NodeId id = intern_with(plain(Op::product, factors), [&] {
      Range r{1, 1};
      for (NodeId f : factors) {
        const Range& s = g()[f].range;
        const auto [low, high] = std::minmax({Integer(r.low * s.low), Integer(r.low * s.high),
                                              Integer(r.high * s.low), Integer(r.high * s.high)});
        r = {low, high};
      }
      return r;
    });
    result.terms.emplace_back(id, factor);
  }
  return of_form(result);
}

Bool operator<(Int x, Int y) {
  LinearForm d = difference(x, y);
  const Range r = range_of(g(), d);
  if (r.high < 0) return true;
  if (r.low >= 0) return false;
  // d is not constant, and c + content * rest < 0 if and only if rest < ceil(-c / content).
  const Integer content = d.content();
  Integer bound = ceiling_quotient(-d.constant, content);
  d.constant = 0;
  for (auto& term : d.terms) term.second /= content;
  const int sign = leading_sign(d);
  LinearForm positive = d;
  positive.scale(sign);
  auto [left, right] = split_by_sign(d);
  const bool one_sided = left.is_constant() || right.is_constant();
  (bound < 0 ? left : right).constant = bound < 0 ? Integer(-bound) : bound;
  if (!one_sided) {
    if (const auto known = find_comparison(Op::less, left, right)) return *known;
  }
  const bool against_constant = form(x).is_constant() || form(y).is_constant();
  if (one_sided || against_constant || find_node(positive)) {
    // -p < bound if and only if not p < 1 - bound
    const Int p = of_form(positive);
    return sign > 0 ? compare(Op::less, p, bound) : !compare(Op::less, p, Integer(1 - bound));
  }
  return compare(Op::less, of_form(left), of_form(right));
}

Bool operator>(Int x, Int y) { return y < x; }
Bool operator<=(Int x, Int y) { return !(y < x); }
Bool operator>=(Int x, Int y) { return !(x < y); }

Bool operator==(Int x, Int y) {
  LinearForm d = difference(x, y);
  const Range r = range_of(g(), d);
  if (!r.holds(0)) return false;
  if (d.is_constant()) return true;
  const Integer content = d.content();
  if (d.constant % content != 0) return false;
  d.constant /= content;
  for (auto& term : d.terms) term.second /= content;
  const int sign = leading_sign(d);
  d.scale(sign);
  if (d.terms.size() == 1) {
    const Integer wanted = -d.constant;
    const Node& n = g()[d.terms[0].first];
    if (wanted == 0 && n.op == Op::absolute) return Int::of(n.args[0]) == 0;
    if (wanted == 0 && n.op == Op::negate_if) return Int::of(n.args[1]) == 0;
    if (n.op == Op::select) {
      const Node& yes = g()[n.args[1]];
      const Node& no = g()[n.args[2]];
      if (yes.op == Op::constant && no.op == Op::constant) {
        return select(Bool::of(n.args[0]), Bool(yes.value == wanted), Bool(no.value == wanted));
      }
      // One branch is the wanted value, and the other cannot be.
      if (yes.op == Op::constant && yes.value == wanted && !no.range.holds(wanted)) {
        return Bool::of(n.args[0]);
      }
      if (no.op == Op::constant && no.value == wanted && !yes.range.holds(wanted)) {
        return !Bool::of(n.args[0]);
      }
    }
    if (n.range == Range{0, 1} && wanted == 0) {
      return !compare(Op::equal, Int::of(d.terms[0].first), 1);
    }
    return compare(Op::equal, Int::of(d.terms[0].first), wanted);
  }
  const Integer wanted = -d.constant;
  LinearForm rest = d;
  rest.constant = 0;
  auto [left, right] = split_by_sign(d);
  const bool one_sided = left.is_constant() || right.is_constant();
  (wanted < 0 ? left : right).constant = wanted < 0 ? Integer(-wanted) : wanted;
  if (!one_sided) {
    if (const auto known = find_comparison(Op::equal, left, right)) return *known;
  }
  const bool against_constant = form(x).is_constant() || form(y).is_constant();
  if (one_sided || against_constant || find_node(rest)) {
    return compare(Op::equal, of_form(rest), wanted);
  }
  return compare(Op::equal, of_form(left), of_form(right));
}

Bool operator!=(Int x, Int y) { return !(x == y); }

Int select(Bool condition, Int yes, Int no) {
  const Node& c = g()[condition.id()];
  if (c.op == Op::boolean) return c.value != 0 ? yes : no;
  if (c.op == Op::logical_not) return select(Bool::of(c.args[0]), no, yes);
  if (node(yes).op == Op::select && node(yes).args[0] == condition.id()) {
    yes = Int::of(node(yes).args[1]);
  }
  if (node(no).op == Op::select && node(no).args[0] == condition.id()) {
    no = Int::of(node(no).args[2]);
  }
  if (yes.same_as(no)) return yes;
  return Int::of(intern_with(plain(Op::select, {condition.id(), yes.id(), no.id()}),
                             [&] { return hull(yes.range(), no.range()); }));
}

Int abs(Int x) {
  if (x.range().low >= 0) return x;
  if (x.range().high <= 0) return -x;
  LinearForm f = form(x);
  Integer content = gcd(f.content(), f.constant);
  if (f.terms.size() > 1) content = 1;  // a sum stays one node
  f.constant /= content;
  for (auto& term : f.terms) term.second /= content;
  f.scale(leading_sign(f));
  const Int y = of_form(f);
  if (node(y).op == Op::negate_if) return content * abs(Int::of(node(y).args[1]));
  const Int result = Int::of(intern_with(plain(Op::absolute, {y.id()}), [&] {
    const Range& r = y.range();
    return Range{r.low > 0 ? r.low : Integer(0), std::max(Integer(-r.low), r.high)};
  }));
  return content * result;
}

Int negate_if(Bool sign, Int x) {
  const Node& s = g()[sign.id()];
  if (s.op == Op::boolean) return s.value != 0 ? -x : x;
  if (s.op == Op::logical_not) return -negate_if(Bool::of(s.args[0]), x);
  const LinearForm f = form(x);
  if (f.is_constant() && f.constant == 0) return 0;
  if (f.constant == 0 && f.terms.size() == 1) {
    const auto& [id, coefficient] = f.terms[0];
    const Node& n = g()[id];
    if (n.op == Op::negate_if) {
      return coefficient * negate_if(sign ^ Bool::of(n.args[0]), Int::of(n.args[1]));
    }
    if (coefficient != 1) return coefficient * negate_if(sign, Int::of(id));
    // A number that was decomposed into sign and magnitude and recomposed.
    if (n.op == Op::absolute && s.op == Op::less && s.args[0] == n.args[0] &&
        g()[s.args[1]].range == Range{0, 0}) {
      return Int::of(n.args[0]);
    }
  }
  return Int::of(intern_with(plain(Op::negate_if, {sign.id(), x.id()}), [&] {
    const Range& r = x.range();
    return hull(r, {-r.high, -r.low});
  }));
}

static Int extremum(Op op, const std::vector<Int>& values) {
  if (values.empty()) throw CannotBuild(std::string(name(op)) + " of nothing");
  const bool largest = op == Op::maximum;
  std::vector<NodeId> members;
  for (Int v : values) {
    const Node& n = node(v);
    if (n.op == op) {
      members.insert(members.end(), n.args.begin(), n.args.end());
    } else {
      members.push_back(v.id());
    }
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  // The bound that some member attains for all inputs. Members that cannot exceed it are left out,
  // except the first constant that attains it.
  Integer bound = largest ? g()[members[0]].range.low : g()[members[0]].range.high;
  for (NodeId m : members) {
    const Range& r = g()[m].range;
    bound = largest ? std::max(bound, r.low) : std::min(bound, r.high);
  }
  std::vector<NodeId> kept;
  bool attained = false;
  for (NodeId m : members) {
    const Range& r = g()[m].range;
    if (largest ? r.high > bound : r.low < bound) {
      kept.push_back(m);
      attained |= (largest ? r.low : r.high) == bound;
    }
  }
  if (!attained) kept.push_back(Int(bound).id());
  if (kept.size() == 1) return Int::of(kept[0]);
  std::sort(kept.begin(), kept.end());
  return Int::of(intern_with(plain(op, kept), [&] {
    Range r = g()[kept[0]].range;
    for (NodeId m : kept) {
      const Range& s = g()[m].range;
      r.low = largest ? std::max(r.low, s.low) : std::min(r.low, s.low);
      r.high = largest ? std::max(r.high, s.high) : std::min(r.high, s.high);
    }
    return r;
  }));
}

Int min(const std::vector<Int>& values) { return extremum(Op::minimum, values); }
Int max(const std::vector<Int>& values) { return extremum(Op::maximum, values); }

Int shift_left(Int x, Int n) {
  const Range amount = shift_range(n);
  if (amount.is_point()) return power_of_two(shift_amount(amount.low)) * x;
  if (x.range() == Range{0, 0}) return 0;
  return Int::of(intern_with(plain(Op::shift_left, {x.id(), n.id()}), [&] {
    const unsigned least = shift_amount(amount.low);
    const unsigned most = shift_amount(amount.high);
    const Range& r = x.range();
    Range result{r.low << (r.low < 0 ? most : least), r.high << (r.high < 0 ? least : most)};
    if (r.low >= 0) {
      if (const auto length = shifted_length(x, n, 1)) {
        const Integer high = *length <= 0 ? Integer(0) : power_of_two(shift_amount(*length)) - 1;
        result.high = std::min(result.high, high);
      }
    }
    // Rounding down to a multiple of 2^n does not increase a number.
    const Node& quotient = node(x);
    if (quotient.op == Op::floor_shift_right && quotient.args[1] == n.id()) {
      result.high = std::min(result.high, g()[quotient.args[0]].range.high);
    }
    return result;
  }));
}

Int floor_shift_right(Int x, Int n) {
  const Range amount = shift_range(n);
  if (amount.is_point()) {
    // Beyond the number's own length every shift gives 0 or -1.
    const unsigned length = std::max(bit_length(x.range().low), bit_length(x.range().high));
    const unsigned k = shift_amount(std::min(amount.low, Integer(length)));
    if (amount.low > k) return floor_shift_right(x, Int(Integer(k)));
    if (k == 0) return x;
    auto [quotient, rest] = divide_by_power(form(x), k);
    const Range r = range_of(g(), rest);
    if (floor_shift_right(r.low, k) == floor_shift_right(r.high, k)) {
      quotient.constant += floor_shift_right(r.low, k);
      return of_form(quotient);
    }
    if (!quotient.is_constant()) {
      // Only the rest is shifted: floor(q + r / 2^k) = q + floor(r / 2^k).
      return of_form(quotient) + floor_shift_right(of_form(rest), n);
    }
    const Node& inner = node(x);
    if (inner.op == Op::floor_shift_right && g()[inner.args[1]].op == Op::constant) {
      return floor_shift_right(Int::of(inner.args[0]), n + Int::of(inner.args[1]));
    }
    if (inner.op == Op::bits) {
      return inner.width > k ? bits(Int::of(inner.args[0]), inner.low + k, inner.width - k) : 0;
    }
  }
  if (x.range() == Range{0, 0}) return 0;
  return Int::of(intern_with(plain(Op::floor_shift_right, {x.id(), n.id()}), [&] {
    // Beyond the number's own length every shift gives 0 or -1.
    const Range& r = x.range();
    const unsigned length = std::max(bit_length(r.low), bit_length(r.high)) + 1;
    const unsigned least = std::min(amount.low, Integer(length)).convert_to<unsigned>();
    const unsigned most = std::min(amount.high, Integer(length)).convert_to<unsigned>();
    Range result{floor_shift_right(r.low, r.low < 0 ? least : most),
                 floor_shift_right(r.high, r.high < 0 ? most : least)};
    if (r.low >= 0) {
      if (const auto rest = shifted_length(x, n, -1)) {
        const Integer high = *rest <= 0 ? Integer(0) : power_of_two(shift_amount(*rest)) - 1;
        result.high = std::max(result.low, std::min(result.high, high));
      }
    }
    return result;
  }));
}

Int bits(Int x, unsigned low, unsigned width) {
  require_non_negative(x, "bits");
  if (width == 0) return 0;
  // Multiples of 2^(low + width) do not matter if the rest is nonnegative.
  LinearForm rest = divide_by_power(form(x), low + width).second;
  const Range r = range_of(g(), rest);
  if (r.low < 0) rest = form(x);
  const Int y = of_form(rest);
  if (y.range().high < power_of_two(low + width)) return floor_shift_right(y, Integer(low));
  if (node(y).op == Op::bits) {
    const Node& inner = node(y);
    const unsigned most = inner.width > low ? inner.width - low : 0;
    return bits(Int::of(inner.args[0]), inner.low + low, std::min(width, most));
  }
  Node n = plain(Op::bits, {y.id()});
  n.low = low;
  n.width = width;
  return Int::of(intern_with(std::move(n), [&] {
    return Range{0, std::min(Integer(power_of_two(width) - 1), Integer(y.range().high >> low))};
  }));
}

Bool bit(Int x, unsigned i) { return bits(x, i, 1) == 1; }

Int bit_length(Int x) {
  require_non_negative(x, "bit_length");
  const Range r = x.range();
  const Range lengths{bit_length(r.low), bit_length(r.high)};
  if (lengths.is_point()) return lengths.low;
  return Int::of(intern_with(plain(Op::bit_length, {x.id()}), [&] { return lengths; }));
}

Int claim(Int x, const Integer& low, const Integer& high) {
  const Range r = intersect(x.range(), {low, high});
  if (r == x.range()) return x;
  Node n = plain(Op::claim, {x.id()});
  n.range = r;
  return Int::of(g().intern(std::move(n)));
}

}  // namespace mmaspec
