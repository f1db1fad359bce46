#include "queries/relations/intermediate_results.h"

#include <algorithm>
#include <utility>

#include "queries/ask/budget.h"
#include "queries/derive/self_composition.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {}  // namespace

IntermediateResults::IntermediateResults(const DerivationGoal& claimed,
                                         const SimulationSignatures& sampled,
                                         const std::vector<bool>& is_pattern,
                                         InvariantStore& proved, Lemmas& lemmas)
    : claimed_(claimed),
      graph_(claimed.graph),
      sampled_(sampled),
      is_pattern_(is_pattern),
      late_premises_(premises_of(claimed, true)),
      proved_(proved),
      lemmas_(lemmas) {}

void IntermediateResults::learn(NodeId n) {
  const std::vector<Integer>& values = sampled_.values(n);
  const auto all = [&](const auto& holds) {
    return std::all_of(values.begin(), values.end(),
                       [&](const Integer& x) { return holds(decode(*claimed_.result, x)); });
  };
  const auto least = static_cast<unsigned>(claimed_.result->precision());
  if (!late_premises_.empty() && all([](const Decoded& x) { return x.is_finite(); })) {
    learn_that_finite(n);
  }
  if (all([&](const Decoded& x) {
        return !x.is_finite() || x.significand == 0 || bit_length(x.significand) >= least;
      })) {
    learn_that_not_subnormal(n);
  }
}

void IntermediateResults::learn_that_no_nan(RelationalInvariant r,
                                            const std::vector<NodeId>& statement) {
  const Graph::Building building(graph_);
  const Bool nan = unpack(*claimed_.result, Int::of(r.base)).is_nan;
  if (!proved_.excluded_whatever_arithmetic("an intermediate pattern is not a NaN", nan.id(),
                                            statement, budget::kFactLemma)) {
    return;
  }
  proved_.keep_fact(r.base, (!nan).id());
  r.is_never_nan = true;
  proved_.keep(r);
}

/// For all earlier patterns.
void IntermediateResults::learn_that_not_subnormal(NodeId n) {
  const Graph::Building building(graph_);
  const Unpacked x = unpack(*claimed_.result, Int::of(n));
  const Integer hidden = power_of_two(static_cast<unsigned>(claimed_.result->fraction_bits));
  const Bool subnormal = x.is_finite() && !x.is_zero() && x.significand < hidden;
  std::vector<NodeId> before = graph_.cone({n});
  std::erase_if(before, [&](NodeId a) { return a == n || !is_pattern_[a]; });
  proved_.share(before);
  if (proved_.is_unsat("an intermediate pattern is not subnormal", {subnormal.id()}, Depth::shared,
                       false, budget::kNodeLemma)) {
    proved_.keep_fact(n, (!subnormal).id());
  }
}

/// If the premises say so about results: for all arithmetic results computed from an infinity or a
/// NaN.
void IntermediateResults::learn_that_finite(NodeId n) {
  const Graph::Building building(graph_);
  const Bool finite = unpack(*claimed_.result, Int::of(n)).is_finite();
  std::vector<NodeId> conditions = late_premises_;
  conditions.push_back((!finite).id());
  std::vector<NodeId> arithmetic{n};
  for (NodeId a : graph_.cone(late_premises_)) {
    const Op op = graph_[a].op;
    if (op == Op::product || op == Op::shift_left || op == Op::floor_shift_right ||
        op == Op::bit_length) {
      arithmetic.push_back(a);
    }
  }
  const Change cut = [&](Substitution& copy) { return free_in_range(graph_, arithmetic, copy); };
  const std::vector<NodeId> early_premises = premises_of(claimed_, false);
  if (lemmas_.is_unsat("an intermediate pattern is finite", graph_, conditions, early_premises, cut,
                       budget::kFactLemma)) {
    lemmas_.record({{(!finite).id()}, early_premises, arithmetic, {}, {}, late_premises_});
    proved_.keep_fact(n, finite.id());
  }
}

}  // namespace mmaspec
