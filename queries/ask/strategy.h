#pragma once
/// The strategies that answer questions: their names, and which of them are in use.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "util/deadline.h"

namespace mmaspec {

struct Question;

/// Each strategy has a file in queries/ask/strategies/ and an entry in the registry there.
/// Exceptions are `search` and `enumerate`, which need no solver (queries/ask/search.h), `derive`
/// and `steps`.
enum class Strategy {
  search,     ///< tries candidates on the batch evaluator
  enumerate,  ///< tries all inputs if they are few
  restrict,   ///< finds witnesses in a subset of the inputs
  weaken,     ///< proves without the conditions that need wide numbers
  relax,      ///< proves with every product of two variables replaced by a free variable
  cut,        ///< proves with stages' results replaced by free variables
  split,      ///< splits into cases by the member that attains the largest maximum
  derive,     ///< proves by lemmas about nodes, queries/derive/ and queries/relations/
  steps,      ///< analytical proofs from an algorithm's steps, queries/theorems/steps.h
};

/// The name that --strategies takes.
std::string_view to_string(Strategy strategy);
const std::vector<Strategy>& all_strategies();

/// Which strategies answer a question, and their limits.
struct Strategies {
  /// All strategies.
  Strategies() = default;
  /// No strategy: the solvers get the unchanged formula.
  static Strategies none() {
    Strategies s;
    s.used_ = 0;
    return s;
  }

  /// A copy that keeps only the strategies of the list.
  Strategies only(std::initializer_list<Strategy> kept) const {
    Strategies s = *this;
    s.used_ = 0;
    for (const Strategy strategy : kept) s.set(strategy, uses(strategy));
    return s;
  }

  bool uses(Strategy strategy) const { return (used_ & bit(strategy)) != 0; }
  bool uses_no_other_than(Strategy strategy) const { return used_ == bit(strategy); }
  void set(Strategy strategy, bool used) {
    used_ = used ? used_ | bit(strategy) : used_ & ~bit(strategy);
  }

  int jobs = 0;  ///< parallel processes; 0: as many as the machine has cores
  unsigned seed = 0;
  /// Limit of the search that precedes the solvers, in operations of the batch evaluator. The limit
  /// is work instead of time so that results are reproducible. The default takes a fraction of a
  /// second.
  std::size_t search_work = 200'000'000;
  double derive_share = 0.85;  ///< share of a property's time for derivations; solvers get the rest
  Deadline deadline = {};      ///< in addition to the solvers' own time limit
  /// If set, answers questions instead of all strategies and solvers: returns true if no input
  /// satisfies the question's conditions. Question::given follows from the conditions.
  std::function<bool(const Question&)> oracle = {};
  /// Lets all strategies finish, and throws Contradiction unless their answers agree.
  bool to_the_end = false;

 private:
  static constexpr std::uint32_t bit(Strategy strategy) {
    return std::uint32_t{1} << static_cast<unsigned>(strategy);
  }

  static constexpr std::uint32_t kAll =
      (std::uint32_t{2} << static_cast<unsigned>(Strategy::steps)) - 1;  // the last one

  std::uint32_t used_ = kAll;
};

}  // namespace mmaspec
