#pragma once
/// The designs of a space that explain all answers so far.
///
/// They are kept as products: of a family, each set of axes that answers have tied together has its
/// tuples, and any choice of one tuple of each set is a design that fits. For one input the graph
/// of a family at its operands, its parameters symbolic, is small, and holds no parameter that the
/// result does not depend on there: so an answer joins the axes that matter for it and no others.

#include <cstdint>
#include <vector>

#include "concrete/dot/model.h"
#include "identify/space/space.h"
#include "util/deadline.h"
#include "util/split_mix.h"

namespace mmaspec {

/// A question that was put to a unit, and what it said.
struct Answered {
  DotValues values;
  Integer d;
};

/// Results of identification compare as patterns, but any NaN is equal to any NaN.
bool same_answer(const Format& format, const Integer& x, const Integer& y);

/// Whether patterns of a format, as machine integers, are NaNs.
class NanTest {
 public:
  explicit NanTest(const Format& format);
  bool operator()(std::uint64_t pattern) const {
    return (pattern & magnitude_) >= least_ && (pattern & magnitude_) <= most_;
  }

 private:
  std::uint64_t magnitude_;  ///< the bits that decide
  std::uint64_t least_;
  std::uint64_t most_;
};

/// Tuples of values of some axes of a family.
struct AxisTuples {
  std::vector<std::size_t> axes;   ///< ascending
  std::vector<std::int16_t> flat;  ///< tuple after tuple

  std::size_t size() const { return axes.empty() ? 1 : flat.size() / axes.size(); }
  const std::int16_t* operator[](std::size_t tuple) const {
    return flat.data() + tuple * axes.size();
  }
};

/// The survivors of one family: the product of its components.
struct FamilySurvivors {
  std::size_t family;  ///< its number in the space
  std::vector<AxisTuples> components;
  std::vector<std::size_t> pending;  ///< answers that tie too many axes together to be used yet

  double size() const;
};

class Survivors {
 public:
  /// Tuples of one family that an answer may tie together.
  static constexpr double kMost = 1.5e6;

  /// All designs of the space, which must outlive this object.
  explicit Survivors(const Space& space);

  /// Leaves out the designs that say otherwise. Where an answer would tie more than `most` tuples
  /// together, it is put off until there are fewer: the survivors are then more than fit. Throws
  /// OutOfTime.
  void take(const Answered& answer, const Deadline& deadline, int jobs);

  const Space& space() const { return *space_; }
  const std::vector<FamilySurvivors>& families() const { return families_; }
  const std::vector<Answered>& answers() const { return answers_; }
  double size() const;
  bool empty() const { return families_.empty(); }
  /// Some answer has been put off.
  bool has_pending() const;
  /// What it would cost to take an answer to this question: tuples tied together.
  double cost(const DotValues& values) const;

  /// The first design, and one drawn.
  struct Point {
    std::size_t family;  ///< its number in the space
    std::vector<int> values;
  };
  Point first(const FamilySurvivors& of) const;
  Point draw(const FamilySurvivors& of, SplitMix& random) const;
  bool holds(const Space::Place& place) const;
  Algorithm design(const Point& point) const {
    return space_->families()[point.family].design(point.values);
  }

  /// The axes of a family's survivors with the values that each still takes.
  std::vector<Axis> axes_of(const FamilySurvivors& of) const;

 private:
  struct Piece;

  static constexpr double kSplit = 3e4;        ///< tuples from which on a piece is split
  static constexpr std::size_t kPieces = 300;  ///< of one answer

  void split(const FamilySurvivors& of, const DotValues& values, Piece piece,
             std::vector<Piece>& pieces) const;
  bool use(FamilySurvivors& of, std::size_t answer, const Deadline& deadline) const;
  bool take_all(FamilySurvivors& of, std::size_t answer, const Deadline& deadline) const;

  const Space* space_;
  std::vector<FamilySurvivors> families_;
  std::vector<Answered> answers_;
};

}  // namespace mmaspec
