#include "queries/audit/check.h"

#include <set>

#include "encoder/encode.h"
#include "queries/draw/samples.h"
#include "solver/ask.h"
#include "spec/lang/print.h"

namespace mmaspec {
namespace {

constexpr int kEncoderSamples = 8;

/// Proves by a solver that the encoded result for these inputs equals the evaluator's. Empty if it
/// does.
std::string compare_encoding(const DotModel& model, const std::vector<DotValues>& samples,
                             const Portfolio& solvers, const Deadline& deadline,
                             CheckResult& result) {
  const Graph& graph = model.graph();
  BvTerms terms;
  Encoder encoder(graph, terms);
  const TermId d = encoder.word(model.result());
  for (const DotValues& values : samples) {
    Query query{&terms, {}};
    const std::vector<Integer> inputs = in_input_order(values);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const TermId x = encoder.word(graph.inputs()[i]);
      query.assertions.push_back(terms.eq(x, terms.constant(inputs[i], terms.width(x))));
    }
    const Integer expected = model.run(values);
    query.assertions.push_back(
        terms.bool_not(terms.eq(d, terms.constant(expected, terms.width(d)))));
    const Answer answer = decide_by(deadline, query, solvers);
    if (answer.verdict == Verdict::unknown) {
      result.verdict = CheckVerdict::undecided;
      return "encoder against evaluator: " + answer.reason;
    }
    if (answer.verdict == Verdict::satisfiable) {
      result.verdict = CheckVerdict::unsound;
      std::string text =
          "the encoding differs from the evaluator's " + to_hex(expected) + " for inputs";
      for (const Integer& x : inputs) text += " " + to_hex(x);
      return text;
    }
    ++result.encoder_samples;
  }
  return "";
}

}  // namespace

std::string signature(const Instruction& i) {
  const DotFormats& f = i.formats;
  std::string text = i.algorithm.name() + " " + std::to_string(f.k);
  for (const Format* format : {f.a, f.b, f.c, f.d, f.scale}) {
    text += format == nullptr ? " -" : " " + std::string(format->name);
  }
  text += " " + std::to_string(f.scale_block);
  for (const Parameter& p : i.algorithm.parameters()) text += " " + p.key + "=" + p.value;
  return text;
}

CheckResult check_claims(const Graph& graph, const std::vector<NodeId>& roots,
                         const Portfolio& solvers, const Deadline& deadline) {
  CheckResult result;
  for (NodeId id : graph.cone(roots)) {
    if (graph[id].op != Op::claim) continue;
    ++result.claims;
    BvTerms terms;
    Encoder encoder(graph, terms);
    const Query query{&terms, {encoder.violation(id)}};
    Answer answer = decide_by(deadline, query, solvers);
    if (answer.verdict == Verdict::unsatisfiable) {
      ++result.claims_proved;
      continue;
    }
    const bool refuted = answer.verdict == Verdict::satisfiable;
    if (refuted) answer.model = ask_by(deadline, query, solvers).model;
    result.problem += (result.problem.empty() ? "" : "; ") + std::string("claim n") +
                      std::to_string(id) + " = " + describe(graph, id) + " in [" +
                      graph[id].range.low.str() + ", " + graph[id].range.high.str() + "] is " +
                      (refuted ? "false" : "undecided: " + answer.reason);
    if (refuted) {
      result.verdict = CheckVerdict::unsound;
      for (const auto& [name, value] : answer.model) {
        result.problem += " " + name + "=0x" + to_hex(value);
      }
    } else if (result.verdict == CheckVerdict::sound) {
      result.verdict = CheckVerdict::undecided;
    }
  }
  return result;
}

CheckResult check(const Instruction& instruction, int samples, unsigned seed,
                  const Portfolio& solvers) {
  const Deadline deadline = Deadline::in(solvers.limits().seconds);
  const DotModel model(instruction.algorithm, instruction.formats);
  CheckResult result = check_claims(model.graph(), {model.result()}, solvers, deadline);
  result.name = instruction.name();
  if (result.verdict == CheckVerdict::unsound) return result;
  Sampler sampler(instruction.formats, InputClass::any, seed);
  std::vector<DotValues> for_encoder;
  for (int i = 0; i < samples; ++i) {
    if (deadline.passed()) {
      result.verdict = CheckVerdict::undecided;
      result.problem += (result.problem.empty() ? "" : "; ") + std::string("out of time");
      return result;
    }
    DotValues values = sampler.next();
    try {
      model.evaluator().check_ranges(model.trace(values));
    } catch (const ClaimViolated& error) {
      result.verdict = CheckVerdict::unsound;
      result.problem = error.what();
      return result;
    }
    ++result.samples;
    if (i < kEncoderSamples) for_encoder.push_back(std::move(values));
  }
  const std::string problem = compare_encoding(model, for_encoder, solvers, deadline, result);
  if (!problem.empty()) result.problem = problem;
  return result;
}

std::vector<Instruction> distinct(const std::vector<Instruction>& instructions) {
  std::vector<Instruction> kept;
  std::set<std::string> seen;
  for (const Instruction& i : instructions) {
    if (seen.insert(signature(i)).second) kept.push_back(i);
    for (Instruction& other : in_other_variants(i)) {
      if (seen.insert(signature(other)).second) kept.push_back(std::move(other));
    }
  }
  return kept;
}

}  // namespace mmaspec
