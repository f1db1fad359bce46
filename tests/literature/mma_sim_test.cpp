// MMA-Sim section VI-C (Xie et al., arXiv 2511.10909): asymmetric rounding on CDNA3.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>

#include "concrete/dot/model.h"
#include "spec/algorithms/round_down_dot_add.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec::mma_sim_test {
namespace {

/// f32's pattern of the number nearest to x.
Integer pattern_of(float x) { return Integer(std::bit_cast<std::uint32_t>(x)); }

double value_of(const Format& format, const Integer& pattern) {
  return decode(format, pattern).value().convert_to<double>();
}

/// The nearest number of f16, ties to even.
Integer f16_pattern(float x) { return round_pattern(formats::f32, pattern_of(x), formats::f16); }

/// 2048 * 2048 - 2048 * 2048 - 0.000001, in a format that holds 2048: f16, bf16, tf32, f32, f64.
double section_vi_c(const Instruction& i) {
  const DotFormats& f = i.formats;
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values{std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), 0, {}, {}};
  values.a[0] = values.a[1] = parse_pattern_of(*f.a, "2048");
  values.b[0] = parse_pattern_of(*f.b, "2048");
  values.b[1] = parse_pattern_of(*f.b, "-2048");
  values.c = round_pattern(formats::f32, pattern_of(-0.000001F), *f.c);
  return value_of(*f.d, DotModel(i.algorithm, f).run(values));
}

TEST(MmaSimSectionVIC, Cdna3RoundsCDownToMinusAQuarter) {
  EXPECT_EQ(section_vi_c(find_instruction("cdna3/v_mfma_f32_32x32x8_f16")), -0.25);
}

/// The paper: "using other instructions with RZ or RNE results in 0.0". This is true for fused
/// dot-adds with c among the terms. Exact sums of all terms, and sums of products to which c is
/// added at the end, keep it. The paper covers the matrix units of these architectures.
bool is_of_the_paper(const std::string& architecture) {
  const std::set<std::string> all{"volta",     "turing",        "ampere", "ada",   "hopper",
                                  "blackwell", "rtx-blackwell", "cdna1",  "cdna2", "cdna3"};
  return all.contains(architecture);
}

TEST(MmaSimSectionVIC, EveryOtherInstructionOfTheseFormats) {
  const double kept = -0.000001F;
  int quarter = 0;
  int zero = 0;
  int whole = 0;
  for (const Instruction& i : catalogue()) {
    const std::string_view a = i.formats.a->name;
    if (!is_of_the_paper(i.architecture)) continue;
    if (i.formats.k < 2 || i.formats.scale != nullptr) continue;
    if (a != "f16" && a != "bf16" && a != "tf32" && a != "xf32") continue;
    if (i.formats.d->name != "f32") continue;
    SCOPED_TRACE(i.name());
    const double d = section_vi_c(i);
    if (i.architecture == "cdna3") {
      EXPECT_EQ(d, -0.25);
      ++quarter;
    } else if (i.algorithm.name() == "fused-dot-add") {
      EXPECT_EQ(d, 0.0);
      ++zero;
    } else {
      EXPECT_EQ(i.algorithm.name(),
                i.architecture == "cdna1" ? "exact-dot-add" : "group-pairwise-sum");
      EXPECT_EQ(d, kept);
      ++whole;
    }
  }
  EXPECT_GT(quarter, 5);
  EXPECT_GT(zero, 20);
  EXPECT_GT(whole, 5);
}

/// Figure 2: A, B ~ 1000 N(0, 1) in f16, C ~ N(0, 1) in f32.
TEST(MmaSimSectionVIC, RoundingDownIsBiasedAndTowardZeroIsNot) {
  const Instruction rd = find_instruction("cdna3/v_mfma_f32_32x32x8_f16");
  RoundDownDotAdd design{};
  design.block = 8;
  design.result = {&formats::f32, Rounding::nearest_even};
  design.sum_rounding = Rounding::toward_zero;
  design.c_rounding = Rounding::toward_zero;
  const DotModel down(rd.algorithm, rd.formats);
  const DotModel toward_zero(design, rd.formats);

  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  constexpr int kRuns = 4000;
  double sum_rd = 0;
  double sum_rz = 0;
  double squares_rz = 0;
  for (int run = 0; run < kRuns; ++run) {
    DotValues values;
    double exact = 0;
    for (int k = 0; k < 8; ++k) {
      values.a.push_back(f16_pattern(1000 * normal(random)));
      values.b.push_back(f16_pattern(1000 * normal(random)));
      exact += value_of(formats::f16, values.a.back()) * value_of(formats::f16, values.b.back());
    }
    const float c = normal(random);
    values.c = pattern_of(c);
    exact += c;
    const double error_rz = value_of(formats::f32, toward_zero.run(values)) - exact;
    sum_rd += value_of(formats::f32, down.run(values)) - exact;
    sum_rz += error_rz;
    squares_rz += error_rz * error_rz;
  }
  const double mean_rd = sum_rd / kRuns;
  const double mean_rz = sum_rz / kRuns;
  const double standard_error = std::sqrt(squares_rz / kRuns / kRuns);
  EXPECT_LT(std::abs(mean_rz), 4 * standard_error);
  EXPECT_LT(mean_rd, -10 * standard_error);
}

}  // namespace
}  // namespace mmaspec::mma_sim_test
