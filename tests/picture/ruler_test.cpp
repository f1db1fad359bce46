// Rulers compared with the evaluator and with rational arithmetic.

#include "report/picture/ruler.h"

#include <gtest/gtest.h>

#include <set>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "spec/formats/text.h"
#include "tests/support/drawn_designs.h"

namespace mmaspec::ruler_test {
namespace {

Rational value(const PlacedNumber& x) { return x.units * rational_power_of_two(x.exponent); }

struct Seen {
  int steps = 0;
  int declined = 0;
};

/// A step that is omitted is not a number, or counts as infinite.
bool is_infinite(const RulerStep& step) {
  return step.note.find("an operand is infinite") == 0 ||
         step.note.find("a product counts as infinite") == 0;
}

/// Checks that hold for a ruler of any design.
void expect_sound(const Ruler& ruler, const Instruction& i, const DotValues& values, Seen& seen) {
  const Format& f = *i.formats.d;
  const Integer d = DotRunner(i.algorithm, i.formats).run(values);
  EXPECT_NE(ruler.result.find(to_hex(d, static_cast<unsigned>(f.hex_digits()))), std::string::npos);
  for (const RulerStep& step : ruler.steps) {
    ++seen.steps;
    seen.declined += step.declines ? 1 : 0;
    if (step.declines) continue;
    Rational total = 0;
    for (const RulerTerm& t : step.terms) {
      total += value(t.kept);
      if (!t.cut) {
        EXPECT_EQ(value(t.kept), value(t.exact)) << t.label;
      }
    }
    ASSERT_TRUE(step.sum);
    EXPECT_EQ(total, value(*step.sum));
  }
  const RulerStep& last = ruler.steps.back();
  if (last.declines || !decode(f, d).is_finite()) return;
  ASSERT_TRUE(last.result && last.result->number);
  EXPECT_EQ(value(*last.result->number), decode(f, d).value());
}

TEST(Ruler, ExplainsEveryInstruction) {
  Seen seen;
  Seen of_marks;
  std::set<std::string> known;
  for (const Instruction& i : catalogue()) {
    // One of all instructions with the same design and formats.
    std::string key(i.algorithm.name());
    for (const Parameter& p : i.algorithm.parameters()) key += p.key + p.value;
    for (const Format* f : {i.formats.a, i.formats.b, i.formats.c, i.formats.d}) key += f->name;
    if (!known.insert(key).second) continue;
    if (i.algorithm.as<IntegerDotAdd>() != nullptr) continue;  // nothing is aligned in these
    SCOPED_TRACE(i.name());
    const auto* bulk = i.algorithm.as<BulkNormalizedDotAdd>();
    const bool shows_marks_only = i.algorithm.as<PartialProductDotAdd>() != nullptr ||
                                  i.formats.scale != nullptr ||
                                  (bulk != nullptr && bulk->numbers_alone);
    Sampler draws(i.formats, InputClass::finite, 1);
    for (int n = 0; n < 3; ++n) {
      const DotValues values = draws.next();
      const Ruler ruler = ruler_of(i, values);
      expect_sound(ruler, i, values, shows_marks_only ? of_marks : seen);
      for (const RulerStep& step : ruler.steps) {
        if (step.declines && !is_infinite(step) && !shows_marks_only) {
          ADD_FAILURE() << step.note;
        }
      }
    }
  }
  EXPECT_LT(seen.declined, seen.steps / 10) << seen.steps;
}

TEST(Ruler, ExplainsDesignsThatNobodyBuilt) {
  DrawnDesigns designs(7);
  Seen seen;
  for (int n = 0; n < 200; ++n) {
    const Instruction i = drawn(designs);
    SCOPED_TRACE(i.name() + " as " + i.algorithm.name());
    Sampler draws(i.formats, InputClass::finite, static_cast<unsigned>(n));
    for (int row = 0; row < 4; ++row) {
      const DotValues values = draws.next();
      const Ruler ruler = ruler_of(i, values);
      expect_sound(ruler, i, values, seen);
      for (const RulerStep& step : ruler.steps) {
        if (step.declines && !is_infinite(step)) {
          ADD_FAILURE() << step.note;
        }
      }
    }
  }
  EXPECT_LT(seen.declined, seen.steps / 5) << seen.steps;
}

}  // namespace
}  // namespace mmaspec::ruler_test
