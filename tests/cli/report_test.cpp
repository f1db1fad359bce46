// Pictures and pages of answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::report_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFirst = "design:fused-dot-add(k=4,fraction_bits=24)";
constexpr const char* kSecond = "design:fused-dot-add(k=4,fraction_bits=25)";
constexpr const char* kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";

/// Fails the test if xmllint is installed and the file is not XML.
void expect_xml(const std::string& file) {
  if (!has_program("xmllint")) return;
  const Outcome outcome = run_program("xmllint", {"--noout", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Report, OfADifferenceHoldsTheWholeAnswer) {
  const Folder folder;
  const Outcome outcome = mmaspec({"diff", kFirst, kSecond, "--html", folder / "page.html",
                                   "--picture", folder / "ruler.svg", "--seed", "3"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const std::string page = content_of(folder / "page.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("class=\"verdict bad\""),
                          HasSubstr("Operands"), HasSubstr("Results"), HasSubstr("<svg"),
                          HasSubstr("Traces, side by side"), HasSubstr("fraction_bits=25")));
  EXPECT_THAT(page, HasSubstr("mmaspec diff &#39;" + std::string(kFirst) + "&#39;"));
  EXPECT_THAT(page, AllOf(HasSubstr("--seed 3"), Not(HasSubstr("page.html"))));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("http-equiv")),
                          Not(HasSubstr("src=")), Not(HasSubstr("href="))));
  const std::string picture = content_of(folder / "ruler.svg");
  EXPECT_THAT(picture, AllOf(HasSubstr("data-name=\"" + std::string(kFirst)),
                             HasSubstr("data-name=\"" + std::string(kSecond))));
  expect_xml(folder / "ruler.svg");
}

TEST(Report, OfAProofSaysSo) {
  const Folder folder;
  const Outcome outcome = mmaspec(
      {"diff", kFirst, kFirst, "--html", folder / "page.html", "--picture", folder / "ruler.svg"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(content_of(folder / "page.html"), AllOf(HasSubstr("class=\"verdict good\""),
                                                      HasSubstr("proved"), Not(HasSubstr("<svg"))));
  EXPECT_THAT(content_of(folder / "ruler.svg"), HasSubstr("proved"));
  expect_xml(folder / "ruler.svg");
}

TEST(Report, OfARefutationShowsBothRuns) {
  const Folder folder;
  const Outcome outcome =
      mmaspec({"prove", "monotone-c", kVolta, "--html", folder / "page.html", "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(content_of(folder / "page.html"),
              AllOf(HasSubstr("refuted: monotone-c"), HasSubstr("the next c"), HasSubstr("<svg")));
  EXPECT_THAT(outcome.out, HasSubstr("\"values\""));
}

TEST(Report, OfAnEvaluationHasItsTrace) {
  const Folder folder;
  const Outcome outcome = mmaspec({"eval", kVolta, "--a", "1,0x1p-20", "--b", "1,0x1p-4", "--html",
                                   folder / "page.html", "--picture", folder / "ruler.svg"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(content_of(folder / "page.html"),
              AllOf(HasSubstr("d = 0x3f800000"), HasSubstr("Trace"), HasSubstr("loses")));
  expect_xml(folder / "ruler.svg");
}

// The class of the evidence is the catalogue's, whatever it is.
TEST(Report, StatesInputsAndEvidence) {
  const Folder folder;
  const std::vector<std::string> files{"--html", folder / "page.html", "--picture",
                                       folder / "ruler.svg"};
  const auto written = [&](std::vector<std::string> command) {
    command.insert(command.end(), files.begin(), files.end());
    EXPECT_NE(mmaspec(command).status, 2);
    return std::pair(content_of(folder / "page.html"), content_of(folder / "ruler.svg"));
  };
  const std::string other = "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)";
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"diff", kVolta, other}, {"diff", kVolta, kVolta}, {"prove", "monotone-c", kVolta}}) {
    const auto [page, picture] = written(command);
    EXPECT_THAT(page, AllOf(HasSubstr("inputs finite"), HasSubstr("<h2>Evidence</h2>"),
                            HasSubstr(std::string(kVolta) + " ")));
    EXPECT_THAT(picture, HasSubstr("evidence: "));
  }
  const auto [page, picture] = written({"diff", kFirst, kSecond});
  EXPECT_THAT(page, Not(HasSubstr("<h2>Evidence</h2>")));
  EXPECT_THAT(picture, Not(HasSubstr("evidence: ")));
}

TEST(Report, IsWrittenWholeOrNotAtAll) {
  const Folder folder;
  expect_refused(mmaspec({"diff", kFirst, kSecond, "--html", folder / "none/page.html"}),
                 {"page.html"});
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
}  // namespace mmaspec::cli_test::report_test
