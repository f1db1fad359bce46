#include "queries/studies/identify/space/intervals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <unordered_map>

namespace mmaspec {
namespace {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

constexpr unsigned kWord = 62;    // largest magnitude, in bits, for machine integers
constexpr unsigned kTwice = 120;  // and for integers of twice the size

unsigned length(std::int64_t x) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(x < 0 ? -x : x)));
}
unsigned length(Int128 x) {
  const auto m = static_cast<UInt128>(x < 0 ? -x : x);
  const auto high = static_cast<std::uint64_t>(m >> 64U);
  return static_cast<unsigned>(high != 0 ? 64 + std::bit_width(high)
                                         : std::bit_width(static_cast<std::uint64_t>(m)));
}
unsigned length(const Integer& x) { return bit_length(x); }

template <typename N>
N machine(const Integer& x) {
  return x.convert_to<N>();
}
template <>
Int128 machine(const Integer& x) {
  const Integer m = boost::multiprecision::abs(x);
  const auto low = Integer(m & ~std::uint64_t{0}).convert_to<std::uint64_t>();
  const auto high = Integer(m >> 64U).convert_to<std::uint64_t>();
  const auto all = static_cast<Int128>((static_cast<UInt128>(high) << 64U) | low);
  return x < 0 ? -all : all;
}

template <typename N>
N shifted_right(const N& x, const N& amount) {
  if (amount >= 8 * static_cast<int>(sizeof(N)) - 1) return x < 0 ? -1 : 0;
  return x >> static_cast<unsigned>(amount);
}
template <>
Integer shifted_right(const Integer& x, const Integer& amount) {
  return floor_shift_right(x, amount < 100'000 ? amount.convert_to<unsigned>() : 100'000U);
}

/// The nearest 64-bit pattern: bounds may exceed all results.
template <typename N>
std::uint64_t pattern(const N& x) {
  if (x < 0) return 0;
  if (length(x) > 64) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(x);
}

/// Intermediate sums and products use the type W, which the compilation has found large enough.
template <typename N, typename W, unsigned kBits>
class Of final : public Intervals {
 public:
  Of(const Graph& graph, NodeId root, const std::vector<std::size_t>& axis_of) {
    const std::vector<NodeId> cone = graph.cone({root});
    std::unordered_map<NodeId, std::uint32_t> numbers;
    levels_.emplace_back();
    for (const NodeId id : cone) {
      const Node& n = graph[id];
      const auto number = static_cast<std::uint32_t>(code_.size());
      numbers.emplace(id, number);
      Code code{n.op,
                static_cast<std::uint32_t>(args_.size()),
                static_cast<std::uint32_t>(n.args.size()),
                static_cast<std::uint32_t>(coefficients_.size()),
                n.low,
                n.width};
      code.constant = machine<N>(n.op == Op::sum ? n.value : Integer(0));
      code.range = {machine<N>(n.range.low), machine<N>(n.range.high)};
      for (const NodeId arg : n.args) args_.push_back(numbers.at(arg));
      for (const Integer& c : n.coefficients) coefficients_.push_back(machine<N>(c));
      values_.push_back(code.range);
      masks_.push_back(n.op == Op::input ? std::uint64_t{1} << axis_of.at(n.low) : 0);
      if (!n.range.is_point()) levels_[0].push_back(number);
      code_.push_back(std::move(code));
    }
    needed_.resize(code_.size(), 0);
  }

  bool enter(std::size_t level, const std::vector<std::array<std::int64_t, 2>>& inputs) override {
    if (levels_.size() < level + 2) levels_.resize(level + 2);
    const std::vector<std::uint32_t>& before = levels_[level];
    std::vector<std::uint32_t>& open = levels_[level + 1];
    open.clear();
    looked_at_ += before.size();
    for (const std::uint32_t i : before) evaluate(i, inputs);
    const std::uint32_t root = static_cast<std::uint32_t>(code_.size()) - 1;
    if (is_point(root)) return true;
    ++stamp_;
    needed_[root] = stamp_;
    for (auto it = before.rbegin(); it != before.rend(); ++it) {
      if (needed_[*it] != stamp_) continue;
      need(*it);
      open.push_back(*it);
    }
    std::reverse(open.begin(), open.end());
    return false;
  }

  std::uint64_t low() const override { return pattern(values_.back().low); }
  std::uint64_t high() const override { return pattern(values_.back().high); }

  void count(std::size_t level, std::vector<std::uint32_t>& axes) const override {
    for (const std::uint32_t i : levels_[level + 1]) {
      for (std::uint64_t mask = masks_[i]; mask != 0; mask &= mask - 1) {
        const auto axis = static_cast<std::size_t>(std::countr_zero(mask));
        if (axis < axes.size()) ++axes[axis];
      }
    }
  }

 private:
  struct Bounds {
    N low;
    N high;
  };
  struct Code {
    Op op;
    std::uint32_t args;
    std::uint32_t count;
    std::uint32_t coefficients;
    std::uint32_t low;  ///< for bits: the lowest bit; for an input: its number
    std::uint32_t width;
    N constant = 0;
    Bounds range = {0, 0};
  };

  bool is_point(std::uint32_t i) const { return values_[i].low == values_[i].high; }

  /// Marks the nodes on which node i, which is open, may depend.
  void need(std::uint32_t i) {
    const Code& c = code_[i];
    const std::uint32_t* args = args_.data() + c.args;
    const auto mark = [&](std::uint32_t arg) {
      if (!is_point(arg)) needed_[arg] = stamp_;
    };
    if (c.op == Op::select && is_point(args[0])) {
      mark(values_[args[0]].low != 0 ? args[1] : args[2]);
      return;
    }
    for (std::uint32_t k = 0; k < c.count; ++k) {
      if (!is_beaten(c, args[k], values_[i])) mark(args[k]);
    }
  }

  /// An argument that never attains the minimum, or the maximum.
  bool is_beaten(const Code& c, std::uint32_t arg, const Bounds& result) const {
    return (c.op == Op::maximum && values_[arg].high <= result.low) ||
           (c.op == Op::minimum && values_[arg].low >= result.high);
  }

  void evaluate(std::uint32_t i, const std::vector<std::array<std::int64_t, 2>>& inputs) {
    const Code& c = code_[i];
    const std::uint32_t* args = args_.data() + c.args;
    const auto arg = [&](std::uint32_t k) -> const Bounds& { return values_[args[k]]; };
    Bounds out = c.range;
    switch (c.op) {
      case Op::constant:
      case Op::boolean:
        break;
      case Op::input:
        out = {N(inputs[c.low][0]), N(inputs[c.low][1])};
        break;
      case Op::sum:
        out = sum(c, args);
        break;
      case Op::product:
        out = product(c, args);
        break;
      case Op::absolute:
        if (arg(0).low >= 0) {
          out = arg(0);
        } else if (arg(0).high <= 0) {
          out = {-arg(0).high, -arg(0).low};
        } else {
          out = {0, std::max<N>(-arg(0).low, arg(0).high)};
        }
        break;
      case Op::negate_if:
        if (is_point(args[0])) {
          out = arg(0).low == 0 ? arg(1) : Bounds{-arg(1).high, -arg(1).low};
        } else {
          out = {std::min<N>(arg(1).low, -arg(1).high), std::max<N>(arg(1).high, -arg(1).low)};
        }
        break;
      case Op::select:
        if (is_point(args[0])) {
          out = arg(0).low != 0 ? arg(1) : arg(2);
        } else {
          out = {std::min(arg(1).low, arg(2).low), std::max(arg(1).high, arg(2).high)};
        }
        break;
      case Op::minimum:
      case Op::maximum:
        out = arg(0);
        for (std::uint32_t k = 1; k < c.count; ++k) {
          const auto better = [&](const N& x, const N& y) {
            return c.op == Op::minimum ? std::min(x, y) : std::max(x, y);
          };
          out = {better(out.low, arg(k).low), better(out.high, arg(k).high)};
        }
        break;
      case Op::shift_left:
        out.low = shifted_left(arg(0).low, arg(0).low >= 0 ? arg(1).low : arg(1).high, c.range.low);
        out.high =
            shifted_left(arg(0).high, arg(0).high >= 0 ? arg(1).high : arg(1).low, c.range.high);
        break;
      case Op::floor_shift_right:
        out.low = shifted_right(arg(0).low, arg(0).low >= 0 ? arg(1).high : arg(1).low);
        out.high = shifted_right(arg(0).high, arg(0).high >= 0 ? arg(1).low : arg(1).high);
        break;
      case Op::bits: {
        const N above = N(c.low + c.width);
        if (shifted_right(arg(0).low, above) == shifted_right(arg(0).high, above)) {
          const auto of = [&](const N& x) {
            return N(shifted_right(x, N(c.low)) -
                     (shifted_right(x, above) << static_cast<unsigned>(c.width)));
          };
          out = {of(arg(0).low), of(arg(0).high)};
        }
        break;
      }
      case Op::bit_length:
        out = {N(length(arg(0).low)), N(length(arg(0).high))};
        break;
      case Op::claim:
        out = arg(0);
        break;
      case Op::less:
        if (arg(0).high < arg(1).low) out = {1, 1};
        if (arg(0).low >= arg(1).high) out = {0, 0};
        break;
      case Op::equal:
        if (arg(0).high < arg(1).low || arg(1).high < arg(0).low) {
          out = {0, 0};
        } else if (is_point(args[0]) && is_point(args[1])) {
          out = {1, 1};
        }
        break;
      case Op::logical_not:
        out = {1 - arg(0).high, 1 - arg(0).low};
        break;
      case Op::logical_and:
        out = {1, 1};
        for (std::uint32_t k = 0; k < c.count; ++k) {
          out = {std::min(out.low, arg(k).low), std::min(out.high, arg(k).high)};
        }
        break;
      case Op::logical_xor: {
        N odd = 0;
        bool known = true;
        for (std::uint32_t k = 0; k < c.count && known; ++k) {
          known = is_point(args[k]);
          if (arg(k).low != 0) odd = 1 - odd;
        }
        if (known) out = {odd, odd};
        break;
      }
    }
    // The node's range holds for all inputs.
    if (out.low < c.range.low) out.low = c.range.low;
    if (out.high > c.range.high) out.high = c.range.high;
    // A value that no input gives; it is kept for nodes that nothing needs.
    if (out.low > out.high) out = c.range;
    values_[i] = std::move(out);
    if (c.op != Op::input) masks_[i] = is_point(i) ? 0 : mask_of(c, args, values_[i]);
  }

  std::uint64_t mask_of(const Code& c, const std::uint32_t* args, const Bounds& result) const {
    const auto of = [&](std::uint32_t arg) { return is_point(arg) ? 0 : masks_[arg]; };
    if (c.op == Op::select && is_point(args[0])) {
      return of(values_[args[0]].low != 0 ? args[1] : args[2]);
    }
    std::uint64_t mask = 0;
    for (std::uint32_t k = 0; k < c.count; ++k) {
      if (!is_beaten(c, args[k], result)) mask |= of(args[k]);
    }
    return mask;
  }

  Bounds sum(const Code& c, const std::uint32_t* args) const {
    W low = W(c.constant);
    W high = low;
    for (std::uint32_t k = 0; k < c.count; ++k) {
      const W factor = W(coefficients_[c.coefficients + k]);
      const Bounds& x = values_[args[k]];
      low += factor * W(factor > 0 ? x.low : x.high);
      high += factor * W(factor > 0 ? x.high : x.low);
    }
    return within(low, high, c.range);
  }

  Bounds product(const Code& c, const std::uint32_t* args) const {
    W low = W(values_[args[0]].low);
    W high = W(values_[args[0]].high);
    for (std::uint32_t k = 1; k < c.count; ++k) {
      const W x = W(values_[args[k]].low);
      const W y = W(values_[args[k]].high);
      const std::array corners = {W(low * x), W(low * y), W(high * x), W(high * y)};
      low = *std::min_element(corners.begin(), corners.end());
      high = *std::max_element(corners.begin(), corners.end());
    }
    return within(low, high, c.range);
  }

  static Bounds within(const W& low, const W& high, const Bounds& range) {
    return {low < W(range.low) ? range.low : N(low), high > W(range.high) ? range.high : N(high)};
  }

  /// If the result is too large, returns `bound`, which holds for all inputs.
  static N shifted_left(const N& x, const N& amount, const N& bound) {
    if (x == 0) return x;
    if (amount > N(kBits) || length(x) + static_cast<unsigned>(amount) > kBits) return bound;
    return x * (N(1) << static_cast<unsigned>(amount));
  }

  std::vector<Code> code_;
  std::vector<std::uint32_t> args_;
  std::vector<N> coefficients_;
  std::vector<Bounds> values_;
  std::vector<std::uint64_t> masks_;  ///< bit mask of axes on which an open node depends
  std::vector<std::uint64_t> needed_;
  std::uint64_t stamp_ = 0;
  std::vector<std::vector<std::uint32_t>> levels_;  ///< open nodes before level 0, and after each
};

}  // namespace

std::unique_ptr<Intervals> Intervals::make(const Graph& graph, NodeId root,
                                           const std::vector<std::size_t>& axis_of) {
  unsigned widest = 0;  // bits of nodes' values
  unsigned on_way = 0;  // bits of intermediate sums and products
  const auto magnitude = [](const Range& r) {
    return std::max(bit_length(r.low), bit_length(r.high));
  };
  for (const NodeId id : graph.cone({root})) {
    const Node& n = graph[id];
    widest = std::max({widest, magnitude(n.range), bit_length(n.value)});
    if (n.op == Op::sum) {
      unsigned most = bit_length(n.value);
      for (std::size_t i = 0; i < n.args.size(); ++i) {
        widest = std::max(widest, bit_length(n.coefficients[i]));
        most = std::max(most, bit_length(n.coefficients[i]) + magnitude(graph[n.args[i]].range));
      }
      on_way = std::max(on_way, most + static_cast<unsigned>(std::bit_width(n.args.size() + 1)));
    } else if (n.op == Op::product) {
      unsigned all = 0;
      for (const NodeId arg : n.args) all += magnitude(graph[arg].range);
      on_way = std::max(on_way, all);
    }
  }
  if (widest <= kWord && on_way <= kTwice) {
    return std::make_unique<Of<std::int64_t, Int128, kWord>>(graph, root, axis_of);
  }
  if (widest <= kTwice && on_way <= kTwice) {
    return std::make_unique<Of<Int128, Int128, kTwice>>(graph, root, axis_of);
  }
  return std::make_unique<Of<Integer, Integer, 1U << 20U>>(graph, root, axis_of);
}

}  // namespace mmaspec
