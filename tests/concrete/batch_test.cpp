// The batch evaluator compared with the exact one, on all instruction sets of this machine: every
// design of the catalogue, random expressions, and every operation at the widths at which the
// lanes' type changes.

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <random>

#include "concrete/batch/block.h"
#include "concrete/batch/evaluator.h"
#include "concrete/evaluator.h"
#include "queries/audit/check.h"
#include "queries/draw/samples.h"
#include "spec/lang/int.h"
#include "spec/lang/print.h"
#include "tests/support/case_selection.h"
#include "tests/support/lang/random.h"

namespace mmaspec::batch_test {
namespace {

using Inputs = std::vector<std::vector<Integer>>;

std::uint64_t low_word(const Integer& x) {
  const Integer modulus = power_of_two(64);
  Integer rest = x % modulus;
  if (rest < 0) rest += modulus;
  return rest.convert_to<std::uint64_t>();
}

Lanes lanes_of(const Inputs& inputs) {
  Lanes lanes(inputs[0].size(), inputs.size());
  for (std::size_t lane = 0; lane < inputs.size(); ++lane) {
    for (std::size_t i = 0; i < inputs[lane].size(); ++i) {
      lanes[i][lane] = low_word(inputs[lane][i]);
    }
  }
  return lanes;
}

/// Evaluates the first block with every other input held, and again with the held values.
void expect_held_as(const Graph& graph, const std::vector<NodeId>& roots, const Lanes& in,
                    const Lanes& expected, BatchIsa isa) {
  std::vector<NodeId> held;
  for (std::size_t i = 0; i < graph.inputs().size(); i += 2) held.push_back(graph.inputs()[i]);
  const BlockEvaluator evaluator(graph, roots, held, isa);
  BatchEvaluator::Scratch scratch;
  const std::size_t lanes = std::min(in.lanes(), BlockEvaluator::kBlock);
  std::vector<const std::uint64_t*> rows;
  for (std::size_t i = 0; i < in.rows(); ++i) rows.push_back(in[i]);
  for (const bool same_held : {false, true}) {
    Lanes out(roots.size(), lanes);
    std::vector<std::uint64_t*> results;
    for (std::size_t r = 0; r < roots.size(); ++r) results.push_back(out[r]);
    evaluator.evaluate({rows.data(), nullptr, results.data(), lanes, same_held}, scratch);
    for (std::size_t r = 0; r < roots.size(); ++r) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        ASSERT_EQ(out[r][lane], expected[r][lane]) << "root " << r << ", held " << same_held;
      }
    }
  }
}

/// Compares all roots for all inputs, on every instruction set.
void expect_as_exact(const Graph& graph, const std::vector<NodeId>& roots, const Inputs& inputs) {
  const ExactEvaluator exact(graph, roots);
  ExactEvaluator::Values values = exact.scratch();
  const Lanes in = lanes_of(inputs);
  Lanes expected(roots.size(), inputs.size());
  for (std::size_t lane = 0; lane < inputs.size(); ++lane) {
    ASSERT_NO_THROW(exact.evaluate(inputs[lane], values));
    for (std::size_t r = 0; r < roots.size(); ++r) {
      expected[r][lane] = low_word(values[roots[r]]);
    }
  }
  for (BatchIsa isa : batch_isas()) {
    SCOPED_TRACE(to_string(isa));
    const BatchEvaluator batch(graph, roots, isa);
    BatchEvaluator::Scratch scratch;
    Lanes out(roots.size(), inputs.size());
    ASSERT_NO_THROW(batch.evaluate(in, out, scratch));
    for (std::size_t r = 0; r < roots.size(); ++r) {
      for (std::size_t lane = 0; lane < inputs.size(); ++lane) {
        ASSERT_EQ(out[r][lane], expected[r][lane])
            << testing::PrintToString(inputs[lane]) << "\n"
            << (graph.size() < 200 ? print(graph, {roots[r]}) : describe(graph, roots[r]));
      }
    }
    expect_held_as(graph, roots, in, expected, isa);
  }
}

TEST(BatchEvaluator, ComputesEveryDesignOfTheCatalogue) {
  constexpr int kSamples = 300;
  const std::vector<Instruction> all = distinct(catalogue());
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!is_selected(n, 2)) continue;
    const Instruction& instruction = all[n];
    SCOPED_TRACE(instruction.name());
    const DotModel model(instruction.algorithm, instruction.formats);
    Sampler sampler(instruction.formats, InputClass::any, 17);
    Inputs inputs;
    for (int i = 0; i < kSamples; ++i) inputs.push_back(in_input_order(sampler.next()));
    expect_as_exact(model.graph(), {model.result()}, inputs);
    if (HasFatalFailure()) return;
  }
}

TEST(BatchEvaluator, ComputesRandomExpressions) {
  const std::vector<std::vector<unsigned>> all_widths{
      {11, 16, 5, 24}, {1, 8, 15, 17}, {31, 32, 3, 9}, {33, 16, 1, 12}};
  for (int seed = 0; seed < lang_test::rounds(160); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed);
    const auto& widths = all_widths[s % all_widths.size()];
    const Inputs inputs = lang_test::corner_inputs(s, widths, 300);
    const lang_test::RandomGraph r = lang_test::random_graph(s, widths, 40, inputs);
    expect_as_exact(*r.graph, r.roots, inputs);
    if (HasFatalFailure()) return;
  }
}

TEST(BatchEvaluator, AcceptsTrueClaimsOfRandomExpressions) {
  for (int seed = 0; seed < lang_test::rounds(100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto r = lang_test::random_graph(static_cast<std::uint64_t>(seed), {3, 3, 2}, 40);
    expect_as_exact(*r.graph, r.roots, r.inputs);
    if (HasFatalFailure()) return;
  }
}

/// Every operation on integers x and y of any width.
std::vector<NodeId> all_operations(Int x, Int y, Int amount) {
  std::vector<NodeId> roots;
  const auto add = [&](auto value) { roots.push_back(value.id()); };
  const Integer odd = (Integer(1) << 61) + 12345;
  for (const auto& [u, v] : {std::pair(x, y), std::pair(x - y, y - 7), std::pair(-x, x * y)}) {
    add(u + v);
    add(3 * u - 5 * v + 77);
    add(Int(odd) * u - 4096 * v);
    add(u * v);
    add(abs(u));
    add(negate_if(v < 100, u));
    add(select(u < v, u, -v));
    add(min({u, v, Int(1000)}));
    add(max({u, v, u + v, Int(-3), Int(4)}));
    add(u < v);
    add(u == v);
    add(u + 1 == v);
    add(u == 255);
    add(!(u < v) && v < 1000 && !(u == 3));
    add((u < v) ^ (v < 9) ^ !(u < 77));
    add(bit_length(abs(u)));
    add(shift_left(u, amount));
    add(floor_shift_right(u, amount));
    add(floor_shift_right(v, amount + 40));
    add(floor_shift_right(u, 3 * amount));
    add(shift_left(floor_shift_right(abs(u), amount), amount));
    add(floor_shift_right(shift_left(u, amount), amount + 1));
    for (unsigned low : {0U, 1U, 15U, 31U, 32U, 63U, 64U, 100U, 130U}) {
      add(floor_shift_right(u, Int(static_cast<int>(low))));
      for (unsigned width : {1U, 8U, 16U, 32U, 64U, 70U}) add(bits(abs(v), low, width));
    }
    const Int m = abs(u);
    const int most = static_cast<int>(bit_length(m.range().high));
    add(shift_left(m, most - bit_length(m)));
  }
  return roots;
}

TEST(BatchEvaluator, ComputesEveryOperationAtEveryWidth) {
  const std::vector<unsigned> sizes{1, 8, 14, 15, 16, 17, 30, 31, 32, 33, 53, 62, 63, 64};
  for (unsigned first : sizes) {
    for (unsigned second : {5U, 16U, 32U, 64U}) {
      SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second) + " bits");
      Graph graph;
      const Graph::Building building(graph);
      const Int x = input("x", first);
      const Int y = input("y", second);
      const std::vector<NodeId> roots = all_operations(x, y, input("n", 7));
      expect_as_exact(graph, roots,
                      lang_test::corner_inputs(first * 100 + second, {first, second, 7}, 300));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(BatchEvaluator, ComputesIntegersOfManyWords) {
  Graph graph;
  const Graph::Building building(graph);
  const Int n = input("n", 9);
  const Int p = input("p", 60);
  const Int q = input("q", 64);
  const Int r = input("r", 64);
  const Int x = shift_left(p, n) - q * r;
  const Int y = select(input("s", 1) == 1, shift_left(r, n), x * x);
  std::vector<NodeId> roots = all_operations(x, y, n);
  // Only the low words of roots are compared: shift the high ones down.
  const std::size_t count = roots.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_boolean(graph[roots[i]].op)) continue;
    for (int shift : {64, 128, 200, 500}) {
      roots.push_back(floor_shift_right(Int::of(roots[i]), Int(shift)).id());
    }
  }
  expect_as_exact(graph, roots, lang_test::corner_inputs(5, {9, 60, 64, 64, 1}, 300));
}

TEST(BatchEvaluator, TakesAnyNumberOfLanesAndFewerRows) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 64);
  const Int sum = x + 3 * input("y", 8);
  for (BatchIsa isa : batch_isas()) {
    const BatchEvaluator batch(graph, {sum.id(), sum.id()}, isa);
    BatchEvaluator::Scratch scratch;
    for (std::size_t count : {0U, 1U, 63U, 255U, 256U, 257U, 1000U}) {
      for (std::size_t rows : {0U, 1U, 2U, 3U}) {
        Lanes in(rows, count);
        for (std::size_t row = 0; row < rows; ++row) {
          for (std::size_t i = 0; i < count; ++i) in[row][i] = (i + 7 * row) % 256;
        }
        Lanes out(2, count);
        BatchEvaluator::Scratch copy = scratch;
        batch.evaluate(in, out, copy);
        batch.evaluate(in, out, scratch);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t expected =
              (rows > 0 ? i % 256 : 0) + 3 * (rows > 1 ? (i + 7) % 256 : 0);
          ASSERT_EQ(out[0][i], expected);
          ASSERT_EQ(out[1][i], expected);
        }
      }
    }
  }
}

/// x and y are held, z is not; z's row may be uniform. Values of every lane type.
std::vector<NodeId> of_held_and_others(Int x, Int y, Int z) {
  const Int held = select(x < y, shift_left(x, 9), x * y * 70001);
  const Int other = select(z == 3, -z, held + z) + floor_shift_right(held, bits(z, 0, 4));
  return {other.id(), (held < 5 * z).id(), (abs(other - held) * z).id()};
}

TEST(BlockEvaluator, KeepsValuesOfFixedInputs) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 9);
  const Int y = input("y", 16);
  const Int z = input("z", 12);
  const std::vector<NodeId> roots = of_held_and_others(x, y, z);
  const BatchEvaluator expected(graph, roots, BatchIsa::portable);
  std::vector<BatchIsa> isas = batch_isas();
  isas.push_back(BatchIsa::fastest);  // machine code from some block on; held values must remain
  for (const BatchIsa isa : isas) {
    SCOPED_TRACE(to_string(isa));
    const BlockEvaluator evaluator(graph, roots, {x.id(), y.id()}, isa);
    BatchEvaluator::Scratch scratch;
    BatchEvaluator::Scratch scratch_of_expected;
    std::mt19937_64 random(1);
    std::size_t lanes = 0;
    Lanes in(3, BatchEvaluator::kBlock);
    for (int block = 0; block < 200; ++block) {
      const bool same_held = block > 0 && random() % 8 != 0;
      if (!same_held) {
        lanes = random() % 3 == 0 ? BatchEvaluator::kBlock : 1 + random() % BatchEvaluator::kBlock;
        for (std::size_t i = 0; i < lanes; ++i) {
          in[0][i] = random() % 512;
          in[1][i] = random() % 65536;
        }
      }
      const bool is_uniform = random() % 2 == 0;
      for (std::size_t i = 0; i < lanes; ++i) {
        in[2][i] = is_uniform && i > 0 ? in[2][0] : random() % 4096;
      }
      Lanes out(roots.size(), lanes);
      const std::array<const std::uint64_t*, 3> rows{in[0], in[1], in[2]};
      const std::array<std::uint64_t*, 3> results{out[0], out[1], out[2]};
      const std::array<bool, 3> uniform{false, false, is_uniform};
      evaluator.evaluate({rows.data(), uniform.data(), results.data(), lanes, same_held}, scratch);
      Lanes wanted(roots.size(), lanes);
      expected.evaluate({in[0], in[1], in[2]}, lanes, {wanted[0], wanted[1], wanted[2]},
                        scratch_of_expected);
      for (std::size_t r = 0; r < roots.size(); ++r) {
        for (std::size_t i = 0; i < lanes; ++i) ASSERT_EQ(out[r][i], wanted[r][i]) << block;
      }
    }
  }
}

TEST(BatchEvaluator, TakesProgramsTooLongForMachineCode) {
  for (const int length : {2000, 100000}) {
    Graph graph;
    const Graph::Building building(graph);
    const Int x = input("x", 8);
    const Int y = input("y", 8);
    Int sum = x;
    for (int i = 0; i < length; ++i) sum = bits(select(sum < y, sum + x + 1, sum + 256 - y), 0, 8);
    const std::vector<NodeId> roots{sum.id()};
    const BatchEvaluator expected(graph, roots, BatchIsa::portable);
    const BatchEvaluator batch(graph, roots, batch_isas().back());
    Lanes in(2, 300);
    for (std::size_t i = 0; i < in.lanes(); ++i) {
      in[0][i] = i * 37 % 256;
      in[1][i] = i * 101 % 256;
    }
    Lanes wanted(1, in.lanes());
    Lanes out(1, in.lanes());
    BatchEvaluator::Scratch scratch;
    expected.evaluate(in, wanted, scratch);
    batch.evaluate(in, out, scratch);
    for (std::size_t i = 0; i < in.lanes(); ++i) ASSERT_EQ(out[0][i], wanted[0][i]) << length;
  }
}

TEST(BatchEvaluator, GivesThreadsMachineCodeWhileTheyRun) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 20);
  const BatchEvaluator evaluator(graph, {(x * x - 7).id()});
  const auto work = [&] {
    BatchEvaluator::Scratch scratch;
    Lanes in(1, 3 * BatchEvaluator::kBlock);
    Lanes out(1, in.lanes());
    for (std::uint64_t round = 0; round < 40; ++round) {
      for (std::size_t i = 0; i < in.lanes(); ++i) in[0][i] = 1000 * round + i;
      evaluator.evaluate(in, out, scratch);
      for (std::size_t i = 0; i < in.lanes(); ++i) {
        if (out[0][i] != in[0][i] * in[0][i] - 7) return false;
      }
    }
    return true;
  };
  std::vector<std::future<bool>> threads;
  for (int t = 0; t < 4; ++t) threads.push_back(std::async(std::launch::async, work));
  for (auto& thread : threads) EXPECT_TRUE(thread.get());
}

TEST(BatchEvaluator, ReportsFalseClaims) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 12);
  const Int low = claim(x, 5, 4095);
  const Int high = claim(x - 7, -7, 2000);
  for (BatchIsa isa : batch_isas()) {
    const BatchEvaluator batch(graph, {(low + high).id()}, isa);
    BatchEvaluator::Scratch scratch;
    Lanes in(1, 300);
    Lanes out(1, 300);
    for (std::size_t i = 0; i < 300; ++i) in[0][i] = 5 + 6 * i;
    EXPECT_NO_THROW(batch.evaluate(in, out, scratch));
    EXPECT_EQ(out[0][299], 2 * in[0][299] - 7);
    in[0][299] = 4;
    EXPECT_THROW(batch.evaluate(in, out, scratch), ClaimViolated);
    in[0][299] = 2008;
    EXPECT_THROW(batch.evaluate(in, out, scratch), ClaimViolated);
    in[0][299] = 2007;
    EXPECT_NO_THROW(batch.evaluate(in, out, scratch));
  }
}

TEST(BatchEvaluator, RefusesWideInputsAndWrongNumbersOfLanes) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 65);
  EXPECT_THROW(BatchEvaluator(graph, {x.id()}), std::logic_error);
  const BatchEvaluator batch(graph, {input("y", 3).id()});
  BatchEvaluator::Scratch scratch;
  Lanes out(1, 5);
  EXPECT_THROW(batch.evaluate(Lanes(1, 4), out, scratch), std::logic_error);
  Lanes no_roots(0, 5);
  EXPECT_THROW(batch.evaluate(Lanes(1, 5), no_roots, scratch), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::batch_test
