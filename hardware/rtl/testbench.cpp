#include "hardware/rtl/testbench.h"

#include <fmt/format.h>

#include <set>

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

/// Other values at the operands' ports before the first row: `always @*` waits for a change.
std::string prelude_of(const RtlDesign& design, const VectorRow& row) {
  std::string text;
  const std::map<std::string, Integer> values = port_values(design, row.values);
  for (const CircuitNode& n : design.circuit().nodes) {
    const auto value = values.find(n.symbol);
    if (n.op != "input" || value == values.end()) continue;
    if (design.connection().set.contains(n.symbol)) continue;
    text += fmt::format("    {} = ~{};\n", n.symbol, hex(value->second, n.width));
  }
  return fmt::format("    #1;\n{}    #1;\n", text);
}

/// What a row's ports are given, and what takes it away again.
std::string steps_of(const RtlDesign& design, const std::string& clock, const VectorRow& row) {
  const Connection& connection = design.connection();
  std::string given;
  std::string taken_away;
  const std::map<std::string, Integer> values = port_values(design, row.values);
  for (const CircuitNode& n : design.circuit().nodes) {
    const auto value = values.find(n.symbol);
    if (n.op != "input" || value == values.end()) continue;
    given += fmt::format("    {} = {};\n", n.symbol, hex(value->second, n.width));
    if (!connection.hold && !connection.set.contains(n.symbol)) {
      taken_away += fmt::format("    {} = {}'d0;\n", n.symbol, n.width);
    }
  }
  if (connection.latency == 0) return given + "    #4;\n";
  const bool falling = clock.starts_with('!');
  const char* edge = falling ? "negedge" : "posedge";
  const std::string port = falling ? clock.substr(1) : clock;
  std::string steps = given + fmt::format("    @({} {}); #1;\n{}", edge, port, taken_away);
  if (connection.latency > 1) {
    steps +=
        fmt::format("    repeat ({}) @({} {});\n    #1;\n", connection.latency - 1, edge, port);
  }
  return steps + "    #4;\n";
}

}  // namespace

std::string testbench(const RtlDesign& design, const Sources& sources, const std::string& clock,
                      const std::vector<VectorRow>& rows, const std::string& vcd) {
  const std::string clock_port = clock.starts_with('!') ? clock.substr(1) : clock;
  std::string declarations;
  std::string ports;
  for (const CircuitNode& n : design.circuit().nodes) {
    if (n.op != "input" || n.symbol.empty()) continue;  // without a name: an undefined value
    ports += fmt::format("{}.{}({})", ports.empty() ? "" : ", ", n.symbol, n.symbol);
    declarations += fmt::format("  reg {}{} = 0;\n", range(n.width), n.symbol);
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
  const auto width = static_cast<unsigned>(design.formats().d->storage_bits);
  std::string title;
  std::string steps;
  if (!rows.empty()) steps = prelude_of(design, rows.front());
  for (const VectorRow& row : rows) {
    const std::string expected = hex(*row.d, width);
    if (!row.other.empty()) {
      title += fmt::format("// {} and {} differ: {} expects {}, and computes {}.\n",
                           row.instruction, row.other, row.instruction, expected,
                           row.d_other ? hex(*row.d_other, width) : "?");
    }
    steps +=
        steps_of(design, clock, row) + fmt::format(
                                           "    $display(\"d = %h, expected %h\", d_found, {0});\n"
                                           "    if (d_found !== {0}) wrong = 1;\n",
                                           expected);
  }
  return fmt::format(
      "{}`timescale 1ns/1ps\n"
      "module mmaspec_testbench;\n{}"
      "  wire {}d_found = {{{}}};\n"
      "  reg wrong = 0;\n\n"
      "  {}{} dut ({});\n\n{}"
      "  initial begin\n{}{}"
      "    if (wrong) begin\n"
      "      $display(\"FAIL\");\n      $fatal(1, \"the result is not the specified one\");\n    "
      "end\n"
      "    $display(\"PASS\");\n    $finish;\n  end\nendmodule\n",
      title, declarations, range(width), d, design.top(), parameters, ports,
      clock_port.empty() ? "" : fmt::format("  always #5 {0} = ~{0};\n\n", clock_port),
      vcd.empty()
          ? ""
          : fmt::format("    $dumpfile(\"{}\");\n    $dumpvars(0, mmaspec_testbench);\n", vcd),
      steps);
}

}  // namespace mmaspec::rtl
