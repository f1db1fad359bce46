#include "hardware/rtl/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "hardware/rtl/check.h"
#include "hardware/rtl/foreign_code.h"
#include "hardware/rtl/scratch.h"
#include "hardware/rtl/testbench.h"
#include "queries/ask/question.h"
#include "queries/draw/samples.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec::rtl {
namespace {

constexpr std::size_t kRows = 256;

enum class Simulator {
  icarus,
  icarus_2005,  ///< with the keywords of Verilog-2005: files may use `bit` or `alias` as names
  verilator
};

const char* program_of(Simulator simulator) {
  return simulator == Simulator::verilator ? "verilator" : "iverilog";
}

/// The simulators that may read the files, preferred one first.
std::vector<Simulator> simulators(const Sources& sources) {
  if (sources.front_end == FrontEnd::slang) return {Simulator::verilator, Simulator::icarus};
  return {Simulator::icarus, Simulator::icarus_2005, Simulator::verilator};
}

/// The folders of the source files.
std::vector<std::string> source_folders(const Sources& sources) {
  std::vector<std::string> folders;
  for (const std::string& file : sources.files) {
    const std::string folder = std::filesystem::absolute(file).parent_path();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
  return folders;
}

/// The folders in which included files are searched. Yosys also searches the folder of the
/// including file.
std::vector<std::string> include_folders(const Sources& sources) {
  std::vector<std::string> folders = sources.include_folders;
  for (const std::string& source : source_folders(sources)) folders.push_back(source);
  return folders;
}

/// Folders, macros and files as arguments of both simulators.
std::string arguments(Simulator simulator, const Sources& sources) {
  const bool verilator = simulator == Simulator::verilator;
  std::string text;
  for (const std::string& include : include_folders(sources)) {
    text += (verilator ? " -I" : " -I ") + shell_word(include);
  }
  for (const std::string& define : sources.defines) {
    text += (verilator ? " -D" : " -D ") + shell_word(define);
  }
  for (const std::string& file : sources.files) {
    text += " " + shell_word(std::filesystem::absolute(file).string());
  }
  return text;
}

constexpr const char* kTestbench = "mmaspec_testbench";

std::string simulation_in(const Scratch& scratch) { return scratch.path() + "/simulation"; }
std::string testbench_in(const Scratch& scratch) { return scratch.path() + "/testbench.v"; }

/// The command with which Icarus Verilog compiles a top module.
std::string icarus(Simulator simulator, const Sources& sources, const std::string& top,
                   const Scratch& scratch) {
  return fmt::format("iverilog -g{} -s {} -o {} -Minclude={}{}",
                     simulator == Simulator::icarus ? 2012 : 2005, shell_word(top),
                     shell_word(simulation_in(scratch)), shell_word(scratch.path() + "/included"),
                     arguments(simulator, sources));
}

/// Throws ForeignCode for forbidden calls of a simulation that Icarus Verilog compiled.
void require_harmless_simulation(const Sources& sources, const Scratch& scratch) {
  require_harmless_assembly(scratch.read("simulation"), testbench_in(scratch));
  std::vector<std::string> included;
  std::istringstream lines(scratch.read("included"));
  for (std::string line; std::getline(lines, line);) included.push_back(line);
  require_included_from(include_folders(sources), included);
}

/// The command that compiles the testbench, and the one that runs it.
std::pair<std::string, std::string> commands(Simulator simulator, const Sources& sources,
                                             const Scratch& scratch, bool waves) {
  const bool verilator = simulator == Simulator::verilator;
  const std::string program = shell_word(simulation_in(scratch));
  const std::string compile =
      verilator ? fmt::format(
                      "verilator --binary --timing -Wno-fatal --top-module {} --Mdir {} "
                      "-o simulation{}{}",
                      kTestbench, shell_word(scratch.path()), waves ? " --trace" : "",
                      arguments(simulator, sources))
                : icarus(simulator, sources, kTestbench, scratch);
  return {compile + " " + shell_word(testbench_in(scratch)),
          verilator ? program : "vvp -n " + program};
}

std::optional<double> seconds_left(const Deadline& deadline) {
  const double seconds = deadline.left();
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

/// Lets Verilator preprocess the files, and throws ForeignCode for forbidden calls.
Finished preprocess(const Sources& sources, const Deadline& deadline) {
  Finished text = run_command("verilator -E -Wno-fatal" + arguments(Simulator::verilator, sources),
                              "", {}, seconds_left(deadline));
  if (text.status == 0) require_harmless_source(text.out, include_folders(sources));
  return text;
}

/// The first line that is not a warning.
std::string complaint(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_warning = line.find("arning") != std::string::npos;
    if (!is_warning && line.find_first_not_of(" \t\r") != std::string::npos) return line;
  }
  return last_line(text);
}

bool lacks_a_file(const Finished& ran) {
  const std::string text = ran.err + ran.out;
  return text.find("nable to open") != std::string::npos ||
         text.find("file not found") != std::string::npos;
}

bool known(const std::string& digits) { return digits.find_first_of("xXzZ") == std::string::npos; }

}  // namespace

void require_harmless(const Sources& sources, const Deadline& deadline) {
  if (sources.simulation != Simulation::harmless) return;
  for (const Simulator simulator : simulators(sources)) {
    if (find_in_path(program_of(simulator)).empty()) continue;
    if (simulator == Simulator::verilator) {
      if (preprocess(sources, deadline).status == 0) return;
      continue;
    }
    const Scratch scratch;
    const Finished compiled = run_command(icarus(simulator, sources, sources.top, scratch), "", {},
                                          seconds_left(deadline));
    if (compiled.status != 0) continue;
    return require_harmless_simulation(sources, scratch);
  }
}

std::optional<Simulated> simulate(const Sources& sources, const std::string& bench, bool waves,
                                  const Deadline& deadline) {
  const auto left = [&deadline] { return seconds_left(deadline); };
  const bool is_checked = sources.simulation != Simulation::trusted;
  std::string first_complaint;
  for (const Simulator simulator : simulators(sources)) {
    Simulated result;
    result.program = program_of(simulator);
    if (find_in_path(result.program).empty()) continue;
    const Scratch scratch;
    scratch.write("testbench.v", bench);
    const auto [compile, run] = commands(simulator, sources, scratch, waves);
    Finished compiled;
    if (is_checked && simulator == Simulator::verilator) compiled = preprocess(sources, deadline);
    if (compiled.status == 0) compiled = run_command(compile, "", {}, left());
    if (compiled.status != 0) {  // the other simulator may support more of the language
      if (first_complaint.empty()) {
        first_complaint = result.program + ": " + complaint(compiled.err + compiled.out);
      }
      continue;
    }
    if (is_checked && simulator != Simulator::verilator) {
      require_harmless_simulation(sources, scratch);
    }
    Finished ran = run_command(run, "", {}, left());
    // Files of $readmemh: Yosys also searches the folders of the source files.
    for (const std::string& folder : source_folders(sources)) {
      if (!lacks_a_file(ran)) break;
      ran = run_command("cd " + shell_word(folder) + " && " + run, "", {}, left());
    }
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("d = ")) result.d.push_back(line.substr(4, line.find(',') - 4));
    }
    if (result.d.empty()) {
      throw std::runtime_error(result.program + ": " + last_line(ran.err + ran.out));
    }
    return result;
  }
  if (!first_complaint.empty()) throw std::runtime_error(first_complaint);
  return std::nullopt;
}

CrossCheck cross_check(const std::shared_ptr<const RtlDesign>& design, const Sources& sources,
                       const std::string& clock, const std::optional<VectorRow>& witness,
                       const Deadline& deadline) {
  CrossCheck result;
  result.program = program_of(simulators(sources).front());
  if (sources.simulation == Simulation::never) {
    result.why = "--no-simulation; results are those of the circuit that Yosys elaborated";
    return result;
  }
  const DotFormats& formats = design->formats();
  const RtlModel model(design);
  Sampler sampler(formats, InputClass::any, 0);
  std::vector<VectorRow> rows;
  if (witness) {
    rows.push_back(*witness);
    rows.back().d = witness->d_other;
  }
  while (rows.size() < kRows + (witness ? 1 : 0)) {
    VectorRow row;
    row.instruction = "rtl/" + design->top();
    row.values = design->with_constants(sampler.next());
    row.d = model.run(row.values);
    rows.push_back(std::move(row));
  }
  std::optional<Simulated> simulated;
  try {
    simulated = simulate(sources, testbench(*design, sources, clock, rows, ""), false, deadline);
  } catch (const CommandTimeout&) {
    result.why = "the simulator reached the time limit";
  } catch (const std::runtime_error& error) {
    result.why = error.what();
  }
  if (!simulated) {
    if (!result.why) result.why = fmt::format("{} is not in PATH", result.program);
    return result;
  }
  result.program = simulated->program;
  if (simulated->d.size() != rows.size()) {
    result.why = fmt::format("{} ended early", result.program);
    return result;
  }
  const auto digits = static_cast<unsigned>(formats.d->storage_bits + 3) / 4;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& d = simulated->d[i];
    if (!known(d)) {
      ++result.unknown;
      continue;
    }
    if (d != to_hex(*rows[i].d, digits)) {
      throw Contradiction(fmt::format(
          "{0} and Yosys disagree about the same files, so that no verdict is given: {0} has d = "
          "{1}, "
          "the circuit that Yosys elaborated has {2} on\n{3}\nAnother version of Yosys, or "
          "--front-end slang, may elaborate them correctly",
          result.program, d, to_hex(*rows[i].d, digits), to_json_line(rows[i], formats)));
    }
    ++result.rows;
  }
  if (witness) {
    result.witness_d = simulated->d.front();
    result.witness_fails =
        known(*result.witness_d) && *result.witness_d != to_hex(*witness->d, digits);
  }
  return result;
}

}  // namespace mmaspec::rtl
