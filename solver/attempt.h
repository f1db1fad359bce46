#pragma once
/// Races attempts at one question. Each attempt is a child process with a time and a memory limit,
/// so a crash or a hang affects that attempt only.

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
  std::map<std::string, Integer> model;  ///< if satisfiable: variables by name; missing variables
                                         ///< are free
  std::string solver;                    ///< name of the attempt that answered
  double seconds = 0;
  /// If unknown: the reason, one clause for each attempt. If unsatisfiable: where the proof is, if
  /// there is one.
  std::string reason;
  std::string backend = {};      ///< the solver that the attempt used; empty: none
  bool rests_on_lemmas = false;  ///< as in the attempt
};

/// One method to answer a question.
struct Attempt {
  std::string name;
  std::function<Answer()> run;  ///< executed in a separate child process: may crash, leak, never
                                ///< return
  bool proves = true;           ///< its `unsatisfiable` is an answer to the question
  bool refutes = true;          ///< its `satisfiable` is an answer to the question
  double seconds = std::numeric_limits<double>::infinity();  ///< its own time limit
  bool beside = false;  ///< it may not end by itself: the race ends when only such attempts are
                        ///< left
  /// Attempts with the same group >= 0 are pieces of one proof: the group proves if all of them do.
  int group = -1;
  std::string backend = {};  ///< name of the solver that it uses; empty: none
  /// Seconds after the race's start before which it does not start, unless nothing else is left.
  double after = 0;
  int nice = 0;                  ///< niceness of its process, see nice(1)
  bool rests_on_lemmas = false;  ///< its question uses statements that were proved before
};

/// The outcome of an attempt.
struct AttemptReport {
  std::string name;
  Verdict verdict = Verdict::unknown;
  bool counts = false;  ///< the verdict is an answer to the question
  std::string outcome;  ///< one clause
  double seconds = 0;
  long peak_kib = 0;       ///< peak resident memory; 0 if the process was not waited for
  std::string proof = {};  ///< if unsatisfiable: where a proof is, in a clause
};

struct Limits {
  double seconds = 60;
  std::size_t memory_bytes = std::size_t{8} << 30;  ///< address space of each child process
};

/// Called a few times a second with the elapsed seconds and the names of running attempts, and once
/// without names at the end.
using Progress = std::function<void(double, const std::string&)>;

struct RaceOptions {
  Limits limits;
  int slots = 0;            ///< number of parallel attempts; 0: all
  bool to_the_end = false;  ///< an answer does not stop the other attempts
  Progress progress = {};
};

struct Race {
  Answer answer;  ///< the first answer to the question
  std::vector<AttemptReport> reports;
};

/// Starts the attempts in their order. Throws std::runtime_error if no process can be started.
Race race(const std::vector<Attempt>& attempts, const RaceOptions& options);

}  // namespace mmaspec
