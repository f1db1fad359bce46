#include "queries/diff.h"

#include <algorithm>
#include <chrono>

#include "encoder/encode.h"
#include "queries/samples.h"
#include "queries/shrink.h"
#include "spec/lang/print.h"

namespace mmaspec {
namespace {

Bool inputs_belong(InputClass inputs, const DotFormats& formats, const DotOperands& operands) {
  std::vector<Bool> all{belongs_to(inputs, *formats.c, operands.c)};
  const auto add = [&](const Format* format, const std::vector<Int>& patterns) {
    for (Int p : patterns) all.push_back(belongs_to(inputs, *format, p));
  };
  add(formats.a, operands.a);
  add(formats.b, operands.b);
  add(formats.scale, operands.scale_a);
  add(formats.scale, operands.scale_b);
  return all_of(all);
}

/// The value of an input in a model, without the bits that its format ignores.
Integer model_value(const Answer& answer, const std::string& name, const Format& format) {
  const auto it = answer.model.find(name);
  const Integer value = it == answer.model.end() ? Integer(0) : it->second;
  const Integer used =
      value % power_of_two(static_cast<unsigned>(format.storage_bits - format.ignored_high_bits));
  return (used >> format.ignored_low_bits) << format.ignored_low_bits;
}

DotValues values_of(const Answer& answer, const DotFormats& formats) {
  const auto vector_of = [&](const std::string& name, int count, const Format* format) {
    std::vector<Integer> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(model_value(answer, name + "[" + std::to_string(i) + "]", *format));
    }
    return all;
  };
  return {vector_of("a", formats.k, formats.a), vector_of("b", formats.k, formats.b),
          model_value(answer, "c", *formats.c), vector_of("sa", formats.scales(), formats.scale),
          vector_of("sb", formats.scales(), formats.scale)};
}

/// Sign and exponent field of a result: what unlike witnesses differ in.
Int kind_of(const Format& format, Int d) {
  return floor_shift_right(d, format.fraction_bits + format.ignored_low_bits);
}

/// The same of a result's number.
Integer kind_of(const Format& format, const Integer& d) {
  return d >> static_cast<unsigned>(format.fraction_bits + format.ignored_low_bits);
}

/// True if the operand is of the class of inputs asked about.
bool belongs(InputClass inputs, const Format& format, const Integer& pattern) {
  if (inputs == InputClass::any) return true;
  const Decoded x = decode(format, pattern);
  if (!x.is_finite()) return false;
  const bool subnormal = format.has_zero && x.significand != 0 &&
                         bit_length(x.significand) < static_cast<unsigned>(format.precision());
  return inputs == InputClass::finite || !subnormal;
}

bool belong(InputClass inputs, const DotFormats& formats, const DotValues& values) {
  const auto all = [&](const Format* format, const std::vector<Integer>& patterns) {
    return std::all_of(patterns.begin(), patterns.end(),
                       [&](const Integer& p) { return belongs(inputs, *format, p); });
  };
  return all(formats.a, values.a) && all(formats.b, values.b) &&
         belongs(inputs, *formats.c, values.c) && all(formats.scale, values.scale_a) &&
         all(formats.scale, values.scale_b);
}

/// One question: evaluates operands on both sides, and knows the witnesses found so far.
class Question {
 public:
  Question(const DiffResult& result, const DiffOptions& options)
      : pair_(result.pair),
        options_(options),
        found_(result.witnesses),
        first_(pair_.first.algorithm, pair_.first.formats),
        second_(pair_.second.algorithm, pair_.second.formats),
        scratch_first_(first_.evaluator().scratch()),
        scratch_second_(second_.evaluator().scratch()) {}

  /// Results of both; nullopt if the second one's formats do not hold the operands.
  std::optional<std::pair<Integer, Integer>> results(const DotValues& values) {
    try {
      const DotValues other = counterpart(pair_, options_.pairing.match, values);
      return std::pair(first_.run(values, scratch_first_), second_.run(other, scratch_second_));
    } catch (const NoCounterpart&) {
      return std::nullopt;
    }
  }

  /// True if the operands are a witness, unlike those found so far.
  bool is_witness(const DotValues& values) {
    if (!belong(options_.inputs, pair_.first.formats, values)) return false;
    const auto d = results(values);
    return d && differ(options_.difference, f1(), d->first, f2(), d->second) && is_new(*d);
  }

  /// Tries structured inputs; the work is bounded, not the time, so that runs repeat.
  std::optional<DotValues> search() {
    const std::size_t nodes =
        first_.evaluator().nodes().size() + second_.evaluator().nodes().size();
    const std::size_t samples = kSearchWork / std::max<std::size_t>(nodes, 1);
    Sampler sampler(pair_.first.formats, options_.inputs,
                    options_.seed + static_cast<unsigned>(found_.size()));
    for (std::size_t i = 0; i < samples; ++i) {
      DotValues values = sampler.next();
      if (is_witness(values)) return values;
    }
    return std::nullopt;
  }

  /// The witness row, simplified if asked for. `values` must be a witness.
  Witness witness(DotValues values) {
    if (options_.shrink) {
      values = shrink(pair_.first.formats, std::move(values),
                      [&](const DotValues& v) { return is_witness(v); });
    }
    const auto d = results(values);
    VectorRow row;
    row.instruction = pair_.first.name();
    row.other = pair_.second.name();
    row.values = std::move(values);
    row.d = d->first;
    row.d_other = d->second;
    const std::optional<Integer> ulp = ulp_distance(f1(), d->first, f2(), d->second);
    row.ulp = ulp ? ulp->str() : "inf";
    return {std::move(row)};
  }

  /// Throws Contradiction unless the model is a witness.
  DotValues confirmed(const Answer& answer, const Graph& graph, NodeId differs);

 private:
  // Nodes evaluated: about a quarter of a second.
  static constexpr std::size_t kSearchWork = 4'000'000;

  const Format& f1() const { return *pair_.first.formats.d; }
  const Format& f2() const { return *pair_.second.formats.d; }

  bool is_new(const std::pair<Integer, Integer>& d) const {
    return std::none_of(found_.begin(), found_.end(), [&](const Witness& w) {
      return kind_of(f1(), *w.row.d) == kind_of(f1(), d.first) &&
             kind_of(f2(), *w.row.d_other) == kind_of(f2(), d.second);
    });
  }

  const Pair& pair_;
  const DiffOptions& options_;
  const std::vector<Witness>& found_;
  DotModel first_;
  DotModel second_;
  ExactEvaluator::Values scratch_first_;
  ExactEvaluator::Values scratch_second_;
};

DotValues Question::confirmed(const Answer& answer, const Graph& graph, NodeId differs) {
  DotValues values = values_of(answer, pair_.first.formats);
  std::string wrong = "the two do not differ so";
  try {
    if (is_witness(values)) return values;
  } catch (const std::logic_error& error) {
    wrong = error.what();
  }
  std::string dump = answer.solver +
                     " found a model that the exact evaluator contradicts: " + wrong + "\nmodel:\n";
  for (const auto& [name, value] : answer.model)
    dump += "  " + name + " = 0x" + to_hex(value) + "\n";
  throw Contradiction(dump + "graph:\n" + print(graph, {differs}));
}

}  // namespace

DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers) {
  DiffResult result;
  result.pair = pair_up(first, second, options.pairing);
  const DotFormats& formats = result.pair.first.formats;
  const Format& f1 = *formats.d;
  const Format& f2 = *result.pair.second.formats.d;
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };

  Graph graph;
  const Graph::Building building(graph);
  const JointGraph joint = build_joint(result.pair, options.pairing.match);
  const Bool differs = differ(options.difference, f1, joint.d_first, f2, joint.d_second);
  if (differs.same_as(false)) {
    result.verdict = Verdict::unsatisfiable;
    result.how = "both are one expression; no solver was needed";
    return result;
  }
  Question question(result, options);
  std::vector<Bool> conditions{inputs_belong(options.inputs, formats, dot_inputs(formats)),
                               joint.comparable, differs};
  while (static_cast<int>(result.witnesses.size()) < options.count) {
    std::string how = "search";
    std::optional<DotValues> values = options.search ? question.search() : std::nullopt;
    if (!values) {
      BvTerms terms;
      Encoder encoder(graph, terms);
      Query query{&terms, {}};
      for (Bool c : conditions) query.assertions.push_back(encoder.boolean(c.id()));
      const Answer answer = solvers.ask(query);
      how = answer.verdict == Verdict::unknown ? answer.reason : answer.solver;
      if (answer.verdict != Verdict::satisfiable) {
        result.exhausted = answer.verdict == Verdict::unsatisfiable;
        if (result.witnesses.empty()) {
          result.verdict = answer.verdict;
          result.how = how;
        }
        break;
      }
      values = question.confirmed(answer, graph, differs.id());
    }
    result.verdict = Verdict::satisfiable;
    if (result.witnesses.empty()) result.how = how;
    result.witnesses.push_back(question.witness(std::move(*values)));
    const VectorRow& row = result.witnesses.back().row;
    conditions.push_back(kind_of(f1, joint.d_first) != kind_of(f1, *row.d) ||
                         kind_of(f2, joint.d_second) != kind_of(f2, *row.d_other));
  }
  result.seconds = elapsed();
  return result;
}

std::optional<Rational> exact_dot(const DotFormats& formats, const DotValues& values) {
  const auto finite = [](const Format& format, const Integer& pattern) -> std::optional<Rational> {
    const Decoded x = decode(format, pattern);
    if (!x.is_finite()) return std::nullopt;
    return x.value();
  };
  std::optional<Rational> sum = finite(*formats.c, values.c);
  for (std::size_t k = 0; sum && k < values.a.size(); ++k) {
    auto a = finite(*formats.a, values.a[k]);
    auto b = finite(*formats.b, values.b[k]);
    if (!a || !b) return std::nullopt;
    if (formats.scale != nullptr) {
      const std::size_t block = k / static_cast<std::size_t>(formats.scale_block);
      const auto sa = finite(*formats.scale, values.scale_a[block]);
      const auto sb = finite(*formats.scale, values.scale_b[block]);
      if (!sa || !sb) return std::nullopt;
      *a *= *sa * *sb;
    }
    *sum += *a * *b;
  }
  return sum;
}

}  // namespace mmaspec
