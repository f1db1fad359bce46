#include "report/text/diff_text.h"

#include <fmt/format.h>

#include <cmath>

#include "queries/values/rounded_up.h"
#include "report/attempts.h"
#include "report/colour.h"
#include "report/decoded.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

const char* name_of(const std::optional<Distribution>& distribution) {
  if (!distribution) return "data";
  return *distribution == Distribution::normal ? "normal" : "uniform";
}

std::string sizes(double ulp) {
  return std::isinf(ulp) ? "no number of" : fmt::format("{:.6g}", ulp);
}

/// Rounded up for people, so that it remains an upper bound.
std::string bound_text(const Rational& x) {
  if (denominator(x) == 1) return numerator(x).str();
  return fmt::format("{}", rounded_up(x));
}

}  // namespace

std::string text_of(const ShownStatistics& shown) {
  const Statistics& s = shown.statistics;
  const char* const of = !shown.distribution                           ? "your data"
                         : *shown.distribution == Distribution::normal ? "normal data"
                                                                       : "data uniform in [-1, 1)";
  if (s.results == 0 && s.unmet + s.left_out == 0 && s.out_of_time) {
    return fmt::format("no statistics: the time limit was reached before a row of {} was evaluated",
                       of);
  }
  if (s.results == 0) {
    return fmt::format(
        "no statistics: of {}, {} not satisfy the precondition, and {} more cannot be represented "
        "in both units' formats",
        of, counted(s.unmet, "row does", "rows do"), s.left_out);
  }
  std::string text =
      fmt::format("{:.3g} % of {} on {} differ", 100 * s.share(), counted(s.results, "result"), of);
  if (s.differ > 0) {
    text += fmt::format(
        ", half of them by at most {} ulp, all by at most {} ulp and {:.2g} of the "
        "terms' magnitudes",
        sizes(s.median_ulp), sizes(s.largest_ulp), s.largest_relative);
  }
  if (s.unmet > 0)
    text +=
        fmt::format("; {} not satisfy the precondition", counted(s.unmet, "row does", "rows do"));
  if (s.left_out > 0)
    text += fmt::format("; {} left out, because the formats of one unit do not represent them",
                        s.left_out);
  if (s.out_of_time) text += "; then the time limit was reached";
  return text;
}

Json json_of(const ShownStatistics& shown) {
  const Statistics& s = shown.statistics;
  const auto number = [](double x) { return std::isinf(x) ? Json("inf") : Json(x); };
  Json object;
  object["distribution"] = name_of(shown.distribution);
  object["results"] = s.results;
  object["left_out"] = s.left_out;
  if (s.unmet > 0) object["unmet"] = s.unmet;
  object["differ"] = s.differ;
  if (s.out_of_time) object["out_of_time"] = true;
  object["share"] = nullptr;
  if (s.results > 0) object["share"] = s.share();
  if (s.differ > 0) {
    object["median_ulp"] = number(s.median_ulp);
    object["largest_ulp"] = number(s.largest_ulp);
    object["largest_relative"] = s.largest_relative;
  }
  return object;
}

std::string condition_text(const AskedDifference& asked) {
  std::string text;
  if (!asked.ulp.empty()) text += " by more than " + asked.ulp + " ulp";
  if (!asked.absolute.empty())
    text += std::string(text.empty() ? "" : " and") + " by more than " + asked.absolute;
  if (!asked.relative.empty()) {
    text += std::string(text.empty() ? "" : " and") + " by more than " + asked.relative +
            " of the first";
  }
  return text;
}

std::string witness_text(const Pair& pair, const Witness& w, bool full) {
  return show_inputs(pair.first.formats, w.row.values, full) +
         show_results({{pair.first.label(), pair.first.formats.d, *w.row.d},
                       {pair.second.label(), pair.second.formats.d, *w.row.d_other}}) +
         fmt::format("  {} ulp apart\n", w.row.ulp);
}

Scope scope_of(const AskedDifference& asked, const Pair& pair) {
  return mmaspec::scope_of(pair.first, pair.second, asked.match, asked.inputs, asked.where);
}

std::string inputs_text(const AskedDifference& asked, const Pair& pair) {
  const std::string of_k =
      asked.step_k == 0 ? "" : fmt::format("for every K that is a multiple of {}, ", asked.step_k);
  return of_k + "inputs " + mmaspec::inputs_text(scope_of(asked, pair));
}

std::string text_of(const AskedDifference& asked, const DiffResult& result) {
  const Pair& pair = result.pair;
  std::string text;
  if (!pair.note.empty()) text += pair.note + "\n";
  const std::string between = fmt::format("{} and {}", pair.first.label(), pair.second.label());
  const Scope scope = scope_of(asked, pair);
  const std::string evidence = evidence_line(scope.evidence);
  switch (result.verdict) {
    case Verdict::unsatisfiable: {
      const std::string none = reason(result.vacuity);
      return text +
             fmt::format("{}{}: {} never differ{}, {} ({}{}{}{}, {:.2f} s)\n",
                         in_colour(Colour::good, "proved"), vacuously(result.vacuity), between,
                         condition_text(asked), inputs_text(asked, pair), none,
                         none.empty() ? "" : "; ",
                         (asked.step_k == 0 ? "" : "by induction over steps, ") +
                             result.justification.how(),
                         vacuity_note(result.vacuity), result.seconds) +
             theorem_line(result.justification) + evidence;
    }
    case Verdict::unknown:
      return text +
             fmt::format("{}: whether {} differ{}, {} ({})\n", in_colour(Colour::open, "undecided"),
                         between, condition_text(asked), inputs_text(asked, pair),
                         result.justification.how()) +
             evidence;
    case Verdict::satisfiable:
      break;
  }
  text += fmt::format("{} {}{}, inputs {} (found by {}, {:.2f} s)\n", between,
                      in_colour(Colour::bad, "differ"), condition_text(asked),
                      mmaspec::inputs_text(scope), result.justification.how(), result.seconds);
  for (const Witness& w : result.witnesses) text += witness_text(pair, w, asked.full);
  if (asked.step_k > 0) {
    text += fmt::format("K = {} is the smallest K that both have\n", asked.step_k);
  }
  if (result.exhausted) text += "no further witness exists that differs in kind from these\n";
  return text + evidence;
}

std::string text_of(const AskedDifference& asked, const Maximum& m) {
  std::string text = m.pair.note.empty() ? "" : m.pair.note + "\n";
  const std::string between = fmt::format("{} and {}", m.pair.first.label(), m.pair.second.label());
  const std::string unit = asked.measure == "ulp" ? " ulp" : "";
  const std::string inputs = inputs_text(asked, m.pair);
  if (m.unbounded) {
    text += fmt::format(
        "{} differ without bound, {}: one result is a NaN or infinite, the other is finite ({:.2f} "
        "s)\n",
        between, inputs, m.seconds);
  } else if (m.bound && *m.bound <= m.found) {
    const std::string none = reason(m.vacuity);
    text += fmt::format("proved{}: {} differ by at most {}{}{}, {} ({}{}{}{}, {:.2f} s)\n",
                        vacuously(m.vacuity), between, bound_text(m.found), unit,
                        m.witness ? ", and this witness attains it" : "", inputs, none,
                        none.empty() ? "" : "; ", m.justification.how(), vacuity_note(m.vacuity),
                        m.seconds);
  } else if (m.bound && !m.witness) {
    text += fmt::format(
        "{} differ by at most {}{}, proved by {}; no input was found on which they differ, {} "
        "({:.2f} s)\n",
        between, bound_text(*m.bound), unit, m.justification.how() + vacuity_note(m.vacuity),
        inputs, m.seconds);
  } else if (m.bound) {
    text += fmt::format(
        "{} differ by {}{} on this witness, and by at most {}{}, proved by {}; larger differences "
        "remain possible, {} ({:.2f} s)\n",
        between, bound_text(m.found), unit, bound_text(*m.bound), unit, m.justification.how(),
        inputs, m.seconds);
  } else {
    text += fmt::format(
        "{}, {} ({:.2f} s)\n",
        m.witness
            ? fmt::format(
                  "lower bound only: {} differ by {}{} on this witness; no upper bound was proved",
                  between, bound_text(m.found), unit)
            : fmt::format("undecided: no input was found on which {} differ, "
                          "and no upper bound was proved",
                          between),
        inputs, m.seconds);
  }
  if (m.witness) text += witness_text(m.pair, *m.witness, asked.full);
  if (m.bound) text += theorem_line(m.justification);
  return text + evidence_line(scope_of(asked, m.pair).evidence);
}

std::vector<std::string> rows_of(const DiffResult& result) {
  std::vector<std::string> rows;
  for (const Witness& w : result.witnesses) {
    rows.push_back(to_json_line(w.row, result.pair.first.formats, result.pair.second.formats.d));
  }
  return rows;
}

std::string json_of(const AskedDifference& asked, const DiffResult& result,
                    const std::optional<ShownStatistics>& data,
                    const std::optional<std::string>& certificate) {
  const std::vector<std::string> rows = rows_of(result);
  Json object;
  object["first"] = result.pair.first.name();
  object["second"] = result.pair.second.name();
  object["verdict"] = result.verdict == Verdict::satisfiable     ? "witness"
                      : result.verdict == Verdict::unsatisfiable ? "proved"
                                                                 : "undecided";
  if (!asked.ulp.empty()) object["ulp"] = asked.ulp;
  if (!asked.absolute.empty()) object["abs"] = asked.absolute;
  if (!asked.relative.empty()) object["rel"] = asked.relative;
  if (!asked.where.empty()) object["where"] = asked.where;
  if (asked.step_k > 0) object["all_k"] = {{"multiples_of", asked.step_k}};
  object["note"] = result.pair.note;
  add_scope(scope_of(asked, result.pair), object);
  add_grounds(object, result.justification, result.verdict == Verdict::unsatisfiable);
  if (result.verdict == Verdict::unsatisfiable) {
    add_vacuity(object, result.vacuity, asked.where);
  }
  object["seconds"] = result.seconds;
  object["witnesses"] = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto witness = Json::parse(rows[i]);
    add_values(result.witnesses[i].row, result.pair.first.formats, witness,
               result.pair.second.formats.d);
    object["witnesses"].push_back(std::move(witness));
  }
  if (result.exhausted) object["exhausted"] = true;
  if (data) object["statistics"] = json_of(*data);
  if (certificate) {
    object["certificate"] = nullptr;
    if (!certificate->empty()) object["certificate"] = *certificate;
  }
  object["attempts"] = attempts_json(result.attempts);
  return to_text(object, 2);
}

std::string json_of(const AskedDifference& asked, const Maximum& m) {
  const bool proved = m.unbounded || (m.bound && *m.bound <= m.found);
  Json object;
  object["first"] = m.pair.first.name();
  object["second"] = m.pair.second.name();
  object["measure"] = asked.measure;
  object["largest"] = m.unbounded ? "inf" : shortest_text(m.found);
  object["bound"] = m.unbounded ? Json("inf") : m.bound ? Json(shortest_text(*m.bound)) : Json();
  object["proved"] = proved;
  object["note"] = m.pair.note;
  add_scope(scope_of(asked, m.pair), object);
  if (m.bound && m.justification.theorem) object["theorem"] = number_of(*m.justification.theorem);
  object["how"] = m.justification.how();
  if (proved && !m.witness) add_vacuity(object, m.vacuity, asked.where);
  object["seconds"] = m.seconds;
  if (m.witness) {
    object["witness"] =
        mmaspec::to_json(m.witness->row, m.pair.first.formats, m.pair.second.formats.d);
    add_values(m.witness->row, m.pair.first.formats, object["witness"], m.pair.second.formats.d);
  }
  object["attempts"] = attempts_json(m.attempts);
  return to_text(object, 2);
}

}  // namespace mmaspec
