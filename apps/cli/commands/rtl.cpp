// mmaspec rtl: compares a hardware design with a specification, or with another design.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "apps/cli/command.h"
#include "apps/cli/options/formats_option.h"
#include "apps/cli/options/rtl_options.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "hardware/rtl/check.h"
#include "hardware/rtl/fixed_point/fixed_point.h"
#include "hardware/rtl/flags/flags.h"
#include "hardware/rtl/members/members.h"
#include "hardware/rtl/simulation.h"
#include "hardware/rtl/testbench.h"
#include "queries/ask/scope.h"
#include "queries/numbers/where.h"
#include "report/attempts.h"
#include "report/values.h"
#include "util/counted.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct RtlCommandLine {
  RtlOptions rtl;
  std::string against;
  AgainstRtlOptions against_rtl;
  std::vector<std::string> cuts;
  std::vector<std::string> where;
  FormatsOptions formats;
  std::vector<std::string> fixed;  ///< c=fixed:I.F, d=fixed:I.F
  std::string flags;               ///< the signals of the exception flags, taken from --map
  Tininess tininess = Tininess::after_rounding;
  bool answer = false;
  rtl::CheckOptions check;
  bool no_shrink = false;
  bool trace = false;
  std::string out;
  std::string testbench;
  std::string vcd;
  StrategyOptions strategies;
  bool json = false;
  bool full = false;
};

std::string verdict_word(Verdict verdict) {
  return verdict == Verdict::satisfiable     ? "witness"
         : verdict == Verdict::unsatisfiable ? "proved"
                                             : "undecided";
}

std::string rtl_inputs_text(const RtlCommandLine& o, const rtl::RtlDesign& design) {
  const std::string constants = design.constants_text();
  const char* of = o.check.inputs == InputClass::any      ? "all inputs"
                   : o.check.inputs == InputClass::finite ? "finite inputs"
                                                          : "inputs normal or zero";
  const std::string reset =
      design.connection().reset.empty() ? "" : ", first operation after a reset";
  return of + (constants.empty() ? "" : " with " + constants) + reset +
         (o.where.empty() ? "" : fmt::format(", where {}", fmt::join(o.where, ", where ")));
}

/// What a simulator reports for a verdict, for one design or both.
struct SimulatedDesign {
  std::string design;
  rtl::CrossCheck check;
  bool is_converted = false;  ///< from VHDL: GHDL's Verilog was simulated
};

std::string simulation_text(const SimulatedDesign& simulated) {
  const rtl::CrossCheck& s = simulated.check;
  if (s.why) return fmt::format("  {} not simulated: {}\n", simulated.design, *s.why);
  std::string text;
  if (simulated.is_converted) {
    text = fmt::format("  {} is VHDL: its conversion to Verilog by ghdl was not checked\n",
                       simulated.design);
  }
  if (s.witness_d) {
    text += fmt::format("  {}: d = 0x{}{}\n", s.program, *s.witness_d,
                        s.witness_fails  ? ", the same failure"
                        : s.unknown == 0 ? ", no failure"
                                         : "");
  }
  text += fmt::format("  {} and the circuit that yosys elaborated of {} agree on {}\n", s.program,
                      simulated.design, counted(s.rows, "input"));
  if (s.unknown > 0) {
    text += fmt::format("  {}: the result has unknown bits (x) on {}\n", s.program,
                        counted(s.unknown, "more input"));
  }
  return text;
}

Json simulation_json(const rtl::CrossCheck& simulated) {
  Json simulation{
      {"program", simulated.program}, {"rows", simulated.rows}, {"unknown", simulated.unknown}};
  if (simulated.why) simulation["not_done"] = *simulated.why;
  if (simulated.witness_d) {
    simulation["d"] = "0x" + *simulated.witness_d;
    simulation["fails"] = simulated.witness_fails;
  }
  return simulation;
}

std::string rtl_text(const RtlCommandLine& o, const Instruction& spec, const rtl::RtlDesign& design,
                     const rtl::CheckResult& r, const std::vector<SimulatedDesign>& simulated) {
  const std::string top = "rtl/" + o.rtl.sources.top;
  std::string text;
  switch (r.verdict) {
    case Verdict::unsatisfiable:
      text =
          fmt::format("proved{}: {}{} computes {}, {} ({}{}, {:.2f} s)\n", vacuously(r.vacuity),
                      reason(r.vacuity).empty() ? "" : reason(r.vacuity) + "; ", top, spec.label(),
                      rtl_inputs_text(o, design), r.how, vacuity_note(r.vacuity), r.seconds);
      break;
    case Verdict::unknown:
      text = fmt::format("undecided: whether {} computes {}, {} ({}, {:.2f} s)\n", top,
                         spec.label(), rtl_inputs_text(o, design), r.how, r.seconds);
      for (const std::string& part : r.parts) text += "  proved: " + part + "\n";
      if (r.sweep.terms > 0) {
        text += fmt::format("  {} of the RTL's {} terms are proved equal to the specification's\n",
                            r.sweep.identical + r.sweep.proved, r.sweep.terms);
      }
      break;
    case Verdict::satisfiable: {
      const std::size_t width = std::max(spec.label().size(), top.size());
      text = fmt::format("{} does not compute {} (found by {}, {:.2f} s)\n", top, spec.label(),
                         r.how, r.seconds) +
             show_inputs(spec.formats, r.row->values, o.full) +
             fmt::format("  {:<{}}  {}\n  {:<{}}  {}\n", spec.label(), width,
                         show_pattern(*spec.formats.d, *r.row->d), top, width,
                         show_pattern(*spec.formats.d, *r.row->d_other));
      if (spec.formats.d == &rtl::flags_format()) {
        text += fmt::format("  specified flags: {}; flags of {}: {}\n", rtl::flag_names(*r.row->d),
                            top, rtl::flag_names(*r.row->d_other));
      }
      if (o.trace) {
        for (const auto& [name, value] : r.signals) {
          text += fmt::format("  {} = 0x{}\n", name, to_hex(value));
        }
      }
      break;
    }
  }
  if (!o.fixed.empty()) {
    text += fmt::format("  numbers of c and d are multiples of 2^-{} and 2^-{}\n",
                        spec.formats.c->point, spec.formats.d->point);
  }
  const rtl::Connection& connection = design.connection();
  if (!connection.valid_out.empty()) {
    text += fmt::format("  {} shows the result after {}\n", connection.valid_out,
                        counted(connection.latency, "clock edge"));
  }
  text += evidence_line(weakest_evidence({spec}));
  for (const SimulatedDesign& s : simulated) text += simulation_text(s);
  for (const std::string& note : r.cut_notes) text += "  cut " + note + "\n";
  if (o.strategies.explain) text += "attempts:\n" + attempts_text(r.attempts);
  return text;
}

Json rtl_json(const RtlCommandLine& o, const Instruction& spec, const rtl::RtlDesign& design,
              const rtl::CheckResult& r, const std::vector<SimulatedDesign>& simulated) {
  Json object;
  object["top"] = o.rtl.sources.top;
  object["against"] = spec.name();
  object["verdict"] = verdict_word(r.verdict);
  object["inputs"] = rtl_inputs_text(o, design);
  object["evidence"] = evidence_json(weakest_evidence({spec}));
  if (r.verdict == Verdict::unsatisfiable) object["by"] = by(r.justification.kind);
  object["how"] = r.how;
  object["latency"] = design.connection().latency;
  if (r.verdict == Verdict::unsatisfiable) add_vacuity(object, r.vacuity, o.where);
  object["seconds"] = r.seconds;
  if (r.row) {
    object["witness"] = mmaspec::to_json(*r.row, spec.formats);
    object["signals"] = Json::object();
    for (const auto& [name, value] : r.signals) object["signals"][name] = "0x" + to_hex(value);
  }
  if (!simulated.empty() && simulated[0].is_converted) object["converted_by"] = "ghdl";
  if (!simulated.empty()) object["simulation"] = simulation_json(simulated[0].check);
  if (simulated.size() > 1) object["against_simulation"] = simulation_json(simulated[1].check);
  if (!r.parts.empty()) object["proved"] = r.parts;
  if (!r.cut_notes.empty()) object["cuts"] = r.cut_notes;
  if (r.sweep.terms > 0) {
    object["equivalence_points"] = {{"terms", r.sweep.terms},
                                    {"identical", r.sweep.identical},
                                    {"proved", r.sweep.proved},
                                    {"refuted", r.sweep.refuted},
                                    {"open", r.sweep.open}};
  }
  object["attempts"] = attempts_json(r.attempts);
  return object;
}

/// Writes the testbench and the waveforms, if requested, and simulates the elaborated netlist of a
/// verdict, for both designs if there are two.
std::vector<SimulatedDesign> simulated(const RtlCommandLine& o, const LoadedRtl& loaded,
                                       const std::optional<LoadedRtl>& second,
                                       const rtl::CheckResult& r) {
  const rtl::Sources& sources = loaded.sources;
  const auto bench = [&](const std::string& vcd) {
    return rtl::testbench(*loaded.design, sources, loaded.clock, {*r.row}, vcd);
  };
  const Deadline deadline = o.strategies.solve.deadline();
  if (r.row && !o.testbench.empty()) write_file(o.testbench, bench(""));
  if (r.row && !o.vcd.empty() && !rtl::simulate(sources, bench(o.vcd), true, deadline)) {
    throw std::runtime_error("--vcd: no simulator that can write a VCD file is in PATH (iverilog)");
  }
  std::vector<SimulatedDesign> all;
  if (r.verdict == Verdict::unknown) return all;
  all.push_back({sources.top,
                 rtl::cross_check(loaded.design, sources, loaded.clock, r.row, deadline),
                 loaded.converted != nullptr});
  if (!second) return all;
  std::optional<VectorRow> row = r.row;
  if (row) std::swap(row->d, row->d_other);
  all.push_back({"against-rtl/" + second->sources.top,
                 rtl::cross_check(second->design, second->sources, second->clock, row, deadline),
                 second->converted != nullptr});
  return all;
}

/// Answers rows on standard input with d of the RTL, as an oracle.
int answer_rows(const rtl::RtlDesign& design, const rtl::RtlModel& model,
                const DotFormats& formats) {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    VectorRow row = parse_row(line);
    check_row(row, formats);
    if (!design.has_constants(row.values)) {
      throw std::invalid_argument(fmt::format("--answer: {} answers only rows with {}",
                                              design.top(), design.constants_text()));
    }
    row.d = model.run(row.values);
    print(to_json_line(row, formats) + "\n");
  }
  return kDone;
}

/// c's and d's formats in fixed point.
struct FixedFormats {
  const Format* c = nullptr;
  const Format* d = nullptr;  ///< nullptr: c and d are in the specification's formats
};

FixedFormats fixed_formats(const RtlCommandLine& o) {
  FixedFormats fixed;
  for (const std::string& text : o.fixed) {
    const bool is_c = text.starts_with("c=");
    if (!is_c && !text.starts_with("d=")) {
      throw std::invalid_argument("--format-of: '" + text +
                                  "' is not of the form c=fixed:I.F or d=fixed:I.F");
    }
    const Format*& format = is_c ? fixed.c : fixed.d;
    if (format != nullptr) {
      throw std::invalid_argument("--format-of: an operand is given twice: '" + text + "'");
    }
    format = &rtl::fixed_point_format("--format-of", text.substr(2));
  }
  if (fixed.c != nullptr && fixed.d == nullptr) {
    throw std::invalid_argument("--format-of: the result's format is required: d=fixed:I.F");
  }
  if (fixed.c == nullptr) fixed.c = fixed.d;
  return fixed;
}

/// What the design should compute. In fixed point, the question is about finite inputs.
Instruction specification_of(RtlCommandLine& o) {
  const Instruction spec = find_instruction(o.against);
  const FixedFormats fixed = fixed_formats(o);
  if (fixed.d == nullptr) return spec;
  if (!o.where.empty() || o.check.inputs == InputClass::normal) {
    throw std::invalid_argument("--format-of cannot be combined with --where or --inputs normal");
  }
  if (spec.formats.a->has_nan() || spec.formats.b->has_nan()) {
    o.check.inputs = InputClass::finite;
  }
  return rtl::with_fixed_point(spec, *fixed.c, *fixed.d);
}

/// The second design as the specification of the first.
Instruction specification_of(const LoadedRtl& second, const rtl::RtlDesign& first) {
  if (second.design->constants() != first.constants()) {
    throw std::invalid_argument(
        "both designs need the same constant operands (--map, --against-map)");
  }
  Instruction spec = rtl::as_instruction(second.design);
  spec.architecture = "against-rtl";
  return spec;
}

/// The answer about two designs. It is undecided, too, if it is not known whether the second one's
/// result depends only on its operands.
rtl::CheckResult check_designs(const LoadedRtl& first, const LoadedRtl& second,
                               const Instruction& spec, const rtl::CheckOptions& options,
                               const Portfolio& solvers) {
  Strategies strategies = options.strategies;
  strategies.deadline = options.strategies.deadline.part(0.2);
  if (const auto doubt = rtl::undecided_dependence(*second.design, strategies, solvers)) {
    rtl::CheckResult result;
    result.how = *doubt;
    return result;
  }
  return rtl::check(first.design, spec, options, solvers);
}

/// Takes the signals of the flags out of --map, which is about operands and d.
void take_flags(RtlCommandLine& o) {
  const std::string key = "flags=";
  std::vector<std::string>& map = o.rtl.map;
  for (auto text = map.begin(); text != map.end();) {
    if (!text->starts_with(key) || *text == key) {
      ++text;
      continue;
    }
    if (!o.flags.empty()) {
      throw std::invalid_argument("--map: an operand is given twice: '" + *text + "'");
    }
    o.flags = text->substr(key.size());
    text = map.erase(text);
  }
  if (o.flags.empty()) return;
  if (o.against_rtl.is_given() || o.answer) {
    throw std::invalid_argument("--map flags needs --against");
  }
  if (!o.fixed.empty()) {
    throw std::invalid_argument("--map flags and --format-of exclude each other");
  }
}

/// The same design with its flags as d.
LoadedRtl flags_of(const LoadedRtl& loaded, const std::string& signals, const DotFormats& formats,
                   const Deadline& deadline) {
  rtl::Connection connection = loaded.design->connection();
  connection.map["d"] =
      rtl::with_members({{"d", signals}}, loaded.design->circuit(), loaded.sources, deadline)["d"];
  LoadedRtl flags = loaded;
  try {
    flags.design = std::make_shared<const rtl::RtlDesign>(
        loaded.design->circuit(), loaded.design->top(), formats, connection);
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    const std::string about_d = "--map d:";
    if (!what.starts_with(about_d)) throw;
    throw std::invalid_argument("--map flags:" + what.substr(about_d.size()));
  }
  return flags;
}

/// A question about a design, and its answer.
struct Answered {
  Instruction spec;
  LoadedRtl loaded;
  rtl::CheckResult result;
  std::vector<SimulatedDesign> simulation;
};

/// Whether the design's flags are those of its specification.
Answered check_flags(const RtlCommandLine& o, const LoadedRtl& loaded, const Instruction& design,
                     const Instruction& flags, const Portfolio& solvers) {
  rtl::CheckOptions options = o.check;
  options.strategies.deadline = o.check.strategies.deadline;
  options.any_nan = false;
  options.cuts.clear();
  if (o.check.where) {
    options.where = [&](const DotFormats&, const DotOperands& in, Int) {
      return o.check.where(design.formats, in, design.algorithm.build(design.formats, in));
    };
  }
  Answered answered{
      flags, flags_of(loaded, o.flags, flags.formats, options.strategies.deadline), {}, {}};
  answered.result = rtl::check(answered.loaded.design, flags, options, solvers);
  return answered;
}

int run_rtl(RtlCommandLine& o) {
  take_flags(o);
  rtl::prepare_yosys(complain);
  const Deadline deadline = o.strategies.solve.deadline();
  if (!o.vcd.empty() && o.rtl.is_never_simulated) {
    throw std::invalid_argument("--vcd needs a simulator, and --no-simulation forbids it");
  }
  const bool is_of_two = o.against_rtl.is_given();
  if (is_of_two && (o.answer || !o.against.empty())) {
    throw std::invalid_argument("--against-rtl, --against and --answer exclude each other");
  }
  if (o.against.empty() && !o.answer && !is_of_two) {
    throw std::invalid_argument(
        "--against (the instruction or design to compute) or --against-rtl is required");
  }
  if (o.answer) {
    if (!o.fixed.empty()) throw std::invalid_argument("--format-of needs --against");
    const DotFormats formats =
        o.against.empty() ? formats_of(o.formats) : find_instruction(o.against).formats;
    const LoadedRtl loaded = load_rtl(o.rtl, formats, deadline, o.strategies);
    Strategies strategies = o.strategies.strategies();
    strategies.deadline = deadline;
    if (const auto doubt =
            rtl::undecided_dependence(*loaded.design, strategies, o.strategies.solve.portfolio())) {
      throw std::invalid_argument(*doubt);
    }
    rtl::cross_check(loaded.design, loaded.sources, loaded.clock, std::nullopt, deadline);
    return answer_rows(*loaded.design, rtl::RtlModel(loaded.design), formats);
  }
  if (is_of_two && !o.fixed.empty()) {
    throw std::invalid_argument("--format-of needs --against");
  }
  const std::optional<Instruction> against =
      is_of_two ? std::nullopt : std::optional(specification_of(o));
  const DotFormats formats = is_of_two ? formats_of(o.formats) : against->formats;
  o.check.strategies = o.strategies.strategies();
  o.check.strategies.deadline = deadline;
  o.check.shrink = !o.no_shrink;
  const Where where(o.where);
  if (!where.empty()) {
    o.check.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  for (const std::string& cut : o.cuts) {
    const std::size_t at = cut.find('=');
    if (at == std::string::npos) {
      throw std::invalid_argument("--cut: '" + cut + "' is not of the form SIGNAL=STAGE");
    }
    o.check.cuts.emplace_back(cut.substr(0, at), cut.substr(at + 1));
  }
  const Portfolio solvers = o.strategies.solve.portfolio();
  const StopSignals signals(o.strategies.solve.timeout, o.json);
  for (const std::string* file : {&o.out, &o.testbench, &o.vcd}) {
    if (!file->empty()) require_writable(*file);
  }
  std::optional<LoadedRtl> second;
  if (is_of_two) second = load_rtl(o.against_rtl.beside(o.rtl), formats, deadline, o.strategies);
  const std::optional<Instruction> flags =
      o.flags.empty() ? std::nullopt : std::optional(rtl::with_flags(*against, o.tininess));
  const LoadedRtl loaded = load_rtl(o.rtl, formats, deadline, o.strategies);
  if (flags)
    flags_of(loaded, o.flags, flags->formats, deadline);  // reports errors before the search
  const Instruction spec = second ? specification_of(*second, *loaded.design) : *against;
  rtl::CheckOptions options = o.check;
  if (flags) options.strategies.deadline = deadline.part(0.5);
  std::vector<Answered> answers{{spec,
                                 loaded,
                                 second ? check_designs(loaded, *second, spec, options, solvers)
                                        : rtl::check(loaded.design, spec, options, solvers),
                                 {}}};
  if (flags && answers[0].result.verdict != Verdict::satisfiable) {
    answers.push_back(check_flags(o, loaded, spec, *flags, solvers));
  }
  std::string rows;
  Json json;
  std::string text;
  for (Answered& a : answers) {
    const bool is_flags = &a != answers.data();
    if (a.result.row) rows += to_json_line(*a.result.row, a.spec.formats) + "\n";
    a.simulation = simulated(o, a.loaded, second, a.result);
    if (!o.json) {
      text += rtl_text(o, a.spec, *a.loaded.design, a.result, a.simulation);
    } else if (is_flags) {
      json["flags"] = rtl_json(o, a.spec, *a.loaded.design, a.result, a.simulation);
    } else {
      json = rtl_json(o, a.spec, *a.loaded.design, a.result, a.simulation);
    }
  }
  if (!o.out.empty()) write_file(o.out, rows);
  print(o.json ? to_text(json, 2) : text);
  end_if_stopped();
  const auto has = [&](Verdict verdict) {
    return std::any_of(answers.begin(), answers.end(),
                       [&](const Answered& a) { return a.result.verdict == verdict; });
  };
  return has(Verdict::satisfiable) ? kWitness : has(Verdict::unknown) ? kUndecided : kDone;
}

}  // namespace

void add_rtl(Command& app, int& status) {
  auto options = std::make_shared<RtlCommandLine>();
  Command command = app.add_command("rtl",
                                    "compare a hardware design with a specification or with "
                                    "another design: a proof, or a witness (needs yosys)");
  command.add_option("FILE", options->rtl.sources.files,
                     "Verilog or SystemVerilog files, or VHDL files (needs ghdl)");
  options->rtl.add_to(command);
  command
      .add_option("--against", options->against,
                  "the instruction or design that the module should compute")
      .not_empty();
  options->against_rtl.add_to(command);
  command
      .add_option("--format-of", options->fixed,
                  "d=fixed:I.F, and c=fixed:I.F where it has another width: the accumulator is a "
                  "two's complement number of I integer bits (with the sign) and F fraction bits")
      .expected(1, 1)
      .repeatable();
  command
      .add_choice<InputClass>(
          "--inputs", options->check.inputs,
          {{"finite", InputClass::finite},
           {"normal", InputClass::normal},
           {"any", InputClass::any}},
          "the inputs: any; finite; normal (no subnormals either; zeros are allowed)")
      .default_text("any");
  command.add_option("--where", options->where,
                     "only inputs that satisfy this precondition, such as 'normal(a[0]) && d >= "
                     "0'; d is the specification's result");
  command.add_choice<Tininess>(
      "--tininess", options->tininess,
      {{"before", Tininess::before_rounding}, {"after", Tininess::after_rounding}},
      "with --map flags=...: when a result counts as tiny for the underflow flag, before rounding "
      "or after it (default: after)");
  command.add_flag("--any-nan", options->check.any_nan, "accept any NaN pattern in place of a NaN");
  command
      .add_option("--cut", options->cuts,
                  "a signal and the stage of the specification that it computes, such as "
                  "e_max=align_e_max: a cutpoint of the proof")
      .expected(1, 1)
      .repeatable();
  command.add_flag("--answer", options->answer,
                   "act as an oracle: read rows on standard input and write them with the RTL's d");
  options->formats.add_to(command);
  command.add_flag("--no-shrink", options->no_shrink,
                   "show the witness as it is found, without simplifying it");
  command.add_flag("--trace", options->trace, "show the RTL's signals for the witness");
  command.add_option("--out", options->out, "write the witness to this file")
      .not_empty()
      .rows_file();
  command
      .add_option("--testbench", options->testbench,
                  "write a Verilog testbench that reproduces the failure to this file")
      .not_empty()
      .ending({"v", "sv"});
  command
      .add_option("--vcd", options->vcd,
                  "write a waveform of all signals to this file (needs iverilog)")
      .not_empty()
      .ending({"vcd"});
  options->strategies.add_to(command);
  command.add_flag("--full", options->full, "show all products of the witness");
  add_json(command, options->json);
  command.run([options, &status] { status = run_rtl(*options); });
}

}  // namespace mmaspec::cli
