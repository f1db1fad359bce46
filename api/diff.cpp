#include <mmaspec/diff.h>

#include "api/core.h"
#include "queries/prove/maximize.h"
#include "queries/request/diff_request.h"

namespace mmaspec::v0 {
namespace {

constexpr int kMostWitnesses = 1'000'000;
constexpr int kLongestChain = 1 << 16;

/// `where` must outlive the result.
core::DiffOptions options_of(const DiffOptions& given, const Where& where) {
  core::DiffOptions options;
  if (given.ulp) options.difference.ulp = parse_ulp("ulp", *given.ulp);
  if (given.absolute) options.difference.absolute = parse_difference("absolute", *given.absolute);
  if (given.relative) options.difference.relative = parse_difference("relative", *given.relative);
  options.difference.signed_zero = given.signed_zero;
  options.inputs = input_class_of(given.inputs);
  options.where = condition_of(where);
  require_range("count", given.count, 1, kMostWitnesses);
  options.count = given.count;
  options.shrink = given.shrink;
  options.pairing.pad = given.pad;
  require_range("chain", given.chain, 0, kLongestChain);
  options.pairing.chain = given.chain;
  options.pairing.match = given.match == Match::bits ? core::Match::bits : core::Match::values;
  options.strategies = strategies_of(given.ask);
  return options;
}

Witness witness_of(const Pair& pair, core::Match match, const core::Witness& given) {
  Witness witness;
  witness.operands = product_of(given.row.values);
  witness.operands_other = product_of(counterpart(pair, match, given.row.values));
  witness.d = pattern_of(given.row.d.value());
  witness.d_other = pattern_of(given.row.d_other.value());
  witness.ulp = given.row.ulp;
  witness.row = to_json_line(given.row, pair.first.formats, pair.second.formats.d);
  return witness;
}

Scope scope_of(const Pair& pair, const core::DiffOptions& options, const DiffOptions& given) {
  return core::scope_of(pair.first, pair.second, options.pairing.match, options.inputs,
                        given.where);
}

Verdict verdict_of(core::Verdict verdict) {
  switch (verdict) {
    case core::Verdict::satisfiable:
      return Verdict::refuted;
    case core::Verdict::unsatisfiable:
      return Verdict::proved;
    case core::Verdict::unknown:
      break;
  }
  return Verdict::undecided;
}

}  // namespace

DiffAnswer diff(const Unit& first, const Unit& second, const DiffOptions& given) {
  return translated([&] {
    const Where where(given.where);
    const core::DiffOptions options = options_of(given, where);
    const AllK asked = with_solvers(given.ask, [&](const Portfolio& solvers) {
      return ask_diff(instruction_of(first), instruction_of(second), options, given.all_k, solvers);
    });
    const DiffResult& result = asked.result;
    DiffAnswer answer(UnitAccess::make(result.pair.first), UnitAccess::make(result.pair.second));
    fill_answer(answer, verdict_of(result.verdict), result.justification, result.vacuity,
                scope_of(result.pair, options, given), result.seconds);
    answer.note = result.pair.note;
    for (const core::Witness& w : result.witnesses) {
      answer.witnesses.push_back(witness_of(result.pair, options.pairing.match, w));
    }
    answer.exhausted = result.exhausted;
    answer.multiples_of = asked.step_k;
    return answer;
  });
}

MaximumAnswer maximize(const Unit& first, const Unit& second, Measure measure,
                       const DiffOptions& given) {
  return translated([&] {
    if (given.ulp || given.absolute || given.relative || given.signed_zero || given.count != 1 ||
        given.all_k || !given.shrink) {
      throw std::invalid_argument(
          "maximize takes no ulp, absolute, relative, signed_zero, count, shrink or all_k");
    }
    const Where where(given.where);
    const core::DiffOptions options = options_of(given, where);
    const Maximum m = with_solvers(given.ask, [&](const Portfolio& solvers) {
      return core::maximize(instruction_of(first), instruction_of(second), options,
                            measure == Measure::ulp ? core::Measure::ulp : core::Measure::absolute,
                            solvers);
    });
    MaximumAnswer answer(UnitAccess::make(m.pair.first), UnitAccess::make(m.pair.second));
    const bool is_proved = m.unbounded || (m.bound && *m.bound <= m.found);
    fill_answer(answer, is_proved ? Verdict::proved : Verdict::undecided, m.justification,
                m.vacuity, scope_of(m.pair, options, given), m.seconds);
    answer.note = m.pair.note;
    answer.largest = m.unbounded ? "inf" : shortest_text(m.found);
    if (m.unbounded) {
      answer.bound = "inf";
    } else if (m.bound) {
      answer.bound = shortest_text(*m.bound);
    }
    if (m.witness) answer.witness = witness_of(m.pair, options.pairing.match, *m.witness);
    return answer;
  });
}

}  // namespace mmaspec::v0
