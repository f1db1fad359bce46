// Tolerances: proved ones hold for random data, and the worst input reaches them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::tolerance_test {
namespace {

using testing::HasSubstr;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kTuring = "turing/mma.m16n8k8.f32.f16.f16.f32";
const std::string kUnit = "abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0";

TEST(Tolerance, HoldsForAllInputsAndIsReached) {
  const Outcome outcome = mmaspec({"tolerance", kVolta, kTuring, "--where", kUnit, "--distribution",
                                   "uniform", "--samples", "20000", "--timeout", "8", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json answer = Json::parse(outcome.out);
  EXPECT_TRUE(answer.at("proved"));
  EXPECT_EQ(answer.at("rtol").get<double>(), 0);
  const double atol = answer.at("atol");
  const double found = answer.at("found");
  EXPECT_LE(found, atol);
  EXPECT_GT(found, 0);
  const Json& random = answer.at("random");
  EXPECT_EQ(random.at("rows").get<int>(), 20000);
  EXPECT_LE(random.at("largest").get<double>(), found);
  EXPECT_GT(random.at("largest").get<double>(), 0);
  // f32 patterns.
  const auto number = [&](const char* key) {
    const std::string text = answer.at("worst").at(key);
    return static_cast<double>(
        std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(text, nullptr, 16))));
  };
  EXPECT_EQ(std::abs(number("d") - number("d_other")), found);
}

TEST(Tolerance, IsZeroForEqualUnits) {
  const std::string ampere = "ampere/mma.m16n8k8.f32.f16.f16.f32";
  const Outcome outcome = mmaspec({"tolerance", ampere, ampere, "--k", "64"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("atol = 0: all inputs pass, inputs finite (proved by "));
  const Outcome line = mmaspec({"tolerance", ampere, ampere, "--format", "python"});
  EXPECT_THAT(line.out, HasSubstr("numpy.testing.assert_allclose(actual, desired, rtol=0, atol=0"));
}

TEST(Tolerance, IsWrittenForTestsInThreeLanguages) {
  const std::string ampere = "ampere/mma.m16n8k8.f32.f16.f16.f32";
  const auto in = [&](const char* language) {
    return mmaspec({"tolerance", ampere, ampere, "--k", "64", "--format", language}).out;
  };
  EXPECT_THAT(in("pytorch"),
              HasSubstr("\ntorch.testing.assert_close(actual.double(), desired.double(), rtol=0, "
                        "atol=0)\n"));
  EXPECT_THAT(in("cpp"), testing::StartsWith("// desired: "));
  EXPECT_THAT(in("cpp"), HasSubstr("  ASSERT_LE(std::abs(double(actual[i]) - x), 0 + 0 * "
                                   "std::abs(x)) << i;\n"));
  EXPECT_EQ(mmaspec({"tolerance", ampere, ampere, "--format", "java"}).status, 2);
}

// A statistical tolerance is not called proved, and its sample is stated.
TEST(Tolerance, IsStatisticalWithAConfidence) {
  const std::vector<std::string> asked{"tolerance", kVolta,      kTuring, "--k",
                                       "32",        "--samples", "4000",  "--confidence",
                                       "0.99",      "--timeout", "8"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = asked;
    all.insert(all.end(), more.begin(), more.end());
    return mmaspec(all);
  };
  const Json answer = Json::parse(with({"--json"}).out);
  EXPECT_FALSE(answer.at("proved"));
  const Json& s = answer.at("statistical");
  EXPECT_EQ(s.at("rows"), 4000);
  EXPECT_EQ(s.at("how"), "order statistics");
  EXPECT_EQ(s.at("tolerance"), s.at("quantile").at("high"));
  EXPECT_GT(s.at("quantile").at("high").get<double>(), 0);
  EXPECT_LE(s.at("quantile").at("high").get<double>(),
            answer.at("random").at("largest").get<double>() * 1.001);
  EXPECT_THAT(with({}).out, HasSubstr("statistical, not proved: 0.99 of all elements pass with "));
  const std::string line = with({"--format", "python", "--distribution", "uniform"}).out;
  EXPECT_THAT(line, HasSubstr("# statistical, not proved: 0.99 of all elements pass with "));
  EXPECT_THAT(line, HasSubstr("4000 random rows (a and b uniform in [-1, 1), c = 0)\n"
                              "numpy.testing.assert_allclose("));
  EXPECT_THAT(with({"--distribution", "cauchy"}).err,
              HasSubstr("--distribution: expected normal, uniform or a .npy file, got cauchy"));
  EXPECT_EQ(mmaspec({"tolerance", kVolta, kTuring, "--confidence", "1"}).status, 2);
}

TEST(Tolerance, DoesNotExistIfOneResultIsNotANumber) {
  const Outcome outcome =
      mmaspec({"tolerance", "design:fused-dot-add(a=f16,c=f16,k=2,fraction_bits=30)",
               "design:fused-dot-add(a=f16,c=f16,k=2,fraction_bits=30,overflow=saturate)"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no tolerance is enough"));
}

// For terms of one sign an rtol is enough; with half of it an atol is needed too.
TEST(Tolerance, MayBeRelativeOrAbsoluteOrBoth) {
  const std::string one_sign =
      "a[*] >= 0.0625 && a[*] <= 1 && b[*] >= 0.0625 && b[*] <= 1 && c == 0";
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"tolerance", kVolta, kTuring, "--timeout", "5", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--where", one_sign});
    const Outcome outcome = mmaspec(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json relative = asked({"--atol", "0"});
  EXPECT_TRUE(relative.at("proved"));
  EXPECT_EQ(relative.at("atol"), 0);
  const double rtol = relative.at("rtol");
  EXPECT_GT(rtol, 0);
  EXPECT_LT(rtol, 1e-5);
  EXPECT_LE(relative.at("found").get<double>(), rtol);
  EXPECT_GT(relative.at("found").get<double>(), 0);
  const Json none = asked({"--rtol", std::to_string(2e-6)});
  EXPECT_EQ(none.at("rtol").get<double>(), 2e-6);
  EXPECT_EQ(none.at("atol"), 0);
  const Json some = asked({"--rtol", "0.00000001"});
  const double atol = some.at("atol");
  EXPECT_GT(atol, 0);
  // The worst input reaches the bound: |d - d_other| - rtol |d|.
  const auto number = [](const Json& row, const char* key) {
    const std::string text = row.at(key);
    return static_cast<double>(
        std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(text, nullptr, 16))));
  };
  const Json& worst = some.at("worst");
  const double needs =
      std::abs(number(worst, "d") - number(worst, "d_other")) - 1e-8 * std::abs(number(worst, "d"));
  EXPECT_NEAR(needs, some.at("found").get<double>(), 1e-15);
  EXPECT_LE(needs, atol);
}

// Search proves nothing: its result is a lower bound.
TEST(Tolerance, PrintsNoLowerBoundAsAnAssertion) {
  const std::vector<std::string> asked{"tolerance",    kVolta,   kTuring,     "--where", kUnit,
                                       "--strategies", "search", "--timeout", "3"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = asked;
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = mmaspec(all);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    return outcome.out;
  };
  const std::string python = with({"--format", "python"});
  EXPECT_THAT(python, HasSubstr("# lower bound only: an input needs rtol = 0, atol >= "));
  EXPECT_THAT(python, testing::Not(HasSubstr("assert_allclose")));
  EXPECT_THAT(with({}), HasSubstr("lower bound only: an input needs rtol = 0, atol >= "));
  const Json answer = Json::parse(with({"--json"}));
  EXPECT_TRUE(answer.at("atol").is_null());
  EXPECT_EQ(answer.at("rtol").get<double>(), 0);
  EXPECT_FALSE(answer.at("proved"));
  EXPECT_GT(answer.at("found").get<double>(), 0);
  const std::string statistical =
      with({"--format", "python", "--distribution", "uniform", "--samples", "1000"});
  EXPECT_THAT(statistical, HasSubstr("# statistical, not proved: 1000 random rows"));
  EXPECT_THAT(statistical, HasSubstr("assert_allclose(actual, desired, rtol=0, atol="));
}

TEST(Tolerance, SaysThatNothingWasFound) {
  const Outcome outcome =
      mmaspec({"tolerance", kVolta, kTuring, "--where", kUnit, "--strategies", "none", "--solver",
               "smtlib:false", "--timeout", "2", "--format", "python"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("# no difference was found, and no upper bound was proved\n"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("assert_allclose")));
}

TEST(Tolerance, HasNoStatisticsIfNoRowMeetsTheCondition) {
  const Outcome outcome =
      mmaspec({"tolerance", kVolta, kTuring, "--where", "a[0] > 60000", "--distribution", "uniform",
               "--samples", "100", "--timeout", "3"});
  EXPECT_THAT(outcome.out, HasSubstr("no statistics: no random row satisfies the precondition"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("0 apart at most")));
}

TEST(Tolerance, RefusesInOneLine) {
  expect_refused(mmaspec({"tolerance", kVolta}), {"SECOND"});
  expect_refused(mmaspec({"tolerance", kVolta, kTuring, "--distribution", "cauchy"}),
                 {"--distribution"});
  expect_refused(mmaspec({"tolerance", kVolta, kTuring, "--samples", "0"}), {"--samples"});
  expect_refused(mmaspec({"tolerance", kVolta, kTuring, "--rtol", "-1"}), {"--rtol"});
  expect_refused(mmaspec({"tolerance", kVolta, kTuring, "--rtol", "1", "--atol", "1"}),
                 {"--rtol and --atol"});
}

}  // namespace
}  // namespace mmaspec::cli_test::tolerance_test
