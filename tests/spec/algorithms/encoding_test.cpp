// Every algorithm, encoder compared with evaluator: for all e2m1 operands with K = 2, for some c,
// by the formulas' definitions and in part by solvers; and for random operands of real instructions
// of each algorithm.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "concrete/dot/model.h"
#include "encoder/encode.h"
#include "queries/draw/samples.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "tests/support/lang/term_values.h"

namespace mmaspec::encoding_test {
namespace {

/// An e2m1 design, and its fixed inputs: operands after the first two products, and scale factors.
struct Tiny {
  const char* name;
  const char* design;
  std::vector<Integer> fixed;  // a[2].., b[2].., then scale factors, in the order of the inputs
};

void PrintTo(const Tiny& tiny, std::ostream* out) { *out << tiny.name; }

/// The value for all operand patterns as one term: a decision tree on the operands' bits.
class Table {
 public:
  Table(BvTerms& terms, std::vector<TermId> bits, const std::vector<Integer>& values,
        unsigned width)
      : terms_(terms), bits_(std::move(bits)), values_(values), width_(width) {}

  TermId term() { return subtree(bits_.size(), 0); }

 private:
  TermId subtree(std::size_t bits, std::size_t first) {
    if (bits == 0) return terms_.constant(values_[first], width_);
    const std::size_t half = std::size_t{1} << (bits - 1);
    const TermId low = subtree(bits - 1, first);
    return terms_.ite(bits_[bits - 1], subtree(bits - 1, first + half), low);
  }

  BvTerms& terms_;
  std::vector<TermId> bits_;
  const std::vector<Integer>& values_;
  unsigned width_;
};

/// Operands whose free inputs are the nibbles of `index`: a[0], b[0], a[1], b[1].
DotValues values_for(const DotFormats& formats, std::size_t index, const Integer& c,
                     const std::vector<Integer>& fixed) {
  const auto nibble = [&](unsigned i) { return Integer((index >> (4 * i)) & 15U); };
  DotValues values{{nibble(0), nibble(2)}, {nibble(1), nibble(3)}, c, {}, {}};
  std::size_t next = 0;
  const auto more = [&](std::vector<Integer>& to, int count) {
    while (static_cast<int>(to.size()) < count) to.push_back(fixed.at(next++));
  };
  more(values.a, formats.k);
  more(values.b, formats.k);
  more(values.scale_a, formats.scales());
  more(values.scale_b, formats.scales());
  return values;
}

Answer ask(std::unique_ptr<Backend> backend, const Query& query) {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(std::move(backend));
  return Portfolio(std::move(one), {300, std::size_t{8} << 30}).ask(query);
}

class TinyDesign : public testing::TestWithParam<Tiny> {
 protected:
  TinyDesign()
      : instruction_(find_instruction(GetParam().design)),
        model_(instruction_.algorithm, instruction_.formats),
        scratch_(model_.evaluator().scratch()) {}

  /// Asks whether the encoded d is the evaluated one for all values of the first `free` of a[0],
  /// b[0], a[1], b[1]; the others are the nibbles of `rest`.
  void compare(std::unique_ptr<Backend> (*backend)(), unsigned free, std::size_t rest, int c);

  Instruction instruction_;
  DotModel model_;
  ExactEvaluator::Values scratch_;
};

void TinyDesign::compare(std::unique_ptr<Backend> (*backend)(), unsigned free, std::size_t rest,
                         int c) {
  const auto operands = [&](std::size_t index) {
    return values_for(instruction_.formats, index + (rest << (4 * free)), c, GetParam().fixed);
  };
  std::vector<Integer> expected;
  for (std::size_t i = 0; i < std::size_t{1} << (4 * free); ++i) {
    expected.push_back(model_.run(operands(i), scratch_));
  }
  BvTerms terms;
  Encoder encoder(model_.graph(), terms);
  const TermId d = encoder.word(model_.result());
  Query query{&terms, {}};
  const std::vector<std::string> names{"a[0]", "b[0]", "a[1]", "b[1]"};
  std::vector<TermId> variables;
  std::vector<TermId> bits;
  for (unsigned k = 0; k < free; ++k) {
    variables.push_back(terms.variable(names[k], 4));
    for (unsigned i = 0; i < 4; ++i) {
      bits.push_back(terms.from_bit(terms.extract(variables.back(), i, i)));
    }
  }
  const std::vector<Integer> inputs = in_input_order(operands(0));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TermId x = encoder.word(model_.graph().inputs()[i]);
    if (std::find(variables.begin(), variables.end(), x) != variables.end()) continue;
    query.assertions.push_back(terms.eq(x, terms.constant(inputs[i], terms.width(x))));
  }
  const auto differs = [&](const std::vector<Integer>& table) {
    return terms.bool_not(terms.eq(d, Table(terms, bits, table, terms.width(d)).term()));
  };
  query.assertions.push_back(differs(expected));
  EXPECT_EQ(ask(backend(), query).verdict, Verdict::unsatisfiable) << "rest " << rest;

  // One wrong entry is found: the question can be satisfied.
  expected[0x23] ^= 1;
  query.assertions.back() = differs(expected);
  EXPECT_EQ(ask(backend(), query).verdict, Verdict::satisfiable) << "rest " << rest;
}

// c: zero, and a number that cancels some products.
constexpr std::array<int, 2> kAccumulators = {0x0000, 0xc900};

TEST_P(TinyDesign, EncodingEqualsEvaluationForAllOperands) {
  // Formulas are also evaluated, because solvers are slow on tables.
  BvTerms terms;
  Encoder encoder(model_.graph(), terms);
  const TermId d = encoder.word(model_.result());
  std::vector<std::string> names;
  for (const NodeId input : model_.graph().inputs()) {
    names.push_back(model_.graph().input_name(input));
  }
  constexpr std::size_t kRows = 4096;
  for (const int c : kAccumulators) {
    for (std::size_t first = 0; first < std::size_t{1} << 16; first += kRows) {
      std::map<std::string, lang_test::Column> columns;
      lang_test::Column expected;
      for (std::size_t row = 0; row < kRows; ++row) {
        const DotValues values = values_for(instruction_.formats, first + row, c, GetParam().fixed);
        expected.push_back(model_.run(values, scratch_).convert_to<std::uint64_t>());
        const std::vector<Integer> inputs = in_input_order(values);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          columns[names[i]].push_back(inputs[i].convert_to<std::uint64_t>());
        }
      }
      ASSERT_EQ(lang_test::values_of(terms, d, columns, kRows), expected);
    }
  }
}

// Eager bit-blasting is slow on tables: one product is free, the other is one of a few.
TEST_P(TinyDesign, SolversAgreeWithEvaluation) {
  for (std::size_t i = 0; i < kAccumulators.size(); ++i) {
    // A quick run asks one solver about one of the accumulators, selected by the name's length.
    const std::size_t turn = 2 * i + std::string_view(GetParam().name).size();
    const int c = kAccumulators[i];
    if (is_selected(turn, 4)) compare(z3_backend, 3, c == 0 ? 5 : 11, c);
    for (std::size_t a1 = c == 0 ? 2 : 7; a1 < 16 && is_selected(turn + 1, 4); a1 += 8) {
      compare(cvc5_backend, 2, a1 + ((5 * a1 + 3) % 16 << 4), c);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, TinyDesign,
    testing::Values(
        Tiny{"fused_dot_add",
             "design:fused-dot-add(a=e2m1,c=f16,k=2,fraction_bits=3,floor=-4,round=rz)",
             {}},
        Tiny{"fused_dot_add_chained_mma_sim",
             "design:fused-dot-add(a=e2m1,c=f16,k=2,block=1,fraction_bits=2,zero_terms=operands-"
             "count,"
             "zero_exponent=3,round=rne)",
             {}},
        Tiny{"fused_dot_add_open",
             "design:fused-dot-add(a=e2m1,c=f16,k=2,fraction_bits=2,align_round=rd,c_joins=late,"
             "normalize_products=yes,flush_inputs=yes,product_overflow=4,round=rd)",
             {}},
        Tiny{"fused_dot_add_scaled",
             "design:fused-dot-add(a=e2m1,c=f16,k=2,scale=ue8m0,scale_block=1,fraction_bits=5,"
             "round=ru)",
             {0x7d, 0x80, 0x7f, 0x7b}},
        Tiny{"sequential_fma", "design:sequential-fma(a=e2m1,c=f16,k=2,kept_bits=3)", {}},
        Tiny{"group_pairwise_sum",
             "design:group-pairwise-sum(a=e2m1,c=f16,k=2,kept_bits=2,flush_inputs=yes,underflow="
             "flush)",
             {}},
        Tiny{"round_down_dot_add",
             "design:round-down-dot-add(a=e2m1,c=f16,k=2,groups=2,product_bits=2,sum_bits=4,c_bits="
             "2,"
             "c_reach=3,product_overflow=5,zero_exponent=1)",
             {}},
        Tiny{"group_dot_fused_sum",
             "design:group-dot-fused-sum(a=e2m1,c=f16,k=2,group=1,scale=ue4m3,scale_block=1,"
             "fraction_bits=4)",
             {0x35, 0x3a, 0x38, 0x01}},
        Tiny{"exact_dot_add", "design:exact-dot-add(a=e2m1,c=f16,k=2,kept_bits=2,round=rna)", {}},
        Tiny{"split_fp8",
             "design:split-fp8(a=e2m1,c=f16,k=4,fraction_bits=3,round=rne,halves=added)",
             {0x3, 0xd, 0x2, 0x5}}),
    [](const testing::TestParamInfo<Tiny>& test) { return std::string(test.param.name); });

class RealInstruction : public testing::TestWithParam<const char*> {};

TEST_P(RealInstruction, EncodingEqualsEvaluationForRandomOperands) {
  const Instruction instruction = find_instruction(GetParam());
  const DotModel model(instruction.algorithm, instruction.formats);
  Sampler sampler(instruction.formats, InputClass::any, 1);
  for (std::size_t i = 0; i < 8; ++i) {
    const DotValues values = sampler.next();
    const ExactEvaluator::Values all = model.trace(values);
    EXPECT_NO_THROW(model.evaluator().check_ranges(all));
    BvTerms terms;
    Encoder encoder(model.graph(), terms);
    Query query{&terms, {}};
    const std::vector<Integer> inputs = in_input_order(values);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const TermId x = encoder.word(model.graph().inputs()[k]);
      query.assertions.push_back(terms.eq(x, terms.constant(inputs[k], terms.width(x))));
    }
    const TermId d = encoder.word(model.result());
    query.assertions.push_back(
        terms.bool_not(terms.eq(d, terms.constant(all[model.result()], terms.width(d)))));
    if (is_selected(i, 2)) {
      EXPECT_EQ(ask(z3_backend(), query).verdict, Verdict::unsatisfiable);
    }
    if (is_selected(i + 1, 2)) {
      EXPECT_EQ(ask(cvc5_backend(), query).verdict, Verdict::unsatisfiable);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, RealInstruction,
    testing::Values("volta/mma.m8n8k4.f32.f16.f16.f32", "hopper/mma.m16n8k16.f16.f16.f16.f16",
                    "ampere/mma.m16n8k16.f32.bf16.bf16.f32@mma-sim",
                    "hopper/mma.m16n8k32.f32.e4m3.e4m3.f32", "ampere/mma.m8n8k4.f64.f64.f64.f64",
                    "cdna1/v_mfma_f32_4x4x2bf16", "cdna2/v_mfma_f32_16x16x16f16",
                    "cdna3/v_mfma_f32_16x16x8_xf32", "cdna3/v_mfma_f32_16x16x32_fp8_bf8",
                    "cdna1/v_mfma_f32_4x4x4f16@khattak-mikaitis",
                    "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
                    "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e3m2.e5m2.ue8m0"));

}  // namespace
}  // namespace mmaspec::encoding_test
