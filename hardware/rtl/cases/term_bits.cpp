#include "hardware/rtl/cases/term_bits.h"

#include <algorithm>
#include <vector>

namespace mmaspec::rtl {
namespace {

Integer all_ones(unsigned width) { return power_of_two(width) - 1; }

BitFacts truth(bool value) { return value ? BitFacts{1, 1} : BitFacts{0, 0}; }

/// The facts of x + y modulo 2^width: a sum bit is known if both bits and the carry into it are.
BitFacts sum(const BitFacts& x, const BitFacts& y, unsigned width) {
  const Integer mask = all_ones(width);
  const Integer largest = x.maybe + y.maybe;
  const Integer least = x.ones + y.ones;
  // A carry differs from the sum of its bits without carry.
  const Integer no_carry = mask & ~Integer(mask & (largest ^ x.maybe ^ y.maybe));
  const Integer carry = mask & (least ^ x.ones ^ y.ones);
  const Integer known = (mask & ~Integer(x.maybe ^ x.ones)) & (mask & ~Integer(y.maybe ^ y.ones)) &
                        (no_carry | carry);
  const Integer ones = least & known;
  return {ones, ones | (mask & ~known)};
}

/// The least and the largest value in an order: unsigned, or signed with the sign bit flipped.
std::pair<Integer, Integer> interval(const BitFacts& x, unsigned width, bool is_signed) {
  if (!is_signed) return {x.ones, x.maybe};
  const Integer sign = power_of_two(width - 1);
  const Integer low_ones = x.ones & (sign - 1);
  const Integer low_maybe = x.maybe & (sign - 1);
  const bool is_negative = (x.ones & sign) != 0;
  const bool may_be_negative = (x.maybe & sign) != 0;
  return {may_be_negative ? low_ones : Integer(low_ones + sign),
          is_negative ? low_maybe : Integer(low_maybe + sign)};
}

unsigned trailing_zeros(const Integer& maybe, unsigned width) {
  return maybe == 0 ? width : static_cast<unsigned>(lsb(maybe));
}

}  // namespace

const BitFacts& TermBits::operator()(TermId term) {
  if (facts_.size() < terms_.size()) facts_.resize(terms_.size());
  if (!facts_[term]) {
    // Arguments have lower ids than the terms that use them.
    std::vector<TermId> open{term};
    while (!open.empty()) {
      const TermId t = open.back();
      bool ready = true;
      for (const TermId a : terms_[t].args) {
        if (facts_[a]) continue;
        open.push_back(a);
        ready = false;
      }
      if (!ready) continue;
      facts_[t] = of_operation(terms_[t]);
      open.pop_back();
    }
  }
  return *facts_[term];
}

BitFacts TermBits::of_operation(const BvTerm& t) const {
  const auto arg = [&](std::size_t i) -> const BitFacts& { return known(t.args[i]); };
  const Integer mask = all_ones(std::max(t.width, 1U));
  switch (t.op) {
    case BvOp::bool_constant:
    case BvOp::constant:
      return {t.value, t.value};
    case BvOp::variable:
      return {0, mask};
    case BvOp::bool_not:
    case BvOp::bv_not:
      return {mask & ~arg(0).maybe, mask & ~arg(0).ones};
    case BvOp::bool_and: {
      BitFacts all{1, 1};
      for (std::size_t i = 0; i < t.args.size(); ++i) {
        all.ones &= arg(i).ones;
        all.maybe &= arg(i).maybe;
      }
      return all;
    }
    case BvOp::bv_and:
      return {arg(0).ones & arg(1).ones, arg(0).maybe & arg(1).maybe};
    case BvOp::bool_or:
    case BvOp::bv_or:
      return {arg(0).ones | arg(1).ones, arg(0).maybe | arg(1).maybe};
    case BvOp::bool_xor:
    case BvOp::bv_xor: {
      const Integer open = (arg(0).maybe ^ arg(0).ones) | (arg(1).maybe ^ arg(1).ones);
      const Integer ones = (arg(0).ones ^ arg(1).ones) & ~open;
      return {ones, ones | open};
    }
    case BvOp::eq: {
      const Integer differ =
          (arg(0).ones & ~Integer(arg(1).maybe)) | (arg(1).ones & ~Integer(arg(0).maybe));
      if (differ != 0) return truth(false);
      if (arg(0).is_constant() && arg(1).is_constant()) return truth(true);
      return {0, 1};
    }
    case BvOp::ult:
    case BvOp::slt: {
      const unsigned width = terms_.width(t.args[0]);
      const auto x = interval(arg(0), width, t.op == BvOp::slt);
      const auto y = interval(arg(1), width, t.op == BvOp::slt);
      if (x.second < y.first) return truth(true);
      if (x.first >= y.second) return truth(false);
      return {0, 1};
    }
    case BvOp::ite: {
      if (arg(0).is_constant()) return arg(0).ones != 0 ? arg(1) : arg(2);
      return {arg(1).ones & arg(2).ones, arg(1).maybe | arg(2).maybe};
    }
    case BvOp::add:
      return sum(arg(0), arg(1), t.width);
    case BvOp::mul: {
      if (arg(0).is_constant() && arg(1).is_constant()) {
        const Integer value = (arg(0).ones * arg(1).ones) & mask;
        return {value, value};
      }
      const unsigned zeros = std::min(
          t.width, trailing_zeros(arg(0).maybe, t.width) + trailing_zeros(arg(1).maybe, t.width));
      const Integer largest = arg(0).maybe * arg(1).maybe;
      const Integer within = largest == 0     ? Integer(0)
                             : largest > mask ? mask
                                              : all_ones(static_cast<unsigned>(msb(largest)) + 1);
      return {0, (within >> zeros) << zeros};
    }
    case BvOp::concat: {
      const unsigned low = terms_.width(t.args[1]);
      return {(arg(0).ones << low) | arg(1).ones, (arg(0).maybe << low) | arg(1).maybe};
    }
    case BvOp::extract:
      return {(arg(0).ones >> t.low) & mask, (arg(0).maybe >> t.low) & mask};
    case BvOp::zero_extend:
      return arg(0);
    case BvOp::sign_extend: {
      const unsigned width = terms_.width(t.args[0]);
      const Integer above = mask - all_ones(width);
      BitFacts x = arg(0);
      if (bit_test(x.ones, width - 1)) x.ones |= above;
      if (bit_test(x.maybe, width - 1)) x.maybe |= above;
      return x;
    }
  }
  return {0, mask};
}

}  // namespace mmaspec::rtl
