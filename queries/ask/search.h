#pragma once
/// Search for witnesses by trying candidates. It cannot prove, but it answers most questions.

#include <optional>
#include <string>

#include "queries/ask/question.h"

namespace mmaspec {

/// Number of candidates to try at once for this number of operands: large enough for the batch
/// evaluator to be efficient, and small enough to check the deadline often.
std::size_t lanes_at_once(std::size_t operands);

/// Tries the candidates of a question for one seed after another.
class Search {
 public:
  /// `question` must outlive this object.
  Search(const Question& question, unsigned seed);

  /// The first candidate that satisfies all conditions. nullopt if none is found within `work`
  /// operations (see Strategies::search_work) and before the deadline.
  std::optional<InputValues> run(std::size_t work, const Deadline& deadline = {});

  std::size_t tried() const { return tried_; }
  /// The text that reports a search without a witness.
  std::string outcome() const { return "no witness among " + std::to_string(tried_) + " inputs"; }

  Answer answer(const InputValues& found) const;

 private:
  const Question& question_;
  Candidates draw_;
  BatchEvaluator evaluator_;
  BatchEvaluator::Scratch scratch_;
  Lanes inputs_;
  Lanes holds_;
  std::size_t tried_ = 0;
};

/// Tries all inputs of a question that has few. Bits that no condition depends on, and bits that
/// conditions on a single input fix, are not enumerated.
class Enumeration {
 public:
  /// `question` must outlive this object. For inputs wider than 16 bits, `solvers` confirm which
  /// bits are fixed, before the deadline.
  Enumeration(const Question& question, const Portfolio& solvers, const Deadline& deadline);

  /// True if run() is feasible: at most 27 bits to enumerate, which takes about ten seconds.
  bool is_possible() const { return is_possible_; }
  /// Number of batch evaluator operations that run() needs.
  std::size_t work() const;

  /// A witness, or a proof that there is none. Unknown if the deadline passed.
  Answer run(const Deadline& deadline = {}) const;

 private:
  /// The bits of an input to enumerate; all other bits are those of `value`.
  struct Row {
    std::uint64_t value = 0;
    std::vector<unsigned> free;
  };

  bool find_rows(const Portfolio& solvers, const Deadline& deadline);

  const Question& question_;
  std::vector<Row> rows_;  ///< indexed by the graph's inputs
  unsigned bits_ = 0;
  bool is_possible_ = false;
};

}  // namespace mmaspec
