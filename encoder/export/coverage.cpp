// Writes cover points as SystemVerilog.
#include "encoder/export/coverage.h"

#include <fmt/format.h>

#include <cctype>

namespace mmaspec {
namespace {

/// `1..3` as `bin_1_3`.
std::string bin_name(const std::string& text) {
  std::string name = "bin";
  bool is_new_word = true;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      is_new_word = true;
      continue;
    }
    if (is_new_word) name += '_';
    is_new_word = false;
    name += c;
  }
  return name;
}

std::string covergroup(const std::vector<ExportedPoint>& points) {
  std::string text =
      "\n`ifndef MMASPEC_NO_COVERGROUPS\n  covergroup cover_points @(posedge clk);\n"
      "    option.per_instance = 1;\n";
  for (const ExportedPoint& p : points) {
    text += fmt::format("    {0}_point: coverpoint {0}_bin iff (is_sampled) {{\n", p.name);
    for (std::size_t i = 0; i < p.bins.size(); ++i) {
      text += fmt::format("      bins {} = {{{}}};\n", bin_name(p.bins[i]), i);
    }
    text += "    }\n";
  }
  return text + "  endgroup\n  cover_points covered = new();\n`endif\n";
}

std::string report(const std::vector<ExportedPoint>& points) {
  std::string text =
      "\n  // Prints the number of sampled operations in each bin.\n  task report;\n    begin\n";
  for (const ExportedPoint& p : points) {
    text += fmt::format("      $display(\"{}: {}\");\n", p.name, p.meaning);
    for (std::size_t i = 0; i < p.bins.size(); ++i) {
      text += fmt::format("      $display(\"  %8d  {}\", {}_hits[{}]);\n", p.bins[i], p.name, i);
    }
  }
  return text + "    end\n  endtask\n";
}

}  // namespace

std::string to_coverage(const Module& bins, const std::string& name,
                        const std::vector<ExportedPoint>& points) {
  std::string text = to_verilog(bins) + fmt::format(R"(
// Counts which cover points the operands of a bench reach.
//
// clk       operands are sampled at its rising edge
// reset     1 (or unknown): nothing is sampled
// valid_in  1 with operands
//
// Operations with unknown operand bits that decide a bin are not sampled. Icarus Verilog and Verilator have no
// covergroups: their benches call report().
`ifdef __ICARUS__
`define MMASPEC_NO_COVERGROUPS
`endif
`ifdef VERILATOR
`define MMASPEC_NO_COVERGROUPS
`endif

module {} (
  input wire clk,
  input wire reset,
)",
                                                    name);
  std::string connections;
  for (const Port& port : bins.inputs) {
    const unsigned width = port.width * static_cast<unsigned>(port.elements.size());
    text += fmt::format("  input wire {}{},\n", width == 1 ? "" : fmt::format("[{}:0] ", width - 1),
                        port.name);
    connections += fmt::format(".{0}({0}), ", port.name);
  }
  text += fmt::format(
      "  input wire valid_in\n);\n  wire [{}:0] indices;\n  {} bins_of_operands ({}.d(indices));\n"
      "  wire is_sampled = reset === 1'b0 && valid_in === 1'b1 && (^indices) !== 1'bx;\n\n",
      kBinBits * points.size() - 1, bins.name, connections);
  std::string counting;
  std::string clearing;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ExportedPoint& p = points[i];
    text += fmt::format("  wire [{}:0] {}_bin = indices[{}:{}];  // {}\n", kBinBits - 1, p.name,
                        kBinBits * (i + 1) - 1, kBinBits * i, p.meaning);
    text += fmt::format("  integer {}_hits [0:{}];\n", p.name, (1U << kBinBits) - 1);
    counting += fmt::format("    {0}_hits[{0}_bin] <= {0}_hits[{0}_bin] + 1;\n", p.name);
    clearing += fmt::format("    {}_hits[i] = 0;\n", p.name);
  }
  text += fmt::format(
      "\n  integer i;\n  initial for (i = 0; i < {}; i = i + 1) begin\n{}  end\n"
      "  always @(posedge clk) if (is_sampled) begin\n{}  end\n",
      1U << kBinBits, clearing, counting);
  return text + report(points) + covergroup(points) + "endmodule\n";
}

}  // namespace mmaspec
