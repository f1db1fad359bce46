// --where: refused conditions and the positions of their faults; accepted ones of any length.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "queries/numbers/where.h"

namespace mmaspec::where_refusals_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

DotFormats with_a(const Format& a) { return {&a, &formats::f16, &formats::f32, &formats::f32, 1}; }

std::string refusal(const std::string& text, const DotFormats& f = with_a(formats::e2m1)) {
  try {
    const Where where({text});
    Graph graph;
    const Graph::Building building(graph);
    (void)where.holds(f, dot_inputs(f), input("d", 32));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "was taken";
}

TEST(Where, NamesThePositionOfAnError) {
  EXPECT_THAT(refusal(""), AllOf(StartsWith("--where: "), HasSubstr("position 1, the end")));
  EXPECT_THAT(refusal("a[0] <"), HasSubstr("position 7, the end"));
  EXPECT_THAT(refusal("a[0]"), AllOf(HasSubstr("expected a comparison"), HasSubstr("position 5")));
  EXPECT_THAT(refusal("a[0] < 1 2"), AllOf(HasSubstr("position 10"), HasSubstr("'2'")));
  EXPECT_THAT(refusal("a < 1"), AllOf(HasSubstr("expected '['"), HasSubstr("position 3")));
  EXPECT_THAT(refusal("a[x] < 1"),
              AllOf(HasSubstr("expected an index or *"), HasSubstr("position 3")));
  EXPECT_THAT(refusal("a[1234567] < 1"), HasSubstr("the index is too large"));
  EXPECT_THAT(refusal("x < 1"), AllOf(HasSubstr("a[k], b[k], c, d"), HasSubstr("position 1")));
  EXPECT_THAT(refusal("(c < 1"), AllOf(HasSubstr("expected ')'"), HasSubstr("position 7")));
  EXPECT_THAT(refusal("c < 1)"), HasSubstr("position 6"));
  EXPECT_THAT(refusal("c = 1"), AllOf(HasSubstr("position 3"), HasSubstr("'= 1'")));
  EXPECT_THAT(refusal("zero(1)"), HasSubstr("position 6"));
  EXPECT_THAT(refusal("zero c"), AllOf(HasSubstr("expected '('"), HasSubstr("position 6")));
  EXPECT_THAT(refusal("c < 1 &&"), HasSubstr("position 9, the end"));
  EXPECT_THAT(refusal("c < 0x"), HasSubstr("0x"));
  EXPECT_THAT(refusal("c < 1..2"), HasSubstr("1..2"));
  EXPECT_THAT(refusal(std::string(3000, '(')), HasSubstr("too many parentheses"));
  EXPECT_THAT(refusal(std::string(3000, '!')), HasSubstr("too many parentheses"));
  EXPECT_THAT(refusal("all(any(zero(a[*])))"), HasSubstr("cannot be nested"));
  EXPECT_THAT(refusal("all(zero(a[0]))"),
              HasSubstr("an operand inside all or any must have the index *"));
  EXPECT_THAT(refusal("any(zero(a[*])"), HasSubstr("expected ')'"));
  EXPECT_THAT(refusal("all zero(a[*])"), HasSubstr("expected '('"));
  EXPECT_EQ(refusal("c <\n\n@").find('\n'), std::string::npos);
}

TEST(Where, RefusesClassesThatTheFormatsDoNotHave) {
  EXPECT_THAT(refusal("a[1] < 1"), HasSubstr("indices are 0 to 0"));
  EXPECT_THAT(refusal("sa[0] < 1"), HasSubstr("not have scale factors"));
  EXPECT_THAT(refusal("sb[*] < 1"), HasSubstr("not have scale factors"));
  EXPECT_THAT(refusal("finite(sa[*])"), HasSubstr("not have scale factors"));
  EXPECT_THAT(refusal("exponent(c) < 1.5"), HasSubstr("integers"));
  EXPECT_THAT(refusal("exponent(c) < c"), HasSubstr("integers"));
  const DotFormats scaled{
      &formats::e2m1, &formats::e2m1, &formats::f32, &formats::f32, 4, &formats::ue8m0, 2};
  EXPECT_THAT(refusal("a[*] < sa[*]", scaled), HasSubstr("different lengths"));
  EXPECT_THAT(refusal("all(a[*] < 1 || sa[*] < 1)", scaled), HasSubstr("different lengths"));
  EXPECT_THAT(refusal("any(finite(sa[*]))"), HasSubstr("not have scale factors"));
  EXPECT_THAT(refusal("-sa[0] < 0", scaled), HasSubstr("has no sign"));
  EXPECT_EQ(refusal("sa[*] < sb[*] && a[*] < b[*]", scaled), "was taken");
}

TEST(Where, TakesLongConditions) {
  std::string chain = "c < 1";
  for (int i = 0; i < 20000; ++i) chain += i % 2 == 0 ? "&&d<1" : "||c>2";
  EXPECT_EQ(refusal(chain), "was taken");
}

}  // namespace
}  // namespace mmaspec::where_refusals_test
