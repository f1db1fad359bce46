// Designs with symbolic parameters: at fixed parameters they are the ordinary designs.

#include "spec/algorithms/symbolic.h"

#include <gtest/gtest.h>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "queries/draw/samples.h"
#include "queries/studies/identify/space/space.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"

namespace mmaspec::symbolic_test {
namespace {

/// Formats of every kind, with and without scale factors.
std::vector<DotFormats> all_kinds() {
  const auto of = [](const char* text) {
    return find_instruction("design:exact-dot-add(" + std::string(text) + ")").formats;
  };
  const DotFormats integers =
      find_instruction("design:integer-dot-add(a=u8,b=s8,c=s32,d=s32,k=4)").formats;
  return {of("a=f16,c=f32,k=8"),
          of("a=f16,c=f16,k=4"),
          of("a=f16,c=f16,d=f32,k=4"),
          of("a=bf16,c=f32,k=4"),
          of("a=e4m3,b=e5m2,c=f16,k=8"),
          of("a=e4m3fnuz,c=f32,k=4"),
          of("a=f32,c=f32,k=2"),
          of("a=e2m1,c=f32,k=8,scale=ue4m3,scale_block=4"),
          of("a=bf16,c=bf16,k=2"),
          of("a=bf16,c=f32,k=16"),
          integers};
}

/// Random values of the axes.
std::vector<int> drawn(const Family& family, SplitMix& random) {
  std::vector<int> values;
  for (const Axis& axis : family.axes) {
    values.push_back(axis.values[random.index(axis.values.size())]);
  }
  return values;
}

TEST(SymbolicDesigns, AtConstantsAreTheOrdinaryDesigns) {
  // One node: the ordinary design is the symbolic one with its parameters set from outside.
  SplitMix random(1);
  for (const DotFormats& formats : all_kinds()) {
    const Space space(formats, {});
    for (const Family& family : space.families()) {
      for (int i = 0; i < 4; ++i) {
        const std::vector<int> values = drawn(family, random);
        Graph graph;
        const Graph::Building building(graph);
        const DotOperands operands = dot_inputs(formats);
        std::vector<Int> constants;
        for (const int v : values) constants.emplace_back(v);
        const Algorithm design = family.design(values);
        const Int ordinary = design.build(formats, operands);
        EXPECT_TRUE(family.build(constants, operands).same_as(ordinary))
            << open_design(design, formats).name();
      }
    }
  }
}

TEST(SymbolicDesigns, GiveTheResultsOfOrdinaryDesigns) {
  // The parameters are inputs of one program, whose lanes are designs and operands.
  SplitMix random(2);
  for (const DotFormats& formats : all_kinds()) {
    const Space space(formats, {});
    Sampler sampler(formats, InputClass::any, 3);
    for (const Family& family : space.families()) {
      Graph graph;
      const Graph::Building building(graph);
      const DotOperands operands = dot_inputs(formats);
      const std::size_t count = graph.inputs().size();
      const Int d = family.build(parameter_inputs(family.axes), operands);
      const BatchEvaluator evaluator(graph, {d.id()});
      const ExactEvaluator exact(graph, {d.id()});
      constexpr std::size_t kDesigns = 3;
      constexpr std::size_t kRows = 12;
      Lanes lanes(graph.inputs().size(), kDesigns * kRows);
      Lanes results(1, kDesigns * kRows);
      std::vector<Integer> expected;
      for (std::size_t i = 0; i < kDesigns; ++i) {
        const std::vector<int> values = drawn(family, random);
        const DotModel model(family.design(values), formats);
        for (std::size_t j = 0; j < kRows; ++j) {
          const std::size_t lane = i * kRows + j;
          const DotValues row = sampler.next();
          const std::vector<Integer> inputs = in_input_order(row);
          for (std::size_t k = 0; k < count; ++k) {
            lanes[k][lane] = inputs[k].convert_to<std::uint64_t>();
          }
          std::size_t k = count;
          std::vector<Integer> all = inputs;
          for (std::size_t a = 0; a < family.axes.size(); ++a) {
            if (family.axes[a].values.size() < 2) continue;
            lanes[k][lane] = static_cast<std::uint64_t>(values[a] - family.axes[a].values.front());
            all.emplace_back(values[a] - family.axes[a].values.front());
            ++k;
          }
          expected.push_back(model.run(row));
          ExactEvaluator::Values nodes = exact.scratch();
          exact.evaluate(all, nodes);
          exact.check_ranges(nodes);
          EXPECT_EQ(nodes[d.id()], expected.back()) << family.name;
        }
      }
      BatchEvaluator::Scratch scratch;
      evaluator.evaluate(lanes, results, scratch);
      for (std::size_t lane = 0; lane < expected.size(); ++lane) {
        EXPECT_EQ(Integer(results[0][lane]), expected[lane]) << family.name << " lane " << lane;
      }
    }
  }
}

TEST(SymbolicDesigns, AreFoundByTheirParameters) {
  SplitMix random(4);
  for (const DotFormats& formats : all_kinds()) {
    const Space space(formats, {});
    for (std::size_t i = 0; i < space.families().size(); ++i) {
      const std::vector<int> values = drawn(space.families()[i], random);
      const auto place = space.find(space.families()[i].design(values));
      ASSERT_TRUE(place);
      EXPECT_EQ(place->family, i);
      EXPECT_EQ(place->values, values);
    }
  }
}

TEST(SymbolicDesigns, HoldEveryDesignOfTheCatalogue) {
  for (const Instruction& i : catalogue()) {
    EXPECT_TRUE(Space(i.formats, {}).find(i.algorithm)) << i.name();
  }
}

}  // namespace
}  // namespace mmaspec::symbolic_test
