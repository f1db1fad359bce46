#pragma once
/// Attempts at one question, raced. Each runs in a child process with a time and a memory limit: a
/// crash, a blow-up or a hang costs that attempt alone.

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "spec/lang/integer.h"

namespace mmaspec {

enum class Verdict { satisfiable, unsatisfiable, unknown };

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::map<std::string, Integer> model;  ///< satisfiable: variables by name; those missing are free
  std::string solver;                    ///< who answered: the attempt's name
  double seconds = 0;
  /// Unknown: why, one clause for each attempt. Unsatisfiable: where its proof is, if it has one.
  std::string reason;
  std::string backend = {};      ///< the solver that the attempt asked; empty: none
  bool rests_on_lemmas = false;  ///< as the attempt does
};

/// One way to an answer.
struct Attempt {
  std::string name;
  std::function<Answer()> run;  ///< in a child process of its own: may crash, leak, never return
  bool proves = true;           ///< its `unsatisfiable` is one of the question
  bool refutes = true;          ///< its `satisfiable` is one of the question
  double seconds = std::numeric_limits<double>::infinity();  ///< for it alone
  bool beside = false;  ///< it may run for ever: the race ends when only such are left
  /// Attempts of one group, a number >= 0, are pieces: together they prove what each proves in
  /// part.
  int group = -1;
  std::string backend = {};  ///< the solver that it asks, by its name; empty: none
  /// Seconds after the race's start before which it waits, unless nothing else is to be done.
  double after = 0;
  int nice = 0;                  ///< as nice(1) counts: so far its process stands behind others
  bool rests_on_lemmas = false;  ///< what it asks is a step from statements proved before
};

/// What became of an attempt.
struct AttemptReport {
  std::string name;
  Verdict verdict = Verdict::unknown;
  bool counts = false;  ///< the verdict is one of the question
  std::string outcome;  ///< one clause
  double seconds = 0;
  long peak_kib = 0;       ///< of resident memory; 0 if it was not waited for
  std::string proof = {};  ///< that there is none: where a proof is to be found, in a clause
};

struct Limits {
  double seconds = 60;
  std::size_t memory_bytes = std::size_t{8} << 30;  ///< address space of each child
};

/// Called a few times a second with the seconds passed and the names of what is running; once with
/// no names at the end.
using Progress = std::function<void(double, const std::string&)>;

struct RaceOptions {
  Limits limits;
  int slots = 0;            ///< attempts at once, the others wait their turn; 0: all
  bool to_the_end = false;  ///< no attempt is stopped by another's answer
  Progress progress = {};
};

struct Race {
  Answer answer;  ///< the first that counts
  std::vector<AttemptReport> reports;
};

/// Runs the attempts in their order. Throws std::runtime_error if no process can be started.
Race race(const std::vector<Attempt>& attempts, const RaceOptions& options);

}  // namespace mmaspec
