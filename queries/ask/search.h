#pragma once
/// Search for witnesses by trying candidates: no proof, but most questions end here.

#include <optional>
#include <string>

#include "queries/ask/question.h"

namespace mmaspec {

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
  std::string outcome() const { return "none among " + std::to_string(tried_) + " inputs"; }

  Answer answer(const InputValues& found) const;

 private:
  static constexpr std::size_t kLanes = 4 * BatchEvaluator::kBlock;

  const Question& question_;
  Candidates draw_;
  BatchEvaluator evaluator_;
  BatchEvaluator::Scratch scratch_;
  Lanes inputs_;
  Lanes holds_;
  std::size_t tried_ = 0;
};

/// True if a question has so few inputs that all can be tried.
bool can_enumerate(const Question& question);

/// Tries all inputs of such a question: a witness, or a proof that there is none.
Answer enumerate(const Question& question);

}  // namespace mmaspec
