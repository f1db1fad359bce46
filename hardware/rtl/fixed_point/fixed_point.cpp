// Makes formats of fixed-point accumulators, and the exact sums in them.
#include "hardware/rtl/fixed_point/fixed_point.h"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <stdexcept>

#include "spec/formats/integer.h"
#include "spec/formats/unpack.h"

namespace mmaspec::rtl {
namespace {

constexpr int kMostBits = 63;

struct FixedPoint {
  std::string name;
  Format format;
  int fraction_bits;
};

std::map<std::string, FixedPoint>& fixed_points() {
  static std::map<std::string, FixedPoint> all;
  return all;
}

/// The number 2^e of which all numbers of a format are multiples.
int unit_exponent(const Format& format) {
  return format.is_integer() ? 0 : format.least_exponent() - format.fraction_bits;
}

/// A product in multiples of the units' product.
Int product(const DotFormats& f, Int a, Int b) {
  if (f.a->is_integer()) return integer_value(*f.a, a) * integer_value(*f.b, b);
  const Unpacked x = unpack(*f.a, a);
  const Unpacked y = unpack(*f.b, b);
  const Int shift = x.exponent + y.exponent - (f.a->least_exponent() + f.b->least_exponent());
  return negate_if(x.sign ^ y.sign, shift_left(x.significand * y.significand, shift));
}

bool saturates(const Algorithm& algorithm) {
  for (const auto& [key, value, meaning] : algorithm.parameters()) {
    if (key == "overflow") return value == "saturate";
  }
  return false;
}

}  // namespace

const Format& fixed_point_format(const std::string& option, const std::string& text) {
  static const std::regex pattern("fixed:([0-9]{1,3})\\.([0-9]{1,3})");
  std::smatch found;
  if (!std::regex_match(text, found, pattern)) {
    throw std::invalid_argument(fmt::format(
        "{}: '{}' is not of the form fixed:I.F, with I integer bits and F fraction bits", option,
        text));
  }
  const int integer_bits = std::stoi(found[1]);
  const int fraction_bits = std::stoi(found[2]);
  const int width = integer_bits + fraction_bits;
  if (integer_bits < 1 || width < 2 || width > kMostBits) {
    throw std::invalid_argument(
        fmt::format("{}: {} must have at least 1 integer bit (the sign) and 2 to {} bits in all",
                    option, text, kMostBits));
  }
  const std::string name = fmt::format("fixed:{}.{}", integer_bits, fraction_bits);
  FixedPoint& fixed = fixed_points()[name];
  if (fixed.name.empty()) {
    fixed.name = name;
    fixed.format = formats::s32;
    fixed.format.name = fixed.name;
    fixed.format.storage_bits = width;
    fixed.format.bias += fixed.format.fraction_bits - (width - 1);
    fixed.format.fraction_bits = width - 1;
    fixed.format.source = "the user's";
    fixed.fraction_bits = fraction_bits;
  }
  return fixed.format;
}

int fixed_fraction_bits(const Format& format) {
  return fixed_points().at(std::string(format.name)).fraction_bits;
}

Instruction with_fixed_point(const Instruction& design, const Format& c, const Format& d) {
  const DotFormats& f = design.formats;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("--format-of: {}: {}", design.label(), why));
  };
  const std::string kind = design.algorithm.name();
  if (kind != "exact-dot-add" && kind != "integer-dot-add") {
    refuse("only design:exact-dot-add and design:integer-dot-add may have c and d in fixed point");
  }
  if (f.scale != nullptr) refuse("scale factors are not supported");
  for (const auto& [key, value, meaning] : design.algorithm.parameters()) {
    const bool is_part = (key == "block" || key == "group") && value != std::to_string(f.k);
    if (is_part && (key == "block" || saturates(design.algorithm))) {
      refuse(fmt::format("{}={} must be k", key, value));
    }
  }
  const int fraction = fixed_fraction_bits(d);
  const int needed = -(unit_exponent(*f.a) + unit_exponent(*f.b));
  if (fraction < needed) {
    refuse(fmt::format("d={} needs {} fraction bits to hold every product of {} and {}", d.name,
                       needed, f.a->name, f.b->name));
  }
  const int of_c = fixed_fraction_bits(c);
  if (fraction < of_c) refuse(fmt::format("d={} needs {} fraction bits to hold c", d.name, of_c));
  Instruction result;
  result.architecture = "fixed-point";
  result.mnemonic = design.name();
  result.asked = fmt::format("{} with c={}, d={}", design.label(), c.name, d.name);
  result.formats = f;
  result.formats.c = &c;
  result.formats.d = &d;
  result.algorithm =
      Custom{kind, [needed, fraction, of_c, clamps = saturates(design.algorithm)](
                       const DotFormats& formats, const DotOperands& in) {
               const auto scaled = [](Int x, int by) { return x * power_of_two(unsigned(by)); };
               std::vector<Int> terms{scaled(integer_value(*formats.c, in.c), fraction - of_c)};
               for (std::size_t k = 0; k < in.a.size(); ++k) {
                 terms.push_back(scaled(product(formats, in.a[k], in.b[k]), fraction - needed));
               }
               const Int sum = total(terms);
               return integer_pattern(*formats.d, clamps ? clamped(*formats.d, sum) : sum);
             }};
  return result;
}

}  // namespace mmaspec::rtl
