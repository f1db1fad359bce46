#include "spec/parts/terms.h"

#include <algorithm>

namespace mmaspec {
namespace {

std::vector<Unpacked> unpack_all(const Format* format, const std::vector<Int>& patterns) {
  std::vector<Unpacked> all;
  for (Int p : patterns) all.push_back(unpack(*format, p));
  return all;
}

}  // namespace

Int counted_exponent(const Unpacked& x, const ZeroExponent& zero) {
  if (!may_hold(zero.counts)) return x.exponent;
  return select(x.is_zero() && zero.counts, zero.exponent, x.exponent);
}

DotOperands flush_subnormals(const DotFormats& formats, const DotOperands& operands, Bool flush) {
  if (!may_hold(flush)) return operands;
  const Stage stage("flush");
  DotOperands flushed = operands;
  for (Int& x : flushed.a) x = select(flush, flush_subnormal(*formats.a, x), x);
  for (Int& x : flushed.b) x = select(flush, flush_subnormal(*formats.b, x), x);
  flushed.c = select(flush, flush_subnormal(*formats.c, operands.c), operands.c);
  return flushed;
}

DotOperands subnormals_as_zeros(const DotFormats& formats, const DotOperands& operands,
                                Bool flush) {
  if (!may_hold(flush)) return operands;
  const Stage stage("flush");
  DotOperands flushed = operands;
  for (Int& x : flushed.a) x = select(flush, subnormal_as_zero(*formats.a, x), x);
  for (Int& x : flushed.b) x = select(flush, subnormal_as_zero(*formats.b, x), x);
  flushed.c = select(flush, subnormal_as_zero(*formats.c, operands.c), operands.c);
  return flushed;
}

UnpackedOperands unpack(const DotFormats& formats, const DotOperands& operands) {
  const Stage stage("unpack");
  return {unpack_all(formats.a, operands.a),
          unpack_all(formats.b, operands.b),
          unpack(*formats.c, operands.c),
          unpack_all(formats.scale, operands.scale_a),
          unpack_all(formats.scale, operands.scale_b),
          formats.scale_block};
}

Term exact_product(const Format& fa, const Unpacked& a, const Format& fb, const Unpacked& b,
                   const ZeroExponent& zero) {
  const Stage stage("product");
  return {a.sign ^ b.sign, a.significand * b.significand,
          counted_exponent(a, zero) + counted_exponent(b, zero),
          fa.fraction_bits + fb.fraction_bits};
}

Term scaled_product(const DotFormats& formats, const UnpackedOperands& operands, std::size_t k,
                    const ZeroExponent& zero) {
  const Term p = exact_product(*formats.a, operands.a[k], *formats.b, operands.b[k], zero);
  if (formats.scale == nullptr) return p;
  const Unpacked& sa = operands.scale_a[operands.scale_of(k)];
  const Unpacked& sb = operands.scale_b[operands.scale_of(k)];
  return {p.sign ^ sa.sign ^ sb.sign, p.significand * (sa.significand * sb.significand),
          p.exponent + counted_exponent(sa, zero) + counted_exponent(sb, zero),
          p.fraction_bits + 2 * formats.scale->fraction_bits};
}

Term normalized(const Term& term) {
  const Int length = bit_length(term.significand);
  const unsigned width = bit_length(term.significand.range().high);
  const int fraction_bits = static_cast<int>(width) - 1;
  const Int exponent = term.exponent + length - 1 - term.fraction_bits;
  return {term.sign, shift_left(term.significand, Integer(width) - length),
          select(term.is_zero(), term.exponent, exponent), fraction_bits};
}

Term as_term(const Format& format, const Unpacked& x, const ZeroExponent& zero) {
  return {x.sign, x.significand, counted_exponent(x, zero), format.fraction_bits};
}

std::vector<Term> leave_zeros_out(std::vector<Term> terms, Int floor, Bool leave) {
  if (!may_hold(leave)) return terms;
  for (Term& t : terms) t.exponent = select(t.is_zero() && leave, floor, t.exponent);
  return terms;
}

Integer least_exponent(const std::vector<Term>& terms) {
  Integer least = terms.at(0).exponent.range().low;
  for (const Term& t : terms) least = std::min(least, t.exponent.range().low);
  return least;
}

Int largest_exponent(const std::vector<Term>& terms) {
  std::vector<Int> exponents;
  for (const Term& t : terms) exponents.push_back(t.exponent);
  return max(exponents);
}

Int align(const Term& term, Int e_max, Int fraction_bits, const Choice<Rounding>& rounding) {
  return align(term.sign, term.significand, term.exponent, term.fraction_bits, e_max, fraction_bits,
               rounding);
}

Int align(Bool sign, Int significand, Int exponent, Int from_bits, Int e_max, Int fraction_bits,
          const Choice<Rounding>& rounding) {
  const Int widened = fraction_bits - from_bits;
  const Int distance = e_max - exponent + max(-widened, 0);
  const Int wide = shift_left(significand, max(widened, 0));
  const auto toward_zero = [&] { return negate_if(sign, floor_shift_right(wide, distance)); };
  const auto down = [&] { return floor_shift_right(negate_if(sign, wide), distance); };
  if (rounding.must_be(Rounding::toward_zero)) return toward_zero();
  if (rounding.must_be(Rounding::down)) return down();
  if (rounding.must_be(Rounding::to_odd)) {
    // Units in pairs, and a last bit that is sticky for all lower bits.
    const Int pairs = floor_shift_right(wide, distance + 1);
    const Bool more = shift_left(pairs, distance + 1) != wide;
    return negate_if(sign, 2 * pairs + select(more, 1, 0));
  }
  if (rounding.may_be(Rounding::toward_zero) && rounding.may_be(Rounding::down)) {
    return select(rounding.is(Rounding::down), down(), toward_zero());
  }
  throw std::logic_error("alignment rounds toward zero, down or to odd");
}

void mark_fixed(std::string_view label, Int units, Int exponent, Int fraction_bits, MarkRole role) {
  if (!fraction_bits.is_constant()) return;
  mark(label, units, exponent, -fraction_bits.range().low.convert_to<int>(), role);
}

Bool reaches(const Term& term, Int exponent) {
  return bit_length(term.significand) + term.exponent > exponent + term.fraction_bits &&
         !term.is_zero();
}

SpecialCase special_case(const UnpackedOperands& operands) {
  const Stage stage("special values");
  std::vector<Bool> nan{operands.c.is_nan};
  std::vector<Bool> positive{operands.c.is_infinite && !operands.c.sign};
  std::vector<Bool> negative{operands.c.is_infinite && operands.c.sign};
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    const Unpacked& a = operands.a[k];
    const Unpacked& b = operands.b[k];
    const Bool infinite = a.is_infinite || b.is_infinite;
    const Bool sign = a.sign ^ b.sign;
    nan.insert(nan.end(), {a.is_nan, b.is_nan, a.is_infinite && b.is_zero() && b.is_finite(),
                           b.is_infinite && a.is_zero() && a.is_finite()});
    if (operands.scale_block > 0) {
      const Unpacked& sa = operands.scale_a[operands.scale_of(k)];
      const Unpacked& sb = operands.scale_b[operands.scale_of(k)];
      nan.push_back(infinite && (sa.is_zero() || sb.is_zero()));
    }
    positive.push_back(infinite && !sign);
    negative.push_back(infinite && sign);
  }
  for (const auto* scales : {&operands.scale_a, &operands.scale_b}) {
    for (const Unpacked& s : *scales) nan.push_back(s.is_nan);
  }
  const Bool some_positive = any_of(positive);
  const Bool some_negative = any_of(negative);
  nan.push_back(some_positive && some_negative);
  return {any_of(nan), some_positive, some_negative};
}

SpecialCase with_product_overflow(const SpecialCase& special, const std::vector<Term>& products,
                                  Int exponent, Bool joins) {
  const Stage stage("special values");
  std::vector<Bool> positive;
  std::vector<Bool> negative;
  for (const Term& p : products) {
    const Bool overflow = reaches(p, exponent);
    positive.push_back(overflow && !p.sign);
    negative.push_back(overflow && p.sign);
  }
  const Bool count =
      !special.is_nan && (joins || (!special.positive_infinity && !special.negative_infinity));
  const Bool more_positive = count && any_of(positive);
  const Bool more_negative = count && any_of(negative);
  const Bool some_positive = special.positive_infinity || more_positive;
  const Bool some_negative = special.negative_infinity || more_negative;
  const Bool meet = (more_positive && some_negative) || (more_negative && some_positive);
  return {special.is_nan || meet, some_positive, some_negative};
}

Int with_special_values(const SpecialCase& special, const Format& result, const Integer& nan,
                        Int finite) {
  const Stage stage("special values");
  Int d = select(special.positive_infinity, infinite_pattern(result, false), finite);
  d = select(special.negative_infinity, infinite_pattern(result, true), d);
  return select(special.is_nan, nan, d);
}

void expect_steps(const DotOperands& operands, int first, int block, std::size_t before) {
  const Graph& graph = Graph::current();
  const auto later = operands.a.begin() + first;
  if (!std::all_of(later, operands.a.end(), [&](Int a) { return graph[a.id()].op == Op::input; })) {
    return;
  }
  const auto steps = static_cast<std::size_t>((operands.a.end() - later) / block);
  graph.expect(steps * (graph.size() - before));
}

}  // namespace mmaspec
