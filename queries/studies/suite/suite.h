#pragma once
/// Finds the smallest set of inputs that distinguishes a set of designs.
///
/// Designs that no input distinguishes form a class: those with the same expression, and those
/// proved equal. A row of the suite separates every two classes, or the pair is listed as
/// undecided.

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
  /// Strategies for each pair that the search does not separate. The deadline applies to the whole
  /// suite.
  Strategies strategies = {};
  /// Limit of the search for inputs, in operations of the batch evaluator.
  std::size_t search_work = 4'000'000'000;
  bool shrink = true;  ///< simplify the rows
  /// Select the rows that the best decision tree over all candidates asks: more rows than the
  /// minimum, but fewer questions on average.
  bool adaptive = false;
};

/// Designs, by index, that are equal on all allowed inputs; the first one represents the class.
struct SuiteClass {
  std::vector<std::size_t> designs;
};

/// Two designs proved equal that are different expressions.
struct SuiteEquality {
  std::size_t first;
  std::size_t second;
  std::string how;
  Vacuity vacuity = Vacuity::none;
};

/// Two classes that no row separates and that are not proved equal.
struct SuiteUndecided {
  std::size_t first;
  std::size_t second;
  std::string how;  ///< the reason
};

struct SuiteRow {
  DotValues values;
  std::vector<Integer> answers;  ///< d for each design, by the exact evaluator
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

  std::size_t candidates = 0;    ///< number of inputs from which the rows were chosen
  std::size_t most_answers = 1;  ///< largest number of answers to one candidate
  std::size_t smallest = 0;      ///< size of the smallest set of candidates found that separates as
                                 ///< many pairs as all do
  std::size_t least = 0;         ///< proved lower bound for that size
  /// Lower bound for the number of rows of any suite whose rows have at most `most_answers` answers
  /// each.
  std::size_t information_least = 0;
  /// The least average number of questions found for a tree over all candidates.
  double expected_of_candidates = 0;
  bool expected_is_least = false;
  double seconds = 0;

  std::size_t class_of(std::size_t design) const;
};

/// Throws std::invalid_argument, Contradiction, and OutOfTime if not even the designs could be
/// built. The limit of `solvers` applies to each pair. If work is stopped, returns what was found
/// so far.
Suite make_suite(const std::vector<SuiteDesign>& designs, const SuiteOptions& options,
                 const Portfolio& solvers);

/// The suite's rows in the format of `replay`, each with the answers of all designs by name. They
/// name the first catalogued design with their K, if there is one.
std::vector<std::string> vector_lines(const Suite& suite);

}  // namespace mmaspec
