// mmaspec diff: finds inputs on which two units differ, or proves that there are none.

#include "queries/prove/diff.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "apps/cli/command.h"
#include "apps/cli/options/certificates.h"
#include "apps/cli/parser.h"
#include "apps/cli/report/range.h"
#include "apps/cli/report/report.h"
#include "apps/cli/stop.h"
#include "apps/cli/where_help.h"
#include "queries/numbers/where.h"
#include "queries/prove/any_order.h"
#include "queries/prove/maximize.h"
#include "queries/request/diff_request.h"
#include "report/attempts.h"
#include "report/colour.h"
#include "report/decoded.h"
#include "report/tables/machines_text.h"
#include "report/text/diff_text.h"
#include "report/text/link_text.h"
#include "spec/catalog/names/names.h"
#include "spec/conversions/conversions.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

constexpr double kAskedShare = 0.8;  // share of the time if statistics are requested too

struct DiffCommandLine {
  std::string first;
  std::string second;
  AskedDifference asked;
  std::string out;
  DiffOptions diff;
  CertificatesOption certificates;
  StrategyOptions strategies;
  ReportOptions report;
  bool all_k = false;
  std::optional<Distribution> distribution;  ///< of the requested statistics
  std::vector<std::string> data;             ///< files of A and B for statistics
  int samples = 0;                           ///< 0: 10000, or 1000 for two machines
  bool no_shrink = false;
  bool link = false;
  bool json = false;
};

std::optional<Rational> parse_bound(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_difference(option, text);
}

std::optional<MatrixData> matrices_of(const DiffCommandLine& o) {
  if (o.data.empty()) return std::nullopt;
  if (o.distribution) throw std::invalid_argument("--data cannot be combined with --distribution");
  return MatrixData(o.data[0], o.data[1]);
}

/// The data for the requested statistics.
StatisticsOptions statistics_options(const DiffCommandLine& o,
                                     const std::optional<MatrixData>& data, int samples,
                                     const Deadline& deadline) {
  StatisticsOptions how;
  how.data = data ? &*data : nullptr;
  how.distribution = o.distribution.value_or(how.distribution);
  how.where = o.diff.where;
  how.deadline = deadline;
  how.count = static_cast<std::size_t>(o.samples > 0 ? o.samples : samples);
  return how;
}

std::optional<ShownStatistics> statistics_of(const DiffCommandLine& o, const Pair& pair,
                                             const std::optional<MatrixData>& data,
                                             const Deadline& deadline) {
  if (!data && !o.distribution) return std::nullopt;
  return ShownStatistics{
      o.distribution,
      statistics(pair, statistics_options(o, data, 10000, deadline), o.diff.strategies.seed)};
}

/// The permalink of the first witness, or of the question; empty if it is not requested.
std::string link_of(const DiffCommandLine& options, const Pair& pair, const Witness* witness) {
  if (!options.link) return "";
  DiffOptions asked = options.diff;
  if (options.asked.step_k > 0) asked.pairing.chain = pair.first.formats.k;
  return compare_link(pair, asked, options.asked,
                      witness != nullptr ? &witness->row.values : nullptr);
}

template <typename Result>
Report diff_report(const DiffCommandLine& options, const Pair& pair, const Result& result,
                   const std::vector<Witness>& witnesses, bool proved) {
  const WithoutColour plain;
  const std::string text = text_of(options.asked, result);
  Report report{.question = fmt::format("Where do {} and {} differ{}? {}", pair.first.label(),
                                        pair.second.label(), condition_text(options.asked),
                                        inputs_text(options.asked, pair))};
  // The part before the witnesses, which follow as tables.
  const std::size_t at = pair.note.empty() ? 0 : pair.note.size() + 1;
  report.verdict =
      (pair.note.empty() ? "" : pair.note + ". ") + text.substr(at, text.find('\n', at) - at);
  report.tone = proved ? Tone::good : witnesses.empty() ? Tone::open : Tone::bad;
  for (const Witness& w : witnesses) {
    const DotValues other = counterpart(pair, options.diff.pairing.match, w.row.values);
    report.witnesses.push_back({{pair.first.label(), pair.first, w.row.values, *w.row.d},
                                {pair.second.label(), pair.second, other, *w.row.d_other}});
  }
  report.evidence = evidence_text(scope_of(options.asked, pair).evidence);
  return report;
}

/// Conversions have no pictures, links and statistics.
Instruction compared_unit(const DiffCommandLine& o, const std::string& name) {
  const bool needs_products = o.report.is_wanted() || o.link || o.distribution || !o.data.empty();
  return needs_products ? find_instruction(name) : find_with_conversions(name);
}

int run_maximize(const DiffCommandLine& options, const Portfolio& solvers) {
  const Maximum m = maximize(
      compared_unit(options, options.first), compared_unit(options, options.second), options.diff,
      options.asked.measure == "ulp" ? Measure::ulp : Measure::absolute, solvers);
  const bool proved = m.unbounded || (m.bound && *m.bound <= m.found);
  const std::string row =
      m.witness ? to_json_line(m.witness->row, m.pair.first.formats, m.pair.second.formats.d) : "";
  if (!options.out.empty()) write_file(options.out, row.empty() ? "" : row + "\n");
  const std::string link = link_of(options, m.pair, m.witness ? &*m.witness : nullptr);
  options.report.write(diff_report(
      options, m.pair, m, m.witness ? std::vector{*m.witness} : std::vector<Witness>(), proved));
  if (options.json) {
    print(with_link(json_of(options.asked, m), link));
  } else {
    print(text_of(options.asked, m) +
          (options.strategies.explain ? "attempts:\n" + attempts_text(m.attempts) : "") +
          link_line(link));
  }
  end_if_stopped();
  if (proved) return kDone;
  return m.bound ? kWitness : kUndecided;
}

DiffResult ask(DiffCommandLine& options, const Portfolio& solvers) {
  const Instruction first = compared_unit(options, options.first);
  const Instruction second = compared_unit(options, options.second);
  if (options.certificates.is_given() && !options.all_k &&
      (is_of_any_order(first) || is_of_any_order(second))) {
    throw std::invalid_argument("--certificates cannot be combined with a sum in any order");
  }
  AllK answer = ask_diff(first, second, options.diff, options.all_k, solvers);
  options.asked.step_k = answer.step_k;
  return std::move(answer.result);
}

/// Rejects all options that apply only to two instructions.
int run_machines(const DiffCommandLine& o, const std::optional<MatrixData>& data,
                 const Portfolio& solvers) {
  if (!o.asked.where.empty() || o.diff.count > 1 || o.all_k || !o.asked.measure.empty() ||
      !o.out.empty() || o.diff.pairing.chain > 0 || o.certificates.is_given() || o.link ||
      o.report.is_wanted()) {
    throw std::invalid_argument(
        "two architectures or products cannot be combined with --where, --count, --all-k, "
        "--maximize, --chain, --certificates,  --link, --picture, --html or --out");
  }
  const StatisticsOptions how = statistics_options(o, data, 1000, {});
  const std::vector<SharedProduct> products =
      diff_machines(o.first, o.second, o.diff, how, solvers);
  const auto distribution = data ? std::nullopt : std::optional(how.distribution);
  print(o.json ? json_of(o.first, o.second, o.asked, products, distribution)
               : text_of(o.first, o.second, o.asked, products, distribution));
  end_if_stopped();
  bool undecided = false;
  for (const SharedProduct& p : products) {
    if (p.result.verdict == Verdict::satisfiable) return kWitness;
    undecided = undecided || p.result.verdict == Verdict::unknown;
  }
  return undecided || products.empty() ? kUndecided : kDone;
}

/// The certificate of the proved statement, if requested.
std::optional<std::string> diff_certificate(const DiffCommandLine& options,
                                            const DiffResult& result) {
  if (!options.certificates.is_given() || result.verdict != Verdict::unsatisfiable) return {};
  Theorem theorem;
  theorem.names = {options.first, options.second};
  theorem.where = options.asked.where;
  theorem.difference = options.diff.difference;
  theorem.inputs = options.diff.inputs;
  theorem.pairing = options.diff.pairing;
  theorem.all_k = options.all_k;
  const SolveOptions& solve = options.strategies.solve;
  return options.certificates.make(theorem, result.justification, solve.timeout, solve.jobs);
}

int run_range(DiffCommandLine& options, const ParameterRange& range) {
  if (!options.asked.measure.empty() || !options.out.empty() || options.report.is_wanted() ||
      options.link || options.certificates.is_given() || options.distribution ||
      !options.data.empty()) {
    throw std::invalid_argument(
        "a range cannot be combined with --maximize, --out, --picture, --html, --link, "
        "--certificates, --distribution or --data");
  }
  const double seconds = options.strategies.solve.timeout;
  const auto ask_one = [&](int value, double of_value) {
    (range.name == 0 ? options.first : options.second) = range.with(value);
    options.strategies.solve.timeout = of_value;
    options.diff.strategies = options.strategies.strategies();
    const DiffResult result = ask(options, options.strategies.solve.portfolio());
    RangeAnswer answer;
    answer.how = vacuity_text(result.vacuity) + result.justification.how();
    answer.scope = inputs_text(options.asked, result.pair) + "\n" +
                   evidence_line(scope_of(options.asked, result.pair).evidence);
    answer.json = json_of(options.asked, result, {}, {});
    if (result.verdict == Verdict::unsatisfiable) answer.verdict = RangeAnswer::Verdict::holds;
    if (result.verdict == Verdict::satisfiable) {
      answer.verdict = RangeAnswer::Verdict::fails;
      for (const Witness& w : result.witnesses)
        answer.witness += witness_text(result.pair, w, options.asked.full);
    }
    return answer;
  };
  const int status = answer_range(range, seconds, options.json,
                                  "they never differ" + condition_text(options.asked), ask_one);
  end_if_stopped();
  return status;
}

int run_diff(DiffCommandLine& options) {
  Difference& difference = options.diff.difference;
  if (!options.asked.ulp.empty()) difference.ulp = parse_ulp("--ulp", options.asked.ulp);
  difference.absolute = parse_bound("--abs", options.asked.absolute);
  difference.relative = parse_bound("--rel", options.asked.relative);
  options.asked.inputs = options.diff.inputs;
  options.asked.match = options.diff.pairing.match;
  options.diff.shrink = !options.no_shrink;
  options.diff.strategies = options.strategies.strategies();
  if (options.link && options.diff.pairing.pad) {
    throw std::invalid_argument(
        "--link cannot be combined with --pad: the explorer does not support padding");
  }
  const Where where(options.asked.where);
  if (!where.empty()) {
    options.diff.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  const StopSignals signals(
      options.certificates.is_given() ? kNoTimeLimit : options.strategies.solve.timeout,
      options.json);
  if (const auto range = range_in({options.first, options.second})) {
    return run_range(options, *range);
  }
  const Portfolio solvers = options.strategies.solve.portfolio();
  if (!options.out.empty()) require_writable(options.out);
  if (options.certificates.is_given() && !options.asked.measure.empty()) {
    throw std::invalid_argument("--maximize cannot be combined with --certificates");
  }
  options.certificates.require_writable();
  const auto first = architecture_named(options.first);
  const auto second = architecture_named(options.second);
  const std::optional<MatrixData> matrices = matrices_of(options);
  if (first.has_value() != second.has_value()) {
    // An architecture together with a name that is neither an architecture nor an instruction.
    const std::string& other = first ? options.second : options.first;
    if (other.find_first_of("/:") == std::string::npos) find_architecture(other);
  }
  if (first && second) return run_machines(options, matrices, solvers);
  options.report.require_files();
  if (!options.asked.measure.empty()) {
    if (difference.ulp || difference.absolute || difference.relative || difference.signed_zero ||
        options.diff.count > 1 || options.all_k || options.distribution || !options.data.empty()) {
      throw std::invalid_argument(
          "--maximize cannot be combined with --ulp, --abs, --rel, --signed-zero (the distance of "
          "two zeros is 0), --count, --all-k, --distribution or --data");
    }
    return run_maximize(options, solvers);
  }
  const Deadline whole = options.diff.strategies.deadline;
  if (matrices || options.distribution) {
    options.diff.strategies.deadline = whole.part(kAskedShare);
  }
  const DiffResult result = ask(options, solvers);
  const std::vector<std::string> rows = rows_of(result);
  if (!options.out.empty()) {
    // Without a witness the file becomes empty, so that no earlier witness stays.
    write_file(options.out, fmt::format("{}{}", fmt::join(rows, "\n"), rows.empty() ? "" : "\n"));
  }
  const std::optional<ShownStatistics> shown = statistics_of(options, result.pair, matrices, whole);
  const std::string beside = shown ? text_of(*shown) + "\n" : std::string();
  options.report.write(diff_report(options, result.pair, result, result.witnesses,
                                   result.verdict == Verdict::unsatisfiable));
  const std::string explained =
      options.strategies.explain ? "attempts:\n" + attempts_text(result.attempts) : "";
  const std::optional<std::string> certificate = diff_certificate(options, result);
  const std::string certified =
      certificate && !certificate->empty() ? "certificate: " + *certificate + "\n" : "";
  const std::string link =
      link_of(options, result.pair, result.witnesses.empty() ? nullptr : &result.witnesses[0]);
  print(options.json
            ? with_link(json_of(options.asked, result, shown, certificate), link)
            : text_of(options.asked, result) + beside + certified + explained + link_line(link));
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
  auto options = std::make_shared<DiffCommandLine>();
  Command command = app.add_command(
      "diff", "find inputs on which two units differ, or prove that there are none");
  command
      .add_option("FIRST", options->first,
                  "an instruction or a design. One parameter of a design may be a range, "
                  "LOW..HIGH: diff then finds the least value for which they never differ. FIRST "
                  "and SECOND may also be architectures or products: diff then compares the "
                  "instructions that a GEMM library selects on each, for each data type")
      .required();
  command
      .add_option("SECOND", options->second,
                  "the second instruction, design, architecture or product")
      .required();
  command
      .add_option("--ulp", options->asked.ulp,
                  "report only differences of more than NUMBER ulp of FIRST's format. Steps are "
                  "counted beyond the largest number too. If the formats differ, the distance to "
                  "an infinity exceeds every bound")
      .not_empty();
  command
      .add_option("--abs", options->asked.absolute,
                  "report only absolute differences of more than NUMBER")
      .not_empty();
  command
      .add_option("--rel", options->asked.relative,
                  "report only differences of more than NUMBER times FIRST's result")
      .not_empty();
  command.add_flag("--full", options->asked.full, "show all products of a witness");
  command.add_flag("--signed-zero", options->diff.difference.signed_zero,
                   "zeros of opposite signs count as different");
  command
      .add_choice<InputClass>(
          "--inputs", options->diff.inputs,
          {{"finite", InputClass::finite},
           {"normal", InputClass::normal},
           {"any", InputClass::any}},
          "the inputs: finite; normal (no subnormals either; zeros are allowed); any")
      .default_text("finite");
  command.add_option("--where", options->asked.where,
                     "only inputs that satisfy this precondition, such as 'normal(a[0]) && d >= "
                     "0'. Names are those of FIRST; d is its result");
  command
      .add_option("--count", options->diff.count,
                  "the number of witnesses to find, of which no two are alike")
      .range(1, 1000000);
  command
      .add_option("--maximize", options->asked.measure,
                  "find the largest difference, in ulp or absolute, and prove an upper bound")
      .expected(0, 1)
      .default_text("ulp")
      .one_of({"ulp", "abs"});
  command.add_flag("--pad", options->diff.pairing.pad,
                   "if K differs: set the longer unit's further products to zeros, instead of "
                   "chaining the shorter unit");
  command.add_flag("--all-k", options->all_k,
                   "compare chains of both units for every common K: a proof by induction, or a "
                   "witness for the least K");
  command
      .add_option("--chain", options->diff.pairing.chain,
                  "compare chains of both units of this length K; missing products of the last "
                  "step are +0 * +0")
      .range(1, 1 << 16);
  command
      .add_choice<Match>("--match", options->diff.pairing.match,
                         {{"values", Match::values}, {"bits", Match::bits}},
                         "if result formats differ: compare values, or bits")
      .default_text("values");
  command.add_choice<std::optional<Distribution>>(
      "--distribution", options->distribution,
      {{"normal", Distribution::normal}, {"uniform", Distribution::uniform}},
      "also measure on random data how many results differ and by how much: a and b normal (mean "
      "0, deviation 1) or uniform (in [-1, 1)), c = 0. For two architectures or products, normal "
      "is the default");
  command
      .add_option(
          "--data", options->data,
          "A.npy B.npy: also measure on your own matrices, (..., M, K) and (..., K, N), how many "
          "results differ and by how much: float16, float32 or float64, rounded to nearest into "
          "the formats, or bit patterns. Each dot product has the K of the units, and c = 0")
      .expected(2, 2);
  command
      .add_option("--samples", options->samples,
                  "the largest number of dot products for --distribution or --data (default: "
                  "10000, or 1000 for each data type of two architectures or products)")
      .range(1, 10000000);
  command.add_flag("--no-shrink", options->no_shrink,
                   "show witnesses as they are found, without simplifying them");
  command.add_option("--out", options->out, "write the witnesses to this file")
      .not_empty()
      .rows_file();
  options->certificates.add_to(command);
  command.add_flag("--link", options->link,
                   "print the explorer's link to this question: the part after #");
  options->report.add_to(command, "of both units, one above the other, on the first witness");
  options->strategies.add_to(command);
  options->strategies.add_no_trust(command);
  add_json(command, options->json);
  command.examples(
      {{"mmaspec diff hopper/mma.m16n8k16.f32.f16.f16.f32 ampere/mma.m16n8k16.f32.f16.f16.f32",
        "an input on which they differ, or a proof that there is none"},
       {"mmaspec diff h100/mma.m16n8k16.f32.f16.f16.f32 mi300x/v_mfma_f32_32x32x8_f16 --ulp 4 "
        "--html why.html --where 'abs(a[*]) <= 1'",
        "by more than 4 ulp, for a in [-1, 1]; the answer as a page"},
       {"mmaspec diff h100/mma.m16n8k16.f32.f16.f16.f32 "
        "'design:fused-dot-add(k=16,fraction_bits=20..30)'",
        "the least fraction_bits for which they agree"}},
      where_help());
  command.run([options, &status] { status = run_diff(*options); });
}

}  // namespace mmaspec::cli
