#include "encoder/bitvector.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace mmaspec {
namespace {

constexpr std::array<std::string_view, 21> kNames = {
    "",      "",      "",      "not",    "and",     "or",          "xor",
    "=",     "bvult", "bvslt", "ite",    "bvnot",   "bvand",       "bvor",
    "bvxor", "bvadd", "bvmul", "concat", "extract", "zero_extend", "sign_extend"};

std::size_t hash(const BvTerm& t) {
  std::size_t h = static_cast<std::size_t>(t.op) * 31 + t.width;
  const auto mix = [&h](std::size_t x) { h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2); };
  for (TermId a : t.args) mix(a);
  mix(boost::multiprecision::hash_value(t.value));
  mix(t.low);
  mix(std::hash<std::string>{}(t.name));
  return h;
}

bool same(const BvTerm& x, const BvTerm& y) {
  return x.op == y.op && x.width == y.width && x.low == y.low && x.args == y.args &&
         x.value == y.value && x.name == y.name;
}

Integer modulo(const Integer& x, unsigned width) {
  const Integer modulus = power_of_two(width);
  const Integer r = x % modulus;
  return r < 0 ? Integer(r + modulus) : r;
}

/// The value of a two's-complement pattern.
Integer as_signed(const Integer& x, unsigned width) {
  return x >= power_of_two(width - 1) ? Integer(x - power_of_two(width)) : x;
}

}  // namespace

std::string_view smtlib_name(BvOp op) { return kNames.at(static_cast<std::size_t>(op)); }

TermId BvTerms::make(BvTerm term) {
  const std::size_t h = hash(term);
  if (const auto known = unique_.find(h, [&](TermId id) { return same(terms_[id], term); })) {
    return *known;
  }
  const auto id = static_cast<TermId>(terms_.size());
  terms_.push_back(std::move(term));
  unique_.add(h, id);
  return id;
}

TermId BvTerms::boolean(bool value) { return make({BvOp::bool_constant, 0, {}, value ? 1 : 0}); }

TermId BvTerms::constant(const Integer& value, unsigned width) {
  return make({BvOp::constant, width, {}, modulo(value, width)});
}

TermId BvTerms::variable(const std::string& name, unsigned width) {
  return make({BvOp::variable, width, {}, 0, 0, name});
}

TermId BvTerms::bool_not(TermId x) {
  if (is_constant(x)) return boolean(terms_[x].value == 0);
  if (terms_[x].op == BvOp::bool_not) return terms_[x].args[0];
  return make({BvOp::bool_not, 0, {x}});
}

TermId BvTerms::bool_and(std::vector<TermId> x) {
  std::erase_if(x, [&](TermId t) { return is_value(t, 1); });
  for (TermId t : x) {
    if (is_value(t, 0)) return t;
  }
  if (x.empty()) return boolean(true);
  if (x.size() == 1) return x[0];
  return make({BvOp::bool_and, 0, std::move(x)});
}

TermId BvTerms::bool_or(TermId x, TermId y) {
  if (is_constant(x)) return terms_[x].value != 0 ? x : y;
  if (is_constant(y)) return terms_[y].value != 0 ? y : x;
  return make({BvOp::bool_or, 0, {x, y}});
}

TermId BvTerms::bool_xor(TermId x, TermId y) {
  if (is_constant(x)) return terms_[x].value != 0 ? bool_not(y) : y;
  if (is_constant(y)) return terms_[y].value != 0 ? bool_not(x) : x;
  return make({BvOp::bool_xor, 0, {x, y}});
}

TermId BvTerms::eq(TermId x, TermId y) {
  if (x == y) return boolean(true);
  if (is_constant(x) && is_constant(y)) return boolean(terms_[x].value == terms_[y].value);
  return make({BvOp::eq, 0, {x, y}});
}

TermId BvTerms::ult(TermId x, TermId y) {
  if (is_constant(x) && is_constant(y)) return boolean(terms_[x].value < terms_[y].value);
  return make({BvOp::ult, 0, {x, y}});
}

TermId BvTerms::slt(TermId x, TermId y) {
  if (is_constant(x) && is_constant(y)) {
    return boolean(as_signed(terms_[x].value, width(x)) < as_signed(terms_[y].value, width(y)));
  }
  return make({BvOp::slt, 0, {x, y}});
}

TermId BvTerms::ite(TermId condition, TermId yes, TermId no) {
  if (is_constant(condition)) return terms_[condition].value != 0 ? yes : no;
  if (yes == no) return yes;
  if (terms_[condition].op == BvOp::bool_not) return ite(terms_[condition].args[0], no, yes);
  return make({BvOp::ite, width(yes), {condition, yes, no}});
}

TermId BvTerms::bv_not(TermId x) {
  if (is_constant(x)) return constant(power_of_two(width(x)) - 1 - terms_[x].value, width(x));
  return make({BvOp::bv_not, width(x), {x}});
}

TermId BvTerms::bv_xor(TermId x, TermId y) {
  if (is_value(x, 0)) return y;
  if (is_value(y, 0)) return x;
  return make({BvOp::bv_xor, width(x), {x, y}});
}

TermId BvTerms::add(TermId x, TermId y) {
  if (is_constant(x) && is_constant(y)) {
    return constant(terms_[x].value + terms_[y].value, width(x));
  }
  if (is_value(x, 0)) return y;
  if (is_value(y, 0)) return x;
  return make({BvOp::add, width(x), {x, y}});
}

TermId BvTerms::mul(TermId x, TermId y) {
  if (is_constant(x) && is_constant(y)) {
    return constant(terms_[x].value * terms_[y].value, width(x));
  }
  if (is_value(x, 1)) return y;
  if (is_value(y, 1)) return x;
  return make({BvOp::mul, width(x), {x, y}});
}

TermId BvTerms::concat(TermId high, TermId low) {
  if (is_constant(high) && is_constant(low)) {
    return constant((terms_[high].value << width(low)) + terms_[low].value,
                    width(high) + width(low));
  }
  if (is_value(high, 0)) return zero_extend(low, width(high) + width(low));
  // All ones or zero depending on the lower word's highest bit: a sign extension.
  const BvTerm& h = terms_[high];
  if (h.op == BvOp::ite && is_value(h.args[1], power_of_two(h.width) - 1) &&
      is_value(h.args[2], 0)) {
    const TermId sign = h.args[0];
    const unsigned w = h.width + width(low);
    if (from_bit(extract(low, width(low) - 1, width(low) - 1)) == sign) return sign_extend(low, w);
  }
  return make({BvOp::concat, width(high) + width(low), {high, low}});
}

TermId BvTerms::extract(TermId x, unsigned high, unsigned low) {
  if (high < low || high >= width(x)) throw std::logic_error("extract beyond the term's width");
  const unsigned w = high - low + 1;
  if (w == width(x)) return x;
  const BvTerm& t = terms_[x];
  if (t.op == BvOp::constant) return constant(t.value >> low, w);
  if (t.op == BvOp::extract) return extract(t.args[0], high + t.low, low + t.low);
  if (t.op == BvOp::zero_extend || t.op == BvOp::sign_extend) {
    const TermId inner = t.args[0];
    if (high < width(inner)) return extract(inner, high, low);
    if (low >= width(inner) && t.op == BvOp::zero_extend) return constant(0, w);
    if (low == 0) return t.op == BvOp::zero_extend ? zero_extend(inner, w) : sign_extend(inner, w);
  }
  if (t.op == BvOp::concat) {
    const unsigned split = width(t.args[1]);
    if (high < split) return extract(t.args[1], high, low);
    if (low >= split) return extract(t.args[0], high - split, low - split);
  }
  return make({BvOp::extract, w, {x}, 0, low});
}

TermId BvTerms::zero_extend(TermId x, unsigned w) {
  if (w == width(x)) return x;
  if (is_constant(x)) return constant(terms_[x].value, w);
  if (terms_[x].op == BvOp::zero_extend) return zero_extend(terms_[x].args[0], w);
  return make({BvOp::zero_extend, w, {x}});
}

TermId BvTerms::sign_extend(TermId x, unsigned w) {
  if (w == width(x)) return x;
  if (is_constant(x)) return constant(as_signed(terms_[x].value, width(x)), w);
  if (terms_[x].op == BvOp::zero_extend) return zero_extend(terms_[x].args[0], w);
  return make({BvOp::sign_extend, w, {x}});
}

TermId BvTerms::shift_left(TermId x, unsigned n) {
  if (n == 0) return x;
  const unsigned w = width(x);
  if (n >= w) return constant(0, w);
  return concat(extract(x, w - n - 1, 0), constant(0, n));
}

TermId BvTerms::to_bit(TermId condition) { return ite(condition, constant(1, 1), constant(0, 1)); }

TermId BvTerms::from_bit(TermId bit) {
  const BvTerm& t = terms_[bit];
  if (t.op == BvOp::ite && is_value(t.args[1], 1) && is_value(t.args[2], 0)) return t.args[0];
  return eq(bit, constant(1, 1));
}

std::vector<TermId> BvTerms::cone(const std::vector<TermId>& roots) const {
  std::vector<bool> wanted(terms_.size(), false);
  for (TermId r : roots) wanted[r] = true;
  std::vector<TermId> ids;
  for (TermId id = static_cast<TermId>(terms_.size()); id-- > 0;) {
    if (!wanted[id]) continue;
    ids.push_back(id);
    for (TermId a : terms_[id].args) wanted[a] = true;
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

}  // namespace mmaspec
