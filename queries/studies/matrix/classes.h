#pragma once
/// Which designs of one frame are equal, from what was proved, and what is still to be asked.
///
/// Equality of results as values on all inputs of a frame is an equivalence; so is nothing else
/// here: what is undecided says nothing of others, and a witness speaks of the classes of its two.

#include <map>
#include <vector>

#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// Sets of designs, by number; a design that nobody united with another is one of its own.
class DesignSets {
 public:
  /// The set's least design.
  std::size_t root(std::size_t design) const;
  void unite(std::size_t x, std::size_t y);
  bool has(const DesignPair& pair) const { return root(pair.first) == root(pair.second); }
  /// A third design of the pair's set, the root if it is none of the two; the root if there is no
  /// third.
  std::size_t third(const DesignPair& pair) const;

 private:
  std::map<std::size_t, std::size_t> parent_;
};

class Classes {
 public:
  /// `same`: designs that are one expression; `open`: pairs of which nothing is known; `rows`: what
  /// the unit's trial says of all others. All of one frame.
  /// `without_arguments`: where designs are equal by an argument, others of their class are asked,
  /// by way of which they may be so by proofs alone.
  Classes(const std::vector<DesignPair>& same, const std::vector<DesignPair>& open,
          std::map<DesignPair, PairRow> rows, bool without_arguments = false);

  /// The pairs whose answers are needed now, none of which another one's answer could give: of each
  /// set of designs that nothing parts the first one with all others; and once these are answered,
  /// of each class that an argument holds together one pair. Follows from the answers alone, in
  /// whatever order they came.
  const std::vector<DesignPair>& to_ask() const { return to_ask_; }

  /// Throws Contradiction if the two are equal and differ.
  void take(const DesignPair& pair, const PairRow& row);

  struct Known {
    PairVerdict verdict;
    DesignPair from;  ///< differ, undecided: the pair of which it is known; equal: `first` is a
                      ///< third design of their class, or the pair's own
    bool by_argument = false;  ///< equal: it does not follow from proofs by others alone
  };
  /// Once nothing is to be asked.
  Known known(const DesignPair& pair) const;
  const PairRow& answer(const DesignPair& pair) const { return rows_.at(pair); }

 private:
  void unite(const DesignPair& pair, const PairRow& row);
  void choose();
  void choose_without_arguments();
  /// Of two classes, by their roots: the first row that says they differ, else that nobody knows.
  const std::pair<const DesignPair, PairRow>* between(std::size_t x, std::size_t y) const;

  DesignSets equal_;
  DesignSets unargued_;  ///< by what no argument stands behind
  const bool without_arguments_;
  std::vector<DesignPair> open_;
  std::map<DesignPair, PairRow> rows_;
  std::vector<DesignPair> to_ask_;
};

}  // namespace mmaspec
