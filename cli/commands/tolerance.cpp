// mmaspec tolerance: how far apart two may come, as a test's tolerance.

#include <fmt/format.h>

#include <cmath>

#include "cli/command.h"
#include "cli/parser.h"
#include "cli/stop.h"
#include "queries/ask/scope.h"
#include "queries/machines/largest_difference.h"
#include "queries/numbers/where.h"
#include "queries/prove/maximize.h"
#include "util/counted.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

constexpr double kTypicalShare = 0.5;  // of the time, for random data

enum class Output { text, python };

struct ToleranceCommandLine {
  std::string first;
  std::string second;
  std::vector<std::string> where;
  std::string out;
  std::string rtol;
  std::string atol;
  DiffOptions diff;
  StrategyOptions strategies;
  std::optional<Distribution> distribution;
  int samples = 100000;
  Output format = Output::text;
  bool json = false;
  bool full = false;
};

/// The least number of double precision that is no less: what a test compares with.
double rounded_up(const Rational& x) {
  const double near = x.convert_to<double>();
  return Rational(near) < x ? std::nextafter(near, HUGE_VAL) : near;
}

/// Of a test, so far as they are known.
struct Tolerances {
  std::optional<double> rtol;
  std::optional<double> atol;
};

/// The number of double precision that a test's text stands for; of an option.
double number_of(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  const Rational x = [&] {
    try {
      return parse_rational(text);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(option + ": " + error.what());
    }
  }();
  if (x < 0) throw std::invalid_argument(option + ": expected a number from 0 on, got " + text);
  return x.convert_to<double>();
}

/// The one that was given, 0 without one, and beside it `wanted`.
Tolerances tolerances(const ToleranceCommandLine& o, std::optional<double> wanted) {
  if (!o.atol.empty()) return {wanted, number_of("--atol", o.atol)};
  return {number_of("--rtol", o.rtol), wanted};
}

/// "rtol = 0, atol = 0.5"; `relation`: of the one that is looked for.
std::string tolerance_text(const ToleranceCommandLine& o, const Rational& wanted,
                           const char* relation = "=") {
  const Tolerances t = tolerances(o, rounded_up(wanted));
  const bool of_rtol = !o.atol.empty();
  return fmt::format("rtol {} {}, atol {} {}", of_rtol ? relation : "=", *t.rtol,
                     of_rtol ? "=" : relation, *t.atol);
}

Scope scope_of(const ToleranceCommandLine& o, const Pair& pair) {
  return mmaspec::scope_of(pair.first, pair.second, Match::values, o.diff.inputs, o.where);
}

/// What random data show; a line.
std::string typical_text(const LargestDifference& typical) {
  if (typical.rows == 0) {
    return "no statistics: no random row satisfies the condition, with operands that both formats "
           "hold\n";
  }
  return fmt::format("statistical, not proved: {}, c = 0: {} apart at most{}\n",
                     counted(typical.rows, "random row"), rounded_up(typical.largest),
                     typical.not_finite == 0
                         ? ""
                         : fmt::format(", and {} a result is not a finite number",
                                       counted(typical.not_finite, "time")));
}

std::string tolerance_text(const ToleranceCommandLine& o, const Maximum& m,
                           const std::optional<LargestDifference>& typical) {
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
                        none.empty() ? "" : "; ", m.grounds.how(), vacuity_note(m.vacuity));
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
  if (typical) text += typical_text(*typical);
  return text + evidence_line(scope.evidence);
}

/// A test's line with a tolerance that is proved, or that random data show and is labelled so. A
/// lower bound is a comment.
std::string python_of(const ToleranceCommandLine& o, const Maximum& m,
                      const std::optional<LargestDifference>& typical) {
  if (m.unbounded) throw std::invalid_argument("--format python: no tolerance is enough");
  const Scope scope = scope_of(o, m.pair);
  std::string text = fmt::format("# desired: {}; actual: {}\n# inputs {}\n", m.pair.first.label(),
                                 m.pair.second.label(), inputs_text(scope));
  if (!scope.evidence.empty()) text += "# " + evidence_line(scope.evidence);
  const auto line = [&](const Rational& wanted) {
    const Tolerances t = tolerances(o, rounded_up(wanted));
    return fmt::format("numpy.testing.assert_allclose(actual, desired, rtol={}, atol={})\n",
                       *t.rtol, *t.atol);
  };
  if (m.bound) {
    return text + "# all inputs pass" + vacuously(m.vacuity) + ", proved by " + m.grounds.how() +
           vacuity_note(m.vacuity) + "\n" + line(*m.bound);
  }
  text += m.witness
              ? fmt::format("# lower bound only: an input needs {}; no upper bound was proved\n",
                            tolerance_text(o, m.found, ">="))
              : std::string("# no difference was found, and no upper bound was proved\n");
  // A relative tolerance does not follow from the largest difference.
  const bool has_statistics = typical && typical->rows > 0 && typical->not_finite == 0;
  if (!has_statistics || !o.atol.empty()) {
    return text + "# no assertion: a lower bound is not a tolerance\n";
  }
  return text + "# " + typical_text(*typical) + line(typical->largest);
}

std::string tolerance_json(const ToleranceCommandLine& o, const Maximum& m, const std::string& row,
                           const std::optional<LargestDifference>& typical) {
  Json object{{"first", m.pair.first.name()}, {"second", m.pair.second.name()}};
  const Tolerances t =
      tolerances(o, m.bound && !m.unbounded ? std::optional(rounded_up(*m.bound)) : std::nullopt);
  const auto json_number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  object["rtol"] = json_number(t.rtol);
  object["atol"] = json_number(t.atol);
  object["proved"] = m.unbounded || m.bound.has_value();
  object["how"] = m.grounds.how();
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
  object["note"] = m.pair.note;
  add_scope(scope_of(o, m.pair), object);
  object["seconds"] = m.seconds;
  return to_text(object, 2);
}

int run_tolerance(ToleranceCommandLine& o) {
  const Where where(o.where);
  if (!where.empty()) {
    o.diff.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  o.diff.strategies = o.strategies.strategies();
  const Portfolio solvers = o.strategies.solve.portfolio();
  const StopSignals signals(o.strategies.solve.timeout, o.json);
  if (!o.out.empty()) require_writable(o.out);
  const Instruction first = find_instruction(o.first);
  const Instruction second = find_instruction(o.second);
  std::optional<LargestDifference> typical;
  if (o.distribution) {
    typical =
        largest_difference(pair_up(first, second, o.diff.pairing), o.diff.where, *o.distribution,
                           static_cast<std::size_t>(o.samples), o.diff.strategies.seed,
                           o.diff.strategies.deadline.part(kTypicalShare));
  }
  // The numbers that a test has, which are double precision's.
  if (!o.rtol.empty()) o.diff.difference.relative = Rational(number_of("--rtol", o.rtol));
  if (!o.atol.empty()) o.diff.difference.absolute = Rational(number_of("--atol", o.atol));
  if (o.diff.difference.relative && o.diff.difference.absolute) {
    throw std::invalid_argument("--rtol or --atol: the least of the other is looked for");
  }
  const Measure measure = o.atol.empty() ? Measure::absolute : Measure::relative;
  std::vector<DotValues> known;
  if (typical && typical->worst) known.push_back(*typical->worst);
  const Maximum m = maximize(first, second, o.diff, measure, solvers, known);
  const std::string row =
      m.witness ? to_json_line(m.witness->row, m.pair.first.formats, m.pair.second.formats.d) : "";
  if (!o.out.empty()) write_file(o.out, row.empty() ? "" : row + "\n");
  print(o.json                       ? tolerance_json(o, m, row, typical)
        : o.format == Output::python ? python_of(o, m, typical)
                                     : tolerance_text(o, m, typical));
  end_if_stopped();
  if (m.unbounded) return kWitness;
  return m.bound ? kDone : kUndecided;
}

}  // namespace

void add_tolerance(Command& app, int& status) {
  auto options = std::make_shared<ToleranceCommandLine>();
  Command command = app.add_command(
      "tolerance", "an atol with which every input passes a test of one against another");
  command.add_option("FIRST", options->first, "an instruction, a design or a plan").required();
  command.add_option("SECOND", options->second, "another").required();
  command.add_option("--where", options->where,
                     "only inputs of which this holds, such as 'abs(a[*]) <= 1'; names are the "
                     "first one's");
  command
      .add_choice<InputClass>("--inputs", options->diff.inputs,
                              {{"finite", InputClass::finite}, {"normal", InputClass::normal}},
                              "finite; normal (no subnormals either; zeros are allowed)")
      .default_text("finite");
  command
      .add_option("--rtol", options->rtol,
                  "of |FIRST's - SECOND's result| <= atol + rtol |FIRST's result|; the least atol "
                  "is looked for (by default with rtol = 0)")
      .not_empty();
  command.add_option("--atol", options->atol, "the least rtol beside it is looked for").not_empty();
  command
      .add_option("--k", options->diff.pairing.chain,
                  "this K for both: chained, with +0 * +0 for what the last run has left")
      .range(1, 1 << 16);
  command.add_choice<std::optional<Distribution>>(
      "--distribution", options->distribution,
      {{"normal", Distribution::normal}, {"uniform", Distribution::uniform}},
      "what random data show besides: a and b normal, or uniform in [-1, 1); c is 0");
  command.add_option("--samples", options->samples, "rows of random data").range(1, 100000000);
  command
      .add_choice<Output>("--format", options->format,
                          {{"text", Output::text}, {"python", Output::python}},
                          "text; or python, a line for a test")
      .default_text("text");
  command.add_option("--out", options->out, "write the worst input to this file")
      .not_empty()
      .rows_file();
  options->strategies.add_to(command);
  command.add_flag("--full", options->full, "show all products of the worst input");
  add_json(command, options->json);
  command.examples(
      {{"mmaspec tolerance h100/mma.m16n8k16.f32.f16.f16.f32 mi300x/v_mfma_f32_32x32x8_f16 --where "
        "'abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0'",
        "the atol that every such input passes"}},
      where_help());
  command.run([options, &status] { status = run_tolerance(*options); });
}

}  // namespace mmaspec::cli
