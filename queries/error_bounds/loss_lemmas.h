#pragma once
/// Lemmas about what a term graph loses by cuts and rounding. Each concerns few nodes.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/error_bounds/exact_numbers.h"

namespace mmaspec {

/// Builds a statement from nodes themselves, or from their copies.
class View {
 public:
  View() = default;
  explicit View(Substitution& copy) : copy_(&copy) {}

  Int of(Int x) const { return copy_ == nullptr ? x : copy_->integer(x.id()); }
  Bool of(Bool x) const { return copy_ == nullptr ? x : copy_->boolean(x.id()); }
  BinaryRational of(const BinaryRational& x) const {
    return {of(x.significand), of(x.exponent), x.offset};
  }

 private:
  Substitution* copy_ = nullptr;
};
using Stated = std::function<Bool(const View&)>;

/// An exponent that is the maximum of member + offset and other members.
struct LargestOf {
  NodeId exponent;
  NodeId member;
  Integer offset;
};

/// Facts that hold for all inputs, whatever the variables of a lemma are.
struct LossFacts {
  std::vector<Stated> stated = {};
  /// If the exponent is a variable, its distance above this member becomes the variable instead, so
  /// that a shift by the difference is a shift by that variable.
  std::optional<LargestOf> largest = {};
};

/// Context of the lemmas about a term graph's losses.
class LossLemmas {
 public:
  LossLemmas(const DerivationGoal& run, std::vector<NodeId> premises, Lemmas& lemmas)
      : run_(run), premises_(std::move(premises)), lemmas_(lemmas) {}

  Graph& graph() const { return run_.graph; }

  /// True if `violated` is proved unsatisfiable, with the nodes `cut` and those of free() as
  /// variables.
  bool is_unsat(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                const LossFacts& facts = {});
  /// The same, split by the leading bit of the sum, which must be one of the nodes `cut`.
  bool is_excluded_by_lengths(const std::string& name, const Stated& violated,
                              const std::vector<NodeId>& cut, NodeId sum);
  /// Part of the range of a sum: all its units have the same sign and, except for long ones, the
  /// same length in bits.
  struct SumPart {
    Range units;
    Range exponent;
    int least_place;    ///< position of the leading bit, in units; -1 if zero
    int largest_place;  ///< position of the leading bit, in units
  };
  /// Parts that cover the whole range of the sum. In each part the leading bit is either always
  /// less than 2^bound or never, for each bound, except for long units.
  std::vector<SumPart> parts_of(const ScaledSum& sum, const std::vector<int>& bounds) const;
  /// True if `violated` is proved unsatisfiable for sums of this part.
  bool is_unsat(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                const ScaledSum& sum, const SumPart& part);
  /// A sum and the number to which it is rounded.
  struct RoundedSum {
    BinaryRational d;
    Bool finite;
    ScaledSum sum;
    std::vector<NodeId> cut;  ///< the variables on which d depends, including the sum
  };
  /// Negation symmetry: true if it is enough to prove `violated` unsatisfiable for positive sums,
  /// of at most `largest` units, to cover the negative ones. Requires that negating the sum negates
  /// d, and that `violated` holds for d and the sum if and only if it holds for their negatives.
  bool is_so_of_opposites(const Stated& violated, const RoundedSum& rounded,
                          const Integer& largest);
  /// Adds a fact that holds for all inputs.
  void keep(Bool fact) { premises_.push_back(fact.id()); }
  /// Makes the node, an intermediate pattern, a variable in all further lemmas.
  void free(NodeId node) { free_.push_back(node); }

  SimulationSignatures sampled(const std::vector<NodeId>& nodes) const {
    return {run_.graph, nodes, run_.samples};
  }
  Samples samples() const {
    return [this](const std::vector<NodeId>& nodes) { return sampled(nodes); };
  }

 private:
  struct Narrowed {
    NodeId node;
    Range range;
  };
  bool is_unsat(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                const LossFacts& facts, const std::vector<Narrowed>& narrowed);
  /// Creates the variables; an exponent among them is represented by its distance above the member.
  /// Throws std::logic_error if it is not such a maximum.
  void free_above(const LargestOf& largest, const std::vector<NodeId>& variables,
                  Substitution& copy, std::vector<Bool>& known) const;
  bool changes_sign_with_its_sum(const RoundedSum& rounded, const Integer& largest);
  /// The nodes that are variables: `cut` and those of free().
  std::vector<NodeId> variables_beside(const std::vector<NodeId>& cut) const;

  const DerivationGoal& run_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> free_;
  Lemmas& lemmas_;
  std::map<std::pair<NodeId, NodeId>, bool> changes_sign_;  ///< key: d's significand and its sum
};

}  // namespace mmaspec
