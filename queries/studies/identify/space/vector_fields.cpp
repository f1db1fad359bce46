// Fields for the algorithms of vector units: spec/algorithms/vector/.

#include "queries/studies/identify/space/field_makers.h"
#include "queries/studies/identify/space/fields.h"

namespace mmaspec {
namespace {

/// A Boolean that determines the graph's shape; `values` are those that the formats allow.
template <typename D, typename S>
Field<D, S> shape_flag_field(std::string key, std::vector<int> values, bool D::*flag) {
  return {std::move(key),
          std::move(values),
          0,
          -1,
          no_yes(),
          [=](const D& x) { return static_cast<int>(x.*flag); },
          [=](D& x, int v) { x.*flag = v != 0; },
          {}};
}

/// c_bits of RDNA's designs, which must be at least product_bits; smaller values count as that.
template <typename D, typename S>
Field<D, S> c_bits_field(std::vector<int> values) {
  return {"c_bits",
          std::move(values),
          0,
          kMostBits,
          {},
          [](const D& x) { return x.c_bits; },
          [](D& x, int v) { x.c_bits = std::max(v, x.product_bits); },
          [](S& x, Int v) { x.c_bits = max(v, x.product_bits); }};
}

/// How sums overflow, and how many products are added before they do.
template <typename D>
Fields<D, D> overflow_fields(const DotFormats& formats) {
  const Words<IntegerOverflow> overflows({IntegerOverflow::wrap, IntegerOverflow::saturate});
  Fields<D, D> all{{"overflow",
                    overflows.values,
                    0,
                    -1,
                    overflows.words,
                    [](const D& x) { return static_cast<int>(x.overflow); },
                    [](D& x, int v) { x.overflow = static_cast<IntegerOverflow>(v); },
                    {}},
                   shape_field<D, D>("group", divisors(formats.k), &D::group)};
  // Sums that wrap are the same design for all groups.
  all[1].get = [](const D& x) { return x.overflow == IntegerOverflow::wrap ? 1 : x.group; };
  return all;
}

/// Whether d is the high part of an f32, as a bf16 is.
std::vector<int> through_f32_values(const DotFormats& formats) {
  return *formats.d == formats::bf16 ? std::vector{0, 1} : std::vector{0};
}

constexpr int kMostGuardBits = 64;  // as `design:` allows

/// Few guard bits, and the numbers that reach from the largest product to the last bit of the
/// smallest.
std::vector<int> guard_values(const DotFormats& formats) {
  std::vector<int> values = range(0, 8);
  const auto lowest = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  const int all = formats.a->largest_exponent() + formats.b->largest_exponent() -
                  lowest(*formats.a) - lowest(*formats.b) - formats.d->fraction_bits;
  const int beyond = formats.scale == nullptr ? 1 : 2;  // infinities as numbers of ACE
  for (int v = std::max(all - 2, 9); v <= std::min(all + beyond, kMostGuardBits); ++v) {
    values.push_back(v);
  }
  return values;
}

}  // namespace

Fields<PairDotAdd, SymbolicPairDotAdd> fields_of(const PairDotAdd& design,
                                                 const DotFormats& formats) {
  using D = PairDotAdd;
  using S = SymbolicPairDotAdd;
  [[maybe_unused]] const auto& [fused, flush_inputs, step] = design;
  Fields<D, S> all{{"fused",
                    {0, 1},
                    0,
                    -1,
                    no_yes(),
                    [](const D& x) { return static_cast<int>(x.fused); },
                    [](D& x, int v) { x.fused = v != 0; },
                    {}},
                   flag_field<D, S>("flush_inputs", &D::flush_inputs, &S::flush_inputs)};
  append_result(formats, &D::step, &S::step, all, Unit::vector);
  return all;
}

Fields<BulkNormalizedDotAdd, SymbolicBulkNormalizedDotAdd> fields_of(
    const BulkNormalizedDotAdd& design, const DotFormats& formats) {
  using D = BulkNormalizedDotAdd;
  using S = SymbolicBulkNormalizedDotAdd;
  [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  const Words<BulkResult> sums({BulkResult::to_odd, BulkResult::pseudo_code});
  Field<D, S> sum{"dot",
                  sums.values,
                  0,
                  -1,
                  sums.words,
                  [](const D& x) { return static_cast<int>(x.dot); },
                  [](D& x, int v) { x.dot = static_cast<BulkResult>(v); },
                  {}};
  if (!(*formats.d == formats::f32)) sum.values = {static_cast<int>(BulkResult::to_odd)};
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block), std::move(sum),
      bits_field<D, S>("guard_bits", guard_values(formats), &D::guard_bits, &S::guard_bits),
      flag_field<D, S>("flush_c", &D::flush_c, &S::flush_c),
      flag_field<D, S>("numbers_alone", &D::numbers_alone, &S::numbers_alone)};
  all[2].high = kMostGuardBits;
  if (formats.scale == nullptr) all[4].values = {0};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<OnesComplementDotAdd, SymbolicOnesComplementDotAdd> fields_of(
    const OnesComplementDotAdd& design, const DotFormats& formats) {
  using D = OnesComplementDotAdd;
  using S = SymbolicOnesComplementDotAdd;
  [[maybe_unused]] const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] =
      design;
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      bits_field<D, S>("product_bits", range(22, 25), &D::product_bits, &S::product_bits),
      c_bits_field<D, S>(range(25, 28)),
      flag_field<D, S>("zero_c_counts", &D::zero_c_counts, &S::zero_c_counts),
      shape_flag_field<D, S>("through_f32", through_f32_values(formats), &D::through_f32)};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<FlooredDotAdd, SymbolicFlooredDotAdd> fields_of(const FlooredDotAdd& design,
                                                       const DotFormats& formats) {
  using D = FlooredDotAdd;
  using S = SymbolicFlooredDotAdd;
  [[maybe_unused]] const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32,
                                result] = design;
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      shape_field<D, S>("group", powers_of_two(divisors(formats.k)), &D::group),
      bits_field<D, S>("product_bits", range(22, 25), &D::product_bits, &S::product_bits),
      c_bits_field<D, S>(range(25, 28)),
      shape_flag_field<D, S>("halves_alternate", {0, 1}, &D::halves_alternate),
      shape_flag_field<D, S>("through_f32", through_f32_values(formats), &D::through_f32)};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<PartialProductDotAdd, SymbolicPartialProductDotAdd> fields_of(
    const PartialProductDotAdd& design, const DotFormats& formats) {
  using D = PartialProductDotAdd;
  using S = SymbolicPartialProductDotAdd;
  [[maybe_unused]] const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits,
                                fraction_bits, minus_one_wraps, result] = design;
  const auto one_of = [](std::string key, int value, int least, int most, int D::*number) {
    Field<D, S> field = shape_field<D, S>(std::move(key), range(least, most), number);
    field.values = {value};
    return field;
  };
  // What shapes the graph has the known units' values; a restriction may name others.
  Fields<D, S> all{
      shape_field<D, S>("block", divisors(formats.k), &D::block),
      one_of("group", 8, 1, formats.k, &D::group),
      one_of("first_phase", 0, 0, 3, &D::first_phase),
      shape_field<D, S>("phases", range(1, 4), &D::phases),
      one_of("a_bits", 5, 1, 60, &D::a_bits),
      one_of("b_bits", 7, 1, 60, &D::b_bits),
      bits_field<D, S>("aligned_bits", range(23, 25), &D::aligned_bits, &S::aligned_bits),
      {"fraction_bits",
       {9, 10, 11, 22, 23},
       0,
       kMostBits,
       {},
       [](const D& x) { return x.fraction_bits; },
       [](D& x, int v) { x.fraction_bits = std::min(v, x.aligned_bits); },
       [](S& x, Int v) { x.fraction_bits = min(v, x.aligned_bits); }},
      flag_field<D, S>("minus_one_wraps", &D::minus_one_wraps, &S::minus_one_wraps)};
  all[0].values = {formats.k % 16 == 0 ? 16 : formats.k};
  append_result(formats, &D::result, &S::result, all, Unit::vector);
  return all;
}

Fields<IntegerDotAdd, SymbolicIntegerDotAdd> fields_of(const IntegerDotAdd& design,
                                                       const DotFormats& formats) {
  [[maybe_unused]] const auto& [overflow, group] = design;
  return overflow_fields<IntegerDotAdd>(formats);
}

Fields<FixedPointDotAdd, SymbolicFixedPointDotAdd> fields_of(const FixedPointDotAdd& design,
                                                             const DotFormats& formats) {
  using D = FixedPointDotAdd;
  [[maybe_unused]] const auto& [product_rounding, overflow, group] = design;
  const Words<Rounding> of_products(
      {Rounding::toward_zero, Rounding::down, Rounding::nearest_even, Rounding::nearest_away});
  Fields<D, D> all{{"product_round",
                    of_products.values,
                    0,
                    -1,
                    of_products.words,
                    [](const D& x) { return static_cast<int>(x.product_rounding); },
                    [](D& x, int v) { x.product_rounding = static_cast<Rounding>(v); },
                    {}}};
  for (auto& field : overflow_fields<D>(formats)) all.push_back(std::move(field));
  return all;
}

}  // namespace mmaspec
