// Hypotheses about the hardware as models.

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "hardware/replay/host/open_questions.h"
#include "spec/catalog/open_design.h"

namespace mmaspec {
namespace {

/// The instruction with a changed fused dot-add, or changed halves.
Instruction fused_with(const Instruction& instruction,
                       const std::function<void(FusedDotAdd&)>& change) {
  const auto* split = instruction.algorithm.as<SplitFp8>();
  const auto* fused = split != nullptr ? &split->half : instruction.algorithm.as<FusedDotAdd>();
  if (fused == nullptr)
    throw std::logic_error(instruction.name() + " does not contain a fused dot-add");
  FusedDotAdd changed = *fused;
  change(changed);
  return open_design(changed, instruction.formats);
}

/// The instruction with a changed design of type D.
template <typename D, typename Change>
Instruction design_with(const Instruction& instruction, const Change& change) {
  D changed = *instruction.algorithm.as<D>();
  change(changed);
  return open_design(changed, instruction.formats);
}

/// The products in another order: product k is the given one's `order(k)`.
Instruction permuted(Instruction instruction, const std::function<int(int)>& order) {
  const auto build = [given = instruction.algorithm, order](const DotFormats& formats,
                                                            const DotOperands& operands) {
    DotOperands in = operands;
    for (int k = 0; k < formats.k; ++k) {
      in.a[static_cast<std::size_t>(k)] = operands.a[static_cast<std::size_t>(order(k))];
      in.b[static_cast<std::size_t>(k)] = operands.b[static_cast<std::size_t>(order(k))];
    }
    return given.build(formats, in);
  };
  instruction.algorithm = Custom{instruction.algorithm.name() + ", permuted", build};
  return instruction;
}

}  // namespace

std::vector<Hypothesis> floor_hypotheses(const Instruction& instruction) {
  const bool f16 = instruction.formats.d->name == "f16";
  std::vector<Hypothesis> all{
      {"no floor", fused_with(instruction, [](FusedDotAdd& d) { d.exponent_floor.reset(); })}};
  for (int floor = f16 ? -14 : -126; floor >= (f16 ? -26 : -141); --floor) {
    all.push_back({"floor " + std::to_string(floor),
                   fused_with(instruction, [=](FusedDotAdd& d) { d.exponent_floor = floor; })});
  }
  return all;
}

std::vector<Hypothesis> zero_product_hypotheses(const Instruction& instruction) {
  const auto counting = [&](int exponent) {
    return fused_with(instruction, [=](FusedDotAdd& d) {
      d.exponent_floor.reset();
      d.zero_terms = ZeroTerms::operands_count;
      d.zero_exponent = exponent;
    });
  };
  return {{"zero products left out", instruction},
          {"zero product keeps its encoded exponent", counting(1 - instruction.formats.a->bias)},
          {"a zero operand counts 2^-126 (MMA-Sim's code of January 2026)", counting(-126)}};
}

std::vector<Hypothesis> split_hypotheses(const Instruction& instruction) {
  const int k = instruction.formats.k;
  const int half = k / 2;
  // Product j of the low half is k = 4 * (j / 2) + j % 2; the high half's is larger by two.
  const auto place = [](int j) { return 4 * (j / 2) + j % 2; };
  const auto halves_in_a_row = [=](int i) { return i < half ? place(i) : place(i - half) + 2; };
  const auto halves_from_halves = [=](int i) {
    const int j = 2 * (i / 4) + i % 2;
    return i % 4 < 2 ? j : j + half;
  };
  const Instruction chain = fused_with(instruction, [=](FusedDotAdd& d) { d.block = half; });
  const auto whole = [&](int fraction_bits, bool cut) {
    return fused_with(instruction, [=](FusedDotAdd& d) {
      d.block = k;
      d.fraction_bits = fraction_bits;
      if (cut) d.result.kept_fraction_bits = fraction_bits;
    });
  };
  SplitFp8 apart = *instruction.algorithm.as<SplitFp8>();
  apart.chained_halves = false;
  const bool f32 = instruction.formats.d->name == "f32";
  std::vector<Hypothesis> all{
      {"two halves k mod 4 in {0,1} then {2,3}, c added last", instruction},
      {"the halves the other way round, c added last",
       permuted(instruction, [](int i) { return i % 4 < 2 ? i + 2 : i - 2; })},
      {"the halves in order, starting from c", permuted(chain, halves_in_a_row)},
      {"first " + std::to_string(half) + " then last " + std::to_string(half) + ", c added last",
       permuted(instruction, halves_from_halves)},
      {"one fused dot-add of " + std::to_string(k) + ", F=25", whole(25, false)},
      {"one fused dot-add of " + std::to_string(k) + ", F=13", whole(13, f32)}};
  all.push_back({"the halves apart, added, c added last (CUDA 12.4 to 12.6)",
                 open_design(apart, instruction.formats)});
  return all;
}

std::vector<Hypothesis> result_hypotheses(const Instruction& instruction) {
  const int k = instruction.formats.k;
  const auto with = [&](const std::function<void(FusedDotAdd&)>& change) {
    return fused_with(instruction, change);
  };
  std::vector<Hypothesis> all{
      {"as in the catalogue", instruction},
      {"overflow saturates", with([](FusedDotAdd& d) { d.result.overflow = Overflow::saturate; })},
      {"rounds toward zero", with([](FusedDotAdd& d) {
         d.result.rounding = Rounding::toward_zero;
         d.result.overflow = Overflow::directed;
       })},
      {"products from 2^128 on are infinities",
       with([](FusedDotAdd& d) { d.product_overflow = 128; })}};
  for (int block = k; block >= 4; block /= 2) {
    all.push_back({"steps of " + std::to_string(block) + " products",
                   with([=](FusedDotAdd& d) { d.block = block; })});
  }
  return all;
}

std::vector<Hypothesis> c_hypotheses(const Instruction& instruction) {
  if (*instruction.formats.c == *instruction.formats.d) return {};
  const auto counting = [&](bool leading_bit) {
    return fused_with(instruction, [=](FusedDotAdd& d) { d.normalized_c = leading_bit; });
  };
  return {{"a subnormal c counts its format's least exponent", counting(false)},
          {"c counts its leading bit's exponent", counting(true)}};
}

std::vector<Hypothesis> group_hypotheses(const Instruction& instruction) {
  const auto with = [&](bool cancelled, std::optional<int> floor) {
    return design_with<GroupDotFusedSum>(instruction, [=](GroupDotFusedSum& d) {
      d.cancelled_groups_count = cancelled;
      d.exponent_floor = floor;
    });
  };
  return {{"cancelled groups left out, no floor", with(false, {})},
          {"cancelled groups left out, floor -139", with(false, -139)},
          {"cancelled groups count, no floor", with(true, {})},
          {"cancelled groups count, floor -139 (MMA-Sim 2.1.1)", with(true, -139)}};
}

std::vector<Hypothesis> minus_zero_hypotheses(const Instruction& instruction) {
  const auto with = [&](bool minus) {
    return design_with<GroupPairwiseSum>(
        instruction, [=](GroupPairwiseSum& d) { d.minus_zero_products = minus; });
  };
  return {{"a product of -0 counts as +0", with(false)},
          {"a product of -0 stays -0 (MMA-Sim 2.1.1)", with(true)}};
}

std::vector<Hypothesis> round_down_hypotheses(const Instruction& instruction) {
  const auto with = [&](const auto& change) {
    return design_with<RoundDownDotAdd>(instruction, change);
  };
  return {{"as in the catalogue", instruction},
          {"the sum is not cut once it is normalised", with([](RoundDownDotAdd& d) {
             d.sum_fraction_bits = 31;
             d.normalized_bits.reset();
           })},
          {"zeros count 2^-126", with([](RoundDownDotAdd& d) {
             d.zero_terms = ZeroTerms::operands_count;
             d.zero_exponent = -126;
           })},
          {"an overflowed product next to an infinity does not count",
           with([](RoundDownDotAdd& d) { d.overflow_joins = false; })}};
}

}  // namespace mmaspec
