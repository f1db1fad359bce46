#include "report/text/tolerance_text.h"

#include <fmt/format.h>

#include <cmath>

#include "queries/ask/scope.h"
#include "queries/request/tolerance_request.h"
#include "queries/values/rounded_up.h"
#include "report/attempts.h"
#include "report/values.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// The known tolerances of a test.
struct Tolerances {
  std::optional<double> rtol;
  std::optional<double> atol;
};

/// The given one (0 if none was given), and `wanted` as the other.
Tolerances tolerances(const AskedTolerance& o, std::optional<double> wanted) {
  if (!o.atol.empty()) return {wanted, tolerance_number("--atol", o.atol)};
  return {tolerance_number("--rtol", o.rtol), wanted};
}

/// "rtol = 0, atol = 0.5"; `relation`: for the wanted one.
std::string tolerance_text(const AskedTolerance& o, const Rational& wanted,
                           const char* relation = "=") {
  const Tolerances t = tolerances(o, rounded_up(wanted));
  const bool of_rtol = !o.atol.empty();
  return fmt::format("rtol {} {}, atol {} {}", of_rtol ? relation : "=", *t.rtol,
                     of_rtol ? "=" : relation, *t.atol);
}

Scope scope_of(const AskedTolerance& o, const Pair& pair) {
  return mmaspec::scope_of(pair.first, pair.second, Match::values, o.inputs, o.where);
}

/// The differences on random data, in one line.
std::string typical_text(const LargestDifference& typical) {
  if (typical.rows == 0) {
    return "no statistics: no random row satisfies the precondition with operands that both "
           "formats represent\n";
  }
  return fmt::format("statistical, not proved: {}, c = 0: {} apart at most{}\n",
                     counted(typical.rows, "random row"), rounded_up(typical.largest),
                     typical.not_finite == 0
                         ? ""
                         : fmt::format(", and in {} a result is not a finite number",
                                       counted(typical.not_finite, "time")));
}

/// "a and b normal"
std::string data_text(const AskedTolerance& o) {
  if (o.distribution.empty() || o.distribution == "normal") return "a and b normal";
  if (o.distribution == "uniform") return "a and b uniform in [-1, 1)";
  return "a and b drawn from " + o.distribution;
}

/// Why the sample contradicts the assumption that the steps' errors have mean zero.
std::string contradiction(const MartingaleTolerance& t, const Pair& pair) {
  std::string text;
  for (std::size_t unit = 0; unit < 2; ++unit) {
    const double score = t.bias_score[unit];
    if (std::abs(score) <= kSignificantBias) continue;
    text +=
        fmt::format("{}the mean error of {} is {:.3g} {} zero ({:.3g} standard errors)",
                    text.empty() ? "" : ", ", (unit == 0 ? pair.first : pair.second).label(),
                    std::abs(t.bias[unit]), score < 0 ? "toward" : "away from", std::abs(score));
  }
  if (t.exceeded > 0) {
    text += fmt::format("{}{} of {} rows exceed it", text.empty() ? "" : ", ", t.exceeded, t.rows);
  }
  return text;
}

/// The statistical tolerance in one line: "0.999 of all elements pass, not proved: ...".
std::string sampled_line(const AskedTolerance& o, const SampledTolerance& s) {
  const std::string rows =
      fmt::format("{} ({}, c = 0)", counted(s.rows, "random row"), data_text(o));
  const auto chosen = s.tolerance();
  if (!chosen) return fmt::format("no statistical tolerance follows from {}\n", rows);
  if (std::isinf(*chosen)) {
    return fmt::format(
        "statistical, not proved: no tolerance is enough for {} of all elements, by "
        "{}\n",
        s.confidence, rows);
  }
  return fmt::format("statistical, not proved: {} of all elements pass with {}, by {} of {}\n",
                     s.confidence, tolerance_text(o, Rational(*chosen)), s.how(), rows);
}

std::string sampled_text(const AskedTolerance& o, const Maximum& m, const SampledTolerance& s) {
  std::string text = sampled_line(o, s);
  if (s.quantile) {
    text += fmt::format(
        "  order statistics: the quantile lies between {:.4g} and {:.4g} with {:.0f}% "
        "confidence; the sample's is {:.4g}\n",
        s.quantile->low, s.quantile->high, 100 * kIntervalLevel, s.quantile->estimate);
  } else {
    text += fmt::format("  order statistics: {} are needed (--samples, --timeout)\n",
                        counted(s.rows_needed, "row"));
  }
  if (s.subgaussian) {
    text += fmt::format(
        "  if differences are subgaussian with their root mean square {:.4g} (Higham "
        "and Mary 2019): atol = {:.4g}; {}\n",
        s.subgaussian->deviation, s.subgaussian->tolerance,
        s.subgaussian->holds ? "no tail of the sample is heavier"
                             : "the sample contradicts it: a tail is heavier");
  }
  if (s.martingale) {
    text += fmt::format(
        "  if the error of each step has mean zero whatever the earlier ones are (Connolly, "
        "Higham and Mary 2021; Ipsen and Zhou 2020): atol = {:.4g}; {}\n",
        s.martingale->tolerance,
        s.martingale->holds
            ? fmt::format("{} do not contradict it", counted(s.martingale->rows, "row"))
            : "the sample contradicts it: " + contradiction(*s.martingale, m.pair));
  }
  return text;
}

}  // namespace

std::string worst_row(const Maximum& m) {
  if (!m.witness) return "";
  return to_json_line(m.witness->row, m.pair.first.formats, m.pair.second.formats.d);
}

std::string text_of(const AskedTolerance& o, const FoundTolerance& found) {
  const auto& [m, typical, sampled] = found;
  std::string text = m.pair.note.empty() ? "" : m.pair.note + "\n";
  const Scope scope = scope_of(o, m.pair);
  const std::string inputs = "inputs " + inputs_text(scope);
  if (m.unbounded) {
    text += fmt::format(
        "no tolerance is enough: one result is a NaN, or infinite, where the other is finite, {}\n",
        inputs);
  } else if (m.bound) {
    const std::string none = reason(m.vacuity);
    text += fmt::format("{}: all inputs pass{}, {} ({}{}proved by {}{})\n",
                        tolerance_text(o, *m.bound), vacuously(m.vacuity), inputs, none,
                        none.empty() ? "" : "; ", m.justification.how(), vacuity_note(m.vacuity));
    if (*m.bound > m.found) {
      text += m.found > 0
                  ? fmt::format(
                        "the worst input found needs {}\nproved upper bound / largest "
                        "difference found: {:.3g}\n",
                        rounded_up(m.found), Rational(*m.bound / m.found).convert_to<double>())
                  : std::string("no input was found that needs a tolerance\n");
    }
  } else if (m.witness) {
    text += fmt::format("lower bound only: an input needs {}; no upper bound was proved, {}\n",
                        tolerance_text(o, m.found, ">="), inputs);
  } else {
    text += fmt::format("undecided: no difference was found, and no upper bound was proved, {}\n",
                        inputs);
  }
  if (m.witness) {
    text += show_inputs(m.pair.first.formats, m.witness->row.values, o.full);
    text +=
        show_results({{m.pair.first.label(), m.pair.first.formats.d, *m.witness->row.d},
                      {m.pair.second.label(), m.pair.second.formats.d, *m.witness->row.d_other}});
  }
  if (sampled) {
    text += sampled_text(o, m, *sampled);
  } else if (typical) {
    text += typical_text(*typical);
  }
  return text + evidence_line(scope.evidence);
}

namespace {

/// An assertion about `actual` and `desired`; in C++ they are sequences of `n` numbers.
std::string assertion(TestLanguage language, const std::string& rtol, const std::string& atol) {
  switch (language) {
    case TestLanguage::python:
      return fmt::format("numpy.testing.assert_allclose(actual, desired, rtol={}, atol={})\n", rtol,
                         atol);
    case TestLanguage::pytorch:
      // In double precision the difference and the tolerance are not rounded to the tensors' type.
      return fmt::format(
          "torch.testing.assert_close(actual.double(), desired.double(), rtol={}, atol={})\n", rtol,
          atol);
    case TestLanguage::cpp:
      return fmt::format(
          "for (std::size_t i = 0; i < n; ++i) {{\n"
          "  const double x = desired[i];\n"
          "  ASSERT_LE(std::abs(double(actual[i]) - x), {} + {} * std::abs(x)) << i;\n"
          "}}\n",
          atol, rtol);
  }
  return {};
}

}  // namespace

std::string test_of(TestLanguage language, const AskedTolerance& o, const FoundTolerance& found) {
  const auto& [m, typical, sampled] = found;
  if (m.unbounded && !sampled)
    throw std::invalid_argument(
        "--format: no tolerance is sufficient, so no assertion can be written");
  const std::string_view comment = language == TestLanguage::cpp ? "//" : "#";
  const Scope scope = scope_of(o, m.pair);
  std::string text = fmt::format("{0} desired: {1}; actual: {2}\n{0} inputs {3}\n", comment,
                                 m.pair.first.label(), m.pair.second.label(), inputs_text(scope));
  if (!scope.evidence.empty()) text += fmt::format("{} {}", comment, evidence_line(scope.evidence));
  const auto line = [&](const Rational& wanted) {
    const Tolerances t = tolerances(o, rounded_up(wanted));
    return assertion(language, fmt::to_string(*t.rtol), fmt::to_string(*t.atol));
  };
  if (sampled) {
    text += fmt::format("{} {}", comment, sampled_line(o, *sampled));
    const auto chosen = sampled->tolerance();
    if (!chosen || std::isinf(*chosen)) return text + fmt::format("{} no assertion\n", comment);
    return text + line(Rational(*chosen));
  }
  if (m.bound) {
    return text +
           fmt::format("{} all inputs pass{}, proved by {}{}\n", comment, vacuously(m.vacuity),
                       m.justification.how(), vacuity_note(m.vacuity)) +
           line(*m.bound);
  }
  text += m.witness
              ? fmt::format("{} lower bound only: an input needs {}; no upper bound was proved\n",
                            comment, tolerance_text(o, m.found, ">="))
              : fmt::format("{} no difference was found, and no upper bound was proved\n", comment);
  // The largest difference does not imply a relative tolerance.
  const bool has_statistics = typical && typical->rows > 0 && typical->not_finite == 0;
  if (!has_statistics || !o.atol.empty()) {
    return text + fmt::format("{} no assertion: a lower bound is not a tolerance\n", comment);
  }
  return text + fmt::format("{} {}", comment, typical_text(*typical)) + line(typical->largest);
}

namespace {

Json statistical_json(const AskedTolerance& o, const SampledTolerance& s) {
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  Json object{{"confidence", s.confidence},
              {"distribution", o.distribution.empty() ? "normal" : o.distribution},
              {"rows", s.rows},
              {"rows_needed", s.rows_needed},
              {"tolerance", nullptr},
              {"how", s.how()},
              {"quantile", nullptr},
              {"subgaussian", nullptr},
              {"martingale", nullptr}};
  if (const auto chosen = s.tolerance()) object["tolerance"] = number(*chosen);
  if (s.quantile) {
    object["quantile"] = {{"estimate", number(s.quantile->estimate)},
                          {"low", number(s.quantile->low)},
                          {"high", number(s.quantile->high)},
                          {"level", kIntervalLevel}};
  }
  if (s.subgaussian) {
    object["subgaussian"] = {{"deviation", s.subgaussian->deviation},
                             {"tolerance", s.subgaussian->tolerance},
                             {"contradicted", !s.subgaussian->holds}};
  }
  if (s.martingale) {
    const MartingaleTolerance& t = *s.martingale;
    object["martingale"] = {{"tolerance", t.tolerance},
                            {"rows", t.rows},
                            {"exceeded", t.exceeded},
                            {"bias", {t.bias[0], t.bias[1]}},
                            {"bias_score", {number(t.bias_score[0]), number(t.bias_score[1])}},
                            {"contradicted", !t.holds}};
  }
  return object;
}

}  // namespace

std::string json_of(const AskedTolerance& o, const FoundTolerance& found) {
  const auto& [m, typical, sampled] = found;
  const std::string row = worst_row(m);
  Json object{{"first", m.pair.first.name()}, {"second", m.pair.second.name()}};
  const Tolerances t =
      tolerances(o, m.bound && !m.unbounded ? std::optional(rounded_up(*m.bound)) : std::nullopt);
  const auto json_number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  object["rtol"] = json_number(t.rtol);
  object["atol"] = json_number(t.atol);
  object["proved"] = m.unbounded || m.bound.has_value();
  object["how"] = m.justification.how();
  object["found"] = nullptr;
  if (m.witness && !m.unbounded) object["found"] = rounded_up(m.found);
  if (m.bound && !m.unbounded) add_vacuity(object, m.vacuity, o.where);
  object["worst"] = row.empty() ? Json() : Json::parse(row);
  if (typical) {
    object["random"] = {
        {"rows", typical->rows}, {"largest", nullptr}, {"no_numbers", typical->not_finite}};
    if (typical->rows > typical->not_finite) {
      object["random"]["largest"] = rounded_up(typical->largest);
    }
  }
  if (sampled) object["statistical"] = statistical_json(o, *sampled);
  object["note"] = m.pair.note;
  add_scope(scope_of(o, m.pair), object);
  object["seconds"] = m.seconds;
  return to_text(object, 2);
}

}  // namespace mmaspec
