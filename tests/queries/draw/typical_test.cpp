// Random data compared with rounding by rational numbers.

#include "queries/draw/typical.h"

#include <gtest/gtest.h>

#include "queries/values/exact_result.h"
#include "spec/formats/text.h"

namespace mmaspec::typical_test {
namespace {

TEST(TypicalData, IsRoundedToNearest) {
  for (const Distribution distribution : {Distribution::normal, Distribution::uniform}) {
    for (const Format* f : all_formats()) {
      if (!f->has_sign) continue;
      constexpr int kRows = 60;
      const DotFormats narrow{f, f, f, &formats::f32, 3};
      const DotFormats wide{&formats::f64, &formats::f64, &formats::f64, &formats::f64, 3};
      TypicalData drawn(narrow, distribution, 5);
      TypicalData exact(wide, distribution, 5);
      Lanes lanes(7, kRows);
      drawn.fill(lanes);
      for (std::size_t lane = 0; lane < kRows; ++lane) {
        const DotValues v = exact.next();
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_EQ(lanes[k][lane], round_pattern(formats::f64, v.a[k], *f)) << f->name;
          EXPECT_EQ(lanes[3 + k][lane], round_pattern(formats::f64, v.b[k], *f)) << f->name;
        }
        EXPECT_EQ(lanes[6][lane], 0U);
      }
    }
  }
}

TEST(TypicalData, IsTheSameLaneByLane) {
  const DotFormats f{&formats::s8, &formats::u8, &formats::s32, &formats::s32, 4};
  TypicalData one(f, Distribution::normal, 2);
  TypicalData other(f, Distribution::normal, 2);
  Lanes lanes(9, 100);
  one.fill(lanes);
  int negative = 0;
  for (std::size_t lane = 0; lane < 100; ++lane) {
    const DotValues v = other.next();
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(v.a[k], lanes[k][lane]);
      EXPECT_EQ(v.b[k], lanes[4 + k][lane]);
      EXPECT_LT(v.b[k], 256);
      negative += v.a[k] >= 128 ? 1 : 0;
    }
  }
  EXPECT_GT(negative, 100);
  EXPECT_LT(negative, 300);
  Lanes short_of_one(8, 3);
  EXPECT_THROW(one.fill(short_of_one), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::typical_test
