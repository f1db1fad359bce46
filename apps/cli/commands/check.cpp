// mmaspec check: proves the claims of specifications and checks their ranges.

#include "queries/audit/check.h"

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/parser.h"
#include "apps/cli/stop.h"
#include "queries/statement/pairing.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

struct CheckCommandLine {
  std::vector<std::string> names;
  int samples = 200;
  SolveOptions solve;
  bool json = false;
};

std::string check_text(const CheckResult& r) {
  return fmt::format(
      "{:<84} {}: {}; {} in range; encoder = evaluator on {}{}\n", r.name,
      counted(r.claims, "claim"),
      r.claims == r.claims_proved ? "all proved" : fmt::format("{} proved", r.claims_proved),
      counted(r.samples, "input"), r.encoder_samples, r.problem.empty() ? "" : "\n  " + r.problem);
}

std::string check_json(const CheckResult& r) {
  const Json object{{"instr", r.name},
                    {"claims", r.claims},
                    {"claims_proved", r.claims_proved},
                    {"samples", r.samples},
                    {"encoder_samples", r.encoder_samples},
                    {"problem", r.problem}};
  return to_text(object);
}

int run_check(const CheckCommandLine& options) {
  std::vector<Instruction> instructions;
  for (const std::string& name : options.names) instructions.push_back(find_with_conversions(name));
  if (instructions.empty()) instructions = distinct(catalogue());
  const Portfolio solvers = options.solve.portfolio();
  int status = kDone;
  std::size_t sound = 0;
  const StopSignals signals;
  for (const Instruction& i : instructions) {
    if (work_is_stopped()) break;
    const CheckResult r = check(i, options.samples, options.solve.seed, solvers);
    print(options.json ? check_json(r) : check_text(r));
    if (r.verdict == CheckVerdict::sound) ++sound;
    if (r.verdict == CheckVerdict::unsound) status = kContradiction;
    if (r.verdict == CheckVerdict::undecided && status == kDone) status = kUndecided;
  }
  if (!options.json) {
    print(fmt::format("{} of {} sound\n{}\n", sound, instructions.size(), solvers_line()));
  }
  end_if_stopped();
  return status;
}

}  // namespace

void add_check(Command& app, int& status) {
  auto options = std::make_shared<CheckCommandLine>();
  Command command = app.add_command(
      "check",
      "prove the claims that specifications make, and test the encoder against the evaluator");
  command.add_option(
      "NAME", options->names,
      "instructions or designs (default: one instruction of every distinct parameter set)");
  command.add_option("--samples", options->samples, "the number of inputs to try for each")
      .range(1, 10000000)
      .shows_default();
  options->solve.add_to(command, "each instruction");
  add_json(command, options->json);
  command.examples({{"mmaspec check volta/mma.m8n8k4.f32.f16.f16.f32",
                     "the claims of one specification, proved"}});
  command.run([options, &status] { status = run_check(*options); });
}

}  // namespace mmaspec::cli
