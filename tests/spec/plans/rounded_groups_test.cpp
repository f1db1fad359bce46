// RISC-V's Integrated Matrix Extension: its names, and each of its roundings and scale factors
// against rational arithmetic.

#include "spec/plans/instructions/rounded_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::rounded_groups_test {
namespace {

using numeric::Rational;
using testing::HasSubstr;

/// A finite number of the format with an exponent near 0, as its pattern.
std::uint64_t draw(const Format& f, numeric::Random& random) {
  if (f.storage_bits < 8) return random.bits(f.storage_bits);
  const auto fraction = random.bits(f.fraction_bits);
  const auto field = static_cast<std::uint64_t>(f.bias + random.between(-6, 6));
  const std::uint64_t sign = random.coin() ? std::uint64_t{1} << f.sign_bit() : 0;
  return random.below(8) == 0 ? sign : sign | field << f.fraction_bits | fraction;
}

/// A number, an infinity or a NaN, with the sign of a zero.
struct Number {
  bool is_nan = false;
  bool is_infinite = false;
  bool negative = false;
  Rational magnitude = 0;

  bool is_zero() const { return !is_nan && !is_infinite && magnitude == 0; }
  Rational value() const { return negative ? Rational(-magnitude) : magnitude; }
};

Number decoded(const Format& f, const Integer& pattern) {
  const auto bits = pattern.convert_to<std::uint64_t>();
  if (f.is_integer()) {
    const auto width = static_cast<unsigned>(f.storage_bits);
    const bool negative = f.has_sign && (bits >> (width - 1) & 1U) != 0;
    const Integer x = negative ? Integer(pattern - (Integer(1) << width)) : pattern;
    return {false, false, negative, Rational(boost::multiprecision::abs(x))};
  }
  const numeric::Meaning m = numeric::meaning(f.name, bits);
  if (m.kind == numeric::Kind::nan) return {true, false, false, 0};
  if (m.kind == numeric::Kind::infinity) return {false, true, m.negative, 0};
  const Rational value = numeric::value(f.name, bits);
  return {false, false, m.negative, value < 0 ? Rational(-value) : value};
}

Number operator*(const Number& x, const Number& y) {
  const bool negative = x.negative != y.negative;
  if (x.is_nan || y.is_nan || (x.is_infinite && y.is_zero()) || (x.is_zero() && y.is_infinite)) {
    return {true, false, false, 0};
  }
  if (x.is_infinite || y.is_infinite) return {false, true, negative, 0};
  return {false, false, negative, x.magnitude * y.magnitude};
}

/// For every rounding but down: a zero sum is -0 for two summands of -0 only.
Number operator+(const Number& x, const Number& y) {
  if (x.is_nan || y.is_nan || (x.is_infinite && y.is_infinite && x.negative != y.negative)) {
    return {true, false, false, 0};
  }
  if (x.is_infinite || y.is_infinite) return x.is_infinite ? x : y;
  const Rational sum = x.value() + y.value();
  const bool negative = sum == 0 ? x.negative && y.negative : sum < 0;
  return {false, false, negative, sum < 0 ? Rational(-sum) : sum};
}

/// Rounded to the format. Numbers beyond the largest overflow by IEEE 754's rule for the rounding.
/// To odd, they become the largest number.
Number rounded(const Format& f, Rounding how, const Number& x) {
  if (x.is_nan || x.is_infinite) return x;
  const Rational largest = numeric::value(f.name, f.largest_finite().convert_to<std::uint64_t>());
  if (how == Rounding::to_odd && x.magnitude > largest) return {false, false, x.negative, largest};
  const Integer pattern =
      numeric::rounded(numeric::place_of(f.name, x.magnitude), {x.negative, x.negative, true},
                       {&f, how, Underflow::gradual, Overflow::directed});
  return decoded(f, pattern);
}

struct Roundings {
  bool rounds_partial_sums;
  Rounding partial;
  Rounding frm;
};

/// d, for groups of this many products; each block of the scale factors has whole groups.
Number expected(const DotFormats& f, int group, const Roundings& how, const DotValues& in) {
  Number d = decoded(*f.c, in.c);
  const auto size = static_cast<std::size_t>(group);
  for (std::size_t k = 0; k < in.a.size(); k += size) {
    Number sum;
    for (std::size_t i = k; i < k + size; ++i) {
      sum = sum + decoded(*f.a, in.a[i]) * decoded(*f.b, in.b[i]);
    }
    if (how.rounds_partial_sums) sum = rounded(*f.d, how.partial, sum);
    if (f.scale != nullptr) {
      const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
      const auto scale = [&](const std::vector<Integer>& all) {
        const auto field = all[block].convert_to<int>();
        if (field == 255) return Number{true, false, false, 0};
        return rounded(*f.d, how.frm, {false, false, false, numeric::two_to(field - 127)});
      };
      const Number factor = rounded(*f.d, how.frm, scale(in.scale_a) * scale(in.scale_b));
      if (factor.is_nan) return factor;
      sum = sum * factor;
      if (how.rounds_partial_sums) sum = rounded(*f.d, how.frm, sum);
    }
    d = rounded(*f.d, how.frm, d + sum);
  }
  return d;
}

/// Any pattern; or a number with an exponent near 0 or near the largest.
Integer any_operand(const Format& f, numeric::Random& random) {
  if (f.is_integer() || random.below(4) == 0) return random.bits(f.storage_bits);
  if (random.coin()) return draw(f, random);
  const std::uint64_t below = random.bits(std::min(f.fraction_bits + 2, f.storage_bits - 1));
  const auto largest = f.largest_finite().convert_to<std::uint64_t>();
  const std::uint64_t sign = random.coin() ? std::uint64_t{1} << f.sign_bit() : 0;
  return sign | (largest - std::min(below, largest));
}

/// Compares a name's results with expected(), for operands that overflow, underflow and are not
/// finite, too.
void compare(const std::string& name, int group, const Roundings& how, int rows,
             numeric::Random& random) {
  const Instruction i = find_instruction("riscv/" + name);
  const DotFormats& f = i.formats;
  const DotModel model(i.algorithm, f);
  for (int n = 0; n < rows; ++n) {
    DotValues in;
    const bool any = random.coin();
    const auto operand = [&](const Format& of) {
      return any               ? any_operand(of, random)
             : of.is_integer() ? Integer(random.bits(of.storage_bits))
                               : draw(of, random);
    };
    for (int k = 0; k < f.k; ++k) {
      in.a.push_back(operand(*f.a));
      in.b.push_back(operand(*f.b));
    }
    in.c = any_operand(*f.c, random);
    const bool near = random.below(4) != 0;
    for (int s = 0; s < f.scales(); ++s) {
      const auto scale = [&] { return near ? random.between(117, 137) : random.between(0, 255); };
      in.scale_a.emplace_back(scale());
      in.scale_b.emplace_back(scale());
    }
    const Integer got = model.run(in);
    const Number wanted = expected(f, group, how, in);
    const Number is = decoded(*f.d, got);
    ASSERT_TRUE(is.is_nan == wanted.is_nan && is.is_infinite == wanted.is_infinite &&
                (is.is_nan || is.negative == wanted.negative) && is.magnitude == wanted.magnitude)
        << name << " c=" << to_hex(in.c) << " d=" << to_hex(got) << " is not " << wanted.value();
  }
}

const std::vector<std::pair<std::string, Rounding>>& rounding_modes() {
  static const std::vector<std::pair<std::string, Rounding>> all = {
      {"rne", Rounding::nearest_even},
      {"rtz", Rounding::toward_zero},
      {"rup", Rounding::up},
      {"rmm", Rounding::nearest_away}};
  return all;
}

TEST(RoundedGroups, FollowTheDraftsModel) {
  numeric::Random random(11);
  for (const std::string rounding : {"xct", "frm", "rto"}) {
    for (const auto& [frm, mode] : rounding_modes()) {
      for (const auto& [types, w] : {std::pair{"f32.bf16.bf16", 2},
                                     {"f16.e4m3.e5m2", 2},
                                     {"f32.e4m3.e4m3", 4},
                                     {"f16.f16.bf16", 1}}) {
        const std::string letters = w == 1 ? "" : w == 2 ? "w" : "q";
        for (const int group : {1, 2}) {
          compare("vf" + letters + "mmacc." + types + ".lambda4.g" + std::to_string(group) + "." +
                      rounding + "." + frm,
                  group * w, {rounding != "xct", rounding == "rto" ? Rounding::to_odd : mode, mode},
                  60, random);
        }
      }
    }
  }
}

TEST(RoundedGroups, ScaleAsTheDraftSays) {
  numeric::Random random(13);
  for (const std::string rounding : {"xct", "frm", "rto"}) {
    for (const auto& [frm, mode] : rounding_modes()) {
      const Roundings how{rounding != "xct", rounding == "rto" ? Rounding::to_odd : mode, mode};
      const std::string suffix = "." + rounding + "." + frm;
      const auto check = [&](const std::string& name, int group) {
        compare(name + suffix, group, how, 60, random);
      };
      check("vfwmmacc.mx32.f16.e4m3.e5m2.lambda4.g2", 4);
      check("vfwmmacc.mx32.bf16.e5m2.e5m2.lambda2.g1", 2);
      check("vfqmmacc.mx16.f32.e4m3.e4m3.lambda8.g8", 16);  // two blocks end groups
      check("vfqmmacc.mx32.f16.e2m1.e2m1.lambda4.g4", 16);
      check("vf8wmmacc.mx32.f64.e5m2.e4m3.lambda8.g1", 8);
    }
  }
}

TEST(RoundedGroups, ScaleSumsOfIntegers) {
  numeric::Random random(14);
  for (const auto& [frm, mode] : rounding_modes()) {
    const Roundings how{true, mode, mode};
    compare("vfwimmacc.mx32.f16.s8.s8.lambda4." + frm, 8, how, 200, random);
    compare("vfwimmacc.mx16.bf16.s8.s8.lambda16." + frm, 16, how, 100, random);
    compare("vfqimmacc.mx32.f32.s8.s8.lambda16." + frm, 32, how, 100, random);
    compare("vf8wimmacc.mx32.f32.s4.s4.lambda2." + frm, 16, how, 200, random);
    compare("vf8wimmacc.mx16.f64.s8.s8.lambda4." + frm, 16, how, 100, random);
  }
}

// Each of these is what a careful reading of the draft's section on scale factors says.
TEST(RoundedGroups, ScaleFactorsOverflowInTheResultsFormat) {
  const Instruction i = find_instruction("riscv/vfwimmacc.mx32.f16.s8.s8.lambda1");
  const DotModel model(i.algorithm, i.formats);
  const auto d = [&](int a, int scale_a, int scale_b) {
    return model.run({{a, 0}, {1, 0}, 0x3c00, {scale_a}, {scale_b}});
  };
  EXPECT_EQ(d(3, 127, 127), 0x4400);
  EXPECT_EQ(d(3, 127 + 4, 127 - 4), 0x4400);
  EXPECT_EQ(d(3, 127 + 16, 127 - 16), 0x7c00);                         // 2^16 is infinite in f16
  EXPECT_EQ(decoded(*i.formats.d, d(0, 143, 127)).is_nan, true);       // infinity times 0
  EXPECT_EQ(decoded(*i.formats.d, d(3, 143, 127 - 26)).is_nan, true);  // infinity times 2^-26
  EXPECT_EQ(decoded(*i.formats.d, d(3, 255, 127)).is_nan, true);
}

TEST(RoundedGroups, OverflowByTheRoundingMode) {
  const auto d = [](const std::string& choices) {
    const Instruction i = find_instruction("riscv/vfmmacc.f16.f16.f16.lambda2.g2." + choices);
    return DotModel(i.algorithm, i.formats)
        .run({{0x7bff, 0x7bff}, {0x3c00, 0x3c00}, 0xfbff, {}, {}});  // 2 * 65504 - 65504
  };
  EXPECT_EQ(d("xct"), 0x7bff);
  EXPECT_EQ(d("frm"), 0x7c00);
  EXPECT_EQ(d("frm.rtz"), 0);  // the largest number minus itself
  EXPECT_EQ(d("frm.rup"), 0x7c00);
  EXPECT_EQ(d("rto"), 0);
}

// Algorithms of other units stand for these roundings where they compute the same.
TEST(RoundedGroups, AreComputedAlikeByOtherAlgorithms) {
  numeric::Random random(15);
  for (const auto& [name, group] : {std::pair{"vfmmacc.f16.f16.f16.lambda2.g1.frm", 1},
                                    {"vfwmmacc.f16.e5m2.e5m2.lambda2.g1.frm", 2},
                                    {"vfwmmacc.f32.f16.f16.lambda2.g2.frm", 4}}) {
    const Instruction i = find_instruction(std::string("riscv/") + name);
    ASSERT_EQ(i.algorithm.as<Composed>(), nullptr) << name;
    const Algorithm groups = Composed{
        std::make_shared<RoundedGroups>(group, Rounding::nearest_even, Rounding::nearest_even)};
    const DotModel one(i.algorithm, i.formats);
    const DotModel two(groups, i.formats);
    for (int n = 0; n < 500; ++n) {
      DotValues in;
      for (int k = 0; k < i.formats.k; ++k) {
        in.a.push_back(any_operand(*i.formats.a, random));
        in.b.push_back(any_operand(*i.formats.b, random));
      }
      in.c = any_operand(*i.formats.c, random);
      const Integer x = one.run(in);
      const Integer y = two.run(in);
      ASSERT_TRUE(x == y || (decoded(*i.formats.d, x).is_nan && decoded(*i.formats.d, y).is_nan))
          << name;
    }
  }
}

TEST(RoundedGroups, AreCataloguedAsTheyAreNamed) {
  int found = 0;
  for (const Instruction& listed : catalogue()) {
    if (listed.architecture != "riscv" || listed.mnemonic.find("mmacc") == std::string::npos) {
      continue;
    }
    ++found;
    const Instruction named = find_instruction(listed.name());
    EXPECT_TRUE(named.algorithm == listed.algorithm) << listed.name();
    EXPECT_TRUE(named.formats == listed.formats) << listed.name();
    ASSERT_EQ(named.provenance.size(), listed.provenance.size());
    for (std::size_t i = 0; i < named.provenance.size(); ++i) {
      EXPECT_EQ(named.provenance[i].source, listed.provenance[i].source);
    }
  }
  EXPECT_GT(found, 20);
}

TEST(RoundedGroups, RoundingOfPartialSumsIsVisible) {
  // 1 + (2^-8 * 1 + 2^-24 * 1) * ..., in f16: the partial sum loses its low part.
  const auto d = [](const std::string& rounding) {
    const Instruction i = find_instruction("riscv/vfmmacc.f16.f16.f16.lambda2.g2." + rounding);
    const auto f16 = [](const char* x) { return parse_pattern_of(formats::f16, x); };
    return DotModel(i.algorithm, i.formats)
        .run({{f16("0x1p-11"), f16("0x1p-14")}, {f16("1"), f16("0x1p-10")}, f16("1"), {}, {}});
  };
  EXPECT_EQ(d("xct"), 0x3c01);  // above the tie
  EXPECT_EQ(d("rto"), 0x3c01);
  EXPECT_EQ(d("frm"), 0x3c00);  // the tie, to even
}

std::string refusal(const std::string& name) {
  try {
    find_instruction(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RoundedGroups, NamesAreChecked) {
  EXPECT_THAT(refusal("riscv/vfwmmacc.f32.bf16.bf16.lambda4.g8.xct"), HasSubstr("exceeds"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.f32.e4m3.e4m3.lambda4.g2.xct"), HasSubstr("1/2"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.f32.bf16.bf16.lambda4.g2"), HasSubstr("expected vf"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.f32.bf16.bf16.lambda4.g2.xct.rdn"), HasSubstr("expected vf"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.f32.s8.s8.lambda4.g2.xct"),
              HasSubstr("floating-point format"));
  EXPECT_THAT(refusal("riscv/vfmmacc.bf16.f16.f16.lambda4.g2.xct"), HasSubstr("reserved"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.f64.tf32.tf32.lambda2.g1.xct"), HasSubstr("inputs"));
  EXPECT_THAT(refusal("riscv/vfwmmacc.mx32.f32.f16.f16.lambda2.g1.xct"), HasSubstr("8-bit"));
  EXPECT_THAT(refusal("riscv/vfqimmacc.mx32.f32.u8.u8.lambda2"), HasSubstr("expected"));
  EXPECT_THAT(refusal("riscv/vfwimmacc.mx32.f32.s8.s8.lambda2"), HasSubstr("1/2"));
  EXPECT_TRUE(find_instruction("riscv/vfwmmacc.f32.bf16.bf16.lambda4.g2.xct").algorithm ==
              find_instruction("riscv/vfwmmacc.f32.bf16.bf16.lambda8.g2.xct.rne").algorithm);
}

TEST(RoundedGroups, IntegersWrapInAnyOrder) {
  numeric::Random random(12);
  for (const auto& [name, w] : {std::pair{"vmmacc.s8.s8.u8.lambda4", 1},
                                {"vmmacc.s16.s16.s16.lambda8", 1},
                                {"vmmacc.s32.s32.s32.lambda2", 1},
                                {"vwmmacc.s8.s4.u4.lambda2", 2},
                                {"vwmmacc.s16.u8.u8.lambda4", 2},
                                {"vqmmacc.s32.s8.s8.lambda8", 4},
                                {"v8wmmacc.s32.u4.s4.lambda16", 8}}) {
    const Instruction i = find_instruction(std::string("riscv/") + name);
    const DotFormats& f = i.formats;
    ASSERT_EQ(f.k % w, 0);
    const DotModel model(i.algorithm, f);
    const auto number = [](const Format& format, std::uint64_t pattern) {
      const auto bits = static_cast<unsigned>(format.storage_bits);
      const bool negative = format.has_sign && (pattern >> (bits - 1) & 1U) != 0;
      return static_cast<std::int64_t>(pattern) -
             (negative ? std::int64_t{1} << bits : std::int64_t{0});
    };
    for (int n = 0; n < 200; ++n) {
      DotValues in;
      std::uint64_t sum = random.bits(f.d->storage_bits);
      in.c = sum;
      for (int k = 0; k < f.k; ++k) {
        const std::uint64_t a = random.bits(f.a->storage_bits);
        const std::uint64_t b = random.bits(f.b->storage_bits);
        in.a.emplace_back(a);
        in.b.emplace_back(b);
        sum += static_cast<std::uint64_t>(number(*f.a, a)) *
               static_cast<std::uint64_t>(number(*f.b, b));
      }
      const std::uint64_t mask = (std::uint64_t{1} << f.d->storage_bits) - 1;
      ASSERT_EQ(model.run(in), Integer(sum & mask)) << name;
    }
  }
  for (const auto& [name, reason] :
       {std::pair{"vmmacc.s16.u16.s16.lambda4", "not an integer format"},
        {"vqmmacc.s32.s8.s4.lambda4", "not 1/4 of the bits"},
        {"vqmmacc.s32.e4m3.e4m3.lambda4", "expected"},
        {"vqmmacc.s32.s8.s8.lambda3", "expected"}}) {
    try {
      find_instruction(std::string("riscv/") + name);
      ADD_FAILURE() << name;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

}  // namespace
}  // namespace mmaspec::rounded_groups_test
