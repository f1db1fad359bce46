#include "spec/formats/format.h"

#include <map>
#include <stdexcept>
#include <string>

#include "spec/formats/fixed_point.h"

namespace mmaspec {

namespace formats {

constexpr std::string_view kIeee = "IEEE 754-2019, table 3.5";
constexpr std::string_view kTf32 =
    "NVIDIA PTX ISA, alternate floating-point formats; low bits: MMA-Sim section IV-C";
constexpr std::string_view kOcp8 = "OCP 8-bit Floating Point Specification 1.0";
constexpr std::string_view kFnuz = "Noune et al., arXiv 2206.02915; AMD Instinct MI300 ISA";
constexpr std::string_view kOcpMx = "OCP Microscaling Formats Specification 1.0";

//                  name    bits   sign  exp frac bias  specials            zero  low high source
const Format f64 = {"f64", 64, true, 11, 52, 1023, Specials::ieee, true, 0, 0, kIeee};
const Format f32 = {"f32", 32, true, 8, 23, 127, Specials::ieee, true, 0, 0, kIeee};
const Format tf32 = {"tf32", 32, true, 8, 10, 127, Specials::ieee, true, 13, 0, kTf32};
const Format xf32 = {
    "xf32", 32, true, 8, 10, 127, Specials::ieee, true, 13, 0, "MMA-Sim section IV-F"};
const Format f16 = {"f16", 16, true, 5, 10, 15, Specials::ieee, true, 0, 0, kIeee};
const Format bf16 = {"bf16",
                     16,
                     true,
                     8,
                     7,
                     127,
                     Specials::ieee,
                     true,
                     0,
                     0,
                     "BFLOAT16 Hardware Numerics Definition, Intel"};
const Format e4m3 = {"e4m3", 8, true, 4, 3, 7, Specials::nan_all_ones, true, 0, 0, kOcp8};
const Format e5m2 = {"e5m2", 8, true, 5, 2, 15, Specials::ieee, true, 0, 0, kOcp8};
const Format e4m3fnuz = {"e4m3fnuz", 8, true, 4, 3, 8, Specials::nan_minus_zero, true, 0, 0, kFnuz};
const Format e5m2fnuz = {"e5m2fnuz", 8, true, 5,    2, 16, Specials::nan_minus_zero,
                         true,       0, 0,    kFnuz};
const Format e3m2 = {"e3m2", 6, true, 3, 2, 3, Specials::none, true, 0, 0, kOcpMx};
const Format e2m3 = {"e2m3", 6, true, 2, 3, 1, Specials::none, true, 0, 0, kOcpMx};
const Format e2m1 = {"e2m1", 4, true, 2, 1, 1, Specials::none, true, 0, 0, kOcpMx};
const Format ue8m0 = {"ue8m0", 8, false, 8, 0, 127, Specials::nan_top_field, false, 0, 0, kOcpMx};
const Format ue4m3 = {"ue4m3",
                      8,
                      false,
                      4,
                      3,
                      7,
                      Specials::nan_all_ones,
                      true,
                      0,
                      1,
                      "NVIDIA PTX ISA; ignored top bit: MMA-Sim section IV-E"};

namespace {

constexpr std::string_view kTwosComplement =
    "two's complement; NVIDIA PTX ISA, AMD ISA manuals, Intel SDM";

/// An integer format of `bits` bits with unit 1: the exponent of subnormals, 1 - bias, is
/// fraction_bits.
constexpr Format integer(std::string_view name, int bits, bool has_sign) {
  const int fraction_bits = has_sign ? bits - 1 : bits;
  return {name,
          bits,
          has_sign,
          0,
          fraction_bits,
          1 - fraction_bits,
          Specials::none,
          true,
          0,
          0,
          has_sign ? kTwosComplement : "unsigned binary",
          has_sign};
}

}  // namespace

const Format s4 = integer("s4", 4, true);
const Format u4 = integer("u4", 4, false);
const Format s8 = integer("s8", 8, true);
const Format u8 = integer("u8", 8, false);
const Format s16 = integer("s16", 16, true);
const Format s32 = integer("s32", 32, true);

}  // namespace formats

Integer Format::largest_finite() const { return largest_pattern(); }

std::uint64_t Format::largest_pattern() const {
  const auto field = static_cast<std::uint64_t>(field_maximum()) << fraction_bits;
  const std::uint64_t all = field + (std::uint64_t{1} << fraction_bits) - 1;
  switch (specials) {
    case Specials::ieee:
    case Specials::nan_top_field:
      return field - 1;
    case Specials::nan_all_ones:
      return all - 1;
    case Specials::nan_minus_zero:
    case Specials::none:
      break;
  }
  return all;
}

Integer Format::least_integer() const {
  return twos_complement ? Integer(-power_of_two(static_cast<unsigned>(fraction_bits)))
                         : Integer(0);
}

int Format::largest_exponent() const {
  if (is_integer()) return fraction_bits - 1;
  return static_cast<int>(largest_pattern() >> fraction_bits) - bias;
}

Integer Format::first_non_finite() const {
  if (specials == Specials::none || specials == Specials::nan_minus_zero) {
    throw std::logic_error(std::string(name) + " has no pattern beyond its largest number");
  }
  return largest_finite() + 1;
}

const std::vector<const Format*>& all_formats() {
  using namespace formats;
  static const std::vector<const Format*> all = {&f64,  &f32,  &tf32, &xf32,     &f16,
                                                 &bf16, &e4m3, &e5m2, &e4m3fnuz, &e5m2fnuz,
                                                 &e3m2, &e2m3, &e2m1, &ue8m0,    &ue4m3};
  return all;
}

const std::vector<const Format*>& integer_formats() {
  using namespace formats;
  static const std::vector<const Format*> all = {&s4, &u4, &s8, &u8, &s16, &s32};
  return all;
}

const Format* find_format(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (const Format* fixed = find_fixed_point(lower)) return fixed;
  // Names in frameworks and vendors' manuals.
  static const std::map<std::string_view, const Format*> aliases = {
      {"fp8", &formats::e4m3fnuz},
      {"bf8", &formats::e5m2fnuz},
      {"fp64", &formats::f64},
      {"double", &formats::f64},
      {"float64", &formats::f64},
      {"fp32", &formats::f32},
      {"float", &formats::f32},
      {"float32", &formats::f32},
      {"single", &formats::f32},
      {"tensorfloat32", &formats::tf32},
      {"fp16", &formats::f16},
      {"half", &formats::f16},
      {"float16", &formats::f16},
      {"bfloat16", &formats::bf16},
      {"e4m3fn", &formats::e4m3},
      {"fp8_e4m3", &formats::e4m3},
      {"fp8_e4m3fn", &formats::e4m3},
      {"float8_e4m3", &formats::e4m3},
      {"float8_e4m3fn", &formats::e4m3},
      {"fp8_e5m2", &formats::e5m2},
      {"float8_e5m2", &formats::e5m2},
      {"float8_e4m3fnuz", &formats::e4m3fnuz},
      {"fp8_e4m3fnuz", &formats::e4m3fnuz},
      {"float8_e5m2fnuz", &formats::e5m2fnuz},
      {"fp8_e5m2fnuz", &formats::e5m2fnuz},
      {"float6_e3m2fn", &formats::e3m2},
      {"fp6_e3m2", &formats::e3m2},
      {"float6_e2m3fn", &formats::e2m3},
      {"fp6_e2m3", &formats::e2m3},
      {"float4_e2m1fn", &formats::e2m1},
      {"fp4_e2m1", &formats::e2m1},
      {"fp4", &formats::e2m1},
      {"e2m1fn", &formats::e2m1},
      {"e8m0", &formats::ue8m0},
      {"e8m0fnu", &formats::ue8m0},
      {"float8_e8m0fnu", &formats::ue8m0},
      {"int4", &formats::s4},
      {"uint4", &formats::u4},
      {"int8", &formats::s8},
      {"uint8", &formats::u8},
      {"int16", &formats::s16},
      {"int32", &formats::s32}};
  if (const auto alias = aliases.find(lower); alias != aliases.end()) return alias->second;
  for (const auto* formats : {&all_formats(), &integer_formats()}) {
    for (const Format* f : *formats) {
      if (f->name == lower) return f;
    }
  }
  return nullptr;
}

}  // namespace mmaspec
