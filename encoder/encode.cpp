#include "encoder/encode.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec {
namespace {

/// One level of a balanced tree: combines neighbours; a last term without neighbour is unchanged.
template <typename Combine>
std::vector<TermId> pairwise(const std::vector<TermId>& terms, const Combine& combine) {
  std::vector<TermId> combined;
  for (std::size_t i = 0; i < terms.size(); i += 2) {
    combined.push_back(i + 1 < terms.size() ? combine(terms[i], terms[i + 1]) : terms[i]);
  }
  return combined;
}

}  // namespace

unsigned width_of(const Range& range) {
  if (range.low >= 0) return std::max(bit_length(range.high), 1U);
  const unsigned negative = bit_length(Integer(-range.low - 1));
  const unsigned positive = range.high > 0 ? bit_length(range.high) : 0U;
  return std::max(negative, positive) + 1;
}

TermId Encoder::resized(TermId term, bool is_signed, unsigned width) {
  const unsigned w = terms_.width(term);
  if (width < w) return terms_.extract(term, width - 1, 0);
  return is_signed ? terms_.sign_extend(term, width) : terms_.zero_extend(term, width);
}

TermId Encoder::boolean(NodeId id) {
  encode_cone(id);
  return *encoded_[id];
}

TermId Encoder::word(NodeId id) {
  encode_cone(id);
  return *encoded_[id];
}

TermId Encoder::word(NodeId id, unsigned width) { return resized(word(id), is_signed(id), width); }

void Encoder::encode_cone(NodeId root) {
  encoded_.resize(graph_.size());
  if (encoded_[root]) return;
  for (NodeId id : graph_.cone({root})) {
    if (!encoded_[id]) encoded_[id] = encode(id);
  }
}

TermId Encoder::negated_if(TermId sign, TermId x) {
  const unsigned w = terms_.width(x);
  const TermId bit = terms_.to_bit(sign);
  return terms_.add(terms_.bv_xor(x, terms_.sign_extend(bit, w)), terms_.zero_extend(bit, w));
}

TermId Encoder::product_with(TermId x, const Integer& factor) {
  const unsigned w = terms_.width(x);
  const unsigned shift = trailing_zeros(factor);
  const Integer odd = factor >> shift;
  const TermId y = odd == 1 ? x : terms_.mul(x, terms_.constant(odd, w));
  return terms_.shift_left(y, shift);
}

// A sum of numbers with disjoint bits, such as a word composed of fields, does not need an adder. A
// field that is subtracted from all ones is its complement: -x = ~x - (2^m - 1) in m bits.
std::optional<TermId> Encoder::encode_fields(const Node& node) {
  struct Field {
    unsigned low;
    unsigned width;
    NodeId x;
    bool complement;
  };
  if (node.range.low < 0 || node.args.size() < 2) return std::nullopt;
  Integer constant = node.value;
  std::vector<Field> fields;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Integer& c = node.coefficients[i];
    if (!is_power_of_two(c) || is_signed(node.args[i])) return std::nullopt;
    const Integer magnitude = c < 0 ? Integer(-c) : c;
    const unsigned width = width_of(graph_[node.args[i]].range);
    fields.push_back({trailing_zeros(magnitude), width, node.args[i], c < 0});
    if (c < 0) constant -= magnitude * (power_of_two(width) - 1);
  }
  if (constant < 0) return std::nullopt;
  std::sort(fields.begin(), fields.end(),
            [](const Field& x, const Field& y) { return x.low < y.low; });
  unsigned end = 0;
  std::optional<TermId> word;
  const auto put = [&](TermId part) {
    word = word ? terms_.concat(part, *word) : part;
    end += terms_.width(part);
  };
  const auto put_constant = [&](unsigned to) {
    if (to > end) put(terms_.constant(constant >> end, to - end));
  };
  for (const Field& f : fields) {
    if (f.low < end || ((constant >> f.low) & (power_of_two(f.width) - 1)) != 0) {
      return std::nullopt;
    }
    put_constant(f.low);
    const TermId x = this->word(f.x);
    put(f.complement ? terms_.bv_not(x) : x);
  }
  put_constant(bit_length(constant));
  return resized(*word, false, width_of(node.range));
}

// A term that is subtracted, or negated depending on a sign, is added as its complement. The ones
// that two's complement adds are collected: fixed ones in the constant, the signs in a separate
// small sum. A sum of n terms then needs n adders, for all signs.
TermId Encoder::encode_sum(const Node& node) {
  if (const auto fields = encode_fields(node)) return *fields;
  const unsigned w = width_of(node.range);
  Integer constant = node.value;
  std::vector<TermId> addends;
  std::vector<TermId> signs;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Integer& coefficient = node.coefficients[i];
    const Integer factor = coefficient < 0 ? Integer(-coefficient) : coefficient;
    const Node& arg = graph_[node.args[i]];
    const bool conditional = arg.op == Op::negate_if;
    const NodeId magnitude = conditional ? arg.args[1] : node.args[i];
    TermId x = product_with(word(magnitude, w), factor);
    if (conditional) {
      // For coefficient -1: -x = ~x + 1, so both signs flip.
      TermId sign = boolean(arg.args[0]);
      if (coefficient < 0) sign = terms_.bool_not(sign);
      const TermId bit = terms_.to_bit(sign);
      x = terms_.bv_xor(x, terms_.sign_extend(bit, w));
      signs.push_back(bit);
    } else if (coefficient < 0) {
      x = terms_.bv_not(x);
      ++constant;
    }
    addends.push_back(x);
  }
  // Their sum grows by one bit in each level.
  for (unsigned width = 2; signs.size() > 1; ++width) {
    signs = pairwise(signs, [&](TermId x, TermId y) {
      return terms_.add(terms_.zero_extend(x, width), terms_.zero_extend(y, width));
    });
  }
  if (!signs.empty()) addends.push_back(resized(signs[0], false, w));
  if (constant != 0) addends.push_back(terms_.constant(constant, w));
  while (addends.size() > 1) {
    addends = pairwise(addends, [&](TermId x, TermId y) { return terms_.add(x, y); });
  }
  return addends.empty() ? terms_.constant(0, w) : addends[0];
}

std::pair<std::vector<TermId>, TermId> Encoder::amount_bits(TermId amount, unsigned width) {
  std::vector<TermId> low;
  unsigned i = 0;
  for (; i < terms_.width(amount) && (1ULL << i) < width; ++i) {
    low.push_back(terms_.from_bit(terms_.extract(amount, i, i)));
  }
  TermId beyond = terms_.boolean(false);
  if (i < terms_.width(amount)) {
    const TermId rest = terms_.extract(amount, terms_.width(amount) - 1, i);
    beyond = terms_.bool_not(terms_.eq(rest, terms_.constant(0, terms_.width(rest))));
  }
  return {low, beyond};
}

bool Encoder::is_product_zero(const Node& equal) const {
  const Node& y = graph_[equal.args[1]];
  return graph_[equal.args[0]].op == Op::product && y.op == Op::constant && y.value == 0;
}

// Decides whether a product is zero without a multiplier.
TermId Encoder::some_factor_is_zero(const Node& product) {
  TermId any = terms_.boolean(false);
  for (NodeId a : product.args) {
    const TermId x = word(a);
    any = terms_.bool_or(any, terms_.eq(x, terms_.constant(0, terms_.width(x))));
  }
  return any;
}

TermId Encoder::encode_shift_left(const Node& node) {
  const unsigned w = width_of(node.range);
  TermId x = word(node.args[0], w);
  const auto [low, beyond] = amount_bits(word(node.args[1]), w);
  for (std::size_t i = low.size(); i-- > 0;) {
    x = terms_.ite(low[i], terms_.shift_left(x, 1U << i), x);
  }
  return terms_.ite(beyond, terms_.constant(0, w), x);
}

TermId Encoder::encode_shift_right(const Node& node) {
  const NodeId shifted = node.args[0];
  const NodeId amount = node.args[1];
  const bool arithmetic = is_signed(shifted);
  const unsigned w = width_of(graph_[shifted].range);
  TermId x = word(shifted);
  TermId n = word(amount);
  // The part by which every amount shifts is a selection of bits instead of a shifter.
  const Range& range = graph_[amount].range;
  const Integer least = std::min(range.low, Integer(w));
  if (least > 0 && width_of({0, range.high - least}) < width_of(range)) {
    const auto k = least.convert_to<unsigned>();
    n = terms_.extract(terms_.add(n, terms_.constant(-least, terms_.width(n))),
                       width_of({0, range.high - least}) - 1, 0);
    const TermId kept = k < w        ? terms_.extract(x, w - 1, k)
                        : arithmetic ? terms_.extract(x, w - 1, w - 1)
                                     : terms_.constant(0, 1);
    x = resized(kept, arithmetic, w);
  }
  const auto shifted_by = [&](TermId y, unsigned k) {
    return resized(terms_.extract(y, w - 1, k), arithmetic, w);
  };
  const auto [low, beyond] = amount_bits(n, w);
  for (std::size_t i = low.size(); i-- > 0;) {
    x = terms_.ite(low[i], shifted_by(x, 1U << i), x);
  }
  const TermId nothing =
      arithmetic ? terms_.sign_extend(terms_.extract(x, w - 1, w - 1), w) : terms_.constant(0, w);
  const TermId result = resized(terms_.ite(beyond, nothing, x), arithmetic, width_of(node.range));
  if (!arithmetic) shifts_.push_back({result, word(shifted), word(amount)});
  return result;
}

// The length of a word of 2^j - 1 bits has j bits: the highest says whether any of the upper
// 2^(j-1) bits is set; the lower ones are the length of the upper bits without the lowest of them,
// or of the lower bits.
TermId Encoder::encode_bit_length(const Node& node) {
  const NodeId arg = node.args[0];
  unsigned digits = 1;
  while ((1ULL << digits) - 1 < width_of(graph_[arg].range)) ++digits;
  TermId x = terms_.zero_extend(word(arg), (1U << digits) - 1);
  std::vector<TermId> length;  // highest first
  for (unsigned j = digits; j-- > 0;) {
    const unsigned half = 1U << j;
    const TermId upper = terms_.extract(x, 2 * half - 2, half - 1);
    const TermId any = terms_.bool_not(terms_.eq(upper, terms_.constant(0, terms_.width(upper))));
    length.push_back(terms_.to_bit(any));
    if (j == 0) break;
    x = terms_.ite(any, terms_.extract(upper, half - 1, 1), terms_.extract(x, half - 2, 0));
  }
  TermId result = length[0];
  for (std::size_t i = 1; i < length.size(); ++i) result = terms_.concat(result, length[i]);
  return resized(result, false, width_of(node.range));
}

TermId Encoder::encode_extremum(const Node& node) {
  // Compares members in one word width that holds all of them.
  Range all = graph_[node.args[0]].range;
  for (NodeId id : node.args) all = hull(all, graph_[id].range);
  const bool is_signed = all.low < 0;
  const unsigned w = width_of(all);
  std::vector<TermId> left;
  for (NodeId id : node.args) left.push_back(word(id, w));
  while (left.size() > 1) {
    left = pairwise(left, [&](TermId x, TermId y) {
      const TermId less = is_signed ? terms_.slt(x, y) : terms_.ult(x, y);
      return node.op == Op::minimum ? terms_.ite(less, x, y) : terms_.ite(less, y, x);
    });
  }
  return resized(left[0], is_signed, width_of(node.range));
}

TermId Encoder::compare(BvOp op, NodeId x, NodeId y) {
  const Range all = hull(graph_[x].range, graph_[y].range);
  if (op == BvOp::slt && graph_[y].range == Range{0, 0} && is_signed(x)) {
    const TermId t = word(x);
    return terms_.from_bit(terms_.extract(t, terms_.width(t) - 1, terms_.width(t) - 1));
  }
  const unsigned w = width_of(all);
  const TermId tx = word(x, w);
  const TermId ty = word(y, w);
  if (op == BvOp::eq) return terms_.eq(tx, ty);
  return all.low < 0 ? terms_.slt(tx, ty) : terms_.ult(tx, ty);
}

TermId Encoder::encode(NodeId id) {
  const Node& node = graph_[id];
  const unsigned w = is_boolean(node.op) ? 0 : width_of(node.range);
  const auto condition = [&](std::size_t i) { return boolean(node.args[i]); };
  switch (node.op) {
    case Op::constant:
      return terms_.constant(node.value, w);
    case Op::input:
      return terms_.variable(graph_.input_name(id), node.width);
    case Op::sum:
      return encode_sum(node);
    case Op::product: {
      TermId x = word(node.args[0], w);
      for (std::size_t i = 1; i < node.args.size(); ++i) x = terms_.mul(x, word(node.args[i], w));
      return x;
    }
    case Op::absolute: {
      const TermId x = word(node.args[0]);
      const TermId sign =
          terms_.from_bit(terms_.extract(x, terms_.width(x) - 1, terms_.width(x) - 1));
      return resized(negated_if(sign, x), false, w);
    }
    case Op::negate_if:
      return negated_if(condition(0), word(node.args[1], w));
    case Op::select:
      return terms_.ite(condition(0), word(node.args[1], w), word(node.args[2], w));
    case Op::minimum:
    case Op::maximum:
      return encode_extremum(node);
    case Op::shift_left:
      return encode_shift_left(node);
    case Op::floor_shift_right:
      return encode_shift_right(node);
    case Op::bits:
      // bits() builds such a node only if the word extends beyond the field.
      return terms_.extract(word(node.args[0]), node.low + node.width - 1, node.low);
    case Op::bit_length:
      return encode_bit_length(node);
    case Op::claim:
      return word(node.args[0], w);
    case Op::boolean:
      return terms_.boolean(node.value != 0);
    case Op::less:
      return compare(BvOp::slt, node.args[0], node.args[1]);
    case Op::equal:
      return is_product_zero(node) ? some_factor_is_zero(graph_[node.args[0]])
                                   : compare(BvOp::eq, node.args[0], node.args[1]);
    case Op::logical_not:
      return terms_.bool_not(condition(0));
    case Op::logical_and: {
      std::vector<TermId> parts;
      for (NodeId a : node.args) parts.push_back(boolean(a));
      return terms_.bool_and(std::move(parts));
    }
    case Op::logical_xor: {
      TermId x = condition(0);
      for (std::size_t i = 1; i < node.args.size(); ++i) x = terms_.bool_xor(x, condition(i));
      return x;
    }
  }
  throw std::logic_error("no such operation");
}

TermId Encoder::violation(NodeId claim) {
  const Node& node = graph_[claim];
  const NodeId arg = node.args[0];
  const Range all = hull(graph_[arg].range, node.range);
  const unsigned w = width_of(all);
  const TermId x = word(arg, w);
  const auto less = [&](TermId p, TermId q) {
    return all.low < 0 ? terms_.slt(p, q) : terms_.ult(p, q);
  };
  return terms_.bool_or(less(x, terms_.constant(node.range.low, w)),
                        less(terms_.constant(node.range.high, w), x));
}

WidthStatistics width_statistics(const Graph& graph, const std::vector<NodeId>& roots) {
  WidthStatistics s;
  for (NodeId id : graph.cone(roots)) {
    const unsigned w = is_boolean(graph[id].op) ? 1 : width_of(graph[id].range);
    ++s.nodes;
    s.widest = std::max(s.widest, w);
    s.bits += w;
  }
  return s;
}

}  // namespace mmaspec
