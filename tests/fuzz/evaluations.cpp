#include "tests/fuzz/evaluations.h"

#include <fmt/format.h>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "tests/fuzz/draw/draw_design.h"
#include "tests/fuzz/draw/draw_inputs.h"
#include "tests/support/cli/process.h"
#include "tests/support/reference/dot.h"
#include "util/json.h"

namespace mmaspec::fuzz {
namespace {

using reference::Design;
using reference::Operands;

std::string hex(const reference::Format& format, std::uint64_t pattern) {
  return fmt::format("0x{:0{}x}", pattern, (format.storage + 3) / 4);
}

std::string hex(const reference::Format& format, const std::vector<std::uint64_t>& patterns) {
  std::string text;
  for (std::uint64_t p : patterns) text += (text.empty() ? "" : ",") + hex(format, p);
  return text;
}

std::vector<std::string> eval_arguments(const Design& design, int k, const Operands& x) {
  std::vector<std::string> all{"eval", design.text,         "--a", hex(*design.a, x.a),
                               "--b",  hex(*design.b, x.b), "--c", hex(*design.c, x.c)};
  if (design.scale != nullptr) {
    all.insert(all.end(), {"--sa", hex(*design.scale, x.sa), "--sb", hex(*design.scale, x.sb)});
  }
  if (k != design.k) all.insert(all.end(), {"--chain", std::to_string(k)});
  return all;
}

std::string command_of(const std::vector<std::string>& arguments) {
  std::string text = "mmaspec";
  for (const std::string& a : arguments) text += " " + quoted(a);
  return text;
}

std::vector<std::uint64_t> in_order(const Operands& x) {
  std::vector<std::uint64_t> all = x.a;
  all.insert(all.end(), x.b.begin(), x.b.end());
  all.push_back(x.c);
  all.insert(all.end(), x.sa.begin(), x.sa.end());
  all.insert(all.end(), x.sb.begin(), x.sb.end());
  return all;
}

/// Equal patterns, or two NaNs; NaNs of NVIDIA's sums have one pattern.
bool agree(const Design& design, std::uint64_t x, std::uint64_t y) {
  if (x == y) return true;
  return design.d->value(x).kind == reference::Kind::nan &&
         design.d->value(y).kind == reference::Kind::nan;
}

std::string what_differs(const Design& design, std::uint64_t of_project, std::uint64_t expected) {
  const bool zeros = design.d->value(of_project).is_zero() && design.d->value(expected).is_zero();
  return fmt::format("{}: the project has {}, the reference {}",
                     zeros ? "signs of zero" : "results", hex(*design.d, of_project),
                     hex(*design.d, expected));
}

void through_the_command(const Design& design, const std::string& mmaspec, InputDrawer& drawer,
                         Log& log) {
  const bool chains = design.c == design.d && drawer.random().coin();
  const int k = chains ? design.k * drawer.random().between(2, 4) : design.k;
  InputDrawer longer(design, k, Inputs::any, drawer.random().bits(60));
  const Operands x = longer.next();
  std::vector<std::string> arguments = eval_arguments(design, k, x);
  const std::string command = command_of(arguments);
  arguments.emplace_back("--json");
  const cli_test::Outcome outcome = cli_test::run_program(mmaspec, arguments, {.seconds = 60});
  const Json json = Json::parse_or_discard(outcome.out);
  log.add("evaluations by the command");
  if (outcome.status != 0 || json.is_discarded()) {
    log.contradiction("evaluation", fmt::format("status {}: {}", outcome.status, outcome.err),
                      command);
    return;
  }
  const std::uint64_t d = std::stoull(json["d"].get<std::string>(), nullptr, 16);
  const std::uint64_t expected = reference::evaluate_at(design, k, x).d;
  if (!agree(design, d, expected)) {
    log.contradiction("evaluation", what_differs(design, d, expected), command);
  }
}

}  // namespace

void compare_evaluations(std::uint64_t seed, std::size_t inputs, const std::string& mmaspec,
                         Log& log) {
  Random random(seed);
  const Size size = random.one_in(3) ? Size::tiny : random.coin() ? Size::small : Size::real;
  const std::string text = draw_design(size, random);
  log.trying("mmaspec show " + quoted(text));
  const Design design = reference::read_design(text);
  std::optional<Instruction> known;
  try {
    known = find_instruction(text);
  } catch (const std::invalid_argument& error) {
    log.add("designs refused");
    log.write({{"refused", text}, {"why", error.what()}});
    return;
  }
  log.add("designs evaluated");
  const DotModel model(known->algorithm, known->formats);
  const BatchEvaluator batch(model.graph(), {model.result()});
  BatchEvaluator::Scratch scratch;
  std::vector<Operands> all;
  for (std::size_t i = 0; i < inputs; ++i) {
    // A NaN determines most results that it enters: two thirds of the inputs are numbers.
    static thread_local std::vector<InputDrawer> drawers;
    if (i == 0) {
      drawers.clear();
      drawers.emplace_back(design, design.k, Inputs::finite, random.bits(60));
      drawers.emplace_back(design, design.k, Inputs::any, random.bits(60));
    }
    all.push_back(drawers[i % 3 == 0 ? 1 : 0].next());
  }
  Lanes lanes(model.graph().inputs().size(), inputs);
  Lanes results(1, inputs);
  for (std::size_t lane = 0; lane < inputs; ++lane) {
    const std::vector<std::uint64_t> values = in_order(all[lane]);
    for (std::size_t i = 0; i < values.size(); ++i) lanes[i][lane] = values[i];
  }
  batch.evaluate(lanes, results, scratch);
  int found = 0;
  for (std::size_t lane = 0; lane < inputs && found < 2; ++lane) {
    const std::uint64_t expected = reference::evaluate(design, all[lane]).d;
    if (agree(design, results[0][lane], expected)) continue;
    ++found;
    log.contradiction("evaluation", what_differs(design, results[0][lane], expected),
                      command_of(eval_arguments(design, design.k, all[lane])));
  }
  log.add("inputs evaluated", inputs);
  InputDrawer drawer(design, design.k, Inputs::any, random.bits(60));
  for (int i = 0; i < 2; ++i) through_the_command(design, mmaspec, drawer, log);
}

}  // namespace mmaspec::fuzz
