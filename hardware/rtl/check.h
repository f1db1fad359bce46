#pragma once
/// Equivalence of RTL and a specification.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/equivalence/sweep.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/statement/condition.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/unpack.h"

namespace mmaspec::rtl {

/// Thrown if the result depends on free signals: signals that no operand determines.
class Undetermined : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct CheckOptions {
  InputClass inputs = InputClass::any;
  Condition where = {};  ///< on operands, and the specification's result
  bool any_nan = false;  ///< all NaNs are equal; otherwise only as Instruction::canonical_nan says
  /// Pairs of a signal of the RTL and a stage of the specification that the user expects to be
  /// equal. Stages have the names of the exported Verilog, with or without the number.
  std::vector<std::pair<std::string, std::string>> cuts;
  Strategies strategies;
  bool shrink = true;
};

struct CheckResult {
  Verdict verdict = Verdict::unknown;  ///< unsatisfiable: equal for all inputs
  Justification justification;
  std::string how;                  ///< the justification in a clause, for people
  Vacuity vacuity = Vacuity::none;  ///< of a proof: whether any input satisfies the precondition
  std::optional<VectorRow> row;     ///< d: the specification's result; d_other: the RTL's
  std::vector<std::pair<std::string, Integer>> signals;  ///< of the RTL, on the witness
  SweepReport sweep;
  std::vector<std::string> cut_notes;  ///< for each cut, whether it was proved and used
  std::vector<std::string> parts;      ///< undecided: what was proved
  double seconds = 0;
  std::vector<AttemptReport> attempts;
};

/// Decides whether the design computes what the specification computes. Throws Undetermined if d
/// is found to depend on free signals, Contradiction, and std::invalid_argument for a cut that
/// names no signal or no stage.
CheckResult check(const std::shared_ptr<const RtlDesign>& design, const Instruction& specification,
                  const CheckOptions& options, const Portfolio& solvers);

/// nullopt if d is proved not to depend on free signals; otherwise one line that says what is
/// known. Throws Undetermined if d depends on them.
std::optional<std::string> undecided_dependence(const RtlDesign& design,
                                                const Strategies& strategies,
                                                const Portfolio& solvers);

/// The latency: the number of clock edges from the first operands to the result. It is the smallest
/// number from `least` to `most` after which Connection::valid_out has the value that
/// Connection::valid_in had with the operands, proved for all operands and all values of the free
/// signals. Throws std::invalid_argument with a one-line message if there is no such number, or if
/// valid_out can be 1 earlier after a reset.
int latency_of_valid(const RtlDesign& design, int least, int most, const Strategies& strategies,
                     const Portfolio& solvers);

/// Computes d of the RTL on numbers, by the circuit that Yosys built.
class RtlModel {
 public:
  explicit RtlModel(std::shared_ptr<const RtlDesign> design);
  Integer run(const DotValues& values) const;
  std::vector<std::pair<std::string, Integer>> signals(const DotValues& values) const;
  const DotModel& model() const { return model_; }

 private:
  std::shared_ptr<const RtlDesign> design_;
  DotModel model_;
};

}  // namespace mmaspec::rtl
