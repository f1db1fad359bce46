// docs/explanation/theorems.md is what mmaspec-theorems prints, and the files that theorems name
// exist.
#include "queries/theorems/theorems.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/cli/process.h"

namespace mmaspec::theorems_test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = MMASPEC_SOURCE_DIR;

TEST(Theorems, ThePageIsUpToDate) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  if (binary == nullptr) GTEST_SKIP() << "MMASPEC_BINARY is not set; run this test by ctest";
  const fs::path tool = fs::path(binary).parent_path() / "mmaspec-theorems";
  const cli_test::Outcome outcome =
      cli_test::run_program(tool.string(), {(kSource / "docs").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              cli_test::content_of((kSource / "docs/explanation/theorems.md").string()))
      << "run mmaspec-theorems docs > docs/explanation/theorems.md";
}

TEST(Theorems, AreNumberedInOrderAndNameFilesThatExist) {
  int number = 0;
  for (const TheoremRecord& t : theorems()) {
    EXPECT_EQ(number_of(t.theorem), "T" + std::to_string(++number));
    EXPECT_FALSE(t.statement.empty());
    EXPECT_TRUE(fs::exists(kSource / t.conditions)) << t.conditions;
    EXPECT_TRUE(fs::exists(kSource / t.attack)) << t.attack;
  }
  EXPECT_EQ(number, static_cast<int>(TrustedTheorem::added_sums) + 1);
}

}  // namespace
}  // namespace mmaspec::theorems_test
