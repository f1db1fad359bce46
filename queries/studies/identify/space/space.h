#pragma once
/// The search space of identification: every algorithm that accepts the formats, and every
/// parameter of `design:`, over listed values.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A parameter of an algorithm and its values: integers as they are, enumerators and Booleans by
/// number. "none", which omits the parameter, is represented by an integer outside the relevant
/// range.
struct Axis {
  std::string key;          ///< as in `design:`; zero_exponent=none: zeros are left out
  std::vector<int> values;  ///< ascending, at least one
  std::function<std::string(int)> text;
  std::function<std::optional<int>(const std::string&)> value_of;  ///< nullopt: not a value
};

/// Designs that share a graph: an algorithm with a fixed shape (blocks, groups, order of additions)
/// and symbolic other parameters.
struct Family {
  std::string name;  ///< for people: the algorithm and its shape
  std::vector<Axis> axes;

  /// The pattern of d in the current graph. `parameters`: one for each axis, within the hull of the
  /// axis's values.
  std::function<Int(const std::vector<Int>& parameters, const DotOperands& operands)> build;
  /// The design at these values, one for each axis.
  std::function<Algorithm(const std::vector<int>& values)> design;
  /// The values that give this design, whether or not the axes contain them; nullopt: it has
  /// another shape or algorithm.
  std::function<std::optional<std::vector<int>>(const Algorithm&)> find;
};

/// A set of designs, restricted as the user says:
/// `fused-dot-add(fraction_bits=20..30,floor=none|-133)`. Keys that are not named keep their
/// values. If there are restrictions, algorithms that none of them names are left out.
class Space {
 public:
  /// Throws std::invalid_argument with a one-line message for a restriction that cannot be parsed,
  /// that names an unknown algorithm or parameter, or that allows a value outside of `design:`.
  /// `has_c`: false for a unit without an accumulator input; all questions and statements are then
  /// about inputs with c = +0.
  Space(const DotFormats& formats, const std::vector<std::string>& restrictions, bool has_c = true);

  const DotFormats& formats() const { return formats_; }
  bool has_c() const { return has_c_; }
  const std::vector<Family>& families() const { return families_; }
  /// One line for each algorithm, in the notation of restrictions.
  const std::vector<std::string>& lines() const { return lines_; }
  /// The number of designs.
  double size() const;
  /// The family of a design in the space, and its values.
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

/// The parameters as expressions over inputs of the current graph named `prefix` plus the axis's
/// key, or constants if an axis has one value. Each has the form `low + input` and is within the
/// hull of the axis's values, as long as the input is less than the hull's size.
std::vector<Int> parameter_inputs(const std::vector<Axis>& axes, const std::string& prefix = "p.");

}  // namespace mmaspec
