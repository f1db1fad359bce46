// Samples: every draw belongs to the class of inputs that was asked for, and the kinds come.

#include <gtest/gtest.h>

#include <set>

#include "queries/samples.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

bool is_subnormal(const Format& f, const Decoded& x) {
  return f.has_zero && x.is_finite() && x.significand != 0 &&
         x.significand < power_of_two(static_cast<unsigned>(f.fraction_bits));
}

/// What the draws of one operand held.
struct Seen {
  bool zero = false;
  bool subnormal = false;
  bool non_finite = false;
  std::set<Integer> patterns;

  void add(const Format& f, const Integer& pattern) {
    const Decoded x = decode(f, pattern);
    zero |= x.is_finite() && x.significand == 0;
    subnormal |= is_subnormal(f, x);
    non_finite |= !x.is_finite();
    if (patterns.size() < 100) patterns.insert(pattern);
  }
};

class Samples : public testing::TestWithParam<InputClass> {
 protected:
  static void expect_in_class(const Format& f, const std::vector<Integer>& patterns, int count) {
    ASSERT_EQ(patterns.size(), static_cast<std::size_t>(count));
    for (const Integer& pattern : patterns) {
      ASSERT_LT(pattern, power_of_two(static_cast<unsigned>(f.storage_bits)));
      ASSERT_GE(pattern, 0);
      const Decoded x = decode(f, pattern);
      if (GetParam() != InputClass::any) {
        ASSERT_TRUE(x.is_finite()) << f.name << " " << to_hex(pattern);
      }
      if (GetParam() == InputClass::normal) {
        ASSERT_FALSE(is_subnormal(f, x)) << f.name << " " << to_hex(pattern);
      }
    }
  }
};

TEST_P(Samples, BelongToTheClass) {
  std::set<std::vector<std::string_view>> met;  // one instruction of each set of formats
  for (const Instruction& i : catalogue()) {
    const DotFormats& f = i.formats;
    if (!met.insert({f.a->name, f.b->name, f.c->name, f.scale == nullptr ? "" : f.scale->name})
             .second) {
      continue;
    }
    SCOPED_TRACE(i.name());
    Sampler sampler(f, GetParam(), 3);
    Seen a;
    Seen c;
    for (int n = 0; n < 500; ++n) {
      const DotValues values = sampler.next();
      ASSERT_NO_FATAL_FAILURE(expect_in_class(*f.a, values.a, f.k));
      ASSERT_NO_FATAL_FAILURE(expect_in_class(*f.b, values.b, f.k));
      ASSERT_NO_FATAL_FAILURE(expect_in_class(*f.c, {values.c}, 1));
      if (f.scale != nullptr) {
        ASSERT_NO_FATAL_FAILURE(expect_in_class(*f.scale, values.scale_a, f.scales()));
        ASSERT_NO_FATAL_FAILURE(expect_in_class(*f.scale, values.scale_b, f.scales()));
      }
      for (const Integer& pattern : values.a) a.add(*f.a, pattern);
      c.add(*f.c, values.c);
    }
    EXPECT_TRUE(a.zero && c.zero);
    EXPECT_GE(c.patterns.size(), 100U);
    const bool normal = GetParam() == InputClass::normal;
    EXPECT_EQ(a.subnormal, !normal);
    EXPECT_EQ(c.subnormal, !normal);
    EXPECT_EQ(c.non_finite, GetParam() == InputClass::any);
  }
}

TEST_P(Samples, AreTheSameForTheSameSeed) {
  const DotFormats& f = catalogue().front().formats;
  Sampler x(f, GetParam(), 9);
  Sampler y(f, GetParam(), 9);
  Sampler other(f, GetParam(), 10);
  int unlike = 0;
  for (int n = 0; n < 50; ++n) {
    const DotValues values = x.next();
    EXPECT_EQ(values, y.next());
    if (!(values == other.next())) ++unlike;
  }
  EXPECT_GT(unlike, 40);
}

INSTANTIATE_TEST_SUITE_P(Classes, Samples,
                         testing::Values(InputClass::finite, InputClass::normal, InputClass::any),
                         [](const auto& info) {
                           return std::string(info.param == InputClass::finite   ? "Finite"
                                              : info.param == InputClass::normal ? "Normal"
                                                                                 : "Any");
                         });

}  // namespace
}  // namespace mmaspec
