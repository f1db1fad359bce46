// mmaspec prove: decides whether a property holds for an instruction.

#include "queries/prove/prove.h"

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/options/certificates.h"
#include "apps/cli/options/formats_option.h"
#include "apps/cli/options/rtl_options.h"
#include "apps/cli/parser.h"
#include "apps/cli/report/range.h"
#include "apps/cli/report/report.h"
#include "apps/cli/stop.h"
#include "apps/cli/where_help.h"
#include "hardware/rtl/check.h"
#include "hardware/rtl/simulation.h"
#include "queries/numbers/where.h"
#include "report/attempts.h"
#include "report/colour.h"
#include "report/text/link_text.h"
#include "report/text/prove_text.h"
#include "report/text/sum_error_text.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct ProveCommandLine {
  std::string property;
  std::vector<std::string> names;
  std::vector<std::string> where;
  std::string bound;
  std::string out;
  bool list = false;
  bool tightest = false;
  bool no_shrink = false;
  bool confirm = false;
  bool link = false;
  bool full = false;
  int within = 0;
  CertificatesOption certificates;
  RtlOptions rtl;  ///< without files: the command names instructions
  FormatsOptions formats;
  ReportOptions report;
  StrategyOptions strategies;
  bool json = false;
};

/// The RTL as an instruction.
Instruction rtl_instruction(const ProveCommandLine& o, const Portfolio& solvers) {
  rtl::prepare_yosys(complain);
  const Deadline deadline = o.strategies.solve.deadline();
  const LoadedRtl loaded = load_rtl(o.rtl, formats_of(o.formats), deadline, o.strategies);
  if (!loaded.design->constants().empty()) {
    throw std::invalid_argument(
        "prove --rtl: --map must name ports, because properties are about all values of an operand "
        "(mmaspec rtl accepts constants)");
  }
  if (const auto doubt =
          rtl::undecided_dependence(*loaded.design, o.strategies.strategies(), solvers)) {
    throw std::invalid_argument(*doubt);
  }
  rtl::cross_check(loaded.design, loaded.sources, loaded.clock, std::nullopt, deadline);
  return rtl::as_instruction(loaded.design);
}

std::string list_text() {
  std::size_t width = 0;
  for (const Property* p : properties()) width = std::max(width, p->name().size());
  std::string text;
  for (const Property* p : properties()) {
    text += fmt::format("{:<{}}  {}{} ({})\n", p->name(), width, p->summary(),
                        p->of_two() ? "; two names" : "", p->source());
  }
  return text;
}

std::string list_json() {
  std::string text;
  for (const Property* p : properties()) {
    text += to_text({{"property", p->name()},
                     {"says", p->summary()},
                     {"source", p->source()},
                     {"names", p->of_two() ? 2 : 1}});
  }
  return text;
}

int prove_status(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
    case Outcome::not_applicable:
      return kDone;
    case Outcome::refuted:
      return kWitness;
    case Outcome::undecided:
      break;
  }
  return kUndecided;
}

template <typename Result>
Report prove_report(const AskedProperty& asked, const Result& result, const Proof& proof,
                    bool proved, bool open) {
  const WithoutColour plain;
  const std::string text = text_of(asked, result, false);
  Report report{
      .question = fmt::format("Does {} hold? {}", asked.property.name(), asked.property.summary())};
  report.verdict = text.substr(0, text.find('\n'));
  report.evidence = evidence_text(scope_of(asked).evidence);
  report.tone = proved ? Tone::good : open ? Tone::open : Tone::bad;
  if (!proof.witness.empty()) report.witnesses.push_back(proof.witness);
  return report;
}

/// The witness's evaluations as vector rows, one on each line.
std::string prove_rows(const Proof& proof) {
  std::string rows;
  for (const WitnessRun& r : proof.witness) {
    VectorRow row;
    row.instruction = r.instruction.name();
    row.values = r.values;
    row.d = r.d;
    rows += to_json_line(row, r.instruction.formats) + "\n";
  }
  return rows;
}

/// The bound for every K, which `prove error-bound` reports for a chain or a plan.
int bound_for_all_k(const ProveCommandLine& o, const Instruction& instruction) {
  const std::vector<BoundInK> bounds = bounds_in_k(instruction);
  print(o.json ? json_of(instruction, bounds) : text_of(instruction, bounds));
  return bounds.empty() ? kUndecided : kDone;
}

/// The certificate of the proved statement, if requested. It has a separate time limit.
std::optional<std::string> prove_certificate(const ProveCommandLine& o,
                                             std::optional<Rational> parameter,
                                             const Proof& proof) {
  if (!o.certificates.is_given() || proof.outcome != Outcome::proved) return {};
  Theorem theorem;
  theorem.property = o.property;
  theorem.names = o.names;
  theorem.where = o.where;
  theorem.within = o.within;
  theorem.parameter = std::move(parameter);
  const SolveOptions& solve = o.strategies.solve;
  return o.certificates.make(theorem, proof.justification, solve.timeout, solve.jobs);
}

/// The answer for one value of a range.
RangeAnswer prove_answer(const AskedProperty& asked, const Proof& proof) {
  const Scope scope = scope_of(asked);
  RangeAnswer answer{.how = vacuity_text(proof.vacuity) + proof.justification.how(),
                     .scope = "inputs " + inputs_text(scope) + "\n" + evidence_line(scope.evidence),
                     .json = json_of(asked, proof)};
  switch (proof.outcome) {
    case Outcome::proved:
      answer.verdict = RangeAnswer::Verdict::holds;
      break;
    case Outcome::refuted:
      answer.verdict = RangeAnswer::Verdict::fails;
      answer.witness = witness_text(proof, asked.full);
      break;
    case Outcome::not_applicable:
    case Outcome::undecided:
      break;
  }
  return answer;
}

int run_prove(ProveCommandLine& o) {
  if (o.list) {
    print(o.json ? list_json() : list_text());
    return kDone;
  }
  const std::string hint =
      o.where.empty() ? "" : " (--where takes all arguments that follow it: put it last)";
  if (o.property.empty()) {
    throw std::invalid_argument(
        "expected a property and an instruction; --list names the properties" + hint);
  }
  const Property& property = find_property(o.property);
  const Portfolio solvers = o.strategies.solve.portfolio();
  const StopSignals signals(o.certificates.is_given() ? kNoTimeLimit : o.strategies.solve.timeout,
                            o.json);
  const std::size_t names = property.of_two() ? 2 : 1;
  // RTL replaces the first name.
  std::optional<Instruction> of_rtl;
  if (!o.rtl.sources.files.empty()) {
    if (o.certificates.is_given() || o.link) {
      throw std::invalid_argument("--rtl cannot be combined with --certificates or --link");
    }
    of_rtl = rtl_instruction(o, solvers);
  }
  if (o.names.size() + (of_rtl ? 1 : 0) != names) {
    throw std::invalid_argument(fmt::format("{} is a property of {}, got {}{}", property.name(),
                                            counted(names, "instruction"),
                                            o.names.size() + (of_rtl ? 1 : 0), hint));
  }
  const bool needs_products = o.report.is_wanted() || o.link;
  const auto find = [&](const std::string& name) {
    return needs_products ? find_instruction(name) : find_with_conversions(name);
  };
  const auto subject_now = [&] {
    const Instruction first = of_rtl ? *of_rtl : find(o.names[0]);
    Subject subject =
        subject_of(first, names == 2 ? std::optional(find(o.names.back())) : std::nullopt);
    subject.within = o.within;
    if (!o.bound.empty()) subject.parameter = parse_rational(o.bound);
    return subject;
  };
  const auto range = range_in(o.names);
  if (range) o.names[range->name] = range->with(range->low);
  const Subject subject = subject_now();
  const bool has_number = !property.parameters(subject).empty();
  if (!has_number && (o.tightest || !o.bound.empty())) {
    throw std::invalid_argument(property.name() +
                                " cannot be combined with --bound, --tightest or --least");
  }
  const bool all_k = !o.tightest && has_bounds_in_k(property, subject, o.where);
  if (all_k && !range && o.strategies.no_trust) {
    throw std::invalid_argument("--no-trust: bounds for every K rest on the theorem " +
                                number_of(TrustedTheorem::componentwise_error) +
                                "; --bound X or --tightest asks for this K alone");
  }
  if (all_k && !range) return bound_for_all_k(o, subject.first);
  if (has_number && o.bound.empty()) o.tightest = true;
  ProveOptions options;
  options.strategies = o.strategies.strategies();
  options.shrink = !o.no_shrink;
  options.confirm = o.confirm;
  const Where where(o.where);
  if (!where.empty()) {
    options.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  if (range) {
    if (o.tightest || !o.out.empty() || o.report.is_wanted() || o.link ||
        o.certificates.is_given()) {
      throw std::invalid_argument(
          "a range cannot be combined with --tightest, --out, --picture, --html, --link or "
          "--certificates; a property with a bound needs --bound");
    }
    const double seconds = o.strategies.solve.timeout;
    const int status = answer_range(
        *range, seconds, o.json, property.name() + " holds", [&](int value, double of_value) {
          o.names[range->name] = range->with(value);
          o.strategies.solve.timeout = of_value;
          options.strategies = o.strategies.strategies();
          const Subject of_this = subject_now();
          const Proof proof = prove(property, of_this, options, o.strategies.solve.portfolio());
          return prove_answer({property, of_this, o.where}, proof);
        });
    end_if_stopped();
    return status;
  }
  if (!o.out.empty()) require_writable(o.out);
  o.certificates.require_writable();
  o.report.require_files();
  AskedProperty asked{property, subject, o.where, o.full};
  if (o.tightest) {
    const Tightest t = tightest(property, subject, options, solvers);
    if (!o.out.empty()) write_file(o.out, prove_rows(t.refutation));
    o.report.write(
        prove_report(asked, t, t.refutation, t.proved.has_value(), !t.proved.has_value()));
    if (t.proved) asked.certificate = prove_certificate(o, t.proved, t.proof);
    Subject linked = subject;
    linked.parameter = t.refuted;
    const std::string link = o.link ? ask_link(property, linked, o.where, t.refutation) : "";
    print(o.json ? with_link(json_of(asked, t), link)
                 : text_of(asked, t, o.strategies.explain) + link_line(link));
    end_if_stopped();
    if (t.proof.outcome == Outcome::not_applicable) return kDone;
    return t.proved ? kDone : kUndecided;
  }
  const Proof proof = prove(property, subject, options, solvers);
  if (!o.out.empty()) write_file(o.out, prove_rows(proof));
  o.report.write(prove_report(asked, proof, proof, proof.outcome == Outcome::proved,
                              proof.outcome != Outcome::refuted));
  asked.certificate = prove_certificate(o, subject.parameter, proof);
  const std::string link = o.link ? ask_link(property, subject, o.where, proof) : "";
  print(o.json ? with_link(json_of(asked, proof), link)
               : text_of(asked, proof, o.strategies.explain) + link_line(link));
  end_if_stopped();
  return prove_status(proof.outcome);
}

}  // namespace

void add_prove(Command& app, int& status) {
  auto options = std::make_shared<ProveCommandLine>();
  Command command = app.add_command("prove", "prove a property, or refute it by a witness");
  command.add_option("PROPERTY", options->property, "a property; prove --list shows all");
  command.add_option("NAME", options->names,
                     "an instruction, a design or a plan; two of them for a property of two. One "
                     "parameter of a design may be a range, LOW..HIGH: prove then finds the least "
                     "value for which the property holds");
  command.add_flag("--full", options->full, "show all products of a witness");
  command.add_flag("--list", options->list, "list and explain all properties");
  command
      .add_option("--bound", options->bound,
                  "the bound of error-bound (ulp), sum-error-bound and norm-error-bound (u) or "
                  "carry-bits (bits). Without it, prove finds the least bound; for the error-bound "
                  "of a plan, a formula of K")
      .not_empty();
  command.add_flag("--tightest,--least", options->tightest,
                   "find the least bound that holds, and show that the next smaller one fails");
  command
      .add_option("--within", options->within,
                  "permutation-invariant: only permutations inside blocks of NUMBER products")
      .range(1, 1 << 16);
  command.add_option(
      "--where", options->where,
      "only inputs that satisfy this precondition, such as 'normal(a[0]) && c >= 0'. If a property "
      "compares any two inputs, both must; if it negates or doubles an input, the given one must");
  command.add_flag("--confirm", options->confirm, "require that a second solver confirms a proof");
  command.add_flag("--no-shrink", options->no_shrink,
                   "show the witness as it is found, without simplifying it");
  command.add_option("--out", options->out, "write the inputs of the witness to this file")
      .not_empty()
      .rows_file();
  options->certificates.add_to(command);
  command.add_option(
      "--rtl", options->rtl.sources.files,
      "files of a hardware design to examine instead of an instruction (docs/rtl.md)");
  options->rtl.add_to(command);
  options->formats.add_to(command);
  command.add_flag("--link", options->link,
                   "print the explorer's link to this question: the part after #");
  options->report.add_to(command, "for the inputs of the witness");
  options->strategies.add_to(command);
  options->strategies.add_no_trust(command);
  add_json(command, options->json);
  command.examples(
      {{"mmaspec prove monotone-c volta/mma.m8n8k4.f32.f16.f16.f32",
        "does a larger c ever give a smaller d?"},
       {"mmaspec prove error-bound hopper/mma.m16n8k16.f32.f16.f16.f32 --where 'finite(d)'",
        "the least bound, in ulp of the largest term"},
       {"mmaspec prove correctly-rounded "
        "'design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=8..30,round=rne)'",
        "the least fraction_bits for which it holds"}},
      where_help());
  command.run([options, &status] { status = run_prove(*options); });
}

}  // namespace mmaspec::cli
