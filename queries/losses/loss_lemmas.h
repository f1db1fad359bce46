#pragma once
/// Lemmas about what a text loses, of few nodes each.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/losses/exact_numbers.h"

namespace mmaspec {

/// A statement of nodes, made of themselves or of their copies.
class View {
 public:
  View() = default;
  explicit View(Substitution& copy) : copy_(&copy) {}

  Int of(Int x) const { return copy_ == nullptr ? x : copy_->integer(x.id()); }
  Bool of(Bool x) const { return copy_ == nullptr ? x : copy_->boolean(x.id()); }
  Scaled of(const Scaled& x) const { return {of(x.significand), of(x.exponent), x.offset}; }

 private:
  Substitution* copy_ = nullptr;
};
using Stated = std::function<Bool(const View&)>;

/// An exponent that is the largest of member + offset and others.
struct LargestOf {
  NodeId exponent;
  NodeId member;
  Integer offset;
};

/// What is so of all inputs, whatever the variables of a lemma are.
struct LossFacts {
  std::vector<Stated> stated = {};
  /// Where the exponent is a variable, how far it lies above that member is the variable instead:
  /// what is shifted by the difference is shifted by that alone.
  std::optional<LargestOf> largest = {};
};

/// What lemmas of a text's losses are asked with.
class LossLemmas {
 public:
  LossLemmas(const Claimed& run, std::vector<NodeId> premises, Lemmas& lemmas)
      : run_(run), premises_(std::move(premises)), lemmas_(lemmas) {}

  Graph& graph() const { return run_.graph; }

  /// No input makes it true, with the nodes `cut` as variables, and those of free().
  bool is_excluded(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                   const LossFacts& facts = {});
  /// The same, asked of each length in bits that the sum may have, which is one of the nodes `cut`.
  bool is_excluded_by_lengths(const std::string& name, const Stated& violated,
                              const std::vector<NodeId>& cut, NodeId sum);
  /// Part of what a sum may be: all its units have one sign and, but where they are long, one
  /// length in bits.
  struct SumPart {
    Range units;
    Range exponent;
    int least_place;    ///< of the leading bit, in units; -1 of zero
    int largest_place;  ///< of the leading bit, in units
  };
  /// Parts that make up all that the sum may be. In each of them its leading bit is less than
  /// 2^bound or no less, for each bound, but where units are long.
  std::vector<SumPart> parts_of(const SumOfNumbers& sum, const std::vector<int>& bounds) const;
  /// No input for which the sum is of this part makes it true.
  bool is_excluded(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                   const SumOfNumbers& sum, const SumPart& part);
  /// What a sum is rounded to.
  struct RoundedSum {
    Scaled d;
    Bool finite;
    SumOfNumbers sum;
    std::vector<NodeId> cut;  ///< variables that d is made of, the sum among them
  };
  /// What is excluded of all finite d and sums of no more than `largest` units that are positive is
  /// excluded of those that are the opposite: d is the opposite where the sum is, and what
  /// `violated` says of d and the sum alone it says of their opposites, too.
  bool is_so_of_opposites(const Stated& violated, const RoundedSum& rounded,
                          const Integer& largest);
  /// From now on it is known of all inputs.
  void keep(Bool fact) { premises_.push_back(fact.id()); }
  /// From now on the node is a variable: a pattern on the way.
  void free(NodeId node) { free_.push_back(node); }

  SampledNodes sampled(const std::vector<NodeId>& nodes) const {
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
  bool is_excluded(const std::string& name, const Stated& violated, const std::vector<NodeId>& cut,
                   const LossFacts& facts, const std::vector<Narrowed>& narrowed);
  /// Makes the variables, and of the exponent among them one of how far it lies above the member.
  /// Throws std::logic_error where it is no such maximum.
  void free_above(const LargestOf& largest, const std::vector<NodeId>& variables,
                  Substitution& copy, std::vector<Bool>& known) const;
  bool changes_sign_with_its_sum(const RoundedSum& rounded, const Integer& largest);
  /// The nodes that are variables: those of `cut`, and those of free().
  std::vector<NodeId> variables_beside(const std::vector<NodeId>& cut) const;

  const Claimed& run_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> free_;
  Lemmas& lemmas_;
  std::map<std::pair<NodeId, NodeId>, bool> changes_sign_;  ///< by d's significand and its sum
};

}  // namespace mmaspec
