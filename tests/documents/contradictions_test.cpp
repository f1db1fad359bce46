// docs/contradictions.md equals the output of tools/contradictions.py for the stored runs of diff,
// which are about the current catalogue. Every witness is evaluated again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

int run_script(const std::string& script, const std::string& option) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  const std::string source = MMASPEC_SOURCE_DIR;
  return std::system(("python3 '" + source + "/tools/" + script + "' --mmaspec '" +
                      (binary == nullptr ? "" : binary) + "' " + option)
                         .c_str());
}

bool can_run() {
  return std::getenv("MMASPEC_BINARY") != nullptr &&
         std::system("python3 --version > /dev/null 2>&1") == 0;
}

TEST(Contradictions, AreUpToDate) {
  if (!can_run()) GTEST_SKIP() << "needs ctest (MMASPEC_BINARY) and python3";
  EXPECT_EQ(run_script("contradictions.py", "--check"), 0);
}

}  // namespace
