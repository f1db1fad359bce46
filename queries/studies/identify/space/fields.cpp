#include "queries/studies/identify/space/fields.h"

#include "queries/studies/identify/space/field_makers.h"

namespace mmaspec {
namespace {

const Words<Rounding>& cuts() {
  static const Words<Rounding> all({Rounding::toward_zero, Rounding::down});
  return all;
}
/// zero_terms and zero_exponent as one field: none if zeros are left out.
template <typename D, typename S>
Field<D, S> zero_field() {
  return {
      "zero_exponent",
      with_none(kNoneBelow, range(-132, -120)),
      -kMostExponent,
      kMostExponent,
      {{kNoneBelow, "none"}},
      [](const D& x) { return x.zero_terms == ZeroTerms::left_out ? kNoneBelow : x.zero_exponent; },
      [](D& x, int v) {
        x.zero_terms = v == kNoneBelow ? ZeroTerms::left_out : ZeroTerms::operands_count;
        x.zero_exponent = v == kNoneBelow ? D{}.zero_exponent : v;
      },
      [](S& x, Int v) {
        const Bool none = v == kNoneBelow;
        x.zero_terms =
            Choice<ZeroTerms>::numbered(select(none, static_cast<int>(ZeroTerms::left_out),
                                               static_cast<int>(ZeroTerms::operands_count)));
        x.zero_exponent = max(v, -kMostExponent);
      }};
}

/// A bound that may be absent.
template <typename D, typename S>
Field<D, S> bound_field(std::string key, std::vector<int> values, int none, int low,
                        std::optional<int> D::*bound, std::optional<Int> S::*symbolic) {
  return {std::move(key),
          std::move(values),
          low,
          kMostExponent,
          {{none, "none"}},
          [=](const D& x) { return (x.*bound).value_or(none); },
          [=](D& x, int v) { x.*bound = v == none ? std::nullopt : std::optional(v); },
          [=](S& x, Int v) { x.*symbolic = v; }};
}

/// The largest exponent of a product.
int product_reach(const DotFormats& formats) {
  return formats.a->largest_exponent() + formats.b->largest_exponent() + 1;
}

/// Near the exponent from which on d overflows, if products reach it.
std::vector<int> overflow_values(const DotFormats& formats) {
  const int beyond = formats.d->largest_exponent() + 1;
  std::vector<int> values;
  for (int v = beyond - 4; v <= beyond + 4; ++v) {
    if (v <= product_reach(formats) || formats.scale != nullptr) values.push_back(v);
  }
  return values;
}

int near(int fraction_bits, int less) { return std::max(0, fraction_bits - less); }

/// Bits below the largest exponent: from what FP8's tensor cores keep to far beyond d's.
std::vector<int> alignment_values(const DotFormats& formats) {
  const int f = formats.d->fraction_bits;
  return f <= 23 ? range(8, 40) : range(near(f, 8), f + 12);
}

template <typename D, typename S>
Field<D, S> cut_field(std::string key, Rounding D::*rounding, Choice<Rounding> S::*symbolic) {
  return {std::move(key),
          cuts().values,
          0,
          -1,
          cuts().words,
          [=](const D& x) { return static_cast<int>(x.*rounding); },
          [=](D& x, int v) { x.*rounding = static_cast<Rounding>(v); },
          [=](S& x, Int v) { x.*symbolic = Choice<Rounding>::numbered(v); }};
}

}  // namespace

Fields<SequentialFma, SymbolicSequentialFma> fields_of(const SequentialFma& design,
                                                       const DotFormats& formats) {
  using D = SequentialFma;
  using S = SymbolicSequentialFma;
  [[maybe_unused]] const auto& [result, flush_inputs, reversed, chains] = design;
  std::vector<int> pairs{1};
  if (formats.k % 2 == 0 && formats.scale == nullptr) pairs.push_back(2);
  Fields<D, S> all{shape_field<D, S>("reversed", pairs, &D::reversed),
                   shape_field<D, S>("chains", pairs, &D::chains),
                   flag_field<D, S>("flush_inputs", &D::flush_inputs, &S::flush_inputs)};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<GroupPairwiseSum, SymbolicGroupPairwiseSum> fields_of(const GroupPairwiseSum& design,
                                                             const DotFormats& formats) {
  using D = GroupPairwiseSum;
  using S = SymbolicGroupPairwiseSum;
  [[maybe_unused]] const auto& [group, flush_inputs, step, minus_zero_products] = design;
  Fields<D, S> all{shape_field<D, S>("group", powers_of_two(divisors(formats.k)), &D::group),
                   flag_field<D, S>("flush_inputs", &D::flush_inputs, &S::flush_inputs)};
  append_result(formats, &D::step, &S::step, all);
  all.push_back(
      flag_field<D, S>("minus_zero_products", &D::minus_zero_products, &S::minus_zero_products));
  return all;
}

Fields<FusedDotAdd, SymbolicFusedDotAdd> fields_of(const FusedDotAdd& design,
                                                   const DotFormats& formats) {
  using D = FusedDotAdd;
  using S = SymbolicFusedDotAdd;
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = design;
  const int least = formats.d->least_exponent();
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      {"c_joins",
       {0, 1},
       0,
       -1,
       {{0, "early"}, {1, "late"}},
       [](const D& x) { return static_cast<int>(x.c_joins); },
       [](D& x, int v) { x.c_joins = static_cast<AccumulatorJoins>(v); },
       {}},
      {"normalize_products",
       {0, 1},
       0,
       -1,
       no_yes(),
       [](const D& x) { return static_cast<int>(x.normalized_products); },
       [](D& x, int v) { x.normalized_products = v != 0; },
       {}},
      {"normalize_c",
       *formats.c == *formats.d ? std::vector{1} : std::vector{0, 1},
       0,
       -1,
       no_yes(),
       [](const D& x) { return static_cast<int>(x.normalized_c); },
       [](D& x, int v) { x.normalized_c = v != 0; },
       {}},
      bits_field<D, S>("fraction_bits", alignment_values(formats), &D::fraction_bits,
                       &S::fraction_bits),
      bound_field<D, S>("floor", with_none(kNoneBelow, range(least - 10, least)), kNoneBelow,
                        -kMostExponent, &D::exponent_floor, &S::exponent_floor),
      zero_field<D, S>()};
  append_result(formats, &D::result, &S::result, all);
  all.push_back(cut_field<D, S>("align_round", &D::align_rounding, &S::align_rounding));
  all.push_back(flag_field<D, S>("flush_inputs", &D::flush_inputs, &S::flush_inputs));
  all.push_back(bound_field<D, S>("product_overflow",
                                  with_none(kNoneAbove, overflow_values(formats)), kNoneAbove,
                                  -kMostExponent, &D::product_overflow, &S::product_overflow));
  all.push_back(flag_field<D, S>("minus_zero", &D::minus_zero, &S::minus_zero));
  return all;
}

Fields<RoundDownDotAdd, SymbolicRoundDownDotAdd> fields_of(const RoundDownDotAdd& design,
                                                           const DotFormats& formats) {
  using D = RoundDownDotAdd;
  using S = SymbolicRoundDownDotAdd;
  [[maybe_unused]] const auto& [block, groups, product_fraction_bits, sum_fraction_bits,
                                sum_rounding, c_fraction_bits, c_rounding, c_reach,
                                product_overflow, zero_terms, zero_exponent, result,
                                normalized_bits, overflow_joins] = design;
  std::vector<int> overflows = overflow_values(formats);
  const int beyond = formats.d->largest_exponent() + 1;
  std::erase_if(overflows, [&](int v) { return v < beyond - 1 || v > beyond + 1; });
  if (overflows.empty()) overflows.push_back(beyond);
  const int f = formats.d->fraction_bits;
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      shape_field<D, S>("groups", formats.k >= 4 ? std::vector{1, 2, 4} : range(1, formats.k),
                        &D::groups),
      bits_field<D, S>("product_bits", range(f, f + 2), &D::product_fraction_bits,
                       &S::product_fraction_bits),
      bits_field<D, S>("sum_bits", range(f + 7, f + 9), &D::sum_fraction_bits,
                       &S::sum_fraction_bits),
      cut_field<D, S>("sum_round", &D::sum_rounding, &S::sum_rounding),
      bits_field<D, S>("c_bits", range(f, f + 2), &D::c_fraction_bits, &S::c_fraction_bits),
      cut_field<D, S>("c_round", &D::c_rounding, &S::c_rounding),
      bound_field<D, S>("c_reach", with_none(kNoneAbove, range(f + 1, f + 3)), kNoneAbove, 0,
                        &D::c_reach, &S::c_reach),
      {"product_overflow",
       overflows,
       -kMostExponent,
       kMostExponent,
       {},
       [](const D& x) { return x.product_overflow; },
       [](D& x, int v) { x.product_overflow = v; },
       [](S& x, Int v) { x.product_overflow = v; }},
      zero_field<D, S>()};
  append_result(formats, &D::result, &S::result, all);
  all.push_back(bound_field<D, S>("normalized_bits", with_none(kNoneAbove, {f + 8}), kNoneAbove, 0,
                                  &D::normalized_bits, &S::normalized_bits));
  all.push_back(flag_field<D, S>("overflow_joins", &D::overflow_joins, &S::overflow_joins));
  // It has many parameters, so their values are limited to those near known designs.
  for (auto& field : all) {
    if (field.key == "kept_bits") field.values = range(near(f, 2), f);
    if (field.key == "zero_exponent") field.values = with_none(kNoneBelow, range(-127, -125));
  }
  return all;
}

Fields<GroupDotFusedSum, SymbolicGroupDotFusedSum> fields_of(const GroupDotFusedSum& design,
                                                             const DotFormats& formats) {
  using D = GroupDotFusedSum;
  using S = SymbolicGroupDotFusedSum;
  [[maybe_unused]] const auto& [group, fraction_bits, zero_terms, zero_exponent, result,
                                exponent_floor, cancelled_groups_count] = design;
  std::vector<int> all_groups = divisors(formats.k);
  std::erase_if(all_groups, [&](int g) { return formats.scale_block % g != 0; });
  Fields<D, S> all{
      shape_field<D, S>("group", all_groups, &D::group),
      bits_field<D, S>("fraction_bits", range(20, 44), &D::fraction_bits, &S::fraction_bits),
      zero_field<D, S>()};
  append_result(formats, &D::result, &S::result, all);
  all.push_back(bound_field<D, S>("floor", with_none(kNoneBelow, range(-140, -138)), kNoneBelow,
                                  -kMostExponent, &D::exponent_floor, &S::exponent_floor));
  all.push_back(flag_field<D, S>("cancelled_groups_count", &D::cancelled_groups_count,
                                 &S::cancelled_groups_count));
  return all;
}

Fields<SplitFp8, SymbolicSplitFp8> fields_of(const SplitFp8& design, const DotFormats& formats) {
  using D = SplitFp8;
  using S = SymbolicSplitFp8;
  [[maybe_unused]] const auto& [half, chained_halves] = design;
  Fields<D, S> all{{"halves",
                    {0, 1},
                    0,
                    -1,
                    {{0, "added"}, {1, "chained"}},
                    [](const D& x) { return static_cast<int>(x.chained_halves); },
                    [](D& x, int v) { x.chained_halves = v != 0; },
                    {}}};
  for (auto& of : fields_of(half, formats)) {
    if (of.key == "block") continue;  // a half is one step
    Field<D, S> field{of.key,
                      of.values,
                      of.low,
                      of.high,
                      of.words,
                      [get = of.get](const D& x) { return get(x.half); },
                      [set = of.set](D& x, int v) { set(x.half, v); },
                      {}};
    if (of.set_symbolic) {
      field.set_symbolic = [set = of.set_symbolic](S& x, Int v) { set(x.half, v); };
    }
    all.push_back(std::move(field));
  }
  return all;
}

Fields<ExactDotAdd, SymbolicExactDotAdd> fields_of(const ExactDotAdd& design,
                                                   const DotFormats& formats) {
  using D = ExactDotAdd;
  using S = SymbolicExactDotAdd;
  [[maybe_unused]] const auto& [block, result] = design;
  Fields<D, S> all{shape_field<D, S>("block", divisors(formats.k), &D::block)};
  append_result(formats, &D::result, &S::result, all);
  return all;
}

Fields<RoundedProductDotAdd, SymbolicRoundedProductDotAdd> fields_of(
    const RoundedProductDotAdd& design, const DotFormats& formats) {
  using D = RoundedProductDotAdd;
  using S = SymbolicRoundedProductDotAdd;
  [[maybe_unused]] const auto& [block, product_bits, product_rounding, fraction_bits, sum_bits,
                                flush_inputs, result] = design;
  const int f = formats.d->fraction_bits;
  // Products cut toward zero are as those that alignment cuts, and exact products are not rounded.
  std::vector<int> some = range(f, f + 3);
  std::erase_if(some, [&](int bits) { return bits >= exact_product_bits(formats); });
  const Words<Rounding> product_roundings({Rounding::nearest_even, Rounding::to_odd});
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      bits_field<D, S>("product_bits", some, &D::product_bits, &S::product_bits),
      {"product_round", product_roundings.values, 0, -1, roundings().words,
       [](const D& x) { return static_cast<int>(x.product_rounding); },
       [](D& x, int v) { x.product_rounding = static_cast<Rounding>(v); },
       [](S& x, Int v) { x.product_rounding = Choice<Rounding>::numbered(v); }},
      bits_field<D, S>("fraction_bits", range(f, f + 3), &D::fraction_bits, &S::fraction_bits),
      bound_field<D, S>("sum_bits", with_none(kNoneAbove, range(f, f + 1)), kNoneAbove, 0,
                        &D::sum_bits, &S::sum_bits),
      flag_field<D, S>("flush_inputs", &D::flush_inputs, &S::flush_inputs)};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<F32Chain, SymbolicF32Chain> fields_of(const F32Chain& design, const DotFormats& formats) {
  [[maybe_unused]] const auto& [round] = design;
  std::vector<int> values = values_for(Unit::matrix, roundings().values, Rounding::to_odd);
  // Which has no effect then.
  if (*formats.d == formats::f32) values = {static_cast<int>(Rounding::nearest_even)};
  return {{"round", std::move(values), 0, -1, roundings().words,
           [](const F32Chain& x) { return static_cast<int>(x.round); },
           [](F32Chain& x, int v) { x.round = static_cast<Rounding>(v); },
           [](SymbolicF32Chain& x, Int v) { x.round = Choice<Rounding>::numbered(v); }}};
}

}  // namespace mmaspec
