#include "rtl/testbench.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

#include "rtl/scratch.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec::rtl {
namespace {

std::string hex(const Integer& value, unsigned width) {
  return fmt::format("{}'h{}", width, to_hex(value));
}

std::string range(unsigned width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

/// What the ports are given.
std::map<std::string, Integer> port_values(const RtlDesign& design, const DotValues& values) {
  std::map<std::string, Integer> ports = design.connection().set;
  const DotFormats& f = design.formats();
  const auto put = [&](const std::string& operand, const std::vector<Integer>& elements,
                       const Format* format) {
    if (format == nullptr) return;
    Integer whole = 0;
    for (std::size_t i = elements.size(); i-- > 0;) {
      whole = (whole << static_cast<unsigned>(format->storage_bits)) + elements[i];
    }
    for (const RtlDesign::Slice& s : design.parts(operand)) {
      const unsigned width = s.high - s.low + 1;
      ports[s.port] += (whole % power_of_two(width)) << s.low;
      whole >>= width;
    }
  };
  put("a", values.a, f.a);
  put("b", values.b, f.b);
  put("c", {values.c}, f.c);
  put("sa", values.scale_a, f.scale);
  put("sb", values.scale_b, f.scale);
  return ports;
}

}  // namespace

std::string testbench(const RtlDesign& design, const Sources& sources, const std::string& clock,
                      const VectorRow& row, const std::string& vcd) {
  const bool falling = clock.starts_with('!');
  const std::string clock_port = falling ? clock.substr(1) : clock;
  const Connection& connection = design.connection();
  const std::map<std::string, Integer> values = port_values(design, row.values);
  std::string declarations;
  std::string ports;
  std::string given;
  std::string taken_away;
  for (const CircuitNode& n : design.circuit().nodes) {
    if (n.op != "input") continue;
    const std::string& name = n.symbol;
    ports += fmt::format("{}.{}({})", ports.empty() ? "" : ", ", name, name);
    declarations += fmt::format("  reg {}{} = 0;\n", range(n.width), name);
    if (name == clock_port) continue;
    const auto value = values.find(name);
    if (value == values.end()) continue;
    given += fmt::format("    {} = {};\n", name, hex(value->second, n.width));
    if (!connection.hold && !connection.set.contains(name)) {
      taken_away += fmt::format("    {} = {}'d0;\n", name, n.width);
    }
  }
  std::set<std::string> outputs;
  for (const Circuit::Output& o : design.circuit().outputs) {
    if (!outputs.insert(o.name).second) continue;
    ports += fmt::format("{}.{}({})", ports.empty() ? "" : ", ", o.name, o.name);
    declarations += fmt::format("  wire {}{};\n", range(design.port_width(o.name)), o.name);
  }
  std::string d;
  for (const RtlDesign::Slice& s : design.parts("d")) {
    const std::string name = outputs.contains(s.port) ? s.port : "dut." + s.port;
    const std::string part =
        design.port_width(s.port) == 1 ? name : fmt::format("{}[{}:{}]", name, s.high, s.low);
    d = d.empty() ? part : part + ", " + d;
  }
  std::string parameters;
  for (const auto& [name, value] : sources.parameters) {
    parameters += fmt::format("{}.{}({})", parameters.empty() ? "" : ", ", name, value);
  }
  if (!parameters.empty()) parameters = fmt::format(" #({})", parameters);
  std::string steps = given;
  if (connection.latency > 0) {
    const char* edge = falling ? "negedge" : "posedge";
    steps += fmt::format("    @({} {}); #1;\n{}", edge, clock_port, taken_away);
    if (connection.latency > 1) {
      steps += fmt::format("    repeat ({}) @({} {});\n    #1;\n", connection.latency - 1, edge,
                           clock_port);
    }
  }
  const auto width = static_cast<unsigned>(design.formats().d->storage_bits);
  return fmt::format(
      "// {} and {} differ: {} expects {}, and finds {}.\n"
      "`timescale 1ns/1ps\n"
      "module mmaspec_testbench;\n{}"
      "  wire {}d_found = {{{}}};\n\n"
      "  {}{} dut ({});\n\n{}"
      "  initial begin\n{}{}    #4;\n"
      "    $display(\"d = %h, expected %h\", d_found, {});\n"
      "    if (d_found !== {}) begin\n"
      "      $display(\"FAIL\");\n      $fatal(1, \"another result than specified\");\n    end\n"
      "    $display(\"PASS\");\n    $finish;\n  end\nendmodule\n",
      row.instruction, row.other, row.instruction, hex(*row.d, width),
      row.d_other ? hex(*row.d_other, width) : "?", declarations, range(width), d, design.top(),
      parameters, ports,
      clock_port.empty() ? "" : fmt::format("  always #5 {0} = ~{0};\n\n", clock_port),
      vcd.empty()
          ? ""
          : fmt::format("    $dumpfile(\"{}\");\n    $dumpvars(0, mmaspec_testbench);\n", vcd),
      steps, hex(*row.d, width), hex(*row.d, width));
}

std::optional<Simulated> simulate(const Sources& sources, const std::string& bench,
                                  const Deadline& deadline) {
  if (find_in_path("iverilog").empty() || find_in_path("vvp").empty()) return std::nullopt;
  const Scratch scratch;
  scratch.write("testbench.v", bench);
  std::string command =
      "iverilog -g2012 -s mmaspec_testbench -o " + shell_word(scratch.path() + "/simulation");
  for (const std::string& folder : sources.include_folders) command += " -I " + shell_word(folder);
  for (const std::string& define : sources.defines) command += " -D " + shell_word(define);
  for (const std::string& file : sources.files) {
    command += " " + shell_word(std::filesystem::absolute(file).string());
  }
  command += " " + shell_word(scratch.path() + "/testbench.v");
  const double left = deadline.left();
  const auto seconds = std::isfinite(left) ? std::optional(left) : std::nullopt;
  const Finished compiled = run_command(command, "", {}, seconds);
  if (compiled.status != 0) {
    throw std::runtime_error("iverilog: " + last_line(compiled.err + compiled.out));
  }
  const Finished ran =
      run_command("vvp -n " + shell_word(scratch.path() + "/simulation"), "", {}, seconds);
  Simulated result;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("d = ")) result.d = line.substr(4, line.find(',') - 4);
    if (line == "FAIL") result.failed = true;
  }
  if (result.d.empty()) throw std::runtime_error("vvp: " + last_line(ran.err + ran.out));
  return result;
}

}  // namespace mmaspec::rtl
