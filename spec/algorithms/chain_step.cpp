#include "spec/algorithms/chain_step.h"

namespace mmaspec {
namespace {

/// The step's number of products; 0: the design is not a chain of steps that take d as their c.
int step_k(const SequentialFma& design) {
  return design.chains == 1 ? design.reversed : 0;  // several end with an addition of c
}
int step_k(const FusedDotAdd& design) { return design.block; }
int step_k(const RoundDownDotAdd& design) { return design.block; }
int step_k(const ExactDotAdd& design) { return design.block; }
int step_k(const GroupPairwiseSum& design) {
  return design.flush_inputs ? 0 : design.group;  // which flushes the first c alone
}
int step_k(const GroupDotFusedSum&) { return 0; }
int step_k(const SplitFp8&) { return 0; }
int step_k(const PairDotAdd&) { return 2; }
int step_k(const BulkNormalizedDotAdd& design) { return design.block; }
int step_k(const OnesComplementDotAdd& design) { return design.block; }
int step_k(const FlooredDotAdd& design) { return design.halves_alternate ? 0 : design.block; }
int step_k(const PartialProductDotAdd& design) {
  return design.phases == 1 ? design.block : 0;  // several take every operand once more
}
int step_k(const RoundedProductDotAdd& design) { return design.block; }
int step_k(const F32Chain&) { return 0; }  // whose next step takes a converted number
int step_k(const IntegerDotAdd& design) {
  return design.overflow == IntegerOverflow::wrap ? 1 : design.group;
}
int step_k(const FixedPointDotAdd& design) {
  return design.overflow == IntegerOverflow::wrap ? 1 : design.group;
}
int step_k(const Padded&) { return 0; }
int step_k(const Custom&) { return 0; }
int step_k(const Composed& design) { return design.composition->step_k(); }
int step_k(const Chained& design) { return design.step_formats.k; }

}  // namespace

int chain_step(const Algorithm& algorithm, const DotFormats& formats) {
  const int k = std::visit([](const auto& design) { return step_k(design); }, algorithm.design());
  const bool cuts_no_block = formats.scale == nullptr || (k > 0 && k % formats.scale_block == 0);
  return k > 0 && formats.k % k == 0 && cuts_no_block ? k : formats.k;
}

Unpadded unpadded(const Algorithm& algorithm, const DotFormats& formats) {
  const auto* padded = algorithm.as<Padded>();
  return padded == nullptr ? Unpadded{&algorithm, formats}
                           : unpadded(*padded->whole, padded->whole_formats);
}

}  // namespace mmaspec
