#include "tests/support/lang/random.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include "encoder/encode.h"
#include "spec/lang/int.h"
#include "tests/support/lang/number.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test {
namespace {

// Wider values would only make the tests slower.
constexpr unsigned kMostBits = 40;

enum class Kind {
  linear,
  difference,
  product,
  absolute,
  negate,
  choose,
  minimum,
  maximum,
  headroom,
  shift_left,
  shift_right,
  normalise,
  bits,
  length,
  claim,
  less,
  at_most,
  equal,
  differ,
  bit,
  negation,
  conjunction,
  disjunction,
  parity,
  choose_bool,
};
constexpr int kKinds = static_cast<int>(Kind::choose_bool) + 1;

/// One operation: operands by their positions in the pools, and small constants.
struct Step {
  Kind kind;
  std::size_t i, j, k;  ///< integers
  std::size_t p, q, r;  ///< Booleans
  int c, d, e;          ///< constants
  Integer low = 0;      ///< of a claim
  Integer high = 0;
};

/// The expressions so far, as handles (Int, Bool) or as values (Number, Truth).
template <typename I, typename B>
struct Pools {
  std::vector<I> ints;
  std::vector<B> bools;
};
using Handles = Pools<Int, Bool>;
using Values = Pools<Number, Truth>;

unsigned place(int c) { return static_cast<unsigned>(c < 0 ? -c : c); }

template <typename I, typename B>
void run(const Step& s, Pools<I, B>& pools) {
  const I x = pools.ints[s.i];
  const I y = pools.ints[s.j];
  const I z = pools.ints[s.k];
  const B p = pools.bools[s.p];
  const B q = pools.bools[s.q];
  const B r = pools.bools[s.r];
  // Amounts 0 .. 12 that depend on an expression, mostly beyond the width of a small one.
  const I amount = min(abs(y), I(12));
  const auto yields = [&](I value) { pools.ints.push_back(value); };
  const auto decides = [&](B value) { pools.bools.push_back(value); };
  switch (s.kind) {
    case Kind::linear:
      return yields(s.c * x + s.d * y - z + s.e);
    case Kind::difference:
      return yields(x - y);
    case Kind::product:
      return yields(x * y);
    case Kind::absolute:
      return yields(abs(s.c < 0 ? x - s.d : 3 * x));
    case Kind::negate:
      return yields(negate_if(p, s.c < 0 ? x : -2 * x));
    case Kind::choose:
      return yields(select(p, x, s.c < 0 ? y : I(s.d)));
    case Kind::minimum:
      return yields(min({x, y, z + s.c}));
    case Kind::maximum:
      return yields(max({x, y, s.c < 0 ? z : I(s.d)}));
    case Kind::headroom:
      return yields(s.c < 0 ? max({x, y, z}) - y : s.d * x - s.d * min({x, z}) + y);
    case Kind::shift_left:
      return yields(shift_left(x, amount + (s.c < 0 ? 0 : s.c)));
    case Kind::shift_right:
      return yields(floor_shift_right(x, s.d < 0 ? I(std::abs(s.c)) : amount + std::abs(s.c)));
    case Kind::normalise: {
      const I m = abs(x);
      const I length = bit_length(m);
      if (s.c < 0) return yields(shift_left(m, I(41) - length));
      return yields(floor_shift_right(m, max(length - std::abs(s.d), I(0))));
    }
    case Kind::bits:
      return yields(bits(abs(x), place(s.c), place(s.d)));
    case Kind::length:
      return yields(bit_length(abs(x)));
    case Kind::claim:
      return yields(claim(x, s.low, s.high));
    case Kind::less:
      return decides(s.c < 0 ? x < y : 2 * x + z < 4 * y + s.d);
    case Kind::at_most:
      return decides(s.c < 0 ? x <= s.d : x >= y - z);
    case Kind::equal:
      return decides(s.c < 0 ? x == y : 3 * x == s.d - 6 * y);
    case Kind::differ:
      return decides(s.c < 0 ? x != s.d : x - y != z);
    case Kind::bit:
      return decides(bit(abs(x), place(s.c)));
    case Kind::negation:
      return decides(!p);
    case Kind::conjunction:
      return decides(p && q && r);
    case Kind::disjunction:
      return decides(p || q || r);
    case Kind::parity:
      return decides(p ^ q ^ !r);
    case Kind::choose_bool:
      return decides(select(p, q, r));
  }
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  /// A number below n. (Standard distributions differ between libraries.)
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1)));
  }
  Step step(std::size_t ints, std::size_t bools) {
    // Recent expressions twice as often as old ones, for depth instead of breadth.
    const auto pick = [this](std::size_t n) { return std::max(below(n), below(n)); };
    Step s{static_cast<Kind>(below(kKinds)),
           pick(ints),
           pick(ints),
           pick(ints),
           pick(bools),
           pick(bools),
           pick(bools),
           between(-6, 6),
           between(-6, 6),
           between(-20, 20)};
    return s;
  }

 private:
  std::mt19937_64 random_;
};

Handles start(const std::vector<unsigned>& widths) {
  Handles handles;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    handles.ints.push_back(input("x" + std::to_string(i), widths[i]));
  }
  handles.bools.push_back(handles.ints[0] < 3);
  return handles;
}

/// Sets a claim's limits to the least and the largest value that occur; false if this claims
/// nothing.
bool fit_claim(Step& step, const Handles& handles, const std::vector<Values>& values) {
  step.low = step.high = values[0].ints[step.i].value;
  for (const Values& v : values) {
    step.low = std::min(step.low, v.ints[step.i].value);
    step.high = std::max(step.high, v.ints[step.i].value);
  }
  return Range{step.low, step.high} != handles.ints[step.i].range();
}

std::vector<NodeId> ids(const Handles& handles) {
  std::vector<NodeId> all;
  for (Int x : handles.ints) all.push_back(x.id());
  for (Bool b : handles.bools) all.push_back(b.id());
  return all;
}

}  // namespace

RandomGraph random_graph(std::uint64_t seed, const std::vector<unsigned>& widths, int steps,
                         std::vector<std::vector<Integer>> inputs) {
  Generator generator(seed);
  RandomGraph result;
  const bool exhaustive = inputs.empty();
  result.inputs = exhaustive ? all_inputs(widths) : std::move(inputs);
  std::vector<Values> values;
  for (const auto& x : result.inputs) {
    values.push_back({{x.begin(), x.end()}, {Truth{x[0] < 3}}});
  }
  result.graph = std::make_unique<Graph>();
  const Graph::Building building(*result.graph);
  Handles handles = start(widths);
  std::vector<Step> program;
  while (static_cast<int>(program.size()) < steps) {
    Step s = generator.step(handles.ints.size(), handles.bools.size());
    if (s.kind == Kind::claim && (!exhaustive || !fit_claim(s, handles, values))) continue;
    run(s, handles);
    if (width_of(handles.ints.back().range()) > kMostBits) {
      handles.ints.pop_back();
      continue;
    }
    program.push_back(s);
    for (Values& v : values) run(s, v);
  }
  result.roots = ids(handles);
  for (const Values& v : values) {
    std::vector<Integer> all;
    for (const Number& x : v.ints) all.push_back(x.value);
    for (Truth b : v.bools) all.emplace_back(b.value ? 1 : 0);
    result.values.push_back(std::move(all));
  }
  Handles again = start(widths);
  for (const Step& s : program) run(s, again);
  result.again = ids(again);
  return result;
}

std::vector<std::vector<Integer>> corner_inputs(std::uint64_t seed,
                                                const std::vector<unsigned>& widths, int count) {
  std::mt19937_64 random(seed);
  const auto corner = [&](unsigned width) -> Integer {
    const Integer largest = power_of_two(width) - 1;
    const Integer any = Integer(random()) & largest;
    switch (random() % 5) {
      case 0:
        return 0;
      case 1:
        return largest;
      case 2:
        return power_of_two(static_cast<unsigned>(random() % width));
      case 3:
        return largest - Integer(random() % 2);
      default:
        return any;
    }
  };
  std::vector<std::vector<Integer>> inputs;
  for (int i = 0; i < count; ++i) {
    std::vector<Integer> x;
    for (unsigned w : widths) x.push_back(corner(w));
    inputs.push_back(std::move(x));
  }
  return inputs;
}

int rounds(int usual) {
  const char* times = std::getenv("MMASPEC_TEST_ROUNDS");
  return times == nullptr ? usual : usual * std::max(1, std::atoi(times));
}

}  // namespace mmaspec::lang_test
