#ifndef MMASPEC_ASK_H
#define MMASPEC_ASK_H
/// \file
/// What all questions about units have in common: verdicts, limits, preconditions, evidence.
///
/// A question runs solvers in child processes of the calling process (fork). They end with the
/// call, and with the thread that called. The solvers Bitwuzla, cvc5 and CaDiCaL are also used as
/// programs if PATH has them.

#include <mmaspec/export.h>
#include <mmaspec/units.h>

#include <functional>
#include <string>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// How a question ended.
enum class Verdict {
  proved,          ///< it holds for all inputs that the question is about
  refuted,         ///< an input violates it, which the exact evaluator confirms
  undecided,       ///< neither within the limits; AnswerBase::how says why
  not_applicable,  ///< the property has no meaning for the unit; AnswerBase::how says why
};
/// `proved`, `refuted`, `undecided` or `not applicable`.
MMASPEC_EXPORT std::string to_string(Verdict verdict);

/// The operands that a question covers.
enum class Inputs {
  finite,  ///< all finite numbers
  normal,  ///< normal numbers and zeros
  any,     ///< also infinities and NaNs
};

/// Limits of a question, and the solvers that it asks.
struct AskOptions {
  /// Wall time of the whole question: more than 0, at most 1000000.
  double seconds = 60;
  /// `auto` (all that exist), `z3`, `cvc5`, `bitwuzla`, or `smtlib:COMMAND`. COMMAND is run by the
  /// shell and reads SMT-LIB 2 (Barrett, Fontaine, Tinelli, The SMT-LIB Standard, version 2.6).
  std::string solver = "auto";
  /// Of the search for witnesses. Equal seeds give equal searches.
  unsigned seed = 0;
  /// Processes at once, 0 to 4096. 0: one for each core.
  int jobs = 0;
  /// Called a few times a second with the seconds passed and the names of what is running, and once
  /// with an empty text at the end, in the thread that asked. If it throws, it is not called again,
  /// and the question ends with that exception in place of its answer.
  std::function<void(double seconds, const std::string& running)> progress;
};

/// Whether any input satisfies a question's precondition. A proof about no input says nothing.
enum class Vacuity {
  no,       ///< some input satisfies it
  yes,      ///< no input satisfies it, or what the property presumes
  unknown,  ///< undecided
};

/// What every answer has.
struct AnswerBase {
  Verdict verdict = Verdict::undecided;
  /// What justifies a proof: `one expression`, `enumeration`, `solver`, `derivation`, `argument`.
  /// Empty without a proof.
  std::string by;
  /// One clause for people: how the question was answered, or why it is undecided.
  std::string how;
  Vacuity vacuous = Vacuity::no;  ///< of a proof
  /// The set of inputs that the answer is about, such as `finite, where c == 0`.
  std::string inputs;
  /// How the units are known that the answer is about.
  std::vector<UnitEvidence> evidence;
  double seconds = 0;  ///< wall time
};

/// Ends all questions and all multiply() of this process as soon as possible: questions answer with
/// what they have, multiply() throws Stopped. A signal handler may call it. It lasts until
/// resume_work().
MMASPEC_EXPORT void stop_work() noexcept;
/// Undoes stop_work(), for a process that continues with other questions.
MMASPEC_EXPORT void resume_work() noexcept;

MMASPEC_END_NAMESPACE

#endif
