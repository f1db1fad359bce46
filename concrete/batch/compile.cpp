#include "concrete/batch/compile.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>

#include "concrete/batch/draft_builder.h"
#include "concrete/batch/kind.h"
#include "concrete/batch/native/native.h"
#include "spec/lang/bounds.h"

namespace mmaspec::batch {
namespace {

constexpr std::size_t kCheckTime = 4096;  // number of nodes between two checks of the clock

/// Number of blocks after which generating machine code pays off, approximately.
constexpr std::size_t kBlocksBeforeNative = 32;

BatchIsa fastest_kernels() {
  BatchIsa fastest = BatchIsa::portable;
  for (const BatchIsa isa : batch_isas()) {
    if (isa != BatchIsa::native) fastest = isa;
  }
  return fastest;
}

class Compiler : DraftBuilder {
 public:
  Compiler(const Graph& graph, const std::vector<NodeId>& roots, Type narrowest)
      : graph_(graph), narrowest_(narrowest), cone_(graph.cone(roots)) {
    values_.resize(cone_.empty() ? 0 : cone_.back() + 1);
  }

  Compiled run(const std::vector<NodeId>& roots, const std::vector<NodeId>& held) {
    draft().held_inputs.resize(graph_.inputs().size(), false);
    for (const NodeId id : held) draft().held_inputs[graph_[id].low] = true;
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      if (i % kCheckTime == kCheckTime - 1) BuildBy::check();
      node(cone_[i]);
    }
    for (std::size_t r = 0; r < roots.size(); ++r) store(roots[r], r);
    compiled_.held_steps = put_in_order(draft());
    compiled_.draft = std::move(draft());
    return std::move(compiled_);
  }

 private:
  /// A node's value in the kind in which it was computed, and in other kinds that were requested.
  struct Value {
    Kind kind = kBoolean;
    bool is_there = false;
    Register at = 0;
    std::vector<std::pair<Kind, Register>> converted;
  };

  const Range& range(NodeId id) const { return graph_[id].range; }
  /// The narrowest kind that holds the range.
  Kind kind_of(const Range& r) const {
    const Kind k = batch::kind_of(r);
    return k.type == Type::i16 ? Kind{narrowest_, k.is_signed || narrowest_ != Type::i16} : k;
  }
  Kind kind(NodeId id) const { return kind_of(range(id)); }

  Range hull_of(const std::vector<NodeId>& ids) const {
    Range r = range(ids[0]);
    for (NodeId id : ids) r = hull(r, range(id));
    return r;
  }

  void define(NodeId id, Register at, Kind k) { values_[id] = {k, true, at, {}}; }

  /// The node's value in a register of this kind.
  Register get(NodeId id, Kind k) {
    const Node& n = graph_[id];
    if (n.op == Op::constant || n.op == Op::boolean) return constant(n.value, k);
    Value& value = values_[id];
    if (!value.is_there) define(id, negation(n.args[0]), kBoolean);  // a negation that was deferred
    if (value.kind.type == k.type && value.kind.words == k.words) return value.at;
    for (const auto& [kind, at] : value.converted) {
      if (kind.type == k.type && kind.words == k.words) return at;
    }
    Kind from = value.kind;
    if (range(id).low >= 0)
      from.is_signed = false;  // zero extension is cheaper than sign
                               // extension
    const Register at = cast(value.at, from, k);
    value.converted.emplace_back(k, at);
    return at;
  }
  Register get_boolean(NodeId id) { return get(id, kBoolean); }
  Register negation(NodeId id) {
    return emit({Code::conjunction, Type::boolean, Type::boolean, 0, 1}, kBoolean,
                {get_boolean(id)});
  }

  /// The kind in which an integer was computed.
  Kind computed_kind(NodeId id) const { return values_[id].is_there ? values_[id].kind : kind(id); }

  // Operations.

  void node(NodeId id) {
    const Node& n = graph_[id];
    switch (n.op) {
      case Op::constant:
      case Op::boolean:
      case Op::logical_not:  // most users include the negation in their own step
        return;
      case Op::input:
        return input(id, n);
      case Op::sum:
        return define(id, sum(n, kind(id)), kind(id));
      case Op::product:
        return define(id, product(n, kind(id)), kind(id));
      case Op::absolute: {
        const Kind k = kind_of(hull(range(id), range(n.args[0])));
        return define(id, emit(Code::absolute, k, {get(n.args[0], k)}), k);
      }
      case Op::negate_if: {
        const auto [condition, negated] = condition_of(n.args[0]);
        const Code code = negated ? Code::negate_unless : Code::negate_if;
        return define(id, emit(code, kind(id), {condition, get(n.args[1], kind(id))}), kind(id));
      }
      case Op::select: {
        const auto [condition, negated] = condition_of(n.args[0]);
        const Register yes = get(n.args[negated ? 2 : 1], kind(id));
        const Register no = get(n.args[negated ? 1 : 2], kind(id));
        return define(id, emit(Code::select, kind(id), {condition, yes, no}), kind(id));
      }
      case Op::minimum:
      case Op::maximum:
        return extremum(id, n);
      case Op::shift_left:
        return shift_left(id, n);
      case Op::floor_shift_right:
        return shift_right(id, n);
      case Op::bits:
        return bits(id, n);
      case Op::bit_length: {
        const Kind k = kind(n.args[0]);
        const Register x = get(n.args[0], k);
        const Kind length{narrowest_};
        return define(id, emit({Code::bit_length, k.type, length.type}, length, {x}), length);
      }
      case Op::claim:
        return claim(id, n);
      case Op::less:
        return define(id, less(n.args[0], n.args[1]), kBoolean);
      case Op::equal:
        return define(id, equal(n), kBoolean);
      case Op::logical_and:
        return define(id, conjunction(n), kBoolean);
      case Op::logical_xor:
        return define(id, parity(n), kBoolean);
    }
  }

  /// The Boolean, or the one that it negates with `true`.
  std::pair<Register, bool> condition_of(NodeId id) {
    bool negated = false;
    for (; graph_[id].op == Op::logical_not; id = graph_[id].args[0]) negated = !negated;
    return {get_boolean(id), negated};
  }

  void input(NodeId id, const Node& n) {
    if (n.width > 64) {
      throw std::logic_error("the batch evaluator takes inputs of at most 64 bits; '" +
                             graph_.input_name(id) + "' has " + std::to_string(n.width));
    }
    compiled_.inputs = std::max<std::size_t>(compiled_.inputs, n.low + 1);
    define(id, emit(Code::load, kind(id), {}, n.low), kind(id));
  }

  /// The kind of half the width, if there is one.
  std::optional<Kind> narrower(Kind k) const {
    if (k.type == narrowest_) return std::nullopt;
    if (k.is_wide()) return kI64;
    if (k.type == Type::i64) return Kind{Type::i32};
    if (k.type == Type::i32) return Kind{Type::i16};
    return std::nullopt;
  }

  /// Whether its integers, signed or unsigned, include the range.
  bool holds(Kind k, const Range& r) const {
    const Kind needed = kind_of(r);
    return needed.is_signed == k.is_signed && needed.width() <= k.width();
  }

  /// Adjacent terms are added in a narrower kind as long as it holds their sum.
  Register sum(const Node& n, Kind k) {
    std::vector<Register> positive;
    std::vector<Register> negative;
    std::vector<std::size_t> group;  // terms whose sum a narrower kind holds
    Range of_group{0, 0};
    const auto close = [&] {
      if (group.size() > 1) {
        const Kind narrow = *narrower(k);
        positive.push_back(cast(sum_of(n, group, narrow), narrow, k));
      } else if (!group.empty()) {
        add_term(n, group[0], k, positive, negative);
      }
      group.clear();
      of_group = {0, 0};
    };
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const Range& x = range(n.args[i]);
      const Integer& c = n.coefficients[i];
      const Integer first = c * x.low;
      const Integer second = c * x.high;
      const auto with = [&] {
        return Range{of_group.low + std::min(first, second),
                     of_group.high + std::max(first, second)};
      };
      if (!narrower(k) || !holds(*narrower(k), with())) close();
      of_group = with();
      group.push_back(i);
      if (!narrower(k) || !holds(*narrower(k), of_group)) close();
    }
    close();
    return k.is_wide() ? wide_sum(n.value, positive, negative, k)
                       : narrow_sum(word_of(n.value), positive, negative, k);
  }

  /// Some terms of a sum, in a kind that is not wide.
  Register sum_of(const Node& n, const std::vector<std::size_t>& terms, Kind k) {
    std::vector<Register> positive;
    std::vector<Register> negative;
    for (const std::size_t i : terms) add_term(n, i, k, positive, negative);
    return narrow_sum(0, positive, negative, k);
  }

  /// One term of a sum, modulo 2^width; partial sums may wrap around.
  void add_term(const Node& n, std::size_t i, Kind k, std::vector<Register>& positive,
                std::vector<Register>& negative) {
    const Integer& c = n.coefficients[i];
    const Integer size = abs(c);
    if (!is_power_of_two(size)) {
      const Register x = get(n.args[i], k);
      positive.push_back(k.is_wide() ? emit(Code::multiply, k, {x, constant(c, k)})
                                     : emit(Code::multiply_by, k, {x}, word_of(c)));
      return;
    }
    const unsigned shift = batch_length(size) - 1;
    if (shift >= k.width()) return;
    const Register x = get(n.args[i], k);
    (c > 0 ? positive : negative)
        .push_back(shift == 0 ? x : emit(Code::shift_left_by, k, {x}, shift));
  }
  static unsigned batch_length(const Integer& x) { return mmaspec::bit_length(x); }

  /// A kind of half the width of k that holds both factors and has its own multiplication.
  bool half_of(Kind k, const Range& both, Kind& half) const {
    if (k.type == Type::i32 && narrowest_ == Type::i16) half = {Type::i16};
    if (k.type == Type::i64) half = {Type::i32};
    if (k.is_wide() && k.words == 2 && both.low >= 0) half = {Type::i64};
    if (half.type == Type::boolean) return false;
    const Kind own = kind_of(both);
    half.is_signed = own.width() < half.width() || own.is_signed;
    return own.width() <= half.width() && (!k.is_wide() || both.low >= 0);
  }

  Register product(const Node& n, Kind k) {
    Kind half{Type::boolean};
    if (n.args.size() == 2 && half_of(k, hull_of(n.args), half)) {
      const Code code = half.is_signed ? Code::multiply_s : Code::multiply_u;
      return emit({code, half.type, k.type}, k, {get(n.args[0], half), get(n.args[1], half)});
    }
    Register out = get(n.args[0], k);
    for (std::size_t i = 1; i < n.args.size(); ++i) {
      out = emit(Code::multiply, k, {out, get(n.args[i], k)});
    }
    return out;
  }

  void extremum(NodeId id, const Node& n) {
    const Kind k = kind_of(hull_of(n.args));
    const bool largest = n.op == Op::maximum;
    const Code code = k.is_signed ? (largest ? Code::maximum_s : Code::minimum_s)
                                  : (largest ? Code::maximum_u : Code::minimum_u);
    std::vector<Register> in;
    for (NodeId arg : n.args) in.push_back(get(arg, k));
    const std::size_t most = k.is_wide() ? 2 : kArity;
    while (in.size() > 1) {
      const std::size_t count = std::min(in.size(), most);
      const std::vector<Register> first(in.begin(), in.begin() + static_cast<int>(count));
      in.erase(in.begin(), in.begin() + static_cast<int>(count));
      in.insert(in.begin(), emit({code, k.type, k.type, static_cast<unsigned>(count)}, k, first));
    }
    define(id, in[0], k);
  }

  void shift_left(NodeId id, const Node& n) {
    // An amount of at least the width occurs only with x = 0, whose shift is 0 for any amount, so
    // it may be truncated.
    const Kind k = kind_of(hull(range(id), range(n.args[0])));
    const Register amount = get(n.args[1], k.is_wide() ? kI64 : k);
    define(id, emit(Code::shift_left, k, {get(n.args[0], k), amount}), k);
  }

  void shift_right(NodeId id, const Node& n) {
    const Range& x = range(n.args[0]);
    const Range& amount = range(n.args[1]);
    Kind k = kind_of(x);
    const bool beyond = amount.high >= k.width();
    if (beyond && !k.is_signed) k = wider(k);  // whose last bit is 0: this shift suffices
    const Integer most = k.width() - 1;
    const Register value = get(n.args[0], k);
    if (amount.is_point()) {
      const auto by = std::min(most, amount.low).convert_to<std::uint64_t>();
      if (x.low >= 0 && !k.is_wide()) {
        const Kind to = kind(id);
        return define(id, emit({Code::bits, k.type, to.type}, to, {value}, by, ~std::uint64_t{0}),
                      to);
      }
      return define(id, emit(Code::shift_right_by_s, k, {value}, by), k);
    }
    Kind n_kind = computed_kind(n.args[1]);
    Register by = get(n.args[1], n_kind);
    if (amount.high > most) {
      const Code least = n_kind.is_signed ? Code::minimum_s : Code::minimum_u;
      by = emit({least, n_kind.type, n_kind.type, 2}, n_kind, {by, constant(most, n_kind)});
    }
    n_kind.is_signed = false;
    by = cast(by, n_kind, k.is_wide() ? kI64 : k);
    const Code code = x.low >= 0 && !k.is_wide() ? Code::shift_right_u : Code::shift_right_s;
    define(id, emit(code, k, {value, by}), k);
  }

  void bits(NodeId id, const Node& n) {
    const Kind k = kind(n.args[0]);
    const Kind to = kind(id);
    if (n.low >= k.width()) return define(id, constant(0, to), to);
    const Register x = get(n.args[0], k);
    const std::uint64_t field =
        n.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n.width) - 1;
    if (!k.is_wide()) {
      return define(id, emit({Code::bits, k.type, to.type}, to, {x}, n.low, field), to);
    }
    if (to.is_wide()) {
      const Register shifted = n.low == 0 ? x : emit(Code::shift_right_by_s, k, {x}, n.low);
      return define(id, emit(Code::bits, k, {shifted}, n.width), k);
    }
    const Kind between{Type::i64, to.width() < 64 || to.is_signed};
    define(id, emit({Code::bits, k.type, Type::i64}, between, {x}, n.low, field), between);
  }

  Register less(Register x, Register y, Kind k) {
    return emit({k.is_signed ? Code::less_s : Code::less_u, k.type, Type::boolean}, kBoolean,
                {x, y});
  }
  Register less(NodeId x, NodeId y) {
    const Kind k = kind_of(hull(range(x), range(y)));
    return less(get(x, k), get(y, k), k);
  }

  Register equal(const Node& n) {
    const NodeId x = n.args[0];
    const NodeId y = n.args[1];
    const Kind k = kind_of(hull(range(x), range(y)));
    if (graph_[y].op == Op::constant && !k.is_wide()) {
      const Integer& value = graph_[y].value;
      if (const auto bit = bit_of(x); bit && value == 1) {
        const Kind whole = kind(graph_[x].args[0]);
        if (!whole.is_wide() && *bit < whole.width()) {
          return emit({Code::test_bit, whole.type, Type::boolean}, kBoolean,
                      {get(graph_[x].args[0], whole)}, *bit);
        }
      }
      return emit({Code::equal_to, k.type, Type::boolean}, kBoolean, {get(x, k)}, word_of(value));
    }
    return emit({Code::equal, k.type, Type::boolean}, kBoolean, {get(x, k), get(y, k)});
  }

  /// The bit number, if x is a single bit of its operand.
  std::optional<std::uint64_t> bit_of(NodeId x) const {
    const Node& n = graph_[x];
    if (range(x) != Range{0, 1}) return std::nullopt;
    if (n.op == Op::bits) return n.low;
    if (n.op == Op::floor_shift_right && range(n.args[1]).is_point() && range(n.args[0]).low >= 0) {
      return range(n.args[1]).low.convert_to<std::uint64_t>();
    }
    return std::nullopt;
  }

  Register conjunction(const Node& n) {
    std::vector<Register> positive;
    std::vector<Register> negative;
    for (NodeId arg : n.args) {
      const auto [x, negated] = condition_of(arg);
      (negated ? negative : positive).push_back(x);
    }
    while (true) {
      const std::size_t p = std::min<std::size_t>(positive.size(), kArity);
      const std::size_t m = std::min<std::size_t>(negative.size(), kArity - p);
      std::vector<Register> in(positive.begin(), positive.begin() + static_cast<int>(p));
      in.insert(in.end(), negative.begin(), negative.begin() + static_cast<int>(m));
      const Register out = emit({Code::conjunction, Type::boolean, Type::boolean,
                                 static_cast<unsigned>(p), static_cast<unsigned>(m)},
                                kBoolean, std::move(in));
      if (p == positive.size() && m == negative.size()) return out;
      positive.erase(positive.begin(), positive.begin() + static_cast<int>(p));
      negative.erase(negative.begin(), negative.begin() + static_cast<int>(m));
      positive.insert(positive.begin(), out);
    }
  }

  Register parity(const Node& n) {
    auto [out, negated] = condition_of(n.args[0]);
    for (std::size_t i = 1; i < n.args.size(); ++i) {
      const auto [x, also] = condition_of(n.args[i]);
      const std::uint64_t flip = negated != also ? ~std::uint64_t{0} : 0;
      out = emit(Code::parity, kBoolean, {out, x}, flip);
      negated = false;
    }
    return out;
  }

  void claim(NodeId id, const Node& n) {
    const Kind k = computed_kind(n.args[0]);
    const Register x = get(n.args[0], k);
    const auto check = [&](Register violated) {
      draft().steps.push_back({{Code::check, Type::boolean, Type::boolean},
                               0,
                               {violated},
                               compiled_.claims.size(),
                               0,
                               true});
      compiled_.claims.push_back("a claim of the specification is false: node " +
                                 std::to_string(id) + " (stage '" + graph_.stages()[n.stage] +
                                 "') is outside [" + n.range.low.str() + ", " + n.range.high.str() +
                                 "]");
    };
    const Range& r = range(n.args[0]);
    if (r.low < n.range.low) check(less(x, constant(n.range.low, k), k));
    if (r.high > n.range.high) check(less(constant(n.range.high, k), x, k));
    define(id, x, k);
  }

  void store(NodeId root, std::size_t row) {
    Kind k = kBoolean;
    if (!is_boolean(graph_[root].op)) {
      k = computed_kind(root);
      if (k.is_wide()) k = kI64;
    }
    const Register x = get(root, k);
    draft().steps.push_back(
        {{k.is_signed ? Code::store_s : Code::store_u, k.type, k.type}, 0, {x}, row, 0, true});
  }

  const Graph& graph_;
  Type narrowest_;
  std::vector<NodeId> cone_;
  std::vector<Value> values_;  ///< indexed by node
  Compiled compiled_;
};

}  // namespace

Compiled compile(const Graph& graph, const std::vector<NodeId>& roots,
                 const std::vector<NodeId>& held, Type narrowest) {
  return Compiler(graph, roots, narrowest).run(roots, held);
}

Program compile(const Graph& graph, const std::vector<NodeId>& roots,
                const std::vector<NodeId>& held, BatchIsa isa) {
  Compiled compiled = compile(graph, roots, held, Type::i16);
  static std::atomic<std::uint64_t> programs{0};
  Program program;
  program.number = ++programs;
  program.roots = roots.size();
  program.claims = std::move(compiled.claims);
  program.inputs = compiled.inputs;
  program.held_steps = compiled.held_steps;
  const bool may_be_native = isa == BatchIsa::native || isa == BatchIsa::fastest;
  allocate(compiled.draft, may_be_native ? fastest_kernels() : isa, program);
  if (may_be_native) {
    program.native = std::make_shared<LateNative>(
        std::move(compiled.draft), program.held_steps, program.inputs, program.roots,
        isa == BatchIsa::native ? 0 : kBlocksBeforeNative);
  }
  return program;
}

}  // namespace mmaspec::batch
