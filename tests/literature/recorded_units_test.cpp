// Results of units outside shared/vectors: recorded on hardware and stored here
// (tests/data/hardware), computed by simulators (tests/data/simulators), or computed by the RISC-V
// simulator Spike (shared/reference/spike, $MMASPEC_REFERENCE).

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/recorded.h"

namespace mmaspec::recorded_units_test {
namespace {

namespace fs = std::filesystem;

/// The number of rows that agree; every row of the files must.
std::size_t agreeing(const std::vector<fs::path>& files, const std::string& variant = "") {
  std::size_t rows = 0;
  for (const fs::path& file : files) {
    const VerifyReport report = verify({file.string()}, variant);
    EXPECT_EQ(report.failed, 0U) << describe(report);
    EXPECT_TRUE(report.bad_rows.empty()) << describe(report);
    rows += report.passed;
  }
  return rows;
}

// DOT2 and WMMA of a Radeon Pro W7900 and a Radeon AI Pro R9700, waves of 32 and of 64 lanes;
// VDPBF16PS, VFMADD231, VPDPBUSD(S) and VPDPWSSD(S) of an AMD EPYC; the open questions answered by
// an H100; WMMA of a gfx1151; and rows with subnormal FP8 numbers that an earlier model of its
// mma.sync computed incorrectly; FP8 of a gfx942, from its published results.
TEST(RecordedUnits, AgreeRowByRow) {
  const std::vector<fs::path> files = recorded_files(MMASPEC_TESTS_DIR "/data/hardware");
  EXPECT_GE(files.size(), 8U);
  EXPECT_GE(agreeing(files), 1602U + 1296U + 1240U + 972U + 913U + 8U + 18709U);
}

// MVMUL by functions of Tenstorrent's simulator ttsim; Apple's FMA of bf16 by corsix/amx;
// conversions by the host code of CUDA's headers; x86 ACE by functions of the emulator Bochs;
// stochastic conversions by a program after published models; CDNA4 and CDNA5 by a program after
// the source of AMD's emulator rocjitsu; the PSP's dot product by a function of the emulator
// PPSSPP.
TEST(RecordedUnits, RowsOfSimulatorsAgree) {
  EXPECT_EQ(agreeing(recorded_files(MMASPEC_TESTS_DIR "/data/simulators")),
            2048U + 512U + 1744U + 2560U + 2160U + 1152U + 512U);
}

// Elements of matrix products of cuBLAS on an H100, as plans: docs/plans.md.
TEST(RecordedUnits, ProductsOfCublasAreTheirPlans) {
  EXPECT_EQ(agreeing({MMASPEC_TESTS_DIR "/data/hardware/cublas/h100.jsonl.gz"}), 69U);
}

// Elements of matrix products of PyTorch and Triton on an H100: torch.mm, torch._scaled_mm, tl.dot.
TEST(RecordedUnits, ProductsOfLibrariesAreTheirPlans) {
  EXPECT_EQ(agreeing({MMASPEC_TESTS_DIR "/data/hardware/gemm/plans.jsonl.gz"}), 200U);
}

TEST(Spike, AgreesRowByRow) {
  const char* given = std::getenv("MMASPEC_REFERENCE");
  const fs::path folder = given != nullptr
                              ? fs::path(given)
                              : fs::path(MMASPEC_SOURCE_DIR).parent_path() / "shared" / "reference";
  const std::vector<fs::path> files = recorded_files(folder / "spike");
  if (files.empty()) {
    GTEST_SKIP() << "no rows in " << folder / "spike"
                 << "; set MMASPEC_REFERENCE to their folder";
  }
  EXPECT_EQ(agreeing(files), 2800U);
  // The manual's pseudo-code is another function.
  std::size_t others = 0;
  for (const fs::path& file : files) others += verify({file.string()}, "pseudo-code").failed;
  EXPECT_GT(others, 100U);
}

}  // namespace
}  // namespace mmaspec::recorded_units_test
