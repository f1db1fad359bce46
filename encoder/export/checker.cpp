// Writes a SystemVerilog checker: a reference module, and assertions that a unit's results are
// those of the reference.
#include "encoder/export/checker.h"

#include <fmt/format.h>

#include <numeric>

namespace mmaspec {
namespace {

std::string range_of(unsigned width) {
  return width == 1 ? std::string() : fmt::format("[{}:0] ", width - 1);
}

unsigned width_of_port(const Port& port) {
  return port.width * static_cast<unsigned>(port.elements.size());
}

/// Joins `.port(port)` for the operands.
std::string operand_connections(const Module& module) {
  std::string text;
  for (const Port& port : module.inputs) text += fmt::format(".{0}({0}), ", port.name);
  return text;
}

std::string operand_names(const Module& module) {
  std::string text;
  for (const Port& port : module.inputs) text += (text.empty() ? "" : ", ") + port.name;
  return text;
}

/// `a = %h, b = %h` and the slices of `operands` that hold them.
std::pair<std::string, std::string> operand_display(const Module& module) {
  unsigned low = 0;
  for (const Port& port : module.inputs) low += width_of_port(port);
  std::string text;
  std::string values;
  for (const Port& port : module.inputs) {
    const unsigned width = width_of_port(port);
    low -= width;
    text += fmt::format("{} = %h, ", port.name);
    values += fmt::format("SAMPLED(due_operands[{}:{}]), ", low + width - 1, low);
  }
  return {text, values};
}

/// One assertion, as a concurrent one and as an immediate one.
struct Assertion {
  std::string name;
  std::string when;  ///< the antecedent; empty: always
  std::string holds;
  std::string message;  ///< arguments of $error
};

/// `message` with each SAMPLED(x) replaced by `sampled`(x).
std::string with_samples(std::string message, const char* sampled) {
  const std::string macro = "SAMPLED";
  for (std::size_t at = 0; (at = message.find(macro + "(", at)) != std::string::npos;) {
    message.replace(at, macro.size(), sampled);  // the parentheses stay
  }
  return message;
}

constexpr const char* kExpectedResults = R"(
  // The result that is due, and its operands.
  wire due;
  wire due_known;
  wire [RESULT-1:0] due_result;
  wire [OPERANDS-1:0] due_operands;
  wire is_unexpected;  // valid_out without an operation
  wire is_lost;        // more than DEPTH operations in flight

  generate
    if (LATENCY == 0) begin : combinational
      assign due = starts;
      assign {due_known, due_operands, due_result} = started;
      assign is_unexpected = 1'b0;
      assign is_lost = 1'b0;
    end else if (LATENCY > 0) begin : pipeline
      reg stage_starts [0:LATENCY-1];
      reg [OPERATION-1:0] stage [0:LATENCY-1];
      integer i;
      initial for (i = 0; i < LATENCY; i = i + 1) stage_starts[i] = 1'b0;
      always @(posedge clk) begin
        stage_starts[0] <= starts & ~is_off;
        stage[0] <= started;
        for (i = 1; i < LATENCY; i = i + 1) begin
          stage_starts[i] <= stage_starts[i-1] & ~is_off;
          stage[i] <= stage[i-1];
        end
      end
      assign due = stage_starts[LATENCY-1];
      assign {due_known, due_operands, due_result} = stage[LATENCY-1];
      assign is_unexpected = 1'b0;
      assign is_lost = 1'b0;
    end else begin : in_order
      reg [OPERATION-1:0] queue [0:DEPTH-1];
      integer first = 0;  // index of the oldest operation
      integer count = 0;  // operations in flight
      wire ends = valid_out === 1'b1;
      wire is_empty = count == 0;
      always @(posedge clk) begin
        if (is_off) begin
          first <= 0;
          count <= 0;
        end else begin
          if (starts && !is_lost) queue[(first + count) % DEPTH] <= started;
          if (ends && !is_unexpected) first <= (first + 1) % DEPTH;
          count <= count + (starts && !is_lost ? 1 : 0) - (ends && !is_unexpected ? 1 : 0);
        end
      end
      assign due = ends & ~is_unexpected;
      assign {due_known, due_operands, due_result} = is_empty ? started : queue[first];
      assign is_unexpected = ends & is_empty & ~starts;
      assign is_lost = starts & ~ends & (count == DEPTH);
    end
  endgenerate
)";

class CheckerWriter {
 public:
  CheckerWriter(const Module& reference, const Module* is_nan, const CheckerDefaults& defaults)
      : module_(reference), is_nan_(is_nan), defaults_(defaults) {}

  std::string write() const {
    return to_verilog(module_) + (is_nan_ == nullptr ? "" : "\n" + to_verilog(*is_nan_)) +
           header() + signals() + kExpectedResults + agreement() + assertions() + count() +
           "endmodule\n";
  }

 private:
  std::string header() const {
    std::string text = fmt::format(
        "\n// Checks a unit: with each operation, its result must be d of module {}.\n//\n",
        module_.name);
    text += "// clk        All signals are sampled at its rising edge.\n";
    text +=
        "// reset      1 (or unknown): nothing is checked, and operations in flight are "
        "forgotten.\n";
    text += "// valid_in   1 with operands; 1'b1 for a unit without this signal.\n";
    text += "// valid_out  1 with the result, see HAS_VALID_OUT.\n//\n";
    text +=
        "// Icarus Verilog has immediate assertions only; other simulators get concurrent ones.\n";
    text += "`ifdef __ICARUS__\n`define MMASPEC_IMMEDIATE_ASSERTIONS\n`endif\n\n";
    text += fmt::format(
        "module {}_checker #(\n  parameter integer LATENCY = {},       // clock edges from "
        "operands "
        "to result; -1: any number, results in order\n",
        module_.name, defaults_.latency);
    text +=
        "  parameter integer DEPTH = 64,        // for LATENCY = -1: the most operations in "
        "flight\n";
    text += fmt::format(
        "  parameter [0:0] HAS_VALID_OUT = {},   // 0: valid_out is not checked (LATENCY >= 0)\n"
        "  parameter [0:0] IGNORE_UNKNOWN = 0",
        defaults_.has_valid_out ? 1 : 0);
    text +=
        fmt::format("{}   // 1: operations with unknown operand bits are skipped, not failures\n",
                    is_nan_ == nullptr ? " " : ",");
    if (is_nan_ != nullptr) {
      text += fmt::format(
          "  parameter [0:0] ANY_NAN = {}          // 1: every NaN pattern is accepted in place of "
          "a NaN\n",
          defaults_.any_nan ? 1 : 0);
    }
    text += ") (\n  input wire clk,\n  input wire reset,\n  input wire valid_in,\n";
    for (const Port& port : module_.inputs) {
      text += fmt::format("  input wire {}{},\n", range_of(width_of_port(port)), port.name);
    }
    return text + fmt::format("  input wire valid_out,\n  input wire {}d\n);\n",
                              range_of(module_.result_width));
  }

  std::string signals() const {
    const unsigned operands =
        std::accumulate(module_.inputs.begin(), module_.inputs.end(), 0U,
                        [](unsigned sum, const Port& p) { return sum + width_of_port(p); });
    return fmt::format(
        "  localparam RESULT = {0};\n"
        "  localparam OPERANDS = {1};\n"
        "  localparam OPERATION = 1 + OPERANDS + RESULT;\n\n"
        "  wire [RESULT-1:0] specified;\n"
        "  {2} reference ({3}.d(specified));\n\n"
        "  wire is_off = reset !== 1'b0;\n"
        "  wire starts = valid_in === 1'b1;\n"
        "  wire [OPERANDS-1:0] operands = {{{4}}};\n"
        "  wire known = (^operands) !== 1'bx;\n"
        "  wire [OPERATION-1:0] started = {{known, operands, specified}};\n",
        module_.result_width, operands, module_.name, operand_connections(module_),
        operand_names(module_));
  }

  std::string agreement() const {
    std::string text = "\n  wire is_compared = due & due_known;\n  wire agrees = d === due_result";
    if (is_nan_ == nullptr) return text + ";\n";
    return fmt::format(
               "\n  wire d_is_nan;\n  wire due_is_nan;\n"
               "  {0} nan_of_d (.x(d), .d(d_is_nan));\n"
               "  {0} nan_of_due (.x(due_result), .d(due_is_nan));\n",
               is_nan_->name) +
           text +
           "\n      || (ANY_NAN && due_is_nan === 1'b1 && d_is_nan === 1'b1 && (^d) !== 1'bx);\n";
  }

  std::vector<Assertion> all() const {
    const auto [text, values] = operand_display(module_);
    return {
        {"valid_in_is_known", "", "valid_in === 1'b0 || valid_in === 1'b1",
         "\"%m: valid_in is unknown\""},
        {"valid_out_is_known", "LATENCY < 0", "valid_out === 1'b0 || valid_out === 1'b1",
         "\"%m: valid_out is unknown\""},
        {"operands_are_known", "starts && !IGNORE_UNKNOWN", "known",
         "\"%m: operands have unknown bits\""},
        {"valid_out_is_due", "HAS_VALID_OUT && LATENCY >= 0", "valid_out === due",
         "\"%m: valid_out is %b, and a result is due: %b\", SAMPLED(valid_out), SAMPLED(due)"},
        {"operation_exists", "is_unexpected", "1'b0",
         "\"%m: valid_out is 1, and no operation is in flight\""},
        {"queue_has_room", "is_lost", "1'b0",
         "\"%m: more than DEPTH = %0d operations are in flight\", DEPTH"},
        {"result_is_specified", "is_compared", "agrees",
         fmt::format("\"%m: {}d = %h, specified %h\", {}SAMPLED(d), SAMPLED(due_result)", text,
                     values)},
    };
  }

  std::string assertions() const {
    std::string immediate;
    std::string concurrent;
    for (const Assertion& a : all()) {
      immediate += fmt::format("      {}assert ({}) else $error({});\n",
                               a.when.empty() ? "" : fmt::format("if ({}) ", a.when), a.holds,
                               with_samples(a.message, ""));
      concurrent += fmt::format(
          "  {}: assert property (@(posedge clk) disable iff (is_off) {}({}))\n"
          "    else $error({});\n",
          a.name, a.when.empty() ? "" : fmt::format("({}) |-> ", a.when), a.holds,
          with_samples(a.message, "$sampled"));
    }
    return "\n`ifdef MMASPEC_IMMEDIATE_ASSERTIONS\n  always @(posedge clk) begin\n    if (!is_off) "
           "begin\n" +
           immediate + "    end\n  end\n`else\n" + concurrent + "`endif\n";
  }

  std::string count() const {
    return "\n  // The number of results that were compared, for benches that require some.\n"
           "  integer compared = 0;\n"
           "  always @(posedge clk) if (!is_off && is_compared) compared <= compared + 1;\n";
  }

  const Module& module_;
  const Module* is_nan_;
  const CheckerDefaults& defaults_;
};

}  // namespace

std::string to_checker(const Module& reference, const Module* is_nan,
                       const CheckerDefaults& defaults) {
  return CheckerWriter(reference, is_nan, defaults).write();
}

std::string to_bind(const std::string& reference, const std::vector<std::string>& operands,
                    const CheckerBinding& binding) {
  std::string text = fmt::format(
      "// Binds the checker of module {0} to each instance of {1}.\nbind {1} {0}_checker "
      "mmaspec_checker (\n  .clk({2}),\n  .reset({3}),\n  .valid_in({4}),\n",
      reference, binding.top, binding.clock, binding.reset, binding.valid_in);
  const auto expression = [&](const std::string& operand) {
    const auto found = binding.map.find(operand);
    return found == binding.map.end() ? operand : found->second;
  };
  for (const std::string& operand : operands) {
    text += fmt::format("  .{}({}),\n", operand, expression(operand));
  }
  return text +
         fmt::format("  .valid_out({}),\n  .d({})\n);\n", binding.valid_out, expression("d"));
}

}  // namespace mmaspec
