// mmaspec tolerance: finds the largest difference of two units, as a test's tolerance.

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "apps/cli/where_help.h"
#include "queries/numbers/where.h"
#include "queries/request/tolerance_request.h"
#include "report/text/tolerance_text.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

struct ToleranceCommandLine {
  std::string first;
  std::string second;
  AskedTolerance asked;
  std::string out;
  std::string confidence;
  ToleranceRequest request;
  StrategyOptions strategies;
  std::optional<TestLanguage> format;
  bool json = false;
};

int run_tolerance(ToleranceCommandLine& o) {
  const Where where(o.asked.where);
  DiffOptions& diff = o.request.diff;
  if (!where.empty()) {
    diff.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  diff.strategies = o.strategies.strategies();
  o.asked.inputs = diff.inputs;
  o.asked.distribution = o.request.distribution;
  o.request.rtol = o.asked.rtol;
  o.request.atol = o.asked.atol;
  if (!o.confidence.empty()) {
    o.request.confidence = tolerance_number("--confidence", o.confidence);
  }
  const Portfolio solvers = o.strategies.solve.portfolio();
  const StopSignals signals(o.strategies.solve.timeout, o.json);
  if (!o.out.empty()) require_writable(o.out);
  const FoundTolerance found =
      ask_tolerance(find_instruction(o.first), find_instruction(o.second), o.request, solvers);
  const Maximum& m = found.maximum;
  if (!o.out.empty()) write_file(o.out, m.witness ? worst_row(m) + "\n" : "");
  print(o.json     ? json_of(o.asked, found)
        : o.format ? test_of(*o.format, o.asked, found)
                   : text_of(o.asked, found));
  end_if_stopped();
  if (m.unbounded) return kWitness;
  return m.bound ? kDone : kUndecided;
}

}  // namespace

void add_tolerance(Command& app, int& status) {
  auto options = std::make_shared<ToleranceCommandLine>();
  Command command = app.add_command(
      "tolerance", "find an atol with which every input passes a test of one unit against another");
  command.add_option("FIRST", options->first, "an instruction, a design or a plan").required();
  command.add_option("SECOND", options->second, "another").required();
  command.add_option("--where", options->asked.where,
                     "only inputs that satisfy this precondition, such as 'abs(a[*]) <= 1'. Names "
                     "are those of FIRST");
  command
      .add_choice<InputClass>(
          "--inputs", options->request.diff.inputs,
          {{"finite", InputClass::finite}, {"normal", InputClass::normal}},
          "the inputs: finite; normal (no subnormals either; zeros are allowed)")
      .default_text("finite");
  command
      .add_option("--rtol", options->asked.rtol,
                  "the rtol of |FIRST's - SECOND's result| <= atol + rtol |FIRST's result|; "
                  "tolerance finds the least atol for it (default: 0)")
      .not_empty();
  command
      .add_option("--atol", options->asked.atol,
                  "the atol of the test; tolerance finds the least rtol for it")
      .not_empty();
  command
      .add_option("--k", options->request.diff.pairing.chain,
                  "compare chains of both units of this length K; missing products of the last "
                  "step are +0 * +0")
      .range(1, 1 << 16);
  command
      .add_option("--distribution", options->request.distribution,
                  "also measure on random data: a and b normal, uniform (in [-1, 1)), or drawn "
                  "from the numbers of FILE.npy; c is 0")
      .not_empty();
  command
      .add_option("--confidence", options->confidence,
                  "find a statistical tolerance, which is not proved: an element of random data "
                  "(default: normal) passes with this probability, such as 0.9999")
      .not_empty();
  command.add_option("--samples", options->request.samples, "the number of rows of random data")
      .range(1, 100000000);
  command
      .add_choice<std::optional<TestLanguage>>("--format", options->format,
                                               {{"text", std::nullopt},
                                                {"python", TestLanguage::python},
                                                {"pytorch", TestLanguage::pytorch},
                                                {"cpp", TestLanguage::cpp}},
                                               "the output: text, or an assertion for a test: "
                                               "python (NumPy), pytorch or cpp (GoogleTest)")
      .default_text("text");
  command.add_option("--out", options->out, "write the worst input to this file")
      .not_empty()
      .rows_file();
  options->strategies.add_to(command);
  command.add_flag("--full", options->asked.full, "show all products of the worst input");
  add_json(command, options->json);
  command.examples(
      {{"mmaspec tolerance h100/mma.m16n8k16.f32.f16.f16.f32 mi300x/v_mfma_f32_32x32x8_f16 --where "
        "'abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0'",
        "an atol that every such input passes"},
       {"mmaspec tolerance h100/mma.m16n8k16.f32.f16.f16.f32 mi300x/v_mfma_f32_32x32x8_f16 --k "
        "4096 "
        "--confidence 0.9999",
        "an atol that a share of 0.9999 of all elements of normal data passes, and its "
        "justification"}},
      where_help());
  command.run([options, &status] { status = run_tolerance(*options); });
}

}  // namespace mmaspec::cli
