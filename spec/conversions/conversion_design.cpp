#include "spec/conversions/conversion_design.h"

#include <stdexcept>

namespace mmaspec {
namespace {

constexpr int kMostRandomBits = 24;
constexpr int kFarthestExponent = 512;

bool is_power_of_two_format(const Format& format) { return !format.has_zero && !format.has_sign; }

}  // namespace

ConversionDesign::ConversionDesign(Conversion conversion, DotFormats formats)
    : conversion_(conversion), formats_(formats) {}

Int ConversionDesign::build(const DotFormats& formats, const DotOperands& operands) const {
  return converted(conversion_, *formats.c, operands.c, *formats.d);
}

bool ConversionDesign::equals(const Composition& other) const {
  const auto* same = dynamic_cast<const ConversionDesign*>(&other);
  return same != nullptr && conversion_ == same->conversion_;
}

std::vector<Parameter> ConversionDesign::parameters() const {
  Conversion copy = conversion_;
  return print_parameters([&](ParameterVisitor& visit) { describe(copy, formats_, visit); });
}

DotFormats conversion_formats(const Format& from, const Format& to) {
  return {&from, &from, &from, &to, 0};
}

bool is_conversion(const DotFormats& formats) { return formats.k == 0; }

bool has_two_zeros_and_nan(const DotFormats& formats) {
  const auto has_two_zeros = [](const Format& f) {
    return f.has_sign && f.has_zero && f.specials != Specials::nan_minus_zero;
  };
  return has_two_zeros(*formats.c) && has_two_zeros(*formats.d) && formats.d->has_nan();
}

const Conversion* conversion_of(const Algorithm& algorithm) {
  const auto* composed = algorithm.as<Composed>();
  if (composed == nullptr) return nullptr;
  const auto* design = dynamic_cast<const ConversionDesign*>(composed->composition.get());
  return design != nullptr ? &design->conversion() : nullptr;
}

bool scales_its_number(const Algorithm& algorithm) {
  const Conversion* conversion = conversion_of(algorithm);
  return conversion != nullptr && conversion->exponent != 0;
}

Algorithm conversion_design(const Conversion& conversion, const DotFormats& formats) {
  const auto require = [](bool holds, const std::string& otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
  };
  const Format& to = *formats.d;
  require(!formats.c->is_integer() && !to.is_integer(), "conversions of integers are not covered");
  require(is_power_of_two_format(to) || to.has_zero, std::string(to.name) + " is not a result");
  if (is_power_of_two_format(to)) {
    require(conversion.random_bits == 0,
            "stochastic rounding to " + std::string(to.name) + " is not covered");
    require(!conversion.relu, "relu: " + std::string(to.name) + " has no negative results");
    require(conversion.round == Rounding::toward_zero || conversion.round == Rounding::up,
            "round: expected rz or ru for a result of " + std::string(to.name));
    require(conversion.overflow != Overflow::directed,
            "overflow: expected infinity or saturate for a result of " + std::string(to.name));
  }
  require(conversion.random < 1 << conversion.random_bits,
          "random: has more than random_bits=" + std::to_string(conversion.random_bits) + " bits");
  return Composed{std::make_shared<ConversionDesign>(conversion, formats)};
}

void describe(Conversion& conversion, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [round, overflow, infinity_is_largest, nan_is_largest, exponent, random_bits, random,
         tiny_is_zero, relu, flush_operand, flush_result] = conversion;
  const bool has_nan = formats.d != nullptr && formats.d->has_nan();
  const bool stochastic = random_bits > 0;
  visit.one_of<Rounding>(
      {.key = "round", .meaning = "rounding of the number", .shown = !stochastic}, round,
      {Rounding::toward_zero, Rounding::nearest_even, Rounding::nearest_away, Rounding::down,
       Rounding::up});
  visit.one_of<Overflow>({"overflow", "numbers beyond the largest"}, overflow,
                         {Overflow::to_infinity, Overflow::directed, Overflow::saturate});
  visit.yes_no({"infinity_is_largest", "an infinity becomes the largest number of its sign"},
               infinity_is_largest);
  visit.yes_no({.key = "nan_is_largest",
                .meaning = "for formats without NaN: NaN becomes the largest number; otherwise 0",
                .shown = !has_nan},
               nan_is_largest);
  visit.integer({.key = "exponent",
                 .meaning = "the number is multiplied by 2^exponent first",
                 .shown = exponent != 0},
                exponent, -kFarthestExponent, kFarthestExponent);
  visit.integer({.key = "random_bits",
                 .meaning = "0: none; otherwise rounding is stochastic, with so many random bits",
                 .shown = stochastic},
                random_bits, 0, kMostRandomBits);
  visit.integer({.key = "random", .meaning = "the random bits", .shown = stochastic}, random, 0,
                (1 << kMostRandomBits) - 1);
  visit.yes_no({.key = "tiny_is_zero",
                .meaning = "stochastic: numbers below half the least number become zero",
                .shown = stochastic},
               tiny_is_zero);
  visit.yes_no({.key = "relu", .meaning = "negative results become +0", .shown = relu}, relu);
  visit.yes_no({.key = "flush_operand",
                .meaning = "a subnormal operand becomes a zero of its sign first",
                .shown = flush_operand},
               flush_operand);
  visit.yes_no({.key = "flush_result",
                .meaning = "a subnormal result becomes a zero of its sign",
                .shown = flush_result},
               flush_result);
}

}  // namespace mmaspec
