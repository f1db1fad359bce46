#pragma once
/// A circuit as a dot-add: its ports joined to operands, its registers unrolled.

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

/// Edges of the clock at which a design is reset, enough for a reset that registers delay.
constexpr int kResetEdges = 4;

/// How ports and operands belong together.
struct Connection {
  /// Operand a, b, c, sa, sb or result d -> an expression over ports as Verilog writes it: `a`,
  /// `x[15:0]`, `{a1, a0}`. Element 0 of an operand has the lowest bits. An operand that is missing
  /// is the port of its name, or those named a0, a1.. or a_0, a_1... An operand may also be a
  /// constant (rtl/constant.h), the pattern of each of its elements: the design has no such port,
  /// and all questions are about inputs with this constant.
  std::map<std::string, std::string> map;
  /// Signals that are not operands and have one value in all cycles.
  std::map<std::string, Integer> set;
  /// Edges of the clock between the first operands and the result.
  int latency = 0;
  /// Cycles in which a, b and their scale factors arrive, an equal share of the elements in each,
  /// in order. c arrives with the first share.
  int cycles = 1;
  /// A port of one bit that is 1 with operands. In other cycles it may have any value; after a
  /// reset it is 0 there. Empty: none.
  std::string valid_in;
  /// A signal of one bit that is 1 with the result; empty: none.
  std::string valid_out;
  /// The port that resets the design and its value that does; in other cycles it has the other
  /// value. Operands come directly after kResetEdges edges of the clock with this value. Empty: the
  /// registers may have any values when the operands come.
  std::string reset;
  bool reset_value = true;
  /// Operands stay at the ports until the result is there; else anything may follow them.
  bool hold = false;
};

/// Signals that the result depends on, by name; behind a latency `name@cycle`.
using Signals = std::vector<std::pair<std::string, Int>>;

class RtlDesign {
 public:
  /// Throws std::invalid_argument with one line if ports and operands do not fit.
  RtlDesign(Circuit circuit, std::string top, const DotFormats& formats,
            const Connection& connection);

  /// The pattern of d in the current graph. What no operand determines (registers as they were,
  /// ports of no operand, undefined values) is an input of the graph for which
  /// is_free_signal() holds.
  Int build(const DotOperands& operands, Signals* signals = nullptr) const;
  /// The same where what no operand determines is 0: for those who know that d does not depend on
  /// it.
  Int build_determined(const DotOperands& operands, Signals* signals = nullptr) const;

  /// Connection::valid_out after `latency` edges, if Connection::valid_in is `valid_in` with the
  /// operands; what no operand determines is free.
  Int build_valid_out(const DotOperands& operands, Bool valid_in, int latency) const;

  static bool is_free_signal(const std::string& graph_input);

  /// What the operands do not determine.
  struct FreeSignal {
    enum class Kind { initial_register, port, undefined };
    Kind kind;
    std::string text;  ///< the signal's name in the RTL, with its place in the files
    bool is_operand;   ///< a port that is an operand in another cycle
  };
  /// Of inputs that build() made.
  std::vector<FreeSignal> free_signals(const std::vector<std::string>& graph_inputs) const;

  /// Operands that are constants, the pattern of each element.
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
  /// Whether an operand, or a share of its elements, is at its ports so many cycles after the first
  /// operands came.
  bool is_at_ports(const std::string& operand, int time) const;
  /// The elements that are at the ports then: from the first index up to the second.
  std::pair<std::size_t, std::size_t> elements_at(const std::string& operand, int time) const;
  /// Ports of no operand.
  std::vector<std::string> other_inputs() const;

 private:
  class Unrolling;

  void check_timing() const;
  /// `its inputs and their bits: x[16], y[16]`.
  std::string ports_text(bool is_output) const;
  /// Elements of an operand that arrive in one cycle.
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

/// The design as an instruction `rtl/TOP`: everything that is asked of instructions can be asked of
/// it. d must not depend on what no operand determines, and no operand may be a constant.
Algorithm as_algorithm(std::shared_ptr<const RtlDesign> design);
Instruction as_instruction(std::shared_ptr<const RtlDesign> design);

}  // namespace mmaspec::rtl
