// --before-arguments of table and matrix: solvers are asked once about results of analytical
// proofs; what they do not prove, the analytical proof proves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::before_arguments_test {
namespace {

using testing::HasSubstr;
using Arguments = std::vector<std::string>;

/// The kind of proof of the last answer of `asked`, which is a command line with a results file.
/// The command must succeed.
std::string last_by(Arguments asked, const std::string& file, const Arguments& more) {
  asked.insert(asked.end(), {"--results", file});
  asked.insert(asked.end(), more.begin(), more.end());
  const Outcome outcome = mmaspec(asked);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(lines_of(content_of(file)).back()).at("by").get<std::string>();
}

std::size_t answers_in(const std::string& file) { return lines_of(content_of(file)).size(); }

TEST(BeforeArguments, TablesAskSolvers) {
  const Folder folder;
  const std::string file = folder / "r.jsonl";
  const Arguments asked{"table", "--properties", "negation-symmetric",
                        "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=4,fraction_bits=10)"};
  EXPECT_EQ(last_by(asked, file, {}), "argument");
  // No solver answers, and there are too many inputs to try all: the analytical proof is used, and
  // solvers are not asked again with the same time limit.
  EXPECT_EQ(last_by(asked, file, {"--before-arguments", "0.2", "--solver", "smtlib:false"}),
            "argument");
  EXPECT_EQ(last_by(asked, file, {"--before-arguments", "0.2"}), "argument");
  EXPECT_EQ(answers_in(file), 2U);
  EXPECT_NE(last_by(asked, file, {"--before-arguments", "30"}), "argument");
  EXPECT_NE(last_by(asked, file, {}), "argument");
  EXPECT_EQ(answers_in(file), 3U);
}

TEST(BeforeArguments, MatricesAskSolvers) {
  const Folder folder;
  const auto sums = [](const std::string& formats) {
    return Arguments{"matrix", "design:fused-dot-add(" + formats + ",fraction_bits=40)",
                     "design:exact-dot-add(" + formats + ",round=rz)"};
  };
  const std::string few = folder / "few.jsonl";
  const Arguments of_few_inputs = sums("a=e2m1,c=e5m2,d=e5m2,k=2");
  EXPECT_EQ(last_by(of_few_inputs, few, {}), "argument");
  EXPECT_EQ(last_by(of_few_inputs, few, {"--before-arguments", "5"}), "enumeration");
  EXPECT_EQ(last_by(of_few_inputs, few, {}), "enumeration");
  EXPECT_EQ(answers_in(few), 2U);
  const std::string more = folder / "more.jsonl";
  const Arguments of_more = sums("a=e2m1,c=f16,d=f16,k=3");
  EXPECT_EQ(last_by(of_more, more, {"--before-arguments", "1", "--solver", "smtlib:false"}),
            "argument");
  EXPECT_EQ(last_by(of_more, more, {"--before-arguments", "1"}), "argument");
  EXPECT_EQ(answers_in(more), 1U);
}

TEST(BeforeArguments, MustBeLessThanTheTimeLimit) {
  for (const std::string command : {"table", "matrix"}) {
    const Outcome refused = mmaspec({command, "volta/mma.m8n8k4.f32.f16.f16.f32",
                                     "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)",
                                     "--timeout", "5", "--before-arguments", "5"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("--before-arguments: must be less"));
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::before_arguments_test
