// Carry bits of small designs compared with every intermediate sum of all inputs; a trace names
// these sums.

#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "concrete/evaluator.h"
#include "queries/prove/prove.h"

namespace mmaspec::carry_bits_test {
namespace {

/// The least N such that every sum of finite inputs is below 2^(2 + N) in units of 2^e_max.
int least_carry_bits(const Instruction& i, int fraction_bits) {
  const DotFormats& f = i.formats;
  const DotModel model(i.algorithm, f);
  std::vector<NodeId> sums;
  for (const Mark& m : model.graph().marks()) {
    if (m.label == "sum") sums.push_back(m.node);
  }
  const ExactEvaluator evaluator(model.graph(), sums);
  ExactEvaluator::Values values = evaluator.scratch();
  Integer largest = 0;
  const int of_a = 1 << f.a->storage_bits;
  const int of_b = 1 << f.b->storage_bits;
  for (int x = 0; x < of_a * of_b << f.c->storage_bits; ++x) {
    const Integer c = x / (of_a * of_b);
    if (!decode(*f.c, c).is_finite()) continue;
    evaluator.evaluate(in_input_order({{x % of_a}, {x / of_a % of_b}, c, {}, {}}), values);
    for (NodeId sum : sums) {
      largest = std::max(largest, Integer(boost::multiprecision::abs(values[sum])));
    }
  }
  int n = 0;
  while (largest >= power_of_two(static_cast<unsigned>(fraction_bits + 2 + n))) ++n;
  return n;
}

TEST(CarryBits, CoverEveryIntermediateSum) {
  const Portfolio solvers("auto", Limits{60});
  for (const int fraction_bits : {2, 3, 5}) {
    for (const std::string& rest :
         std::vector<std::string>{"", ",c_joins=late", ",c_joins=late,align_round=rd",
                                  ",c_joins=late,normalize_products=yes", ",floor=3"}) {
      const Instruction design =
          find_instruction("design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=1,fraction_bits=" +
                           std::to_string(fraction_bits) + rest + ")");
      const int least = least_carry_bits(design, fraction_bits);
      for (int n = 0; n < 4; ++n) {
        Subject s = subject_of(design, std::nullopt);
        s.parameter = n;
        EXPECT_EQ(prove(find_property("carry-bits"), s, {}, solvers).outcome,
                  n >= least ? Outcome::proved : Outcome::refuted)
            << n << " of " << design.name() << rest;
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::carry_bits_test
