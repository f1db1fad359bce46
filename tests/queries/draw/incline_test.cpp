// Samples of properties near possible violations: patterns of the operands' formats, for all
// combinations of formats.

#include <gtest/gtest.h>

#include "queries/counterexamples/counterexample.h"
#include "queries/draw/samples.h"
#include "queries/prove/prove.h"
#include "spec/catalog/instruction.h"
#include "tests/support/drawn_designs.h"

namespace mmaspec::incline_test {
namespace {

class Incline : public testing::Test {
 protected:
  void expect_patterns(const std::string& text) {
    const Instruction design = find_instruction(text);
    for (const Property* p : properties()) {
      SCOPED_TRACE(p->name() + " of " + text);
      const Subject s = subject_of(design, p->of_two() ? std::optional(design) : std::nullopt);
      if (!p->says_nothing_because(s).empty()) continue;
      Sampler sampler(design.formats, p->inputs(), 1);
      for (int draw = 0; draw < 200; ++draw) {
        Candidate candidate{sampler.next()};
        for (const Extra& e : p->extras(s)) {
          candidate.extras[e.name] = Integer(random_()) % power_of_two(e.bits);
        }
        const int which = static_cast<int>(random_() % static_cast<unsigned>(p->cases(s)));
        ASSERT_NO_THROW(counterexamples_of(*p).bias_sample(s, which, candidate, random_));
        ASSERT_TRUE(are_patterns(design.formats, candidate));
        for (const Extra& e : p->extras(s)) {
          ASSERT_TRUE(fits(candidate.extras.at(e.name), static_cast<int>(e.bits)));
        }
      }
    }
  }

 private:
  static bool fits(const Integer& pattern, int bits) {
    return pattern >= 0 && pattern < power_of_two(static_cast<unsigned>(bits));
  }
  static bool are_patterns(const DotFormats& f, const Candidate& candidate) {
    const auto all = [](const Format* format, const std::vector<Integer>& patterns) {
      return std::all_of(patterns.begin(), patterns.end(),
                         [&](const Integer& x) { return fits(x, format->storage_bits); });
    };
    const DotValues& v = candidate.values;
    return all(f.a, v.a) && all(f.b, v.b) && all(f.c, {v.c}) && all(f.scale, v.scale_a) &&
           all(f.scale, v.scale_b);
  }

  Random random_{1};
};

TEST_F(Incline, GivesAdjacentPatternsForAllFormats) {
  for (const char* const a : {"e2m1", "e2m3", "e3m2", "e4m3fnuz", "f16", "bf16", "tf32", "f64"}) {
    for (const char* const c : {"e5m2", "e4m3", "f16", "bf16", "tf32", "f32", "f64"}) {
      for (const char* const d : {"e5m2", "e4m3", "f16", "bf16", "f32", "f64"}) {
        std::string text = "design:exact-dot-add(a=";
        text.append(a).append(",b=").append(a).append(",c=").append(c).append(",d=").append(d);
        expect_patterns(text.append(",k=2)"));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Incline, GivesPatternsOfDrawnDesigns) {
  DrawnDesigns drawn(7);
  for (int i = 0; i < 150 && !HasFatalFailure(); ++i) {
    expect_patterns(i % 3 == 0 ? drawn.next_of_vector_units() : drawn.next());
  }
}

}  // namespace
}  // namespace mmaspec::incline_test
