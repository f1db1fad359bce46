// Ports that are packed structs, and interfaces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"

namespace mmaspec::rtl::members_test {
namespace {

using cli_test::expect_refused;
using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

const std::string kDesigns = MMASPEC_SOURCE_DIR "/tests/rtl/designs/";
const std::string kIntegers = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)";

class Members : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  static Outcome ask(const std::string& a, const std::vector<std::string>& more = {},
                     const std::string& d = "out.sum") {
    std::vector<std::string> arguments{"rtl",       kDesigns + "structs.sv",
                                       "--top",     "structs",
                                       "--against", kIntegers,
                                       "--map",     "a=" + a,
                                       "--map",     "b={in.second.b,in.first.b}",
                                       "--map",     "c=in.sum",
                                       "--map",     "d=" + d};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
};

TEST_F(Members, AreOperands) {
  const Outcome proved = ask("{in.second.a,in.first.a}");
  EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
  // A member may have a range of bits.
  EXPECT_EQ(ask("{in.second.a[7:0],in.first.a[7:4],in.first.a[3:0]}", {"--no-simulation"}).status,
            0);
  const Outcome wrong = ask("{in.second.a,in.first.b}");
  EXPECT_EQ(wrong.status, 2) << wrong.out << wrong.err;  // the same bits twice
  EXPECT_THAT(wrong.err, HasSubstr("is already mapped"));
  EXPECT_EQ(ask("{in.second.a,in.first.a}", {"--parameter", "INVERT=1", "--no-simulation"}).status,
            1);
  EXPECT_EQ(ask("{in.first.a,in.second.a}", {"--no-simulation"}).status, 1);
}

TEST_F(Members, ThatDoNotExistAreNamed) {
  expect_refused(ask("{in.second.a,in.third.a}"), {"--map", "in.third.a"});
  expect_refused(ask("{in.second.a,out_of.first.a}"), {"--map a", "no input 'out_of.first.a'"});
  expect_refused(ask("{in.second.a,in.first.a}", {}, "out.tag"), {"--map d", "has 4 bits"});
}

TEST_F(Members, AnInterfaceIsOneLine) {
  expect_refused(
      mmaspec(
          {"rtl", kDesigns + "interface.sv", "--top", "with_interface", "--against", kIntegers}),
      {"--top with_interface: port bus is an interface (dot_if), which is not supported"});
}

}  // namespace
}  // namespace mmaspec::rtl::members_test
