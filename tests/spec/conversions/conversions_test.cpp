// Conversion instructions: every one against the independent formats and rounding of tests/support,
// stochastic rounding against integer arithmetic, UE8M0, the names' keys, and what is refused.

#include "spec/conversions/conversions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "concrete/dot/model.h"
#include "spec/catalog/plan.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::conversions_test {
namespace {

using numeric::Kind;
using testing::HasSubstr;

std::string name_of(const ListedConversion& c, const std::string& values = "") {
  return c.architecture + "/" + c.mnemonic + values;
}

Integer converted_by(const std::string& name, const Integer& c) {
  const Instruction i = find_with_conversions(name);
  return DotModel(i.algorithm, i.formats).run({{}, {}, c, {}, {}});
}

/// All patterns of a format of 8 bits; of a wider one, drawn ones near the numbers of the narrow
/// one, or of 16 bits each 37th.
std::vector<std::uint64_t> patterns(const Format& from, const Format& to, int samples) {
  std::vector<std::uint64_t> all;
  if (from.storage_bits <= 16) {
    const std::uint64_t step = from.storage_bits == 16 ? 37 : 1;
    for (std::uint64_t p = 0; p < std::uint64_t{1} << from.storage_bits; p += step) {
      all.push_back(p);
    }
    return all;
  }
  numeric::Random random(3);
  const int least = std::max(to.least_exponent() - to.fraction_bits - 2, -149);
  for (int i = 0; i < samples; ++i) {
    const double size = std::ldexp(1.0 + static_cast<double>(random.bits(to.fraction_bits + 2)) /
                                             (1 << (to.fraction_bits + 2)),
                                   random.between(least, std::min(to.largest_exponent() + 1, 126)));
    const double x = random.coin() ? size : -size;
    std::uint64_t bits = 0;
    if (from == formats::f64) {
      std::memcpy(&bits, &x, sizeof bits);
    } else {
      const auto narrow = static_cast<float>(x);
      std::memcpy(&bits, &narrow, sizeof narrow);  // little-endian
    }
    const std::uint64_t mask = from == formats::f64 ? ~std::uint64_t{0} : 0xffffffff;
    all.push_back((bits + static_cast<std::uint64_t>(random.below(3)) - 1) & mask);
    all.push_back(random.bits(from.storage_bits));
  }
  return all;
}

/// True if .ftz makes a zero of the number.
bool is_flushed(const std::string& mnemonic, const Format& format, std::uint64_t pattern) {
  return mnemonic.find(".ftz.") != std::string::npos && format == formats::f32 &&
         (pattern >> 23U & 0xff) == 0;
}

Rounding rounding_of(const std::string& mnemonic) {
  if (mnemonic.find(".rz.") != std::string::npos || mnemonic.find("rtz") != std::string::npos) {
    return Rounding::toward_zero;
  }
  if (mnemonic.find(".rm.") != std::string::npos) return Rounding::down;
  if (mnemonic.find(".rp.") != std::string::npos) return Rounding::up;
  if (mnemonic.find(".rna.") != std::string::npos) return Rounding::nearest_away;
  return Rounding::nearest_even;
}

TEST(Conversions, EachRoundsAsTheIndependentFormatsDo) {
  int checked = 0;
  std::set<std::string> seen;  // the same conversion of another architecture is the same design
  for (const ListedConversion& c : conversion_names()) {
    const Format& from = *c.from;
    const Format& to = *c.to;
    const std::string design =
        c.mnemonic + " " + std::string(from.name) + " " + std::string(to.name);
    if (!seen.insert(design).second) continue;
    const bool stochastic = c.keys.find("random") != std::string::npos;
    if (stochastic || &to == &formats::ue8m0 || &from == &formats::ue8m0) continue;
    const int scale = c.keys.find("scale") == std::string::npos ? 0 : 3;
    const std::string name = name_of(c, scale == 0 ? "" : "(scale=3)");
    const bool multiplies = from.storage_bits < to.storage_bits;
    const numeric::Rational factor = numeric::two_to(multiplies ? scale : -scale);
    const bool nvidia = c.mnemonic.starts_with("cvt.");
    const bool saturates = c.mnemonic.find("satfinite") != std::string::npos || !to.has_nan();
    const Overflow overflow = saturates ? Overflow::saturate
                              : nvidia || c.mnemonic.find("rtz") != std::string::npos
                                  ? Overflow::directed
                                  : Overflow::to_infinity;
    const ResultFormat result{&to, rounding_of(c.mnemonic), Underflow::gradual, overflow};
    const Instruction i = find_with_conversions(name);
    const DotModel model(i.algorithm, i.formats);
    for (const std::uint64_t p : patterns(from, to, 300)) {
      const numeric::Meaning m = numeric::meaning(from.name, p);
      const Integer got = model.run({{}, {}, Integer(p), {}, {}});
      SCOPED_TRACE(name + " of " + to_hex(Integer(p)));
      const Integer largest = to.largest_finite() << static_cast<unsigned>(to.ignored_low_bits);
      const Integer minus = Integer(1) << static_cast<unsigned>(to.sign_bit());
      if (m.kind == Kind::nan) {
        ASSERT_EQ(got, to.has_nan() ? canonical_nan(to) : nvidia ? largest : Integer(0));
      } else if (m.negative && c.mnemonic.find(".relu") != std::string::npos) {
        ASSERT_EQ(got, 0);
      } else if (is_flushed(c.mnemonic, from, p)) {
        ASSERT_EQ(got, m.negative ? minus : Integer(0));
      } else if (m.kind == Kind::infinity && saturates) {
        ASSERT_EQ(got, largest + (m.negative ? minus : Integer(0)));
      } else if (m.kind == Kind::infinity) {
        ResultFormat infinite = result;
        infinite.overflow = Overflow::to_infinity;
        const auto far = numeric::place_of(to.name, numeric::two_to(20000));
        ASSERT_EQ(got, numeric::rounded(far, {m.negative}, infinite));
      } else {
        const auto place = numeric::place_of(to.name, numeric::exact(m.magnitude) * factor);
        const Integer wanted = numeric::rounded(place, {m.negative, m.negative}, result);
        const bool flushed = is_flushed(c.mnemonic, to, wanted.convert_to<std::uint64_t>());
        ASSERT_EQ(got, flushed ? (m.negative ? minus : Integer(0)) : wanted);
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 30000);
}

/// The operand rounded to a multiple of a unit of the result: away from zero if the fraction of
/// |c| in units and random * 2^-bits are 1 or more together.
Integer stochastically_rounded(const Format& from, std::uint64_t c, const Format& to, int bits,
                               int random, int exponent, bool tiny_is_zero, Overflow overflow) {
  const numeric::Meaning m = numeric::meaning(from.name, c);
  const numeric::Rational x = numeric::exact(m.magnitude) * numeric::two_to(exponent);
  int binade = to.least_exponent();
  while (numeric::two_to(binade + 1) <= x) ++binade;
  const int unit = binade - to.fraction_bits;
  const numeric::Rational units = x * numeric::two_to(-unit);
  const numeric::Rational sum = units + numeric::Rational(random) * numeric::two_to(-bits);
  numeric::Rational whole(Integer(numerator(sum) / denominator(sum)));
  if (tiny_is_zero && units < numeric::two_to(-1)) whole = 0;
  const auto place = numeric::place_of(to.name, whole * numeric::two_to(unit));
  return numeric::rounded(place, {m.negative, m.negative},
                          {&to, Rounding::toward_zero, Underflow::gradual, overflow});
}

TEST(Conversions, StochasticOnesRoundUpByTheFractionAndTheRandomBits) {
  numeric::Random random(11);
  int names = 0;
  int checked = 0;
  for (const ListedConversion& c : conversion_names()) {
    if (c.keys.find("random") == std::string::npos) continue;
    ++names;
    const Format& from = *c.from;
    const Format& to = *c.to;
    const bool nvidia = c.mnemonic.starts_with("cvt.");
    const bool saturates = c.mnemonic.find("satfinite") != std::string::npos || !to.has_nan();
    const bool relu = c.mnemonic.find(".relu") != std::string::npos;
    const bool scaled = c.keys.find("scale") != std::string::npos;
    const int bits = to == formats::f16 ? 13 : nvidia || to == formats::bf16 ? 16 : 24;
    for (int i = 0; i < 4; ++i) {
      const int r = i == 0 ? 0 : i == 1 ? (1 << bits) - 1 : random.below(1 << bits);
      const int scale = scaled ? random.between(-3, 3) : 0;
      const std::string name =
          name_of(c, (scaled ? "(scale=" + std::to_string(scale) + ",random=" : "(random=") +
                         std::to_string(r) + ")");
      const Instruction instruction = find_with_conversions(name);
      const DotModel model(instruction.algorithm, instruction.formats);
      for (const std::uint64_t p : patterns(formats::f32, to, 40)) {
        // Of a format of 16 bits: the high half of the drawn number, or as many low bits.
        const std::uint64_t c_bits = from.storage_bits == 32 ? p
                                     : from == formats::bf16 ? p >> 16U
                                                             : p & 0xffffU;
        const numeric::Meaning m = numeric::meaning(from.name, c_bits);
        if (m.kind == Kind::nan || m.kind == Kind::infinity) continue;
        const Integer got = model.run({{}, {}, Integer(c_bits), {}, {}});
        SCOPED_TRACE(name + " of " + to_hex(Integer(c_bits)));
        ++checked;
        if (relu && m.negative) {
          ASSERT_EQ(got, 0);
          continue;
        }
        const bool tiny_is_zero = !nvidia && to.storage_bits <= 8;
        ASSERT_EQ(got,
                  stochastically_rounded(from, c_bits, to, bits, r, -scale, tiny_is_zero,
                                         saturates ? Overflow::saturate : Overflow::to_infinity));
      }
    }
  }
  EXPECT_EQ(names, 39);
  EXPECT_GT(checked, 5000);
}

TEST(Conversions, FtzFlushesNumbersOfF32Alone) {
  // A subnormal number of f32 that .rp rounds up to the least number of f16.
  EXPECT_EQ(converted_by("hopper/cvt.rp.f16.f32", 1), 1);
  EXPECT_EQ(converted_by("hopper/cvt.rp.ftz.f16.f32", 1), 0);
  EXPECT_EQ(converted_by("hopper/cvt.rm.ftz.f16.f32", 0x80000001), 0x8000);
  EXPECT_EQ(converted_by("hopper/cvt.rn.ftz.f16.f32", 0x33800000), 1);  // subnormal in f16 alone
  EXPECT_EQ(converted_by("hopper/cvt.f32.bf16", 0x8001), 0x80010000);
  EXPECT_EQ(converted_by("hopper/cvt.ftz.f32.bf16", 0x8001), 0x80000000);
  EXPECT_EQ(converted_by("hopper/cvt.ftz.f32.bf16", 0x0080), 0x00800000);
  EXPECT_EQ(converted_by("hopper/cvt.ftz.f32.f16", 1), 0x33800000);
}

TEST(Conversions, Fp16OvflKeepsInfinitiesOf16Bits) {
  for (const std::string name : {"cdna4/v_cvt_f16_f32", "cdna4/v_cvt_pk_f16_f32"}) {
    EXPECT_EQ(converted_by(name, 0x47800000), 0x7c00);  // 65536
    EXPECT_EQ(converted_by(name + "(fp16_ovfl=1)", 0x47800000), 0x7bff);
    EXPECT_EQ(converted_by(name + "(fp16_ovfl=1)", 0xff800000), 0xfc00);
  }
  EXPECT_EQ(converted_by("cdna4/v_cvt_pk_bf16_f32(fp16_ovfl=1)", 0x7f7fffff), 0x7f7f);
  EXPECT_EQ(converted_by("cdna4/v_cvt_pk_bf16_f32(fp16_ovfl=1)", 0x7f800000), 0x7f80);
}

TEST(Conversions, ThoseRecordedOfAnH100AreOfHardware) {
  int recorded = 0;
  for (const Instruction& i : listed_conversions()) {
    const bool hardware =
        std::all_of(i.provenance.begin(), i.provenance.end(),
                    [](const Provenance& p) { return p.evidence == Evidence::hardware; });
    if (!hardware) continue;
    ++recorded;
    EXPECT_EQ(i.architecture, "hopper") << i.name();
  }
  EXPECT_EQ(recorded, 32);
}

TEST(Conversions, PowersOfTwoEncloseTheMagnitude) {
  const auto rz = [](std::uint32_t c) { return converted_by("blackwell/cvt.rz.ue8m0x2.f32", c); };
  const auto rp = [](std::uint32_t c) { return converted_by("blackwell/cvt.rp.ue8m0x2.f32", c); };
  EXPECT_EQ(rz(0x3f800000), 127);  // 1
  EXPECT_EQ(rp(0x3f800000), 127);
  EXPECT_EQ(rz(0xbfc00000), 127);  // -1.5: the sign has no effect
  EXPECT_EQ(rp(0xbfc00000), 128);
  EXPECT_EQ(rz(0), 0);
  EXPECT_EQ(rp(0), 0);
  EXPECT_EQ(converted_by("blackwell/cvt.rp.ue8m0x2.bf16x2", 0x8000), 0);
  EXPECT_EQ(rp(1), 0);  // 2^-149, below the least power
  EXPECT_EQ(rp(0x00400000), 0);
  EXPECT_EQ(rp(0x00400001), 1);
  EXPECT_EQ(rz(0x7f7fffff), 254);
  EXPECT_EQ(rp(0x7f7fffff), 255);
  EXPECT_EQ(converted_by("blackwell/cvt.rp.satfinite.ue8m0x2.f32", 0x7f7fffff), 254);
  EXPECT_EQ(converted_by("blackwell/cvt.rz.satfinite.ue8m0x2.f32", 0x7f800000), 254);
  EXPECT_EQ(converted_by("blackwell/cvt.rz.satfinite.ue8m0x2.f32", 0x7fc00000), 255);
  EXPECT_EQ(converted_by("blackwell/cvt.rn.bf16x2.ue8m0x2", 0), 0x40);  // 2^-127 is subnormal
  EXPECT_EQ(converted_by("blackwell/cvt.rn.bf16x2.ue8m0x2", 254), 0x7f00);
}

/// The magnitude of f32 as E4M3, by adding the seed's highest bits to the bits that are cut.
std::uint32_t stochastic_e4m3(std::uint32_t magnitude, std::uint32_t seed) {
  const int field = static_cast<int>(magnitude >> 23) - 127 + 7;
  const std::uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  const int cut = field >= 1 ? 20 : 21 - field;
  if (cut > 24) return 0;
  const std::uint32_t carried = significand + (seed >> (32 - cut));
  const std::uint32_t kept = carried >> cut;
  // A carry out of the significand increments the exponent's field.
  const std::uint32_t packed = (field >= 1 ? static_cast<std::uint32_t>(field - 1) << 3 : 0) + kept;
  return std::min(packed, std::uint32_t{0x7f});
}

TEST(Conversions, StochasticRoundingAddsTheSeedToTheBitsThatAreCut) {
  numeric::Random random(5);
  for (int i = 0; i < 40; ++i) {
    const auto seed = static_cast<std::uint32_t>(random.bits(32));
    const Instruction instruction =
        find_with_conversions("cdna4/v_cvt_sr_fp8_f32(random=" + std::to_string(seed >> 8) + ")");
    const DotModel model(instruction.algorithm, instruction.formats);
    for (int j = 0; j < 50; ++j) {
      const auto magnitude = static_cast<std::uint32_t>(
          (static_cast<std::uint64_t>(random.between(127 - 12, 127 + 8)) << 23) + random.bits(23));
      const bool negative = random.coin();
      const Integer got =
          model.run({{}, {}, Integer(magnitude | (negative ? 0x80000000U : 0U)), {}, {}});
      const std::uint32_t expected = stochastic_e4m3(magnitude, seed);
      if (expected == 0x7f) {
        ASSERT_EQ(got & 0x7f, 0x7f);
      } else {
        ASSERT_EQ(got, expected | (negative ? 0x80U : 0U))
            << to_hex(Integer(magnitude)) << " " << seed;
      }
    }
  }
}

TEST(Conversions, RandomBitsOfZeroRoundTowardZero) {
  const std::string rs = "design:conversion(c=f32,d=bf16,random_bits=16,random=";
  for (const std::uint32_t c : {0x3f80ffffU, 0xbf80ffffU, 0x00018000U, 0x7f7fffffU}) {
    EXPECT_EQ(converted_by(rs + "0)", c), c >> 16);
  }
  EXPECT_EQ(converted_by(rs + "1)", 0x3f80ffff), 0x3f81);
  EXPECT_EQ(converted_by(rs + "65535)", 0x3f800001), 0x3f81);
  EXPECT_EQ(converted_by(rs + "65535)", 0x3f800000), 0x3f80);
  EXPECT_EQ(converted_by(rs + "65535)", 0x7f7fffff), 0x7f80);  // the carry overflows
}

TEST(Conversions, PlansConvertByTheSameText) {
  for (const auto& [saturate, overflow] : {std::pair{"no", "infinity"}, {"yes", "saturate"}}) {
    const Instruction plan = find_plan(
        std::string("convert(design:sequential-fma(a=e4m3,k=1),k=1,a=f32,b=f32,saturate=") +
        saturate + ")");
    const DotModel model(plan.algorithm, plan.formats);
    for (const std::uint32_t c : {0x3f880000U, 0x43f00001U, 0x44800000U, 0x3a800000U}) {
      const Integer small =
          converted_by(std::string("design:conversion(c=f32,d=e4m3,overflow=") + overflow + ")", c);
      const Integer d = model.run({{Integer(c)}, {0x3f800000}, 0, {}, {}});
      const Integer wide = converted_by("design:conversion(c=e4m3,d=f32)", small);
      if ((small & 0x7f) == 0x7f) continue;  // NaN
      EXPECT_EQ(d, wide) << to_hex(Integer(c));
    }
  }
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Conversions, ReluTurnsNegativeResultsIntoZero) {
  for (const char* d : {"e5m2", "e4m3", "bf16", "e2m1"}) {
    const std::string name = std::string("design:conversion(c=f16,d=") + d;
    for (std::uint32_t c = 0; c < 1U << 16; c += 13) {
      const Integer plain = converted_by(name + ")", c);
      const Decoded operand = decode(formats::f16, c);
      const Integer wanted = operand.negative && !operand.is_nan ? Integer(0) : plain;
      ASSERT_EQ(converted_by(name + ",relu=yes)", c), wanted) << d << " " << c;
    }
  }
  EXPECT_EQ(converted_by("ampere/cvt.rn.relu.bf16.f32", 0xff800000), 0);
  EXPECT_EQ(converted_by("ada/cvt.rn.satfinite.relu.e4m3x2.f32", 0x44fa0000), 0x7e);
}

TEST(Conversions, NamesSayWhatTheyTake) {
  EXPECT_THAT(refusal([] { find_with_conversions("cdna3/v_cvt_sr_fp8_f32"); }),
              HasSubstr("random=R"));
  EXPECT_THAT(refusal([] { find_with_conversions("cdna4/v_cvt_scalef32_pk_fp4_f32(scale=200)"); }),
              HasSubstr("scale"));
  EXPECT_THAT(refusal([] { find_with_conversions("hopper/cvt.rna.tf32.f32(scale=1)"); }),
              HasSubstr("scale"));
  EXPECT_THAT(refusal([] { find_with_conversions("volta/cvt.rn.bf16.f32"); }),
              HasSubstr("mmaspec list --conversions"));
  EXPECT_THAT(refusal([] { find_with_conversions("design:conversion(d=ue8m0)"); }),
              HasSubstr("rz or ru"));
  EXPECT_THAT(
      refusal([] { find_with_conversions("design:conversion(d=ue8m0,round=rz,relu=yes)"); }),
      HasSubstr("no negative results"));
  EXPECT_THAT(refusal([] { find_with_conversions("design:conversion(d=s8)"); }),
              HasSubstr("integers"));
  EXPECT_THAT(refusal([] { find_with_conversions("design:conversion(random=4,random_bits=2)"); }),
              HasSubstr("random"));
  // Commands on dot products refuse them.
  EXPECT_THAT(refusal([] { find_instruction("hopper/cvt.rna.tf32.f32"); }),
              HasSubstr("converts a number"));
  EXPECT_EQ(find_with_conversions("H100/CVT.RNA.TF32.F32").name(), "hopper/cvt.rna.tf32.f32");
}

TEST(Conversions, FnuzOverflowsToNanUnlessTheModeSaturates) {
  const std::string name = "cdna3/v_cvt_pk_fp8_f32";
  EXPECT_EQ(converted_by(name, 0x43960000), 0x80);                    // 300
  EXPECT_EQ(converted_by(name + "(fp16_ovfl=1)", 0x43960000), 0x7f);  // 240
  EXPECT_EQ(converted_by(name + "(fp16_ovfl=1)", 0xff800000), 0xff);
  EXPECT_EQ(converted_by(name, 0x80000000), 0);  // there is no -0
}

}  // namespace
}  // namespace mmaspec::conversions_test
