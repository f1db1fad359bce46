#include "queries/studies/identify/conflict.h"

#include <algorithm>

#include "concrete/dot/runner.h"

namespace mmaspec {
namespace {

constexpr std::size_t kKept = 64;  // number of prefixes whose survivors are kept

/// Caches the survivors of prefixes of a list of answers.
class Beginnings {
 public:
  Beginnings(const Space& space, const std::vector<Answered>& answers, int jobs,
             const Deadline& deadline)
      : answers_(answers),
        step_((answers.size() + kKept - 1) / kKept),
        jobs_(jobs),
        deadline_(deadline),
        kept_{VersionSpace(space)} {
    for (std::size_t i = 0; i < answers.size() && !kept_.back().empty(); i += step_) {
      VersionSpace next = kept_.back();
      next.take(part(i, i + step_), deadline, jobs);
      kept_.push_back(std::move(next));
    }
  }

  /// The survivors of the first `count` answers and of others.
  VersionSpace survivors(std::size_t count, const std::vector<Answered>& others) const {
    const std::size_t kept = std::min(step_ == 0 ? 0 : count / step_, kept_.size() - 1);
    VersionSpace left = kept_[kept];
    std::vector<Answered> rest = part(kept * step_, count);
    rest.insert(rest.end(), others.begin(), others.end());
    if (!left.empty() && !rest.empty()) left.take(rest, deadline_, jobs_);
    return left;
  }

  /// The least count, at most `most`, for which no design survives.
  std::optional<std::size_t> end(std::size_t most, const std::vector<Answered>& others) const {
    if (!survivors(most, others).empty()) return std::nullopt;
    std::size_t none = most;  // no design survives at `none`, and some do before `some`
    for (std::size_t some = 0; some < none;) {
      const std::size_t middle = some + (none - some) / 2;
      if (survivors(middle, others).empty()) {
        none = middle;
      } else {
        some = middle + 1;
      }
    }
    return none;
  }

 private:
  std::vector<Answered> part(std::size_t first, std::size_t last) const {
    const auto at = [&](std::size_t i) {
      return answers_.begin() + static_cast<std::ptrdiff_t>(std::min(i, answers_.size()));
    };
    return {at(first), at(std::max(first, last))};
  }

  const std::vector<Answered>& answers_;
  std::size_t step_;
  int jobs_;
  const Deadline& deadline_;
  std::vector<VersionSpace> kept_;
};

/// A single answer that conflicts, if `design` explains most answers.
std::optional<Answered> alone(const Space& space, const std::vector<Answered>& answers,
                              const Algorithm& design, int jobs, const Deadline& deadline) {
  DotRunner runner(design, space.formats());
  for (const Answered& a : answers) {
    if (same_answer(*space.formats().d, runner.run(a.values), a.d)) continue;
    VersionSpace survivors(space);
    survivors.take({a}, deadline, jobs);
    if (survivors.empty()) return a;
  }
  return std::nullopt;
}

}  // namespace

Conflict smallest_conflict(const Space& space, const std::vector<Answered>& answers, int jobs,
                           const Deadline& deadline) {
  Conflict conflict;
  conflict.answers = answers;
  // Junker's algorithm without its bisection: the answer at which no design survives belongs to the
  // conflict; later answers do not.
  std::vector<Answered> fixed;
  try {
    const Beginnings beginnings(space, answers, jobs, deadline);
    std::size_t others = answers.size();
    std::size_t all_end = 0;  // the count at which no design survives all answers in order
    for (;;) {
      const auto end = beginnings.end(others, fixed);
      if (!end) return conflict;  // open answers hide the conflict
      if (*end == 0) break;
      if (fixed.empty()) all_end = *end;
      fixed.push_back(answers[*end - 1]);
      others = *end - 1;
      conflict.answers = fixed;
      conflict.answers.insert(conflict.answers.end(), answers.begin(),
                              answers.begin() + static_cast<std::ptrdiff_t>(others));
    }
    conflict.answers = fixed;
    conflict.irreducible = true;
    if (fixed.size() == 1) conflict.smallest = true;
    if (fixed.size() != 2) return conflict;
    // Two answers are minimal if no single answer conflicts.
    const VersionSpace explain = beginnings.survivors(all_end - 1, {});
    const Algorithm design = explain.design(explain.first(explain.families().front()));
    if (const auto one = alone(space, answers, design, jobs, deadline)) conflict.answers = {*one};
    conflict.smallest = true;
  } catch (const OutOfTime&) {
  }
  return conflict;
}

}  // namespace mmaspec
