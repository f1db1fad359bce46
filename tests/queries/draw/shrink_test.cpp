// Simpler inputs that keep a property.

#include "queries/draw/shrink.h"

#include <gtest/gtest.h>

#include <random>

namespace mmaspec::shrink_test {
namespace {

TEST(Shrink, KeepsOnlyTheProductsThatMatterOfThousands) {
  constexpr int kK = 16384;
  const DotFormats f{&formats::f16, &formats::f16, &formats::f32, &formats::f32, kK};
  std::mt19937 random(4);
  DotValues values{{}, {}, 0x3f912345, {}, {}};
  for (int k = 0; k < kK; ++k) {
    values.a.emplace_back(0x3c00 + random() % 0x400);
    values.b.emplace_back(0x3c00 + random() % 0x400);
  }
  int asked = 0;
  const auto holds = [&](const DotValues& v) {
    ++asked;
    return v.a[77] != 0 && v.a[9000] != 0 && v.b[9000] > 0x3e00 && v.a[16383] != 0;
  };
  const DotValues least = shrink(f, values, holds, 2000, Deadline());
  EXPECT_LE(asked, 2000);
  for (std::size_t k = 0; k < kK; ++k) {
    const bool matters = k == 77 || k == 9000 || k == 16383;
    EXPECT_EQ(least.a[k], matters ? 0x3c00 : 0) << k;
    EXPECT_EQ(least.b[k] == 0, k != 9000) << k;
  }
  EXPECT_EQ(least.b[9000] & 0x1ff, 0) << "few bits are left";
  EXPECT_EQ(least.c, 0);
}

}  // namespace
}  // namespace mmaspec::shrink_test
