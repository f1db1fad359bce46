#pragma once
/// Search for witnesses by trying candidates: no proof, but most questions end here.

#include <optional>
#include <string>

#include "concrete/exact.h"
#include "queries/question.h"

namespace mmaspec {

/// Nodes that the search before the solvers evaluates: about a quarter of a second. The work is
/// bounded, not the time, so that runs repeat.
constexpr std::size_t kSearchWork = 4'000'000;

/// Tries candidates of a question, one seed's after the other.
class Search {
 public:
  /// `question` must outlive this object.
  Search(const Question& question, unsigned seed);

  /// Evaluates about `work` nodes; the first candidate on which all conditions hold.
  std::optional<InputValues> run(std::size_t work);

  /// What is to be said of a search that found nothing.
  std::string outcome() const { return "none among " + std::to_string(tried_) + " inputs"; }

  Answer answer(const InputValues& found) const;

 private:
  bool holds(const InputValues& candidate);

  const Question& question_;
  Candidates draw_;
  ExactEvaluator evaluator_;
  ExactEvaluator::Values values_;
  std::size_t tried_ = 0;
};

}  // namespace mmaspec
