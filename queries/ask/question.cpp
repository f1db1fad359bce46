#include "queries/ask/question.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "concrete/evaluator.h"
#include "queries/ask/budget.h"
#include "queries/ask/search.h"
#include "queries/ask/strategies/attempts.h"
#include "queries/statement/condition.h"
#include "solver/ticker.h"
#include "spec/formats/text.h"
#include "spec/lang/print.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

/// Niceness (see nice(1)) of all attempts except the whole formula of the leading solver.
constexpr int kBehindTheLeader = 5;

std::string to_text(const Answer& answer, const Graph& graph, const std::vector<NodeId>& conditions,
                    const std::string& wrong) {
  std::string dump = answer.solver +
                     " found a model that the exact evaluator contradicts: " + wrong + "\nmodel:\n";
  for (const auto& [name, value] : answer.model) {
    dump += "  " + name + " = 0x" + to_hex(value) + "\n";
  }
  return dump + "graph:\n" + print(graph, conditions);
}

/// The inputs in the model. Throws Contradiction unless they satisfy all conditions.
InputValues confirmed(const Question& question, const Answer& answer) {
  InputValues values;
  for (NodeId i : question.graph->inputs()) {
    const auto it = answer.model.find(question.graph->input_name(i));
    values.push_back(it == answer.model.end() ? Integer(0) : it->second);
  }
  const ExactEvaluator evaluator(*question.graph, question.conditions);
  ExactEvaluator::Values all = evaluator.scratch();
  std::string wrong = "a precondition is violated";
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

Justification grounds_of(const Answer& answer) {
  if (answer.verdict == Verdict::unknown) return Justification::none(answer.reason);
  if (!answer.backend.empty()) {
    const bool derived = answer.rests_on_lemmas && answer.verdict == Verdict::unsatisfiable;
    return {derived ? Justification::Kind::derivation : Justification::Kind::solver, answer.solver,
            answer.backend};
  }
  // No solver answered: some or all inputs were tried.
  return {answer.verdict == Verdict::unsatisfiable ? Justification::Kind::enumeration
                                                   : Justification::Kind::search,
          answer.solver};
}

/// Throws if two verdicts contradict each other.
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

bool is_one_expression(const Question& question) {
  return is_one_expression(*question.graph, question.conditions);
}

Reply ask(const Question& question, const Strategies& strategies, const Portfolio& solvers) {
  const auto start = Clock::now();
  Reply reply;
  const auto done = [&]() -> Reply& {
    reply.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return reply;
  };
  if (is_one_expression(question)) {
    reply.verdict = Verdict::unsatisfiable;
    reply.justification = Justification::one_expression();
    return done();
  }

  if (strategies.oracle) {
    if (strategies.oracle(question)) {
      reply.verdict = Verdict::unsatisfiable;
      reply.justification = {Justification::Kind::solver, "proof kernel"};
    } else {
      reply.justification = Justification::none("the goal has no proof");
    }
    return done();
  }

  const bool searching = strategies.uses(Strategy::search) && question.candidates;
  if (searching && strategies.search_work > 0) {
    Ticker ticker(solvers.progress(), "search");
    ticker.tell();
    Search search(question, strategies.seed);
    std::optional<InputValues> found = search.run(strategies.search_work, strategies.deadline);
    reply.attempts.push_back({"search", found ? Verdict::satisfiable : Verdict::unknown,
                              found.has_value(), found ? "witness" : search.outcome(),
                              std::chrono::duration<double>(Clock::now() - start).count(), 0});
    if (found) {
      reply.verdict = Verdict::satisfiable;
      reply.witness = std::move(*found);
      reply.justification = {Justification::Kind::search};
      if (!strategies.to_the_end) return done();
    }
  }

  std::optional<Enumeration> enumeration;
  if (strategies.uses(Strategy::enumerate)) {
    enumeration.emplace(question, solvers, strategies.deadline);
    if (!enumeration->is_possible()) enumeration.reset();
  }
  if (enumeration && !strategies.to_the_end && enumeration->work() <= budget::kEnumeratedAtOnce) {
    Ticker ticker(solvers.progress(), "enumeration");
    ticker.tell();
    const auto began = Clock::now();
    const Answer answer = enumeration->run(strategies.deadline);
    const bool is_found = answer.verdict == Verdict::satisfiable;
    reply.attempts.push_back({"enumeration", answer.verdict, answer.verdict != Verdict::unknown,
                              is_found                             ? "witness"
                              : answer.verdict == Verdict::unknown ? answer.reason
                                                                   : "none exists",
                              std::chrono::duration<double>(Clock::now() - began).count(), 0});
    if (answer.verdict != Verdict::unknown) {
      reply.verdict = answer.verdict;
      reply.justification = grounds_of(answer);
      if (is_found) reply.witness = confirmed(question, answer);
      return done();
    }
  }

  const Attempts attempts(question, solvers.backends());
  std::vector<Attempt> all;
  if (enumeration) all.push_back({"enumeration", [&enumeration] { return enumeration->run(); }});
  const std::size_t first_leading = all.size();
  std::size_t first_other = all.size();
  if (!solvers.backends().empty()) {
    // With the whole formula Bitwuzla decides most questions that the other solvers decide, and
    // more. For changed formulas the first solver is as fast (docs/proving.md).
    attempts.wholes(true, all);
    first_other = all.size();
    if (strategies.uses(Strategy::cut) || strategies.uses(Strategy::relax)) attempts.at_first(all);
    add_changed(attempts, *solvers.backends().front(), strategies, all);
    attempts.wholes(false, all);
    add_pieces(attempts, *solvers.backends().front(), strategies, all);
  }
  if (searching && !all.empty() && !strategies.to_the_end) {
    // The search runs in parallel with the solvers until they end.
    all.push_back({"search", [&question, &strategies] {
                     Search search(question, strategies.seed + 1);
                     while (true) {
                       if (const auto found = search.run(budget::kSearchBetweenChecks)) {
                         return search.answer(*found);
                       }
                     }
                   }});
    all.back().proves = false;
    all.back().beside = true;
  }
  for (std::size_t i = 1; i < solvers.backends().size(); ++i) {
    const Backend& backend = *solvers.backends()[i];
    add_changed(attempts, backend, strategies, all);
    add_pieces(attempts, backend, strategies, all);
  }
  // The leading attempt keeps its core: with equal priorities, it would take several times as long.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= first_leading && i < first_other) continue;
    all[i].nice = kBehindTheLeader;
    if (i >= first_other && first_other > first_leading) all[i].after = kHeadStart;
  }
  Limits limits = solvers.limits();
  limits.seconds = std::min(limits.seconds, strategies.deadline.left());
  RaceOptions options{limits, 0, strategies.to_the_end, solvers.progress()};
  // Two attempts for each core. The times of attempts differ so much that running more of them at
  // lower speed is faster than running them in sequence.
  const auto cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.slots = 2 * (strategies.jobs > 0 ? strategies.jobs : cores);
  Race outcome = race(all, options);
  reply.attempts.insert(reply.attempts.end(), outcome.reports.begin(), outcome.reports.end());
  if (strategies.to_the_end) require_agreement(question, reply.attempts);
  if (reply.verdict == Verdict::unknown) {
    reply.verdict = outcome.answer.verdict;
    reply.justification = grounds_of(outcome.answer);
    if (reply.verdict == Verdict::satisfiable) reply.witness = confirmed(question, outcome.answer);
  }
  return done();
}

Reply ask_at_once(const Question& question, const Strategies& strategies, const Portfolio& solvers,
                  bool is_folded) {
  Strategies whole = Strategies::none();
  whole.jobs = strategies.jobs;
  const bool is_searched = strategies.uses(Strategy::search);
  const double seconds = !is_searched ? budget::kUnsearchedAtOnce
                         : is_folded  ? budget::kFoldedAtOnce
                                      : budget::kAtOnce;
  whole.deadline = earlier(strategies.deadline, Deadline::in(seconds));
  return ask(question, whole, solvers);
}

}  // namespace mmaspec
