#pragma once
/// Internal equivalence points: simulation suggests pairs of equal terms of the two sides. They are
/// proved from the inputs to the outputs, each with the help of the earlier ones, and replaced by
/// each other. Kuehlmann, Krohm: Equivalence checking using cuts and heaps (DAC 1997).

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "encoder/encode.h"
#include "hardware/rtl/equivalence/arithmetic.h"
#include "hardware/rtl/equivalence/rewrite_terms.h"
#include "hardware/rtl/equivalence/simulate_terms.h"
#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

struct SweepReport {
  std::size_t terms = 0;      ///< only of the second side
  std::size_t identical = 0;  ///< became the same term as one of the first side after other
                              ///< replacements
  std::size_t proved = 0;     ///< proved equal by a solver
  std::size_t refuted = 0;    ///< a solver found an input that simulation had not
  std::size_t open = 0;       ///< not decided in time
};

class Sweep {
 public:
  /// `premise`: a Boolean under which all questions are asked; equalities are proved for inputs on
  /// which it holds. `terms` and `solvers` must outlive this object.
  Sweep(BvTerms& terms, TermId premise, const Portfolio& solvers);

  TermSimulator& simulator() { return simulator_; }

  /// A pair suggested by the user, which is tried before those from simulation, and for longer.
  void suggest(TermId first, TermId second) { suggested_.emplace(second, first); }

  /// Adds the shifters of either side.
  void add_shifts(const std::vector<Encoder::Shift>& shifts);

  /// The second root with its terms replaced by terms of the first side, as far as they are proved
  /// equal (if the premise holds) until the deadline.
  TermId run(TermId first, TermId second, const Deadline& deadline);

  /// The term of the first side to which this term of the second side was proved equal, possibly
  /// except for a constant and an extension.
  std::optional<TermId> partner(TermId second) const;
  const SweepReport& report() const { return report_; }

 private:
  enum class Outcome { equal, differs, open };
  /// How a word of the first side becomes one with the second word's width.
  struct Candidate {
    TermId first;
    bool is_signed = false;  ///< extended by its sign
    Integer plus = 0;        ///< added to it
    bool negated = false;    ///< Booleans: the complement
  };

  using Key = std::vector<Integer>;
  /// A term of the second side, rebuilt from proved terms, and its candidates.
  struct Pending {
    TermId term;
    TermId now;
    TermId made;
    TermId partner;
  };

  Key key_of(TermId term, bool is_signed);
  void remember(TermId first);
  std::vector<Candidate> candidates(TermId second);
  TermId made_of(const Candidate& candidate, unsigned width);
  bool agrees(TermId second, TermId made);
  std::vector<std::pair<TermId, TermId>> suggestions(TermId second);
  TermId differ(TermId x, TermId y);
  TermId freely_differ(TermId x, TermId y);
  void prove(const std::vector<TermId>& list, std::size_t from, std::size_t to,
             const Deadline& deadline);
  void prove_alone(TermId term, const Deadline& deadline);
  TermId now_of(TermId term);
  bool settled(TermId term, TermId now);
  Outcome compare(TermId x, TermId y, double seconds, const Deadline& deadline);
  bool holds(TermId condition);
  Answer ask(TermId assertion, bool with_premise, double seconds, const Deadline& deadline);
  std::optional<Answer> enumerate(TermId assertion, std::size_t work, const Deadline& deadline);

  BvTerms& terms_;
  const TermId premise_;
  const Portfolio& solvers_;
  TermSimulator simulator_;
  Arithmetic arithmetic_;
  std::map<Key, std::vector<std::pair<TermId, bool>>> first_by_key_;
  std::multimap<TermId, TermId> suggested_;
  std::map<TermId, TermId> partners_;
  std::multimap<TermId, TermId> low_parts_;  ///< a word of the second side -> its lowest bits
  std::set<TermId> is_first_;
  Replaced replaced_;
  std::map<TermId, Encoder::Shift> shifts_;
  std::vector<TermId> new_shifts_;  ///< that depend on the current question
  Deadline deadline_;
  /// Assertions that were enumerated.
  std::map<TermId, Answer> enumerated_;
  SweepReport report_;
  std::size_t key_samples_ = 0;  ///< keys use the samples that existed at first
};

}  // namespace mmaspec::rtl
