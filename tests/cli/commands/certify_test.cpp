// prove, diff and table with --certificates; certify.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::certify_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

const std::string kFirst = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=30)";
const std::string kSecond = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=40)";

TEST(Certify, AcceptsCertificatesOfOneExpressionByProve) {
  const Folder folder;
  const Outcome made =
      mmaspec({"prove", "commutative", kFirst, "--certificates", folder / "made", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const Json object = Json::parse(made.out);
  EXPECT_TRUE(std::filesystem::is_directory(object.at("certificate").get<std::string>()));
  const Outcome checked = mmaspec({"certify", folder / "made", "--json"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_EQ(Json::parse(checked.out).at("verdict"), "accepted");
}

TEST(Certify, AcceptsCertificatesOfQueriesByProveAndRejectsThemChanged) {
  if (!has_program("cadical")) GTEST_SKIP() << "there is no cadical here";
  const Folder folder;
  const Outcome made = mmaspec({"prove", "negation-symmetric", kFirst, "--strategies", "cut,relax",
                                "--certificates", folder / "made"});
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_THAT(made.out, HasSubstr("certificate: "));
  Outcome checked = mmaspec({"certify", folder / "made"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, ContainsRegex("1 accepted .1 by (solver|derivation)., 0 rejected"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "made")) {
    if (entry.path().extension() != ".lrat") continue;
    std::string proof = content_of(entry.path());
    proof[proof.size() / 2] ^= 1;
    folder.write(std::filesystem::relative(entry.path(), folder.path()), proof);
  }
  checked = mmaspec({"certify", folder / "made"});
  EXPECT_EQ(checked.status, 1) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("rejected"));
}

TEST(Certify, AcceptsCertificatesByDiff) {
  const Folder folder;
  // Both keep every bit. There are few inputs, so that all are tried.
  const std::string kept = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=36)";
  const std::string more = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=38)";
  for (const char* option : {"--signed-zero", "--all-k"}) {
    const Outcome made = mmaspec({"diff", kept, more, option, "--certificates", folder / "made"});
    ASSERT_EQ(made.status, 0) << made.out << made.err;
    const Outcome checked = mmaspec({"certify", folder / "made"});
    EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  }
}

TEST(Certify, AcceptsATable) {
  const Folder folder;
  const Outcome made =
      mmaspec({"table", kFirst, kSecond, "--properties", "commutative,permutation-invariant",
               "--certificates", folder / "made"});
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  const Outcome checked = mmaspec({"certify", folder / "made"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST(Certify, ReportsAMissingCadical) {
  const Folder folder;
  setenv("MMASPEC_CADICAL", "", 1);
  const Outcome made = mmaspec({"prove", "negation-symmetric", kFirst, "--strategies", "cut,relax",
                                "--certificates", folder / "made"});
  unsetenv("MMASPEC_CADICAL");
  EXPECT_EQ(made.status, 0) << made.out;
  EXPECT_THAT(made.err, HasSubstr("no certificate: CaDiCaL, which makes proofs, is not in PATH"));
}

TEST(Certify, RefusesFoldersWithoutCertificates) {
  const Folder folder;
  expect_refused(mmaspec({"certify", folder / "none"}), {"is not a folder"});
  expect_refused(mmaspec({"certify", folder.path()}), {"does not contain a certificate"});
  std::filesystem::create_directory(folder.path() / "empty");
  EXPECT_EQ(mmaspec({"certify", folder.path()}).status, 1);
}

TEST(Certify, MaximizeWritesNoCertificates) {
  const Folder folder;
  expect_refused(
      mmaspec({"diff", kFirst, kSecond, "--maximize", "--certificates", folder / "made"}),
      {"--maximize cannot be combined with --certificates"});
}

TEST(Certify, SaysThatAStatementIsVacuous) {
  const Folder folder;
  const auto made = [&](const std::string& where, const std::string& name) {
    const Outcome outcome = mmaspec(
        {"prove", "commutative", kFirst, "--where", where, "--certificates", folder / name});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return folder / name;
  };
  const std::string none = made("c > 1 && c < 1", "none");
  const Outcome text = mmaspec({"certify", none});
  EXPECT_EQ(text.status, 0) << text.out << text.err;
  EXPECT_THAT(text.out, testing::StartsWith("accepted, vacuously: "));
  EXPECT_THAT(text.out, HasSubstr("no input satisfies the precondition"));
  EXPECT_EQ(Json::parse(mmaspec({"certify", none, "--json"}).out).at("vacuous"), true);
  const std::string some = made("c > 1", "some");
  EXPECT_THAT(mmaspec({"certify", some}).out, testing::StartsWith("accepted: "));
  EXPECT_EQ(Json::parse(mmaspec({"certify", some, "--json"}).out).at("vacuous"), false);
}

}  // namespace
}  // namespace mmaspec::cli_test::certify_test
