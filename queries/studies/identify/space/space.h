#pragma once
/// The designs that an unknown unit is looked for among: every algorithm of the language that takes
/// the formats; every parameter that `design:` takes, over stated values.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A parameter of an algorithm and the values that it takes: integers as they are, enumerators and
/// yes and no by their numbers. "none" is an integer beyond all that matter: to leave a parameter
/// out is one of its values.
struct Axis {
  std::string key;          ///< as `design:` takes it; zero_exponent=none: zeros are left out
  std::vector<int> values;  ///< ascending, at least one
  std::function<std::string(int)> text;
  std::function<std::optional<int>(const std::string&)> value_of;  ///< nullopt: not a value
};

/// Designs of one graph: an algorithm whose shape is settled (blocks, groups, the order of
/// additions), its other parameters symbolic.
struct Family {
  std::string name;  ///< for people: the algorithm and its shape
  std::vector<Axis> axes;

  /// The pattern of d in the current graph; a parameter for each axis, that is within the hull of
  /// the axis's values.
  std::function<Int(const std::vector<Int>& parameters, const DotOperands& operands)> build;
  /// The design at these values, one an axis.
  std::function<Algorithm(const std::vector<int>& values)> design;
  /// The values at which it is this design, whether or not the axes have them; nullopt: it is
  /// another shape or algorithm.
  std::function<std::optional<std::vector<int>>(const Algorithm&)> find;
};

/// What the axes of an algorithm are restricted to, as a user says it:
/// `fused-dot-add(fraction_bits=20..30,floor=none|-133)`. Keys that are not named keep their
/// values. An algorithm that no restriction names is left out if there is any.
class Space {
 public:
  /// Throws std::invalid_argument with one line for a restriction that cannot be read, names no
  /// algorithm or parameter, or allows a value that `design:` does not. `has_c`: false for a unit
  /// without an accumulator input; then all questions and statements are about inputs with c = +0.
  Space(const DotFormats& formats, const std::vector<std::string>& restrictions, bool has_c = true);

  const DotFormats& formats() const { return formats_; }
  bool has_c() const { return has_c_; }
  const std::vector<Family>& families() const { return families_; }
  /// One line an algorithm, in the notation of restrictions.
  const std::vector<std::string>& lines() const { return lines_; }
  /// How many designs there are.
  double size() const;
  /// The family of a design that the space holds, and its values.
  struct Place {
    std::size_t family;
    std::vector<int> values;
  };
  std::optional<Place> find(const Algorithm& algorithm) const;

 private:
  DotFormats formats_;
  bool has_c_;
  std::vector<Family> families_;
  std::vector<std::string> lines_;
};

/// The parameters as expressions over inputs of the current graph named `prefix` and the axis's
/// key; constants where an axis has one value. Each is within the hull of the axis's values, and
/// `low + input`, so that inputs below the hull's size are all values of it.
std::vector<Int> parameter_inputs(const std::vector<Axis>& axes, const std::string& prefix = "p.");

}  // namespace mmaspec
