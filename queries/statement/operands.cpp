// Operands as inputs of a graph, and as numbers.

#include "queries/statement/operands.h"

#include <algorithm>
#include <optional>

#include "spec/formats/text.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// True if the operand belongs to the class of inputs.
bool belongs(InputClass inputs, const Format& format, const Integer& pattern) {
  if (inputs == InputClass::any || format.is_integer()) return true;
  const Decoded x = decode(format, pattern);
  if (!x.is_finite()) return false;
  const bool subnormal =
      format.has_zero && x.significand != 0 && bit_length(x.significand) < u(format.precision());
  return inputs == InputClass::finite || !subnormal;
}

/// The pattern with the bits cleared that its format ignores.
Integer used_bits(const Format& format, const Integer& pattern) {
  const Integer used = pattern % power_of_two(u(format.storage_bits - format.ignored_high_bits));
  return (used >> format.ignored_low_bits) << format.ignored_low_bits;
}

}  // namespace

Bool belong(InputClass inputs, const DotFormats& formats, const DotOperands& operands) {
  std::vector<Bool> all{belongs_to(inputs, *formats.c, operands.c)};
  const auto add = [&](const Format* format, const std::vector<Int>& patterns) {
    for (Int p : patterns) all.push_back(belongs_to(inputs, *format, p));
  };
  add(formats.a, operands.a);
  add(formats.b, operands.b);
  add(formats.scale, operands.scale_a);
  add(formats.scale, operands.scale_b);
  return all_of(all);
}

bool belong(InputClass inputs, const DotFormats& formats, const DotValues& values) {
  const auto all = [&](const Format* format, const std::vector<Integer>& patterns) {
    return std::all_of(patterns.begin(), patterns.end(),
                       [&](const Integer& p) { return belongs(inputs, *format, p); });
  };
  return all(formats.a, values.a) && all(formats.b, values.b) &&
         belongs(inputs, *formats.c, values.c) && all(formats.scale, values.scale_a) &&
         all(formats.scale, values.scale_b);
}

DotValues dot_values(const Graph& graph, const DotFormats& formats, const InputValues& inputs) {
  std::map<std::string, const Integer*> by_name;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    by_name[graph.input_name(graph.inputs()[i])] = &inputs[i];
  }
  const auto value = [&](const std::string& name, const Format& format) {
    const auto it = by_name.find(name);
    return it == by_name.end() ? Integer(0) : used_bits(format, *it->second);
  };
  const auto vector_of = [&](const std::string& name, int count, const Format* format) {
    std::vector<Integer> all;
    for (int i = 0; i < count; ++i)
      all.push_back(value(name + "[" + std::to_string(i) + "]", *format));
    return all;
  };
  return {vector_of("a", formats.k, formats.a), vector_of("b", formats.k, formats.b),
          value("c", *formats.c), vector_of("sa", formats.scales(), formats.scale),
          vector_of("sb", formats.scales(), formats.scale)};
}

InputPlaces::InputPlaces(const Graph& graph) {
  static const std::map<std::string, const std::vector<Integer> DotValues::*> vectors{
      {"a", &DotValues::a},
      {"b", &DotValues::b},
      {"sa", &DotValues::scale_a},
      {"sb", &DotValues::scale_b}};
  for (NodeId i : graph.inputs()) {
    Place place{graph.input_name(i)};
    const std::size_t bracket = place.name.find('[');
    const auto vector = vectors.find(place.name.substr(0, bracket));
    if (bracket != std::string::npos && vector != vectors.end()) {
      place.vector = vector->second;
      place.index = std::stoul(place.name.substr(bracket + 1));
    }
    places_.push_back(std::move(place));
  }
}

InputValues InputPlaces::operator()(const DotValues& values,
                                    const std::map<std::string, Integer>& others) const {
  InputValues result;
  result.reserve(places_.size());
  for (const Place& place : places_) {
    if (place.vector != nullptr) {
      const std::vector<Integer>& all = values.*place.vector;
      result.push_back(place.index < all.size() ? all[place.index] : Integer(0));
    } else if (place.name == "c") {
      result.push_back(values.c);
    } else {
      const auto it = others.find(place.name);
      result.push_back(it == others.end() ? Integer(0) : it->second);
    }
  }
  return result;
}

InputValues input_values(const Graph& graph, const DotValues& values,
                         const std::map<std::string, Integer>& others) {
  return InputPlaces(graph)(values, others);
}

std::vector<const Format*> input_formats(const Graph& graph, const DotFormats& formats,
                                         const std::map<std::string, const Format*>& others) {
  std::vector<const Format*> all;
  for (NodeId i : graph.inputs()) {
    const std::string& name = graph.input_name(i);
    const std::string vector_name = name.substr(0, name.find('['));
    const auto other = others.find(name);
    all.push_back(other != others.end()                        ? other->second
                  : name == "c"                                ? formats.c
                  : vector_name == "a"                         ? formats.a
                  : vector_name == "b"                         ? formats.b
                  : vector_name == "sa" || vector_name == "sb" ? formats.scale
                                                               : nullptr);
  }
  return all;
}

}  // namespace mmaspec
