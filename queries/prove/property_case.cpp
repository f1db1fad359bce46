#include "queries/prove/property_case.h"

#include <algorithm>

#include "queries/ask/dot_question.h"
#include "queries/counterexamples/bias.h"
#include "queries/draw/fitting.h"
#include "queries/draw/samples.h"
#include "queries/draw/shrink.h"
#include "solver/ticker.h"
#include "spec/lang/bounds.h"

namespace mmaspec {

PropertyCase::PropertyCase(const Property& property, const Subject& subject,
                           const ProveOptions& options, int which)
    : property_(property),
      subject_(subject),
      options_(options),
      which_(which),
      condition_(options.where, subject.formats()) {
  const Graph::Building building(graph_);
  stated_ = state_case(property, subject, options.where, which);
  const DotFormats& f = subject.formats();
  runner_.emplace(subject.first.algorithm, f);
  if (const auto other = property.other(subject)) {
    other_.emplace(other->algorithm, other->formats);
  }
  std::vector<NodeId> operands;
  for (const Run& r : stated_.statement.runs) {
    for (const auto* all :
         {&r.operands.a, &r.operands.b, &r.operands.scale_a, &r.operands.scale_b}) {
      for (Int x : *all) operands.push_back(x.id());
    }
    operands.push_back(r.operands.c.id());
  }
  operands_.emplace(graph_, operands);
  scratch_ = operands_->scratch();
}

bool PropertyCase::is_one_expression() const {
  return mmaspec::is_one_expression({&graph_, stated_.conditions});
}

Question PropertyCase::question() {
  Question q{&graph_, stated_.conditions};
  std::optional<Fitting> fitting;
  if (options_.where) {
    std::map<std::string, const Format*> others;
    for (const Extra& e : property_.extras(subject_)) others[e.name] = e.format;
    fitting.emplace(graph_, stated_.premises, input_formats(graph_, subject_.formats(), others), 0);
  }
  q.candidates = [this, fitting](unsigned seed) -> Candidates {
    return [this, random = Random(seed), extras = property_.extras(subject_),
            sampler = Sampler(subject_.formats(), property_.inputs(), seed),
            places = InputPlaces(graph_),
            fit = fitting ? std::optional(fitting->reseeded(seed))
                          : std::nullopt](Lanes& lanes) mutable {
      for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
        BuildBy::spend(lanes.rows());
        Candidate candidate{sampler.next()};
        for (const Extra& e : extras) {
          candidate.extras[e.name] = Integer(random()) % power_of_two(e.bits);
        }
        if (is_conversion(subject_.formats())) {  // the regions of properties are those of products
          bias_conversion(subject_.formats(), candidate, random);
        } else {
          counterexamples_of(property_).bias_sample(subject_, which_, candidate, random);
        }
        const InputValues values = places(candidate.values, candidate.extras);
        for (std::size_t i = 0; i < values.size(); ++i) {
          lanes[i][lane] = values[i].convert_to<std::uint64_t>();
        }
      }
      if (fit) fit->fill(lanes);
    };
  };
  if (!stated_.statement.known.empty()) {
    q.given = [this](Substitution& copy) {
      for (const auto& [node, value] : stated_.statement.known) {
        if (!copy.determines(node)) copy.replace(node, Int(value));
      }
      return std::vector<Bool>();
    };
  }
  q.compared = ComparedRuns{&graph_,
                            stated_.statement.runs.front().d.id(),
                            stated_.statement.runs.back().d.id(),
                            conjuncts(graph_, stated_.premises),
                            {},
                            subject_.formats().d};
  for (Bool b : stated_.statement.violated) q.compared->violated.push_back(b.id());
  q.restrictions = dot_restrictions(subject_.formats());
  q.cuts = stage_cuts(graph_, runs_of_statement());
  for (const auto& nodes : stated_.statement.cuts) q.cuts.push_back(havoc(graph_, nodes));
  return q;
}

/// The evaluations on numbers, by the exact evaluator and separate models; empty if the inputs do
/// not belong to the class.
std::vector<RunValues> PropertyCase::runs(const InputValues& inputs) {
  operands_->evaluate(inputs, scratch_);
  const DotFormats& f = subject_.formats();
  std::vector<RunValues> all;
  for (const Run& r : stated_.statement.runs) {
    const auto numbers = [&](const std::vector<Int>& nodes) {
      std::vector<Integer> values;
      for (Int x : nodes) values.push_back(scratch_[x.id()]);
      return values;
    };
    DotValues v{numbers(r.operands.a), numbers(r.operands.b), scratch_[r.operands.c.id()],
                numbers(r.operands.scale_a), numbers(r.operands.scale_b)};
    if (!belong(property_.inputs(), f, v)) return {};
    const Integer d = (r.of_second ? *other_ : *runner_).run(v);
    all.push_back({std::move(v), d});
  }
  for (std::size_t i = 0; i < runs_under_condition(property_, stated_.statement); ++i) {
    if (!condition_.holds(all[i].operands, all[i].d)) return {};
  }
  return all;
}

Question PropertyCase::premises() {
  Question q = question();
  q.conditions = stated_.premises;
  q.cuts.clear();
  return q;
}

DerivationGoal PropertyCase::claimed() {
  const Graph::Building building(graph_);
  return goal_of(question());
}

Question PropertyCase::condition() {
  Question q = question();
  // The class and the condition of the first evaluation.
  q.conditions = {stated_.premises.front()};
  if (!stated_.where.empty()) q.conditions.push_back(stated_.where.front());
  q.given = {};
  q.cuts.clear();
  return q;
}

bool PropertyCase::is_witness(const InputValues& inputs) {
  const std::vector<RunValues> all = runs(inputs);
  return !all.empty() && counterexamples_of(property_).violated(subject_, which_, all);
}

/// Simpler inputs that are still a witness.
InputValues PropertyCase::simplified(InputValues inputs, const Deadline& deadline,
                                     const Progress& progress) {
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
  Ticker ticker(progress, "simplifying the witness");
  const auto still = [&](const DotValues& v) {
    ticker.tick();
    return is_witness(input_values(graph_, v, extras));
  };
  if (!still(values)) return inputs;  // it depends on bits that its formats ignore
  for (int round = 0; round < (kinds.empty() ? 1 : 3); ++round) {
    values = shrink(f, std::move(values), still, 6000, deadline);
    for (const Extra& e : kinds) {
      if (e.format == nullptr) {
        std::map<std::string, Integer> tried = extras;
        tried[e.name] = 0;
        if (is_witness(input_values(graph_, values, tried))) extras = std::move(tried);
        continue;
      }
      extras[e.name] = shrink_one(
          *e.format, extras[e.name],
          [&](const Integer& x) {
            std::map<std::string, Integer> tried = extras;
            tried[e.name] = x;
            return is_witness(input_values(graph_, values, tried));
          },
          deadline);
    }
  }
  return input_values(graph_, values, extras);
}

std::vector<WitnessRun> PropertyCase::witness(const InputValues& inputs) {
  std::vector<WitnessRun> all;
  const std::vector<RunValues> values = runs(inputs);
  const auto other = property_.other(subject_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Run& r = stated_.statement.runs[i];
    all.push_back(
        {r.label, r.of_second ? *other : subject_.first, values[i].operands, values[i].d});
  }
  return all;
}

Runs PropertyCase::runs_of_statement() const {
  Runs runs{{}, false, subject_.formats().d, {}};
  for (const Run& r : stated_.statement.runs) {
    runs.results.push_back(r.d.id());
    runs.of_two_designs = runs.of_two_designs || r.of_second;
  }
  runs.of_two_designs = runs.of_two_designs && runs.results.size() == 2;
  runs.relation = [this](const StagePair& pair) { return property_.relation(pair); };
  return runs;
}

Reply PropertyCase::ask_solvers(const Strategies& strategies, const Portfolio& solvers) {
  const Graph::Building building(graph_);
  Question q = question();
  put_in_known_bits(q, graph_, stated_.where, solvers, strategies.deadline);
  const Runs runs = runs_of_statement();
  // The class, the condition, and the statement's premises on inputs.
  std::vector<NodeId> premises(
      stated_.premises.begin(),
      stated_.premises.end() - static_cast<std::ptrdiff_t>(stated_.statement.premises.size()));
  for (const auto* all : {&stated_.statement.premises, &stated_.statement.violated}) {
    for (Bool b : *all) {
      if (depends_on_inputs_alone(graph_, runs, b.id())) premises.push_back(b.id());
    }
  }
  return ask_in_stages(std::move(q), runs, premises, strategies, solvers);
}

}  // namespace mmaspec
