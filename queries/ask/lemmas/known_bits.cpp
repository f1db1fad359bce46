#include "queries/ask/lemmas/known_bits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "encoder/encode.h"
#include "queries/ask/budget.h"
#include "solver/ask.h"

namespace mmaspec {
namespace {

constexpr unsigned kFewBits = 16;
constexpr std::size_t kFewConditions = 64;  // limit for asking solvers for models, of different
                                            // conditions

std::uint64_t ones(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// All patterns of a narrow input. For a wide input: patterns with all values of the highest bits
/// and a sample of the lowest bits.
std::vector<std::uint64_t> patterns(unsigned width) {
  std::vector<std::uint64_t> all;
  const unsigned low = width > kFewBits ? width - kFewBits : 0;
  std::mt19937_64 random(1);
  for (std::uint64_t high = 0; high <= ones(std::min(width, kFewBits)); ++high) {
    all.push_back(high << low);
    if (low == 0) continue;
    all.push_back((high << low) | ones(low));
    all.push_back((high << low) | (random() & ones(low)));
  }
  return all;
}

/// The conditions on one input in a separate graph. The cost of processing them then depends on
/// their size only, not on that of the question's graph.
struct OwnConditions {
  OwnConditions(const Graph& from, NodeId of, const std::vector<NodeId>& all) {
    std::map<NodeId, NodeId> copies;
    for (const NodeId id : from.cone(all)) {
      Node node = from[id];
      for (NodeId& a : node.args) a = copies.at(a);
      const NodeId copy = id == of ? graph.input("x", node.width) : graph.intern(node);
      copies[id] = copy;
      if (id == of) input = copy;
      text += std::to_string(static_cast<int>(node.op)) + " " + std::to_string(node.width) + " ";
      // An input's number is its position in the question.
      if (id != of) text += std::to_string(node.low) + " " + node.value.str();
      for (const Integer& c : node.coefficients) text += "*" + c.str();
      for (const NodeId a : node.args) text += "," + std::to_string(a);
      text += ";";
    }
    for (const NodeId c : all) {
      conditions.push_back(copies.at(c));
      text += "=" + std::to_string(conditions.back());
    }
  }

  Graph graph;
  NodeId input = 0;
  std::vector<NodeId> conditions;
  std::string text;  ///< equal for equal conditions on inputs of equal width
};

/// The tried patterns that satisfy the conditions on this input.
std::vector<std::uint64_t> satisfying(const OwnConditions& own) {
  const Graph& graph = own.graph;
  const NodeId input = own.input;
  const std::vector<NodeId>& conditions = own.conditions;
  const BatchEvaluator evaluator(graph, conditions);
  BatchEvaluator::Scratch scratch;
  const std::size_t lanes = 4 * BatchEvaluator::kBlock;
  Lanes values(graph.inputs().size(), lanes);
  Lanes holds(conditions.size(), lanes);
  const std::vector<std::uint64_t> tried = patterns(graph[input].width);
  std::vector<std::uint64_t> all;
  for (std::size_t first = 0; first < tried.size(); first += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      values[0][lane] = tried[std::min(first + lane, tried.size() - 1)];
    }
    evaluator.evaluate(values, holds, scratch);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      bool hold = true;
      for (std::size_t r = 0; r < holds.rows(); ++r) hold = hold && holds[r][lane] != 0;
      if (hold && first + lane < tried.size()) all.push_back(values[0][lane]);
    }
  }
  return all;
}

/// The bits that all satisfying patterns share. nullopt if no pattern satisfies the conditions.
std::optional<KnownBits> shared_bits(const OwnConditions& own) {
  std::uint64_t all_ones = ~std::uint64_t{0};
  std::uint64_t some_ones = 0;
  const std::vector<std::uint64_t> all = satisfying(own);
  if (all.empty()) return std::nullopt;
  for (const std::uint64_t pattern : all) {
    all_ones &= pattern;
    some_ones |= pattern;
  }
  const std::uint64_t fixed = ~(all_ones ^ some_ones) & ones(own.graph[own.input].width);
  return KnownBits{own.input, Integer(fixed), Integer(all_ones & fixed)};
}

/// Maximal sequences of one bits (`of` true) or zero bits of the mask, as pairs (lowest bit,
/// length).
std::vector<std::pair<unsigned, unsigned>> runs(const Integer& mask, unsigned width, bool of) {
  std::vector<std::pair<unsigned, unsigned>> all;
  for (unsigned i = 0; i < width;) {
    if (boost::multiprecision::bit_test(mask, i) != of) {
      ++i;
      continue;
    }
    const unsigned begin = i;
    while (i < width && boost::multiprecision::bit_test(mask, i) == of) ++i;
    all.emplace_back(begin, i - begin);
  }
  return all;
}

/// A query for the conditions on an input and a violation of its fixed bits. Without fixed bits:
/// for the conditions alone.
Query beside(const Graph& graph, const std::vector<NodeId>& conditions, const KnownBits& fixed,
             BvTerms& terms) {
  Encoder encoder(graph, terms);
  Query query{&terms, {}};
  for (const NodeId c : conditions) query.assertions.push_back(encoder.boolean(c));
  if (fixed.mask == 0) return query;
  const TermId x = encoder.word(fixed.input);
  std::vector<TermId> same;
  for (const auto& [low, count] : runs(fixed.mask, graph[fixed.input].width, true)) {
    const Integer wanted = (fixed.value >> low) % power_of_two(count);
    same.push_back(terms.eq(terms.extract(x, low + count - 1, low), terms.constant(wanted, count)));
  }
  query.assertions.push_back(terms.bool_not(terms.bool_and(std::move(same))));
  return query;
}

/// True if a solver proves that all patterns which satisfy the conditions have these bits.
bool is_confirmed(const Graph& graph, const KnownBits& fixed, const std::vector<NodeId>& conditions,
                  const Portfolio& solvers, const Deadline& deadline) {
  BvTerms terms;
  const Query query = beside(graph, conditions, fixed, terms);
  return decide_by(deadline, query, solvers).verdict == Verdict::unsatisfiable;
}

/// The fixed bits of an input of more than kFewBits bits. It starts from the suggested bits, drops
/// those that a solver's model refutes, and repeats until a solver confirms the rest. `suggested`
/// is nullopt if no sample satisfies the conditions.
std::optional<KnownBits> refined(const Graph& graph, NodeId input,
                                 std::optional<KnownBits> suggested,
                                 const std::vector<NodeId>& conditions, const Portfolio& solvers,
                                 const Deadline& deadline) {
  const unsigned width = graph[input].width;
  // The input's pattern in a model. nullopt: there is no model, or none was found.
  const auto model = [&](const KnownBits& fixed) -> std::optional<Integer> {
    BvTerms terms;
    const Answer answer = ask_by(deadline, beside(graph, conditions, fixed, terms), solvers);
    if (answer.verdict != Verdict::satisfiable) return std::nullopt;
    const auto it = answer.model.find(graph.input_name(input));
    return it == answer.model.end() ? Integer(0) : it->second;
  };
  if (!suggested) {
    const auto any = model({input, 0, 0});
    if (!any) return std::nullopt;
    suggested = KnownBits{input, power_of_two(width) - 1, *any};
  }
  while (suggested->mask != 0 && !deadline.passed()) {
    if (is_confirmed(graph, *suggested, conditions, solvers, deadline)) return suggested;
    const auto other = model(*suggested);
    if (!other) return std::nullopt;
    const Integer changed = (*other ^ suggested->value) & suggested->mask;
    if (changed == 0) return std::nullopt;
    suggested->mask ^= changed;
    suggested->value &= suggested->mask;
  }
  return std::nullopt;
}

}  // namespace

bool is_impossible(const Graph& graph, const std::vector<NodeId>& conditions,
                   const Portfolio& solvers, const Deadline& deadline) {
  if (solvers.backends().empty() || deadline.passed()) return false;
  BvTerms terms;
  Encoder encoder(graph, terms);
  Query query{&terms, {}};
  for (NodeId c : conditions) query.assertions.push_back(encoder.boolean(c));
  const Deadline soon = earlier(deadline, Deadline::in(budget::kConditionOfOneInput));
  return decide_by(soon, query, solvers).verdict == Verdict::unsatisfiable;
}

std::vector<NodeId> conjuncts(const Graph& graph, const std::vector<NodeId>& conditions) {
  std::vector<NodeId> all;
  std::vector<NodeId> pending = conditions;
  while (!pending.empty()) {
    const NodeId c = pending.back();
    pending.pop_back();
    if (graph[c].op == Op::logical_and) {
      pending.insert(pending.end(), graph[c].args.begin(), graph[c].args.end());
    } else {
      all.push_back(c);
    }
  }
  return all;
}

namespace {

/// The conjuncts that depend on one input each, by input.
std::map<NodeId, std::vector<NodeId>> by_input(const Graph& graph,
                                               const std::vector<NodeId>& conditions) {
  std::map<NodeId, std::vector<NodeId>> of_input;
  for (NodeId c : conjuncts(graph, conditions)) {
    std::vector<NodeId> inputs;
    for (NodeId n : graph.cone({c})) {
      if (graph[n].op == Op::input) inputs.push_back(n);
    }
    if (inputs.size() == 1 && graph[inputs[0]].width <= 64) of_input[inputs[0]].push_back(c);
  }
  return of_input;
}

}  // namespace

bool keep_to(const Graph& graph, const std::vector<NodeId>& conditions,
             const std::vector<NodeId>& inputs,
             const std::function<bool(const Integer& pattern)>& allowed) {
  const auto of_input = by_input(graph, conditions);
  std::map<std::string, bool> known;
  return std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
    const auto its = of_input.find(input);
    if (its == of_input.end() || graph[input].width > kFewBits) return false;
    const OwnConditions own(graph, input, its->second);
    const auto [known_at, is_new] = known.try_emplace(own.text);
    if (is_new) {
      const std::vector<std::uint64_t> all = satisfying(own);
      known_at->second = std::all_of(
          all.begin(), all.end(), [&](std::uint64_t pattern) { return allowed(Integer(pattern)); });
    }
    return known_at->second;
  });
}

std::vector<KnownBits> fixed_bits(const Graph& graph, const std::vector<NodeId>& conditions,
                                  const Portfolio& solvers, const Deadline& deadline) {
  // Equal conditions on inputs of equal width fix equal bits, so each is computed once: a[0] serves
  // all a[*].
  std::map<std::string, std::optional<KnownBits>> known;
  const auto found = [&](const OwnConditions& own) -> std::optional<KnownBits> {
    const std::optional<KnownBits> f = shared_bits(own);
    if (own.graph[own.input].width <= kFewBits) return f;
    const Deadline soon = earlier(deadline, Deadline::in(budget::kConditionOfOneInput));
    if (solvers.backends().empty() || soon.passed()) return std::nullopt;
    if (known.size() <= kFewConditions) {
      return refined(own.graph, own.input, f, own.conditions, solvers, soon);
    }
    const bool confirmed =
        f && f->mask != 0 && is_confirmed(own.graph, *f, own.conditions, solvers, soon);
    return confirmed ? f : std::nullopt;
  };
  std::vector<KnownBits> all;
  for (const auto& [input, its] : by_input(graph, conditions)) {
    if (deadline.passed()) break;
    const OwnConditions own(graph, input, its);
    const auto [known_at, is_new] = known.try_emplace(own.text);
    if (is_new) known_at->second = found(own);
    const std::optional<KnownBits>& f = known_at->second;
    if (f && f->mask != 0) all.push_back({input, f->mask, f->value});
  }
  return all;
}

Int with_fixed_bits(const KnownBits& fixed, Int x, unsigned width) {
  std::vector<Int> parts{fixed.value};
  for (const auto& [low, count] : runs(fixed.mask, width, false)) {
    parts.push_back(bits(x, low, count) * power_of_two(low));
  }
  return total(parts);
}

void put_in(const std::vector<KnownBits>& all, const Graph& graph, Substitution& copy) {
  for (const KnownBits& f : all) {
    const unsigned width = graph[f.input].width;
    copy.replace(f.input, with_fixed_bits(f, input(graph.input_name(f.input), width), width));
  }
}

}  // namespace mmaspec
