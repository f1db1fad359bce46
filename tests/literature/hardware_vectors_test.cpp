// Recorded results, file by file: results of GPUs (hardware/) and of two releases of MMA-Sim
// (mma-sim/, mma-sim-2.1.1/). The folder is not part of this project: $MMASPEC_VECTORS, or
// shared/vectors next to the checkout.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>

#include "tests/support/recorded.h"

namespace mmaspec::hardware_vectors_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const char* folder) {
  return recorded_files(recorded_vectors() / folder);
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

TEST(Vectors, AreFound) {
  if (files_of("hardware").empty() && files_of("mma-sim").empty()) {
    GTEST_SKIP() << "no vectors in " << recorded_vectors()
                 << "; set MMASPEC_VECTORS to their folder";
  }
  const std::vector<fs::path> hardware = files_of("hardware");
  EXPECT_EQ(hardware.size(), 48U);
}

class Hardware : public testing::TestWithParam<fs::path> {};

TEST_P(Hardware, IsReproduced) {
  const VerifyReport report = verify({GetParam().string()}, "");
  EXPECT_EQ(report.passed, 1000U);
  EXPECT_EQ(report.failed, 0U) << describe(report);
  EXPECT_TRUE(report.bad_rows.empty()) << describe(report);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Hardware);
INSTANTIATE_TEST_SUITE_P(Files, Hardware, testing::ValuesIn(files_of("hardware")), test_name);

/// The files of a release of MMA-Sim, and the variant for it.
struct Release {
  fs::path file;
  std::string variant;
};

std::vector<Release> releases() {
  std::vector<Release> all;
  for (const auto& [folder, variant] :
       {std::pair{"mma-sim", "mma-sim-2025"}, std::pair{"mma-sim-2.1.1", "mma-sim"}}) {
    for (const fs::path& file : files_of(folder)) all.push_back({file, variant});
  }
  return all;
}

std::string release_name(const testing::TestParamInfo<Release>& info) {
  std::string name =
      info.param.file.parent_path().filename().string() + "_" + info.param.file.filename().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

class MmaSim : public testing::TestWithParam<Release> {};

bool is_known(const std::string& instruction) {
  try {
    (void)find_instruction(instruction);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// Does the instruction have this variant? It exists if the default differs from MMA-Sim, because of
// hardware or of another model that agrees with hardware.
bool has_variant(const std::string& instruction, const std::string& variant) {
  return is_known(instruction + "@" + variant);
}

/// In the older release, but rejected by ptxas.
constexpr std::string_view kRejected =
    "rtx-blackwell/mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue4m3";

TEST_P(MmaSim, IsReproduced) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("mmaspec-vectors-" + release_name({GetParam(), 0}));
  fs::create_directories(folder);
  const std::string with_variant = (folder / "variant.jsonl").string();
  const std::string plain = (folder / "default.jsonl").string();
  std::size_t rows = 0;
  std::size_t unknown = 0;
  {
    std::ofstream variant_out(with_variant);
    std::ofstream plain_out(plain);
    for_each_line(GetParam().file.string(), [&](std::string_view line, std::size_t) {
      const std::string instruction = parse_row(line).instruction;
      ++rows;
      if (has_variant(instruction, GetParam().variant)) {
        variant_out << line << "\n";
      } else if (is_known(instruction)) {
        plain_out << line << "\n";
      } else if (instruction != kRejected) {
        ++unknown;
      } else {
        --rows;
      }
    });
  }
  const VerifyReport variant = verify({with_variant}, GetParam().variant);
  const VerifyReport same = verify({plain}, "");
  fs::remove_all(folder);
  EXPECT_EQ(variant.failed, 0U) << describe(variant);
  EXPECT_EQ(same.failed, 0U) << describe(same);
  EXPECT_TRUE(variant.bad_rows.empty()) << describe(variant);
  EXPECT_TRUE(same.bad_rows.empty()) << describe(same);
  EXPECT_EQ(unknown, 0U) << "the catalogue lacks instructions that MMA-Sim has";
  EXPECT_EQ(variant.passed + same.passed, rows);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MmaSim);
INSTANTIATE_TEST_SUITE_P(Files, MmaSim, testing::ValuesIn(releases()), release_name);

}  // namespace
}  // namespace mmaspec::hardware_vectors_test
