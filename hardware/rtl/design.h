#pragma once
/// A circuit as a dot-add: its ports are connected to operands, and its registers are unrolled.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "hardware/rtl/circuit/btor2.h"
#include "hardware/rtl/circuit/signal_names.h"
#include "hardware/rtl/circuit/word.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::rtl {

/// The number of clock edges of a reset: enough for a reset that passes through registers.
constexpr int kResetEdges = 4;

/// The connection of ports and operands.
struct Connection {
  /// Operand a, b, c, sa, sb or result d -> an expression over ports as Verilog writes it: `a`,
  /// `x[15:0]`, `{a1, a0}`. Element 0 of an operand has the lowest bits. A missing operand is
  /// connected to the port of its name, or to the ports a0, a1.. or a_0, a_1... An operand can also
  /// be a constant (hardware/rtl/circuit/constant.h), the pattern of each of its elements. The
  /// design then has no port for it, and all questions are about inputs with this constant.
  std::map<std::string, std::string> map;
  /// Signals that are not operands and have one value in all cycles.
  std::map<std::string, Integer> set;
  /// The number of clock edges between the first operands and the result.
  int latency = 0;
  /// The number of cycles in which a, b and their scale factors arrive: an equal share of the
  /// elements in each cycle, in order. c arrives with the first share.
  int cycles = 1;
  /// A one-bit port that is 1 with operands; empty: none. With a reset it is 0 in other cycles,
  /// without one it can have any value there.
  std::string valid_in;
  /// A one-bit signal that is 1 with the result; empty: none.
  std::string valid_out;
  /// The port that resets the design when it has the value `reset_value`. It has this value at
  /// kResetEdges clock edges, then the operands arrive and it has the other value. Empty: there is
  /// no reset, and the registers can have any values when the operands arrive.
  std::string reset;
  bool reset_value = true;
  /// Operands stay at the ports until the result is available; otherwise any values can follow.
  bool hold = false;
};

/// Signals on which the result depends, by name; with a latency, by `name@cycle`.
using Signals = std::vector<std::pair<std::string, Int>>;

class RtlDesign {
 public:
  /// Throws std::invalid_argument with a one-line message if ports and operands do not match.
  RtlDesign(Circuit circuit, std::string top, const DotFormats& formats,
            const Connection& connection);

  /// The pattern of d in the current graph. Free signals are inputs of the graph for which
  /// is_free_signal() holds: initial values of registers, ports that belong to no operand, and
  /// undefined values.
  Int build(const DotOperands& operands, Signals* signals = nullptr) const;
  /// The same with all free signals 0, for callers that know that d does not depend on them.
  Int build_determined(const DotOperands& operands, Signals* signals = nullptr) const;

  /// The value of Connection::valid_out after `latency` clock edges, if Connection::valid_in is
  /// `valid_in` with the operands. Free signals are inputs of the graph, as in build().
  Int build_valid_out(const DotOperands& operands, Bool valid_in, int latency) const;

  static bool is_free_signal(const std::string& graph_input);

  /// A signal that no operand determines.
  struct FreeSignal {
    enum class Kind { initial_register, port, undefined };
    Kind kind;
    std::string text;  ///< the signal's name in the RTL, with its place in the files
    bool is_operand;   ///< a port that is an operand in another cycle
  };
  /// The free signals behind these inputs of a graph that build() made.
  std::vector<FreeSignal> free_signals(const std::vector<std::string>& graph_inputs) const;

  /// Constant operands, with the pattern of each element.
  const std::map<std::string, Integer>& constants() const { return constants_; }
  /// `c = 0x0000`: the inputs that all questions are about; empty: all.
  std::string constants_text() const;
  DotOperands with_constants(DotOperands operands) const;
  DotValues with_constants(DotValues values) const;
  bool has_constants(const DotValues& values) const;

  const std::string& top() const { return top_; }
  const DotFormats& formats() const { return formats_; }
  const Connection& connection() const { return connection_; }
  const Circuit& circuit() const { return circuit_; }
  /// Bits high..low of a port, as expressions name it.
  struct Slice {
    std::string port;
    unsigned high = 0;
    unsigned low = 0;
  };
  /// The parts of an operand, lowest bits first; empty: it is a constant.
  const std::vector<Slice>& parts(const std::string& operand) const { return parts_.at(operand); }
  unsigned port_width(const std::string& port) const;
  /// Whether an operand, or a share of its elements, is at its ports `time` cycles after the first
  /// operands arrived.
  bool is_at_ports(const std::string& operand, int time) const;
  /// The elements that are at the ports at that time: from the first index up to, without, the
  /// second.
  std::pair<std::size_t, std::size_t> elements_at(const std::string& operand, int time) const;
  /// Input ports that belong to no operand.
  std::vector<std::string> other_inputs() const;

 private:
  class Unrolling;

  void check_timing() const;
  /// `its inputs and their bits: x[16], y[16]`.
  std::string ports_text(bool is_output) const;
  /// The number of elements of an operand that arrive in one cycle.
  int elements_at_once(const std::string& operand) const;
  std::vector<Slice> parsed(const std::string& operand, const std::string& text) const;
  std::vector<Slice> by_name(const std::string& operand, int count, unsigned width) const;
  std::optional<std::size_t> find_input(const std::string& name) const;
  std::optional<std::size_t> find_signal(const std::string& name) const;

  Circuit circuit_;
  std::string top_;
  DotFormats formats_;
  Connection connection_;
  std::map<std::string, std::vector<Slice>> parts_;
  std::map<std::string, Integer> constants_;
};

/// The design as the instruction `rtl/TOP`, for all queries about instructions. d must not depend
/// on free signals, and no operand may be a constant.
Algorithm as_algorithm(std::shared_ptr<const RtlDesign> design);
Instruction as_instruction(std::shared_ptr<const RtlDesign> design);

}  // namespace mmaspec::rtl
