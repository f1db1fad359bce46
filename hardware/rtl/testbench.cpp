#include "hardware/rtl/testbench.h"

#include <fmt/format.h>

#include <set>

namespace mmaspec::rtl {
namespace {

std::string hex(const Integer& value, unsigned width) {
  return fmt::format("{}'h{}", width, to_hex(value));
}

std::string range(unsigned width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

/// What the ports are given so many cycles after the first operands; ports without an operand then
/// have 0.
std::map<std::string, Integer> port_values(const RtlDesign& design, const DotValues& values,
                                           int time) {
  const Connection& connection = design.connection();
  std::map<std::string, Integer> ports = connection.set;
  const DotFormats& f = design.formats();
  if (!connection.valid_in.empty()) {
    ports[connection.valid_in] = time >= 0 && time < connection.cycles ? 1 : 0;
  }
  if (!connection.reset.empty()) {
    ports[connection.reset] = connection.reset_value == (time < 0) ? 1 : 0;
  }
  const auto put = [&](const std::string& operand, const std::vector<Integer>& elements,
                       const Format* format) {
    if (format == nullptr) return;
    for (const RtlDesign::Slice& s : design.parts(operand)) ports[s.port] += 0;
    if (!design.is_at_ports(operand, time)) return;
    const auto [from, to] = design.elements_at(operand, time);
    Integer whole = 0;
    for (std::size_t i = to; i-- > from;) {
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
  const std::map<std::string, Integer> values = port_values(design, row.values, 0);
  for (const CircuitNode& n : design.circuit().nodes) {
    const auto value = values.find(n.symbol);
    if (n.op != "input" || value == values.end()) continue;
    if (design.connection().set.contains(n.symbol)) continue;
    text += fmt::format("    {} = ~{};\n", n.symbol, hex(value->second, n.width));
  }
  return fmt::format("    #1;\n{}    #1;\n", text);
}

/// Statements that give a row's operands to the ports, cycle by cycle, up to the result's.
class Steps {
 public:
  Steps(const RtlDesign& design, const std::string& clock, const DotValues& values)
      : design_(design), clock_(clock), values_(values) {}

  std::string text() {
    if (!design_.connection().reset.empty()) {
      give(-kResetEdges);
      edges_ += kResetEdges;
    }
    for (int time = 0; time <= design_.connection().latency; ++time) {
      give(time);
      if (time < design_.connection().latency) ++edges_;
    }
    wait();
    return text_ + "    #4;\n";
  }

 private:
  /// Assigns the ports whose values change.
  void give(int time) {
    std::map<std::string, Integer> values = port_values(design_, values_, time);
    if (values == given_) return;
    wait();
    for (const CircuitNode& n : design_.circuit().nodes) {
      const auto value = values.find(n.symbol);
      if (n.op != "input" || value == values.end()) continue;
      const auto before = given_.find(n.symbol);
      if (before != given_.end() && before->second == value->second) continue;
      text_ += fmt::format("    {} = {};\n", n.symbol, hex(value->second, n.width));
    }
    given_ = std::move(values);
  }

  void wait() {
    if (edges_ == 0) return;
    const bool falling = clock_.starts_with('!');
    text_ +=
        fmt::format("    {}@({} {}); #1;\n", edges_ == 1 ? "" : fmt::format("repeat ({}) ", edges_),
                    falling ? "negedge" : "posedge", falling ? clock_.substr(1) : clock_);
    edges_ = 0;
  }

  const RtlDesign& design_;
  const std::string& clock_;
  const DotValues& values_;
  std::string text_;
  int edges_ = 0;  ///< to wait for before the next statement
  std::map<std::string, Integer> given_;
};

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
  const auto signal = [&](const std::string& name) {
    return outputs.contains(name) ? name : "dut." + name;
  };
  std::string valid_out = design.connection().valid_out;
  if (!valid_out.empty()) valid_out = signal(valid_out);
  std::string d;
  for (const RtlDesign::Slice& s : design.parts("d")) {
    const std::string name = signal(s.port);
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
    steps += Steps(design, clock, row.values).text() +
             fmt::format(
                 "    $display(\"d = %h, expected %h\", d_found, {0});\n"
                 "    if (d_found !== {0}) wrong = 1;\n",
                 expected);
    if (!valid_out.empty()) {
      steps += fmt::format(
          "    if ({0} !== 1) begin\n      $display(\"{0} is not 1\");\n      wrong = 1;\n    "
          "end\n",
          valid_out);
    }
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
