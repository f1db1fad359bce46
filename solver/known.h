#pragma once
/// What solvers said of formulas, so that what many proofs have in common is asked once.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "solver/attempt.h"

namespace mmaspec {

/// Threads may share one.
class KnownVerdicts {
 public:
  struct Verdicts {
    Verdict verdict;
    double seconds;      ///< that solvers were given
    std::string reason;  ///< of an Answer
  };

  KnownVerdicts() = default;
  KnownVerdicts(const KnownVerdicts&) = delete;
  KnownVerdicts& operator=(const KnownVerdicts&) = delete;
  ~KnownVerdicts();

  /// One that child processes add to, through a file without a name. Without such a file it is one
  /// as any other.
  static std::shared_ptr<KnownVerdicts> of_children();
  /// Learns what other processes have added.
  void learn();

  /// By the formula's text.
  std::optional<Verdicts> of(const std::string& formula) const;
  void add(const std::string& formula, const Verdicts& known);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Verdicts> known_;  ///< by the text's SHA-256
  int file_ = -1;
  std::size_t learned_ = 0;  ///< bytes of the file
};

}  // namespace mmaspec
