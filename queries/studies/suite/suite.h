#pragma once
/// "Which fewest inputs tell all of these designs apart?"
///
/// Designs of which no input tells anything apart are one class: those of one expression, and those
/// that were proved equal. Every two classes are parted by a row of the suite, or named as a pair
/// of which nobody knows whether they ever differ.

#include <optional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/studies/suite/decision_tree.h"
#include "queries/studies/suite/panel.h"

namespace mmaspec {

struct SuiteOptions {
  PanelOptions panel;
  /// How each pair that the search does not part is asked. Its deadline is that of the whole suite.
  Strategies strategies = {};
  /// What the search for inputs may do, in operations of the batch evaluator.
  std::size_t search_work = 4'000'000'000;
  bool shrink = true;  ///< make the rows simple
  /// The rows are those that the best tree over all candidates asks: more than the fewest, of which
  /// fewer are asked on average.
  bool adaptive = false;
};

/// Designs that are equal on all inputs asked about, by number; the first one stands for all.
struct SuiteClass {
  std::vector<std::size_t> designs;
};

/// Two designs proved equal that are not one expression.
struct SuiteEquality {
  std::size_t first;
  std::size_t second;
  std::string how;
  Vacuity vacuity = Vacuity::none;
};

/// Two classes that no row parts and nobody proved equal.
struct SuiteUndecided {
  std::size_t first;
  std::size_t second;
  std::string how;  ///< why
};

struct SuiteRow {
  DotValues values;
  std::vector<Integer> answers;  ///< d, by design, of the exact evaluator
  Partition partition;           ///< of the classes
};

struct Suite {
  std::vector<SuiteDesign> designs;
  DotFormats formats;
  std::vector<SuiteClass> classes;
  std::vector<SuiteEquality> equalities;
  std::vector<SuiteUndecided> undecided;
  std::vector<SuiteRow> rows;
  DecisionTree tree;  ///< over the rows

  std::size_t candidates = 0;    ///< inputs that the rows were chosen of
  std::size_t most_answers = 1;  ///< that one candidate gives
  std::size_t smallest = 0;      ///< the fewest candidates found that part as much as all do
  std::size_t least = 0;         ///< no choice of fewer candidates does
  /// Rows that any suite needs whose rows give at most `most_answers` answers each.
  std::size_t information_least = 0;
  /// The fewest questions on average of a tree over all candidates, as far as was found.
  double expected_of_candidates = 0;
  bool expected_is_least = false;
  double seconds = 0;

  std::size_t class_of(std::size_t design) const;
};

/// Throws std::invalid_argument, Contradiction, OutOfTime where not even the designs were built.
/// `solvers`: their limit is for each pair. Where work is stopped, what was found so far is given.
Suite make_suite(const std::vector<SuiteDesign>& designs, const SuiteOptions& options,
                 const Portfolio& solvers);

/// The suite's rows as `replay` reads them: each with the answers of all designs by name. They are
/// named for the first catalogued design that has their K, if there is one.
std::vector<std::string> vector_lines(const Suite& suite);

}  // namespace mmaspec
