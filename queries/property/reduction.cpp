#include "queries/property/reduction.h"

#include <algorithm>

#include "queries/ask/dot_question.h"
#include "queries/numbers/exact.h"

namespace mmaspec {
namespace {

constexpr double kIntervalSeconds = 5;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Batcher's merge exchange: pairs that sort n elements (Knuth, The Art of Computer Programming,
/// vol. 3, 2nd ed., 5.2.2, algorithm M).
std::vector<std::pair<int, int>> sorting_network(int n) {
  std::vector<std::pair<int, int>> pairs;
  int top = 1;
  while (2 * top < n) top *= 2;
  for (int p = top; n > 1 && p > 0; p /= 2) {
    int q = top;
    int r = 0;
    int d = p;
    while (true) {
      for (int i = 0; i + d < n; ++i) {
        if ((i & p) == r) pairs.emplace_back(i, i + d);
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  return pairs;
}

/// Things of `count` products each that can change places: `number` of them from product `first`
/// on.
struct Stretch {
  int first;
  int number;
  int count;
};

/// All orders are those inside stretches of products, and of stretches of whole blocks.
std::vector<Stretch> stretches_of(const DotFormats& f, int within) {
  const int part = within > 0 ? within : f.k;
  const int block = f.scale == nullptr ? f.k : f.scale_block;
  std::vector<Stretch> all;
  for (int first = 0; first < f.k;) {
    const int end = std::min({f.k, (first / part + 1) * part, (first / block + 1) * block});
    all.push_back({first, end - first, 1});
    first = end;
  }
  for (int first = 0; first < f.k; first += part) {
    const int begin = (first + block - 1) / block * block;
    const int end = std::min(first + part, f.k) / block * block;
    if (end > begin) all.push_back({begin, (end - begin) / block, block});
  }
  return all;
}

bool depends_on(const Graph& graph, Bool condition, Int on) {
  const std::vector<NodeId> cone = graph.cone({condition.id()});
  return std::binary_search(cone.begin(), cone.end(), on.id());
}

Int result_input(const DotFormats& f) {
  return input("d", static_cast<unsigned>(f.d->storage_bits));
}

/// The condition is the same expression of changed operands, and does not speak of the result.
bool is_kept_by(const DotFormats& f, const Condition& condition,
                const std::vector<std::function<void(DotOperands&)>>& changes) {
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(f);
  const Int d = result_input(f);
  const Bool holds = condition(f, in, d);
  if (depends_on(graph, holds, d)) return false;
  return std::all_of(changes.begin(), changes.end(), [&](const auto& change) {
    DotOperands changed = in;
    change(changed);
    return condition(f, changed, d).same_as(holds);
  });
}

bool is_kept_by_orders(const DotFormats& f, int within, const Condition& condition) {
  std::vector<std::function<void(DotOperands&)>> changes;
  for (const ProductSwap& swap : neighbour_swaps(f, within)) {
    changes.emplace_back([&f, swap](DotOperands& in) { apply(swap, true, f, in); });
  }
  return is_kept_by(f, condition, changes);
}

}  // namespace

std::vector<ProductSwap> neighbour_swaps(const DotFormats& formats, int within) {
  std::vector<ProductSwap> all;
  for (const Stretch& r : stretches_of(formats, within)) {
    for (int i = 0; i + 1 < r.number; ++i) {
      const int first = r.first + i * r.count;
      all.push_back({first, first + r.count, r.count});
    }
  }
  return all;
}

std::vector<ProductSwap> order_network(const DotFormats& formats, int within) {
  std::vector<ProductSwap> all;
  for (const Stretch& r : stretches_of(formats, within)) {
    for (const auto& [i, j] : sorting_network(r.number)) {
      all.push_back({r.first + i * r.count, r.first + j * r.count, r.count});
    }
  }
  return all;
}

void apply(const ProductSwap& swap, Bool made, const DotFormats& formats, DotOperands& operands) {
  const auto exchange = [&](std::vector<Int>& all, std::size_t i, std::size_t j) {
    const Int x = all[i];
    const Int y = all[j];
    all[i] = select(made, y, x);
    all[j] = select(made, x, y);
  };
  for (int i = 0; i < swap.count; ++i) {
    exchange(operands.a, at(swap.first + i), at(swap.second + i));
    exchange(operands.b, at(swap.first + i), at(swap.second + i));
  }
  if (formats.scale == nullptr || swap.count != formats.scale_block) return;
  const std::size_t i = at(swap.first / formats.scale_block);
  const std::size_t j = at(swap.second / formats.scale_block);
  if (i == j) return;
  exchange(operands.scale_a, i, j);
  exchange(operands.scale_b, i, j);
}

bool is_kept_by_each_order(const Subject& subject, const Condition& condition, const Portfolio&) {
  return is_kept_by_orders(subject.formats(), subject.within, condition);
}

bool is_kept_by_each_place(const Subject& subject, const Condition& condition, const Portfolio&) {
  return is_kept_by_orders(subject.formats(), 0, condition);
}

bool is_kept_by_each_swap(const Subject& subject, const Condition& condition, const Portfolio&) {
  std::vector<std::function<void(DotOperands&)>> changes;
  for (int k = 0; k < subject.formats().k; ++k) {
    changes.emplace_back([k](DotOperands& in) { std::swap(in.a[at(k)], in.b[at(k)]); });
  }
  return is_kept_by(subject.formats(), condition, changes);
}

bool is_interval_of_c(const Subject& subject, const Condition& condition,
                      const Portfolio& solvers) {
  const DotFormats& f = subject.formats();
  Graph graph;
  std::vector<NodeId> gap;
  {
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = result_input(f);
    const Bool holds = condition(f, in, d);
    if (depends_on(graph, holds, d)) return false;
    if (!depends_on(graph, holds, in.c)) return true;
    const auto of = [&](Int c) {
      DotOperands other = in;
      other.c = c;
      return condition(f, other, d);
    };
    const auto bits = static_cast<unsigned>(f.c->storage_bits);
    const Int low = input("low", bits);
    const Int high = input("high", bits);
    for (Int c : {low, in.c, high}) {
      gap.push_back(belongs_to(InputClass::finite, *f.c, c).id());
    }
    const Bool other_zero = ordinal(*f.c, in.c) == 0 && of(negated(*f.c, in.c));
    for (Bool b :
         {ordinal(*f.c, low) < ordinal(*f.c, in.c), ordinal(*f.c, in.c) < ordinal(*f.c, high),
          of(low), of(high), !holds, !other_zero}) {
      gap.push_back(b.id());
    }
  }
  // Without the inputs that it does not speak of.
  Graph asked;
  Question question{&asked, {}};
  const Graph::Building building(asked);
  Substitution copy(graph);
  for (NodeId g : gap) question.conditions.push_back(copy.boolean(g).id());
  Strategies strategies = Strategies::none();
  strategies.set(Strategy::enumerate, true);
  strategies.deadline = Deadline::in(kIntervalSeconds);
  return ask(question, strategies, solvers).verdict == Verdict::unsatisfiable;
}

}  // namespace mmaspec
