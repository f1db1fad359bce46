// Words of gates for the operations of a goal. Soundness of each case: if the operands' words have
// the operands' values, and the node's value is in its range, the word has the node's value. All
// arithmetic is modulo 2^width, and the width of the range is sufficient to distinguish its
// numbers.

#include "proof/kernel/words.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "proof/kernel/ranges.h"

namespace mmaspec::kernel {

using boost::multiprecision::bit_test;

bool Words::asks_for_zero_product(const Node& node) const {
  if (node.op != Op::equal || graph_.nodes[node.args[0]].op != Op::product) return false;
  const Node& other = graph_.nodes[node.args[1]];
  return other.op == Op::constant && other.value == 0;
}

std::vector<NodeId> Words::parts(NodeId id) const {
  const Node& node = graph_.nodes[id];
  if (free_[id]) return {};
  if (by_[id]) return {*by_[id]};
  // Whether a product is zero depends only on its factors.
  if (asks_for_zero_product(node)) return graph_.nodes[node.args[0]].args;
  if (node.op != Op::sum) return node.args;
  std::vector<NodeId> all;
  for (const NodeId term : node.args) {
    if (is_conditional(term)) {
      const std::vector<NodeId>& signed_term = graph_.nodes[term].args;
      all.insert(all.end(), signed_term.begin(), signed_term.end());
    } else {
      all.push_back(term);
    }
  }
  return all;
}

bool Words::make(const std::vector<NodeId>& roots) {
  std::set<NodeId> wanted(roots.begin(), roots.end());
  std::vector<NodeId> pending(wanted.begin(), wanted.end());
  std::vector<std::size_t> waits_for(graph_.nodes.size());  // number of parts without a word
  std::vector<std::vector<NodeId>> used_by(graph_.nodes.size());
  std::set<NodeId> ready;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    const std::vector<NodeId> all = parts(id);
    waits_for[id] = all.size();
    if (all.empty()) ready.insert(id);
    for (const NodeId part : all) {
      used_by[part].push_back(id);
      if (wanted.insert(part).second) pending.push_back(part);
    }
  }
  std::size_t made = 0;
  for (; !ready.empty(); ++made) {
    const NodeId id = *ready.begin();
    ready.erase(ready.begin());
    words_[id] = word_of(id);
    for (const NodeId user : used_by[id]) {
      if (--waits_for[user] == 0) ready.insert(user);
    }
  }
  return made == wanted.size();
}

Words::Word Words::resized(const Word& word, bool is_signed, std::size_t width) {
  Word out = word;
  out.resize(width, is_signed ? word.back() : Circuit::kFalse);
  return out;
}

Words::Word Words::constant(const Integer& value, std::size_t width) {
  Word out;
  // The bits of a negative number are the complement of those of -x - 1.
  const Integer bits = value < 0 ? Integer(-value - 1) : value;
  for (std::size_t i = 0; i < width; ++i) {
    const bool bit = bit_test(bits, static_cast<unsigned>(i)) != (value < 0);
    out.push_back(bit ? Circuit::kTrue : Circuit::kFalse);
  }
  return out;
}

/// Any number of the range, and no other.
Words::Word Words::fresh(const Range& range) {
  const unsigned width = width_of(range);
  if (range.is_point()) return constant(range.low, width);
  Word out;
  for (unsigned i = 0; i < width; ++i) out.push_back(circuit_.input());
  const bool is_signed = range.low < 0;
  circuit_.assert_true(-less(out, constant(range.low, width), is_signed));
  circuit_.assert_true(-less(constant(range.high, width), out, is_signed));
  return out;
}

Words::Word Words::sum(const Word& x, const Word& y) {
  Word out;
  CnfLiteral carry = Circuit::kFalse;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.push_back(circuit_.parity(circuit_.parity(x[i], y[i]), carry));
    if (i + 1 < x.size()) carry = circuit_.majority(x[i], y[i], carry);
  }
  return out;
}

/// Adds neighbours in a balanced tree.
Words::Word Words::total(std::vector<Word> terms, std::size_t width) {
  if (terms.empty()) return constant(0, width);
  while (terms.size() > 1) {
    std::vector<Word> sums;
    for (std::size_t i = 0; i < terms.size(); i += 2) {
      sums.push_back(i + 1 < terms.size() ? sum(terms[i], terms[i + 1]) : terms[i]);
    }
    terms = std::move(sums);
  }
  return terms[0];
}

/// factor >= 0.
Words::Word Words::times(const Word& x, const Integer& factor) {
  std::vector<Word> rows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!bit_test(factor, static_cast<unsigned>(i))) continue;
    Word row(i, Circuit::kFalse);
    row.insert(row.end(), x.begin(), x.end() - static_cast<std::ptrdiff_t>(i));
    rows.push_back(std::move(row));
  }
  return total(std::move(rows), x.size());
}

/// Adds, for each set bit i of x, y shifted left by i.
Words::Word Words::product(const Word& x, const Word& y) {
  Word out(x.size(), Circuit::kFalse);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == Circuit::kFalse) continue;
    Word row(x.size(), Circuit::kFalse);
    for (std::size_t j = 0; i + j < x.size(); ++j) row[i + j] = circuit_.conjunction(x[i], y[j]);
    out = sum(out, row);
  }
  return out;
}

Words::Word Words::each(const Word& x, CnfLiteral y,
                        CnfLiteral (Circuit::*gate)(CnfLiteral, CnfLiteral)) {
  Word out;
  for (const CnfLiteral bit : x) out.push_back((circuit_.*gate)(bit, y));
  return out;
}

Words::Word Words::choice(CnfLiteral condition, const Word& yes, const Word& no) {
  Word out;
  for (std::size_t i = 0; i < yes.size(); ++i) {
    out.push_back(circuit_.choice(condition, yes[i], no[i]));
  }
  return out;
}

/// -x = ~x + 1.
Words::Word Words::negated_if(CnfLiteral sign, const Word& x) {
  return sum(each(x, sign, &Circuit::parity), resized({sign}, false, x.size()));
}

CnfLiteral Words::any(const Word& x) {
  Word none;
  for (const CnfLiteral bit : x) none.push_back(-bit);
  return -circuit_.conjunction(std::move(none));
}

CnfLiteral Words::less(Word x, Word y, bool is_signed) {
  if (is_signed) std::swap(x.back(), y.back());  // a set sign bit means less
  CnfLiteral lower = Circuit::kFalse;            // for the lower bits
  for (std::size_t i = 0; i < x.size(); ++i) lower = circuit_.majority(-x[i], y[i], lower);
  return lower;
}

CnfLiteral Words::less(NodeId x, NodeId y) {
  const Range both = hull(ranges_[x], ranges_[y]);
  const unsigned width = width_of(both);
  return less(word(x, width), word(y, width), both.low < 0);
}

CnfLiteral Words::equal(NodeId x, NodeId y) {
  const unsigned width = width_of(hull(ranges_[x], ranges_[y]));
  const Word left = word(x, width);
  const Word right = word(y, width);
  Word same;
  for (unsigned i = 0; i < width; ++i) same.push_back(-circuit_.parity(left[i], right[i]));
  return circuit_.conjunction(std::move(same));
}

CnfLiteral Words::some_factor_is_zero(const Node& product) {
  Word nonzero;
  for (const NodeId factor : product.args) nonzero.push_back(any(words_[factor]));
  return -circuit_.conjunction(std::move(nonzero));
}

/// A term that is subtracted, or negated depending on a sign, is added as its complement. The ones
/// that two's complement adds are collected: fixed ones in the constant, the signs in a separate
/// sum.
Words::Word Words::sum_of(const Node& node, std::size_t width) {
  Integer constant_term = node.value;
  std::vector<Word> terms;
  std::vector<Word> signs;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const NodeId id = node.args[i];
    const bool is_negative = node.coefficients[i] < 0;
    const Integer factor = is_negative ? Integer(-node.coefficients[i]) : node.coefficients[i];
    const std::vector<NodeId>& args = graph_.nodes[id].args;
    Word x = times(word(is_conditional(id) ? args[1] : id, width), factor);
    if (is_conditional(id)) {
      // For coefficient -1: -x = ~x + 1, so both signs flip.
      const CnfLiteral sign = is_negative ? -literal(args[0]) : literal(args[0]);
      x = each(x, sign, &Circuit::parity);
      signs.push_back({sign});
    } else if (is_negative) {
      x = each(x, Circuit::kTrue, &Circuit::parity);
      ++constant_term;
    }
    terms.push_back(std::move(x));
  }
  // Their sum grows by one bit in each level.
  while (signs.size() > 1) {
    std::vector<Word> sums;
    const std::size_t bits = signs[0].size() + 1;
    for (std::size_t i = 0; i < signs.size(); i += 2) {
      const Word left = resized(signs[i], false, bits);
      sums.push_back(i + 1 < signs.size() ? sum(left, resized(signs[i + 1], false, bits)) : left);
    }
    signs = std::move(sums);
  }
  if (!signs.empty()) terms.push_back(resized(signs[0], false, width));
  if (constant_term != 0) terms.push_back(constant(constant_term, width));
  return total(std::move(terms), width);
}

/// Only the lowest bits of an amount matter: those with a weight less than the word's size. If any
/// other bit is set, the whole word is shifted out.
Words::Word Words::shifted_left(const Word& x, const Word& amount) {
  Word out = x;
  std::size_t i = 0;
  for (; i < amount.size() && (std::size_t{1} << i) < x.size(); ++i) {
    const std::size_t places = std::size_t{1} << i;
    Word moved(places, Circuit::kFalse);
    moved.insert(moved.end(), out.begin(), out.end() - static_cast<std::ptrdiff_t>(places));
    out = choice(amount[i], moved, out);
  }
  const CnfLiteral beyond = any({amount.begin() + static_cast<std::ptrdiff_t>(i), amount.end()});
  return choice(beyond, Word(x.size(), Circuit::kFalse), out);
}

Words::Word Words::shifted_right(const Word& x, bool is_signed, const Word& amount) {
  const CnfLiteral fill = is_signed ? x.back() : Circuit::kFalse;
  Word out = x;
  std::size_t i = 0;
  for (; i < amount.size() && (std::size_t{1} << i) < x.size(); ++i) {
    const std::size_t places = std::size_t{1} << i;
    Word moved(out.begin() + static_cast<std::ptrdiff_t>(places), out.end());
    moved.resize(x.size(), fill);
    out = choice(amount[i], moved, out);
  }
  const CnfLiteral beyond = any({amount.begin() + static_cast<std::ptrdiff_t>(i), amount.end()});
  return choice(beyond, Word(x.size(), fill), out);
}

/// The length of a word of 2^j - 1 bits has j bits: the highest says whether any of the upper
/// 2^(j-1) bits is set; the lower ones are the length of the upper bits without the lowest of them,
/// or of the lower bits.
Words::Word Words::length_of(const Word& x) {
  std::size_t digits = 1;
  while ((std::size_t{1} << digits) - 1 < x.size()) ++digits;
  Word rest = resized(x, false, (std::size_t{1} << digits) - 1);
  Word length(digits);
  for (std::size_t j = digits; j-- > 0;) {
    const auto half = static_cast<std::ptrdiff_t>(std::size_t{1} << j);
    const Word upper(rest.begin() + half - 1, rest.end());
    length[j] = any(upper);
    if (j == 0) break;
    rest = choice(length[j], {upper.begin() + 1, upper.end()},
                  {rest.begin(), rest.begin() + half - 1});
  }
  return length;
}

/// Compares members in one word width that holds all of them.
Words::Word Words::extremum_of(const Node& node, std::size_t width) {
  Range all = ranges_[node.args[0]];
  for (const NodeId id : node.args) all = hull(all, ranges_[id]);
  const bool is_signed = all.low < 0;
  std::vector<Word> left;
  for (const NodeId id : node.args) left.push_back(word(id, width_of(all)));
  while (left.size() > 1) {
    std::vector<Word> winners;
    for (std::size_t i = 0; i < left.size(); i += 2) {
      if (i + 1 == left.size()) {
        winners.push_back(left[i]);
        continue;
      }
      const CnfLiteral first_is_less = less(left[i], left[i + 1], is_signed);
      winners.push_back(node.op == Op::minimum ? choice(first_is_less, left[i], left[i + 1])
                                               : choice(first_is_less, left[i + 1], left[i]));
    }
    left = std::move(winners);
  }
  return resized(left[0], is_signed, width);
}

Words::Word Words::word_of(NodeId id) {
  const Node& node = graph_.nodes[id];
  const Range& range = ranges_[id];
  const std::size_t width = width_of(range);
  if (free_[id]) return fresh(range);
  // The equal node's value is in this node's range too, which the width distinguishes.
  if (by_[id]) return word(*by_[id], width);
  const auto arg = [&](std::size_t i) -> const Word& { return words_[node.args[i]]; };
  switch (node.op) {
    case Op::constant:
    case Op::boolean:
      return constant(node.value, width);
    case Op::input: {
      Word out;
      for (std::size_t i = 0; i < width; ++i) out.push_back(circuit_.input());
      return out;
    }
    case Op::sum:
      return sum_of(node, width);
    case Op::product: {
      Word out = word(node.args[0], width);
      for (std::size_t i = 1; i < node.args.size(); ++i) {
        out = product(out, word(node.args[i], width));
      }
      return out;
    }
    case Op::absolute: {
      if (!is_signed(node.args[0])) return resized(arg(0), false, width);
      return resized(negated_if(arg(0).back(), arg(0)), false, width);
    }
    case Op::negate_if:
      return negated_if(literal(node.args[0]), word(node.args[1], width));
    case Op::select:
      return choice(literal(node.args[0]), word(node.args[1], width), word(node.args[2], width));
    case Op::minimum:
    case Op::maximum:
      return extremum_of(node, width);
    case Op::shift_left:
      return shifted_left(word(node.args[0], width), arg(1));
    case Op::floor_shift_right: {
      const bool is_negative = is_signed(node.args[0]);
      return resized(shifted_right(arg(0), is_negative, arg(1)), is_negative, width);
    }
    case Op::bits: {
      Word out = resized(arg(0), false, std::size_t{node.low} + node.width);
      out.erase(out.begin(), out.begin() + node.low);
      return resized(out, false, width);
    }
    case Op::bit_length:
      return resized(length_of(arg(0)), false, width);
    case Op::claim:
      return word(node.args[0], width);
    case Op::less:
      return {less(node.args[0], node.args[1])};
    case Op::equal:
      return {asks_for_zero_product(node) ? some_factor_is_zero(graph_.nodes[node.args[0]])
                                          : equal(node.args[0], node.args[1])};
    case Op::logical_not:
      return {-arg(0)[0]};
    case Op::logical_and: {
      Word all;
      for (const NodeId a : node.args) all.push_back(literal(a));
      return {circuit_.conjunction(std::move(all))};
    }
    case Op::logical_xor: {
      CnfLiteral odd = literal(node.args[0]);
      for (std::size_t i = 1; i < node.args.size(); ++i) {
        odd = circuit_.parity(odd, literal(node.args[i]));
      }
      return {odd};
    }
  }
  throw std::logic_error("no such operation");
}

}  // namespace mmaspec::kernel
