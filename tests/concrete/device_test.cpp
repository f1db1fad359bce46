// Kernels for devices: on a real OpenCL device each result equals the batch evaluator's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "concrete/device/kernel.h"
#include "concrete/device/runner.h"
#include "queries/audit/check.h"
#include "queries/compare/compare.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"
#include "tests/support/product.h"

namespace mmaspec::device_test {
namespace {

using device::DeviceRunner;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class OnOpenCl : public testing::Test {
 protected:
  void SetUp() override {
    setenv("POCL_KERNEL_CACHE", "0", 0);  // no cached kernels of tests in the user's folders
    try {
      device_ = device::open_device("opencl");
    } catch (const std::invalid_argument& error) {
      GTEST_SKIP() << "no OpenCL device: " << error.what();
    }
  }

  /// Compares all elements of m x n results of products of length k; C is +0 without `with_c`.
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

TEST_F(OnOpenCl, PlansComputeAsOnTheHost) {
  const std::string unit = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  for (const std::string& name :
       {"plan:split-k(" + unit + ",k=64)", "plan:epilogue(" + unit + ",k=32,out=bf16)",
        "plan:promote(" + unit + ",k=64,every=32)",
        "plan:split-k(" + unit + ",k=88,lengths=16:64:16,reduce=halves)",
        "plan:split-k(" + unit + ",k=96,parts=3,c_joins=first)",
        "plan:split-k(promote(" + unit + ",k=32,every=16),k=64,reduce=atomic,order=1)",
        "plan:epilogue(split-k(" + unit + ",k=72,parts=2,partial=f16),k=72,beta=0,out=f16)",
        "plan:epilogue(split-k(" + unit + ",k=32),k=64,alpha=0.5,out=bf16)",
        "plan:epilogue(" + unit + ",k=40,bias=after,out=bf16)"}) {
    expect_as_on_the_host(find_instruction(name));
    if (HasFatalFailure()) return;
  }
}

TEST_F(OnOpenCl, FailuresAreOneLine) {
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string compiled = message_of([&] { device_->compile("KERNEL nothing"); });
  EXPECT_THAT(compiled, StartsWith("opencl: the kernel was not compiled: "));
  EXPECT_THAT(compiled, Not(HasSubstr("\n")));
  EXPECT_THAT(message_of([&] { device_->allocate(std::size_t{1} << 60); }),
              HasSubstr("out of memory"));
  EXPECT_THAT(message_of([] { device::open_device("opencl:1000"); }),
              StartsWith("opencl:1000: there "));
  const Instruction i = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  DeviceRunner runner(device_, i.algorithm, i.formats, i.name());
  Product p(i.formats, 2, 3, 4, InputClass::any, 1);
  Matrix d(3, 3);
  EXPECT_THAT(message_of([&] {
                runner.run({{p.operands(), d.span()}});
              }),
              StartsWith("shapes do not fit"));
}

// Its parts are loops over the instruction: the length of K does not matter.
TEST_F(OnOpenCl, LongPlansComputeAsOnTheHost) {
  const std::string unit = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  for (const std::string& name :
       {"plan:epilogue(split-k(" + unit + ",k=4096,part=704,parts=6),k=4096,beta=0,out=f16)",
        "plan:split-k(" + unit + ",k=2048,parts=32,reduce=tree)"}) {
    const Instruction i = find_instruction(name);
    DeviceRunner runner(device_, i.algorithm, i.formats, i.name());
    expect_as_on_the_host(i, runner, 3, 5, static_cast<std::size_t>(i.formats.k),
                          InputClass::finite, true);
    if (HasFatalFailure()) return;
  }
}

TEST(DeviceKernel, LongDesignsAreDeclined) {
  const Instruction i = find_instruction(
      "plan:permute(split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=2048,parts=16),k=2048,ways=2,"
      "block=1)");
  try {
    device::matrix_kernel(i.algorithm, i.formats, device::Dialect::opencl, i.name());
    FAIL() << "it is compiled";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("too long"));
  }
}

/// nvcc: $NVCC, on the PATH, or in CUDA's default folder; empty if it is not installed.
std::string nvcc() {
  if (const char* named = std::getenv("NVCC")) return named;
  if (cli_test::has_program("nvcc")) return "nvcc";
  const char* home = std::getenv("CUDA_HOME");
  const std::string path = std::string(home == nullptr ? "/usr/local/cuda" : home) + "/bin/nvcc";
  return std::filesystem::exists(path) ? path : "";
}

TEST(DeviceKernel, NvccCompilesCuda) {
  const std::string compiler = nvcc();
  if (compiler.empty()) GTEST_SKIP() << "there is no nvcc";
  const std::vector<std::string> architectures{"sm_80", "sm_90a", "sm_100a", "sm_120a"};
  const std::vector<Instruction> all = distinct(catalogue());
  const cli_test::Folder folder;
  std::size_t number = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!is_selected(n, 60)) continue;
    SCOPED_TRACE(all[n].name());
    const std::string source =
        folder.write("kernel.cu", device::matrix_kernel(all[n].algorithm, all[n].formats,
                                                        device::Dialect::cuda, all[n].name())
                                      .source);
    const std::string& architecture = architectures[number++ % architectures.size()];
    const cli_test::Outcome outcome =
        cli_test::run_program(compiler, {"-arch=" + architecture, "-cubin", "-Werror",
                                         "all-warnings", "-o", folder / "kernel.cubin", source});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
}

TEST_F(OnOpenCl, EachDesignOfTheCatalogueComputesAsOnTheHost) {
  const std::vector<Instruction> all = distinct(catalogue());
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!is_selected(n, 24)) continue;
    expect_as_on_the_host(all[n]);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace mmaspec::device_test
