// Matrices: each element is the dot product that DotRunner computes.

#include "concrete/matrix/matrix.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/compare/compare.h"
#include "tests/support/product.h"

namespace mmaspec::matrix_test {
namespace {

void expect_each_element(const Instruction& i, std::size_t m, std::size_t n, int threads) {
  SCOPED_TRACE(i.name() + " " + std::to_string(m) + " x " + std::to_string(n));
  const DotFormats& f = i.formats;
  Product p(f, m, n, static_cast<std::size_t>(f.k), InputClass::any, 7);
  const MatrixOperands operands = p.operands();
  Matrix d(m, n);
  MatrixRunner(i.algorithm, f).run({{operands, d.span()}}, threads);
  DotRunner runner(i.algorithm, f);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const Integer wanted = runner.run(dot_values_at(operands, row, column, f));
      ASSERT_EQ(Integer(d.at(row, column)), wanted) << row << ", " << column;
    }
  }
}

TEST(Matrix, EachElementIsADotProduct) {
  for (const char* name :
       {"hopper/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
        "cdna2/v_mfma_f32_32x32x8f16", "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
        "cdna3/v_mfma_f64_16x16x4_f64",
        "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"}) {
    const Instruction i = for_matrices(find_instruction(name), 100);
    expect_each_element(i, 5, 3, 1);
    expect_each_element(i, 3, 40, 2);
  }
  const Instruction plain = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f16");
  expect_each_element(plain, 2, 259, 3);
  expect_each_element(plain, 300, 1, 3);
  expect_each_element(plain, 4, 256, 1);
}

TEST(Matrix, RefusesShapesThatDoNotFit) {
  const Instruction i = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const MatrixRunner runner(i.algorithm, i.formats);
  Matrix a(2, 16), b(16, 3), c(2, 3), d(2, 3), other(3, 3), longer(2, 17);
  const auto run = [&](Matrix& x, Matrix& y, Matrix& z) {
    runner.run({{{x.view(), y.view(), z.view(), {}, {}}, d.span()}}, 1);
  };
  run(a, b, c);
  EXPECT_THROW(run(a, b, other), std::invalid_argument);
  EXPECT_THROW(run(a, other, c), std::invalid_argument);
  EXPECT_THROW(run(longer, b, c), std::invalid_argument);
}

TEST(Matrix, RefusesResultsThatAreNotPatterns) {
  Instruction i = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  i.algorithm = Custom{"twice", [](const DotFormats&, const DotOperands& in) { return in.c * 2; }};
  const MatrixRunner runner(i.algorithm, i.formats);
  Matrix a(1, 16), b(16, 1), c(1, 1), d(1, 1);
  c.at(0, 0) = 0x80000000;
  EXPECT_THROW(runner.run({{{a.view(), b.view(), c.view(), {}, {}}, d.span()}}, 1),
               std::logic_error);
}

}  // namespace
}  // namespace mmaspec::matrix_test
