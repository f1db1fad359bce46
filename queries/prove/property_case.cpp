#include "queries/prove/property_case.h"

#include <algorithm>

#include "queries/ask/dot_question.h"
#include "queries/draw/fitting.h"
#include "queries/draw/samples.h"
#include "queries/draw/shrink.h"
#include "solver/ticker.h"

namespace mmaspec {

PropertyCase::PropertyCase(const Property& property, const Subject& subject,
                           const ProveOptions& options, int which)
    : property_(property),
      subject_(subject),
      options_(options),
      which_(which),
      condition_(options.where, subject.formats()) {
  const Graph::Building building(graph_);
  statement_ = property.state(subject, which);
  const DotFormats& f = subject.formats();
  for (const Run& r : statement_.runs) {
    premises_.push_back(belong(property.inputs(), f, r.operands).id());
  }
  for (std::size_t i = 0; options.where && i < runs_under_condition(); ++i) {
    const Run& r = statement_.runs[i];
    where_.push_back(options.where(f, r.operands, r.d).id());
  }
  premises_.insert(premises_.end(), where_.begin(), where_.end());
  for (Bool b : statement_.premises) premises_.push_back(b.id());
  conditions_ = premises_;
  for (Bool b : statement_.violated) conditions_.push_back(b.id());
  runner_.emplace(subject.first.algorithm, f);
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
  operands_.emplace(graph_, operands);
  scratch_ = operands_->scratch();
}

/// Finds what the user's condition says of single operands.
void PropertyCase::fix_bits(const Deadline& deadline, const Portfolio& solvers) {
  if (!options_.where) return;
  const Graph::Building building(graph_);
  fixed_ = fixed_bits(graph_, where_, solvers, deadline);
}

bool PropertyCase::is_one_expression() const {
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [&](NodeId c) { return graph_[c].range.high == 0; });
}

Question PropertyCase::question() {
  Question q{&graph_, conditions_};
  std::optional<Fitting> fitting;
  if (options_.where) {
    std::map<std::string, const Format*> others;
    for (const Extra& e : property_.extras(subject_)) others[e.name] = e.format;
    fitting.emplace(graph_, premises_, input_formats(graph_, subject_.formats(), others), 0);
  }
  q.candidates = [this, fitting](unsigned seed) -> Candidates {
    return [this, random = Random(seed), extras = property_.extras(subject_),
            sampler = Sampler(subject_.formats(), property_.inputs(), seed),
            fit = fitting ? std::optional(fitting->reseeded(seed))
                          : std::nullopt](Lanes& lanes) mutable {
      for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
        Candidate candidate{sampler.next()};
        for (const Extra& e : extras) {
          candidate.extras[e.name] = Integer(random()) % power_of_two(e.bits);
        }
        property_.incline(subject_, which_, candidate, random);
        const InputValues values = input_values(graph_, candidate.values, candidate.extras);
        for (std::size_t i = 0; i < values.size(); ++i) {
          lanes[i][lane] = values[i].convert_to<std::uint64_t>();
        }
      }
      if (fit) fit->fill(lanes);
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
  if (subject_.second && statement_.runs.size() == 2) {
    q.cuts.push_back(set_free(
        graph_, shared_dominators(graph_, statement_.runs[0].d.id(), statement_.runs[1].d.id())));
  }
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
std::vector<RunValues> PropertyCase::runs(const InputValues& inputs) {
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
    const Integer d = (r.of_second ? *other_ : *runner_).run(v);
    all.push_back({std::move(v), d});
  }
  for (std::size_t i = 0; i < runs_under_condition(); ++i) {
    if (!condition_.holds(all[i].operands, all[i].d)) return {};
  }
  return all;
}

Question PropertyCase::premises() {
  Question q = question();
  q.conditions = premises_;
  q.cuts.clear();
  return q;
}

Question PropertyCase::condition() {
  Question q = question();
  // The first run's class and condition.
  q.conditions = {premises_.front()};
  if (!where_.empty()) q.conditions.push_back(where_.front());
  q.given = {};
  q.cuts.clear();
  return q;
}

std::size_t PropertyCase::runs_under_condition() const {
  return property_.under_condition().of == Conditioned::both ? statement_.runs.size() : 1;
}

bool PropertyCase::is_witness(const InputValues& inputs) {
  const std::vector<RunValues> all = runs(inputs);
  return !all.empty() && property_.violated(subject_, which_, all);
}

/// Simpler inputs that are a witness still.
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
  Ticker ticker(progress, "making the witness simple");
  const auto still = [&](const DotValues& v) {
    ticker.tick();
    return is_witness(input_values(graph_, v, extras));
  };
  if (!still(values)) return inputs;  // it needs bits that its formats ignore
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
    const Run& r = statement_.runs[i];
    all.push_back(
        {r.label, r.of_second ? *other : subject_.first, values[i].operands, values[i].d});
  }
  return all;
}

/// Relations between the two runs' stages, and the question with them put in.
std::vector<Lemma> PropertyCase::lemmas(const Deadline& deadline, const Portfolio& solvers,
                                        std::vector<AttemptReport>& attempts) {
  if (statement_.runs.size() != 2) return {};
  const std::size_t half = graph_.marks().size() / 2;
  std::vector<StagePair> pairs = stage_pairs(graph_, 0, half, 2 * half, *subject_.formats().d);
  // What is normalised follows from the sum, and says less: a cut there would lose that it is.
  std::erase_if(pairs, [](const StagePair& p) { return p.role == MarkRole::normalized; });
  const auto relation_of = [&](const StagePair& pair) { return property_.relation(pair); };
  std::vector<NodeId> premises(
      premises_.begin(), premises_.end() - static_cast<std::ptrdiff_t>(statement_.premises.size()));
  for (const auto* all : {&statement_.premises, &statement_.violated}) {
    for (Bool b : *all) {
      if (depends_on_inputs_alone(b.id(), pairs)) premises.push_back(b.id());
    }
  }
  Question base = question();
  base.conditions = premises;
  const Graph::Building building(graph_);
  return prove_lemmas(base, pairs, relation_of, deadline, solvers, attempts);
}

std::vector<NodeId> PropertyCase::marked(std::string_view stage) const {
  std::vector<NodeId> nodes;
  for (const Mark& m : graph_.marks()) {
    if (m.stage == stage && m.role != MarkRole::largest_exponent) nodes.push_back(m.node);
  }
  return nodes;
}

/// The sums of two designs that each make one.
std::optional<std::pair<NodeId, NodeId>> PropertyCase::two_sums() const {
  std::vector<NodeId> sums;
  for (const Mark& m : graph_.marks()) {
    if (m.role == MarkRole::sum) sums.push_back(m.node);
  }
  if (sums.size() != 2 || statement_.runs.size() != 2 || !statement_.runs[1].of_second) return {};
  return std::pair(sums[0], sums[1]);
}

/// One variable for both, where one is a power of two times the other.
void PropertyCase::cut_at_equal_sums(NodeId first, NodeId second, Substitution& copy) const {
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
std::vector<NodeId> PropertyCase::aligned_products() const {
  std::vector<NodeId> nodes;
  const auto& marks = graph_.marks();
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
    if (marks[i].stage == "align" && marks[i].role != MarkRole::largest_exponent &&
        marks[i + 1].stage == "align") {
      nodes.push_back(marks[i].node);
    }
  }
  return nodes;
}

bool PropertyCase::depends_on_inputs_alone(NodeId condition,
                                           const std::vector<StagePair>& pairs) const {
  const std::vector<NodeId> cone = graph_.cone({condition});
  return std::none_of(pairs.begin(), pairs.end(), [&](const StagePair& p) {
    return std::binary_search(cone.begin(), cone.end(), p.first) ||
           std::binary_search(cone.begin(), cone.end(), p.second);
  });
}

}  // namespace mmaspec
