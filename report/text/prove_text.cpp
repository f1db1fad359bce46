#include "report/text/prove_text.h"

#include <fmt/format.h>

#include "concrete/dot/trace.h"
#include "queries/values/exact_result.h"
#include "report/attempts.h"
#include "report/colour.h"
#include "report/decoded.h"
#include "report/text/trace_text.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

std::string subject_text(const AskedProperty& asked) {
  std::string text = asked.subject.first.label();
  if (asked.subject.second) text += ", " + asked.subject.second->label();
  if (asked.subject.within > 0) text += fmt::format(", within blocks of {}", asked.subject.within);
  for (const std::string& w : asked.where) text += ", where " + w;
  return text;
}

std::string coloured(Outcome outcome) {
  const Colour colour = outcome == Outcome::proved    ? Colour::good
                        : outcome == Outcome::refuted ? Colour::bad
                                                      : Colour::open;
  return in_colour(colour, to_string(outcome));
}

/// Without the condition, which is part of the subject's text.
std::string inputs_without_condition(const AskedProperty& asked) {
  Scope scope = scope_of(asked);
  scope.where.clear();
  return "inputs " + inputs_text(scope);
}

std::vector<TraceLine> trace_of(const WitnessRun& run) {
  return trace_lines(run.instruction, run.values);
}

constexpr double kStagesSeconds = 1;  // time limit, so that a witness is not lost

/// The stages of the evaluations. Those of very long sums are left out.
std::string stages_text(const std::vector<WitnessRun>& witness) {
  try {
    const BuildBy bound(Deadline::in(kStagesSeconds));
    if (witness.size() == 2) {
      const WitnessRun& x = witness[0];
      const WitnessRun& y = witness[1];
      return "  stages at which the two evaluations differ\n" +
             trace_text(x.label, trace_of(x), y.label, trace_of(y), true);
    }
    return witness.size() == 1 ? "  stages\n" + trace_text(trace_of(witness[0])) : "";
  } catch (const OutOfTime&) {
    return "  stages: omitted, because they take long to compute; eval --trace shows them\n";
  }
}

Json to_json(const AskedProperty& asked, const Proof& proof) {
  Json object;
  object["property"] = asked.property.name();
  object["instr"] = asked.subject.first.name();
  if (asked.subject.second) object["other"] = asked.subject.second->name();
  if (asked.subject.parameter) object["bound"] = shortest_text(*asked.subject.parameter);
  if (asked.subject.within > 0) object["within"] = asked.subject.within;
  if (!asked.where.empty()) object["where"] = asked.where;
  add_scope(scope_of(asked), object);
  object["verdict"] = to_string(proof.outcome);
  add_grounds(object, proof.justification, proof.outcome == Outcome::proved);
  if (proof.outcome == Outcome::proved) add_vacuity(object, proof.vacuity, asked.where);
  if (!proof.of.empty()) object["case"] = proof.of;
  if (!proof.smaller.empty()) object["smaller"] = proof.smaller;
  if (!proof.confirmed_by.empty()) object["confirmed_by"] = proof.confirmed_by;
  object["cases"] = proof.cases;
  object["cases_proved"] = proof.cases_proved;
  object["seconds"] = proof.seconds;
  object["witness"] = witness_json(proof);
  object["attempts"] = attempts_json(proof.attempts);
  return object;
}

void add_certificate(const AskedProperty& asked, Json& object) {
  if (!asked.certificate) return;
  object["certificate"] = nullptr;
  if (!asked.certificate->empty()) object["certificate"] = *asked.certificate;
}

std::string certificate_text(const AskedProperty& asked) {
  if (!asked.certificate || asked.certificate->empty()) return "";
  return "certificate: " + *asked.certificate + "\n";
}

}  // namespace

Scope scope_of(const AskedProperty& asked) {
  const Subject& s = asked.subject;
  const InputClass inputs = asked.property.inputs();
  return s.second ? mmaspec::scope_of(s.first, *s.second, Match::values, inputs, asked.where)
                  : mmaspec::scope_of(s.first, inputs, asked.where);
}

Json witness_json(const Proof& proof) {
  Json runs = Json::array();
  for (const WitnessRun& r : proof.witness) {
    VectorRow row;
    row.instruction = r.instruction.name();
    row.values = r.values;
    row.d = r.d;
    Json object = mmaspec::to_json(row, r.instruction.formats);
    object["run"] = r.label;
    add_values(row, r.instruction.formats, object);
    runs.push_back(std::move(object));
  }
  return runs;
}

std::string witness_text(const Proof& proof, bool full) {
  return witness_text(proof.witness, full);
}

std::string witness_text(const std::vector<WitnessRun>& witness, bool full) {
  std::string text;
  std::size_t width = 0;
  for (const WitnessRun& r : witness) width = std::max(width, r.label.size());
  for (const WitnessRun& r : witness) {
    const DotFormats& f = r.instruction.formats;
    text += "  " + r.label + "\n" + show_inputs(f, r.values, full);
    text += fmt::format("  {:<20} {}\n", "d", show_pattern(*f.d, r.d));
  }
  if (witness.size() == 1) {
    const WitnessRun& x = witness[0];
    if (const auto exact = exact_dot(x.instruction.formats, x.values)) {
      const Format& d = *x.instruction.formats.d;
      text += fmt::format("  {:<20} {}\n", "exact, to nearest",
                          show_pattern(d, nearest_even(d, *exact)));
    }
  }
  return text + stages_text(witness);
}

std::string text_of(const AskedProperty& asked, const Proof& proof, bool with_attempts) {
  std::string text = fmt::format(
      "{}{}: {}{} of {}", coloured(proof.outcome), vacuously(proof.vacuity), asked.property.name(),
      asked.subject.parameter ? " " + shortest_text(*asked.subject.parameter) : std::string(),
      subject_text(asked));
  switch (proof.outcome) {
    case Outcome::proved:
      text += fmt::format(
          ", {} ({}",
          reason(proof.vacuity).empty() ? inputs_without_condition(asked) : reason(proof.vacuity),
          proof.justification.how());
      if (!proof.confirmed_by.empty()) text += "; confirmed by " + proof.confirmed_by;
      text += vacuity_note(proof.vacuity);
      text += fmt::format(", {:.2f} s)\n", proof.seconds);
      break;
    case Outcome::refuted:
      text +=
          fmt::format("{}, {} (found by {}, {:.2f} s)\n", proof.of.empty() ? "" : ", " + proof.of,
                      inputs_without_condition(asked), proof.justification.how(), proof.seconds);
      text += witness_text(proof, asked.full);
      break;
    case Outcome::undecided:
      text +=
          fmt::format(", {} ({})\n", inputs_without_condition(asked), proof.justification.how());
      if (proof.cases > 1) {
        text +=
            fmt::format("  {} of {} proved\n", proof.cases_proved, counted(proof.cases, "case"));
      }
      if (!proof.smaller.empty()) text += "  " + proof.smaller + "\n";
      break;
    case Outcome::not_applicable:
      text += fmt::format(" ({})\n", proof.justification.how());
      break;
  }
  if (proof.outcome == Outcome::proved) text += theorem_line(proof.justification);
  text += evidence_line(scope_of(asked).evidence) + certificate_text(asked);
  if (with_attempts) text += "attempts:\n" + attempts_text(proof.attempts);
  return text;
}

std::string text_of(const AskedProperty& asked, const Tightest& t, bool with_attempts) {
  if (t.proof.outcome == Outcome::not_applicable) return text_of(asked, t.proof, with_attempts);
  std::string text;
  const std::string what = asked.property.name() + " of " + subject_text(asked);
  if (t.proved) {
    text += fmt::format("{}{}: {} is at most {} ({}; {}{}{})\n", coloured(Outcome::proved),
                        vacuously(t.proof.vacuity), what, shortest_text(*t.proved),
                        inputs_without_condition(asked), reason(t.proof.vacuity),
                        reason(t.proof.vacuity).empty() ? "" : ", ",
                        t.proof.justification.how() + vacuity_note(t.proof.vacuity));
  } else {
    text += fmt::format("{}: {}: no bound is proved, {} ({})\n", coloured(Outcome::undecided), what,
                        inputs_without_condition(asked), t.proof.justification.how());
  }
  if (t.refuted) {
    text += fmt::format("{}: {} is more than {} (found by {})\n", coloured(Outcome::refuted), what,
                        shortest_text(*t.refuted), t.refutation.justification.how());
    text += witness_text(t.refutation, asked.full);
  }
  if (t.proved) text += theorem_line(t.proof.justification);
  text += evidence_line(scope_of(asked).evidence) + certificate_text(asked);
  if (with_attempts) {
    text += "attempts of the proof:\n" + attempts_text(t.proof.attempts);
    text += "attempts of the refutation:\n" + attempts_text(t.refutation.attempts);
  }
  return text;
}

std::string json_of(const AskedProperty& asked, const Proof& proof) {
  Json object = to_json(asked, proof);
  add_certificate(asked, object);
  return to_text(object, 2);
}

std::string json_of(const AskedProperty& asked, const Tightest& t) {
  Json object;
  object["property"] = asked.property.name();
  object["instr"] = asked.subject.first.name();
  add_scope(scope_of(asked), object);
  object["verdict"] = t.proved ? "proved" : to_string(t.proof.outcome);
  object["proved"] = t.proved ? Json(shortest_text(*t.proved)) : Json();
  object["refuted"] = t.refuted ? Json(shortest_text(*t.refuted)) : Json();
  if (t.proved) add_vacuity(object, t.proof.vacuity, asked.where);
  object["proof"] = to_json(asked, t.proof);
  object["refutation"] = to_json(asked, t.refutation);
  add_certificate(asked, object);
  return to_text(object, 2);
}

}  // namespace mmaspec
