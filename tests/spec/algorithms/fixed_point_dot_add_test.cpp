// Accumulators in fixed point compared with exact rational arithmetic, and verdicts about all their
// inputs compared with enumeration.

#include "spec/algorithms/fixed_point_dot_add.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "concrete/dot/model.h"
#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "queries/prove/diff.h"
#include "queries/theorems/redundant/idle.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/fixed_point.h"
#include "spec/formats/text.h"

namespace mmaspec::fixed_point_dot_add_test {
namespace {

using testing::HasSubstr;

Rational two_to(int exponent) {
  const Integer power = Integer(1) << static_cast<unsigned>(std::abs(exponent));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

/// The number of a floating-point pattern of which every exponent field is a number's.
Rational number(const Format& f, std::uint64_t pattern) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  const std::uint64_t fraction = pattern % hidden;
  const int field = static_cast<int>(pattern / hidden) % (1 << f.exponent_bits);
  const bool negative = pattern / hidden >> f.exponent_bits != 0;
  const Rational digits(Integer(fraction + (field > 0 ? hidden : 0)), Integer(hidden));
  const Rational magnitude = digits * two_to(std::max(field, 1) - f.bias);
  return negative ? Rational(-magnitude) : magnitude;
}

Integer floor_of(const Rational& x) {
  const Integer n = numerator(x);
  const Integer d = denominator(x);
  Integer quotient = n / d;
  if (n % d != 0 && n < 0) --quotient;
  return quotient;
}

Integer rounded(const Rational& x, const std::string& rounding) {
  const Integer below = floor_of(x);
  const Rational rest = x - Rational(below);
  if (rounding == "rd" || rest == 0) return below;
  if (rounding == "rz") return x < 0 ? Integer(below + 1) : below;
  if (rest != Rational(1, 2)) return rest > Rational(1, 2) ? Integer(below + 1) : below;
  const bool up = rounding == "rne" ? below % 2 != 0 : x > 0;
  return up ? Integer(below + 1) : below;
}

struct Parameters {
  std::string rounding;
  bool saturates;
  int group;
};

/// The pattern of d, with the digits of formats counted here.
Integer expected(const DotFormats& f, const Parameters& parameters, const DotValues& values,
                 int point_of_c, int point_of_d) {
  const auto [rounding, saturates, group] = parameters;
  const Integer of_c = Integer(1) << static_cast<unsigned>(f.c->storage_bits);
  const Integer of_d = Integer(1) << static_cast<unsigned>(f.d->storage_bits);
  Integer d = values.c < of_c / 2 ? values.c : Integer(values.c - of_c);
  d *= Integer(1) << static_cast<unsigned>(point_of_d - point_of_c);
  const int k = f.k;
  for (int first = 0; first < k; first += group) {
    for (int i = first; i < first + group; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Rational product = number(*f.a, values.a[at].convert_to<std::uint64_t>()) *
                               number(*f.b, values.b[at].convert_to<std::uint64_t>());
      d += rounded(product * two_to(point_of_d), rounding);
    }
    if (saturates) d = std::clamp(d, Integer(-of_d / 2), Integer(of_d / 2 - 1));
  }
  d %= of_d;
  return d < 0 ? Integer(d + of_d) : d;
}

TEST(FixedPointDotAdd, IsTheSumOfRoundedProducts) {
  std::mt19937_64 random(5);
  const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto word = [&](const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(any(static_cast<int>(all.size())))];
  };
  int wrapped_or_clamped = 0;
  for (int design = 0; design < 300; ++design) {
    const std::string a = word({"e2m1", "e3m2", "e4m3", "e5m2", "f16", "bf16"});
    const std::string b = any(2) == 0 ? a : word({"e2m3", "e4m3", "e5m2"});
    const int point_of_d = any(24);
    const int point_of_c = any(3) == 0 ? any(point_of_d + 1) : point_of_d;
    const int integers = 2 + any(20);
    const int k = 1 << any(4);
    const Parameters parameters{word({"rz", "rd", "rne", "rna"}), any(2) == 0,
                                1 << any(std::countr_zero(static_cast<unsigned>(k)) + 1)};
    const auto fixed = [](int integer_bits, int point) {
      return "fixed:" + std::to_string(integer_bits) + "." + std::to_string(point);
    };
    const std::string name =
        "design:fixed-point-dot-add(a=" + a + ",b=" + b + ",c=" + fixed(integers, point_of_c) +
        ",d=" + fixed(integers, point_of_d) + ",k=" + std::to_string(k) +
        ",product_round=" + parameters.rounding +
        (parameters.saturates ? ",overflow=saturate,group=" + std::to_string(parameters.group)
                              : "") +
        ")";
    const Instruction i = find_instruction(name);
    DotRunner runner(i.algorithm, i.formats);
    const DotModel model(i.algorithm, i.formats);
    Sampler sampler(i.formats, InputClass::any, static_cast<unsigned>(design));
    const Integer half = Integer(1) << static_cast<unsigned>(i.formats.d->storage_bits - 1);
    for (int row = 0; row < 60; ++row) {
      const DotValues values = sampler.next();
      const Integer d = expected(i.formats, parameters, values, point_of_c, point_of_d);
      EXPECT_EQ(runner.run(values), d) << name;
      if (row % 10 == 0) {
        EXPECT_EQ(model.run(values), d) << name;
      }
      if (parameters.saturates && (d == half || d == half - 1)) ++wrapped_or_clamped;
    }
  }
  EXPECT_GT(wrapped_or_clamped, 500);
}

TEST(FixedPointDotAdd, IsDecidedAsByEnumeration) {
  const Portfolio solvers("auto", Limits{});
  int equal = 0;
  int different = 0;
  const std::vector<std::string> parameters{"product_round=rz",
                                            "product_round=rd",
                                            "product_round=rne",
                                            "product_round=rna",
                                            "product_round=rz,overflow=saturate",
                                            "product_round=rne,overflow=saturate"};
  for (const char* c : {"fixed:2.0", "fixed:3.1", "fixed:4.2", "fixed:6.0"}) {
    for (std::size_t x = 0; x < parameters.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) {
        const auto design = [&](const std::string& more) {
          return find_instruction("design:fixed-point-dot-add(a=e2m1,b=e2m1,c=" + std::string(c) +
                                  ",d=" + c + ",k=1," + more + ")");
        };
        const Instruction first = design(parameters[x]);
        const Instruction second = design(parameters[y]);
        DotRunner one(first.algorithm, first.formats);
        DotRunner two(second.algorithm, second.formats);
        bool differ = false;
        const int patterns = 1 << first.formats.c->storage_bits;
        for (int i = 0; i < 256 * patterns && !differ; ++i) {
          const DotValues values{{i % 16}, {i / 16 % 16}, i / 256, {}, {}};
          differ = one.run(values) != two.run(values);
        }
        const DiffResult found = diff(first, second, {}, solvers);
        EXPECT_EQ(found.verdict, differ ? Verdict::satisfiable : Verdict::unsatisfiable)
            << first.name() << "\n"
            << second.name();
        const bool same = without_idle_parameters(first.algorithm, first.formats) ==
                          without_idle_parameters(second.algorithm, second.formats);
        EXPECT_FALSE(same && differ) << first.name() << "\n" << second.name();
        ++(differ ? different : equal);
      }
    }
  }
  EXPECT_GT(equal, 5);
  EXPECT_GT(different, 20);
}

TEST(FixedPointDotAdd, IdleParametersAreThoseThatNoInputShows) {
  const auto idle = [](const std::string& c, const std::string& more, const std::string& other) {
    const auto plain = [&](const std::string& parameters) {
      const Instruction i = find_instruction("design:fixed-point-dot-add(a=e4m3,b=e4m3,c=" + c +
                                             ",d=fixed:26.18,k=4," + parameters + ")");
      return without_idle_parameters(i.algorithm, i.formats);
    };
    return plain(more) == plain(other);
  };
  EXPECT_TRUE(idle("fixed:26.18", "product_round=rz", "product_round=rne"));
  EXPECT_FALSE(idle("fixed:26.18", "overflow=wrap", "overflow=saturate"));
  EXPECT_TRUE(idle("fixed:20.8", "overflow=wrap", "overflow=saturate"));
  EXPECT_TRUE(idle("fixed:20.8", "overflow=saturate,group=1", "overflow=saturate,group=4"));
  EXPECT_FALSE(idle("fixed:26.8", "overflow=saturate,group=1", "overflow=saturate,group=4"));
  const Instruction cut =
      find_instruction("design:fixed-point-dot-add(c=fixed:26.17,k=4,product_round=rne)");
  EXPECT_EQ(without_idle_parameters(cut.algorithm, cut.formats), cut.algorithm);
}

TEST(FixedPointDotAdd, RefusesWhatHasNoMeaning) {
  const auto refusal = [](const std::string& text) {
    try {
      find_instruction("design:" + text);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("fixed-point-dot-add(k=4)"), "");
  EXPECT_EQ(refusal("fixed-point-dot-add(k=4,c=s32)"), "");
  EXPECT_EQ(refusal("integer-dot-add(k=4,c=fixed:48.0,d=fixed:48.0)"), "");
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,c=f32)"), HasSubstr("c=f32: expected fixed:I.F"));
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,a=s8)"), HasSubstr("a=s8: expected a floating"));
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,c=u8)"), HasSubstr("c=u8: expected fixed:I.F"));
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,c=fixed:8.9,d=fixed:8.8)"),
              HasSubstr("at most as many fraction bits"));
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,scale=ue8m0)"), HasSubstr("scale factors"));
  EXPECT_THAT(refusal("integer-dot-add(k=4,c=fixed:24.8,d=fixed:24.8)"),
              HasSubstr("use fixed-point-dot-add"));
  EXPECT_THAT(refusal("exact-dot-add(k=4,c=fixed:24.8)"), HasSubstr("integer formats are allowed"));
  const auto plan = [](const std::string& scheme) {
    return find_instruction("plan:" + scheme + "(design:fixed-point-dot-add(k=4),k=16)");
  };
  EXPECT_EQ(plan("chain").formats.k, 16);
  EXPECT_THROW(plan("split-k"), std::invalid_argument);
  EXPECT_THROW(plan("convert"), std::invalid_argument);
  for (const char* name : {"fixed:0.8", "fixed:1.0", "fixed:40.24", "fixed:8", "fixed:-1.9",
                           "fixed:8.8x", "fixed:", "fixed:999999999999.1"}) {
    EXPECT_EQ(find_fixed_point(name), nullptr) << name;
    EXPECT_NE(refusal(std::string("fixed-point-dot-add(k=4,c=") + name + ")"), "") << name;
  }
  EXPECT_THAT(refusal("fixed-point-dot-add(k=4,c=fixed:0.8)"), HasSubstr("1 integer bit"));
  EXPECT_EQ(find_fixed_point("fixed:23.18"), find_format("FIXED:23.18"));
}

}  // namespace
}  // namespace mmaspec::fixed_point_dot_add_test
