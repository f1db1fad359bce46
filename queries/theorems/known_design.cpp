#include "queries/theorems/known_design.h"

namespace mmaspec {
namespace {

bool is_of(const ResultFormat& result, const DotFormats& formats) {
  return *result.format == *formats.d;
}

bool divides(int part, int whole) { return part > 0 && whole % part == 0; }

bool rounds_toward_zero_or_down(Rounding rounding) {
  return rounding == Rounding::toward_zero || rounding == Rounding::down;
}

bool same_but_k(DotFormats x, const DotFormats& y) {
  x.k = y.k;
  return x == y;
}

}  // namespace

bool is_well_formed(const SequentialFma& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.reversed, formats.k) && divides(design.chains, formats.k);
}

bool is_well_formed(const GroupPairwiseSum& design, const DotFormats& formats) {
  return is_of(design.step, formats) && formats.scale == nullptr &&
         divides(design.group, formats.k) && is_power_of_two(design.group);
}

bool is_well_formed(const FusedDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && divides(design.block, formats.k) &&
         rounds_toward_zero_or_down(design.align_rounding);
}

bool is_well_formed(const RoundDownDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.block, formats.k) && design.groups >= 1 && design.groups <= design.block &&
         rounds_toward_zero_or_down(design.sum_rounding) &&
         rounds_toward_zero_or_down(design.c_rounding);
}

bool is_well_formed(const GroupDotFusedSum& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale != nullptr &&
         divides(design.group, formats.k) && divides(design.group, formats.scale_block);
}

bool is_well_formed(const SplitFp8& design, const DotFormats& formats) {
  return is_of(design.half.result, formats) && formats.scale == nullptr && formats.k % 4 == 0 &&
         design.half.block == formats.k / 2 &&
         rounds_toward_zero_or_down(design.half.align_rounding);
}

bool is_well_formed(const ExactDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && divides(design.block, formats.k);
}

bool is_well_formed(const PairDotAdd& design, const DotFormats& formats) {
  return is_of(design.step, formats) && formats.scale == nullptr && divides(2, formats.k);
}

bool is_well_formed(const BulkNormalizedDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr && !design.numbers_alone &&
         divides(design.block, formats.k);
}

bool is_well_formed(const OnesComplementDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.block, formats.k) && design.c_bits >= design.product_bits;
}

bool is_well_formed(const FlooredDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.block, formats.k) && divides(design.group, design.block) &&
         design.c_bits >= design.product_bits;
}

bool is_well_formed(const PartialProductDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.block, formats.k) && divides(design.group, design.block) &&
         design.first_phase + design.phases <= 4 && design.fraction_bits <= design.aligned_bits;
}

bool is_well_formed(const RoundedProductDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale == nullptr &&
         divides(design.block, formats.k);
}

bool is_well_formed(const F32Chain&, const DotFormats& formats) {
  const auto is_part_of_f32 = [](const Format& format) {
    return format == formats::f32 || format == formats::f16 || format == formats::bf16;
  };
  if (!is_part_of_f32(*formats.c) || !is_part_of_f32(*formats.d)) return false;
  return formats.scale == nullptr || (!formats.scale->has_sign && !formats.scale->has_zero &&
                                      divides(formats.scale_block, formats.k));
}

bool is_well_formed(const IntegerDotAdd& design, const DotFormats& formats) {
  return are_integers(formats) && formats.scale == nullptr && divides(design.group, formats.k);
}

bool is_well_formed(const FixedPointDotAdd& design, const DotFormats& formats) {
  const auto& [a, b, c, d, k, scale, scale_block] = formats;
  return !a->is_integer() && !b->is_integer() && a->has_zero && b->has_zero && scale == nullptr &&
         c->twos_complement && d->twos_complement && c->point <= d->point &&
         divides(design.group, k);
}

bool is_well_formed(const Chained& design, const DotFormats& formats) {
  return same_but_k(design.step_formats, formats) && *formats.c == *formats.d &&
         divides(design.step_formats.k, formats.k);
}

bool is_well_formed(const Padded& design, const DotFormats& formats) {
  return same_but_k(design.whole_formats, formats) && formats.k <= design.whole_formats.k &&
         formats.scale == nullptr;
}

bool is_well_formed_with_scales(const SequentialFma& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale != nullptr &&
         divides(formats.scale_block, formats.k) && design.reversed == 1 && design.chains == 1;
}

bool is_well_formed_with_scales(const BulkNormalizedDotAdd& design, const DotFormats& formats) {
  return is_of(design.result, formats) && formats.scale != nullptr &&
         divides(formats.scale_block, formats.k) && divides(design.block, formats.k);
}

std::optional<int> alignment_bits(const Algorithm& algorithm) {
  if (const auto* fused = algorithm.as<FusedDotAdd>()) return fused->fraction_bits;
  if (const auto* split = algorithm.as<SplitFp8>()) return split->half.fraction_bits;
  if (const auto* groups = algorithm.as<GroupDotFusedSum>()) return groups->fraction_bits;
  if (const auto* bulk = algorithm.as<BulkNormalizedDotAdd>()) {
    return bulk->result.format->fraction_bits + bulk->guard_bits;
  }
  if (const auto* complement = algorithm.as<OnesComplementDotAdd>())
    return complement->product_bits;
  if (const auto* floored = algorithm.as<FlooredDotAdd>()) return floored->product_bits;
  if (const auto* partial = algorithm.as<PartialProductDotAdd>()) return partial->fraction_bits;
  if (const auto* rounded = algorithm.as<RoundedProductDotAdd>()) return rounded->fraction_bits;
  if (const auto* chain = algorithm.as<Chained>()) return alignment_bits(*chain->step);
  if (const auto* padded = algorithm.as<Padded>()) return alignment_bits(*padded->whole);
  return std::nullopt;
}

}  // namespace mmaspec
