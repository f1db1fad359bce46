#include "queries/prove.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "queries/design.h"
#include "queries/dot_question.h"
#include "queries/fixed_bits.h"
#include "queries/lemmas.h"
#include "queries/samples.h"
#include "queries/shrink.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLeastSearch = 30'000'000;  // operations, for each case

/// One case of a property, built.
class Case {
 public:
  Case(const Property& property, const Subject& subject, const ProveOptions& options, int which)
      : property_(property), subject_(subject), options_(options), which_(which) {
    const Graph::Building building(graph_);
    statement_ = property.state(subject, which);
    const DotFormats& f = subject.formats();
    for (const Run& r : statement_.runs) {
      premises_.push_back(belong(property.inputs(), f, r.operands).id());
    }
    if (options.where) {
      premises_.push_back(options.where(f, statement_.runs[0].operands, statement_.runs[0].d).id());
    }
    conditions_ = premises_;
    for (Bool b : statement_.violated) conditions_.push_back(b.id());
    model_.emplace(subject.first.algorithm, f);
    if (const auto other = property.other(subject)) {
      other_.emplace(other->algorithm, other->formats);
    }
    std::vector<NodeId> operands;
    for (const Run& r : statement_.runs) {
      for (const auto* all :
           {&r.operands.a, &r.operands.b, &r.operands.scale_a, &r.operands.scale_b}) {
        for (Int x : *all) operands.push_back(x.id());
      }
      operands.push_back(r.operands.c.id());
    }
    if (options.where) operands.push_back(premises_.back());
    operands_.emplace(graph_, operands);
    scratch_ = operands_->scratch();
  }

  /// Finds what the user's condition says of single operands.
  void fix_bits(const Portfolio& solvers) {
    if (!options_.where) return;
    const Graph::Building building(graph_);
    fixed_ = fixed_bits(graph_, {premises_.back()}, solvers);
  }

  Graph& graph() { return graph_; }
  const Statement& statement() const { return statement_; }
  bool is_one_expression() const {
    return std::any_of(conditions_.begin(), conditions_.end(),
                       [&](NodeId c) { return graph_[c].range.high == 0; });
  }

  Question question() {
    Question q{&graph_, conditions_};
    q.candidates = [this](unsigned seed) -> Candidates {
      return
          [this, random = Random(seed), extras = property_.extras(subject_),
           sampler = Sampler(subject_.formats(), property_.inputs(), seed)](Lanes& lanes) mutable {
            for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
              Candidate candidate{sampler.next()};
              for (const Extra& e : extras) {
                candidate.extras[e.name] =
                    Integer(random()) % power_of_two(static_cast<unsigned>(e.format->storage_bits));
              }
              property_.incline(subject_, which_, candidate, random);
              if (options_.where) suit_condition(candidate.values, random);
              const InputValues values = input_values(graph_, candidate.values, candidate.extras);
              for (std::size_t i = 0; i < values.size(); ++i) {
                lanes[i][lane] = values[i].convert_to<std::uint64_t>();
              }
            }
          };
    };
    if (!statement_.known.empty() || !fixed_.empty()) {
      q.given = [this](Substitution& copy) {
        put_in(fixed_, graph_, copy);
        for (const auto& [node, value] : statement_.known) {
          if (!copy.determines(node)) copy.replace(node, Int(value));
        }
        return std::vector<Bool>();
      };
    }
    q.restrictions = dot_restrictions(subject_.formats());
    q.cuts = {set_free(graph_, marked("sum")), set_free(graph_, marked("align")),
              set_free_within_reach(graph_, aligned_products())};
    for (const auto& nodes : statement_.cuts) q.cuts.push_back(set_free(graph_, nodes));
    if (const auto sums = two_sums()) {
      q.cuts.insert(q.cuts.begin(), [this, sums](Substitution& copy) {
        cut_at_equal_sums(sums->first, sums->second, copy);
        return std::vector<Bool>();
      });
    }
    return q;
  }

  /// The runs on numbers, by the exact evaluator and models of their own; empty where the inputs
  /// are not of the class.
  std::vector<RunValues> runs(const InputValues& inputs) {
    operands_->evaluate(inputs, scratch_);
    const DotFormats& f = subject_.formats();
    std::vector<RunValues> all;
    for (const Run& r : statement_.runs) {
      const auto numbers = [&](const std::vector<Int>& nodes) {
        std::vector<Integer> values;
        for (Int x : nodes) values.push_back(scratch_[x.id()]);
        return values;
      };
      DotValues v{numbers(r.operands.a), numbers(r.operands.b), scratch_[r.operands.c.id()],
                  numbers(r.operands.scale_a), numbers(r.operands.scale_b)};
      if (!belong(property_.inputs(), f, v)) return {};
      const Integer d = (r.of_second ? *other_ : *model_).run(v);
      all.push_back({std::move(v), d});
    }
    if (options_.where && scratch_[premises_.back()] == 0) return {};
    return all;
  }

  bool is_witness(const InputValues& inputs) {
    const std::vector<RunValues> all = runs(inputs);
    return !all.empty() && property_.violated(subject_, which_, all);
  }

  /// Simpler inputs that are a witness still.
  InputValues simplified(InputValues inputs) {
    const DotFormats& f = subject_.formats();
    std::map<std::string, Integer> extras;
    const std::vector<Extra> kinds = property_.extras(subject_);
    const auto read_extra = [&](const Extra& e) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (graph_.input_name(graph_.inputs()[i]) == e.name) return inputs[i];
      }
      return Integer(0);
    };
    for (const Extra& e : kinds) extras[e.name] = read_extra(e);
    DotValues values = dot_values(graph_, f, inputs);
    const auto still = [&](const DotValues& v) {
      return is_witness(input_values(graph_, v, extras));
    };
    if (!still(values)) return inputs;  // it needs bits that its formats ignore
    for (int round = 0; round < (kinds.empty() ? 1 : 3); ++round) {
      values = shrink(f, std::move(values), still, 6000);
      for (const Extra& e : kinds) {
        extras[e.name] = shrink_one(*e.format, extras[e.name], [&](const Integer& x) {
          std::map<std::string, Integer> tried = extras;
          tried[e.name] = x;
          return is_witness(input_values(graph_, values, tried));
        });
      }
    }
    return input_values(graph_, values, extras);
  }

  std::vector<WitnessRun> witness(const InputValues& inputs) {
    std::vector<WitnessRun> all;
    const std::vector<RunValues> values = runs(inputs);
    const auto other = property_.other(subject_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Run& r = statement_.runs[i];
      all.push_back(
          {r.label, r.of_second ? *other : subject_.first, values[i].operands, values[i].d});
    }
    return all;
  }

  /// Relations between the two runs' stages, and the question with them put in.
  std::vector<Lemma> lemmas(double seconds, const Portfolio& solvers,
                            std::vector<AttemptReport>& attempts) {
    if (statement_.runs.size() != 2) return {};
    const std::size_t half = graph_.marks().size() / 2;
    std::vector<StagePair> pairs = stage_pairs(graph_, 0, half, 2 * half, *subject_.formats().d);
    // What is normalised follows from the sum, and says less: a cut there would lose that it is.
    std::erase_if(pairs, [](const StagePair& p) { return p.name.starts_with("normalize"); });
    const bool negated = property_.name() == "negation-symmetric";
    const bool ordered = property_.name().starts_with("monotone");
    const bool doubled = property_.name() == "scale-invariant";
    const auto relation_of = [&](const StagePair& pair) {
      const bool pattern = pair.format != nullptr;
      if (negated && pattern) return Relation::negated_pattern;
      if (negated && !pair.name.ends_with("e_max")) return Relation::negated;
      if (doubled && pair.name.ends_with("e_max")) return Relation::next;
      return ordered && pattern ? Relation::ordered : Relation::equal;
    };
    std::vector<NodeId> premises = premises_;
    for (Bool b : statement_.violated) {
      if (depends_on_inputs_alone(b.id(), pairs)) premises.push_back(b.id());
    }
    Question base = question();
    base.conditions = premises;
    const Graph::Building building(graph_);
    return prove_lemmas(base, pairs, relation_of, seconds, solvers, attempts);
  }

 private:
  /// What conditions often ask for, and drawn operands seldom are: no negative number, c = 0.
  void suit_condition(DotValues& values, Random& random) const {
    const DotFormats& f = subject_.formats();
    const auto clear_sign = [](const Format& format, Integer& x) {
      if (format.has_sign) x %= power_of_two(static_cast<unsigned>(format.sign_bit()));
    };
    if (random() % 2 == 0) {
      for (Integer& x : values.a) clear_sign(*f.a, x);
      for (Integer& x : values.b) clear_sign(*f.b, x);
      clear_sign(*f.c, values.c);
    }
    if (random() % 4 == 0) values.c = 0;
  }

  std::vector<NodeId> marked(std::string_view stage) const {
    std::vector<NodeId> nodes;
    for (const Mark& m : graph_.marks()) {
      if (m.stage == stage && m.label != "e_max") nodes.push_back(m.node);
    }
    return nodes;
  }

  /// The sums of two designs that each make one.
  std::optional<std::pair<NodeId, NodeId>> two_sums() const {
    std::vector<NodeId> sums;
    for (const Mark& m : graph_.marks()) {
      if (m.stage == "sum" && m.label == "sum") sums.push_back(m.node);
    }
    if (sums.size() != 2 || statement_.runs.size() != 2 || !statement_.runs[1].of_second) return {};
    return std::pair(sums[0], sums[1]);
  }

  /// One variable for both, where one is a power of two times the other.
  void cut_at_equal_sums(NodeId first, NodeId second, Substitution& copy) const {
    constexpr unsigned kMostPlaces = 300;
    const Int x = copy.integer(first);
    const Int y = copy.integer(second);
    const auto variable = [](Int like) {
      const Range& r = like.range();
      return input("free sum", std::max(bit_length(r.high - r.low), 1U)) + r.low;
    };
    for (unsigned places = 0; places <= kMostPlaces; ++places) {
      const Integer factor = power_of_two(places);
      if (y.same_as(x * factor)) {
        const Int sum = variable(x);
        copy.replace(first, sum);
        copy.replace(second, sum * factor);
        return;
      }
      if (x.same_as(y * factor)) {
        const Int sum = variable(y);
        copy.replace(first, sum * factor);
        copy.replace(second, sum);
        return;
      }
    }
  }

  /// What alignment leaves of products: c is the last term of each sum.
  std::vector<NodeId> aligned_products() const {
    std::vector<NodeId> nodes;
    const auto& marks = graph_.marks();
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      if (marks[i].stage == "align" && marks[i].label != "e_max" && marks[i + 1].stage == "align") {
        nodes.push_back(marks[i].node);
      }
    }
    return nodes;
  }

  bool depends_on_inputs_alone(NodeId condition, const std::vector<StagePair>& pairs) const {
    const std::vector<NodeId> cone = graph_.cone({condition});
    return std::none_of(pairs.begin(), pairs.end(), [&](const StagePair& p) {
      return std::binary_search(cone.begin(), cone.end(), p.first) ||
             std::binary_search(cone.begin(), cone.end(), p.second);
    });
  }

  const Property& property_;
  const Subject& subject_;
  const ProveOptions& options_;
  int which_;
  Graph graph_;
  Statement statement_;
  std::vector<NodeId> premises_;
  std::vector<FixedBits> fixed_;
  std::vector<NodeId> conditions_;
  std::optional<DotModel> model_;
  std::optional<DotModel> other_;
  std::optional<ExactEvaluator> operands_;
  ExactEvaluator::Values scratch_;
};

/// All cases of a property of one subject.
class Prover {
 public:
  Prover(const Property& property, const Subject& subject, const ProveOptions& options,
         const Portfolio& solvers)
      : property_(property), subject_(subject), options_(options), solvers_(solvers) {}

  Proof run() {
    const std::string reason = property_.not_applicable(subject_);
    if (!reason.empty()) {
      proof_.outcome = Outcome::not_applicable;
      proof_.how = reason;
      return finished();
    }
    const Strategies& strategies = options_.strategies;
    // Who wants a second solver's word does not want an argument.
    const bool argue = strategies.steps && !options_.confirm;
    const std::string because = argue ? property_.holds_because(as_asked()) : "";
    if (because.empty()) return run_cases();
    if (strategies.to_the_end) proof_ = run_cases();
    if (proof_.outcome == Outcome::refuted) {
      throw Contradiction("its steps say that " + property_.name() + " holds (" + because +
                          "), and an input refutes it");
    }
    proof_.outcome = Outcome::proved;
    proof_.how = "by its steps: " + because;
    proof_.cases = proof_.cases_proved = property_.cases(subject_);
    return finished();
  }

 private:
  /// The subject with what the user's condition says of its factors.
  Subject as_asked() const {
    Subject subject = subject_;
    if (!options_.where) return subject;
    const DotFormats& f = subject.formats();
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = input("d", static_cast<unsigned>(f.d->storage_bits));
    const NodeId where = options_.where(f, in, d).id();
    const auto keeps = [&](const Format& format, const std::vector<Int>& operands) {
      std::vector<NodeId> inputs;
      for (Int x : operands) inputs.push_back(x.id());
      return keep_to(graph, {where}, inputs, [&](const Integer& pattern) {
        const Decoded x = decode(format, pattern);
        return !x.is_finite() || x.significand == 0 ||
               bit_length(x.significand) >= static_cast<unsigned>(format.precision());
      });
    };
    subject.normal_factors = keeps(*f.a, in.a) && keeps(*f.b, in.b);
    return subject;
  }

  Proof run_cases() {
    proof_.cases = property_.cases(subject_);
    // What search finds ends it; so all cases are searched before any solver is asked.
    std::vector<int> open;
    for (int i = 0; i < proof_.cases; ++i) {
      Case c(property_, subject_, options_, i);
      if (c.is_one_expression()) {
        ++proof_.cases_proved;
      } else if (!options_.strategies.search || options_.strategies.to_the_end || !search(c, i)) {
        open.push_back(i);
      }
      if (proof_.outcome == Outcome::refuted) return finished();
    }
    proof_.no_solver = open.empty();
    std::string why;
    std::string how = "one expression; no solver was needed";
    for (const int i : open) {
      if (left() <= 0) {
        why = "out of time";
        break;
      }
      Case c(property_, subject_, options_, i);
      const Reply reply = ask_solvers(c);
      if (reply.verdict == Verdict::satisfiable) {
        refute(c, i, reply.witness, reply.how);
        return finished();
      }
      if (reply.verdict == Verdict::unsatisfiable) {
        ++proof_.cases_proved;
        how = reply.how;
      } else {
        why = reply.how;
      }
    }
    const bool all = proof_.cases_proved == proof_.cases;
    proof_.outcome = all ? Outcome::proved : Outcome::undecided;
    proof_.how = all ? how : why;
    return finished();
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double left() const {
    return std::min(solvers_.limits().seconds, options_.strategies.seconds) - elapsed();
  }

  Proof finished() {
    proof_.seconds = elapsed();
    return std::move(proof_);
  }

  bool search(Case& c, int which) {
    Strategies s = Strategies::none();
    s.search = true;
    s.seed = options_.strategies.seed;
    // Many cases share what one has.
    s.search_work = std::max(
        options_.strategies.search_work / static_cast<std::size_t>(proof_.cases), kLeastSearch);
    Question question = c.question();
    const Reply reply = ask(question, s, nobody_);
    add(reply.attempts);
    if (reply.verdict != Verdict::satisfiable) return false;
    refute(c, which, reply.witness, reply.how);
    return true;
  }

  Reply ask_solvers(Case& c) {
    Strategies s = options_.strategies;
    if (!s.to_the_end) s.search_work = 0;  // all cases were searched
    c.fix_bits(solvers_);
    Question question = c.question();
    std::vector<Lemma> lemmas;
    if (s.cut) {
      lemmas = c.lemmas(left() / 2, solvers_, proof_.attempts);
      if (!lemmas.empty()) {
        const Graph& graph = c.graph();
        const auto cut = [&graph, &lemmas](Substitution& copy) {
          return apply(lemmas, true, graph, copy);
        };
        question.cuts.insert(question.cuts.begin(), cut);
      }
    }
    s.seconds = left();
    Reply reply = ask(question, s, solvers_);
    add(reply.attempts);
    if (reply.verdict == Verdict::unsatisfiable && options_.confirm && !confirm(question, reply)) {
      reply.verdict = Verdict::unknown;
      reply.how = "no second solver confirmed the proof by " + reply.how;
    }
    return reply;
  }

  /// Has the solvers that did not answer agree.
  bool confirm(const Question& question, const Reply& reply) {
    const std::string other = reply.how.find("cvc5") != std::string::npos ? "z3" : "cvc5";
    Strategies s = options_.strategies;
    s.search = s.restrict = false;
    const Reply second = ask(question, s, Portfolio(other, solvers_.limits()));
    add(second.attempts);
    if (second.verdict == Verdict::satisfiable) {
      throw Contradiction(reply.how + " proved what " + second.how + " refutes");
    }
    if (second.verdict == Verdict::unsatisfiable) proof_.confirmed_by = second.how;
    return second.verdict == Verdict::unsatisfiable;
  }

  void refute(Case& c, int which, InputValues inputs, const std::string& how) {
    if (!c.is_witness(inputs)) {
      std::string text = how + " found a witness that the numbers contradict:";
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        text += "\n  " + c.graph().input_name(c.graph().inputs()[i]) + " = 0x" + to_hex(inputs[i]);
      }
      throw Contradiction(text);
    }
    if (options_.shrink) inputs = c.simplified(std::move(inputs));
    proof_.outcome = Outcome::refuted;
    proof_.how = how;
    proof_.of = property_.case_name(subject_, which);
    proof_.witness = c.witness(inputs);
  }

  void add(const std::vector<AttemptReport>& attempts) {
    proof_.attempts.insert(proof_.attempts.end(), attempts.begin(), attempts.end());
  }

  const Property& property_;
  const Subject& subject_;
  const ProveOptions& options_;
  const Portfolio& solvers_;
  const Portfolio nobody_{std::vector<std::unique_ptr<Backend>>(), Limits{}};
  const Clock::time_point start_ = Clock::now();
  Proof proof_;
};

/// The largest K for which the property is decided, the products beyond it zero.
void decide_smaller(const Property& property, const Subject& subject, const ProveOptions& options,
                    const Portfolio& solvers, Proof& proof) {
  if (subject.formats().scale != nullptr || subject.second) return;
  ProveOptions quick = options;
  quick.strategies.seconds = std::min(10.0, solvers.limits().seconds / 4);
  for (int k = 1; k < subject.formats().k; k *= 2) {
    Subject smaller = subject;
    smaller.first = shortened(subject.first, k);
    const Proof p = Prover(property, smaller, quick, solvers).run();
    if (p.outcome != Outcome::proved) break;
    proof.smaller = "proved if only k < " + std::to_string(k) + " are not zero (" + p.how + ")";
  }
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
      return "proved";
    case Outcome::refuted:
      return "refuted";
    case Outcome::undecided:
      return "undecided";
    case Outcome::not_applicable:
      return "not applicable";
  }
  return "";
}

Subject subject_of(const Instruction& first, const std::optional<Instruction>& second) {
  if (!second) return {first};
  Pair pair = pair_up(first, *second, {});
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  if (!(*x.a == *y.a && *x.b == *y.b && *x.c == *y.c && *x.d == *y.d)) {
    throw std::invalid_argument("their formats differ; 'mmaspec diff' compares such");
  }
  return {std::move(pair.first), std::move(pair.second)};
}

Proof prove(const Property& property, const Subject& subject, const ProveOptions& options,
            const Portfolio& solvers) {
  Proof proof = Prover(property, subject, options, solvers).run();
  if (proof.outcome == Outcome::undecided && options.smaller) {
    decide_smaller(property, subject, options, solvers, proof);
  }
  return proof;
}

Tightest tightest(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers) {
  Tightest result;
  const std::vector<Rational> all = property.parameters(subject);
  if (all.empty()) throw std::invalid_argument(property.name() + " has no number to be found");
  const std::string reason = property.not_applicable(subject);
  if (!reason.empty()) {
    result.refutation.outcome = result.proof.outcome = Outcome::not_applicable;
    result.refutation.how = result.proof.how = reason;
    return result;
  }
  const auto start = Clock::now();
  const double limit = std::min(solvers.limits().seconds, options.strategies.seconds);
  const auto left = [&] {
    return limit - std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Portfolio nobody{std::vector<std::unique_ptr<Backend>>(), Limits{}};
  const auto ask_at = [&](std::size_t i, bool by_search_alone, double seconds) {
    Subject at = subject;
    at.parameter = all[i];
    ProveOptions o = options;
    o.strategies.seconds = seconds;
    if (!by_search_alone) o.strategies.search = false;
    Proof p = Prover(property, at, o, by_search_alone ? nobody : solvers).run();
    const Outcome outcome = p.outcome;
    if (outcome == Outcome::refuted) {
      result.refuted = all[i];
      result.refutation = std::move(p);
    } else if (outcome == Outcome::proved || !result.proved) {
      if (outcome == Outcome::proved) result.proved = all[i];
      result.proof = std::move(p);
    }
    return outcome;
  };
  // Search alone finds the largest that it can refute; what expressions decide, it need not.
  std::size_t low = 0;            // all before it are refuted
  std::size_t high = all.size();  // from it on all are proved
  std::size_t open = high;        // from it on search finds nothing
  while (low < open && left() > 0) {
    const std::size_t middle = low + (open - low) / 2;
    const Outcome outcome = ask_at(middle, true, left());
    if (outcome == Outcome::refuted) {
      low = middle + 1;
    } else {
      open = middle;
      if (outcome == Outcome::proved) high = std::min(high, middle);
    }
  }
  // Solvers: the next one, or, where that stays open, larger ones until one is proved.
  for (std::size_t step = 1; low < high && left() > 0;) {
    const std::size_t at = std::min(low + step - 1, high - 1);
    const Outcome outcome = ask_at(at, false, step == 1 ? left() / 3 : left() / 2);
    if (outcome == Outcome::refuted) {
      low = at + 1;
      step = 1;
    } else if (outcome == Outcome::proved) {
      high = at;
      if (step > 1) break;  // those below it stayed open
    } else {
      if (at + 1 >= high) break;
      step *= 4;
    }
  }
  return result;
}

}  // namespace mmaspec
