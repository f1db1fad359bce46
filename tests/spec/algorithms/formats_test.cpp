// c of another format than d: every algorithm reads it in its own format.

#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec::formats_test {
namespace {

TEST(Formats, EveryAlgorithmReturnsAnF16AccumulatorUnchangedIfNothingIsAdded) {
  constexpr const char* kFormats = "a=e4m3,b=e4m3,c=f16,d=f32,k=4";
  for (const auto& [algorithm, parameters] : std::vector<std::pair<const char*, const char*>>{
           {"sequential-fma", ""},
           {"group-pairwise-sum", ",group=2"},
           {"fused-dot-add", ",fraction_bits=24"},
           {"fused-dot-add", ",fraction_bits=24,block=2"},
           {"round-down-dot-add", ",block=2,zero_terms=left-out"},
           {"exact-dot-add", ""},
           {"exact-dot-add", ",block=2"},
           {"split-fp8", ",fraction_bits=24"},
           {"f32-chain", ""},
           {"rounded-product-dot-add", ",product_bits=3,fraction_bits=24"},
           {"group-dot-fused-sum", ",a=e2m1,b=e2m1,scale=ue8m0,scale_block=4,fraction_bits=24"}}) {
    // The last one has operands of another format.
    std::string name = "design:";
    name.append(algorithm).append("(");
    const bool own_formats = parameters[0] != '\0' && parameters[1] == 'a';
    name.append(own_formats ? "c=f16,d=f32,k=4" : kFormats).append(parameters).append(")");
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
}  // namespace mmaspec::formats_test
