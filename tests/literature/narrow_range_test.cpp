// Mary and Mikaitis, Matrix Multiplication with Narrow Range (2025), part 3: the settings of the
// figures, with A of 10 x n and B of n x 10, magnitudes from 10^-10 to 10^10, and errors relative
// to ||A|| ||B||. The slides print no numbers: the test compares the order of the methods and the
// bounds, here also for e5m2 and bf16.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec::narrow_range_test {
namespace {

constexpr int kSide = 10;

using Matrix = std::vector<std::vector<float>>;  // rows of A, or columns of B

Matrix drawn(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-10, 10);
  Matrix m(kSide);
  for (auto& row : m) {
    for (int k = 0; k < n; ++k) {
      const double x = std::pow(10, exponent(random));
      row.push_back(static_cast<float>(random() % 2 == 0 ? x : -x));
    }
  }
  return m;
}

/// A method of the paper: p words of one format, sums in another.
struct Method {
  const Format* word;
  const Format* sums;
  int words;
  bool subnormals;
  bool scaled = true;  ///< A and B by powers of two, and each word by a power of u
};

/// theta = min(f_max, sqrt(F_max / n)).
double theta_of(const Method& m, int n) {
  const auto largest = [](const Format& f) {
    return decode(f, f.largest_finite()).value().convert_to<double>();
  };
  // theta is written as an f32 number, and operands are scaled in f32.
  return std::min({largest(*m.word), std::floor(std::sqrt(largest(*m.sums) / n)), 0x1p60});
}

double half_ulp(const Format& f) { return std::ldexp(1.0, -f.precision()); }

/// Half of the least positive number.
double least(const Format& f, bool subnormals) {
  return std::ldexp(0.5, f.least_exponent() - (subnormals ? f.fraction_bits : 0));
}

/// The paper's bound, which has other constants for one word.
double bound_of(const Method& m, int n) {
  const double u = half_ulp(*m.word);
  const double sum = half_ulp(*m.sums);
  const double theta = theta_of(m, n);
  const int p = m.words;
  const double g = least(*m.word, m.subnormals) / theta;
  const double sums_least = least(*m.sums, m.subnormals) / (theta * theta);
  if (p == 1) return 2 * u + n * sum + 4.0 * n * n * (g + sums_least);
  return (p + 1) * std::pow(u, p) + 4 * n * std::pow(u, p - 1) * g + (n + p * p) * sum +
         2.0 * p * (p + 1) * n * n * sums_least;
}

/// ||C' - AB|| / (||A|| ||B||), infinity norms; NaN if a result is not a number.
double error_of(const Method& m, const Matrix& a, const Matrix& b) {
  const auto n = a[0].size();
  const std::string unit = "design:sequential-fma(a=" + std::string(m.word->name) +
                           ",c=" + std::string(m.sums->name) + ",d=" + std::string(m.sums->name) +
                           ",k=" + std::to_string(n) + (m.subnormals ? "" : ",underflow=flush") +
                           ")";
  std::string name = "plan:multiword(" + unit + ",words=" + std::to_string(m.words) +
                     ",subnormals=" + (m.subnormals ? "yes" : "no");
  if (m.scaled) {
    const double theta = theta_of(m, static_cast<int>(n));
    name += ",theta=" + (theta == 0x1p60 ? "0x1p60" : std::to_string(theta));
    if (m.words > 1) name += ",sums=weight,scale=" + std::to_string(m.word->precision());
  }
  const Instruction i = find_instruction(name + ")");
  std::vector<DotValues> all;
  for (const auto& row : a) {
    for (const auto& column : b) {
      DotValues v{{}, {}, 0, {}, {}};
      for (const float x : row) v.a.emplace_back(std::bit_cast<std::uint32_t>(x));
      for (const float x : column) v.b.emplace_back(std::bit_cast<std::uint32_t>(x));
      all.push_back(std::move(v));
    }
  }
  std::vector<const DotValues*> pointers;
  for (const DotValues& v : all) pointers.push_back(&v);
  const std::vector<Integer> d = DotRunner(i.algorithm, i.formats).run(pointers);
  double worst = 0;
  double norm_a = 0;
  std::vector<double> rows_of_b(n, 0);
  for (std::size_t r = 0; r < kSide; ++r) {
    double of_row = 0;
    double error = 0;
    for (const float x : a[r]) of_row += std::abs(x);
    for (std::size_t c = 0; c < kSide; ++c) {
      double exact = 0;
      for (std::size_t k = 0; k < n; ++k) {
        exact += static_cast<double>(a[r][k]) * static_cast<double>(b[c][k]);
        if (r == 0) rows_of_b[k] += std::abs(b[c][k]);
      }
      const Decoded x = decode(*i.formats.d, d[r * kSide + c]);
      error += x.is_finite() ? std::abs(x.value().convert_to<double>() - exact) : NAN;
    }
    norm_a = std::max(norm_a, of_row);
    worst = std::isnan(error) ? error : std::max(worst, error);
    if (std::isnan(error)) return error;
  }
  return worst / (norm_a * *std::max_element(rows_of_b.begin(), rows_of_b.end()));
}

struct Setting {
  const Format* word;
  const Format* sums;
};

// Figures I to III, and two more formats.
TEST(NarrowRange, MoreWordsErrLessAndAllErrLessThanTheBounds) {
  using namespace formats;
  std::mt19937 random(1);
  for (const int n : {4, 12}) {
    const Matrix a = drawn(n, random);
    const Matrix b = drawn(n, random);
    for (const Setting& s : {Setting{&e4m3, &f16},
                             {&e4m3, &f32},
                             {&f16, &f32},
                             {&e5m2, &f32},
                             {&bf16, &f32},
                             {&e2m3, &f32},
                             {&e3m2, &f32},
                             {&e2m1, &f32}}) {
      double before = HUGE_VAL;
      for (const int words : {1, 2, 3}) {
        SCOPED_TRACE(std::string(s.word->name) + " " + std::string(s.sums->name) +
                     " n=" + std::to_string(n) + " words=" + std::to_string(words));
        const Method off{s.word, s.sums, words, false};
        const Method on{s.word, s.sums, words, true};
        const double error_off = error_of(off, a, b);
        const double error_on = error_of(on, a, b);
        EXPECT_LE(error_off, bound_of(off, n));
        EXPECT_LE(error_on, bound_of(on, n));
        // As far as the error of the sums permits.
        const double floor = 2 * n * half_ulp(*s.sums);
        EXPECT_LE(error_on, std::max(before, floor));
        before = error_on;
      }
    }
  }
}

// Without the scaling the same operands overflow or are lost.
TEST(NarrowRange, WordsSufficeOnlyWithScaling) {
  std::mt19937 random(2);
  const Matrix a = drawn(16, random);
  const Matrix b = drawn(16, random);
  for (const int words : {1, 2}) {
    const Method scaled{&formats::f16, &formats::f32, words, true};
    Method plain = scaled;
    plain.scaled = false;
    const double without = error_of(plain, a, b);
    EXPECT_TRUE(std::isnan(without) || without > error_of(scaled, a, b)) << without;
  }
}

}  // namespace
}  // namespace mmaspec::narrow_range_test
