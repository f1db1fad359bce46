#include "queries/derive/derive.h"

#include <algorithm>

#include "queries/ask/budget.h"
#include "queries/ask/buildable.h"
#include "queries/derive/chain.h"
#include "queries/derive/finite.h"
#include "queries/derive/ordered_sum.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

class Derivation {
 public:
  Derivation(const Property& property, int which, Lemmas& lemmas)
      : property_(property), which_(which), lemmas_(lemmas) {}

  /// True if the statement holds for the term graph.
  bool holds(const TermGraph& text) {
    const bool in_c =
        text.c() && property_.inputs() == InputClass::finite && differs_in_c_alone(text);
    return in_c ? is_ordered_in_c(text) : part_is_ordered(text, false);
  }

 private:
  /// True if the property's executions have the same operands except for c.
  bool differs_in_c_alone(const TermGraph& text) const {
    const SelfComposition runs(property_, which_, text);
    const auto& inputs = text.graph->inputs();
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](NodeId i) { return i == *text.c() || !runs.varies(i); });
  }

  /// The next larger c does not give a smaller d.
  ///
  /// For a chain of parts: the first part maps c and the next larger c' to p <= p'. If both are
  /// finite, a later part keeps the order of the steps between the numbers from p to p', and none
  /// of them gives a NaN if p does not. If p' is infinite, the result is that infinity or a NaN,
  /// and so it is for p. A NaN gives a NaN, which the statement excludes.
  bool is_ordered_in_c(const TermGraph& text) {
    NodeId from = *text.c();
    const Format* format = text.formats.c;
    std::vector<NodeId> stations = patterns_between(text, lemmas_);
    stations.push_back(text.d);
    for (const NodeId to : stations) {
      const bool later = from != *text.c();
      const auto part = part_of(text, from, to, *format);
      if (!part || !part->c()) return false;
      if (later && !keeps_ends(*part, lemmas_)) return false;
      if (!part_is_ordered(*part, later)) return false;
      from = to;
      format = text.formats.d;
    }
    return true;
  }

  /// For finite operands; with `nans_alike`, also for NaNs.
  bool part_is_ordered(const TermGraph& part, bool nans_alike) {
    const TermGraph finite = within_class(part, property_.inputs(), lemmas_);
    SelfComposition runs(property_, which_, finite);
    const Graph::Building building(runs.graph());
    return lemmas_.is_unsat("the operands of both evaluations are patterns", runs.graph(),
                            {runs.has_operand_out_of_domain().id()}, runs.operand_premises(), {},
                            budget::kNodeLemma) &&
           (derive_by_sum(runs, nans_alike, lemmas_) || derive_as_whole(runs, nans_alike, lemmas_));
  }

  const Property& property_;
  const int which_;
  Lemmas& lemmas_;
};

}  // namespace

std::optional<std::string> derive(const Property& property, const Subject& subject, int which,
                                  const Portfolio& solvers, const Deadline& deadline,
                                  std::vector<AttemptReport>& attempts) {
  if (property.derivable() != Derivable::order || subject.form != Form::reduced ||
      solvers.backends().empty()) {
    return std::nullopt;
  }
  Lemmas lemmas(solvers, deadline, attempts);
  Derivation derivation(property, which, lemmas);
  // Part of the term graph may not accept other operands than those for which it was built.
  const Built<bool> holds = build_if_possible(
      [&] { return derivation.holds(text_of(subject.first.algorithm, subject.formats())); });
  if (!holds.value.value_or(false)) return std::nullopt;
  return std::to_string(lemmas.asked()) + " lemmas about nodes of two runs";
}

}  // namespace mmaspec
