// The tables in docs/fttn.md equal the current output of the programs.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string output_of(const fs::path& program) {
  FILE* pipe = popen(("'" + program.string() + "'").c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  return pclose(pipe) == 0 ? text : "";
}

TEST(FttnPage, HoldsTheOutputOfThePrograms) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  if (binary == nullptr) GTEST_SKIP() << "MMASPEC_BINARY is not set; run this test by ctest";
  std::ifstream in(fs::path(MMASPEC_SOURCE_DIR) / "docs/fttn.md", std::ios::binary);
  std::ostringstream page;
  page << in.rdbuf();
  for (const char* name : {"mmaspec-fttn", "fttn-section-v"}) {
    const fs::path program = fs::path(binary).parent_path() / name;
    ASSERT_TRUE(fs::exists(program)) << "not built: " << name;
    const std::string text = output_of(program);
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_NE(page.str().find(text), std::string::npos)
        << "docs/fttn.md does not hold what " << name << " prints:\n"
        << text;
  }
}

}  // namespace
