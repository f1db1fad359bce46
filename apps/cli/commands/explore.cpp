// mmaspec explore: compares many designs by their properties and their cost as circuits.

#include <unistd.h>

#include "apps/cli/command.h"
#include "apps/cli/options/campaign.h"
#include "apps/cli/options/matrices.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "hardware/rtl/yosys.h"
#include "queries/compare/compare.h"
#include "queries/studies/explore/study.h"
#include "report/tables/explore_text.h"
#include "report/text/export_text.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct ExploreCommandLine {
  std::string pattern;
  std::vector<std::string> required;
  std::string bound = "error-bound";
  std::vector<std::string> data;
  std::string against;
  std::string liberty;
  std::string csv;
  std::string html;
  std::string results;
  std::string shard;
  bool render_only = false;
  SolveOptions solve;
  bool json = false;
};

/// The number of results on the data that differ from the unit's.
std::function<std::size_t(const Instruction&)> mismatches_of(const ExploreCommandLine& o,
                                                             const Instruction& example) {
  if (o.data.empty() && o.against.empty()) return {};
  if (o.data.empty() || o.against.empty()) {
    throw std::invalid_argument("--data A.npy B.npy and --against UNIT must be given together");
  }
  const Instruction unit = find_instruction(o.against);
  pair_for_matrices(unit, example, 1);  // reports errors before files are read
  const auto matrices = std::make_shared<Matrices>(
      MatrixFiles{o.data.at(0), o.data.at(1), o.data.size() > 2 ? o.data[2] : "", "", ""},
      unit.formats);
  return [matrices, unit, jobs = o.solve.jobs](const Instruction& design) {
    CompareOptions how;
    how.worst = 0;
    how.threads = jobs;
    return compare_matrices(unit, design, matrices->products(), how).differing;
  };
}

int run_explore(const ExploreCommandLine& o) {
  rtl::prepare_yosys(complain);
  ExploreStudy study = read_study({o.pattern, o.required, o.bound, o.against, o.solve.solver});
  ExploreOptions& options = study.options;
  options.mismatches = mismatches_of(o, study.designs[0]);
  options.verilog = [](const Instruction& i) { return export_text(i, "verilog", "dot"); };
  options.liberty = o.liberty;
  options.timeout = o.solve.timeout;
  options.seed = o.solve.seed;
  options.jobs = o.solve.jobs;
  if (isatty(STDERR_FILENO) != 0) options.progress = show_status;
  for (const std::string& file : {o.csv, o.html}) {
    if (!file.empty()) require_writable(file);
  }
  if (o.render_only && o.results.empty()) {
    throw std::invalid_argument("--render-only needs --results FILE");
  }
  if (const auto shard = shard_of(o.shard)) keep_part(study, *shard);
  std::optional<TableResults> results;
  if (!o.results.empty()) {
    results.emplace(o.results, o.render_only ? TableResults::Use::read : TableResults::Use::append);
    options.results = &*results;
    options.render_only = o.render_only;
  }
  const StopSignals signals;
  const Explored explored = run_study(std::move(study));
  if (!o.csv.empty()) write_file(o.csv, csv_of(explored));
  if (!o.html.empty()) write_file(o.html, html_of(explored));
  print(o.json ? json_of(explored) : text_of(explored));
  const Exploration& e = explored.exploration;
  if (e.has_contradiction) {
    complain(e.contradiction);
    return kContradiction;
  }
  end_if_stopped(o.results.empty() ? "" : "the same command continues from " + o.results);
  if (e.is_proved_cheapest) return kDone;
  const bool all_refuted = !e.designs.empty() && std::all_of(e.designs.begin(), e.designs.end(),
                                                             [](const ExploredDesign& d) {
                                                               return d.verdict == Outcome::refuted;
                                                             });
  return all_refuted ? kWitness : kUndecided;
}

}  // namespace

void add_explore(Command& app, int& status) {
  auto options = std::make_shared<ExploreCommandLine>();
  options->solve.timeout = 600;
  Command command = app.add_command(
      "explore",
      "compare many designs by properties, error bounds and circuit costs (needs yosys)");
  command
      .add_option("PATTERN", options->pattern,
                  "a design whose values may be ranges and alternatives: "
                  "'design:fused-dot-add(k=8,fraction_bits=13..30,round=rz|rne)'")
      .required();
  command
      .add_option("--require", options->required,
                  "a property that the design must have, such as 'monotone-c' or 'error-bound <= "
                  "2'; 'mmaspec prove --list' explains all properties")
      .expected(1, 1)
      .repeatable();
  command.add_option("--bound", options->bound, "the property with a bound to show and to minimize")
      .not_empty()
      .shows_default();
  command
      .add_option("--data", options->data,
                  "A.npy B.npy [C.npy]: your own matrices, on which results that differ from "
                  "--against's are counted")
      .expected(2, 3);
  command
      .add_option("--against", options->against,
                  "an instruction or a design of the same formats, for --data")
      .not_empty();
  command
      .add_option("--liberty", options->liberty,
                  "a cell library's Liberty file: costs are then the area and delay of its cells, "
                  "instead of the nodes and depth of the and-inverter graph")
      .not_empty();
  command.add_option("--csv", options->csv, "write all designs to this file, one line each")
      .not_empty()
      .ending({"csv"});
  command.add_option("--html", options->html, "write an interactive page to this file")
      .not_empty()
      .ending({"html", "htm"});
  command
      .add_option(
          "--results", options->results,
          "keep answers and costs in this file, and do not ask or measure again what it has")
      .not_empty();
  command
      .add_option("--shard", options->shard,
                  "i/n: explore only part i of n parts of the designs. 'mmaspec merge' joins the "
                  "results")
      .not_empty();
  command.add_flag("--render-only", options->render_only,
                   "render the answers in --results, and ask and measure nothing");
  options->solve.add_to(command);
  add_json(command, options->json);
  command.examples(
      {{"mmaspec explore 'design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=8,fraction_bits=13..25,"
        "round=rz|rne)' --require 'sum-error-bound <= 4096' --html designs.html",
        "the cheapest design with a proved error bound"}});
  command.run([options, &status] { status = run_explore(*options); });
}

}  // namespace mmaspec::cli
