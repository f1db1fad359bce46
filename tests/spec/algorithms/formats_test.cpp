// c of another format than d: every algorithm reads it as what it is.

#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

TEST(Formats, EveryAlgorithmKeepsAnF16AccumulatorThatNothingIsAddedTo) {
  const std::string formats = "(a=e4m3,b=e4m3,c=f16,d=f32,k=4";
  for (const std::string& name : std::vector<std::string>{
           "design:sequential-fma" + formats + ")",
           "design:group-pairwise-sum" + formats + ",group=2)",
           "design:fused-dot-add" + formats + ",fraction_bits=24)",
           "design:fused-dot-add" + formats + ",fraction_bits=24,block=2)",
           "design:round-down-dot-add" + formats + ",block=2,zero_terms=left-out)",
           "design:exact-dot-add" + formats + ")", "design:exact-dot-add" + formats + ",block=2)",
           "design:split-fp8" + formats + ",fraction_bits=24)",
           std::string("design:group-dot-fused-sum(a=e2m1,b=e2m1,c=f16,d=f32,k=4,scale=ue8m0,") +
               "scale_block=4,fraction_bits=24)"}) {
    const Instruction instruction = find_instruction(name);
    DotModel model(instruction.algorithm, instruction.formats);
    DotValues v{{0, 0, 0, 0}, {0, 0, 0, 0}, 0, {}, {}};
    if (instruction.formats.scale != nullptr) v.scale_a = v.scale_b = {127};
    for (int c = 0; c < 1 << 16; c += 7) {
      const Decoded x = decode(formats::f16, c);
      if (!x.is_finite()) continue;
      v.c = c;
      const Decoded d = decode(formats::f32, model.run(v));
      ASSERT_TRUE(d.is_finite() && d.value() == x.value()) << name << " of c = " << to_hex(c);
    }
  }
}

}  // namespace
}  // namespace mmaspec
