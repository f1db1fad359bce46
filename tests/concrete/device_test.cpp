// Kernels for devices: on a real OpenCL device each result is the batch evaluator's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concrete/device/kernel.h"
#include "concrete/device/runner.h"
#include "queries/audit/check.h"
#include "queries/compare/compare.h"
#include "tests/support/case_selection.h"
#include "tests/support/product.h"

namespace mmaspec::device_test {
namespace {

using device::DeviceRunner;

class OnOpenCl : public testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = device::open_device("opencl");
    } catch (const std::invalid_argument& error) {
      GTEST_SKIP() << "no OpenCL device: " << error.what();
    }
  }

  /// All elements of m x n results of products of length k; C is +0 if it is not `with_c`.
  void expect_as_on_the_host(const Instruction& i, DeviceRunner& runner, std::size_t m,
                             std::size_t n, std::size_t k, InputClass inputs, bool with_c) {
    SCOPED_TRACE(i.name() + " " + std::to_string(m) + " x " + std::to_string(n) + " x " +
                 std::to_string(k));
    const Instruction whole = for_matrices(i, k);
    Product p(whole.formats, m, n, k, inputs, 5);
    MatrixOperands operands = p.operands();
    static const std::uint64_t zero = 0;
    if (!with_c) operands.c = {reinterpret_cast<const std::byte*>(&zero), 8, m, n, 0, 0};
    Matrix d(m, n);
    Matrix expected(m, n);
    runner.run({{operands, d.span()}});
    MatrixRunner(whole.algorithm, whole.formats, aligned::Isa::none)
        .run({{operands, expected.span()}}, 1);
    ASSERT_EQ(d.words, expected.words);
  }

  void expect_as_on_the_host(const Instruction& i) {
    DeviceRunner runner(device_, i.algorithm, i.formats, i.name());
    const auto k = static_cast<std::size_t>(i.formats.k);
    expect_as_on_the_host(i, runner, 19, 33, k, InputClass::any, true);
    expect_as_on_the_host(i, runner, 16, 16, k, InputClass::finite, false);
    if (k > 1) expect_as_on_the_host(i, runner, 1, 3, k - 1, InputClass::any, true);
    if (*i.formats.c == *i.formats.d) {
      expect_as_on_the_host(i, runner, 5, 18, 2 * k + 1, InputClass::finite, true);
      expect_as_on_the_host(i, runner, 17, 1, 3 * k, InputClass::any, false);
    }
  }

  std::shared_ptr<device::Device> device_;
};

TEST_F(OnOpenCl, EachDesignOfTheCatalogueComputesAsOnTheHost) {
  const std::vector<Instruction> all = distinct(catalogue());
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!is_selected(n, 12)) continue;
    expect_as_on_the_host(all[n]);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace mmaspec::device_test
