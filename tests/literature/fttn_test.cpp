// Li et al.: FTTN: Feature-Targeted Testing for Numerical Properties of NVIDIA & AMD Matrix
// Accelerators (CCGrid 2024): the tests of section III, and the NVIDIA rows of table III. If the
// model contradicts the table, the model's result is given here, and the comment before the rows
// states the reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/numeric_dot.h"

namespace mmaspec::fttn_test {
namespace {

using numeric::Dot;

double two(int exponent) { return std::ldexp(1.0, exponent); }

/// The features that section III measures for a GPU and input format.
struct Features {
  bool subnormal_inputs;
  bool subnormal_outputs;
  int extra_bits;  ///< 3: guard, round and sticky bit
  std::string rounding;
  int width;  ///< products in one fused step, or in the whole chain if the step's end is not
              ///< observed
  bool order_matters;
};

/// A GPU and input format: the instruction, and how its operands are scaled.
struct Gpu {
  const char* name;
  const char* instruction;
  int chained;             ///< number of chained instructions, like wmma's 16x16x16 on V100
  int ulp;                 ///< 2^ulp: f32's or f64's ulp of 1
  int subnormal;           ///< 2^subnormal is a subnormal number of the operands
  int least;               ///< 2^least: the least subnormal number of the accumulator
  const char* f16_result;  ///< the instruction with f16 results; nullptr if there is none
  Features published;
  Features modelled;
};

class Fttn : public testing::TestWithParam<Gpu> {
 protected:
  Fttn() : gpu_(GetParam()), dot_(gpu_.instruction) {}

  int length() const { return dot_.formats().k * gpu_.chained; }

  /// Runs products p[k], powers of two, through the chain of instructions.
  double run(const std::vector<double>& products, double c) const {
    const auto k = static_cast<std::size_t>(dot_.formats().k);
    std::vector<double> p = products;
    p.resize(static_cast<std::size_t>(length()), 0);
    double d = c;
    for (std::size_t first = 0; first < p.size(); first += k) {
      std::vector<double> a;
      std::vector<double> b;
      for (std::size_t i = first; i < first + k; ++i) {
        // Half the exponent in each factor: 2^-25 is not an f16 number.
        const int e = p[i] == 0 ? 0 : std::ilogb(p[i]) / 2;
        a.push_back(std::ldexp(p[i], -e));
        b.push_back(two(e));
      }
      d = dot_.dot(a, b, d);
    }
    return d;
  }
  double ulp() const { return two(gpu_.ulp); }

  const Gpu gpu_;
  const Dot dot_;
};

TEST_P(Fttn, SubnormalsInAndOut) {
  const double x = two(gpu_.subnormal);
  // T_si_no: a subnormal operand and a normal result.
  const double large = two(gpu_.subnormal < -1000 ? 100 : 12);
  EXPECT_EQ(dot_.dot({x}, {large}, 0) == x * large, gpu_.modelled.subnormal_inputs);
  // T_ni_so: normal operands and a subnormal result; with f16 operands no f32 result is subnormal.
  bool out = true;
  if (gpu_.f16_result != nullptr) {
    out = Dot(gpu_.f16_result).dot({two(-14)}, {two(-3)}, 0) == two(-17);
  } else {
    const double small = two((gpu_.least + 4) / 2 + 1);
    out = dot_.dot({small}, {small}, 0) == small * small;
  }
  // T_sa: a subnormal accumulator.
  out = out && run({}, two(gpu_.least)) == two(gpu_.least);
  EXPECT_EQ(out, gpu_.modelled.subnormal_outputs);
  EXPECT_EQ(gpu_.modelled.subnormal_inputs, gpu_.published.subnormal_inputs);
  EXPECT_EQ(gpu_.modelled.subnormal_outputs, gpu_.published.subnormal_outputs);
}

// T_rnd_dir: 2 and three quarters of its ulp, with both signs.
TEST_P(Fttn, RoundingDirection) {
  const double rest = ulp() + ulp() / 2;
  const double up = run({rest}, 2);
  const double down = run({-rest}, -2);
  std::string rounding = "other";
  if (up == 2 && down == -2) rounding = "truncate";
  if (up == 2 + 2 * ulp() && down == -2 - 2 * ulp()) rounding = "RTN-TE";
  EXPECT_EQ(rounding, gpu_.modelled.rounding);
}

// T_1_bit, T_3_bits_fin_rnd: 1 minus a half, a quarter, an eighth of an ulp.
TEST_P(Fttn, ExtraBits) {
  int bits = 0;
  if (gpu_.modelled.rounding == "truncate") {
    // 1 - x is below 1 unless x is lost.
    while (bits < 10 && run({-ulp() * two(-bits - 1)}, 1) < 1) ++bits;
  } else {
    // The midpoint below 1 is a quarter of an ulp of 1 away: a tie, which only the sticky bit
    // decides.
    const bool tie = run({-ulp() / 4}, 1) == 1;
    const bool beyond = run({-(ulp() / 4 + ulp() * two(-30))}, 1) == 1 - ulp() / 2;
    bits = run({-ulp() / 2}, 1) == 1 - ulp() / 2 && tie && beyond ? 3 : 0;
  }
  EXPECT_EQ(bits, gpu_.modelled.extra_bits);
  // "At least two" is all that the paper could test on H100.
  EXPECT_GE(gpu_.modelled.extra_bits, gpu_.published.extra_bits);
}

// T_pres_extra_acc: 1 and three halves of an ulp give 1 + ulp only if sums keep the extra bit.
TEST_P(Fttn, SumsKeepTheExtraBit) {
  const double half = ulp() / 2;
  const bool keeps = run({half, half, half}, 1) == 1 + ulp();
  // With rounding to nearest even in each step, each half is a tie with 1.
  EXPECT_EQ(keeps, gpu_.modelled.extra_bits > 0 && gpu_.modelled.width > 1);
}

// T_blk_fma_width, algorithm 1: the first position at which half an ulp is no longer added together
// with the first one.
TEST_P(Fttn, BlockWidth) {
  std::vector<double> first = {ulp() / 2};
  double c = 1;
  if (gpu_.modelled.extra_bits == 0) {
    // Without an extra bit, halves of an ulp have an effect only below 1 (Fasi et al., III-D2).
    first = {ulp() / 2, ulp() / 2};
    c = 1 - ulp() / 2;
  }
  int width = length();
  for (int i = static_cast<int>(first.size()); i < length(); ++i) {
    std::vector<double> p = first;
    p.resize(static_cast<std::size_t>(length()), 0);
    p[static_cast<std::size_t>(i)] = ulp() / 2;
    if (run(p, c) == 1) {
      width = i;
      break;
    }
  }
  EXPECT_EQ(width, gpu_.modelled.width);
}

// T_acc_order: 1 and four quarters of an ulp, in all positions of one fused step.
TEST_P(Fttn, OrderWithinAStep) {
  std::vector<double> results;
  for (int place = -1; place < std::min(4, dot_.formats().k); ++place) {
    std::vector<double> p(4, ulp() / 4);
    if (place >= 0) p[static_cast<std::size_t>(place)] = 1;
    results.push_back(run(p, place < 0 ? 1 : ulp() / 4));
  }
  const bool all_equal =
      std::all_of(results.begin(), results.end(), [&](double x) { return x == results.front(); });
  EXPECT_EQ(!all_equal, gpu_.modelled.order_matters);
}

// Case 1 of the last column: f16 results to nearest even.
TEST_P(Fttn, F16ResultsToNearestEven) {
  if (gpu_.f16_result == nullptr) return;  // the instruction does not exist
  const Dot dot(gpu_.f16_result);
  for (int sign : {1, -1}) {
    EXPECT_EQ(dot.dot({1, sign * two(-12)}, {sign * 1.0, 1}, 0), sign * 1.0);
    EXPECT_EQ(dot.dot({1, sign * two(-11)}, {sign * 1.0, 1}, 0), sign * 1.0);  // tie
    EXPECT_EQ(dot.dot({1, sign * 3 * two(-12)}, {sign * 1.0, 1}, 0), sign * (1 + two(-10)));
    EXPECT_EQ(dot.dot({1 + two(-10), sign * two(-11)}, {sign * 1.0, 1}, 0),
              sign * (1 + two(-9)));  // tie
  }
}

// Case 2 of the last column, T_prod: products of f64 to nearest even; within a fused multiply-add,
// so that only the sum is rounded.
TEST_P(Fttn, F64ProductsToNearestEven) {
  if (gpu_.ulp != -52) return;  // other products are exact
  const double x = 1 + 3 * ulp();
  for (int sign : {1, -1}) {
    const double rounded = dot_.dot({sign * x}, {1.25}, 0);
    EXPECT_EQ(rounded, sign * (1.25 + 4 * ulp()));
    EXPECT_EQ(dot_.dot({sign * x}, {1.25}, -rounded), -sign * ulp() / 4);
  }
}

TEST_P(Fttn, DeviatesFromTheTableOnlyAsDocumented) {
  const Features& p = gpu_.published;
  const Features& m = gpu_.modelled;
  const bool deviates = p.rounding != m.rounding || p.width != m.width ||
                        p.order_matters != m.order_matters || p.extra_bits != m.extra_bits;
  const std::string name = gpu_.name;
  EXPECT_EQ(deviates, name.ends_with("tf32") || name.ends_with("f64"));
}

// Table III. Deviations from it:
// - A100, TF32: the table has RTN-TE; recorded results of an A100 are truncated like those of f16
//   and bf16 (with one extra bit to nearest could not be had anyway, as section II says).
// - H100, TF32: the table has width 4, MMA-Sim (table III) all 8 products of m16n8k8 in one step,
//   which the model follows. Recorded results do not decide: theirs have four products at most.
// - H100: "at least 2" extra bits are exactly 2, "at least 16" products all of the instruction's.
// - f64: the table says that order is not under control within a unit of width 1, which holds one
//   product. Over the K of an instruction it is: k ascending, one FMA after the other.
INSTANTIATE_TEST_SUITE_P(TableIII, Fttn,
                         testing::Values(Gpu{"V100_f16",
                                             "v100/mma.m8n8k4.f32.f16.f16.f32",
                                             4,
                                             -23,
                                             -20,
                                             -149,
                                             "v100/mma.m8n8k4.f16.f16.f16.f16",
                                             {true, true, 0, "truncate", 4, false},
                                             {true, true, 0, "truncate", 4, false}},
                                         Gpu{"A100_f16",
                                             "a100/mma.m16n8k16.f32.f16.f16.f32",
                                             1,
                                             -23,
                                             -20,
                                             -149,
                                             "a100/mma.m16n8k16.f16.f16.f16.f16",
                                             {true, true, 1, "truncate", 8, false},
                                             {true, true, 1, "truncate", 8, false}},
                                         Gpu{"H100_f16",
                                             "h100/mma.m16n8k16.f32.f16.f16.f32",
                                             1,
                                             -23,
                                             -20,
                                             -149,
                                             "h100/mma.m16n8k16.f16.f16.f16.f16",
                                             {true, true, 2, "truncate", 16, false},
                                             {true, true, 2, "truncate", 16, false}},
                                         Gpu{"A100_bf16",
                                             "a100/mma.m16n8k16.f32.bf16.bf16.f32",
                                             1,
                                             -23,
                                             -130,
                                             -149,
                                             nullptr,
                                             {true, true, 1, "truncate", 8, false},
                                             {true, true, 1, "truncate", 8, false}},
                                         Gpu{"H100_bf16",
                                             "h100/mma.m16n8k16.f32.bf16.bf16.f32",
                                             1,
                                             -23,
                                             -130,
                                             -149,
                                             nullptr,
                                             {true, true, 2, "truncate", 16, false},
                                             {true, true, 2, "truncate", 16, false}},
                                         Gpu{"A100_tf32",
                                             "a100/mma.m16n8k8.f32.tf32.tf32.f32",
                                             1,
                                             -23,
                                             -130,
                                             -149,
                                             nullptr,
                                             {true, true, 1, "RTN-TE", 4, false},
                                             {true, true, 1, "truncate", 4, false}},
                                         Gpu{"H100_tf32",
                                             "h100/mma.m16n8k8.f32.tf32.tf32.f32",
                                             1,
                                             -23,
                                             -130,
                                             -149,
                                             nullptr,
                                             {true, true, 2, "truncate", 4, false},
                                             {true, true, 2, "truncate", 8, false}},
                                         Gpu{"A100_f64",
                                             "a100/mma.m8n8k4.f64.f64.f64.f64",
                                             1,
                                             -52,
                                             -1060,
                                             -1074,
                                             nullptr,
                                             {true, true, 3, "RTN-TE", 1, false},
                                             {true, true, 3, "RTN-TE", 1, true}},
                                         Gpu{"H100_f64",
                                             "h100/mma.m16n8k16.f64.f64.f64.f64",
                                             1,
                                             -52,
                                             -1060,
                                             -1074,
                                             nullptr,
                                             {true, true, 3, "RTN-TE", 1, false},
                                             {true, true, 3, "RTN-TE", 1, true}}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace mmaspec::fttn_test
