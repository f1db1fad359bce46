#include "hardware/rtl/equivalence/arithmetic.h"

#include <algorithm>
#include <array>

#include "hardware/rtl/equivalence/simulate_terms.h"
#include "hardware/rtl/equivalence/term_value.h"

namespace mmaspec::rtl {

Arithmetic::Form Arithmetic::constant(const Integer& value) {
  return value == 0 ? Form() : Form{{Atom{true, 0, false, {}}, value}};
}

Arithmetic::Form Arithmetic::scaled(const Form& x, const Integer& factor) {
  Form result;
  if (factor == 0) return result;
  for (const auto& [atom, c] : x) result[atom] = c * factor;
  return result;
}

Arithmetic::Form Arithmetic::sum(Form x, const Form& y) {
  for (const auto& [atom, c] : y) {
    Integer& total = x[atom];
    total += c;
    if (total == 0) x.erase(atom);
  }
  return x;
}

Arithmetic::Form Arithmetic::reduced(const Form& x, unsigned width) {
  const Integer modulus = power_of_two(width);
  Form result;
  for (const auto& [atom, c] : x) {
    Integer r = c % modulus;
    if (r < 0) r += modulus;
    if (r != 0) result[atom] = r;
  }
  return result;
}

Arithmetic::Form Arithmetic::centered(const Form& x, unsigned width) {
  Form result = reduced(x, width);
  for (auto& [atom, c] : result) {
    if (c > power_of_two(width - 1)) c -= power_of_two(width);
  }
  return result;
}

Arithmetic::Form Arithmetic::atom(TermId t, bool is_signed) const {
  const BvTerm& x = terms_[t];
  if (x.op == BvOp::constant) return constant(is_signed ? signed_value(x.value, x.width) : x.value);
  return {{Atom{false, t, is_signed, {}}, 1}};
}

/// A condition as 0 or 1.
Arithmetic::Form Arithmetic::bit(TermId condition) {
  const BvTerm x = terms_[condition];
  if (x.op == BvOp::bool_constant) return constant(x.value);
  if (x.op == BvOp::bool_not) return sum(constant(1), scaled(bit(x.args[0]), -1));
  return atom(terms_.to_bit(condition), false);
}

// Linear, so that it is done to each atom.
std::optional<Arithmetic::Form> Arithmetic::gated(TermId gate, const Form& x) {
  constexpr std::size_t kMost = 64;  // atoms: each gate may double them
  if (x.size() > kMost) return std::nullopt;
  if (terms_[gate].op == BvOp::bool_constant) return terms_[gate].value == 0 ? Form() : x;
  if (terms_[gate].op == BvOp::bool_not) {
    const auto other = gated(terms_[gate].args[0], x);
    return other ? std::optional(sum(x, scaled(*other, -1))) : std::nullopt;
  }
  const TermId as_bit = terms_.to_bit(gate);
  Form result;
  for (const auto& [part, c] : x) {
    if (part.one && part.gates.empty()) {
      result = sum(result, scaled(bit(gate), c));
      continue;
    }
    Atom now = part;
    if (part.one || part.term != as_bit) now.gates.insert(gate);
    result = sum(result, {{now, c}});
  }
  return result;
}

std::optional<Arithmetic::Form> Arithmetic::negated_if(TermId sign, const Form& x) {
  const auto part = gated(sign, x);
  return part ? std::optional(sum(x, scaled(*part, -2))) : std::nullopt;
}

/// The Boolean of which a word is nothing but copies.
std::optional<TermId> Arithmetic::repeated(TermId t) const {
  const BvTerm& x = terms_[t];
  if (x.op == BvOp::sign_extend && terms_.width(x.args[0]) == 1) return repeated(x.args[0]);
  if (x.op != BvOp::ite) return std::nullopt;
  const BvTerm& yes = terms_[x.args[1]];
  const BvTerm& no = terms_[x.args[2]];
  if (yes.op != BvOp::constant || no.op != BvOp::constant || no.value != 0 ||
      yes.value != power_of_two(x.width) - 1) {
    return std::nullopt;
  }
  return x.args[0];
}

Integer Arithmetic::bound(TermId t) const {
  const BvTerm& x = terms_[t];
  if (x.op == BvOp::constant) return x.value;
  if (x.op == BvOp::zero_extend) return bound(x.args[0]);
  if (x.op == BvOp::ite) return std::max(bound(x.args[1]), bound(x.args[2]));
  return power_of_two(x.width) - 1;
}

// An atom and what gates leave of it have one factor in all, between the least and the largest sum
// of coefficients.
Arithmetic::Interval Arithmetic::range(const Form& form) {
  std::map<Atom, Interval> factors;
  for (const auto& [part, c] : form) {
    Atom whole = part;
    whole.gates.clear();
    Interval& f = factors.try_emplace(whole, Interval{0, 0}).first->second;
    if (part.gates.empty() || c < 0) f.low += c;
    if (part.gates.empty() || c > 0) f.high += c;
  }
  Interval all{0, 0};
  for (const auto& [part, f] : factors) {
    Interval r{1, 1};
    if (!part.one) {
      const unsigned width = terms_.width(part.term);
      r = part.is_signed ? Interval{-power_of_two(width - 1), power_of_two(width - 1) - 1}
                         : Interval{0, bound(part.term)};
    }
    const std::array<Integer, 4> corners{f.low * r.low, f.low * r.high, f.high * r.low,
                                         f.high * r.high};
    all.low += *std::min_element(corners.begin(), corners.end());
    all.high += *std::max_element(corners.begin(), corners.end());
  }
  return all;
}

bool Arithmetic::is_shift(TermId word, TermId shifted, TermId amount) {
  return shifts_.try_emplace(word, shifted, amount).second;
}

// What `holds_` has confirmed stays true.
void Arithmetic::forget(const std::vector<TermId>& shifts) {
  if (shifts.empty()) return;
  for (const TermId word : shifts) shifts_.erase(word);
  modular_.clear();
  word_of_shift_.clear();
  shift_of_word_.clear();
}

Arithmetic::Form Arithmetic::shift(TermId t) {
  // A word that folding made a part of itself, as where nothing is shifted out, stays as it is.
  if (!followed_.insert(t).second) return atom(t, false);
  const auto [shifted, by] = shifts_.at(t);
  Form number = exact(shifted, false);
  Form amount = natural(by);
  followed_.erase(t);
  if (number.size() == 1 && number.begin()->second == 1 && !number.begin()->first.one) {
    const auto before = shift_of_word_.find(number.begin()->first.term);
    if (before != shift_of_word_.end()) {
      amount = sum(before->second.second, amount);
      number = before->second.first;
    }
  }
  if (amount.empty()) return number;
  const std::pair key(std::move(number), std::move(amount));
  const TermId word = word_of_shift_.try_emplace(key, t).first->second;
  shift_of_word_.try_emplace(word, key);
  return atom(word, false);
}

// A guess, the word's form with its parts read with their signs or as they are; then a proof.
Arithmetic::Form Arithmetic::natural(TermId t) {
  const unsigned width = terms_.width(t);
  const Form direct = exact(t, false);
  const Form form = centered(modular(t, width), width);
  if (!holds_ || direct != atom(t, false) || form == direct) return direct;
  Form with_signs;
  for (const auto& [part, c] : form) {
    Atom as_signed = part;
    as_signed.is_signed |=
        !part.one && bound(part.term) >= power_of_two(terms_.width(part.term) - 1);
    with_signs = sum(with_signs, {{as_signed, c}});
  }
  for (const Form& guess : {with_signs, form}) {
    const auto [known, is_new] = confirmed_.try_emplace({t, guess}, false);
    if (is_new) known->second = is_exactly(t, guess);
    if (known->second) return guess;
  }
  return direct;
}

bool Arithmetic::is_exactly(TermId t, const Form& form) {
  const Interval r = range(form);
  unsigned width = terms_.width(t) + 1;
  while (r.low < -power_of_two(width - 1) || r.high >= power_of_two(width - 1)) ++width;
  TermId total = terms_.constant(0, width);
  for (const auto& [part, c] : form) {
    TermId x = part.one         ? terms_.constant(1, width)
               : part.is_signed ? terms_.sign_extend(part.term, width)
                                : terms_.zero_extend(part.term, width);
    for (const TermId gate : part.gates) x = terms_.ite(gate, x, terms_.constant(0, width));
    total = terms_.add(total, terms_.mul(x, terms_.constant(c, width)));
  }
  return holds_(terms_.eq(total, terms_.zero_extend(t, width)));
}

// What is equal modulo 2^width, and lies where the word's reading has its numbers, is equal.
Arithmetic::Form Arithmetic::exact(TermId t, bool is_signed) {
  const unsigned width = terms_.width(t);
  if (!is_signed && shifts_.contains(t)) return shift(t);
  if (terms_[t].op == BvOp::bv_not) {
    const Form negated = scaled(exact(terms_[t].args[0], is_signed), -1);
    return sum(negated, constant(is_signed ? Integer(-1) : Integer(power_of_two(width) - 1)));
  }
  const Form form = centered(modular(t, width), width);
  const Interval r = range(form);
  const Integer low = is_signed ? Integer(-power_of_two(width - 1)) : Integer(0);
  if (r.low >= low && r.high < low + power_of_two(width)) return form;
  // Without its sign where it has none, so that both readings of it are one atom.
  return atom(t, is_signed && bound(t) >= power_of_two(width - 1));
}

// x - 2^w * (its highest bit), read without sign, is x with its sign.
Arithmetic::Form Arithmetic::with_signs(Form form, unsigned width) {
  const Form given = form;
  for (const auto& [a, c] : given) {
    if (a.one || a.is_signed || !a.gates.empty()) continue;
    const unsigned w = terms_.width(a.term);
    if (w < 2 || w >= width) continue;
    const TermId top = terms_.from_bit(terms_.extract(a.term, w - 1, w - 1));
    const Form of_top = scaled(bit(top), -c * power_of_two(w));
    const Form without = reduced(sum(form, scaled(of_top, -1)), width);
    if (without.size() >= form.size()) continue;
    const Form rest = sum(without, scaled(atom(a.term, false), -c));
    form = reduced(sum(rest, scaled(exact(a.term, true), c)), width);
  }
  return form;
}

Arithmetic::Form Arithmetic::structural(TermId t, unsigned width) {
  if (shifts_.contains(t)) return shift(t);
  const BvTerm x = terms_[t];
  const auto arg = [&](std::size_t i) { return modular(x.args[i], width); };
  switch (x.op) {
    case BvOp::constant:
      return constant(x.value);
    case BvOp::add:
      return sum(arg(0), arg(1));
    case BvOp::bv_not:
      return sum(scaled(arg(0), -1), constant(-1));
    case BvOp::zero_extend:
    case BvOp::sign_extend:
      if (terms_.width(x.args[0]) >= width) return arg(0);
      return exact(x.args[0], x.op == BvOp::sign_extend);
    case BvOp::extract:
      return x.low == 0 ? arg(0) : atom(t, false);
    case BvOp::concat: {
      const unsigned low = terms_.width(x.args[1]);
      if (low >= width) return modular(x.args[1], width);
      const unsigned rest = width - low;
      const Form high =
          terms_.width(x.args[0]) >= rest ? modular(x.args[0], rest) : exact(x.args[0], false);
      return sum(scaled(high, power_of_two(low)), exact(x.args[1], false));
    }
    case BvOp::mul:
      for (const std::size_t i : {0U, 1U}) {
        const BvTerm factor = terms_[x.args[i]];
        if (factor.op == BvOp::constant) return scaled(arg(1 - i), factor.value);
      }
      return atom(t, false);
    case BvOp::bv_xor:
      for (const std::size_t i : {0U, 1U}) {
        const auto sign = repeated(x.args[i]);
        const auto n = sign ? negated_if(*sign, arg(1 - i)) : std::nullopt;
        if (n) return sum(*n, scaled(bit(*sign), -1));
      }
      return atom(t, false);
    case BvOp::ite: {
      const BvTerm yes = terms_[x.args[1]];
      const BvTerm no = terms_[x.args[2]];
      if (yes.op == BvOp::constant && no.op == BvOp::constant && x.width > 1) {
        return sum(constant(no.value), scaled(bit(x.args[0]), yes.value - no.value));
      }
      // (b ? x : y) = y + b (x - y), where that is simple: one of both is 0, or the other's
      // negation, or the other with something added to it.
      const Form chosen = arg(1);
      const Form other = arg(2);
      const bool opposite = !other.empty() && reduced(sum(chosen, other), width).empty();
      const Form more = centered(sum(chosen, scaled(other, -1)), width);
      const bool simple = opposite || chosen.empty() || other.empty() ||
                          more.size() < std::max(chosen.size(), other.size());
      const auto part = simple ? gated(x.args[0], more) : std::nullopt;
      return part ? sum(other, *part) : atom(t, false);
    }
    default:
      return atom(t, false);
  }
}

// A word of more bits is cut, one of fewer is read without sign: its atoms are exact then.
Arithmetic::Form Arithmetic::modular(TermId t, unsigned width) {
  const auto key = std::pair(t, width);
  const auto known = modular_.find(key);
  if (known != modular_.end()) return known->second;
  Form form = with_signs(reduced(structural(t, width), width), width);
  modular_[key] = form;
  return form;
}

std::optional<Arithmetic::Form> Arithmetic::negative(TermId t) {
  const BvTerm x = terms_[t];
  Form form;
  switch (x.op) {
    case BvOp::bool_not: {
      const auto other = negative(x.args[0]);
      if (!other) return std::nullopt;
      form = sum(scaled(*other, -1), constant(-1));
      break;
    }
    case BvOp::ult:
    case BvOp::slt:
      form =
          sum(exact(x.args[0], x.op == BvOp::slt), scaled(exact(x.args[1], x.op == BvOp::slt), -1));
      break;
    case BvOp::eq: {
      const BvTerm top = terms_[x.args[0]];
      const BvTerm one = terms_[x.args[1]];
      if (top.op != BvOp::extract || top.width != 1 || one.op != BvOp::constant || one.value != 1 ||
          top.low + 1 != terms_.width(top.args[0])) {
        return std::nullopt;
      }
      form = exact(top.args[0], true);
      break;
    }
    default:
      return std::nullopt;
  }
  Integer divisor = 0;
  for (const auto& [part, c] : form) divisor = boost::multiprecision::gcd(divisor, c);
  for (auto& [part, c] : form) c /= divisor;
  return form;
}

bool Arithmetic::equal(TermId x, TermId y) {
  if (x == y) return true;
  const BvTerm p = terms_[x];
  const BvTerm q = terms_[y];
  if (p.width != q.width) return false;
  if (p.op == BvOp::eq && q.op == BvOp::eq && p.args[1] == q.args[1] &&
      terms_.width(p.args[0]) == terms_.width(q.args[0]) && equal(p.args[0], q.args[0])) {
    return true;
  }
  if (p.width == 0) {
    const auto below = negative(x);
    return below && below == negative(y);
  }
  // The same bits of words that are equal as far up.
  if (p.op == BvOp::extract && q.op == BvOp::extract && p.low == q.low) {
    const unsigned end = p.low + p.width;
    return modular(p.args[0], end) == modular(q.args[0], end);
  }
  return modular(x, p.width) == modular(y, p.width);
}

}  // namespace mmaspec::rtl
