#include "hardware/rtl/cases/specialize.h"

#include <algorithm>
#include <string>

namespace mmaspec::rtl {

TermId Specializer::operator()(TermId root, Replaced replaced) {
  for (const TermId id : terms_.cone({root})) {
    if (!replaced.contains(id)) {
      const TermId made = remade(terms_, id, replaced);
      replaced.emplace(id, simplified(made));
    }
  }
  return replaced.at(root);
}

TermId Specializer::simplified(TermId term) {
  const BvTerm t = terms_[term];  // a copy, because new terms may move the existing ones
  if (t.op == BvOp::constant || t.op == BvOp::bool_constant) return term;
  const BitFacts& facts = bits_(term);
  if (facts.is_constant()) {
    return t.width == 0 ? terms_.boolean(facts.ones != 0) : terms_.constant(facts.ones, t.width);
  }
  if (t.op == BvOp::add && (bits_(t.args[0]).maybe & bits_(t.args[1]).maybe) == 0) {
    return joined_sum(t.args[0], t.args[1]);
  }
  return term;
}

void Specializer::add_slice(Slices& all, const Slice& slice) {
  if (!all.empty() && all.back().is_constant == slice.is_constant) {
    Slice& before = all.back();
    if (slice.is_constant) {
      before.value |= slice.value << before.width;
      before.width += slice.width;
      return;
    }
    if (before.term == slice.term && before.low + before.width == slice.low) {
      before.width += slice.width;
      return;
    }
  }
  all.push_back(slice);
}

/// Runs of known bits become constants.
void Specializer::add_slices(Slices& all, TermId term, unsigned low, unsigned width) {
  const BitFacts facts = bits_(term);
  const Integer open = facts.ones ^ facts.maybe;
  for (unsigned from = low; from < low + width;) {
    const bool is_open = bit_test(open, from);
    unsigned to = from + 1;
    while (to < low + width && bit_test(open, to) == is_open) ++to;
    if (is_open) {
      add_parts(all, term, from, to - from);
    } else {
      add_slice(all, {true, 0, 0, to - from, (facts.ones >> from) & (power_of_two(to - from) - 1)});
    }
    from = to;
  }
}

void Specializer::add_parts(Slices& all, TermId term, unsigned low, unsigned width) {
  const BvTerm t = terms_[term];
  switch (t.op) {
    case BvOp::concat: {
      const unsigned split = terms_.width(t.args[1]);
      if (low < split) add_slices(all, t.args[1], low, std::min(width, split - low));
      if (low + width > split) {
        const unsigned from = std::max(low, split);
        add_slices(all, t.args[0], from - split, low + width - from);
      }
      return;
    }
    case BvOp::extract:
      return add_slices(all, t.args[0], low + t.low, width);
    case BvOp::zero_extend:
    case BvOp::sign_extend:
      if (low + width <= terms_.width(t.args[0])) return add_slices(all, t.args[0], low, width);
      break;
    default:
      break;
  }
  add_slice(all, {false, term, low, width, 0});
}

TermId Specializer::joined(const Slices& slices) {
  std::optional<TermId> all;
  for (const Slice& s : slices) {
    const TermId part = s.is_constant ? terms_.constant(s.value, s.width)
                                      : terms_.extract(s.term, s.low + s.width - 1, s.low);
    all = all ? terms_.concat(part, *all) : part;
  }
  return *all;
}

TermId Specializer::canonical(TermId word) {
  if (terms_.width(word) == 0) return word;
  Slices all;
  add_slices(all, word, 0, terms_.width(word));
  return joined(all);
}

/// x + y, where no bit can be 1 in both.
TermId Specializer::joined_sum(TermId x, TermId y) {
  const unsigned width = terms_.width(x);
  const Integer of_x = bits_(x).maybe;
  Slices all;
  for (unsigned from = 0; from < width;) {
    const bool is_of_x = bit_test(of_x, from);
    unsigned to = from + 1;
    while (to < width && bit_test(of_x, to) == is_of_x) ++to;
    add_slices(all, is_of_x ? x : y, from, to - from);
    from = to;
  }
  return joined(all);
}

TermId Specializer::without_products(TermId root) {
  Replaced replaced;
  for (const TermId id : terms_.cone({root})) {
    TermId made = simplified(remade(terms_, id, replaced));
    if (terms_[made].op == BvOp::mul) made = fresh_product(made);
    replaced.emplace(id, made);
  }
  return replaced.at(root);
}

TermId Specializer::fresh_product(TermId product) {
  const BvTerm t = terms_[product];
  const auto is_constant = [&](TermId x) { return terms_[x].op == BvOp::constant; };
  if (is_constant(t.args[0]) || is_constant(t.args[1])) return product;
  unsigned shift = 0;
  std::vector<TermId> factors;
  for (const TermId x : t.args) {
    const Integer maybe = bits_(x).maybe;
    const auto zeros = static_cast<unsigned>(lsb(maybe));
    const auto top = static_cast<unsigned>(msb(maybe));
    Slices slices;
    add_slices(slices, x, zeros, top - zeros + 1);
    factors.push_back(joined(slices));
    shift += zeros;
  }
  std::sort(factors.begin(), factors.end());
  const unsigned width = terms_.width(factors[0]) + terms_.width(factors[1]);
  const auto [known, is_new] = variables_.try_emplace({factors[0], factors[1]}, 0);
  if (is_new) {
    const TermId variable = terms_.variable(
        "product of " + std::to_string(factors[0]) + " and " + std::to_string(factors[1]), width);
    known->second = variable;
    products_.push_back({variable, bits_(factors[0]).ones * bits_(factors[1]).ones,
                         bits_(factors[0]).maybe * bits_(factors[1]).maybe});
  }
  const TermId fresh = known->second;
  const TermId resized = width < t.width   ? terms_.zero_extend(fresh, t.width)
                         : width > t.width ? terms_.extract(fresh, t.width - 1, 0)
                                           : fresh;
  return terms_.shift_left(resized, shift);
}

}  // namespace mmaspec::rtl
