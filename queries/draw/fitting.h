#pragma once
/// Rows of operands on which conditions hold: what `--where` says, moved from rejection to drawing.
///
/// From the conditions follows, for each operand, the set of patterns that it may take
/// (queries/draw/operand_sets.h); operands are drawn in their sets, or moved to the nearest member.
/// Conditions that relate operands (a[0] <= a[1], exponent(a[*]) == exponent(b[*])) are met by
/// repair: one of the operands is made of the other, in the ways that comparisons ask for. What
/// neither meets is left to rejection: a fitted row may still be one where the conditions fail.

#include <memory>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/draw/operand_sets.h"
#include "util/split_mix.h"

namespace mmaspec {

class Fitting {
 public:
  /// `formats`: of the graph's inputs, in their order; nullptr for an input that stays as it is.
  /// The graph is not needed any more afterwards.
  Fitting(const Graph& graph, const std::vector<NodeId>& conditions,
          const std::vector<const Format*>& formats, unsigned seed);

  /// The same sets, other draws.
  Fitting reseeded(unsigned seed) const;

  /// Some set says more than the format.
  bool says_something() const;
  /// No operand can satisfy what is said of it alone, whatever of the conditions' ways is taken.
  bool is_impossible() const { return ways_->empty(); }

  /// Rows drawn elsewhere, one row an input: half of the lanes are kept and put into the sets, the
  /// others are ordinary data: uniform in value, uniform in exponent, near the ends of the sets, of
  /// one binade, of one sign.
  void fill(Lanes& rows);
  /// Only puts what lies outside into the sets, and repairs.
  void put_in(Lanes& rows);

  /// The set of an input in the first way; nullptr: it has no format.
  const OperandSet* set(std::size_t input) const;
  /// What relates operands is met by repair; without such conditions put_in() can be done lane by
  /// lane, with set().
  bool has_relations() const;

 private:
  /// Makes one operand fit others.
  struct Repair {
    std::size_t target;
    std::vector<std::size_t> sources;
    std::vector<std::size_t> free_sources;  ///< which nothing else has been made of, nor fitted
    bool may_swap;                          ///< its one source is in no other relation
    std::vector<Literal> literals;
    std::shared_ptr<const BatchEvaluator> evaluator;
  };
  struct Way {
    std::vector<std::shared_ptr<const OperandSet>> sets;  ///< nullptr: no format
    std::vector<Repair> repairs;
  };
  /// What all operands of a lane have in common.
  struct Common {
    double scale;  ///< a power of two; numbers of unbounded sets are about that large
    bool scaled;   ///< numbers of bounded sets too
    int drop;      ///< binades below the largest
    bool at_top;   ///< of the ends of sets, those of largest magnitude
    int sign;      ///< 1: not negative, -1: not positive, where the set has such; 0: any
    bool sparse;   ///< half of the operands are zero where the set has it
  };
  enum class Kind { kept, mirrored, by_value, by_pattern, at_ends, one_binade, mixed };

  static std::vector<Repair> repairs_of(const Graph& graph, const std::vector<Literal>& relations);
  Common common();
  std::int64_t draw(const OperandSet& set, Kind kind, const Common& lane);
  std::int64_t by_value(const OperandSet& set, const Common& lane);
  std::int64_t one_binade(const OperandSet& set, const Common& lane);
  std::int64_t at_ends(const OperandSet& set, const Common& lane);
  void repair(const Way& way, Lanes& rows);
  void round_sources(const Way& way, const Repair& r, Lanes& rows);
  std::int64_t candidate(int attempt, const OperandSet& target, std::int64_t y,
                         const OperandSet& source, std::int64_t x);
  const Way* next_way();

  std::shared_ptr<const std::vector<Way>> ways_;
  SplitMix random_;
  std::size_t way_ = 0;
  std::size_t segment_ = 0;
  std::vector<BatchEvaluator::Scratch> scratches_;
};

}  // namespace mmaspec
