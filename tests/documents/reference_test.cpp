// docs/reference equals the current output of mmaspec-reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Reference, IsUpToDate) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  if (binary == nullptr) GTEST_SKIP() << "MMASPEC_BINARY is not set; run this test by ctest";
  const fs::path tool = fs::path(binary).parent_path() / "mmaspec-reference";
  if (!fs::exists(tool)) GTEST_FAIL() << "not built: the target mmaspec-reference";
  const fs::path source = MMASPEC_SOURCE_DIR;
  const fs::path fresh = fs::temp_directory_path() / fs::path(testing::TempDir()).filename() /
                         "mmaspec_reference_test";
  fs::remove_all(fresh);
  const std::string command =
      "'" + tool.string() + "' '" + source.string() + "' '" + fresh.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;

  const std::string advice = ": run mmaspec-reference . docs/reference";
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fresh)) {
    ++files;
    const fs::path committed = source / "docs/reference" / entry.path().filename();
    EXPECT_TRUE(content(entry.path()) == content(committed)) << committed << " is old" << advice;
  }
  EXPECT_GT(files, 10);
  for (const fs::directory_entry& entry : fs::directory_iterator(source / "docs/reference")) {
    EXPECT_TRUE(fs::exists(fresh / entry.path().filename()))
        << entry.path() << " is not written any more" << advice;
  }
  fs::remove_all(fresh);
}

}  // namespace
