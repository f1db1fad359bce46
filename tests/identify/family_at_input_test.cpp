// Interval arithmetic about many designs at once, compared with each of the designs.

#include "queries/studies/identify/space/family_at_input.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/studies/identify/structured_rows.h"
#include "spec/catalog/open_design.h"
#include "util/split_mix.h"

namespace mmaspec::family_at_input_test {
namespace {

std::vector<int> values_at(const Family& family, const Runs& runs, SplitMix& random) {
  std::vector<int> values;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int place = random.between(runs[i][0], runs[i][1]);
    values.push_back(family.axes[i].values[static_cast<std::size_t>(place)]);
  }
  return values;
}

TEST(FamilyAtInput, SaysWhatAllItsDesignsSay) {
  using Gives = FamilyAtInput::Gives;
  SplitMix random(17);
  int decided = 0;
  int points = 0;
  for (const char* text :
       {"a=f16,c=f32,k=4", "a=e5m2,c=f16,k=8", "a=e4m3,c=f32,k=8", "a=f64,c=f64,k=2",
        "a=bf16,c=f32,k=4", "a=e2m1,c=f32,k=32,scale=ue4m3,scale_block=16"}) {
    const DotFormats formats =
        find_instruction("design:exact-dot-add(" + std::string(text) + ")").formats;
    const Space space(formats, {});
    const std::vector<DotValues> rows = confirming_rows(formats, 200, 7);
    for (int i = 0; i < 20; ++i) {
      const Family& family = space.families()[random.index(space.families().size())];
      const DotValues& row = rows[random.index(rows.size())];
      Runs runs;
      for (const Axis& axis : family.axes) {
        runs.push_back({0, static_cast<std::int16_t>(axis.values.size() - 1)});
      }
      const Algorithm hidden = family.design(values_at(family, runs, random));
      const Integer answer = DotRunner(hidden, formats).run(row);
      FamilyAtInput at(family, runs, formats, row, answer);
      // Narrowed at random until one design remains.
      for (std::size_t level = 0;; ++level) {
        const Gives gives = at.enter(level, runs);
        for (int j = 0; j < (gives == Gives::either ? 0 : 3); ++j) {
          const Algorithm design = family.design(values_at(family, runs, random));
          EXPECT_EQ(gives == Gives::answer,
                    same_answer(*formats.d, DotRunner(design, formats).run(row), answer))
              << open_design(design, formats).name();
          ++decided;
        }
        std::vector<std::size_t> wide;
        for (std::size_t axis = 0; axis < runs.size(); ++axis) {
          if (runs[axis][0] < runs[axis][1]) wide.push_back(axis);
        }
        if (wide.empty()) {
          EXPECT_NE(gives, Gives::either);
          ++points;
          break;
        }
        auto& run = runs[wide[random.index(wide.size())]];
        const auto middle = static_cast<std::int16_t>((run[0] + run[1]) / 2);
        if (random.one_in(2)) {
          run[1] = middle;
        } else {
          run[0] = static_cast<std::int16_t>(middle + 1);
        }
        // Another path from a level that was entered before.
        if (level > 2 && random.one_in(4)) at.enter(level, runs);
      }
    }
  }
  EXPECT_EQ(points, 120);
  EXPECT_GT(decided, 500);
}

}  // namespace
}  // namespace mmaspec::family_at_input_test
