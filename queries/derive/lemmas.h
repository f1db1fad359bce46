#pragma once
/// The lemmas of a derivation. Each is a statement about a graph's inputs, and each is asked of
/// solvers: none is taken for granted. Lemmas that are one formula but for the names of its
/// variables are asked once (KnownVerdicts).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "solver/ask.h"

namespace mmaspec {

class Lemmas {
 public:
  /// Reports of what is asked are added to `attempts`.
  Lemmas(const Portfolio& solvers, const Deadline& deadline, std::vector<AttemptReport>& attempts)
      : solvers_(solvers), deadline_(deadline), attempts_(attempts) {}

  /// True if a solver says that the conditions, Booleans of the graph, hold of no input together:
  /// in a copy in which `cut` made some nodes free, or bound by what was proved of them. Of what
  /// holds besides (`premises`, of all that the derivation speaks of, and what the cut says), that
  /// is assumed which speaks of no other inputs.
  bool excluded(const std::string& name, const Graph& graph, const std::vector<NodeId>& conditions,
                const std::vector<NodeId>& premises, const Change& cut, double seconds);

  /// Conditions made in a copy, of copies of nodes.
  using Stated = std::function<std::vector<Bool>(Substitution& copy)>;
  /// The same of conditions that are made in the copy: there the nodes that `cut` made variables
  /// are no sums any more.
  bool excluded_as_stated(const std::string& name, const Graph& graph, const Stated& conditions,
                          const std::vector<NodeId>& premises, const Change& cut, double seconds);

  /// The same of all values that the variables of the cut can have by what it says of them, whether
  /// or not some input makes them so: nothing else is assumed. False where the copy would need
  /// more.
  bool excluded_of_all(const std::string& name, const Graph& graph, NodeId condition,
                       const Change& cut, double seconds);

  const Deadline& deadline() const { return deadline_; }

  /// How many formulas were asked, here or before.
  std::size_t asked() const { return asked_.size(); }

 private:
  bool excluded(const std::string& name, const Graph& graph, const Stated& conditions,
                const std::vector<NodeId>& premises, const Change& cut, bool of_all,
                double seconds);
  /// Where sums use terms only together: of any sum of these, which is more than is needed.
  bool ask_merged(const std::string& name, const Graph& graph,
                  const std::vector<NodeId>& conditions, double seconds);
  bool does_not_apply(const std::string& name, const std::string& why);
  bool ask(const std::string& name, const Graph& graph, const std::vector<NodeId>& conditions,
           double seconds);

  const Portfolio& solvers_;
  const Deadline deadline_;
  std::vector<AttemptReport>& attempts_;
  std::set<std::string> asked_;  ///< by the formula's text
};

}  // namespace mmaspec
