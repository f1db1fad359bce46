// mmaspec diff: inputs on which two differ, or a proof that there are none.

#include "queries/prove/diff.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/colour.h"
#include "cli/command.h"
#include "cli/parser.h"
#include "cli/report/decoded.h"
#include "cli/report/range.h"
#include "cli/report/report.h"
#include "cli/stop.h"
#include "queries/numbers/where.h"
#include "queries/prove/all_k.h"
#include "queries/prove/maximize.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct Options {
  std::string first;
  std::string second;
  std::string ulp;
  std::string absolute;
  std::string relative;
  std::string out;
  std::string measure;  ///< to maximise; empty: none
  std::vector<std::string> where;
  DiffOptions diff;
  StrategyOptions strategies;
  ReportOptions report;
  bool all_k = false;
  int step_k = 0;  ///< of all K: what they are multiples of
  bool no_shrink = false;
  bool json = false;
};

Integer parse_ulp(const std::string& text) {
  if (text.empty() || text.size() > 30 ||
      text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument("--ulp: '" + text.substr(0, 60) + "' is no natural number");
  }
  return Integer(text);
}

std::optional<Rational> parse_bound(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    return parse_rational(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(option) + ": " + error.what());
  }
}

std::string condition_text(const Options& o) {
  std::string text;
  if (!o.ulp.empty()) text += " by more than " + o.ulp + " ulp";
  if (!o.absolute.empty())
    text += std::string(text.empty() ? "" : " and") + " by more than " + o.absolute;
  if (!o.relative.empty()) {
    text +=
        std::string(text.empty() ? "" : " and") + " by more than " + o.relative + " of the first";
  }
  return text;
}

std::string class_text(InputClass inputs) {
  switch (inputs) {
    case InputClass::finite:
      return "finite";
    case InputClass::normal:
      return "normal or zero";
    case InputClass::any:
      break;
  }
  return "any";
}

std::string witness_text(const Pair& pair, const Witness& w) {
  const std::size_t width = std::max(w.row.instruction.size(), w.row.other.size());
  return show_inputs(pair.first.formats, w.row.values) +
         fmt::format("  {:<{}}  {}\n", w.row.instruction, width,
                     show_pattern(*pair.first.formats.d, *w.row.d)) +
         fmt::format("  {:<{}}  {}\n", w.row.other, width,
                     show_pattern(*pair.second.formats.d, *w.row.d_other)) +
         fmt::format("  {} ulp apart\n", w.row.ulp);
}

std::string inputs_text(const Options& o) {
  const std::string of_k =
      o.step_k == 0 ? "" : fmt::format("for every K that is a multiple of {}, ", o.step_k);
  return of_k + fmt::format("inputs {}{}{}", class_text(o.diff.inputs),
                            o.where.empty() ? "" : ", where ", fmt::join(o.where, ", where "));
}

std::string text_of(const Options& options, const DiffResult& result) {
  const Pair& pair = result.pair;
  std::string text;
  if (!pair.note.empty()) text += pair.note + "\n";
  const std::string between = fmt::format("{} and {}", pair.first.name(), pair.second.name());
  switch (result.verdict) {
    case Verdict::unsatisfiable: {
      const std::string none = reason(result.vacuity);
      return text +
             fmt::format(
                 "{}{}: {} never differ{}, {} ({}{}{}{}, {:.2f} s)\n",
                 in_colour(Colour::good, "proved"), vacuously(result.vacuity), between,
                 condition_text(options), inputs_text(options), none, none.empty() ? "" : "; ",
                 (options.step_k == 0 ? "" : "by induction over steps, ") + result.grounds.how(),
                 vacuity_note(result.vacuity), result.seconds);
    }
    case Verdict::unknown:
      return text + fmt::format("{}: whether {} differ{}, {} ({})\n",
                                in_colour(Colour::open, "undecided"), between,
                                condition_text(options), inputs_text(options),
                                result.grounds.how());
    case Verdict::satisfiable:
      break;
  }
  const std::string where =
      options.where.empty() ? "" : fmt::format(", where {}", fmt::join(options.where, ", where "));
  text +=
      fmt::format("{} {}{}{} (found by {}, {:.2f} s)\n", between, in_colour(Colour::bad, "differ"),
                  condition_text(options), where, result.grounds.how(), result.seconds);
  for (const Witness& w : result.witnesses) text += witness_text(pair, w);
  if (options.step_k > 0) {
    text += fmt::format("K = {} is the least that both have\n", options.step_k);
  }
  if (result.exhausted) text += "no further witness unlike these exists\n";
  return text;
}

std::string json_of(const Options& options, const DiffResult& result,
                    const std::vector<std::string>& rows) {
  nlohmann::ordered_json object;
  object["first"] = result.pair.first.name();
  object["second"] = result.pair.second.name();
  object["verdict"] = result.verdict == Verdict::satisfiable     ? "witness"
                      : result.verdict == Verdict::unsatisfiable ? "proved"
                                                                 : "undecided";
  if (!options.where.empty()) object["where"] = options.where;
  if (options.step_k > 0) object["all_k"] = {{"multiples_of", options.step_k}};
  object["note"] = result.pair.note;
  if (result.verdict == Verdict::unsatisfiable) object["by"] = by(result.grounds.kind);
  object["how"] = result.grounds.how();
  if (result.verdict == Verdict::unsatisfiable) {
    add_vacuity(object, result.vacuity, options.where);
  }
  object["seconds"] = result.seconds;
  object["witnesses"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto witness = nlohmann::ordered_json::parse(rows[i]);
    add_values(result.witnesses[i].row, result.pair.first.formats, witness,
               result.pair.second.formats.d);
    object["witnesses"].push_back(std::move(witness));
  }
  if (result.exhausted) object["exhausted"] = true;
  object["attempts"] = explain_json(result.attempts);
  return to_text(object, 2);
}

std::string shown(const Rational& x) {
  if (denominator(x) == 1) return numerator(x).str();
  return fmt::format("{}", x.convert_to<double>());
}

std::string text_of(const Options& options, const Maximum& m) {
  std::string text = m.pair.note.empty() ? "" : m.pair.note + "\n";
  const std::string between = fmt::format("{} and {}", m.pair.first.name(), m.pair.second.name());
  const std::string unit = options.measure == "ulp" ? " ulp" : "";
  if (m.unbounded) {
    text += fmt::format("{} differ without bound: one result is no number ({:.2f} s)\n", between,
                        m.seconds);
  } else if (m.bound && *m.bound <= m.found) {
    const std::string none = reason(m.vacuity);
    text += fmt::format("proved{}: {} differ by at most {}{}{} ({}{}{}{}, {:.2f} s)\n",
                        vacuously(m.vacuity), between, shown(m.found), unit,
                        m.witness ? ", and here they do" : "", none, none.empty() ? "" : "; ",
                        m.grounds.how(), vacuity_note(m.vacuity), m.seconds);
  } else {
    text += fmt::format("{} differ by {}{} here; {} ({:.2f} s)\n", between, shown(m.found), unit,
                        m.bound ? fmt::format("never by more than {}{}, proved by {}",
                                              shown(*m.bound), unit, m.grounds.how())
                                : "no bound is proved",
                        m.seconds);
  }
  if (m.witness) text += witness_text(m.pair, *m.witness);
  return text;
}

template <typename Result>
Report report_of(const Options& options, const Pair& pair, const Result& result,
                 const std::vector<Witness>& witnesses, bool proved) {
  const WithoutColour plain;
  const std::string text = text_of(options, result);
  Report report{.question =
                    fmt::format("Where do {} and {} differ{}? {}", pair.first.name(),
                                pair.second.name(), condition_text(options), inputs_text(options))};
  // What stands before the witnesses; these follow as tables.
  const std::size_t at = pair.note.empty() ? 0 : pair.note.size() + 1;
  report.verdict =
      (pair.note.empty() ? "" : pair.note + ". ") + text.substr(at, text.find('\n', at) - at);
  report.tone = proved ? Tone::good : witnesses.empty() ? Tone::open : Tone::bad;
  for (const Witness& w : witnesses) {
    const DotValues other = counterpart(pair, options.diff.pairing.match, w.row.values);
    report.witnesses.push_back({{pair.first.name(), pair.first, w.row.values, *w.row.d},
                                {pair.second.name(), pair.second, other, *w.row.d_other}});
  }
  return report;
}

int run_maximize(const Options& options, const Portfolio& solvers) {
  const Maximum m =
      maximize(find_instruction(options.first), find_instruction(options.second), options.diff,
               options.measure == "ulp" ? Measure::ulp : Measure::absolute, solvers);
  const bool proved = m.unbounded || (m.bound && *m.bound <= m.found);
  const std::string row =
      m.witness ? to_json_line(m.witness->row, m.pair.first.formats, m.pair.second.formats.d) : "";
  if (!options.out.empty()) write_file(options.out, row.empty() ? "" : row + "\n");
  options.report.write(report_of(
      options, m.pair, m, m.witness ? std::vector{*m.witness} : std::vector<Witness>(), proved));
  if (options.json) {
    nlohmann::ordered_json object;
    object["first"] = m.pair.first.name();
    object["second"] = m.pair.second.name();
    object["measure"] = options.measure;
    object["largest"] = m.unbounded ? "inf" : shown(m.found);
    object["bound"] = m.unbounded ? nlohmann::ordered_json("inf")
                      : m.bound   ? nlohmann::ordered_json(shown(*m.bound))
                                  : nlohmann::ordered_json();
    object["proved"] = proved;
    object["note"] = m.pair.note;
    object["how"] = m.grounds.how();
    if (proved && !m.witness) add_vacuity(object, m.vacuity, options.where);
    object["seconds"] = m.seconds;
    if (!row.empty()) {
      object["witness"] = nlohmann::ordered_json::parse(row);
      add_values(m.witness->row, m.pair.first.formats, object["witness"], m.pair.second.formats.d);
    }
    object["attempts"] = explain_json(m.attempts);
    print(to_text(object, 2));
  } else {
    print(text_of(options, m) +
          (options.strategies.explain ? "attempts:\n" + explain(m.attempts) : ""));
  }
  end_if_stopped();
  if (m.witness) return kWitness;
  return proved ? kDone : kUndecided;
}

DiffResult ask(Options& options, const Portfolio& solvers) {
  const Instruction first = find_instruction(options.first);
  const Instruction second = find_instruction(options.second);
  if (!options.all_k) return diff(first, second, options.diff, solvers);
  const auto& [ulp, absolute, relative, signed_zero] = options.diff.difference;
  const auto& [pad, chain, match] = options.diff.pairing;
  if (ulp || absolute || relative || !options.where.empty() || options.diff.count > 1 || pad ||
      chain > 0 || match != Match::values) {
    throw std::invalid_argument(
        "--all-k takes no --ulp, --abs, --rel, --where, --count, --pad, --chain or --match");
  }
  AllK all = diff_for_all_k(first, second, options.diff, solvers);
  options.step_k = all.step_k;
  return std::move(all.result);
}

std::vector<std::string> rows_of(const DiffResult& result) {
  std::vector<std::string> rows;
  for (const Witness& w : result.witnesses) {
    rows.push_back(to_json_line(w.row, result.pair.first.formats, result.pair.second.formats.d));
  }
  return rows;
}

int run_range(Options& options, const ParameterRange& range) {
  if (!options.measure.empty() || !options.out.empty() || options.report.is_wanted()) {
    throw std::invalid_argument("a range takes no --maximize, --out, --picture or --html");
  }
  const double seconds = options.strategies.solve.timeout;
  const auto ask_one = [&](int value, double of_value) {
    (range.name == 0 ? options.first : options.second) = range.with(value);
    options.strategies.solve.timeout = of_value;
    options.diff.strategies = options.strategies.strategies();
    const DiffResult result = ask(options, options.strategies.solve.portfolio());
    end_if_stopped();
    RangeAnswer answer;
    answer.how = result.grounds.how();
    answer.json = json_of(options, result, rows_of(result));
    if (result.verdict == Verdict::unsatisfiable) answer.verdict = RangeAnswer::Verdict::holds;
    if (result.verdict == Verdict::satisfiable) {
      answer.verdict = RangeAnswer::Verdict::fails;
      for (const Witness& w : result.witnesses) answer.witness += witness_text(result.pair, w);
    }
    return answer;
  };
  return answer_range(range, seconds, options.json, "they never differ" + condition_text(options),
                      ask_one);
}

int run(Options& options) {
  Difference& difference = options.diff.difference;
  if (!options.ulp.empty()) difference.ulp = parse_ulp(options.ulp);
  difference.absolute = parse_bound("--abs", options.absolute);
  difference.relative = parse_bound("--rel", options.relative);
  options.diff.shrink = !options.no_shrink;
  options.diff.strategies = options.strategies.strategies();
  const Where where(options.where);
  if (!where.empty()) {
    options.diff.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  const StopSignals signals;
  if (const auto range = range_in({options.first, options.second})) {
    return run_range(options, *range);
  }
  const Portfolio solvers = options.strategies.solve.portfolio();
  if (!options.out.empty()) require_writable(options.out);
  options.report.require_files();
  if (!options.measure.empty()) {
    if (difference.ulp || difference.absolute || difference.relative || options.diff.count > 1 ||
        options.all_k) {
      throw std::invalid_argument("--maximize takes no --ulp, --abs, --rel, --count or --all-k");
    }
    return run_maximize(options, solvers);
  }
  const DiffResult result = ask(options, solvers);
  const std::vector<std::string> rows = rows_of(result);
  if (!options.out.empty()) {
    // Without a witness the file is empty: none of an earlier run may stay.
    write_file(options.out, fmt::format("{}{}", fmt::join(rows, "\n"), rows.empty() ? "" : "\n"));
  }
  options.report.write(report_of(options, result.pair, result, result.witnesses,
                                 result.verdict == Verdict::unsatisfiable));
  const std::string explained =
      options.strategies.explain ? "attempts:\n" + explain(result.attempts) : "";
  print(options.json ? json_of(options, result, rows) : text_of(options, result) + explained);
  end_if_stopped();
  switch (result.verdict) {
    case Verdict::satisfiable:
      return kWitness;
    case Verdict::unsatisfiable:
      return kDone;
    case Verdict::unknown:
      break;
  }
  return kUndecided;
}

}  // namespace

void add_diff(Command& app, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_command("diff", "inputs on which two differ, or a proof that there are none");
  command
      .add_option("FIRST", options->first,
                  "an instruction or a design; of a design one parameter may be a range, "
                  "LOW..HIGH: the least value for which they never differ")
      .required();
  command.add_option("SECOND", options->second, "another").required();
  command
      .add_option("--ulp", options->ulp,
                  "by more than so many ulp of the first one's results, counted beyond its largest "
                  "number too; of two formats an infinity is beyond any bound")
      .not_empty();
  command.add_option("--abs", options->absolute, "by more than this in absolute value").not_empty();
  command.add_option("--rel", options->relative, "by more than this times the first one's result")
      .not_empty();
  command.add_flag("--signed-zero", options->diff.difference.signed_zero,
                   "zeros of opposite signs differ");
  command
      .add_choice<InputClass>("--inputs", options->diff.inputs,
                              {{"finite", InputClass::finite},
                               {"normal", InputClass::normal},
                               {"any", InputClass::any}},
                              "finite; normal (no subnormals either; zeros are allowed); any")
      .default_text("finite");
  command.add_option("--where", options->where,
                     "only inputs of which this holds, such as 'normal(a[0]) && d >= 0'; names "
                     "are the first one's, d its result");
  command.add_option("--count", options->diff.count, "witnesses wanted, pairwise unlike")
      .range(1, 1000000);
  command
      .add_option("--maximize", options->measure,
                  "the largest difference, in ulp or absolute, and a bound proved")
      .expected(0, 1)
      .default_text("ulp")
      .one_of({"ulp", "abs"});
  command.add_flag("--pad", options->diff.pairing.pad,
                   "where K differ: zeros for the longer one, instead of chaining the shorter");
  command.add_flag(
      "--all-k", options->all_k,
      "for every K that both have, as chains of themselves: a proof by induction, or a "
      "witness for the least one");
  command.add_option("--chain", options->diff.pairing.chain, "chain both to this K")
      .range(1, 1 << 16);
  command
      .add_choice<Match>("--match", options->diff.pairing.match,
                         {{"values", Match::values}, {"bits", Match::bits}},
                         "where formats differ: equal values, or equal bits")
      .default_text("values");
  command.add_flag("--no-shrink", options->no_shrink, "show witnesses as they are found");
  command.add_option("--out", options->out, "write the witnesses to this file").not_empty();
  options->report.add_to(command, "of both, one above the other, at the first witness");
  options->strategies.add_to(command);
  add_json(command, options->json);
  command.examples(
      {{"mmaspec diff hopper/mma.m16n8k16.f32.f16.f16.f32 ampere/mma.m16n8k16.f32.f16.f16.f32",
        "an input on which they differ, or a proof that there is none"},
       {"mmaspec diff h100/mma.m16n8k16.f32.f16.f16.f32 mi300x/v_mfma_f32_32x32x8_f16 --ulp 4 "
        "--html why.html --where 'abs(a[*]) <= 1'",
        "by more than 4 ulp, a in [-1, 1]; the answer as a page"},
       {"mmaspec diff h100/mma.m16n8k16.f32.f16.f16.f32 "
        "'design:fused-dot-add(k=16,fraction_bits=20..30)'",
        "the least fraction_bits for which they agree"}},
      where_help());
  command.run([options, &status] { status = run(*options); });
}

}  // namespace mmaspec::cli
