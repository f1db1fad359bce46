#include "hardware/rtl/flags/flags.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace mmaspec::rtl {
namespace {

constexpr int kFlags = 5;

/// The rounding of the design's only result. Throws std::invalid_argument if the design rounds more
/// than once, or if IEEE 754 does not define its flags.
ResultFormat only_rounding(const Instruction& design) {
  const auto refuse = [&](const std::string& why) -> std::invalid_argument {
    return std::invalid_argument(
        fmt::format("--map flags: flags are not defined for {}: {}", design.label(), why));
  };
  const DotFormats& f = design.formats;
  const ResultFormat* result = nullptr;
  if (const auto* exact = std::get_if<ExactDotAdd>(&design.algorithm.design())) {
    const auto& [block, rounded] = *exact;
    if (block != f.k) throw refuse(fmt::format("it rounds after each block of {}", block));
    result = &rounded;
  } else if (const auto* fma = std::get_if<SequentialFma>(&design.algorithm.design())) {
    const auto& [rounded, flush_inputs, reversed, chains] = *fma;
    if (f.k != 1 || chains != 1) throw refuse("it rounds more than once");
    if (flush_inputs) throw refuse("it flushes subnormal operands");
    result = &rounded;
  } else {
    throw refuse("only design:sequential-fma with k=1 and design:exact-dot-add have one rounding");
  }
  if (f.scale != nullptr) throw refuse("it has scale factors");
  for (const Format* format : {f.a, f.b, f.c, f.d}) {
    if (format->specials != Specials::ieee) {
      throw refuse(fmt::format("{} is not a format of IEEE 754", format->name));
    }
  }
  if (result->underflow != Underflow::gradual) throw refuse("it flushes subnormal results");
  if (result->fraction_bits() != f.d->fraction_bits) throw refuse("it truncates results");
  if (result->overflow == Overflow::saturate) throw refuse("its overflow saturates");
  if (result->rounding == Rounding::to_odd) throw refuse("IEEE 754 has no rounding to odd");
  return *result;
}

}  // namespace

const Format& flags_format() {
  static const Format format = [] {
    Format f = formats::u8;
    f.name = "flags";
    f.bias += f.fraction_bits - kFlags;
    f.fraction_bits = kFlags;
    f.storage_bits = kFlags;
    f.source = "IEEE 754-2019, section 7";
    return f;
  }();
  return format;
}

std::string flag_names(const Integer& pattern) {
  static constexpr std::array<const char*, kFlags> kNames{"inexact", "underflow", "overflow",
                                                          "divide by zero", "invalid"};
  std::string text;
  for (unsigned i = kFlags; i-- > 0;) {
    if (!bit_test(pattern, i)) continue;
    text += (text.empty() ? "" : ", ") + std::string(kNames.at(i));
  }
  return text.empty() ? "none" : text;
}

Instruction with_flags(const Instruction& design, Tininess tininess) {
  const ResultFormat result = only_rounding(design);
  Instruction flags;
  flags.architecture = "flags";
  flags.mnemonic = design.name();
  flags.asked = fmt::format("the flags of {}", design.label());
  flags.formats = design.formats;
  flags.formats.d = &flags_format();
  flags.algorithm = Custom{"flags", [d = design.formats.d, result, tininess](
                                        const DotFormats& formats, const DotOperands& in) {
                             DotFormats rounded = formats;
                             rounded.d = d;
                             return flags_pattern(ieee_flags(rounded, in, result, tininess));
                           }};
  return flags;
}

}  // namespace mmaspec::rtl
