#pragma once
/// Designs in a form on which analytical proofs may rely: of a known type, and accepted by
/// `design:`. A proof destructures the struct with all its members. A new member is then a compile
/// error there, and no proof can ignore it.

#include <optional>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// True if the result's format is d's, blocks and groups divide what they partition, a half is one
/// block, and there are scale factors only if the algorithm uses them.
bool is_well_formed(const SequentialFma& design, const DotFormats& formats);
bool is_well_formed(const GroupPairwiseSum& design, const DotFormats& formats);
bool is_well_formed(const FusedDotAdd& design, const DotFormats& formats);
bool is_well_formed(const RoundDownDotAdd& design, const DotFormats& formats);
bool is_well_formed(const GroupDotFusedSum& design, const DotFormats& formats);
bool is_well_formed(const SplitFp8& design, const DotFormats& formats);
bool is_well_formed(const ExactDotAdd& design, const DotFormats& formats);
bool is_well_formed(const PairDotAdd& design, const DotFormats& formats);
bool is_well_formed(const BulkNormalizedDotAdd& design, const DotFormats& formats);
bool is_well_formed(const OnesComplementDotAdd& design, const DotFormats& formats);
bool is_well_formed(const FlooredDotAdd& design, const DotFormats& formats);
bool is_well_formed(const PartialProductDotAdd& design, const DotFormats& formats);
bool is_well_formed(const RoundedProductDotAdd& design, const DotFormats& formats);
/// Also with scale factors: d's format is f32, f16 or bf16, f32 has all numbers of c's format, and
/// scale factors have no sign, are not zero and belong to whole blocks.
bool is_well_formed(const F32Chain& design, const DotFormats& formats);
bool is_well_formed(const IntegerDotAdd& design, const DotFormats& formats);
/// Requires a and b in floating point, c and d in fixed point.
bool is_well_formed(const FixedPointDotAdd& design, const DotFormats& formats);
/// Requires that c's format is d's and that the chain's K is a multiple of its step's K.
bool is_well_formed(const Chained& design, const DotFormats& formats);
/// Requires the same formats except for K, which must be smaller.
bool is_well_formed(const Padded& design, const DotFormats& formats);

/// The design if it has this type and is well formed; otherwise nullptr.
template <typename D>
const D* known(const Algorithm& algorithm, const DotFormats& formats) {
  const D* design = algorithm.as<D>();
  return design != nullptr && is_well_formed(*design, formats) ? design : nullptr;
}

/// The same with block scale factors, for the two algorithms whose rules for them differ from those
/// without. `numbers_alone` of the second may be set.
bool is_well_formed_with_scales(const SequentialFma& design, const DotFormats& formats);
bool is_well_formed_with_scales(const BulkNormalizedDotAdd& design, const DotFormats& formats);

/// The design if it has this type, has scale factors and is well formed; otherwise nullptr.
template <typename D>
const D* known_with_scales(const Algorithm& algorithm, const DotFormats& formats) {
  const D* design = algorithm.as<D>();
  return design != nullptr && is_well_formed_with_scales(*design, formats) ? design : nullptr;
}

/// Number of bits that alignment keeps below the largest exponent, for designs with one such
/// number. Searches use it to draw inputs near it. Proofs must not use it.
std::optional<int> alignment_bits(const Algorithm& algorithm);

}  // namespace mmaspec
