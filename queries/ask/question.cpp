#include "queries/ask/question.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "concrete/evaluator.h"
#include "encoder/encode.h"
#include "queries/ask/search.h"
#include "spec/formats/text.h"
#include "spec/lang/print.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds that a strategy may spend while the whole formula waits: what it can do it does soon.
constexpr double kFirst = 1;
constexpr double kShort = 8;
constexpr double kLong = 20;

/// How far all others stand behind the whole formula of a patient solver when processes want the
/// same core (as nice(1) counts).
constexpr int kBehindThePatient = 5;

/// Work of the search beside the solvers from one look at what it found to the next.
constexpr std::size_t kBesideWork = 100'000'000;

/// Bits beyond which a number is one of a whole exponent range.
constexpr unsigned kWide = 140;

/// The largest number of pieces that a question is split into.
constexpr std::size_t kMostPieces = 40;

/// A question copied into a graph of its own, with something replaced.
class Copy {
 public:
  /// `change` replaces nodes, and returns what holds besides.
  template <typename Change>
  Copy(const Question& question, const Change& change) : original_(question) {
    const Graph::Building building(graph_);
    Substitution copy(*question.graph);
    if (question.given) {
      for (Bool also : question.given(copy)) conditions_.push_back(also.id());
    }
    for (Bool also : change(copy)) conditions_.push_back(also.id());
    for (NodeId c : question.conditions) conditions_.push_back(copy.boolean(c).id());
    for (NodeId i : question.graph->inputs()) inputs_.push_back(copy.integer(i).id());
    for (Bool fact : copy.facts()) conditions_.push_back(fact.id());
  }

  Answer solve(const Backend& backend) const {
    BvTerms terms;
    Encoder encoder(graph_, terms);
    Query query{&terms, {}};
    for (NodeId c : conditions_) query.assertions.push_back(encoder.boolean(c));
    Answer answer = backend.solve(query);
    if (answer.verdict == Verdict::satisfiable) answer.model = original_model(answer.model);
    return answer;
  }

 private:
  /// What the original's inputs are where the copy's are so.
  std::map<std::string, Integer> original_model(const std::map<std::string, Integer>& model) const {
    const ExactEvaluator evaluator(graph_, inputs_);
    ExactEvaluator::Values values = evaluator.scratch();
    InputValues given;
    for (NodeId i : graph_.inputs()) {
      const auto it = model.find(graph_.input_name(i));
      given.push_back(it == model.end() ? Integer(0) : it->second);
    }
    evaluator.evaluate(given, values);
    std::map<std::string, Integer> result;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      result[original_.graph->input_name(original_.graph->inputs()[i])] = values[inputs_[i]];
    }
    return result;
  }

  const Question& original_;
  Graph graph_;
  std::vector<NodeId> conditions_;
  std::vector<NodeId> inputs_;  ///< copies of the original's
};

/// A variable of the node's range.
Int free_variable(const Graph& from, NodeId node) {
  const Range& range = from[node].range;
  if (range.is_point()) return range.low;
  const unsigned width = width_of({0, range.high - range.low});
  return input("free " + std::to_string(node), width) + range.low;
}

/// Solver's answers to copies of a question.
class Attempts {
 public:
  Attempts(const Question& question, const std::vector<std::unique_ptr<Backend>>& backends)
      : question_(question), backends_(backends) {}

  template <typename Change>
  Attempt make(const std::string& strategy, const Backend& backend, const Change& change) const {
    Attempt attempt;
    attempt.name = strategy.empty() ? backend.name() : strategy + ", " + backend.name();
    attempt.backend = backend.name();
    attempt.after = backend.patience();
    attempt.run = [this, &backend, change]() -> Answer {
      try {
        return Copy(question_, change).solve(backend);
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::logic_error& error) {
        // What was put in contradicts a range: the copy says nothing.
        return {Verdict::unknown, {}, "", 0, std::string("does not apply: ") + error.what()};
      }
    };
    return attempt;
  }

  Attempt whole(const Backend& backend) const {
    if (question_.given) {
      return make("", backend, [](Substitution&) { return std::vector<Bool>(); });
    }
    Attempt attempt;
    attempt.name = attempt.backend = backend.name();
    attempt.after = backend.patience();
    attempt.run = [this, &backend] {
      BvTerms terms;
      Encoder encoder(*question_.graph, terms);
      Query query{&terms, {}};
      for (NodeId c : question_.conditions) query.assertions.push_back(encoder.boolean(c));
      return backend.solve(query);
    };
    return attempt;
  }

  /// The formula as it is, while the others begin: much is decided at once.
  void at_first(std::vector<Attempt>& all) const {
    for (const auto& backend : backends_) {
      if (backend->patience() > 0) continue;
      all.push_back(whole(*backend));
      all.back().name += ", at first";
      all.back().seconds = kFirst;
    }
  }

  /// The formula as it is, to the end.
  void wholes(bool patient, std::vector<Attempt>& all) const {
    for (const auto& backend : backends_) {
      if ((backend->patience() > 0) == patient) all.push_back(whole(*backend));
    }
  }

  /// What each strategy makes of it, given to one solver.
  void changed(const Backend& backend, const Strategies& strategies,
               std::vector<Attempt>& all) const {
    if (strategies.cut) cut(backend, all);
    if (strategies.weaken) weaken(backend, all);
    if (strategies.relax) relax(backend, all);
    if (strategies.restrict) restrict(backend, all);
  }

  /// Witnesses among fewer inputs.
  void restrict(const Backend& backend, std::vector<Attempt>& all) const {
    for (const Restriction& r : question_.restrictions) {
      all.push_back(make("restrict: " + r.name, backend, [this, &r](Substitution& copy) {
        r.apply(*question_.graph, copy);
        return std::vector<Bool>();
      }));
      all.back().proves = false;
      all.back().seconds = kShort;
    }
  }

  /// Proofs with stages' results free, and without what needs wide numbers.
  void cut(const Backend& backend, std::vector<Attempt>& all) const {
    const std::vector<NodeId> wide = wide_conditions();
    for (std::size_t i = 0; i < question_.cuts.size(); ++i) {
      const std::string name = "cut " + std::to_string(i + 1);
      const Change& change = question_.cuts[i];
      if (!wide.empty()) {
        all.push_back(make("weaken, " + name, backend, [wide, &change](Substitution& copy) {
          leave_out(wide, copy);
          return change(copy);
        }));
        all.back().refutes = false;
        all.back().seconds = kLong;
      }
      all.push_back(make(name, backend, change));
      all.back().refutes = false;
      all.back().seconds = kLong;
    }
  }

  /// Proofs with every product of two variables free.
  void relax(const Backend& backend, std::vector<Attempt>& all) const {
    std::vector<NodeId> products;
    for (NodeId n : question_.graph->cone(question_.conditions)) {
      if ((*question_.graph)[n].op == Op::product) products.push_back(n);
    }
    if (products.empty()) return;
    all.push_back(
        make("relax", backend,
             [&from = *question_.graph, products, zero = zero_products()](Substitution& copy) {
               // Whether a product is zero, its factors say.
               for (NodeId n : zero)
                 copy.replace(n, some_factor_is_zero(from, from[n].args[0], copy));
               for (NodeId n : products) set_free(from, n, copy);
               return std::vector<Bool>();
             }));
    all.back().refutes = false;
    all.back().seconds = kLong;
  }

  /// Proofs without the conditions that need wide numbers, such as the exact result.
  void weaken(const Backend& backend, std::vector<Attempt>& all) const {
    const std::vector<NodeId> wide = wide_conditions();
    if (wide.empty()) return;
    all.push_back(make("weaken", backend, [wide](Substitution& copy) {
      leave_out(wide, copy);
      return std::vector<Bool>();
    }));
    all.back().refutes = false;
    all.back().seconds = kLong;
  }

  /// Pieces by which member of the largest maximum it is.
  void split(const Backend& backend, int group, std::vector<Attempt>& all) const {
    const Graph& from = *question_.graph;
    NodeId largest = 0;
    std::size_t members = 1;
    for (NodeId n : from.cone(question_.conditions)) {
      if (from[n].op != Op::maximum || from[n].args.size() <= members) continue;
      largest = n;
      members = from[n].args.size();
    }
    if (members < 3 || members > kMostPieces) return;
    for (std::size_t i = 0; i < members; ++i) {
      const NodeId member = from[largest].args[i];
      all.push_back(make("split " + std::to_string(i + 1) + "/" + std::to_string(members), backend,
                         [&from, largest, member](Substitution& copy) {
                           // The maximum is this member, and the others are at most it.
                           const Int by = copy.integer(member);
                           std::vector<Bool> at_most;
                           for (NodeId m : from[largest].args) {
                             at_most.push_back(copy.integer(m) <= by);
                           }
                           copy.replace(largest, by);
                           return at_most;
                         }));
      all.back().group = group;
    }
  }

  /// Nodes that tell whether a product is zero.
  std::vector<NodeId> zero_products() const {
    const Graph& graph = *question_.graph;
    std::vector<NodeId> all;
    for (NodeId n : graph.cone(question_.conditions)) {
      const Node& node = graph[n];
      if (node.op != Op::equal || graph[node.args[0]].op != Op::product) continue;
      const Node& other = graph[node.args[1]];
      if (other.op == Op::constant && other.value == 0) all.push_back(n);
    }
    return all;
  }
  static Bool some_factor_is_zero(const Graph& from, NodeId product, Substitution& copy) {
    std::vector<Bool> zero;
    for (NodeId factor : from[product].args) zero.push_back(copy.integer(factor) == 0);
    return any_of(zero);
  }

  /// Those that need numbers of a whole exponent range; none, where all do.
  std::vector<NodeId> wide_conditions() const {
    const Graph& graph = *question_.graph;
    std::vector<NodeId> wide;
    for (NodeId c : question_.conditions) {
      for (NodeId n : graph.cone({c})) {
        if (is_boolean(graph[n].op) || width_of(graph[n].range) <= kWide) continue;
        wide.push_back(c);
        break;
      }
    }
    if (wide.size() == question_.conditions.size()) wide.clear();
    return wide;
  }
  static void leave_out(const std::vector<NodeId>& conditions, Substitution& copy) {
    for (NodeId c : conditions) copy.replace(c, Bool(true));
  }

 private:
  const Question& question_;
  const std::vector<std::unique_ptr<Backend>>& backends_;
};

std::string to_text(const Answer& answer, const Graph& graph, const std::vector<NodeId>& conditions,
                    const std::string& wrong) {
  std::string dump = answer.solver +
                     " found a model that the exact evaluator contradicts: " + wrong + "\nmodel:\n";
  for (const auto& [name, value] : answer.model) {
    dump += "  " + name + " = 0x" + to_hex(value) + "\n";
  }
  return dump + "graph:\n" + print(graph, conditions);
}

/// The model's inputs. Throws Contradiction unless all conditions hold on them.
InputValues confirmed(const Question& question, const Answer& answer) {
  InputValues values;
  for (NodeId i : question.graph->inputs()) {
    const auto it = answer.model.find(question.graph->input_name(i));
    values.push_back(it == answer.model.end() ? Integer(0) : it->second);
  }
  const ExactEvaluator evaluator(*question.graph, question.conditions);
  ExactEvaluator::Values all = evaluator.scratch();
  std::string wrong = "a condition does not hold";
  try {
    evaluator.evaluate(values, all);
    if (std::all_of(question.conditions.begin(), question.conditions.end(),
                    [&](NodeId c) { return all[c] != 0; })) {
      return values;
    }
  } catch (const ClaimViolated& error) {
    wrong = error.what();
  }
  throw Contradiction(to_text(answer, *question.graph, question.conditions, wrong));
}

/// Two verdicts that cannot both be.
void require_agreement(const Question& question, const std::vector<AttemptReport>& reports) {
  const AttemptReport* found = nullptr;
  const AttemptReport* none = nullptr;
  for (const AttemptReport& r : reports) {
    if (!r.counts) continue;
    (r.verdict == Verdict::satisfiable ? found : none) = &r;
  }
  if (found == nullptr || none == nullptr) return;
  throw Contradiction(found->name + " found a witness, and " + none->name +
                      " proved that there is none\ngraph:\n" +
                      print(*question.graph, question.conditions));
}

}  // namespace

void set_free(const Graph& from, NodeId node, Substitution& copy) {
  if (copy.determines(node)) return;
  if (is_boolean(from[node].op)) {
    copy.replace(node, input("free " + std::to_string(node), 1) == 1);
  } else {
    copy.replace(node, free_variable(from, node));
  }
}

Change set_free(const Graph& from, std::vector<NodeId> nodes) {
  return [&from, nodes = std::move(nodes)](Substitution& copy) {
    for (NodeId n : nodes) set_free(from, n, copy);
    return std::vector<Bool>();
  };
}

namespace {

/// What an aligned term is at most, where it is x / 2^(e_max - e): x and e at their largest, and
/// the largest exponent as it is.
std::optional<Int> bound_of_aligned(const Graph& from, NodeId node, Substitution& copy) {
  const Node& outer = from[node];
  const Node& shift = outer.op == Op::negate_if ? from[outer.args[1]] : outer;
  if (shift.op != Op::floor_shift_right || from[shift.args[0]].range.low < 0) return std::nullopt;
  const Node& amount = from[shift.args[1]];
  if (amount.op != Op::sum) return std::nullopt;
  std::optional<NodeId> largest;
  Integer rest = amount.value;
  for (std::size_t i = 0; i < amount.args.size(); ++i) {
    const Node& x = from[amount.args[i]];
    if (x.op == Op::maximum && amount.coefficients[i] == 1 && !largest) {
      largest = amount.args[i];
    } else {
      rest += amount.coefficients[i] * (amount.coefficients[i] < 0 ? x.range.high : x.range.low);
    }
  }
  if (!largest) return std::nullopt;
  return floor_shift_right(from[shift.args[0]].range.high, max(copy.integer(*largest) + rest, 0));
}

}  // namespace

Change set_free_within_reach(const Graph& from, std::vector<NodeId> aligned) {
  return [&from, aligned = std::move(aligned)](Substitution& copy) {
    std::vector<Bool> facts;
    for (NodeId n : aligned) {
      if (copy.determines(n)) continue;
      const std::optional<Int> most = bound_of_aligned(from, n, copy);
      set_free(from, n, copy);
      if (!most) continue;
      facts.push_back(copy.integer(n) <= *most);
      facts.push_back(-copy.integer(n) <= *most);
    }
    return facts;
  };
}

Reply ask(const Question& question, const Strategies& strategies, const Portfolio& solvers) {
  const auto start = Clock::now();
  Reply reply;
  const auto done = [&]() -> Reply& {
    reply.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return reply;
  };
  const Graph& graph = *question.graph;
  if (std::any_of(question.conditions.begin(), question.conditions.end(),
                  [&](NodeId c) { return graph[c].range.high == 0; })) {
    reply.verdict = Verdict::unsatisfiable;
    reply.how = "one expression; no solver was needed";
    return done();
  }

  const bool searching = strategies.search && question.candidates;
  if (searching && strategies.search_work > 0) {
    Search search(question, strategies.seed);
    std::optional<InputValues> found = search.run(strategies.search_work, strategies.deadline);
    reply.attempts.push_back({"search", found ? Verdict::satisfiable : Verdict::unknown,
                              found.has_value(), found ? "witness" : search.outcome(),
                              std::chrono::duration<double>(Clock::now() - start).count(), 0});
    if (found) {
      reply.verdict = Verdict::satisfiable;
      reply.witness = std::move(*found);
      reply.how = "search";
      if (!strategies.to_the_end) return done();
    }
  }

  const Attempts attempts(question, solvers.backends());
  std::vector<Attempt> all;
  std::size_t first_patient = 0;
  std::size_t last_patient = 0;
  if (strategies.enumerate && can_enumerate(question)) {
    all.push_back({"enumeration", [&question] { return enumerate(question); }});
  }
  if (!solvers.backends().empty()) {
    if (strategies.cut || strategies.relax) attempts.at_first(all);
    // Bitwuzla, which is left a moment to the others, decides by the whole formula what the others
    // leave; what is changed the first solver decides as soon (docs/proving.md).
    first_patient = all.size();
    attempts.wholes(true, all);
    last_patient = all.size();
    attempts.changed(*solvers.backends().front(), strategies, all);
    attempts.wholes(false, all);
    if (strategies.split) attempts.split(*solvers.backends().front(), 0, all);
  }
  if (searching && !all.empty() && !strategies.to_the_end) {
    // Beside the solvers, as long as they take.
    all.push_back({"search", [&question, &strategies] {
                     Search search(question, strategies.seed + 1);
                     while (true) {
                       if (const auto found = search.run(kBesideWork)) {
                         return search.answer(*found);
                       }
                     }
                   }});
    all.back().proves = false;
    all.back().beside = true;
  }
  for (std::size_t i = 1; i < solvers.backends().size(); ++i) {
    const Backend& backend = *solvers.backends()[i];
    attempts.changed(backend, strategies, all);
    if (strategies.split) attempts.split(backend, static_cast<int>(i), all);
  }
  // What needs half a minute of a core alone would need two beside three others.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool first = i >= first_patient && i < last_patient;
    all[i].nice = first ? 0 : kBehindThePatient;
  }
  Limits limits = solvers.limits();
  limits.seconds = std::min(limits.seconds, strategies.deadline.left());
  RaceOptions options{limits, 0, strategies.to_the_end, solvers.progress()};
  // Two a core: attempts differ so much in what they take that a few at a time, each slower, are
  // sooner done than one after the other.
  const auto cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.slots = 2 * (strategies.jobs > 0 ? strategies.jobs : cores);
  Race outcome = race(all, options);
  reply.attempts.insert(reply.attempts.end(), outcome.reports.begin(), outcome.reports.end());
  if (strategies.to_the_end) require_agreement(question, reply.attempts);
  if (reply.verdict == Verdict::unknown) {
    reply.verdict = outcome.answer.verdict;
    reply.how = reply.verdict == Verdict::unknown ? outcome.answer.reason : outcome.answer.solver;
    reply.backend = outcome.answer.backend;
    if (reply.verdict == Verdict::satisfiable) reply.witness = confirmed(question, outcome.answer);
  }
  return done();
}

}  // namespace mmaspec
