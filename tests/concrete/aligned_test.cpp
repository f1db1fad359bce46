// The floating-point kernels compared with the batch evaluator's portable program of the same
// design: every lowered design of the catalogue, random designs, special values, unusual shapes.

#include <gtest/gtest.h>
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

#include <array>
#include <map>

#include "concrete/aligned/lanes.h"
#include "concrete/dot/model.h"
#include "concrete/matrix/matrix.h"
#include "queries/audit/check.h"
#include "queries/compare/compare.h"
#include "queries/draw/samples.h"
#include "spec/algorithms/chain_step.h"
#include "tests/support/case_selection.h"
#include "util/split_mix.h"

namespace mmaspec::aligned_test {
namespace {

std::size_t rows_of(const DotFormats& f) {
  return static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales());
}

const Format& format_of(const DotFormats& f, std::size_t row) {
  const auto k = static_cast<std::size_t>(f.k);
  return row < k ? *f.a : row < 2 * k ? *f.b : row == 2 * k ? *f.c : *f.scale;
}

/// Patterns at the ends of a format's classes, with both signs.
std::vector<std::uint64_t> extremes(const Format& f) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  const auto one = static_cast<std::uint64_t>(f.bias) << f.fraction_bits;
  const std::uint64_t all = (std::uint64_t{1} << (f.fraction_bits + f.exponent_bits)) - 1;
  std::vector<std::uint64_t> patterns;
  for (const std::uint64_t x :
       {std::uint64_t{0}, std::uint64_t{1}, hidden - 1, hidden, hidden + 1, 2 * hidden, one,
        one + 1, f.largest_pattern() - 1, f.largest_pattern(), f.largest_pattern() + 1,
        f.largest_pattern() + 2, all - 1, all}) {
    for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1}}) {
      if (sign > 0 && !f.has_sign) continue;
      patterns.push_back(((x & all) | sign << (f.fraction_bits + f.exponent_bits))
                         << f.ignored_low_bits);
    }
  }
  return patterns;
}

/// Extreme values among few or many others: some lanes have one of them, some have only them.
void put_extremes(const DotFormats& f, unsigned seed, Lanes& inputs) {
  SplitMix random(seed);
  for (std::size_t lane = 0; lane < inputs.lanes(); ++lane) {
    const int every = 1 << random.below(6);
    const bool finite = random.one_in(2);
    for (std::size_t row = 0; row < inputs.rows(); ++row) {
      if (!random.one_in(every)) continue;
      const Format& format = format_of(f, row);
      const std::vector<std::uint64_t> all = extremes(format);
      const std::uint64_t x = all[random.index(all.size())];
      const std::uint64_t magnitude =
          (x >> format.ignored_low_bits) &
          ((std::uint64_t{1} << (format.fraction_bits + format.exponent_bits)) - 1);
      if (finite && magnitude > format.largest_pattern()) continue;
      inputs[row][lane] = x;
    }
  }
}

/// Runs the design on all lanes, by the kernels of each instruction set and by the portable
/// program.
void expect_as_program(const Algorithm& algorithm, const DotFormats& formats, const Lanes& inputs) {
  const DotModel model(algorithm, formats);
  const BatchEvaluator program(model.graph(), {model.result()}, BatchIsa::portable);
  BatchEvaluator::Scratch scratch;
  Lanes expected(1, inputs.lanes());
  program.evaluate(inputs, expected, scratch);
  std::vector<const std::uint64_t*> rows;
  for (std::size_t i = 0; i < inputs.rows(); ++i) rows.push_back(inputs[i]);
  for (const aligned::Isa isa : aligned::isas()) {
    SCOPED_TRACE(aligned::to_string(isa));
    const auto runner = aligned::make_lanes_runner(algorithm, formats, isa);
    ASSERT_NE(runner, nullptr);
    std::vector<std::uint64_t> d(inputs.lanes());
    runner->run(rows, inputs.lanes(), d.data());
    for (std::size_t lane = 0; lane < d.size(); ++lane) {
      if (d[lane] == expected[0][lane]) continue;
      std::string operands;
      for (const std::uint64_t* row : rows) operands += " " + std::to_string(row[lane]);
      FAIL() << "lane " << lane << ": " << std::hex << d[lane] << ", not " << expected[0][lane]
             << std::dec << "; operands" << operands;
    }
  }
}

/// On random inputs, with and without extreme values.
void expect_as_program(const Algorithm& algorithm, const DotFormats& formats, std::size_t lanes,
                       unsigned seed) {
  Lanes inputs(rows_of(formats), lanes);
  Sampler(formats, InputClass::any, seed).fill(inputs);
  expect_as_program(algorithm, formats, inputs);
  if (testing::Test::HasFatalFailure()) return;
  Sampler(formats, InputClass::finite, seed).fill(inputs);
  expect_as_program(algorithm, formats, inputs);
  if (testing::Test::HasFatalFailure()) return;
  put_extremes(formats, seed, inputs);
  expect_as_program(algorithm, formats, inputs);
}

/// Number of lowered designs among the catalogue's distinct designs, by algorithm. A design that is
/// no longer lowered would still be computed, but slowly: therefore they are counted.
TEST(Aligned, LowersTheseDesigns) {
  std::map<std::string, int> lowered;
  std::map<std::string, int> all;
  for (const Instruction& i : distinct(catalogue())) {
    ++all[i.algorithm.name()];
    if (aligned::lower(i.algorithm, i.formats)) ++lowered[i.algorithm.name()];
  }
  EXPECT_EQ(lowered, (std::map<std::string, int>{{"fused-dot-add", 256},
                                                 {"group-dot-fused-sum", 9},
                                                 {"round-down-dot-add", 50},
                                                 {"split-fp8", 20}}));
  for (const auto& [name, count] : lowered) EXPECT_EQ(count, all[name]) << name;
}

TEST(Aligned, ComputesEveryLoweredDesignOfTheCatalogue) {
  const std::vector<Instruction> all = distinct(catalogue());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Instruction& i = all[n];
    if (!aligned::lower(i.algorithm, i.formats)) continue;
    SCOPED_TRACE(i.name());
    expect_as_program(i.algorithm, i.formats, is_full_run() ? 20000 : 600,
                      static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
}

TEST(Aligned, ComputesChainsOfEveryLoweredDesign) {
  const std::vector<Instruction> all = distinct(catalogue());
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!is_selected(n, 3) || !(*all[n].formats.c == *all[n].formats.d)) continue;
    const Instruction i = chained(all[n], 3 * all[n].formats.k);
    if (!aligned::lower(i.algorithm, i.formats)) continue;
    SCOPED_TRACE(i.name());
    expect_as_program(i.algorithm, i.formats, is_full_run() ? 5000 : 200, static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
}

template <typename T>
const T& one_of(SplitMix& random, const std::vector<T>& all) {
  return all[random.index(all.size())];
}

std::string text_of(const Algorithm& algorithm, const DotFormats& f) {
  Instruction i;
  i.formats = f;
  i.algorithm = algorithm;
  return signature(i);
}

ResultFormat draw_result(SplitMix& random, const Format& d) {
  ResultFormat result{&d};
  result.rounding =
      one_of<Rounding>(random, {Rounding::toward_zero, Rounding::nearest_even,
                                Rounding::nearest_even, Rounding::down, Rounding::up});
  result.underflow = random.one_in(3) ? Underflow::flush : Underflow::gradual;
  result.overflow =
      one_of<Overflow>(random, {Overflow::to_infinity, Overflow::directed, Overflow::saturate});
  if (random.one_in(3)) result.kept_fraction_bits = random.between(0, d.fraction_bits);
  return result;
}

DotFormats draw_formats(SplitMix& random) {
  using namespace formats;
  const std::vector<const Format*> operands{&f16,  &bf16,     &tf32, &e4m3, &e5m2, &e4m3fnuz,
                                            &xf32, &e5m2fnuz, &e3m2, &e2m3, &e2m1, &f32};
  const std::vector<const Format*> sums{&f32, &f32, &f16, &bf16};
  DotFormats f{};
  f.a = one_of(random, operands);
  f.b = random.one_in(3) ? one_of(random, operands) : f.a;
  f.c = one_of(random, sums);
  f.d = random.one_in(3) ? one_of(random, sums) : f.c;
  f.k = 4 * random.between(1, 5);
  return f;
}

ZeroTerms draw_zero_terms(SplitMix& random) {
  return random.one_in(2) ? ZeroTerms::left_out : ZeroTerms::operands_count;
}

FusedDotAdd draw_fused(SplitMix& random, const DotFormats& f) {
  FusedDotAdd design{};
  design.fraction_bits = random.between(0, 34);
  if (random.one_in(2)) design.exponent_floor = random.between(-170, 20);
  design.zero_terms = draw_zero_terms(random);
  if (random.one_in(3)) design.zero_exponent = random.between(-130, 10);
  design.block = random.one_in(2) ? f.k : 4;
  design.result = draw_result(random, *f.d);
  design.align_rounding = random.one_in(3) ? Rounding::down : Rounding::toward_zero;
  design.flush_inputs = random.one_in(4);
  design.normalized_c = random.one_in(2);
  return design;
}

TEST(Aligned, ComputesDrawnFusedDesigns) {
  SplitMix random(1);
  int lowered = 0;
  const int designs = is_full_run() ? 5000 : 300;
  for (int n = 0; n < designs; ++n) {
    DotFormats f = draw_formats(random);
    if (random.one_in(3)) {
      f.scale = random.one_in(2) ? &formats::ue8m0 : &formats::ue4m3;
      f.scale_block = random.one_in(2) ? 4 : f.k;
    }
    const Algorithm algorithm = draw_fused(random, f);
    if (!aligned::lower(algorithm, f)) continue;
    ++lowered;
    SCOPED_TRACE(text_of(algorithm, f));
    expect_as_program(algorithm, f, 300, static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(lowered, designs / 2);
}

TEST(Aligned, ComputesDrawnRoundDownDesigns) {
  SplitMix random(2);
  int lowered = 0;
  const int designs = is_full_run() ? 5000 : 200;
  for (int n = 0; n < designs; ++n) {
    const DotFormats f = draw_formats(random);
    RoundDownDotAdd design{};
    design.block = random.one_in(2) ? f.k : 4;
    design.groups = random.one_in(2) ? 1 : random.one_in(2) ? 2 : 4;
    design.product_fraction_bits = random.between(0, 28);
    design.sum_fraction_bits = design.product_fraction_bits + random.between(-10, 10);
    if (design.sum_fraction_bits < 0) design.sum_fraction_bits = 0;
    design.c_fraction_bits = random.between(0, 34);
    design.sum_rounding = random.one_in(2) ? Rounding::down : Rounding::toward_zero;
    design.c_rounding = random.one_in(2) ? Rounding::down : Rounding::toward_zero;
    if (random.one_in(2)) design.c_reach = random.between(0, 40);
    design.product_overflow = random.one_in(2) ? 128 : random.between(-20, 40);
    design.zero_terms = draw_zero_terms(random);
    if (random.one_in(3)) design.zero_exponent = random.between(-130, 10);
    design.result = draw_result(random, *f.d);
    if (random.one_in(2)) design.normalized_bits = random.between(0, 40);
    design.overflow_joins = random.one_in(2);
    if (!aligned::lower(design, f)) continue;
    ++lowered;
    SCOPED_TRACE(text_of(design, f));
    expect_as_program(design, f, 300, static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(lowered, designs / 4);
}

TEST(Aligned, ComputesDrawnSplitDesigns) {
  SplitMix random(3);
  int lowered = 0;
  const int designs = is_full_run() ? 2000 : 100;
  for (int n = 0; n < designs; ++n) {
    const DotFormats f = draw_formats(random);
    SplitFp8 design{draw_fused(random, f), random.one_in(2)};
    design.half.block = f.k / 2;
    if (random.one_in(2)) design.half.flush_inputs = false;
    if (!aligned::lower(design, f)) continue;
    ++lowered;
    SCOPED_TRACE(text_of(design, f));
    expect_as_program(design, f, 300, static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(lowered, designs / 4);
}

TEST(Aligned, ComputesDrawnGroupDesigns) {
  using namespace formats;
  SplitMix random(5);
  int lowered = 0;
  const int designs = is_full_run() ? 3000 : 150;
  for (int n = 0; n < designs; ++n) {
    DotFormats f = draw_formats(random);
    f.a = one_of<const Format*>(random, {&e2m1, &e2m1, &e2m3, &e3m2, &e4m3, &e5m2});
    f.b = one_of<const Format*>(random, {&e2m1, &e2m1, &e2m3, &e3m2, &e4m3, &e5m2});
    f.scale = random.one_in(2) ? &ue8m0 : &ue4m3;
    f.k = 16 * random.between(1, 4);
    f.scale_block = random.one_in(2) ? 16 : f.k;
    GroupDotFusedSum design{};
    design.group = one_of<int>(random, {4, 8, 16});
    design.fraction_bits = random.between(0, 36);
    design.zero_terms = draw_zero_terms(random);
    if (random.one_in(3)) design.zero_exponent = random.between(-130, 10);
    design.result = draw_result(random, *f.d);
    if (random.one_in(2)) design.exponent_floor = random.between(-170, 20);
    design.cancelled_groups_count = random.one_in(2);
    if (!aligned::lower(design, f)) continue;
    ++lowered;
    SCOPED_TRACE(text_of(design, f));
    expect_as_program(design, f, 300, static_cast<unsigned>(n));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(lowered, designs / 4);
}

/// A matrix of patterns in words of any width, with gaps between rows.
struct Matrix {
  Matrix(std::size_t m, std::size_t n, unsigned width)
      : rows(m), columns(n), bytes(width), data(m * (n + 3) * width) {}
  PatternSpan span() {
    const auto step = static_cast<std::ptrdiff_t>(bytes);
    return {data.data(), bytes, rows, columns, step * static_cast<std::ptrdiff_t>(columns + 3),
            step};
  }
  PatternView view() {
    const PatternSpan s = span();
    return {s.data, s.bytes, s.rows, s.columns, s.row_step, s.column_step};
  }
  /// The transposed matrix's view.
  PatternView turned() {
    const PatternSpan s = span();
    return {s.data, s.bytes, s.columns, s.rows, s.column_step, s.row_step};
  }
  void put(std::size_t row, std::size_t column, std::uint64_t x) {
    std::memcpy(span().at(row, column), &x, bytes);
  }

  std::size_t rows, columns;
  unsigned bytes;
  std::vector<std::byte> data;
};

unsigned bytes_of(const Format& f) {
  return f.storage_bits <= 8 ? 1 : static_cast<unsigned>(f.storage_bits) / 8;
}

/// Compares D by the kernels, on several threads, with D by programs; operands are stored by rows
/// or by columns.
void expect_matrices_as_programs(const Instruction& i, std::size_t m, std::size_t n, std::size_t k,
                                 int threads, unsigned seed) {
  const DotFormats& f = i.formats;
  const auto block = static_cast<std::size_t>(std::max(f.scale_block, 1));
  const std::size_t scales = f.scale == nullptr ? 0 : (k + block - 1) / block;
  Matrix a(m, k, bytes_of(*f.a)), b(n, k, bytes_of(*f.b)), c(m, n, bytes_of(*f.c));
  Matrix sa(m, scales, 1), sb(n, scales, 1);
  Lanes inputs(rows_of(f), std::max(m, n));
  Sampler(f, InputClass::any, seed).fill(inputs);
  put_extremes(f, seed, inputs);
  const auto whole = static_cast<std::size_t>(f.k);
  for (std::size_t r = 0; r < std::max(m, n); ++r) {
    for (std::size_t j = 0; j < k; ++j) {
      if (r < m) a.put(r, j, inputs[j][r]);
      if (r < n) b.put(r, j, inputs[whole + j][r]);
    }
    for (std::size_t j = 0; j < scales; ++j) {
      if (r < m) sa.put(r, j, inputs[2 * whole + 1 + j][r]);
      if (r < n) sb.put(r, j, inputs[2 * whole + 1 + whole / block + j][r]);
    }
    for (std::size_t j = 0; r < m && j < n; ++j) c.put(r, j, inputs[2 * whole][(r + j) % m]);
  }
  const MatrixOperands operands{a.view(), b.turned(), c.view(), sa.view(), sb.turned()};
  Matrix expected(m, n, bytes_of(*f.d));
  MatrixRunner(i.algorithm, f, aligned::Isa::none).run({{operands, expected.span()}}, 1);
  for (const aligned::Isa isa : aligned::isas()) {
    Matrix d(m, n, bytes_of(*f.d));
    MatrixRunner(i.algorithm, f, isa).run({{operands, d.span()}}, threads);
    ASSERT_EQ(d.data, expected.data) << i.name() << " " << m << " x " << n << " x " << k;
  }
}

TEST(Aligned, ComputesMatricesOfAnyShape) {
  unsigned seed = 0;
  for (const char* name :
       {"hopper/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
        "hopper/mma.m16n8k32.f32.e4m3.e4m3.f32", "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
        "volta/mma.m8n8k4.f16.f16.f16.f16",
        "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0",
        "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"}) {
    const Instruction i = find_instruction(name);
    ASSERT_TRUE(aligned::lower(i.algorithm, i.formats)) << name;
    for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 1, 1},
                                  {16, 8, 16},
                                  {5, 3, 100},
                                  {3, 40, 7},
                                  {130, 33, 200},
                                  {40, 259, 64},
                                  {1, 700, 33},
                                  {300, 1, 128}}) {
      expect_matrices_as_programs(for_matrices(i, k), m, n, k, seed % 2 == 0 ? 1 : 3, seed);
      ++seed;
      if (HasFatalFailure()) return;
    }
  }
}

/// Exponents near the limits of computing with floats: tiles with narrow operands, with others, and
/// with both kinds.
TEST(Aligned, ComputesNarrowOperandsLikeOthers) {
  SplitMix random(4);
  for (const char* name :
       {"ampere/mma.m16n8k16.f32.bf16.bf16.f32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
        "hopper/wgmma.m64n8k16.f32.bf16.bf16", "cdna3/v_mfma_f32_32x32x8_bf16",
        "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e2m3.ue8m0"}) {
    const Instruction i = for_matrices(find_instruction(name), 160);
    const DotFormats& f = i.formats;
    const auto lowered = aligned::lower(i.algorithm, f);
    ASSERT_TRUE(lowered && lowered->narrow) << name;
    const int most = lowered->narrow_exponent;
    EXPECT_GE(most, 38);
    for (int round = 0; round < (is_full_run() ? 200 : 12); ++round) {
      const std::size_t m = 20, n = 90, k = 160;
      Matrix a(m, k, bytes_of(*f.a)), b(k, n, bytes_of(*f.b)), c(m, n, bytes_of(*f.c));
      // One of this many operands has an arbitrary exponent: none, few, or many.
      const int wide = std::array{0, 0, 2000, 50}[static_cast<std::size_t>(round % 4)];
      const auto draw = [&](const Format& x) -> std::uint64_t {
        const std::uint64_t fraction =
            x.fraction_bits == 0 ? 0 : random() >> (64 - x.fraction_bits);
        const int sign_bit = x.fraction_bits + x.exponent_bits;
        const std::uint64_t sign = x.has_sign ? (random() & 1) << sign_bit : 0;
        if (x.has_zero && random.one_in(20)) return sign << x.ignored_low_bits;
        const bool anywhere = wide > 0 && random.one_in(wide);
        const int spread = round % 3 == 0 ? 1 : f.scale != nullptr ? most / 2 : most;
        const int centre = random.one_in(2) ? most - spread : spread - most;
        const int drawn =
            x.bias + centre / (f.scale != nullptr ? 2 : 1) + random.between(-spread, spread);
        const int field = anywhere ? random.between(0, x.field_maximum())
                                   : std::clamp(drawn, 0, x.field_maximum());
        return (static_cast<std::uint64_t>(field) << x.fraction_bits | fraction | sign)
               << x.ignored_low_bits;
      };
      for (std::size_t r = 0; r < m; ++r) {
        for (std::size_t j = 0; j < k; ++j) a.put(r, j, draw(*f.a));
        for (std::size_t j = 0; j < n; ++j) c.put(r, j, draw(*f.c));
      }
      for (std::size_t r = 0; r < k; ++r) {
        for (std::size_t j = 0; j < n; ++j) b.put(r, j, draw(*f.b));
      }
      const std::size_t scales = static_cast<std::size_t>(f.scales());
      Matrix sa(m, scales, 1), sb(scales, n, 1);
      for (std::size_t s = 0; s < scales; ++s) {
        for (std::size_t r = 0; r < m; ++r) sa.put(r, s, draw(*f.scale));
        for (std::size_t j = 0; j < n; ++j) sb.put(s, j, draw(*f.scale));
      }
      const MatrixOperands operands{a.view(), b.view(), c.view(), sa.view(), sb.view()};
      Matrix expected(m, n, bytes_of(*f.d));
      MatrixRunner(i.algorithm, f, aligned::Isa::none).run({{operands, expected.span()}}, 1);
      for (const aligned::Isa isa : aligned::isas()) {
        Matrix d(m, n, bytes_of(*f.d));
        MatrixRunner(i.algorithm, f, isa).run({{operands, d.span()}}, 1);
        ASSERT_EQ(d.data, expected.data) << name << ", " << round;
      }
    }
  }
}

/// If a premise fails, the design runs as a program.
TEST(Aligned, DeclinesDesignsThatViolateItsPremises) {
  using namespace formats;
  const DotFormats f{&f16, &f16, &f32, &f32, 16};
  FusedDotAdd design{};
  design.fraction_bits = 25;
  design.block = 16;
  design.result = {&f32, Rounding::toward_zero};
  const auto is_lowered = [&](const auto& change) {
    FusedDotAdd changed = design;
    DotFormats formats = f;
    change(changed, formats);
    return aligned::lower(changed, formats).has_value();
  };
  EXPECT_TRUE(is_lowered([](FusedDotAdd&, DotFormats&) {}));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.c_joins = AccumulatorJoins::late; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.normalized_products = true; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.product_overflow = 128; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.minus_zero = true; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.fraction_bits = 41; }));
  EXPECT_FALSE(
      is_lowered([](FusedDotAdd& d, DotFormats&) { d.align_rounding = Rounding::to_odd; }));
  EXPECT_FALSE(
      is_lowered([](FusedDotAdd& d, DotFormats&) { d.result.rounding = Rounding::nearest_away; }));
  EXPECT_FALSE(
      is_lowered([](FusedDotAdd& d, DotFormats&) { d.result.underflow = Underflow::flush_tiny; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) { d.exponent_floor = 600; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats&) {
    d.zero_terms = ZeroTerms::operands_count;
    d.zero_exponent = 300;
  }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd&, DotFormats& x) { x.a = x.b = &f64; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd&, DotFormats& x) { x.a = &s8; }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd&, DotFormats& x) { x.c = &e4m3; }));
  // A subnormal f32 c whose leading bit counts.
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats& x) {
    x.c = &bf16;
    d.normalized_c = true;
  }));
  EXPECT_FALSE(is_lowered([](FusedDotAdd& d, DotFormats& x) {
    x.k = 1 << 24;
    d.block = 1 << 24;
  }));
}

TEST(Aligned, DeclinesRoundDownDesignsThatViolateItsPremises) {
  using namespace formats;
  RoundDownDotAdd design{};
  design.block = 8;
  design.result = {&f32};
  const DotFormats f{&f16, &f16, &f32, &f32, 8};
  const auto is_lowered = [&](const auto& change) {
    RoundDownDotAdd changed = design;
    change(changed);
    return aligned::lower(changed, f).has_value();
  };
  EXPECT_TRUE(is_lowered([](RoundDownDotAdd&) {}));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.groups = 3; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.sum_rounding = Rounding::nearest_even; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.c_rounding = Rounding::up; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.result.rounding = Rounding::down; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.result.format = &f16; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.product_overflow = 2000; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.normalized_bits = 53; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.c_reach = 5001; }));
  // The sum has 31 bits before its shift: 24 below the leading bit of a product below 4, and those
  // of 8 products and of their sign. With 45 bits below c's leading bit, it has 52 and one more.
  EXPECT_TRUE(is_lowered([](RoundDownDotAdd& d) { d.sum_fraction_bits = 44; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.sum_fraction_bits = 45; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.c_fraction_bits = 45; }));
  EXPECT_FALSE(is_lowered([](RoundDownDotAdd& d) { d.product_fraction_bits = 41; }));
}

#if defined(__x86_64__) || defined(__i386__)
/// Rounding and flushing are the design's. The caller may have other modes, as after
/// torch.set_flush_denormal(True), and keeps them.
TEST(Aligned, DoesNotDependOnTheRoundingModeOfTheCaller) {
  const Instruction i = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  Lanes inputs(rows_of(i.formats), 512);
  Sampler(i.formats, InputClass::finite, 5).fill(inputs);
  put_extremes(i.formats, 5, inputs);
  std::vector<const std::uint64_t*> rows;
  for (std::size_t r = 0; r < inputs.rows(); ++r) rows.push_back(inputs[r]);
  for (const aligned::Isa isa : aligned::isas()) {
    const auto runner = aligned::make_lanes_runner(i.algorithm, i.formats, isa);
    std::vector<std::uint64_t> expected(512), d(512);
    runner->run(rows, 512, expected.data());
    const unsigned before = _mm_getcsr();
    constexpr unsigned kFlushAndUp = 0x8040 | 0x4000;
    _mm_setcsr(before | kFlushAndUp);
    runner->run(rows, 512, d.data());
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after & kFlushAndUp, kFlushAndUp);
    EXPECT_EQ(d, expected);
  }
}
#endif

}  // namespace
}  // namespace mmaspec::aligned_test
