#pragma once
/// "Does this RTL compute what the specification says?"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/equivalence/sweep.h"
#include "queries/ask/condition.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/unpack.h"

namespace mmaspec::rtl {

/// What of the result no operand determines.
class Undetermined : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct CheckOptions {
  InputClass inputs = InputClass::any;
  Condition where = {};  ///< on operands, and the specification's result
  bool any_nan = false;  ///< any NaN will do for a NaN; else as Instruction::canonical_nan has it
  /// Signals of the RTL with names of the specification's stages, as its exported Verilog has them
  /// with or without the number: where a person knows them to be equal.
  std::vector<std::pair<std::string, std::string>> cuts;
  Strategies strategies;
  bool shrink = true;
};

struct CheckResult {
  Verdict verdict = Verdict::unknown;  ///< unsatisfiable: equal for all inputs
  Justification justification;
  std::string how;                  ///< a clause for people
  Vacuity vacuity = Vacuity::none;  ///< of a proof
  std::optional<VectorRow> row;     ///< d: the specification's result; d_other: the RTL's
  std::vector<std::pair<std::string, Integer>> signals;  ///< of the RTL, on the witness
  SweepReport sweep;
  std::vector<std::string> cut_notes;  ///< what became of each cut
  std::vector<std::string> parts;      ///< undecided: what was proved
  double seconds = 0;
  std::vector<AttemptReport> attempts;
};

/// Throws Undetermined where d is found to depend on what no operand determines; Contradiction;
/// std::invalid_argument for cuts that name nothing.
CheckResult check(const std::shared_ptr<const RtlDesign>& design, const Instruction& specification,
                  const CheckOptions& options, const Portfolio& solvers);

/// nullopt: d does not depend on what no operand determines, proved. Else what is known: a line.
/// Throws Undetermined where it does.
std::optional<std::string> undecided_dependence(const RtlDesign& design,
                                                const Strategies& strategies,
                                                const Portfolio& solvers);

/// The clock edges from the first operands to the result: the fewest, from `least` to `most`, after
/// which Connection::valid_out is what Connection::valid_in was with the operands, proved for all
/// operands and for all values of what no operand determines. Throws std::invalid_argument with one
/// line where there is no such number, and where, after a reset, valid_out may be 1 before.
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
