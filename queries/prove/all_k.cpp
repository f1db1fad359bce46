#include "queries/prove/all_k.h"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/stages.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

constexpr int kLongestStep = 1 << 16;  // products

/// Throws unless longer dot products with this name are chains of it.
void require_chain(const Instruction& instruction) {
  const auto* plan = instruction.algorithm.as<Composed>();
  if (plan != nullptr && plan->composition->step_k() == 0) {
    throw std::invalid_argument("--all-k: " + instruction.name() +
                                " is not a chain, because another K is another plan");
  }
}

/// Decides whether a step from one accumulator, of any pattern, can give two different results,
/// where all NaNs are equal.
class Step {
 public:
  Step(const Pair& pair, const DiffOptions& options, const Deadline& deadline,
       const Portfolio& solvers)
      : options_(options),
        solvers_(solvers),
        formats_(pair.first.formats),
        building_(graph_),
        joint_(build_miter(pair, Match::values)) {
    options_.strategies.deadline = deadline;
    options_.inputs = InputClass::any;
    // A finite c, because the class restricts only the other operands.
    DotOperands others = dot_inputs(formats_);
    others.c = 0;
    class_ = belong(options.inputs, formats_, others);
  }

  Reply ask() {
    const Int x = joint_.d_first;
    const Int y = joint_.d_second;
    Reply reply;
    if (x.same_as(y)) {
      reply.verdict = Verdict::unsatisfiable;
      reply.justification = Justification::one_expression();
      return reply;
    }
    const Bool no_number = is_nan(dot_inputs(formats_).c);
    for (const Int d : {x, y}) {
      Reply of_nan = asked({class_.id(), no_number.id()}, !is_nan(d));
      if (of_nan.verdict != Verdict::unsatisfiable) return of_nan;
    }
    const Difference any{{}, {}, {}, true};
    return asked({class_.id(), (!no_number).id()}, differ(any, *formats_.d, x, *formats_.d, y));
  }

 private:
  Bool is_nan(Int pattern) const { return unpack(*formats_.d, pattern).is_nan; }

  Reply asked(const std::vector<NodeId>& premises, Bool violated) {
    Question question{&graph_, premises};
    question.conditions.push_back(violated.id());
    question.candidates = [&](unsigned seed) {
      return draws(formats_, formats_, options_, nullptr, seed);
    };
    question.restrictions = dot_restrictions(formats_);
    const Runs runs{{joint_.d_first.id(), joint_.d_second.id()}, true, formats_.d, {}};
    question.cuts = stage_cuts(graph_, runs);
    return ask_in_stages(std::move(question), runs, premises, options_.strategies, solvers_);
  }

  DiffOptions options_;
  const Portfolio& solvers_;
  DotFormats formats_;
  Graph graph_;
  Graph::Building building_;
  Miter joint_;
  Bool class_ = true;
};

}  // namespace

AllK diff_for_all_k(const Instruction& first, const Instruction& second, const DiffOptions& options,
                    const Portfolio& solvers) {
  const auto start = std::chrono::steady_clock::now();
  const Deadline deadline =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  require_chain(first);
  require_chain(second);
  const long step = std::lcm(static_cast<long>(first.formats.k), second.formats.k);
  if (step > kLongestStep) {
    throw std::invalid_argument("--all-k: the least common K is " + std::to_string(step) +
                                ", more than " + std::to_string(kLongestStep));
  }
  DiffOptions one = options;
  one.pairing = {};
  one.pairing.chain = static_cast<int>(step);
  const Pair pair = pair_up(first, second, one.pairing);
  if (!(pair.first.formats == pair.second.formats) ||
      !(*pair.first.formats.c == *pair.first.formats.d)) {
    throw std::invalid_argument(
        "--all-k: both units must have the same formats, and c must have the format of d");
  }
  AllK all;
  all.step_k = static_cast<int>(step);
  Reply reply;
  try {
    const Deadline soon = deadline.part(budget::kStepOfInduction);
    const BuildBy bound(soon);
    reply = Step(pair, options, soon, solvers).ask();
  } catch (const OutOfTime& error) {
    reply.justification = Justification::none(error.what());
  }
  if (reply.verdict == Verdict::unsatisfiable) {
    all.result.verdict = Verdict::unsatisfiable;
    all.result.exhausted = true;
    all.result.justification = reply.justification;
    all.result.pair = pair;
    all.result.attempts = reply.attempts;
  } else {
    one.strategies.deadline = deadline;
    all.result = diff(first, second, one, solvers);
    all.result.attempts.insert(all.result.attempts.begin(), reply.attempts.begin(),
                               reply.attempts.end());
    if (all.result.verdict == Verdict::unsatisfiable) {
      // A chain may never reach that accumulator.
      all.result.verdict = Verdict::unknown;
      all.result.exhausted = false;
      all.result.justification = Justification::none(
          "they agree for K = " + std::to_string(step) +
          (reply.verdict == Verdict::satisfiable
               ? ", but a step differs for some accumulator, which a chain may not reach"
               : ", but it is undecided whether a step agrees for every accumulator: " +
                     reply.justification.how()));
    }
  }
  all.result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return all;
}

}  // namespace mmaspec
