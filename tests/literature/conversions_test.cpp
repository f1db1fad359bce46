// Conversion instructions (PTX cvt): recorded results of an H100 (tests/data/hardware/conversions)
// compared with exact rounding.
#include "spec/conversions/conversions.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>

#include "concrete/dot/model.h"
#include "concrete/rows/row.h"
#include "queries/values/exact_result.h"
#include "tests/support/case_selection.h"
#include "util/json.h"

namespace mmaspec::conversions_test {
namespace {

const std::map<std::string, const Format*> kFormats = {
    {"f32", &formats::f32},   {"f16", &formats::f16},   {"bf16", &formats::bf16},
    {"tf32", &formats::tf32}, {"e4m3", &formats::e4m3}, {"e5m2", &formats::e5m2}};

/// The parts of a name such as cvt.rn.satfinite.relu.e4m3x2.f32.
struct Conversion {
  Rounding rounding;
  bool saturates;
  bool relu;  ///< negative numbers become +0
};

Conversion conversion_of(const std::string& name) {
  const auto says = [&](const std::string& part) {
    return (name + ".").find("." + part + ".") != std::string::npos;
  };
  const Rounding rounding = says("rz")    ? Rounding::toward_zero
                            : says("rna") ? Rounding::nearest_away
                                          : Rounding::nearest_even;
  return {rounding, says("satfinite"), says("relu")};
}

/// The NaN that an instruction returns: all bits except the sign and the ignored bits of the
/// format.
Integer nan_of(const Format& f) {
  if (f == formats::tf32) return 0x7fffe000;
  return power_of_two(static_cast<unsigned>(f.storage_bits) - 1) - 1;
}

/// For instructions that keep a NaN's payload: the result for a NaN; otherwise nothing.
std::optional<Integer> kept_nan(const std::string& name, const Integer& x) {
  if (name == "cvt.f32.bf16") return x << 16U;
  const Integer upper = (x >> 13U) << 13U;
  if (name == "cvt.rna.tf32.f32")
    return upper;  // an infinity, if the payload was only in the low
                   // bits
  // One less in the last place, as if every pattern with the largest exponent were infinite: the
  // largest finite number, if the payload was only in the low bits.
  if (name == "cvt.rna.satfinite.tf32.f32") return upper - 0x2000;
  return std::nullopt;
}

Integer with_sign(const Format& f, bool negative, const Integer& magnitude) {
  return negative ? magnitude + power_of_two(static_cast<unsigned>(f.storage_bits) - 1) : magnitude;
}

/// The pattern of |x|, for finite x, rounded to the format.
Integer rounded(const Format& to, const Rational& x, Rounding rounding) {
  if (rounding == Rounding::toward_zero) return largest_at_most(to, x);
  if (rounding == Rounding::nearest_even) return nearest_even(to, x);
  const Neighbours n = neighbours(to, x);
  if (n.below == n.above) return n.below;
  // After the largest number the next one would be 2^(largest exponent + 1).
  const Decoded above = decode(to, n.above);
  const Rational high =
      above.is_finite() ? above.value() : rational_power_of_two(to.largest_exponent() + 1);
  return high - x <= x - decode(to, n.below).value() ? n.above : n.below;
}

Integer expected(const Conversion& c, const Format& from, const Integer& x, const Format& to) {
  const Decoded value = decode(from, x);
  if (value.is_nan) return nan_of(to);
  const bool negative = x >= power_of_two(static_cast<unsigned>(from.storage_bits) - 1);
  if (c.relu && negative) return 0;
  const Integer largest = to.largest_finite() << static_cast<unsigned>(to.ignored_low_bits);
  if (value.is_infinite) {
    return with_sign(
        to, negative,
        c.saturates ? largest : nearest_even(to, rational_power_of_two(to.largest_exponent() + 2)));
  }
  Integer magnitude = rounded(to, Rational(abs(value.value())), c.rounding);
  if (c.saturates && magnitude > largest) magnitude = largest;
  return with_sign(to, negative, magnitude);
}

/// The catalogue's conversion of this name.
const DotModel& catalogued(const std::string& name) {
  static std::map<std::string, DotModel> models;
  auto at = models.find(name);
  if (at == models.end()) {
    const Instruction i = find_with_conversions("hopper/" + name);
    at = models.try_emplace(name, i.algorithm, i.formats).first;
  }
  return at->second;
}

TEST(Conversions, EqualTheResultsOfAnH100) {
  std::size_t compared = 0;
  std::size_t kept = 0;
  std::size_t index = 0;
  std::map<std::string, std::size_t> instructions;
  for_each_line(MMASPEC_TESTS_DIR "/data/hardware/conversions/h100.jsonl.gz",
                [&](std::string_view line, std::size_t) {
                  const Json row = Json::parse(line);
                  if (!row.contains("conversion")) return;  // the header and the comparisons
                  const auto name = row.at("conversion").get<std::string>();
                  ++instructions[name];
                  const Format& from = *kFormats.at(row.at("from").get<std::string>());
                  const Format& to = *kFormats.at(row.at("to").get<std::string>());
                  const Conversion c = conversion_of(name);
                  std::istringstream inputs(row.at("x").get<std::string>());
                  std::istringstream results(row.at("d").get<std::string>());
                  std::string x;
                  std::string d;
                  while (inputs >> x && results >> d) {
                    if (!is_selected(index++, 13)) continue;
                    const Integer pattern("0x" + x);
                    const bool is_nan = decode(from, pattern).is_nan;
                    const auto nan = is_nan ? kept_nan(name, pattern) : std::nullopt;
                    ++compared;
                    kept += nan ? 1 : 0;
                    ASSERT_EQ(Integer("0x" + d), nan ? *nan : expected(c, from, pattern, to))
                        << name << " of " << x;
                    // Its NaNs may have any pattern.
                    const Integer own = catalogued(name).run({{}, {}, pattern, {}, {}});
                    ASSERT_EQ(decode(to, own).is_nan, is_nan) << name << " of " << x;
                    if (!is_nan) {
                      ASSERT_EQ(own, Integer("0x" + d)) << name << " of " << x;
                    }
                  }
                });
  EXPECT_EQ(instructions.size(), 32U);
  EXPECT_GT(compared, 75'000U);
  EXPECT_GT(kept, 5U);
}

// On the device every pattern of f32 was compared with IEEE 754's rounding in integer arithmetic.
TEST(Conversions, OfEveryPatternRoundAsIeee754) {
  std::size_t instructions = 0;
  for_each_line(MMASPEC_TESTS_DIR "/data/hardware/conversions/h100.jsonl.gz",
                [&](std::string_view line, std::size_t) {
                  const Json row = Json::parse(line);
                  if (!row.contains("compared")) return;
                  ++instructions;
                  const auto name = row.at("compared").get<std::string>();
                  EXPECT_EQ(row.at("patterns").get<std::int64_t>(), std::int64_t{1} << 32) << name;
                  EXPECT_EQ(row.at("numbers_that_differ").get<std::int64_t>(), 0) << name;
                  const bool keeps_nan = kept_nan(name, 0x7f800001).has_value();
                  EXPECT_EQ(row.at("nans_that_differ").get<std::int64_t>() != 0, keeps_nan) << name;
                });
  EXPECT_EQ(instructions, 26U);
}

}  // namespace
}  // namespace mmaspec::conversions_test
