// --plugin FILE: files that are not plugins are refused in one line. tests/consumer builds a valid
// plugin.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::plugin_test {
namespace {

Outcome with_plugin(const std::string& file) { return mmaspec({"list", "--plugin", file}); }
std::string built(const std::string& name) {
  std::string file = MMASPEC_TEST_PLUGINS;
  return file.append("/").append(name).append(".so");
}

TEST(Plugin, OtherFilesAreRefused) {
  const Folder folder;
  expect_refused(with_plugin(folder / "missing.so"), {"missing.so", "No such file"});
  expect_refused(with_plugin(folder.write("text.so", "no code\n")), {"text.so"});
  expect_refused(with_plugin(folder.path()), {"plugin"});
  expect_refused(with_plugin(""), {"--plugin"});
  expect_refused(with_plugin(built("none")),
                 {"none.so", "does not define the function mmaspec_plugin"});
}

TEST(Plugin, OtherVersionsAndTruncatedTextsAreRefused) {
  expect_refused(with_plugin(built("version")), {"version.so", "mmaspec-plugin 999", "build it"});
  expect_refused(with_plugin(built("torn")), {"torn.so", "too early"});
}

TEST(Plugin, MalformedAlgorithmsAreRefused) {
  expect_refused(with_plugin(built("throws")), {"throws.so"});
  expect_refused(with_plugin(built("pattern")), {"pattern.so", "is not a bit pattern of f32"});
}

TEST(Plugin, AnAlgorithmIsShownByItsName) {
  const std::string file = built("good");
  EXPECT_THAT(mmaspec({"show", "custom/keeps_c", "--plugin", file}).out,
              testing::AllOf(testing::StartsWith("custom/keeps_c\n  algorithm   keeps_c\n"),
                             testing::Not(testing::HasSubstr("#"))));
  EXPECT_THAT(with_plugin(file).out, testing::HasSubstr("keeps_c          K=1"));
  EXPECT_THAT(
      mmaspec({"diff", "custom/keeps_c", "custom/keeps_c", "--plugin", file}).out,
      testing::HasSubstr("proved: custom/keeps_c and custom/keeps_c never differ, inputs finite"));
  EXPECT_THAT(mmaspec({"eval", "custom/keeps_c", "--c", "2", "--plugin", file}).out,
              testing::HasSubstr("0x40000000"));
}

TEST(Plugin, NamesOfPluginAlgorithmsAreUnknownWithoutThePlugin) {
  expect_refused(mmaspec({"show", "custom/mine"}), {"'custom/mine'", "--plugin FILE"});
}

}  // namespace
}  // namespace mmaspec::cli_test::plugin_test
