// RISC-V's Integrated Matrix Extension: its names, and each of its roundings against rational
// arithmetic.

#include "spec/plans/instructions/rounded_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

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
  const auto fraction = random.bits(f.fraction_bits);
  const auto field = static_cast<std::uint64_t>(f.bias + random.between(-6, 6));
  const std::uint64_t sign = random.coin() ? std::uint64_t{1} << f.sign_bit() : 0;
  return random.below(8) == 0 ? sign : sign | field << f.fraction_bits | fraction;
}

struct Roundings {
  bool rounds_partial_sums;
  Rounding partial;
  Rounding frm;
};

/// d by rational arithmetic, for groups of this many products.
Integer expected(const DotFormats& f, int group, const Roundings& how, const DotValues& in) {
  const std::string_view d = f.d->name;
  Rational sum = numeric::value(d, in.c.convert_to<std::uint64_t>());
  Integer pattern = in.c;
  for (std::size_t k = 0; k < in.a.size(); k += static_cast<std::size_t>(group)) {
    Rational partial = 0;
    for (std::size_t i = k; i < k + static_cast<std::size_t>(group); ++i) {
      partial += numeric::value(f.a->name, in.a[i].convert_to<std::uint64_t>()) *
                 numeric::value(f.b->name, in.b[i].convert_to<std::uint64_t>());
    }
    if (how.rounds_partial_sums) {
      const Integer rounded = numeric::round_to({f.d, how.partial}, partial);
      partial = numeric::value(d, rounded.convert_to<std::uint64_t>());
    }
    pattern = numeric::round_to({f.d, how.frm}, sum + partial);
    sum = numeric::value(d, pattern.convert_to<std::uint64_t>());
  }
  return pattern;
}

TEST(RoundedGroups, FollowTheDraftsModel) {
  const std::vector<std::pair<std::string, Rounding>> modes = {{"rne", Rounding::nearest_even},
                                                               {"rtz", Rounding::toward_zero},
                                                               {"rup", Rounding::up},
                                                               {"rmm", Rounding::nearest_away}};
  numeric::Random random(11);
  for (const std::string rounding : {"xct", "frm", "rto"}) {
    for (const auto& [frm, mode] : modes) {
      for (const auto& [types, w] : {std::pair{"f32.bf16.bf16", 2},
                                     {"f16.e4m3.e5m2", 2},
                                     {"f32.e4m3.e4m3", 4},
                                     {"f16.f16.bf16", 1}}) {
        const std::string letters = w == 1 ? "" : w == 2 ? "w" : "q";
        const Instruction i = find_instruction("riscv/vf" + letters + "mmacc." + types +
                                               ".lambda4.g2." + rounding + "." + frm);
        ASSERT_EQ(i.formats.k, 4 * w);
        const DotModel model(i.algorithm, i.formats);
        const Roundings how{rounding != "xct", rounding == "rto" ? Rounding::to_odd : mode, mode};
        for (int n = 0; n < 60; ++n) {
          DotValues in;
          for (int k = 0; k < i.formats.k; ++k) {
            in.a.emplace_back(draw(*i.formats.a, random));
            in.b.emplace_back(draw(*i.formats.b, random));
          }
          in.c = draw(*i.formats.c, random);
          const Integer got = model.run(in);
          const Integer wanted = expected(i.formats, 2 * w, how, in);
          const Integer sign = Integer(1) << static_cast<unsigned>(i.formats.d->sign_bit());
          if (wanted == 0) {
            ASSERT_TRUE(got == 0 || got == sign) << i.name();
          } else {
            ASSERT_EQ(got, wanted) << i.name() << " c=" << to_hex(in.c);
          }
        }
      }
    }
  }
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
