// Dot products of Arm and Power10 on QEMU: the programs of hardware/replay/device/qemu with exec:.
// Skipped with a message if the compilers or QEMU are not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::qemu_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The folder with the programs, built once; empty if a tool is missing.
const std::string& programs() {
  static const std::string folder = [] {
    std::string name = fs::temp_directory_path() / "qemu-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) return std::string();
    const std::string script = MMASPEC_SOURCE_DIR "/hardware/replay/device/qemu/build.sh";
    const int status = std::system(("'" + script + "' '" + name + "'").c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return name;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << script << " failed";
    fs::remove_all(name);
    return std::string();
  }();
  return folder;
}

class Qemu : public testing::TestWithParam<const char*> {
 protected:
  static void TearDownTestSuite() {
    if (!programs().empty()) fs::remove_all(programs());
  }
};

TEST_P(Qemu, AgreesOnAThousandRows) {
  if (programs().empty()) {
    GTEST_SKIP() << "needs gcc-aarch64-linux-gnu, gcc-powerpc64le-linux-gnu and qemu-user";
  }
  const std::string name = GetParam();
  const std::string architecture = name.substr(0, name.find('/'));
  const Outcome outcome = mmaspec({"replay", "--random", "1000", name, "--device",
                                   "exec:'" + programs() + "/" + architecture + "'"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1000 passed, 0 failed"));
}

INSTANTIATE_TEST_SUITE_P(Instructions, Qemu,
                         testing::Values("arm/bfdot", "arm/bfmmla", "arm/bfmopa",
                                         "arm/fmopa.f32.f16", "arm/fmopa.f32", "arm/fmopa.f64",
                                         "arm/fmla.f32", "arm/fmla.f64", "power10/xvbf16ger2pp",
                                         "power10/xvf16ger2pp", "power10/xvf32gerpp",
                                         "power10/xvf64gerpp"));

}  // namespace
}  // namespace mmaspec::cli_test::qemu_test
