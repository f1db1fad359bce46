// Samples: every draw belongs to the given class of inputs, and all kinds occur.

#include "queries/draw/samples.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "concrete/dot/runner.h"
#include "queries/values/exact_result.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/case_selection.h"

namespace mmaspec::samples_test {
namespace {

bool is_subnormal(const Format& f, const Decoded& x) {
  return f.has_zero && !f.is_integer() && x.is_finite() && x.significand != 0 &&
         x.significand < power_of_two(static_cast<unsigned>(f.fraction_bits));
}

/// Kinds that occurred among draws of one operand.
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
    for (int n = 0; n < 1000; ++n) {  // three of four values of c are near an end of integers
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
    if (are_integers(f)) continue;
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

TEST_P(Samples, FillLanesWithDrawsOfTheClass) {
  for (const char* name :
       {"hopper/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m8n8k4.f64.f64.f64.f64",
        "ampere/mma.m16n8k8.f32.tf32.tf32.f32", "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
        "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3",
        "plan:promote(cdna3/v_mfma_f32_16x16x32_fp8_fp8,k=256,every=128,scales=yes)",
        "plan:bf16x3(hopper/mma.m16n8k16.f32.bf16.bf16.f32,k=256)"}) {
    SCOPED_TRACE(name);
    const DotFormats f = find_instruction(name).formats;
    const auto k = static_cast<std::size_t>(f.k);
    Sampler sampler(f, GetParam(), 4);
    Lanes lanes(in_input_order(sampler.next()).size(), 1500);
    sampler.fill(lanes);
    std::set<std::vector<std::uint64_t>> draws;
    for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
      std::vector<std::uint64_t> draw;
      for (std::size_t i = 0; i < lanes.rows(); ++i) {
        const Format& format = i < k ? *f.a : i < 2 * k ? *f.b : i == 2 * k ? *f.c : *f.scale;
        ASSERT_NO_FATAL_FAILURE(expect_in_class(format, {Integer(lanes[i][lane])}, 1));
        draw.push_back(lanes[i][lane]);
      }
      draws.insert(std::move(draw));
    }
    EXPECT_GE(draws.size(), lanes.lanes() * 9 / 10);
    Lanes short_of_one(lanes.rows() - 1, 5);
    EXPECT_THROW(sampler.fill(short_of_one), std::logic_error);
  }
}

TEST_P(Samples, OfASeedDoNotDependOnTheNumberOfLanes) {
  const DotFormats f = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32").formats;
  Sampler many(f, GetParam(), 4);
  Sampler few(f, GetParam(), 4);
  Lanes all(33, 1000);
  many.fill(all);
  for (std::size_t first = 0; first < all.lanes(); first += 125) {
    Lanes some(33, 125);
    few.fill(some);
    for (std::size_t i = 0; i < all.rows(); ++i) {
      for (std::size_t lane = 0; lane < some.lanes(); ++lane) {
        ASSERT_EQ(some[i][lane], all[i][first + lane]);
      }
    }
  }
}

/// The number of draws with a property, among many for an instruction.
int count_draws(const char* name,
                const std::function<bool(const DotFormats&, const DotValues&)>& is) {
  const DotFormats formats = find_instruction(name).formats;
  Sampler sampler(formats, InputClass::any, 1);
  int count = 0;
  for (int n = 0; n < 1300; ++n) {
    if (is(formats, sampler.next())) ++count;
  }
  return count;
}

TEST(SampleKinds, IncludeZeroTimesHugeWithASubnormal) {
  EXPECT_GE(count_draws("hopper/mma.m16n8k16.f32.f16.f16.f32",
                        [](const DotFormats& f, const DotValues& v) {
                          if (!is_subnormal(*f.c, decode(*f.c, v.c))) return false;
                          for (std::size_t k = 0; k < v.a.size(); ++k) {
                            const Integer a = v.a[k] % 0x8000;
                            const Integer b = v.b[k] % 0x8000;
                            if (a * b == 0 && std::max(a, b) >= 0x7400) return true;
                          }
                          return false;
                        }),
            20);
}

/// True if x is half way between two neighbours of 11 bits.
bool is_midpoint(Rational x) {
  x = abs(x);
  if (x == 0) return false;
  while (x >= 4096) x /= 2;
  while (x < 2048) x *= 2;
  return denominator(x) == 1 && numerator(x) % 2 != 0;
}

TEST(SampleKinds, IncludeSumsThatLoseBitsOnlyIfNearlyAllProductsAreLargest) {
  // The sum of 16 products of e2m1 is a multiple of 1/4: beyond 512 it may have 12 bits.
  EXPECT_GE(count_draws("design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=16)",
                        [](const DotFormats& f, const DotValues& v) {
                          DotValues products = v;
                          products.c = 0;
                          const auto sum = exact_dot(f, products);
                          return sum && abs(*sum) > 512 && denominator(*sum) == 4;
                        }),
            3);
}

TEST(SampleKinds, IncludeTiesThatOneSmallTermDecides) {
  EXPECT_GE(
      count_draws("turing/mma.m16n8k8.f16.f16.f16.f16",
                  [](const DotFormats& f, const DotValues& v) {
                    const auto sum = exact_dot(f, v);
                    if (!sum || is_midpoint(*sum)) return false;
                    for (std::size_t k = 0; k < v.a.size(); ++k) {
                      DotValues without = v;
                      without.a[k] = 0;
                      const auto rest = exact_dot(f, without);
                      if (rest && is_midpoint(*rest) && abs(*sum - *rest) * 100 < abs(*rest)) {
                        return true;
                      }
                    }
                    return false;
                  }),
      20);
}

TEST(SampleKinds, IncludeSumsNearTheOverflow) {
  EXPECT_GE(count_draws("turing/mma.m16n8k8.f16.f16.f16.f16",
                        [](const DotFormats& f, const DotValues& v) {
                          const auto sum = exact_dot(f, v);
                          return sum && abs(*sum) != 65520 && abs(abs(*sum) - 65520) < 1;
                        }),
            10);
}

TEST(SampleKinds, IncludeSumsJustBelowTheLeastNormalNumber) {
  // With one product, with two, and with c and a product.
  for (const char* design :
       {"sequential-fma(a=f32,k=2,chains=2,flush_inputs=yes", "pair-dot-add(a=f32,k=2",
        "sequential-fma(k=4", "sequential-fma(a=bf16,k=4"}) {
    for (const int kept : {11, 21}) {
      if (!is_selected(kept == 11 ? 0 : 1, 2)) continue;
      const auto with = [&](const std::string& underflow) {
        return find_instruction("design:" + std::string(design) + ",round=rne,kept_bits=" +
                                std::to_string(kept) + ",underflow=" + underflow + ")");
      };
      const Instruction before = with("flush");
      const Instruction after = with("flush-tiny");
      DotRunner x(before.algorithm, before.formats);
      DotRunner y(after.algorithm, after.formats);
      Sampler sampler(before.formats, InputClass::any, 3);
      int found = 0;
      for (int i = 0; i < 30'000; ++i) {
        const DotValues v = sampler.next();
        found += x.run(v) == y.run(v) ? 0 : 1;
      }
      EXPECT_GE(found, 1) << before.name();
    }
  }
}

TEST(SampleKinds, IncludeTiesThatManySmallTermsDecide) {
  // All in one sum, where together they are as large as the kept bits, or each cut to zero.
  for (const int bits : {26, 37}) {
    const auto with = [&](int group) {
      return find_instruction(
          "design:group-dot-fused-sum(a=e2m1,c=f32,k=16,scale=ue4m3,scale_block=16,round=rna,"
          "kept_bits=11,group=" +
          std::to_string(group) + ",fraction_bits=" + std::to_string(bits) + ")");
    };
    DotRunner x(with(1).algorithm, with(1).formats);
    DotRunner y(with(16).algorithm, with(16).formats);
    Sampler sampler(with(1).formats, InputClass::any, 3);
    int found = 0;
    for (int i = 0; i < 60'000; ++i) {
      const DotValues v = sampler.next();
      found += x.run(v) == y.run(v) ? 0 : 1;
    }
    EXPECT_GE(found, 1) << bits;
  }
}

TEST(SampleKinds, IncludeProductsThatCancelExceptForBitsThatAreCut) {
  EXPECT_GE(count_draws("hopper/mma.m16n8k16.f32.f16.f16.f32",
                        [](const DotFormats& f, const DotValues& v) {
                          Rational largest = 0;
                          for (std::size_t k = 0; k < v.a.size(); ++k) {
                            const Decoded a = decode(*f.a, v.a[k]);
                            const Decoded b = decode(*f.b, v.b[k]);
                            if (!a.is_finite() || !b.is_finite()) return false;
                            largest = std::max(largest, Rational(abs(a.value() * b.value())));
                          }
                          const auto sum = exact_dot(f, v);
                          return sum && *sum != 0 && abs(*sum) * 100000 < largest;
                        }),
            20);
}

INSTANTIATE_TEST_SUITE_P(Classes, Samples,
                         testing::Values(InputClass::finite, InputClass::normal, InputClass::any),
                         [](const auto& test) {
                           return std::string(test.param == InputClass::finite   ? "Finite"
                                              : test.param == InputClass::normal ? "Normal"
                                                                                 : "Any");
                         });

// With many products some draws have large exact sums, which random bits do not have.
TEST(SamplesOfManyProducts, GrowAndHaveFewHugeTerms) {
  const DotFormats f =
      find_instruction("plan:chain(hopper/mma.m16n8k16.f32.f16.f16.f32,k=512)").formats;
  Sampler sampler(f, InputClass::finite, 1);
  int grow = 0;
  int few = 0;
  for (int n = 0; n < 400; ++n) {
    const DotValues values = sampler.next();
    const auto terms = exact_terms(f, values).value();
    Rational sum = 0;
    Rational largest = 0;
    for (std::size_t i = 0; i < 512; ++i) {
      sum += terms[i];
      largest = std::max(largest, Rational(abs(terms[i])));
    }
    if (abs(sum) > 500 * largest) ++grow;
    int huge = 0;
    for (std::size_t i = 0; i < 512; ++i) huge += 16 * abs(terms[i]) > largest ? 1 : 0;
    if (huge >= 2 && huge <= 8) ++few;
  }
  EXPECT_GE(grow, 8);
  EXPECT_GE(few, 8);
}

}  // namespace
}  // namespace mmaspec::samples_test
