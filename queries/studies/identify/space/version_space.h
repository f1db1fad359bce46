#pragma once
/// The designs of a space that explain all answers so far (a version space).
///
/// They are stored as boxes: an interval of values for each axis of a family, all of which fit. For
/// one input, the graph of a family at its operands with symbolic parameters is small. Interval
/// arithmetic on it decides whether all of a box gives the answer, or none, or which axes the
/// result still depends on; in the last case the box is split along one of these axes. An answer
/// therefore splits only along the axes that matter for it, and a parameter that matters only for
/// some value of another parameter is split only there.

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

/// A question to a unit, and its answer.
struct Answered {
  DotValues values;
  Integer d;
};

/// Designs of a family: for each axis an interval of indices of its values, first and last.
struct Box {
  Runs runs;
  std::vector<std::uint32_t> open;  ///< answers for which it is not known that the whole box gives
                                    ///< them

  double size() const;
};

/// The survivors of one family: disjoint boxes.
struct FamilySurvivors {
  std::size_t family;  ///< its index in the space
  std::vector<Box> boxes;
  /// For open answers, by their number. Evaluation modifies these objects, so only one thread may
  /// use them at a time.
  std::map<std::uint32_t, std::shared_ptr<FamilyAtInput>> open;

  double size() const;
};

class VersionSpace {
 public:
  /// All designs of the space, which must outlive this object.
  explicit VersionSpace(const Space& space);

  /// Removes the designs that contradict the answers. If this takes more than `patience` (1: at
  /// most some seconds), answers stay open, and the next call continues with them; the survivors
  /// then include designs that do not fit. Throws OutOfTime.
  void take(const std::vector<Answered>& answers, const Deadline& deadline, int jobs,
            double patience = 1);

  const Space& space() const { return *space_; }
  const std::vector<FamilySurvivors>& families() const { return families_; }
  const std::vector<Answered>& answers() const { return answers_; }
  double size() const;
  bool empty() const { return families_.empty(); }
  /// True if some answer is open, so that survivors may not fit.
  bool has_pending() const;

  /// A design of a family.
  struct Point {
    std::size_t family;  ///< its index in the space
    std::vector<int> values;
  };
  /// A design that fits all answers that are not open.
  Point first(const FamilySurvivors& of) const;
  Point draw(const FamilySurvivors& of, SplitMix& random) const;
  /// All designs of a small family.
  std::vector<Point> all(const FamilySurvivors& of) const;
  bool holds(const Space::Place& place) const;
  Algorithm design(const Point& point) const {
    return space_->families()[point.family].design(point.values);
  }

  /// The axes of a family's survivors with their remaining values.
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
