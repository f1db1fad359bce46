#include <mmaspec/formats.h>

#include <bit>
#include <cmath>
#include <limits>

#include "api/core.h"
#include "queries/values/rounded_up.h"
#include "spec/formats/nearest.h"
#include "spec/formats/text.h"

namespace mmaspec::v0 {
namespace {

const core::Format& checked(const Format& format, std::uint64_t pattern) {
  const core::Format& data = FormatAccess::data(format);
  require_pattern("pattern", data, pattern);
  return data;
}

}  // namespace

Format::Format(std::string_view name) : data_(FormatAccess::address(find_format(name))) {
  if (data_ == nullptr) throw BadInput("unknown format '" + std::string(name) + "'");
}

std::string Format::name() const { return std::string(FormatAccess::data(*this).name); }
std::string Format::source() const { return std::string(FormatAccess::data(*this).source); }
int Format::storage_bits() const { return FormatAccess::data(*this).storage_bits; }
int Format::exponent_bits() const { return FormatAccess::data(*this).exponent_bits; }
int Format::fraction_bits() const { return FormatAccess::data(*this).fraction_bits; }
int Format::bias() const { return FormatAccess::data(*this).bias; }
bool Format::has_sign() const { return FormatAccess::data(*this).has_sign; }
bool Format::has_infinity() const { return FormatAccess::data(*this).has_infinity(); }
bool Format::has_nan() const { return FormatAccess::data(*this).has_nan(); }
bool Format::is_integer() const { return FormatAccess::data(*this).is_integer(); }
int Format::ignored_low_bits() const { return FormatAccess::data(*this).ignored_low_bits; }

Decoded Format::decode(std::uint64_t pattern) const {
  return translated([&] {
    const core::Decoded x = core::decode(checked(*this, pattern), pattern);
    Decoded decoded;
    decoded.is_nan = x.is_nan;
    decoded.is_infinite = x.is_infinite;
    decoded.negative = x.negative;
    if (x.is_finite()) {
      decoded.significand = pattern_of(x.significand);
      decoded.exponent = x.exponent;
    }
    return decoded;
  });
}

double Format::value(std::uint64_t pattern) const {
  const Decoded x = decode(pattern);
  if (x.is_nan) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = x.is_infinite
                               ? std::numeric_limits<double>::infinity()
                               : std::ldexp(static_cast<double>(x.significand), x.exponent);
  return x.negative ? -magnitude : magnitude;
}

std::vector<double> Format::values(const std::vector<std::uint64_t>& patterns) const {
  std::vector<double> all;
  for (const std::uint64_t pattern : patterns) all.push_back(value(pattern));
  return all;
}

std::uint64_t Format::encode(double number) const {
  return translated([&] {
    return pattern_of(round_pattern(formats::f64, std::bit_cast<std::uint64_t>(number),
                                    FormatAccess::data(*this)));
  });
}

std::vector<std::uint64_t> Format::encode(const std::vector<double>& numbers) const {
  std::vector<std::uint64_t> all;
  for (const double number : numbers) all.push_back(encode(number));
  return all;
}

std::uint64_t Format::parse(std::string_view text) const {
  return translated([&] { return pattern_of(parse_pattern_of(FormatAccess::data(*this), text)); });
}

std::uint64_t Format::parse_nearest(std::string_view text) const {
  return translated(
      [&] { return pattern_of(parse_nearest_pattern_of(FormatAccess::data(*this), text)); });
}

std::string Format::hex_float(std::uint64_t pattern) const {
  return translated([&] { return to_hex_float(checked(*this, pattern), Integer(pattern)); });
}

std::string Format::decimal(std::uint64_t pattern) const {
  return translated([&] { return to_decimal(checked(*this, pattern), Integer(pattern)); });
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto* all : {&all_formats(), &integer_formats()}) {
    for (const core::Format* format : *all) names.emplace_back(format->name);
  }
  return names;
}

double upper_double(std::string_view number) {
  if (number == "inf") return std::numeric_limits<double>::infinity();
  return translated([&] { return rounded_up(parse_rational(number)); });
}

}  // namespace mmaspec::v0
