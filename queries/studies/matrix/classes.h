#pragma once
/// Equivalence classes of the designs of one frame, from the proofs so far, and the pairs that
/// remain to be asked.
///
/// Equality of results as values on all inputs of a frame is an equivalence relation. Nothing else
/// is: an undecided pair does not determine any other pair, and a witness separates the classes of
/// its two designs.

#include <map>
#include <vector>

#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// Disjoint sets of designs, by number. Each design starts as a set with one member.
class DesignSets {
 public:
  /// The smallest member of the set.
  std::size_t root(std::size_t design) const;
  void unite(std::size_t x, std::size_t y);
  bool has(const DesignPair& pair) const { return root(pair.first) == root(pair.second); }
  /// A member of the pair's set other than the two, preferably the root; the root if there is no
  /// other.
  std::size_t third(const DesignPair& pair) const;

 private:
  std::map<std::size_t, std::size_t> parent_;
};

class Classes {
 public:
  /// `same`: designs that are the same expression. `open`: undecided pairs. `rows`: what the unit's
  /// trial decided for all other pairs. All belong to one frame. `without_arguments`: if designs
  /// are equal by an analytical proof, asks further pairs of their class that may connect them by
  /// other proofs.
  Classes(const std::vector<DesignPair>& same, const std::vector<DesignPair>& open,
          std::map<DesignPair, PairRow> rows, bool without_arguments = false);

  /// The pairs to ask next, none of whose answers follows from another: in each set of designs that
  /// are not known to differ, the first with all others; then, for each class that depends on an
  /// analytical proof, one pair. It depends only on the answers, not on their order.
  const std::vector<DesignPair>& to_ask() const { return to_ask_; }

  /// Throws Contradiction if the two designs are known to be both equal and different.
  void take(const DesignPair& pair, const PairRow& row);

  struct Known {
    PairVerdict verdict;
    DesignPair from;  ///< differ, undecided: the pair from which it is known; equal: `first` is a
                      ///< third design of their class, or the pair's own
    bool by_argument = false;  ///< equal: it does not follow from other kinds of proofs alone
  };
  /// Call it when to_ask() is empty.
  Known known(const DesignPair& pair) const;
  const PairRow& answer(const DesignPair& pair) const { return rows_.at(pair); }

 private:
  void unite(const DesignPair& pair, const PairRow& row);
  void choose();
  void choose_without_arguments();
  /// For two classes, given by their roots: the first row that says they differ, otherwise an
  /// undecided one.
  const std::pair<const DesignPair, PairRow>* between(std::size_t x, std::size_t y) const;

  DesignSets equal_;
  DesignSets unargued_;  ///< sets without analytical proofs
  const bool without_arguments_;
  std::vector<DesignPair> open_;
  std::map<DesignPair, PairRow> rows_;
  std::vector<DesignPair> to_ask_;
};

}  // namespace mmaspec
