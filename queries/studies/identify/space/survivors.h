#pragma once
/// The designs of a space that explain all answers so far.
///
/// They are kept as boxes: runs of values, one an axis of a family, that all fit. For one input the
/// graph of a family at its operands, its parameters symbolic, is small; interval arithmetic on it
/// says of a box that all of it gives the answer, or none, or else which axes it still depends on,
/// and the box is cut in two along one of them. So an answer cuts along the axes that matter for it
/// and no others, and a parameter that matters where another one has some value cuts only there.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "concrete/dot/model.h"
#include "queries/studies/identify/space/family_at_input.h"
#include "util/deadline.h"
#include "util/split_mix.h"

namespace mmaspec {

/// A question that was put to a unit, and what it said.
struct Answered {
  DotValues values;
  Integer d;
};

/// Designs of a family: for each axis the places of a run of its values, first and last.
struct Box {
  Runs runs;
  std::vector<std::uint32_t> open;  ///< answers of which it is not known that all of it gives them

  double size() const;
};

/// The survivors of one family: disjoint boxes.
struct FamilySurvivors {
  std::size_t family;  ///< its number in the space
  std::vector<Box> boxes;
  /// Of answers that are open, by their number. Evaluation changes them: for one thread at a time.
  std::map<std::uint32_t, std::shared_ptr<FamilyAtInput>> open;

  double size() const;
};

class Survivors {
 public:
  /// All designs of the space, which must outlive this object.
  explicit Survivors(const Space& space);

  /// Leaves out the designs that say otherwise. What takes more than `patience` (1: some seconds at
  /// most) leaves answers open, which are gone on with when the next ones are taken: the survivors
  /// are then more than fit. Throws OutOfTime.
  void take(const std::vector<Answered>& answers, const Deadline& deadline, int jobs,
            double patience = 1);

  const Space& space() const { return *space_; }
  const std::vector<FamilySurvivors>& families() const { return families_; }
  const std::vector<Answered>& answers() const { return answers_; }
  double size() const;
  bool empty() const { return families_.empty(); }
  /// Some answer is open: not all survivors are known to fit.
  bool has_pending() const;

  /// A design of a family.
  struct Point {
    std::size_t family;  ///< its number in the space
    std::vector<int> values;
  };
  /// One that fits all answers; where some are open it may be none.
  Point first(const FamilySurvivors& of) const;
  Point draw(const FamilySurvivors& of, SplitMix& random) const;
  /// All of a family that has few.
  std::vector<Point> all(const FamilySurvivors& of) const;
  bool holds(const Space::Place& place) const;
  Algorithm design(const Point& point) const {
    return space_->families()[point.family].design(point.values);
  }

  /// The axes of a family's survivors with the values that each still takes.
  std::vector<Axis> axes_of(const FamilySurvivors& of) const;

 private:
  void refine(FamilySurvivors& of, const std::vector<std::uint32_t>& answers, double patience,
              const Deadline& deadline) const;
  bool fits(const FamilySurvivors& of, const Box& box,
            const std::vector<std::int16_t>& places) const;
  Point at(const FamilySurvivors& of, const std::vector<std::int16_t>& places) const;

  const Space* space_;
  std::vector<FamilySurvivors> families_;
  std::vector<Answered> answers_;
};

}  // namespace mmaspec
