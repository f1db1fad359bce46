#pragma once
/// The table of properties: every property of one instruction, for each given design. Its cells are
/// computed in parallel, each in a separate process, and written to a file when they are known.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/prove/prove.h"
#include "queries/results/shard.h"
#include "util/json.h"

namespace mmaspec {

/// A design, and the names of the instructions that it represents.
struct TableRow {
  Subject subject;  ///< for the first of them
  std::vector<std::string> names;
  std::string design;  ///< its signature()
};

/// One row for each instruction, in the same order.
std::vector<TableRow> rows_by_name(const std::vector<Instruction>& instructions);
/// One row for each distinct algorithm, parameter set, formats and K, in the order of first
/// appearance.
std::vector<TableRow> rows_by_design(const std::vector<Instruction>& instructions);

/// The instructions of a whole table: the catalogue, then its conversions.
std::vector<Instruction> instructions_of_table();

/// The columns: all properties of one instruction.
std::vector<const Property*> table_properties();

struct Cell {
  bool asked = false;
  /// For a property with a number: proved if the least number is known, refuted if all numbers are
  /// refuted, and undecided if there are numbers between the two below.
  Outcome outcome = Outcome::undecided;
  std::optional<Rational> refuted;  ///< the largest number that is refuted
  std::optional<Rational> proved;   ///< the least number that is proved
  Justification justification;      ///< of the proof, otherwise of the refutation
  std::string refuted_by;           ///< for a property with a number: what found the witness
  std::string of;                   ///< the case that the witness refutes
  std::string smaller;              ///< if undecided: the largest sub-case that was decided
  std::vector<WitnessRun> witness;
  double seconds = 0;
  double timeout =
      0;  ///< its time limit in seconds; 0 if it crashed, so that a later call asks again
  std::string solver = {};
  double before_arguments = 0;      ///< TableOptions::before_arguments when it was asked
  Vacuity vacuity = Vacuity::none;  ///< if proved: whether the proof is vacuous
  bool contradiction = false;       ///< undecided because two answers contradict each other
};

/// The cell as an object that cell_of() reads.
Json to_json(const Property& property, const TableRow& row, const Cell& cell);
/// Throws std::exception if the object is not a cell of this property and design.
Cell cell_of(const Json& object, const Property& property, const TableRow& row);

/// True if the exact evaluator gives every evaluation's d, and they violate the property.
bool is_confirmed(const Property& property, const TableRow& row, const Cell& cell);

struct TableOptions {
  double timeout = 60;  ///< seconds for each cell
  /// Seconds, fewer than the cell's, in which solvers and derivations may prove the cell before an
  /// analytical proof is tried. Cells in the file that an analytical proof decided with less time
  /// are asked again.
  double before_arguments = 0;
  bool no_trust = false;  ///< no cell is answered by an analytical proof
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;      ///< cells in parallel; 0: as many as the machine has cores
  Shard shard = {};  ///< which of the cells
  /// Called with the number of cells done, the number of all cells, and what is being asked (empty
  /// at the end).
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

class TableResults;

/// Asks the cells that `results` lacks, and adds them. An undecided cell is asked again only with
/// more time or another solver. A cell that is refuted although an analytical proof covers it is a
/// contradiction. Stops if stop_work() is called.
void fill(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
          const TableOptions& options, TableResults& results);

}  // namespace mmaspec
