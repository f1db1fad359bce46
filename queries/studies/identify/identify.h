#pragma once
/// Identifies which design a unit implements: asks questions until one design is left, proves that
/// it is the only one, and confirms that the unit agrees with it.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/studies/identify/equality.h"
#include "queries/studies/identify/oracle.h"
#include "queries/studies/identify/space/version_space.h"
#include "queries/studies/identify/structured_rows.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

struct IdentifyOptions {
  std::size_t batch = 1;          ///< number of questions that are asked together
  std::size_t confirm = 10'000;   ///< number of rows that the identified design must reproduce; 0:
                                  ///< none
  std::size_t questions = 1'000;  ///< largest number of questions before the confirming rows
  Strategies strategies;          ///< its deadline applies to the whole identification
  double pair_seconds = 10;       ///< time limit for the proof that two designs are equal
  /// Called with rows before they are asked and with answers when they arrive, to store them.
  std::function<void(const std::vector<DotValues>&, bool confirming)> asking = {};
  std::function<void(const std::vector<Answered>&, bool confirming)> answered = {};
  std::function<void(const std::string&)> progress = {};
};

enum class Identified {
  identified,  ///< a design fits; `equality` says whether all that fit are equal
  none_fits,   ///< no design of the space gives the answers
  undecided,   ///< time or questions ran out, or the answers are not reproducible
};

/// An input with two different answers.
struct Unsteady {
  DotValues values;
  Integer first;
  Integer second;
};

struct Identification {
  Identified verdict = Identified::undecided;
  std::optional<Instruction> design;  ///< a fitting design; if none fits, the nearest one that was
                                      ///< found
  std::vector<std::string> names;     ///< names of catalogued instructions equal to it
  double fitting = 0;                 ///< number of designs of the space that fit
  Equality equality;                  ///< of the designs that fit
  bool confirmed = false;             ///< it reproduces the confirming rows, too
  std::size_t inputs = 0;             ///< number asked before the confirming ones, each twice
  std::size_t confirming = 0;
  std::vector<Unsteady> unsteady;
  std::vector<Answered> conflict;        ///< if none fits: answers that no design explains
  bool conflict_is_smallest = false;     ///< no smaller set conflicts
  bool conflict_is_irreducible = false;  ///< none of them can be left out
  std::vector<Answered> failing;         ///< if none fits: answers that the nearest design does not
                                         ///< explain
  std::size_t answers = 0;               ///< total number
  std::string why;                       ///< if undecided: the reason
  double seconds = 0;
};

/// Identifies the unit behind `oracle`. `known`: answers that are already available. Throws what
/// the oracle throws, and std::invalid_argument for known answers with a c if the space has none.
Identification identify(const Space& space, Oracle& oracle, const std::vector<Answered>& known,
                        const IdentifyOptions& options, const Portfolio& solvers);

/// Which parameters the answers have not determined.
struct Open {
  std::string algorithm;  ///< with its shape
  double designs;
  struct Values {
    std::string key;
    std::vector<std::string> left;
    std::size_t of;  ///< number of values in the space
  };
  std::vector<Values> parameters;
};
std::vector<Open> what_is_open(const VersionSpace& survivors);

/// The state of an identification without an oracle: the survivors of the answers, and whether they
/// are equal.
struct Left {
  Identification so_far;
  std::vector<Open> open;       ///< parameters that are not determined
  std::vector<DotValues> next;  ///< inputs to ask, if any distinguish designs
};
Left identify_offline(const Space& space, const std::vector<Answered>& known,
                      const IdentifyOptions& options, const Portfolio& solvers);

/// A design among the survivors: one of the catalogue if there is one, otherwise a simple one.
Algorithm representative(const VersionSpace& survivors);

}  // namespace mmaspec
