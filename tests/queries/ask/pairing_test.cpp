// Designs as values: the graph follows from the design alone, chained and padded designs have their
// own types, and no analytical proof confuses them with the design inside.

#include "queries/statement/pairing.h"

#include <gtest/gtest.h>

#include "queries/audit/check.h"
#include "queries/errors/error_analysis.h"
#include "queries/prove/diff.h"
#include "queries/prove/prove.h"
#include "queries/theorems/doubling.h"
#include "queries/theorems/steps.h"
#include "spec/catalog/open_design.h"
#include "spec/parts/terms.h"

namespace mmaspec::pairing_test {
namespace {

Portfolio nobody() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), Limits{60}); }

/// The whole catalogue and its variants.
std::vector<Instruction> everything() {
  std::vector<Instruction> all = distinct(catalogue());
  for (const char* name :
       {"design:fused-dot-add(k=4,block=2,fraction_bits=9,minus_zero=yes,floor=-3,round=ru)",
        "design:fused-dot-add(k=4,fraction_bits=9,zero_terms=operands-count,kept_bits=7)",
        "design:fused-dot-add(k=4,fraction_bits=9,c_joins=late,align_round=rd)",
        "design:fused-dot-add(k=4,fraction_bits=9,flush_inputs=yes,product_overflow=9)",
        "design:fused-dot-add(k=8,scale=ue8m0,scale_block=4,fraction_bits=9,normalize_products="
        "yes)",
        "design:round-down-dot-add(k=4,block=2,groups=2,c_reach=9,round=rz)",
        "design:exact-dot-add(k=4,block=2,overflow=directed,underflow=flush)",
        "design:group-pairwise-sum(k=4,group=2,flush_inputs=yes,overflow=saturate)"}) {
    all.push_back(find_instruction(name));
  }
  return all;
}

TEST(Designs, AreFoundByTheirNames) {
  for (const Instruction& i : everything()) {
    const Instruction named = open_design(i.algorithm, i.formats);
    const Instruction found = find_instruction(named.name());
    EXPECT_TRUE(found.algorithm == i.algorithm) << named.name();
    EXPECT_TRUE(found.formats == i.formats) << named.name();
  }
}

// Tables and `check` identify designs by the text of their parameters.
TEST(Designs, WithEqualSignaturesAreEqual) {
  const std::vector<Instruction> all = everything();
  for (const Instruction& x : all) {
    for (const Instruction& y : all) {
      EXPECT_EQ(x.algorithm == y.algorithm && x.formats == y.formats, signature(x) == signature(y))
          << x.name() << " " << y.name();
    }
  }
}

/// Checks whether a chain has the design's own type, and builds the same as a chain of steps.
void expect_chain(const std::string& name, bool same_type) {
  const Instruction step = find_instruction(name);
  const Instruction whole = chained(step, 3 * step.formats.k);
  EXPECT_EQ(whole.algorithm.as<Chained>() == nullptr, same_type) << name;
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(whole.formats);
  const Int d =
      chain(whole.formats, in, step.formats.k, [&](const DotFormats&, const DotOperands& operands) {
        return step.algorithm.build(step.formats, operands);
      });
  EXPECT_TRUE(whole.algorithm.build(whole.formats, in).same_as(d)) << name;
}

TEST(Designs, AreChainedStepByStep) {
  expect_chain("design:sequential-fma(k=2,round=rd)", true);
  expect_chain("design:group-pairwise-sum(k=4,group=2)", true);
  expect_chain("design:group-pairwise-sum(k=4,group=2,flush_inputs=yes)", false);
  expect_chain("design:fused-dot-add(k=4,block=2,fraction_bits=9,flush_inputs=yes)", true);
  expect_chain("design:fused-dot-add(k=4,fraction_bits=9,scale=ue8m0,scale_block=2)", true);
  expect_chain("design:round-down-dot-add(k=4,block=2,groups=2)", true);
  expect_chain("design:exact-dot-add(k=2)", true);
  expect_chain("design:split-fp8(a=e4m3,k=4,fraction_bits=9)", false);
  expect_chain(
      "design:group-dot-fused-sum(a=e2m1,k=4,group=2,scale=ue4m3,scale_block=4,fraction_bits=9)",
      false);
}

TEST(Designs, ArePaddedWithZeros) {
  const Instruction whole = find_instruction("design:fused-dot-add(k=4,fraction_bits=9)");
  const Instruction part = shortened(whole, 3);
  EXPECT_NE(part.algorithm.as<Padded>(), nullptr);
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(part.formats);
  DotOperands padded = in;
  padded.a.emplace_back(0);
  padded.b.emplace_back(0);
  EXPECT_TRUE(
      part.algorithm.build(part.formats, in).same_as(whole.algorithm.build(whole.formats, padded)));
}

/// For a design that states nothing about itself all analytical proofs decline.
void expect_no_argument(const Instruction& i) {
  EXPECT_FALSE(has_rounded_steps(i) || has_ieee_steps(i) || adds_c_last(i) || keeps_c(i) ||
               treats_signs_alike(i) || c_outweighs_cuts(i) || groups_outweigh_cuts(i) ||
               doubles_with_terms(i) || cannot_overflow(i) || makes_no_nan(i) ||
               is_exact_near_overflow(i) || adds_pairs(i, 2) || only_rounding(i) ||
               is_correctly_rounded(i) || error_by_analysis(i))
      << i.name() << " as " << i.algorithm.name();
}

TEST(Arguments, DoNotUseUnknownAlgorithms) {
  for (const char* name :
       {"design:sequential-fma(k=1)", "design:group-pairwise-sum(a=f16,k=2,group=2)",
        "design:fused-dot-add(a=e2m1,c=f16,k=2,round=rne,fraction_bits=39)",
        "design:split-fp8(a=e4m3,k=4,fraction_bits=25)", "design:exact-dot-add(k=2)",
        "design:round-down-dot-add(k=2)",
        "design:group-dot-fused-sum(a=e2m1,k=2,group=2,scale=ue4m3,scale_block=2)"}) {
    Instruction i = find_instruction(name);
    i.algorithm = Custom{i.algorithm.name(), [given = i.algorithm](const auto& f, const auto& in) {
                           return given.build(f, in);
                         }};
    expect_no_argument(i);
  }
}

// A design with other formats than those of its rounding, or with blocks that do not divide K.
TEST(Arguments, DoNotUseMalformedDesigns) {
  Instruction i = find_instruction("design:fused-dot-add(a=e2m1,c=f16,k=2,fraction_bits=39)");
  i.formats.d = &formats::f32;
  expect_no_argument(i);
  i = find_instruction("design:fused-dot-add(a=e2m1,c=f16,k=4,block=2,fraction_bits=39)");
  i.formats.k = 3;
  expect_no_argument(i);
  i = find_instruction("design:group-pairwise-sum(a=f16,k=4,group=4)");
  i.formats.k = 2;
  expect_no_argument(i);
}

// Zeros do not change an exact sum or the sum of errors; nothing else is known.
TEST(Arguments, HaveRulesForPaddedDesigns) {
  const Instruction exact = shortened(find_instruction("design:exact-dot-add(k=4)"), 2);
  EXPECT_TRUE(is_correctly_rounded(exact));
  EXPECT_FALSE(has_rounded_steps(exact) || treats_signs_alike(exact));
  const Instruction fused = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  EXPECT_EQ(error_by_analysis(shortened(fused, 8)), error_by_analysis(fused));
  EXPECT_FALSE(treats_signs_alike(shortened(fused, 8)) || c_outweighs_cuts(shortened(fused, 8)));
}

TEST(Arguments, HaveRulesForChains) {
  const auto chain = [](const std::string& name) {
    const Instruction step = find_instruction(name);
    return chained(step, 2 * step.formats.k);
  };
  EXPECT_TRUE(adds_c_last(chain("design:split-fp8(a=e4m3,k=4,fraction_bits=9)")));
  EXPECT_TRUE(treats_signs_alike(chain("design:split-fp8(a=e4m3,k=4,fraction_bits=9)")));
  EXPECT_FALSE(doubles_with_terms(chain("design:split-fp8(a=e4m3,k=4,fraction_bits=25)")));
  EXPECT_TRUE(has_rounded_steps(chain("design:group-pairwise-sum(k=2,group=2,flush_inputs=yes)")));
  EXPECT_FALSE(cannot_overflow(chain("design:group-pairwise-sum(k=2,group=2,flush_inputs=yes)")));
}

// The bound of one step of K does not hold for fewer products, and says nothing about the whole
// design.
TEST(Arguments, BoundNoErrorOfAWrappedDesignByItsParts) {
  Subject s{find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32")};
  s.parameter = Rational(1, 4);
  for (const char* name :
       {"hopper/mma.m16n8k16.f32.f16.f16.f32", "cdna3/v_mfma_f32_16x16x16_f16"}) {
    s.first = find_instruction(name);
    ProveOptions options;
    options.strategies.set(Strategy::search, false);
    const Proof proof = prove(find_property("error-bound"), s, options, nobody());
    EXPECT_NE(proof.outcome, Outcome::proved) << name;
    EXPECT_EQ(proof.smaller, "") << name;
  }
}

TEST(Arguments, DoNotTreatAPaddedDesignAsExact) {
  const std::string formats = "(a=e4m3,b=e4m3,c=e4m3,d=f64,";
  DiffOptions options;
  options.pairing.pad = true;
  const DiffResult r =
      diff(find_instruction("design:fused-dot-add" + formats +
                            "k=16,block=8,fraction_bits=34,round=rne)"),
           find_instruction("design:exact-dot-add" + formats + "k=8)"), options, nobody());
  EXPECT_EQ(r.verdict, Verdict::satisfiable);
}

}  // namespace
}  // namespace mmaspec::pairing_test
