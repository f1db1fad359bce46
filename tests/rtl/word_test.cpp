// Shifts of words as Verilog defines them, by amounts of any width and size: by the exact
// evaluator, the batch evaluator and the encoder's terms. Division by constants.

#include "hardware/rtl/circuit/word.h"

#include <gtest/gtest.h>

#include "concrete/batch/evaluator.h"
#include "concrete/evaluator.h"
#include "encoder/encode.h"
#include "hardware/rtl/equivalence/simulate_terms.h"
#include "util/split_mix.h"

namespace mmaspec::rtl::word_test {
namespace {

/// Everything is shifted out by the width or more: 0, or the sign.
Integer expected(int kind, const Integer& x, const Integer& by, unsigned width) {
  const Integer all = power_of_two(width) - 1;
  const unsigned n = by > width ? width : by.convert_to<unsigned>();
  if (kind == 0) return (x << n) & all;
  if (kind == 1) return x >> n;
  const bool negative = boost::multiprecision::bit_test(x, width - 1);
  return negative ? Integer(all - ((all - x) >> n)) : Integer(x >> n);
}

Word shifted(int kind, const Word& x, const Word& by) {
  return kind == 0 ? shift_left(x, by) : shift_right(x, by, kind == 2);
}

Integer random_number(SplitMix& random, unsigned width) {
  Integer x = 0;
  for (unsigned at = 0; at < width; at += 64) x = (x << 64) | Integer(random());
  x &= power_of_two(width) - 1;
  return random.one_in(3) ? Integer(x >> static_cast<unsigned>(random() % width)) : x;
}

TEST(WordShifts, ByAVariableAmount) {
  SplitMix random(1);
  for (const unsigned width : {1U, 2U, 7U, 16U, 31U, 32U, 33U, 64U, 65U, 100U}) {
    for (const unsigned by_width : {1U, 3U, 5U, 6U, 8U, 32U, 40U, 64U}) {
      Graph graph;
      const Graph::Building building(graph);
      // In two halves: the batch evaluator takes inputs of 64 bits at most.
      const unsigned half = (width + 1) / 2;
      Word x = Word::of(input("low", half), half);
      if (width > half) x = concat(Word::of(input("high", width - half), width - half), x);
      const Word by = Word::of(input("by", by_width), by_width);
      std::vector<NodeId> roots;
      std::vector<NodeId> low_parts;
      for (int kind = 0; kind < 3; ++kind) {
        const Word y = shifted(kind, x, by);
        ASSERT_EQ(y.width(), width);
        roots.push_back(y.value().id());
        low_parts.push_back(y.slice(half - 1, 0).value().id());
      }
      const ExactEvaluator exact(graph, roots);
      ExactEvaluator::Values scratch = exact.scratch();
      const BatchEvaluator batch(graph, low_parts);
      BatchEvaluator::Scratch batch_scratch;
      BvTerms terms;
      Encoder encoder(graph, terms);
      TermSimulator simulator(terms);
      for (int row = 0; row < 40; ++row) {
        const Integer number = random_number(random, width);
        Integer amount = random_number(random, by_width);
        if (random.one_in(2)) amount %= width + 2;
        if (random.one_in(8)) amount = power_of_two(by_width) - 1;
        amount %= power_of_two(by_width);
        std::vector<Integer> values;
        std::map<std::string, Integer> by_name;
        Lanes lanes(graph.inputs().size(), 1);
        for (const NodeId i : graph.inputs()) {
          const std::string& name = graph.input_name(i);
          const Integer value = name == "by"    ? amount
                                : name == "low" ? Integer(number % power_of_two(half))
                                                : Integer(number >> half);
          lanes[values.size()][0] = value.convert_to<std::uint64_t>();
          values.push_back(value);
          by_name[name] = value;
        }
        exact.evaluate(values, scratch);
        Lanes results(3, 1);
        batch.evaluate(lanes, results, batch_scratch);
        simulator.add_sample(by_name);
        for (int kind = 0; kind < 3; ++kind) {
          const auto k = static_cast<std::size_t>(kind);
          const Integer wanted = expected(kind, number, amount, width);
          const std::string what = "kind " + std::to_string(kind) + ": " + number.str() + " of " +
                                   std::to_string(width) + " bits by " + amount.str();
          ASSERT_EQ(scratch[roots[k]], wanted) << what;
          ASSERT_EQ(Integer(results[k][0]), wanted % power_of_two(half)) << what;
          const TermId term = encoder.word(roots[k]);
          const unsigned term_width = terms.width(term);
          ASSERT_EQ(simulator(term).back() % power_of_two(term_width),
                    wanted % power_of_two(term_width))
              << what;
        }
      }
    }
  }
}

TEST(WordDivision, ByAConstant) {
  SplitMix random(2);
  for (const unsigned width : {1U, 2U, 5U, 16U, 33U, 64U}) {
    for (int round = 0; round < 12; ++round) {
      Integer by = random_number(random, width);
      if (round == 0) by = power_of_two(width) - 1;
      if (round == 1) by = power_of_two(width - 1);
      if (by == 0) by = 1;
      Graph graph;
      const Graph::Building building(graph);
      const Division division = divide(Word::of(input("x", width), width), by);
      const NodeId quotient = division.quotient.value().id();
      const NodeId remainder = division.remainder.value().id();
      const ExactEvaluator exact(graph, {quotient, remainder});
      ExactEvaluator::Values scratch = exact.scratch();
      for (int row = 0; row < 50; ++row) {
        const Integer x = random_number(random, width);
        exact.evaluate({x}, scratch);
        ASSERT_EQ(scratch[quotient], x / by) << x << " / " << by;
        ASSERT_EQ(scratch[remainder], x % by) << x << " % " << by;
      }
    }
  }
}

TEST(WordShifts, ByAConstantAmount) {
  Graph graph;
  const Graph::Building building(graph);
  const Word x = Word::of(input("x", 20), 20);
  for (const Integer& amount : {Integer(0), Integer(7), Integer(19), Integer(20), Integer(100'000),
                                Integer(4'294'967'170), power_of_two(90)}) {
    const Word by = Word::of(Int(amount), 100);
    for (int kind = 0; kind < 3; ++kind) {
      const NodeId y = shifted(kind, x, by).value().id();
      const ExactEvaluator exact(graph, {y});
      ExactEvaluator::Values scratch = exact.scratch();
      for (const Integer& number : {Integer(0), Integer(0x54321), Integer(0xfedcb)}) {
        exact.evaluate({number}, scratch);
        EXPECT_EQ(scratch[y], expected(kind, number, amount, 20))
            << kind << " " << number << " by " << amount;
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::rtl::word_test
