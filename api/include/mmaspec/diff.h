#ifndef MMASPEC_DIFF_H
#define MMASPEC_DIFF_H
/// \file
/// On which inputs do two units differ, and how far?
///
/// \code
/// const mmaspec::Unit volta = mmaspec::find_unit("volta/mma.m8n8k4.f32.f16.f16.f32");
/// const mmaspec::Unit hopper = mmaspec::find_unit("hopper/mma.m16n8k16.f32.f16.f16.f32");
/// const mmaspec::DiffAnswer answer = mmaspec::diff(volta, hopper);
/// require(answer.verdict == mmaspec::Verdict::refuted);
/// const mmaspec::Witness& w = answer.witnesses[0];
/// require(mmaspec::evaluate(answer.first, w.operands) == w.d);
/// require(mmaspec::evaluate(answer.second, w.operands) == w.d_other);
/// \endcode

#include <mmaspec/ask.h>
#include <mmaspec/evaluate.h>
#include <mmaspec/export.h>
#include <mmaspec/units.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// How the operands of two units with different formats correspond.
enum class Match {
  values,  ///< equal numbers, which both formats hold
  bits,    ///< equal bit patterns
};

/// What counts as a difference, and on which inputs it is asked for.
struct DiffOptions {
  // Two results differ if all bounds that are given are exceeded. Results compare as values: every
  // NaN equals every NaN, and +0 equals -0.

  /// More than this many ulp of the first unit's results: a decimal integer of at most 30 digits.
  /// The distance is a number of steps on the first format's number line, continued beyond its
  /// largest number. A NaN is farther from every number than any bound.
  std::optional<std::string> ulp;
  /// |d - d_other| > absolute: a decimal, a hex float or a fraction, from 0 on.
  std::optional<std::string> absolute;
  /// |d - d_other| > relative * |d|, likewise.
  std::optional<std::string> relative;
  /// Zeros of opposite signs differ.
  bool signed_zero = false;

  Inputs inputs = Inputs::finite;
  /// Preconditions on the first unit's operands a[i], b[i], c and its result d, such as
  /// `abs(a[*]) <= 1`. All must hold. `mmaspec help where` explains the grammar.
  std::vector<std::string> where;
  /// Witnesses wanted, 1 to 1000000. Each two differ in the sign or exponent of a result.
  int count = 1;
  /// Simplify witnesses: most terms zero, powers of two.
  bool shrink = true;
  /// If the units have different k: zeros for the longer one's other products, instead of chaining
  /// the shorter unit.
  bool pad = false;
  /// Chain both units to this k, at most 65536. 0: to the longer one's.
  int chain = 0;
  Match match = Match::values;
  /// For every k that both have, as chains of themselves: a proof by induction, or a witness for
  /// the least k. Takes no bound, precondition, count, pad, chain or match.
  bool all_k = false;

  AskOptions ask;
};

/// An input on which two units differ.
struct Witness {
  DotProduct operands;  ///< patterns of the first unit's formats
  /// The second unit's operands: those of the same numbers (Match::values) or patterns.
  DotProduct operands_other;
  std::uint64_t d;        ///< of the first unit
  std::uint64_t d_other;  ///< of the second unit, in its format
  std::string ulp;        ///< how far apart: a decimal integer, or `inf`
  /// The row as JSON, on one line without its end, as verify() reads it.
  std::string row;
};

/// Verdict::proved: the two never differ so. Verdict::refuted: they do, on `witnesses`.
struct DiffAnswer : AnswerBase {
  DiffAnswer(Unit first_unit, Unit second_unit)
      : first(std::move(first_unit)), second(std::move(second_unit)) {}

  Unit first;        ///< brought to a common k
  Unit second;       ///< likewise
  std::string note;  ///< what was done to bring them there; empty: nothing
  std::vector<Witness> witnesses;
  /// There are fewer witnesses than wanted because no further unlike one exists.
  bool exhausted = false;
  /// With all_k: the k are the multiples of it. 0 otherwise.
  int multiples_of = 0;
};

/// Throws BadInput if the two cannot be compared or an option is wrong, Contradiction.
MMASPEC_EXPORT DiffAnswer diff(const Unit& first, const Unit& second,
                               const DiffOptions& options = {});

/// How far two results lie apart.
enum class Measure {
  ulp,       ///< in units in the last place of the first unit's results
  absolute,  ///< |d - d_other|
};

/// Verdict::proved: the bound is attained, or no finite one exists. Verdict::undecided: a larger
/// difference than `largest` may exist.
struct MaximumAnswer : AnswerBase {
  MaximumAnswer(Unit first_unit, Unit second_unit)
      : first(std::move(first_unit)), second(std::move(second_unit)) {}

  Unit first;
  Unit second;
  std::string note;
  /// The largest difference found, exact: a decimal or a fraction, or `inf` if one result is a NaN,
  /// or infinite, where the other is not.
  std::string largest;
  /// No input differs by more, proved: exact, likewise. nullopt: no bound is proved.
  std::optional<std::string> bound;
  std::optional<Witness> witness;  ///< of `largest`; nullopt: no input was found
};

/// The largest difference between two units, and a proved bound. The options ulp, absolute,
/// relative, signed_zero, count, shrink and all_k must have their defaults. Throws as diff() does.
MMASPEC_EXPORT MaximumAnswer maximize(const Unit& first, const Unit& second,
                                      Measure measure = Measure::ulp,
                                      const DiffOptions& options = {});

MMASPEC_END_NAMESPACE

#endif
