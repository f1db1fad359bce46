#include "hardware/rtl/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "encoder/encode.h"
#include "hardware/rtl/cases/case_split.h"
#include "hardware/rtl/stage_names.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/ask/search.h"
#include "queries/draw/fitting.h"
#include "queries/draw/shrink.h"
#include "queries/prove/diff.h"
#include "queries/values/distance.h"
#include "solver/ask.h"
#include "util/split_mix.h"

namespace mmaspec::rtl {
namespace {

/// Number of samples that suggest equal terms, and number of operations of the first search.
constexpr std::size_t kSamples = 256;
constexpr std::size_t kSearchWork = 1'000'000'000;

/// Share of the time for finding bits of operands that the premises fix.
constexpr double kFixedShare = 0.1;

/// Shares of the remaining time: for the unchanged formula, for internal equivalence points, and
/// for the formula after them; the rest is for parts of the question.
constexpr double kPlainShare = 0.05;
constexpr double kPlainSeconds = 4;  // at most: longer questions are mostly decided by equivalence
                                     // points
constexpr double kSweepShare = 0.75;
constexpr double kCasesShare = 0.85;

/// Before these, a short attempt with equivalence points, for sides of at most this size.
constexpr double kQuickShare = 0.05;
constexpr double kQuickSeconds = 1;
constexpr std::size_t kQuickNodes = 5'000;
constexpr double kFinalShare = 0.6;

/// Number of attempts to find simpler operands for the witness.
constexpr int kTrials = 20000;

DotValues values_of(const DotFormats& f, const InputValues& inputs) {
  auto next = inputs.begin();
  const auto take = [&](int count) {
    std::vector<Integer> values(next, next + count);
    next += count;
    return values;
  };
  DotValues v;
  v.a = take(f.k);
  v.b = take(f.k);
  v.c = take(1)[0];
  v.scale_a = take(f.scales());
  v.scale_b = take(f.scales());
  return v;
}

/// Bits that the premises fix, by the name of the input.
using FixedByName = std::map<std::string, KnownBits>;

/// Both sides in one graph.
class Sides {
 public:
  /// Products from index `products` are +0 times +0. `fixed`: bits that the premises fix, which are
  /// constants on both sides.
  Sides(const RtlDesign& design, const Instruction& specification, const CheckOptions& options,
        int products, const FixedByName& fixed = {})
      : building_(graph_) {
    const DotFormats& f = specification.formats;
    DotOperands inputs = design.with_constants(dot_inputs(f));
    for (int k = products; k < f.k; ++k) {
      inputs.a[static_cast<std::size_t>(k)] = inputs.b[static_cast<std::size_t>(k)] = 0;
    }
    const DotOperands in = with_fixed(inputs, fixed);
    expected_ = specification.algorithm.build(f, in).id();
    names_.emplace(graph_, expected_);
    const Int expected = Int::of(expected_);
    const Int found = design.build_determined(in, &signals_);
    found_ = found.id();
    Bool differ = expected != found;
    if (options.any_nan || !specification.canonical_nan) {
      differ = differ && !(unpack(*f.d, expected).is_nan && unpack(*f.d, found).is_nan);
    }
    premises_.push_back(belong(options.inputs, f, inputs).id());
    if (options.where) premises_.push_back(options.where(f, inputs, expected).id());
    conditions_ = premises_;
    conditions_.push_back(differ.id());
  }

  Graph& graph() { return graph_; }
  NodeId expected() const { return expected_; }
  NodeId differ() const { return conditions_.back(); }
  const std::vector<NodeId>& premises() const { return premises_; }
  const std::vector<NodeId>& conditions() const { return conditions_; }
  const Signals& signals() const { return signals_; }
  const StageNames& names() const { return *names_; }

 private:
  DotOperands with_fixed(DotOperands operands, const FixedByName& fixed) const {
    const auto put_in = [&](Int& x) {
      const Node& node = graph_[x.id()];
      if (node.op != Op::input) return;
      const auto it = fixed.find(graph_.input_name(x.id()));
      if (it != fixed.end()) x = with_fixed_bits(it->second, x, node.width);
    };
    for (auto* list : {&operands.a, &operands.b, &operands.scale_a, &operands.scale_b}) {
      for (Int& x : *list) put_in(x);
    }
    put_in(operands.c);
    return operands;
  }

  Graph graph_;
  const Graph::Building building_;
  NodeId expected_ = 0;
  NodeId found_ = 0;
  Signals signals_;
  std::optional<StageNames> names_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> conditions_;
};

class Checking {
 public:
  Checking(const std::shared_ptr<const RtlDesign>& design, const Instruction& specification,
           const CheckOptions& options, const Portfolio& solvers)
      : design_(*design),
        specification_(specification),
        options_(options),
        solvers_(solvers),
        expected_(specification.algorithm, specification.formats),
        found_(design),
        where_(options.where, specification.formats) {}

  void run(CheckResult& result, const Deadline& deadline) {
    const DotFormats& f = specification_.formats;
    Strategies strategies = options_.strategies;
    if (options_.where || options_.inputs != InputClass::any) {
      Sides sides(design_, specification_, options_, f.k);
      Graph& graph = sides.graph();
      for (const KnownBits& b :
           fixed_bits(graph, sides.premises(), solvers_, deadline.part(kFixedShare))) {
        fixed_[graph.input_name(b.input)] = b;
      }
    }
    Sides sides(design_, specification_, options_, f.k, fixed_);
    const std::optional<Fitting> fitting = fitting_of(sides);
    Question question = question_of(sides, fitting);

    // A result that depends on something else is not wrong.
    strategies.deadline = deadline;
    undecided_dependence(design_, strategies.only({Strategy::search}), no_solvers());
    strategies.search_work = std::max(strategies.search_work, kSearchWork);
    if (!is_one_expression(question) && strategies.uses(Strategy::search)) {
      const Reply found = ask(question, strategies.only({Strategy::search}), no_solvers());
      add_attempts(result, found);
      if (found.verdict == Verdict::satisfiable) {
        return witness(result, values_of(f, found.witness), found.justification, deadline);
      }
    }
    strategies.deadline = deadline.part(0.3);
    const auto doubt = undecided_dependence(design_, strategies, solvers_);
    if (doubt) {
      result.justification = Justification::none(*doubt);
      result.how = *doubt;
      return;
    }
    decide(result, sides, question, deadline, true);
    if (result.verdict == Verdict::unknown) prove_parts(result, deadline);
    if (result.verdict == Verdict::unsatisfiable && options_.where) {
      Question premises = question;
      premises.conditions = sides.premises();
      const Verdict any = is_satisfiable(premises, options_.strategies.seed, deadline, solvers_);
      result.vacuity = any == Verdict::satisfiable     ? Vacuity::none
                       : any == Verdict::unsatisfiable ? Vacuity::no_such_input
                                                       : Vacuity::unknown;
    }
  }

 private:
  std::optional<Fitting> fitting_of(Sides& sides) const {
    if (!options_.where) return std::nullopt;
    return std::optional<Fitting>(std::in_place, sides.graph(), sides.premises(),
                                  input_formats(sides.graph(), specification_.formats), 0U);
  }

  Question question_of(Sides& sides, const std::optional<Fitting>& fitting) const {
    Question question{&sides.graph(), sides.conditions()};
    DiffOptions options;
    options.inputs = options_.inputs;
    options.where = options_.where;
    question.candidates = [this, options, &fitting](unsigned seed) -> Candidates {
      Candidates drawn = draws(specification_.formats, specification_.formats, options,
                               fitting ? &*fitting : nullptr, seed);
      return [this, drawn, random = SplitMix(seed)](Lanes& lanes) mutable {
        drawn(lanes);
        if (!options_.where) saturate(lanes, random);
      };
    };
    question.drawing = 12;
    question.restrictions = dot_restrictions(specification_.formats);
    return question;
  }

  /// In every eighth lane the fractions of all factors are ones except for a few bits, their
  /// exponents are equal, and c has a similar one: these are the largest sums, which need all bits
  /// of an adder.
  void saturate(Lanes& lanes, SplitMix& random) const {
    const DotFormats& f = specification_.formats;
    const auto k = static_cast<std::size_t>(f.k);
    for (std::size_t lane = 0; lane < lanes.lanes(); lane += 8) {
      const std::uint64_t flips = random();
      for (std::size_t i = 0; i <= 2 * k; ++i) {
        const Format& format = i < k ? *f.a : i < 2 * k ? *f.b : *f.c;
        const int low = format.ignored_low_bits;
        const int fraction = format.fraction_bits;
        const int field = format.bias + (i == 2 * k ? random.between(-10, 2) : 0);
        const std::uint64_t ones = (std::uint64_t{1} << fraction) - 1;
        const std::uint64_t flipped =
            i == 2 * k ? random() & ones
            : random.one_in(3)
                ? random() & random() & ones  // NOLINT(misc-redundant-expression): few bits
                : 0;
        std::uint64_t pattern = (static_cast<std::uint64_t>(field) << fraction) | (ones ^ flipped);
        if ((flips & 7) == 0 && i % k == (flips >> 8) % k && format.sign_bit() >= 0) {
          pattern |= std::uint64_t{1} << (format.sign_bit() - low);
        }
        if (format.exponent_bits > 0 && field >= 0 && field < (1 << format.exponent_bits)) {
          lanes[i][lane] = pattern << low;
        }
      }
    }
  }

  static void add_attempts(CheckResult& result, const Reply& reply) {
    result.attempts.insert(result.attempts.end(), reply.attempts.begin(), reply.attempts.end());
  }

  /// Decides by all inputs if there are few; then by a short attempt with equivalence points; then
  /// by the unchanged formula for some time; then with equivalence points.
  void decide(CheckResult& result, Sides& sides, const Question& question, const Deadline& deadline,
              bool is_whole) {
    Strategies strategies = options_.strategies;
    if (strategies.uses(Strategy::enumerate)) {
      const Enumeration all(question, solvers_, deadline);
      if (all.is_possible()) return enumerate(result, sides, all, deadline, is_whole);
    }
    if (sides.graph().cone(question.conditions).size() <= kQuickNodes) {
      const Deadline soon = earlier(deadline.part(kQuickShare), Deadline::in(kQuickSeconds));
      sweep(result, sides, question, soon, is_whole);
      if (result.verdict != Verdict::unknown) return;
    }
    strategies.search_work = 0;
    strategies.set(Strategy::search, false);
    strategies.deadline = earlier(deadline.part(kPlainShare), Deadline::in(kPlainSeconds));
    const Reply plain = ask(question, strategies, solvers_);
    if (is_whole) add_attempts(result, plain);
    if (plain.verdict != Verdict::unknown) {
      return conclude(result, plain.verdict, plain.justification, plain.witness, deadline);
    }
    result.justification = plain.justification;
    if (is_whole && is_fused_multiply_add()) {
      by_cases(result, sides, question, deadline.part(kCasesShare));
      if (result.verdict != Verdict::unknown) return;
    }
    sweep(result, sides, question, deadline, is_whole);
  }

  /// Whether operands have the formats that prove_by_cases() divides into classes.
  bool is_fused_multiply_add() const {
    const DotFormats& f = specification_.formats;
    return f.k == 1 && f.scale == nullptr && can_split(*f.a) && can_split(*f.b) && can_split(*f.c);
  }

  void by_cases(CheckResult& result, Sides& sides, const Question& question,
                const Deadline& deadline) {
    const auto start = std::chrono::steady_clock::now();
    const DotFormats& f = specification_.formats;
    BvTerms terms;
    Encoder encoder(sides.graph(), terms);
    std::vector<TermId> all;
    for (const NodeId condition : question.conditions) all.push_back(encoder.boolean(condition));
    const CaseReport cases =
        prove_by_cases(terms, terms.bool_and(all), {{{"a[0]", f.a}, {"b[0]", f.b}, {"c", f.c}}},
                       solvers_, options_.strategies.jobs, deadline);
    AttemptReport report;
    report.name = "cases";
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.verdict = cases.proved ? Verdict::unsatisfiable : Verdict::unknown;
    report.counts = cases.proved;
    report.outcome =
        cases.proved ? "none exists" : fmt::format("{} proved; {}", cases.cases, cases.reason);
    result.attempts.push_back(report);
    if (!cases.proved) return;
    conclude(result, Verdict::unsatisfiable,
             {Justification::Kind::solver,
              fmt::format("{} cases of exponents and their differences", cases.cases), "cases"},
             {}, deadline);
  }

  void enumerate(CheckResult& result, Sides& sides, const Enumeration& all,
                 const Deadline& deadline, bool is_whole) {
    const auto start = std::chrono::steady_clock::now();
    const Answer answer = all.run(deadline);
    AttemptReport report;
    report.name = answer.solver;
    report.verdict = answer.verdict;
    report.counts = answer.verdict != Verdict::unknown;
    report.outcome = answer.verdict == Verdict::satisfiable     ? "witness"
                     : answer.verdict == Verdict::unsatisfiable ? "none exists"
                                                                : answer.reason;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (is_whole) result.attempts.push_back(report);
    if (answer.verdict == Verdict::unknown) {
      result.justification = Justification::none(answer.reason);
      return;
    }
    conclude(result, answer.verdict, {Justification::Kind::enumeration, answer.solver},
             inputs_of(sides.graph(), answer), deadline);
  }

  /// The model's inputs; missing ones are 0.
  static InputValues inputs_of(const Graph& graph, const Answer& answer) {
    InputValues inputs;
    for (const NodeId i : graph.inputs()) {
      const auto it = answer.model.find(graph.input_name(i));
      inputs.push_back(it == answer.model.end() ? Integer(0) : it->second);
    }
    return inputs;
  }

  void conclude(CheckResult& result, Verdict verdict, const Justification& justification,
                const InputValues& inputs, const Deadline& deadline) {
    if (verdict == Verdict::satisfiable) {
      return witness(result, values_of(specification_.formats, inputs), justification, deadline);
    }
    result.verdict = verdict;
    result.justification = justification;
    result.how = justification.how();
  }

  void sweep(CheckResult& result, Sides& sides, const Question& question, const Deadline& deadline,
             bool is_whole) {
    const auto start = std::chrono::steady_clock::now();
    result.cut_notes.clear();
    Graph& graph = sides.graph();
    BvTerms terms;
    Encoder encoder(graph, terms);
    const auto term_of = [&](NodeId n) {
      return is_boolean(graph[n].op) ? encoder.boolean(n) : encoder.word(n);
    };
    // The specification's terms are created first, because they replace the others.
    const TermId expected = encoder.word(sides.expected());
    std::vector<TermId> premises;
    for (const NodeId p : sides.premises()) premises.push_back(encoder.boolean(p));
    const TermId premise = terms.bool_and(premises);
    const TermId differ = encoder.boolean(sides.differ());

    Sweep sweep(terms, premise, solvers_);
    sweep.add_shifts(encoder.shifts());
    Lanes lanes(graph.inputs().size(), kSamples);
    question.candidates(options_.strategies.seed + 1)(lanes);
    for (std::size_t lane = 0; lane < kSamples; ++lane) {
      std::map<std::string, Integer> sample;
      for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
        sample[graph.input_name(graph.inputs()[i])] = lanes[i][lane];
      }
      sweep.simulator().add_sample(sample);
    }
    struct Cut {
      std::string text;
      TermId first;
      TermId second;
    };
    std::vector<Cut> cuts;
    if (is_whole) {
      for (const auto& [signal, stage] : options_.cuts) {
        const NodeId node = sides.names().find(stage);
        for (const auto& [name, value] : sides.signals()) {
          if (name != signal && name.substr(0, name.find('@')) != signal) continue;
          cuts.push_back({name + " = " + stage, term_of(node), term_of(value.id())});
          sweep.suggest(cuts.back().first, cuts.back().second);
        }
      }
    }
    const TermId left = sweep.run(expected, differ, deadline.part(kSweepShare));
    result.sweep = sweep.report();
    for (const Cut& cut : cuts) {
      const auto partner = sweep.partner(cut.second);
      result.cut_notes.push_back(cut.text + (partner && *partner == cut.first
                                                 ? ": proved equal up to a constant"
                                                 : ": not proved"));
    }
    AttemptReport report;
    report.name = "equivalence points";
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.outcome = fmt::format(
        "{} of {} terms became identical to the specification's, {} were proved equal, {} differ, "
        "{} are undecided",
        result.sweep.identical, result.sweep.terms, result.sweep.proved, result.sweep.refuted,
        result.sweep.open);
    if (is_whole) result.attempts.push_back(report);
    const std::string how =
        fmt::format("{} of the RTL's {} terms are identical to the specification's",
                    result.sweep.identical + result.sweep.proved, result.sweep.terms);
    if (terms[left].op == BvOp::bool_constant && terms[left].value == 0) {
      result.verdict = Verdict::unsatisfiable;
      result.justification = {Justification::Kind::solver, "internal equivalence points",
                              "equivalence points"};
      result.how = how;
      return;
    }
    Query query{&terms, {left}};
    if (terms[premise].op != BvOp::bool_constant) query.assertions.push_back(premise);
    const Answer answer = ask_by(deadline.part(kFinalShare), query, solvers_);
    if (answer.verdict == Verdict::unknown) return;
    conclude(result, answer.verdict,
             {Justification::Kind::solver, "internal equivalence points, " + answer.solver,
              answer.backend},
             inputs_of(graph, answer), deadline);
    if (result.verdict == Verdict::unsatisfiable) result.how = how + "; " + answer.solver;
  }

  bool is_witness(const DotValues& values) const {
    if (!design_.has_constants(values)) return false;
    if (!belong(options_.inputs, specification_.formats, values)) return false;
    const Integer d = expected_.run(values);
    const bool canonical = specification_.canonical_nan && !options_.any_nan;
    return !same_result(*specification_.formats.d, canonical, d, found_.run(values)) &&
           where_.holds(values, d);
  }

  void witness(CheckResult& result, DotValues values, const Justification& justification,
               const Deadline& deadline) {
    const DotFormats& f = specification_.formats;
    values = design_.with_constants(std::move(values));
    if (!is_witness(values)) {
      throw Contradiction(justification.how() +
                          " found operands on which RTL and specification agree:\n" +
                          to_json_line({specification_.name(), values, {}, "", {}, ""}, f));
    }
    if (options_.shrink) {
      values = shrink(
          f, std::move(values), [&](const DotValues& v) { return is_witness(v); }, kTrials,
          deadline.part(0.5));
    }
    VectorRow row;
    row.instruction = specification_.name();
    row.other = "rtl/" + design_.top();
    row.d = expected_.run(values);
    row.d_other = found_.run(values);
    const auto ulp = ulp_distance(*f.d, *row.d, *f.d, *row.d_other);
    row.ulp = ulp ? ulp->str() : "inf";
    result.signals = found_.signals(values);
    row.values = std::move(values);
    result.row = std::move(row);
    result.verdict = Verdict::satisfiable;
    result.justification = justification;
    result.how = justification.how();
  }

  /// With fewer nonzero products.
  void prove_parts(CheckResult& result, const Deadline& deadline) {
    const DotFormats& f = specification_.formats;
    if (!f.a->has_zero || !f.b->has_zero) return;
    for (int products = 1; products < f.k && !deadline.passed(); ++products) {
      Sides sides(design_, specification_, options_, products, fixed_);
      const std::optional<Fitting> fitting = fitting_of(sides);
      CheckResult part;
      decide(part, sides, question_of(sides, fitting), deadline.part(0.5), false);
      if (part.verdict == Verdict::satisfiable) {
        result.verdict = part.verdict;
        result.row = part.row;
        result.signals = part.signals;
        result.justification = part.justification;
        result.how = part.how;
        return;
      }
      if (part.verdict == Verdict::unknown) return;
      const std::string text =
          fmt::format("equal if a[k] and b[k] are +0 from k = {} on ({})", products, part.how);
      result.parts = {text};
    }
  }

  const RtlDesign& design_;
  const Instruction& specification_;
  const CheckOptions& options_;
  const Portfolio& solvers_;
  const DotModel expected_;
  const RtlModel found_;
  mutable ConditionProgram where_;
  FixedByName fixed_;
};

}  // namespace

CheckResult check(const std::shared_ptr<const RtlDesign>& design, const Instruction& specification,
                  const CheckOptions& options, const Portfolio& solvers) {
  const auto start = std::chrono::steady_clock::now();
  const Deadline deadline =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  CheckResult result;
  try {
    Checking(design, specification, options, solvers).run(result, deadline);
  } catch (const OutOfTime& error) {
    if (result.verdict == Verdict::unknown)
      result.justification = Justification::none(error.what());
  }
  if (result.how.empty()) result.how = result.justification.how();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace mmaspec::rtl
