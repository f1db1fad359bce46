// Integer dot-adds compared with loops over machine integers, mainly near the limits of 32 bits.

#include "spec/algorithms/vector/integer_dot_add.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::integer_dot_add_test {
namespace {

using Random = std::mt19937_64;

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();

/// One dot product as machine integers.
struct Row {
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  std::int64_t c;
};

/// For results of this many bits.
std::int64_t wrapped(const Row& row, int bits) {
  auto sum = static_cast<std::uint64_t>(row.c);
  for (std::size_t k = 0; k < row.a.size(); ++k) {
    sum += static_cast<std::uint64_t>(row.a[k]) * static_cast<std::uint64_t>(row.b[k]);
  }
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(sum << unused) >> unused;
}
std::int64_t wrapped_to_32_bits(const Row& row) { return wrapped(row, 32); }

std::int64_t saturated(const Row& row, std::size_t group) {
  std::int64_t d = row.c;
  for (std::size_t first = 0; first < row.a.size(); first += group) {
    for (std::size_t k = first; k < first + group; ++k) d += row.a[k] * row.b[k];
    if (d > kMost) d = kMost;
    if (d < kLeast) d = kLeast;
  }
  return d;
}

std::int64_t drawn(const Format& f, Random& random) {
  const auto least = f.least_integer().convert_to<std::int64_t>();
  const auto most = f.largest_integer().convert_to<std::int64_t>();
  switch (random() % 4) {
    case 0:
      return least;
    case 1:
      return most;
    default:
      return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  }
}

Row drawn_row(const DotFormats& f, Random& random) {
  Row row{{}, {}, drawn(*f.c, random)};
  Integer sum = 0;
  for (int k = 0; k < f.k; ++k) {
    row.a.push_back(drawn(*f.a, random));
    row.b.push_back(drawn(*f.b, random));
    sum += Integer(row.a.back()) * row.b.back();
  }
  if (random() % 2 == 0) {  // the sum is near a limit
    const Integer least = f.c->least_integer();
    const Integer most = f.c->largest_integer();
    const Integer c = (sum > 0 ? most : least) - sum + random() % 9 - 4;
    row.c = std::clamp(c, least, most).convert_to<std::int64_t>();
  }
  return row;
}

DotValues patterns_of(const DotFormats& f, const Row& row) {
  const auto pattern = [](const Format& format, std::int64_t x) {
    return x < 0 ? Integer(Integer(x) + power_of_two(static_cast<unsigned>(format.storage_bits)))
                 : Integer(x);
  };
  DotValues values{{}, {}, pattern(*f.c, row.c), {}, {}};
  for (const std::int64_t x : row.a) values.a.push_back(pattern(*f.a, x));
  for (const std::int64_t x : row.b) values.b.push_back(pattern(*f.b, x));
  return values;
}

/// The number of results that differ from those without a limit, or with limits elsewhere.
template <typename Expected>
int compare(const std::string& name, const Expected& expected) {
  const Instruction i = find_instruction(name);
  const DotModel model(i.algorithm, i.formats);
  Random random(static_cast<unsigned>(i.formats.k));
  int at_an_end = 0;
  for (int n = 0; n < 400; ++n) {
    const Row row = drawn_row(i.formats, random);
    const std::int64_t d = expected(row);
    const auto bits = static_cast<unsigned>(i.formats.d->storage_bits);
    const Integer pattern = d < 0 ? Integer(Integer(d) + power_of_two(bits)) : Integer(d);
    EXPECT_EQ(model.run(patterns_of(i.formats, row)), pattern) << name;
    Integer exact = row.c;
    for (std::size_t k = 0; k < row.a.size(); ++k) exact += Integer(row.a[k]) * row.b[k];
    if (exact != d) ++at_an_end;
  }
  return at_an_end;
}

constexpr std::array kFormats = {"a=s8", "a=u8", "a=u8,b=s8", "a=s8,b=u8", "a=s4", "a=u4", "a=s16"};

TEST(IntegerDotAdd, Wraps) {
  for (const std::string formats : kFormats) {
    for (const std::string k : {"1", "2", "4", "16"}) {
      EXPECT_GT(compare("design:integer-dot-add(" + formats + ",k=" + k + ")", wrapped_to_32_bits),
                20);
    }
  }
}

TEST(IntegerDotAdd, Saturates) {
  for (const std::string formats : kFormats) {
    for (const int group : {1, 2, 4, 8}) {
      const std::string design = "design:integer-dot-add(" + formats +
                                 ",k=8,overflow=saturate,group=" + std::to_string(group) + ")";
      EXPECT_GT(
          compare(design,
                  [&](const Row& row) { return saturated(row, static_cast<std::size_t>(group)); }),
          20);
    }
  }
}

// Each instruction of the catalogue, according to its manual.
TEST(IntegerDotAdd, AgreesWithTheManuals) {
  int wrap = 0;
  int saturate = 0;
  for (const Instruction& i : catalogue()) {
    if (!are_integers(i.formats)) continue;
    const std::string& m = i.mnemonic;
    const bool saturates = m.find("satfinite") != std::string::npos || m.ends_with(".clamp") ||
                           m == "vpdpbusds" || m == "vpdpwssds";
    ++(saturates ? saturate : wrap);
    compare(i.name(), [&](const Row& row) {
      return saturates ? saturated(row, row.a.size()) : wrapped(row, i.formats.d->storage_bits);
    });
  }
  EXPECT_EQ(wrap, 213);
  EXPECT_EQ(saturate, 170);
}

TEST(IntegerDotAdd, TakesFormatsOfTheMnemonic) {
  const auto formats = [](const char* name) {
    const DotFormats f = find_instruction(name).formats;
    return std::string(f.a->name) + " " + std::string(f.b->name) + " " + std::string(f.c->name) +
           " " + std::string(f.d->name) + " " + std::to_string(f.k);
  };
  EXPECT_EQ(formats("turing/mma.m8n8k16.s32.s8.u8.s32"), "s8 u8 s32 s32 16");
  EXPECT_EQ(formats("ampere/mma.m16n8k64.satfinite.s32.u4.s4.s32"), "u4 s4 s32 s32 64");
  EXPECT_EQ(formats("h100/wgmma.m64n128k32.satfinite.s32.u8.u8"), "u8 u8 s32 s32 32");
  EXPECT_EQ(formats("b200/tcgen05.mma.m64n8k32.satfinite.s32.s8.u8"), "s8 u8 s32 s32 32");
  EXPECT_EQ(formats("mi100/v_mfma_i32_16x16x16i8"), "s8 s8 s32 s32 16");
  EXPECT_EQ(formats("mi300x/v_mfma_i32_32x32x4_2b_i8"), "s8 s8 s32 s32 4");
  EXPECT_EQ(formats("rdna3/v_wmma_i32_16x16x16_iu4.s4.u4.clamp"), "s4 u4 s32 s32 16");
  EXPECT_EQ(formats("rdna4/v_wmma_i32_16x16x32_iu4.u4.u4"), "u4 u4 s32 s32 32");
  EXPECT_EQ(formats("x86/vpdpbusds"), "u8 s8 s32 s32 4");
  EXPECT_EQ(formats("x86/vpdpwssd"), "s16 s16 s32 s32 2");
  EXPECT_EQ(formats("x86/tdpbsud"), "s8 u8 s32 s32 64");
  EXPECT_EQ(formats("mi355x/v_mfma_i32_16x16x64_i8"), "s8 s8 s32 s32 64");
  EXPECT_EQ(formats("x86/top4busd"), "u8 s8 s32 s32 4");
  EXPECT_EQ(formats("riscv/vqmmacc.s32.u8.s8.lambda2"), "u8 s8 s32 s32 8");
}

TEST(IntegerDotAdd, IsEqualIfGroupsMakeNoDifference) {
  const auto algorithm = [](const std::string& parameters) {
    return find_instruction("design:integer-dot-add(k=8," + parameters + ")").algorithm;
  };
  EXPECT_TRUE(algorithm("group=2") == algorithm("group=8"));
  EXPECT_FALSE(algorithm("overflow=saturate,group=2") == algorithm("overflow=saturate"));
  EXPECT_FALSE(algorithm("group=8") == algorithm("overflow=saturate,group=8"));
}

TEST(IntegerDesigns, DoNotMixWithOtherFormats) {
  for (const char* name :
       {"design:integer-dot-add(k=4,a=f16)", "design:integer-dot-add(k=4,c=f32)",
        "design:integer-dot-add(k=4,group=3)", "design:integer-dot-add(k=4,scale=ue8m0)",
        "design:fused-dot-add(k=4,a=s8,fraction_bits=24)", "design:exact-dot-add(k=4,d=s32)",
        "plan:split-k(hopper/mma.m16n8k32.s32.s8.s8.s32,k=64,parts=2)"}) {
    EXPECT_THROW(find_instruction(name), std::invalid_argument) << name;
  }
  EXPECT_EQ(find_instruction("plan:chain(hopper/mma.m16n8k32.s32.s8.s8.s32,k=64)").formats.k, 64);
}

}  // namespace
}  // namespace mmaspec::integer_dot_add_test
