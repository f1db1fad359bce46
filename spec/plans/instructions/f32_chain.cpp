#include "spec/plans/instructions/f32_chain.h"

#include <algorithm>
#include <initializer_list>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"
#include "spec/parts/parameter_text.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

/// The f32 pattern as an operand of d's format.
Int converted_to(const Format& d, Int pattern, Rounding round) {
  return d == formats::f32 ? pattern : converted({.round = round}, formats::f32, pattern, d);
}

/// Each block's sum, scaled in two steps, is added to the previous one.
Int scaled_blocks(const DotFormats& formats, const DotOperands& in) {
  const ResultFormat step{&formats::f32};
  const Integer nan = quiet_nan(formats::f32);
  const auto block = static_cast<std::size_t>(formats.scale_block);
  Int d = in.c;
  const Format* accumulator = formats.c;
  for (std::size_t i = 0; i < in.scale_a.size(); ++i) {
    Int part = 0;
    for (std::size_t k = i * block; k < (i + 1) * block; ++k) {
      part = fused_multiply_add(*formats.a, in.a[k], *formats.b, in.b[k], formats::f32, part, step,
                                nan);
      mark("pattern of a block's sum", part, MarkRole::pattern);
    }
    for (const Int factor : {in.scale_a[i], in.scale_b[i]}) {
      part = multiply(formats::f32, part, *formats.scale, factor, step, nan);
      mark("pattern of a scaled block", part, MarkRole::pattern);
    }
    d = add(*accumulator, d, formats::f32, part, step, nan);
    mark("pattern of the f32 sum", d, MarkRole::pattern);
    accumulator = &formats::f32;
  }
  return d;
}

}  // namespace

Int F32Chain::build(const DotFormats& formats, const DotOperands& operands) const {
  if (formats.scale != nullptr) {
    return converted_to(*formats.d, scaled_blocks(formats, operands), round_);
  }
  const auto [chain, inner] = unconverted(formats);
  return converted_to(*formats.d, mmaspec::build(chain, inner, operands), round_);
}

bool F32Chain::equals(const Composition& other) const {
  const auto* same = dynamic_cast<const F32Chain*>(&other);
  return same != nullptr && round_ == same->round_;
}

std::vector<Parameter> F32Chain::parameters() const {
  return {{"round", to_string(round_), "rounding of the last f32 number to d's format"}};
}

const F32Chain* known_f32_chain(const Algorithm& algorithm, const DotFormats& formats) {
  const auto* composed = algorithm.as<Composed>();
  const auto* chain =
      composed == nullptr ? nullptr : dynamic_cast<const F32Chain*>(composed->composition.get());
  if (chain == nullptr) return nullptr;
  const auto is_one_of = [](const Format& format, std::initializer_list<const Format*> all) {
    return std::any_of(all.begin(), all.end(), [&](const Format* f) { return *f == format; });
  };
  if (!is_one_of(*formats.d, {&formats::f32, &formats::f16, &formats::bf16}) ||
      !is_one_of(*formats.c, {&formats::f32, &formats::f16, &formats::bf16})) {
    return nullptr;
  }
  const bool is_known =
      formats.scale == nullptr || (!formats.scale->has_sign && !formats.scale->has_zero &&
                                   formats.scale_block > 0 && formats.k % formats.scale_block == 0);
  return is_known ? chain : nullptr;
}

Unconverted unconverted(const DotFormats& formats) {
  DotFormats inner = formats;
  inner.d = &formats::f32;
  return {SequentialFma{ResultFormat{&formats::f32}}, inner};
}

}  // namespace mmaspec
