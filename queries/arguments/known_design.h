#pragma once
/// Designs as arguments may rely on them: of a type that is known, and as `design:` would take
/// them. Whoever concludes something takes the struct apart with all its members, so that a new one
/// is a compile error there and not a conclusion drawn without it.

#include <optional>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The result's format is d's, blocks and groups divide what they are to divide, a half is one
/// block, and there are scale factors only where the algorithm has a use for them.
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
bool is_well_formed(const IntegerDotAdd& design, const DotFormats& formats);
/// c's format is d's, and the chain's K a multiple of its step's.
bool is_well_formed(const Chained& design, const DotFormats& formats);
/// The formats are the same but for K, which is smaller.
bool is_well_formed(const Padded& design, const DotFormats& formats);

/// The design if it is of this type and well formed, or nullptr.
template <typename D>
const D* known(const Algorithm& algorithm, const DotFormats& formats) {
  const D* design = algorithm.as<D>();
  return design != nullptr && is_well_formed(*design, formats) ? design : nullptr;
}

/// The bits that alignment keeps below the largest exponent, of designs that have one such number:
/// for searches to draw near it, and for no conclusion.
std::optional<int> alignment_bits(const Algorithm& algorithm);

}  // namespace mmaspec
