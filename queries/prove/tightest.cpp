#include <algorithm>
#include <stdexcept>

#include "queries/prove/cases.h"
#include "queries/prove/vacuity_of.h"

namespace mmaspec {

Tightest tightest(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers) {
  Tightest result;
  const std::vector<Rational> all = property.parameters(subject);
  if (all.empty())
    throw std::invalid_argument(property.name() + " does not have a bound that could be minimized");
  const std::string reason = property.says_nothing_because(subject);
  if (!reason.empty()) {
    result.refutation.outcome = result.proof.outcome = Outcome::not_applicable;
    result.refutation.justification = result.proof.justification = Justification::none(reason);
    return result;
  }
  const Deadline deadline = whole_of(options, solvers);
  const auto ask_at = [&](std::size_t i, const Strategies& strategies, const Portfolio& whom,
                          bool shrink) {
    Subject at = subject;
    at.parameter = all[i];
    ProveOptions o = options;
    o.strategies = strategies;
    o.shrink = shrink;
    Proof p = prove_cases(property, at, o, whom);
    const Outcome outcome = p.outcome;
    if (outcome == Outcome::refuted) {
      result.refuted = all[i];
      result.refutation = std::move(p);
    } else if (outcome == Outcome::proved || !result.proved) {
      if (outcome == Outcome::proved) result.proved = all[i];
      result.proof = std::move(p);
    }
    return outcome;
  };
  std::size_t low = 0;            // all before it are refuted
  std::size_t high = all.size();  // all from it on are proved
  bool is_derived = false;
  if (const auto error =
          derived_error(property, subject, options, solvers,
                        deadline.part(options.strategies.derive_share), result.proof)) {
    high = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), error->in_ulp) -
                                    all.begin());
    if (high < all.size()) result.proved = all[high];
    is_derived = true;
  }
  // The least parameter that an analytical proof or equal expressions show.
  for (std::size_t first = 0; first < high;) {
    const std::size_t middle = first + (high - first) / 2;
    Strategies steps = options.strategies.only({Strategy::steps});
    steps.deadline = deadline;
    if (ask_at(middle, steps, no_solvers(), false) == Outcome::proved) {
      high = middle;
    } else {
      first = middle + 1;
    }
  }
  // The largest parameter that search refutes. Only its witness is simplified.
  const auto search_at = [&](std::size_t i, bool shrink) {
    Strategies search = options.strategies;
    search.deadline = deadline;
    return ask_at(i, search, no_solvers(), shrink) == Outcome::refuted;
  };
  for (std::size_t open = high; low < open && !deadline.passed();) {
    const std::size_t middle = low + (open - low) / 2;
    if (search_at(middle, false)) {
      low = middle + 1;
    } else {
      open = middle;
    }
  }
  if (low > 0 && options.shrink) search_at(low - 1, true);
  // Solvers try the next parameter or, if it stays open, larger ones until one is proved. They are
  // not asked below a derived bound: of 200 such bounds of the catalogue, they refuted a larger
  // parameter than search did for one, and proved a smaller one for none.
  for (std::size_t step = 1; low < high && !is_derived && !deadline.passed();) {
    const std::size_t at = std::min(low + step - 1, high - 1);
    Strategies strategies = options.strategies;
    strategies.set(Strategy::search, false);
    strategies.deadline = deadline.part(step == 1 ? 1.0 / 3 : 0.5);
    const Outcome outcome = ask_at(at, strategies, solvers, options.shrink);
    if (outcome == Outcome::refuted) {
      low = at + 1;
      step = 1;
    } else if (outcome == Outcome::proved) {
      high = at;
      if (step > 1) break;  // those below it stayed open
    } else {
      if ((result.proved && !options.below_steps) || at + 1 >= high) break;
      step *= 4;
    }
  }
  if (result.proof.outcome == Outcome::proved) {
    // The assumptions do not depend on the parameter: the input that refutes one value satisfies
    // them.
    Subject at = subject;
    at.parameter = result.proved;
    result.proof.vacuity =
        result.refuted ? Vacuity::none : vacuity_of(property, at, options, deadline, solvers);
  }
  return result;
}

}  // namespace mmaspec
