// Results of units outside shared/vectors: recorded on hardware and kept here
// (tests/data/hardware), or computed by the RISC-V simulator Spike (shared/reference/spike,
// $MMASPEC_REFERENCE).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "queries/audit/verify.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string describe(const VerifyReport& report) {
  std::string text;
  for (const auto& [instruction, counts] : report.by_instruction) {
    for (const Mismatch& m : counts.first_mismatches) {
      text += m.file + ":" + std::to_string(m.line) + ": " + instruction + " is " +
              to_hex(*m.row.d) + ", computed " + to_hex(m.computed) + "\n";
    }
  }
  for (const std::string& row : report.bad_rows) text += row + "\n";
  return text;
}

/// How many rows agree, of files whose every row must.
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
// VDPBF16PS, VFMADD231, VPDPBUSD(S) and VPDPWSSD(S) of an AMD EPYC.
TEST(RecordedUnits, AgreeRowByRow) {
  const std::vector<fs::path> files = files_in(MMASPEC_TESTS_DIR "/data/hardware");
  EXPECT_GE(files.size(), 3U);
  EXPECT_GE(agreeing(files), 1296U + 1240U + 972U);
}

TEST(Spike, AgreesRowByRow) {
  const char* given = std::getenv("MMASPEC_REFERENCE");
  const fs::path folder = given != nullptr
                              ? fs::path(given)
                              : fs::path(MMASPEC_SOURCE_DIR).parent_path() / "shared" / "reference";
  const std::vector<fs::path> files = files_in(folder / "spike");
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
}  // namespace mmaspec
