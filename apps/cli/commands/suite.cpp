// mmaspec suite: finds the smallest set of inputs that distinguishes designs.

#include "queries/studies/suite/suite.h"

#include <fmt/format.h>

#include <map>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "apps/cli/where_help.h"
#include "queries/numbers/where.h"
#include "report/tables/suite_text.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct SuiteCommandLine {
  DesignRequest request;
  std::string inputs = "finite";
  std::vector<std::string> where;
  bool signed_zero = false;
  std::string format = "text";
  std::string out;
  std::string picture;
  bool adaptive = false;
  bool no_shrink = false;
  SolveOptions solve;
  bool json = false;
  bool full = false;
};

InputClass input_class(const std::string& word) {
  if (word == "normal") return InputClass::normal;
  return word == "any" ? InputClass::any : InputClass::finite;
}

std::string rendered_suite(const SuiteCommandLine& o, const Suite& suite) {
  if (o.json || o.format == "json") return json_of(suite, o.where);
  if (o.format == "markdown") return markdown_of(suite);
  if (o.format == "dot") return dot_of(suite);
  if (o.format == "c") return c_of(suite, o.signed_zero);
  return text_of(suite, o.full);
}

int run_suite(const SuiteCommandLine& o) {
  if (o.json && o.format != "text" && o.format != "json") {
    throw std::invalid_argument("--json and --format " + o.format + " exclude each other");
  }
  if (!o.out.empty() && o.out == o.picture) {
    throw std::invalid_argument("--out and --picture name the same file");
  }
  const std::vector<SuiteDesign> designs = designs_of(o.request);
  SuiteOptions options;
  options.panel.inputs = input_class(o.inputs);
  options.panel.signed_zero = o.signed_zero;
  const Where where(o.where);
  if (!where.empty()) {
    options.panel.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  options.strategies.seed = o.solve.seed;
  options.strategies.jobs = o.solve.jobs;
  options.shrink = !o.no_shrink;
  options.adaptive = o.adaptive;
  const Portfolio solvers = o.solve.portfolio();
  const StopSignals signals;
  if (!o.out.empty()) require_writable(o.out);
  if (!o.picture.empty()) require_writable(o.picture);
  const Suite suite = make_suite(designs, options, solvers);
  if (!o.out.empty()) {
    std::string rows;
    for (const std::string& line : vector_lines(suite)) rows += line + "\n";
    write_file(o.out, rows);
  }
  if (!o.picture.empty()) write_file(o.picture, picture_of(suite));
  print(rendered_suite(o, suite));
  end_if_stopped();
  return suite.undecided.empty() ? kDone : kUndecided;
}

}  // namespace

void add_suite(Command& app, int& status) {
  auto options = std::make_shared<SuiteCommandLine>();
  Command command = app.add_command(
      "suite", "find the smallest set of inputs that distinguishes designs, with their results");
  command.add_option("NAME", options->request.names,
                     "instructions, designs, or patterns of instructions' names: 'hopper/*', "
                     "'*/*_f16', 'hopper/wgmma*@mma-sim'");
  command
      .add_option("--formats", options->request.formats,
                  "with patterns: only instructions of the formats a,b,c,d (f16,f16,f32,f32), "
                  "a,b,c,d,scale or, as in mnemonics, d.a.b.c")
      .not_empty();
  command
      .add_option("--all-architectures", options->request.all_architectures,
                  "of each architecture, only its longest instruction of these formats")
      .not_empty();
  command.add_flag("--pad", options->request.pad,
                   "if K differs: set longer units' further products to zeros, instead of chaining "
                   "shorter units");
  command
      .add_option("--chain", options->request.chain,
                  "compare chains of all units of this length K; missing products of the last step "
                  "are +0 * +0")
      .range(1, 1 << 16);
  command
      .add_option("--inputs", options->inputs,
                  "the inputs: finite; normal (no subnormals either; zeros are allowed); any")
      .one_of({"finite", "normal", "any"})
      .shows_default();
  command.add_option("--where", options->where,
                     "only inputs that satisfy this precondition, such as 'normal(a[0]) && d >= "
                     "0'; d is each design's result");
  command.add_flag("--signed-zero", options->signed_zero,
                   "zeros of opposite signs count as different");
  command.add_flag("--adaptive", options->adaptive,
                   "minimize the mean number of questions, if each depends on the answers before "
                   "it, instead of the size of the set");
  command.add_flag("--no-shrink", options->no_shrink,
                   "show inputs as they are found, without simplifying them");
  command
      .add_option(
          "--format", options->format,
          "the output: text, markdown, json, dot (the decision tree) or c (a table for a test)")
      .one_of({"text", "markdown", "json", "dot", "c"})
      .shows_default();
  command
      .add_option("--out", options->out,
                  "write the inputs with all answers to this file, in the format that replay reads")
      .not_empty()
      .rows_file();
  command
      .add_option("--picture", options->picture,
                  "write a picture of the decision tree over the inputs to this file, as SVG")
      .not_empty()
      .ending({"svg"});
  options->solve.add_to(command,
                        "each pair of designs that the search does not distinguish, and for each "
                        "stage of the search");
  command.add_flag("--full", options->full, "show all products of an input");
  add_json(command, options->json);
  command.examples(
      {{"mmaspec suite hopper/mma.m16n8k16.f32.f16.f16.f32 ampere/mma.m16n8k16.f32.f16.f16.f32",
        "inputs that distinguish two instructions"},
       {"mmaspec suite 'hopper/*' 'ampere/*' --formats f16,f16,f32,f32 --out suite.jsonl",
        "inputs that distinguish all instructions of these formats, as rows that replay runs"}},
      where_help());
  command.run([options, &status] { status = run_suite(*options); });
}

}  // namespace mmaspec::cli
