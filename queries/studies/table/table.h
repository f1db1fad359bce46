#pragma once
/// The table of properties: every property of one instruction, by every design given. Its cells are
/// asked in parallel, each in a process of its own, and kept in a file as they come.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/prove/prove.h"
#include "queries/results/shard.h"
#include "util/json.h"

namespace mmaspec {

/// A design, and the instructions that are it.
struct TableRow {
  Subject subject;  ///< of the first one
  std::vector<std::string> names;
  std::string design;  ///< its signature
};

/// A row for each, in their order.
std::vector<TableRow> rows_by_name(const std::vector<Instruction>& instructions);
/// A row for each distinct algorithm, parameter set, formats and K, in the order of their first.
std::vector<TableRow> rows_by_design(const std::vector<Instruction>& instructions);

/// The columns: all properties of one instruction.
std::vector<const Property*> table_properties();

struct Cell {
  bool asked = false;
  /// Of a property with a number: proved if the least one is known, refuted if all are refuted, and
  /// undecided if there are numbers between the two below.
  Outcome outcome = Outcome::undecided;
  std::optional<Rational> refuted;  ///< the largest number that is refuted
  std::optional<Rational> proved;   ///< the least that is proved
  Grounds grounds;                  ///< of what is proved, else of what is refuted
  std::string refuted_by;           ///< of a property with a number: who found the witness
  std::string of;                   ///< the case that the witness refutes
  std::string smaller;              ///< undecided: the largest sub-case that was decided
  std::vector<WitnessRun> witness;
  double seconds = 0;
  double timeout =
      0;  ///< what it was asked with; 0 if it crashed, so that any later run asks again
  std::string solver = {};
  double before_arguments = 0;      ///< TableOptions::before_arguments when it was asked
  Vacuity vacuity = Vacuity::none;  ///< proved: whether there is anything of which it is
  bool contradiction = false;  ///< undecided since two of our own answers contradict each other
};

/// The cell's members as an object that cell_of() reads.
Json to_json(const Property& property, const TableRow& row, const Cell& cell);
/// Throws std::exception if the object is no cell of this property and design.
Cell cell_of(const Json& object, const Property& property, const TableRow& row);

/// True if the exact evaluator gives every run's d, and they violate the property.
bool is_confirmed(const Property& property, const TableRow& row, const Cell& cell);

struct TableOptions {
  double timeout = 60;  ///< seconds of each cell
  /// Seconds, of those of the cell and fewer, in which solvers and derivations may prove it before
  /// an argument about an algorithm's steps is taken; cells on file that an argument decided sooner
  /// are asked again.
  double before_arguments = 0;
  bool no_trust = false;  ///< no cell is answered by an analytical proof
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;      ///< cells at once; 0: as many as the machine has cores
  Shard shard = {};  ///< which of the cells
  /// Cells done and in all, and what is being asked; empty at the end.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

class TableResults;

/// Asks the cells that `results` lacks, and adds them to it. What is undecided is asked again only
/// with more time or another solver. A cell that is refuted although an argument proves it is a
/// contradiction. Stops where stop_work() is called.
void fill(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
          const TableOptions& options, TableResults& results);

}  // namespace mmaspec
