#pragma once
/// The strategies that answer questions: what each is called, and which are used.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "util/deadline.h"

namespace mmaspec {

struct Question;

/// Each has its file in queries/ask/strategies/ and its line in the registry there, but for
/// `search` and `enumerate`, which need no solver (queries/ask/search.h), `derive` and `steps`.
enum class Strategy {
  search,     ///< candidates by the batch evaluator
  enumerate,  ///< all inputs, where they are few
  restrict,   ///< witnesses among fewer inputs
  weaken,     ///< proofs without the conditions that need wide numbers
  relax,      ///< proofs with every product of two variables free
  cut,        ///< proofs with stages' results free
  split,      ///< pieces by which member of the largest maximum it is
  derive,     ///< proofs by lemmas about nodes, queries/derive/ and queries/relations/
  steps,      ///< arguments about an algorithm's steps, queries/arguments/steps.h
};

/// As --strategies takes it.
std::string_view to_string(Strategy strategy);
const std::vector<Strategy>& all_strategies();

/// What is used to answer a question, and how much of it.
struct Strategies {
  /// All of them.
  Strategies() = default;
  /// The formula as it is, given to the solvers.
  static Strategies none() {
    Strategies s;
    s.used_ = 0;
    return s;
  }

  /// The same, but of the strategies those of the list alone.
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

  int jobs = 0;  ///< processes at once; 0: as many as the machine has cores
  unsigned seed = 0;
  /// What the search before the solvers may do, in operations of the batch evaluator: bounded work,
  /// not time, so that runs repeat. The default is a fraction of a second.
  std::size_t search_work = 200'000'000;
  double derive_share = 0.85;  ///< of a property's time, for derivations; solvers have the rest
  Deadline deadline = {};      ///< beside the solvers' own limit
  /// Answers questions in place of all strategies and solvers, if it is there: true if no input
  /// satisfies the question's conditions. What was known besides (Question::given) follows from
  /// these.
  std::function<bool(const Question&)> oracle = {};
  /// Runs all strategies to their ends, and throws Contradiction unless their answers agree.
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
