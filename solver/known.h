#pragma once
/// Stores solvers' verdicts on formulas, so that proofs which share formulas ask them once.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "solver/attempt.h"

namespace mmaspec {

/// Thread-safe.
class KnownVerdicts {
 public:
  struct Verdicts {
    Verdict verdict;
    double seconds;      ///< the time limit of the solvers
    std::string reason;  ///< as in Answer
  };

  KnownVerdicts() = default;
  KnownVerdicts(const KnownVerdicts&) = delete;
  KnownVerdicts& operator=(const KnownVerdicts&) = delete;
  ~KnownVerdicts();

  /// A store to which child processes add through an unnamed file. If such a file cannot be
  /// created, the store is local.
  static std::shared_ptr<KnownVerdicts> of_children();
  /// Reads what other processes have added.
  void learn();

  /// The verdict on a formula, by its text.
  std::optional<Verdicts> of(const std::string& formula) const;
  void add(const std::string& formula, const Verdicts& known);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Verdicts> known_;  ///< key: SHA-256 of the text
  int file_ = -1;
  std::size_t learned_ = 0;  ///< number of bytes of the file that were read
};

}  // namespace mmaspec
