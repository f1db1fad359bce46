#pragma once
/// The lemmas of a derivation. Each is a statement about a graph's inputs that solvers must prove.
/// Lemmas that are equal up to variable names are asked once (KnownVerdicts).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "solver/ask.h"

namespace mmaspec {

/// A proved lemma about nodes of one graph, as a step for the proof kernel: the premises exclude
/// that all of `refuted` hold. The record is not trusted; the kernel proves the step again.
struct LemmaRecord {
  std::vector<NodeId> refuted;   ///< Booleans; if there is one, the record shows its negation
  std::vector<NodeId> premises;  ///< assumed Booleans, used if they depend on the same inputs
  std::vector<NodeId> free;      ///< nodes of which only the range and the facts are used
  std::vector<NodeId> facts;     ///< Booleans of which earlier records refute the negation
  /// A node that equals a later-built expression by a fact, and the expression.
  struct Rewrite {
    NodeId node;
    NodeId by;
    NodeId fact;
  };
  std::vector<Rewrite> rewrites;
  std::vector<NodeId> conditions = {};  ///< assumed Booleans that are always used
};

class Lemmas {
 public:
  /// Reports of all attempts are added to `attempts`.
  Lemmas(const Portfolio& solvers, const Deadline& deadline, std::vector<AttemptReport>& attempts)
      : solvers_(solvers), deadline_(deadline), attempts_(attempts) {}

  /// True if a solver proves that the conditions, Booleans of the graph, are unsatisfiable in a
  /// copy in which `cut` replaced some nodes by variables, free or limited by proved facts. The
  /// assumptions are `premises` (those of the whole derivation) and the facts that the cut adds, as
  /// far as they concern the same inputs.
  bool is_unsat(const std::string& name, const Graph& graph, const std::vector<NodeId>& conditions,
                const std::vector<NodeId>& premises, const Change& cut, double seconds);

  /// Conditions built in a copy from copies of nodes.
  using Stated = std::function<std::vector<Bool>(Substitution& copy)>;
  /// The same for conditions that are built in the copy. There the nodes that `cut` replaced are
  /// variables, not sums.
  bool excluded_as_stated(const std::string& name, const Graph& graph, const Stated& conditions,
                          const std::vector<NodeId>& premises, const Change& cut, double seconds);

  /// The same for all values that the cut allows for its variables, reachable or not. Nothing else
  /// is assumed. False if the copy would need more inputs.
  bool excluded_of_all(const std::string& name, const Graph& graph, NodeId condition,
                       const Change& cut, double seconds);

  /// Keeps a record of a lemma. The statement's own record is the last.
  void record(LemmaRecord record) { records_.push_back(std::move(record)); }
  const std::vector<LemmaRecord>& records() const { return records_; }

  const Deadline& deadline() const { return deadline_; }

  /// Number of formulas asked, in this process or before.
  std::size_t asked() const { return asked_.size(); }

 private:
  bool is_unsat(const std::string& name, const Graph& graph, const Stated& conditions,
                const std::vector<NodeId>& premises, const Change& cut, bool of_all,
                double seconds);
  /// If sums use some terms only together, first asks the stronger statement in which those terms
  /// are one variable.
  bool ask_merged(const std::string& name, const Graph& graph,
                  const std::vector<NodeId>& conditions, double seconds);
  bool does_not_apply(const std::string& name, const std::string& why);
  bool ask(const std::string& name, const Graph& graph, const std::vector<NodeId>& conditions,
           double seconds);

  const Portfolio& solvers_;
  const Deadline deadline_;
  std::vector<AttemptReport>& attempts_;
  std::set<std::string> asked_;  ///< the texts of the formulas
  std::vector<LemmaRecord> records_;
};

}  // namespace mmaspec
