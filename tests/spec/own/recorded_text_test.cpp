// Algorithms as text, the form in which plugins pass them.

#include "spec/own/recorded_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "queries/audit/check.h"
#include "spec/catalog/own.h"
#include "spec/own/registry.h"
#include "util/split_mix.h"

namespace mmaspec::recorded_text_test {
namespace {

using ::testing::HasSubstr;

std::string text_of(const Instruction& i) {
  Recorded recorded{"copy", i.formats};
  const Graph::Building building(recorded.graph);
  recorded.result = i.algorithm.build(i.formats, dot_inputs(i.formats)).id();
  return to_text(recorded);
}

/// Checks that they build the same node.
void expect_same(const std::shared_ptr<const Recorded>& x,
                 const std::shared_ptr<const Recorded>& y) {
  ASSERT_EQ(x->formats, y->formats);
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(x->formats);
  const Int first = design_of(x).build(x->formats, in);
  EXPECT_TRUE(design_of(y).build(y->formats, in).same_as(first));
}

std::string refusal(std::string_view text) {
  try {
    take_recorded(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

// Read back, every design of the catalogue is the same node.
TEST(RecordedText, KeepsEveryDesignOfTheCatalogue) {
  for (const Instruction& i : distinct(catalogue())) {
    SCOPED_TRACE(i.name());
    const std::string text = text_of(i);
    std::string_view rest = text;
    const auto recorded = take_recorded(rest);
    EXPECT_TRUE(rest.empty());
    const Instruction copy = own_instruction(recorded);
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands operands = dot_inputs(i.formats);
    const Int original = i.algorithm.build(i.formats, operands);
    const std::size_t marks = graph.marks().size();
    EXPECT_TRUE(copy.algorithm.build(copy.formats, operands).same_as(original));
    EXPECT_EQ(graph.marks().size(), 2 * marks);
    for (std::size_t m = 0; m < marks; ++m) {
      const Mark& x = graph.marks()[m];
      const Mark& y = graph.marks()[marks + m];
      EXPECT_EQ(std::tie(x.stage, x.label, x.node, x.role, x.exponent, x.exponent_offset),
                std::tie(y.stage, y.label, y.node, y.role, y.exponent, y.exponent_offset));
    }
  }
}

TEST(RecordedText, KeepsClaims) {
  const DotFormats formats{&formats::e2m1, &formats::e2m1, &formats::f16, &formats::f16, 1};
  Recorded recorded{"claimed", formats};
  {
    const Graph::Building building(recorded.graph);
    const DotOperands in = dot_inputs(formats);
    recorded.result = claim(in.c - in.a[0] * in.b[0] - 70'000, -70'000, -5'000).id();
  }
  const std::string text = to_text(recorded);
  EXPECT_THAT(text, HasSubstr("claim -70000 -5000 "));
  std::string_view rest = text;
  const auto read = take_recorded(rest);
  EXPECT_EQ(read->graph[read->result].op, Op::claim);
  EXPECT_EQ(read->graph[read->result].range, (Range{-70'000, -5'000}));
}

TEST(RecordedText, SaysWhatIsWrong) {
  const std::string head = "algorithm x\nformats f16 f16 f32 f32 1\n";
  const auto of = [&](const std::string& nodes) { return refusal(head + nodes + "result 0\n"); };
  EXPECT_EQ(of("nodes 1 0\ninput 32 c\n"), "taken");
  EXPECT_THAT(refusal("ELF"), HasSubstr("too early"));
  EXPECT_THAT(refusal("algorithm x\nformats f16 f17 f32 f32 1\n"), HasSubstr("format 'f17'"));
  EXPECT_THAT(refusal("algorithm x\nformats f16 f16 f32 f32 0\n"),
              HasSubstr("'0' is not a number"));
  EXPECT_THAT(refusal("algorithm x\nformats f16 f16 f32 f32 4 ue8m0 3\n"), HasSubstr("divide"));
  EXPECT_THAT(of("nodes 1 0\ninput 31 c\n"), HasSubstr("c"));
  EXPECT_THAT(of("nodes 1 0\ninput 32 q\n"), HasSubstr("not operands of a dot product"));
  EXPECT_THAT(of("nodes 1 0\nfrobnicate 0\n"), HasSubstr("unknown operation"));
  EXPECT_THAT(of("nodes 1 0\nsum 1 1 1\n"), HasSubstr("before it is defined"));
  EXPECT_THAT(of("nodes 2 0\ninput 32 c\nnot 0\n"), HasSubstr("wrong type"));
  EXPECT_THAT(of("nodes 2 0\ninput 32 c\nless 0\n"), HasSubstr("of 1 operands"));
  EXPECT_THAT(of("nodes 2 0\ninput 32 c\nsum 0 0 1x\n"), HasSubstr("not an integer"));
  EXPECT_THAT(of("nodes 2 0\ninput 32 c\nbits 0 0 0\n"), HasSubstr("not a number"));
  EXPECT_THAT(of("nodes 3 0\ninput 32 c\nsum -1 0 1\nbit_length 1\n"),
              HasSubstr("not an algorithm"));
  EXPECT_THAT(of("nodes 1 0\nboolean 1\n"), HasSubstr("Boolean"));
  EXPECT_THAT(of("nodes 1 1\ninput 32 c\n9 0\ns\nl\n"), HasSubstr("'9'"));
}

// Any text is refused with a message, or is an algorithm that is written as it was read.
TEST(RecordedText, SurvivesAnyText) {
  const std::string text = text_of(find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32"));
  SplitMix random(7);
  int refused = 0;
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    std::string torn = text;
    const std::size_t at = random() % torn.size();
    if (i % 3 == 0) {
      torn.resize(at);
    } else if (i % 3 == 1) {
      torn[at] = static_cast<char>("0123456789- \nax"[random() % 15]);
    } else {
      torn.erase(at, 1 + random() % 9);
    }
    try {
      std::string_view rest = torn;
      const auto read = take_recorded(rest);
      const std::string again = to_text(*read);
      rest = again;
      expect_same(read, take_recorded(rest));
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kTries / 2);
}

// Stored answers refer to this name.
TEST(OwnAlgorithms, AreNamedByWhatTheyBuild) {
  const auto named = [](int added) {
    const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 1};
    auto recorded = std::make_shared<Recorded>();
    recorded->name = "x";
    recorded->formats = formats;
    const Graph::Building building(recorded->graph);
    recorded->result = bits(dot_inputs(formats).c + added, 0, 32).id();
    return design_of(recorded).name;
  };
  EXPECT_EQ(named(1), named(1));
  EXPECT_NE(named(1), named(2));
  EXPECT_THAT(named(1), testing::StartsWith("x#"));
}

TEST(OwnAlgorithms, AreFoundByName) {
  const std::string text = text_of(find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32"));
  EXPECT_THROW(find_instruction("custom/copy"), std::invalid_argument);
  std::string_view rest = text;
  const auto recorded = take_recorded(rest);
  add_own(recorded);
  EXPECT_EQ(find_instruction("custom/copy").name(), "custom/copy");
  EXPECT_EQ(find_instruction("custom/copy").formats.k, 4);
  EXPECT_THROW(add_own(recorded), std::invalid_argument);
  const auto bad = std::make_shared<Recorded>();
  bad->name = "a/b";
  EXPECT_THROW(add_own(bad), std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::recorded_text_test
