#pragma once
/// Draws operands that satisfy conditions such as `--where`, instead of rejecting those that do
/// not.
///
/// The conditions determine, for each operand, the set of patterns that it may take
/// (queries/draw/operand_sets.h). Operands are drawn in their sets, or moved to the nearest member.
/// Conditions that relate operands (a[0] <= a[1], exponent(a[*]) == exponent(b[*])) are satisfied
/// by repair: one operand is computed from the other as the comparison requires. All other
/// conditions are left to rejection: they may still fail for a fitted row.

#include <memory>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/draw/operand_sets.h"
#include "util/split_mix.h"

namespace mmaspec {

class Fitting {
 public:
  /// `formats`: those of the graph's inputs, in their order; nullptr for an input that must not
  /// change. The graph may be destroyed afterwards.
  Fitting(const Graph& graph, const std::vector<NodeId>& conditions,
          const std::vector<const Format*>& formats, unsigned seed);

  /// The same sets with another sequence of draws.
  Fitting reseeded(unsigned seed) const;

  /// True if some set is smaller than its format.
  bool says_something() const;
  /// True if the conditions on single operands are unsatisfiable in every case (see
  /// ways_to_satisfy()).
  bool is_impossible() const { return ways_->empty(); }

  /// `rows` hold operands drawn elsewhere, one row for each input. Half of the lanes are kept and
  /// moved into the sets. The others become ordinary data: uniform in value, uniform in exponent,
  /// near the ends of the sets, of one binade, of one sign.
  void fill(Lanes& rows);
  /// Only moves operands that are outside their sets into them, and repairs.
  void put_in(Lanes& rows);

  /// The set of an input in the first case; nullptr: it has no format.
  const OperandSet* set(std::size_t input) const;
  /// True if some conditions relate operands and need repair. If false, put_in() can be done lane
  /// by lane, with set().
  bool has_relations() const;

 private:
  /// Changes one operand so that it satisfies relations to others.
  struct Repair {
    std::size_t target;
    std::vector<std::size_t> sources;
    std::vector<std::size_t> free_sources;  ///< sources that no repair has computed, used or moved
    bool may_swap;                          ///< its only source is in no other relation
    std::vector<Literal> literals;
    std::shared_ptr<const BatchEvaluator> evaluator;
  };
  struct Way {
    std::vector<std::shared_ptr<const OperandSet>> sets;  ///< nullptr: no format
    std::vector<Repair> repairs;
  };
  /// Properties that all operands of a lane share.
  struct Common {
    double scale;  ///< a power of two; the approximate magnitude of numbers of unbounded sets
    bool scaled;   ///< also applies to bounded sets
    int drop;      ///< binades below the largest
    bool at_top;   ///< use the ends of sets that have the largest magnitude
    int sign;      ///< 1: not negative, -1: not positive, where the set has such members; 0: any
    bool sparse;   ///< half of the operands are zero where the set contains zero
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
