#pragma once
/// "Which design is this unit?": questions until one is left, the proof that it is one, and a
/// confirmation that the unit is it.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/studies/identify/equality.h"
#include "queries/studies/identify/oracle.h"
#include "queries/studies/identify/space/survivors.h"
#include "queries/studies/identify/structured_rows.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

struct IdentifyOptions {
  std::size_t batch = 1;          ///< questions that are put at once
  std::size_t confirm = 10'000;   ///< rows that the name must survive; 0: none
  std::size_t questions = 1'000;  ///< at most, before the confirming rows
  Strategies strategies;          ///< its deadline is that of the whole
  double pair_seconds = 10;       ///< for the proof that two designs are equal
  /// Called with rows before they are put and with answers as they come: whoever keeps them.
  std::function<void(const std::vector<DotValues>&, bool confirming)> asking = {};
  std::function<void(const std::vector<Answered>&, bool confirming)> answered = {};
  std::function<void(const std::string&)> progress = {};
};

enum class Identified {
  identified,  ///< a design fits; whether all that fit are equal is said apart
  none_fits,   ///< the answers are of no design of the space
  undecided,   ///< out of time or of questions, or the answers change
};

/// An input whose two answers were not the same.
struct Unsteady {
  DotValues values;
  Integer first;
  Integer second;
};

struct Identification {
  Identified verdict = Identified::undecided;
  std::optional<Instruction> design;  ///< that fits; where none does, the nearest that was found
  std::vector<std::string> names;     ///< of the catalogue, equal to it
  double fitting = 0;                 ///< designs of the space that fit
  Equality equality;                  ///< of those
  bool confirmed = false;             ///< the confirming rows agree, too
  std::size_t inputs = 0;             ///< asked before the confirming ones, each twice
  std::size_t confirming = 0;
  std::vector<Unsteady> unsteady;
  std::vector<Answered> conflict;        ///< none fits: answers that no design explains
  bool conflict_is_smallest = false;     ///< no fewer do
  bool conflict_is_irreducible = false;  ///< none of them can be left out
  std::vector<Answered> failing;  ///< none fits: those that the nearest design does not explain
  std::size_t answers = 0;        ///< in all
  std::string why;                ///< undecided
  double seconds = 0;
};

/// Asks `oracle`. `known`: answers that there are already. Throws what the oracle throws, and
/// std::invalid_argument for known answers with a c if the space has none.
Identification identify(const Space& space, Oracle& oracle, const std::vector<Answered>& known,
                        const IdentifyOptions& options, const Portfolio& solvers);

/// Of what the survivors' answers determine, parameter by parameter.
struct Open {
  std::string algorithm;  ///< with its shape
  double designs;
  struct Values {
    std::string key;
    std::vector<std::string> left;
    std::size_t of;  ///< how many the space has
  };
  std::vector<Values> parameters;
};
std::vector<Open> what_is_open(const Survivors& survivors);

/// What is left where nobody can be asked now: survivors of the answers, and whether they are one.
struct Left {
  Identification so_far;
  std::vector<Open> open;       ///< what the answers leave open
  std::vector<DotValues> next;  ///< inputs to ask, if any tell designs apart
};
Left identify_offline(const Space& space, const std::vector<Answered>& known,
                      const IdentifyOptions& options, const Portfolio& solvers);

/// A design among the survivors: one of the catalogue if there is one, else a plain one.
Algorithm representative(const Survivors& survivors);

}  // namespace mmaspec
