// Makes exact sums in fixed point of designs.
#include "hardware/rtl/fixed_point/fixed_point.h"

#include <fmt/format.h>

#include <regex>
#include <stdexcept>

#include "spec/formats/fixed_point.h"
#include "spec/formats/integer.h"

namespace mmaspec::rtl {
namespace {

/// The exponent of the number of which all products are multiples.
int lowest_exponent(const DotFormats& f) {
  return f.a->is_integer() ? 0 : lowest_product_exponent(f);
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
  if (!std::regex_match(text, pattern)) {
    throw std::invalid_argument(fmt::format(
        "{}: '{}' is not of the form fixed:I.F, with I integer bits and F fraction bits", option,
        text));
  }
  const Format* format = find_fixed_point(text);
  if (format == nullptr) {
    throw std::invalid_argument(
        fmt::format("{}: {} must have at least 1 integer bit (the sign) and 2 to {} bits in all",
                    option, text, kMostFixedPointBits));
  }
  return *format;
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
  const int needed = -lowest_exponent(f);
  if (d.point < needed) {
    refuse(fmt::format("d={} needs {} fraction bits to hold every product of {} and {}", d.name,
                       needed, f.a->name, f.b->name));
  }
  if (d.point < c.point)
    refuse(fmt::format("d={} needs {} fraction bits to hold c", d.name, c.point));
  Instruction result;
  result.architecture = "fixed-point";
  result.mnemonic = design.name();
  result.asked = fmt::format("{} with c={}, d={}", design.label(), c.name, d.name);
  result.formats = f;
  result.formats.c = &c;
  result.formats.d = &d;
  const bool clamps = saturates(design.algorithm);
  if (!f.a->is_integer()) {
    const IntegerOverflow overflow = clamps ? IntegerOverflow::saturate : IntegerOverflow::wrap;
    result.algorithm = FixedPointDotAdd{Rounding::toward_zero, overflow, f.k};
    return result;
  }
  result.algorithm = Custom{
      kind, [clamps](const DotFormats& formats, const DotOperands& in) {
        const int point = formats.d->point;
        const auto scaled = [](Int x, int by) {
          return x * power_of_two(static_cast<unsigned>(by));
        };
        std::vector<Int> terms{scaled(integer_value(*formats.c, in.c), point - formats.c->point)};
        for (std::size_t k = 0; k < in.a.size(); ++k) {
          terms.push_back(scaled(
              integer_value(*formats.a, in.a[k]) * integer_value(*formats.b, in.b[k]), point));
        }
        const Int sum = total(terms);
        return integer_pattern(*formats.d, clamps ? clamped(*formats.d, sum) : sum);
      }};
  return result;
}

}  // namespace mmaspec::rtl
