#include "queries/studies/identify/space/family_at_input.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

std::uint64_t word(const Integer& x) { return x.convert_to<std::uint64_t>(); }

std::vector<Int> constants(const std::vector<Integer>& all) {
  std::vector<Int> ints;
  for (const Integer& x : all) ints.emplace_back(x);
  return ints;
}

}  // namespace

bool same_answer(const Format& format, const Integer& x, const Integer& y) {
  return x == y || (decode(format, x).is_nan && decode(format, y).is_nan);
}

NanTest::NanTest(const Format& format) {
  if (format.is_integer()) {  // no pattern is a NaN
    magnitude_ = 0;
    least_ = 1;
    most_ = 0;
    sign_ = 0;
    return;
  }
  // For results with a sign and NaNs: these are the magnitudes beyond infinity, or the last
  // magnitude if the format lacks infinity. Ignored bits do not matter.
  const Integer sign = power_of_two(static_cast<unsigned>(format.sign_bit()));
  const Integer ones = sign - 1;
  const Integer ignored = power_of_two(static_cast<unsigned>(format.ignored_low_bits)) - 1;
  const Integer first = format.first_non_finite() << static_cast<unsigned>(format.ignored_low_bits);
  if (format.specials != Specials::ieee && format.specials != Specials::nan_all_ones) {
    throw std::logic_error(std::string(format.name) + " cannot be a result's format");
  }
  magnitude_ = word(ones - ignored);
  least_ = word(format.has_infinity() ? Integer(first + ignored + 1) : first);
  most_ = word(ones);
  sign_ = word(sign);
}

bool NanTest::between(std::uint64_t low, std::uint64_t high) const {
  if (least_ > most_) return false;
  return (low <= most_ && high >= least_) || (low <= (sign_ | most_) && high >= (sign_ | least_));
}

FamilyAtInput::FamilyAtInput(const Family& family, const Runs& hull, const DotFormats& formats,
                             const DotValues& values, const Integer& answer)
    : is_nan_(*formats.d), answer_(word(answer)), answer_is_nan_(is_nan_(answer_)) {
  std::vector<Axis> axes = family.axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    values_.push_back(axes[i].values);
    axes[i].values = {values_[i].begin() + hull[i][0], values_[i].begin() + hull[i][1] + 1};
  }
  Graph graph;
  const Graph::Building building(graph);
  const std::vector<Int> parameters = parameter_inputs(axes);
  const Int d = family.build(parameters, {constants(values.a), constants(values.b), Int(values.c),
                                          constants(values.scale_a), constants(values.scale_b)});
  std::vector<std::size_t> axis_of;
  for (const NodeId node : graph.inputs()) {
    std::size_t axis = 0;
    while (graph.input_name(node) != "p." + axes.at(axis).key) ++axis;
    parameters_.push_back({axis, axes[axis].values.front()});
    axis_of.push_back(axis);
  }
  inputs_.resize(parameters_.size());
  intervals_ = Intervals::make(graph, d.id(), axis_of);
}

FamilyAtInput::Gives FamilyAtInput::enter(std::size_t level, const Runs& runs) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [axis, low] = parameters_[i];
    const auto& [first, last] = runs[axis];
    inputs_[i] = {values_[axis][static_cast<std::size_t>(first)] - low,
                  values_[axis][static_cast<std::size_t>(last)] - low};
  }
  const bool settled = intervals_->enter(level, inputs_);
  const std::uint64_t low = intervals_->low();
  const std::uint64_t high = intervals_->high();
  if (settled) {
    return low == answer_ || (answer_is_nan_ && is_nan_(low)) ? Gives::answer : Gives::another;
  }
  const bool may_be =
      (low <= answer_ && answer_ <= high) || (answer_is_nan_ && is_nan_.between(low, high));
  return may_be ? Gives::either : Gives::another;
}

}  // namespace mmaspec
