#ifndef MMASPEC_PROVE_H
#define MMASPEC_PROVE_H
/// \file
/// Does a property hold for all inputs?
///
/// \code
/// const mmaspec::Unit unit = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
/// require(mmaspec::prove("commutative", unit).verdict == mmaspec::Verdict::proved);
/// const mmaspec::ProofAnswer refuted = mmaspec::prove("correctly-rounded", unit);
/// require(refuted.verdict == mmaspec::Verdict::refuted);
/// for (const mmaspec::ProofRun& run : refuted.runs) {
///   require(mmaspec::evaluate(run.unit, run.operands) == run.d);
/// }
/// \endcode

#include <mmaspec/ask.h>
#include <mmaspec/evaluate.h>
#include <mmaspec/export.h>
#include <mmaspec/units.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// A statement about what a unit computes.
struct PropertyInfo {
  std::string name;
  std::string summary;  ///< one line
  std::string source;   ///< in the literature
  int units;            ///< 1, or 2 for a property of two units
};

/// All properties.
MMASPEC_EXPORT std::vector<PropertyInfo> properties();

/// The number, the inputs and the limits of a question about a property.
struct ProveOptions {
  /// The number of a property with a number, such as error-bound: a decimal, a hex float or a
  /// fraction, from 0 on. Its unit is that of PropertyInfo::summary.
  std::optional<std::string> bound;
  /// permutation-invariant: only orders inside blocks of this many products, 0 to 65536. 0: all.
  int within = 0;
  /// Preconditions, as in DiffOptions::where.
  std::vector<std::string> where;
  bool shrink = true;  ///< simplify the witness
  /// A second solver must agree on every proof that a solver made.
  bool confirm = false;

  AskOptions ask;
};

/// One evaluation that a counterexample consists of.
struct ProofRun {
  std::string label;  ///< which of the property's evaluations it is
  Unit unit;
  DotProduct operands;
  std::uint64_t d;
};

/// Verdict::proved, refuted by `runs`, undecided, or not applicable.
struct ProofAnswer : AnswerBase {
  std::vector<ProofRun> runs;  ///< refuted: the counterexample
  std::string of;              ///< refuted: the case of the property; empty: it has one case
  int cases = 0;               ///< of the property
  int cases_proved = 0;
  std::string smaller;       ///< undecided: the largest sub-case that was decided, for people
  std::string confirmed_by;  ///< the second solver, with ProveOptions::confirm
};

/// Asks about a property of one unit. Throws BadInput for an unknown property, a property of two
/// units, a number where the property has none or the reverse, or a wrong option; Contradiction.
MMASPEC_EXPORT ProofAnswer prove(std::string_view property, const Unit& unit,
                                 const ProveOptions& options = {});
/// Asks about a property of two units, whose operands have the same formats.
MMASPEC_EXPORT ProofAnswer prove(std::string_view property, const Unit& first, const Unit& second,
                                 const ProveOptions& options = {});

/// The least number for which a property holds, as far as it is known.
struct LeastAnswer {
  std::optional<std::string> proved;   ///< the least number that is proved, exact
  std::optional<std::string> refuted;  ///< the largest number that is refuted, exact
  ProofAnswer proof;                   ///< of `proved`, or why nothing is proved
  ProofAnswer refutation;              ///< of `refuted`
};

/// Asks for the least number of a property with a number, such as error-bound. Throws as prove()
/// does; ProveOptions::bound must be empty.
MMASPEC_EXPORT LeastAnswer prove_least(std::string_view property, const Unit& unit,
                                       const ProveOptions& options = {});

MMASPEC_END_NAMESPACE

#endif
