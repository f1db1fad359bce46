#include "queries/prove/vacuity_of.h"

#include <new>

#include "queries/ask/budget.h"
#include "queries/ask/search.h"
#include "queries/prove/property_case.h"
#include "spec/lang/bounds.h"

namespace mmaspec {

Vacuity vacuity_of(const Property& property, const Subject& subject, const ProveOptions& options,
                   const Deadline& deadline, const Portfolio& solvers) {
  Subject whole = subject;
  if (options.where && property.under_condition().reduces) whole.form = Form::whole;
  // The assumptions of properties are seldom unsatisfiable, so a short search suffices for them.
  const Deadline soon =
      options.where ? deadline : earlier(deadline, Deadline::in(budget::kPremises));
  const Portfolio nobody = no_solvers();
  const auto asked = [&](const Question& question) {
    return is_satisfiable(question, options.strategies.seed, soon,
                          options.where ? solvers : nobody);
  };
  const Vacuity unknown = options.where ? Vacuity::unknown : Vacuity::none;
  try {
    const BuildBy bound(deadline);
    bool excluded = true;
    for (int i = 0; i < property.cases(whole); ++i) {
      PropertyCase c(property, whole, options, i);
      if (c.presumes_nothing()) return Vacuity::none;
      const Verdict verdict = asked(c.premises());
      if (verdict == Verdict::satisfiable) return Vacuity::none;
      excluded = excluded && verdict == Verdict::unsatisfiable;
    }
    if (!excluded) return unknown;
    PropertyCase c(property, whole, options, 0);
    const bool by_condition = options.where && asked(c.condition()) == Verdict::unsatisfiable;
    return by_condition ? Vacuity::no_such_input : Vacuity::premises_exclude;
  } catch (const OutOfTime&) {
    return unknown;
  } catch (const TooLarge&) {
    return unknown;
  } catch (const std::bad_alloc&) {
    return unknown;
  }
}

}  // namespace mmaspec
