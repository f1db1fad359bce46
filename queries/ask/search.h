#pragma once
/// Search for witnesses by trying candidates: no proof, but most questions end here.

#include <optional>
#include <string>

#include "queries/ask/question.h"

namespace mmaspec {

/// How many inputs of so many operands are tried at once: as many as pay, but not so many that a
/// deadline is looked at late.
std::size_t lanes_at_once(std::size_t operands);

/// Tries candidates of a question, one seed's after the other.
class Search {
 public:
  /// `question` must outlive this object.
  Search(const Question& question, unsigned seed);

  /// The first candidate on which all conditions hold, if one is found with so much work (see
  /// Strategies::search_work), and before the deadline.
  std::optional<InputValues> run(std::size_t work, const Deadline& deadline = {});

  std::size_t tried() const { return tried_; }
  /// What is to be said of a search that found nothing.
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

/// Tries all inputs of a question that has few: bits that no condition depends on, and bits that
/// conditions on one input alone fix, do not count.
class Enumeration {
 public:
  /// `question` must outlive this object. `solvers` confirm which bits of inputs of more than 16
  /// bits are fixed, before the deadline.
  Enumeration(const Question& question, const Portfolio& solvers, const Deadline& deadline);

  /// True if the inputs are few enough for run(): at most 27 bits, which takes some ten seconds.
  bool is_possible() const { return is_possible_; }
  /// Operations of the batch evaluator that run() needs.
  std::size_t work() const;

  /// A witness, or a proof that there is none; unknown: the deadline has passed.
  Answer run(const Deadline& deadline = {}) const;

 private:
  /// Bits of an input that take all values; the others are those of `value`.
  struct Row {
    std::uint64_t value = 0;
    std::vector<unsigned> free;
  };

  bool find_rows(const Portfolio& solvers, const Deadline& deadline);

  const Question& question_;
  std::vector<Row> rows_;  ///< by input of the graph
  unsigned bits_ = 0;
  bool is_possible_ = false;
};

}  // namespace mmaspec
