// Every operation of the language over all small inputs: the evaluator compared with a plain
// definition, the encoding compared with the evaluator by each solver.

#include <gtest/gtest.h>

#include <set>

#include "concrete/evaluator.h"
#include "spec/lang/int.h"
#include "tests/support/lang/number.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::operations_test {
namespace {

/// An expression over inputs x, y, z, ... of `widths` bits, as a graph and as plain arithmetic.
struct Case {
  std::string name;
  Op op;  ///< must occur in the graph
  std::vector<unsigned> widths;
  std::function<Int(const std::vector<Int>&)> build;
  std::function<Number(const std::vector<Number>&)> meaning;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

template <typename F>
Case make(std::string name, Op op, std::vector<unsigned> widths, F f) {
  return {std::move(name), op, std::move(widths), f, f};
}

/// A Boolean as an integer.
const auto flag = [](auto condition) { return select(condition, 1, 0); };

std::vector<Case> sums() {
  return {
      make("constant", Op::constant, {3}, [](const auto& x) { return x[0] - x[0] + 37; }),
      make("negative_constant", Op::constant, {3}, [](const auto& x) { return x[0] - x[0] - 37; }),
      make("input", Op::input, {6}, [](const auto& x) { return x[0]; }),
      make("difference", Op::sum, {5, 5}, [](const auto& x) { return x[0] - x[1]; }),
      make("negation", Op::sum, {5}, [](const auto& x) { return -x[0]; }),
      make("offset", Op::sum, {5}, [](const auto& x) { return x[0] - 40; }),
      make("odd_coefficients", Op::sum, {3, 3, 3},
           [](const auto& x) { return 7 * x[0] - 11 * x[1] + 3 * x[2] - 5; }),
      make("shifted_coefficients", Op::sum, {3, 3, 3},
           [](const auto& x) { return 12 * x[0] - 40 * x[1] + 16 * x[2] + 1; }),
      make("many_terms", Op::sum, {2, 2, 2, 2, 2},
           [](const auto& x) { return x[0] - x[1] + 2 * x[2] - 3 * x[3] - x[4]; }),
      make("one_signed_term", Op::sum, {1, 4, 4},
           [](const auto& x) { return negate_if(x[0] == 1, x[1]) + x[2]; }),
      make("subtracted_signed_term", Op::sum, {1, 4, 4},
           [](const auto& x) { return 9 - 3 * negate_if(x[0] == 1, x[1]) - 2 * x[2]; }),
      make("signed_negative_magnitudes", Op::sum, {1, 3, 1, 3},
           [](const auto& x) {
             return 6 * negate_if(x[0] == 1, x[1] - 3) - 5 * negate_if(x[2] == 1, x[3] - 4);
           }),
      make("five_signed_terms", Op::sum, {5, 2, 2},
           [](const auto& x) {
             return negate_if(bit(x[0], 0), x[1]) - negate_if(bit(x[0], 1), x[2]) +
                    2 * negate_if(bit(x[0], 2), x[1] + 1) - negate_if(bit(x[0], 3), x[2] + 3) +
                    4 * negate_if(bit(x[0], 4), x[1] * x[2]);
           }),
  };
}

std::vector<Case> arithmetic() {
  return {
      make("product", Op::product, {4, 4}, [](const auto& x) { return x[0] * x[1]; }),
      make("signed_product", Op::product, {4, 4},
           [](const auto& x) { return (x[0] - 9) * (x[1] - 6); }),
      make("mixed_product", Op::product, {4, 4}, [](const auto& x) { return (x[0] - 9) * x[1]; }),
      make("product_of_three", Op::product, {3, 3, 3},
           [](const auto& x) { return (x[0] - 3) * x[1] * (x[2] - 8); }),
      make("square", Op::product, {5}, [](const auto& x) { return (x[0] - 12) * (x[0] - 12); }),
      make("abs", Op::absolute, {5}, [](const auto& x) { return abs(x[0] - 16); }),
      make("abs_of_least", Op::absolute, {4}, [](const auto& x) { return abs(x[0] - 8); }),
      make("abs_of_difference", Op::absolute, {4, 4},
           [](const auto& x) { return abs(x[0] - x[1]); }),
      make("negate_if", Op::negate_if, {1, 5},
           [](const auto& x) { return negate_if(x[0] == 1, x[1]); }),
      make("negate_if_signed", Op::negate_if, {1, 4},
           [](const auto& x) { return negate_if(x[0] == 1, x[1] - 8); }),
      make("negate_if_negative", Op::negate_if, {1, 4},
           [](const auto& x) { return negate_if(x[0] == 1, x[1] - 16); }),
      make("select", Op::select, {4, 3, 3},
           [](const auto& x) { return select(x[0] < 5, x[1] - 20, x[2]); }),
      make("select_constants", Op::select, {4},
           [](const auto& x) { return select(x[0] == 5, -3, 100); }),
      make("min", Op::minimum, {4, 4}, [](const auto& x) { return min(x[0], x[1]); }),
      make("max", Op::maximum, {4, 4}, [](const auto& x) { return max(x[0], x[1]); }),
      make("min_mixed", Op::minimum, {4, 4}, [](const auto& x) { return min(x[0] - 9, x[1]); }),
      make("max_mixed", Op::maximum, {4, 4}, [](const auto& x) { return max(x[0] - 9, x[1]); }),
      make("max_of_negative", Op::maximum, {4, 4},
           [](const auto& x) { return max(x[0] - 30, x[1] - 33); }),
      make("max_of_four", Op::maximum, {3, 3, 3},
           [](const auto& x) {
             return max({x[0], x[1] - 2, 2 * x[2] - 6, 3});
           }),
      make("min_of_five", Op::minimum, {3, 3, 3},
           [](const auto& x) {
             return min({x[0] - x[1], x[1], x[2] - 1, x[0] * x[2], 4});
           }),
      make("max_less_member", Op::maximum, {3, 3, 3},
           [](const auto& x) {
             return max({x[0], x[1], x[2]}) - x[1];
           }),
  };
}

std::vector<Case> shifts() {
  return {
      make("shift_left", Op::shift_left, {4, 3},
           [](const auto& x) { return shift_left(x[0], x[1]); }),
      make("shift_left_signed", Op::shift_left, {4, 3},
           [](const auto& x) { return shift_left(x[0] - 8, x[1]); }),
      make("shift_left_least", Op::shift_left, {4, 3},
           [](const auto& x) { return shift_left(x[0] - 5, x[1] + 3); }),
      make("shift_left_one", Op::shift_left, {4},
           [](const auto& x) { return shift_left(1, x[0]); }),
      make("shift_left_fixed", Op::sum, {4}, [](const auto& x) { return shift_left(x[0] - 3, 5); }),
      make("shift_left_normalised", Op::shift_left, {6},
           [](const auto& x) { return shift_left(x[0], 6 - bit_length(x[0])); }),
      make("shift_right", Op::floor_shift_right, {6, 2},
           [](const auto& x) { return floor_shift_right(x[0], x[1]); }),
      make("shift_right_beyond", Op::floor_shift_right, {4, 5},
           [](const auto& x) { return floor_shift_right(x[0], x[1]); }),
      make("shift_right_signed", Op::floor_shift_right, {5, 4},
           [](const auto& x) { return floor_shift_right(x[0] - 16, x[1]); }),
      make("shift_right_negative", Op::floor_shift_right, {5, 4},
           [](const auto& x) { return floor_shift_right(x[0] - 40, x[1]); }),
      make("shift_right_least", Op::floor_shift_right, {6, 2},
           [](const auto& x) { return floor_shift_right(x[0] - 32, x[1] + 2); }),
      make("shift_right_least_unsigned", Op::floor_shift_right, {6, 2},
           [](const auto& x) { return floor_shift_right(x[0], x[1] + 3); }),
      make("shift_right_least_beyond", Op::floor_shift_right, {5, 3},
           [](const auto& x) { return floor_shift_right(x[0] - 16, x[1] + 5); }),
      make("shift_right_least_far_beyond", Op::floor_shift_right, {5, 3},
           [](const auto& x) { return floor_shift_right(x[0] - 16, x[1] + 70); }),
      make("shift_right_least_at_power", Op::floor_shift_right, {6, 3},
           [](const auto& x) { return floor_shift_right(9 * x[0] - 300, x[1] + 1); }),
      make("shift_right_one_bit", Op::floor_shift_right, {1, 3},
           [](const auto& x) { return floor_shift_right(x[0] - 1, x[1]); }),
      make("shift_right_fixed", Op::floor_shift_right, {6},
           [](const auto& x) { return floor_shift_right(x[0] - 29, 3); }),
      make("shift_right_packed", Op::floor_shift_right, {4, 5},
           [](const auto& x) { return floor_shift_right(16 * x[0] - 3 * x[1] - 8, 4); }),
      make("shift_right_fixed_beyond", Op::floor_shift_right, {6},
           [](const auto& x) { return floor_shift_right(x[0] - 29, 9); }),
      make("shift_right_by_length", Op::floor_shift_right, {6, 2},
           [](const auto& x) { return floor_shift_right(x[0], max(bit_length(x[0]) - x[1], 0)); }),
      make("shift_right_twice", Op::floor_shift_right, {6, 3},
           [](const auto& x) { return floor_shift_right(floor_shift_right(x[0] - 32, 2), x[1]); }),
  };
}

std::vector<Case> fields() {
  return {
      make("bits_low", Op::bits, {6}, [](const auto& x) { return bits(x[0], 0, 3); }),
      make("bits_middle", Op::bits, {6}, [](const auto& x) { return bits(x[0], 2, 3); }),
      make("bits_high", Op::floor_shift_right, {6}, [](const auto& x) { return bits(x[0], 4, 2); }),
      make("bits_beyond", Op::floor_shift_right, {6},
           [](const auto& x) { return bits(x[0], 4, 9); }),
      make("bits_of_sum", Op::bits, {4, 4},
           [](const auto& x) { return bits(3 * x[0] + x[1], 1, 4); }),
      make("bits_of_packed", Op::bits, {4, 5},
           [](const auto& x) { return bits(16 * x[0] + x[1], 2, 3); }),
      make("bits_of_packed_less", Op::bits, {4, 3},
           [](const auto& x) { return bits(16 * x[0] + 16 - x[1], 1, 3); }),
      make("bits_of_bits", Op::bits, {8},
           [](const auto& x) { return bits(bits(5 * x[0], 2, 6), 1, 3); }),
      make("bits_narrow_range", Op::bits, {4}, [](const auto& x) { return bits(3 * x[0], 2, 3); }),
      make("single_bit", Op::bits, {6}, [](const auto& x) { return flag(bit(5 * x[0], 3)); }),
      make("bit_length", Op::bit_length, {6}, [](const auto& x) { return bit_length(x[0]); }),
      make("bit_length_one", Op::bit_length, {1}, [](const auto& x) { return bit_length(x[0]); }),
      make("bit_length_offset", Op::bit_length, {7},
           [](const auto& x) { return bit_length(x[0] + 5); }),
      make("bit_length_15", Op::bit_length, {5, 4},
           [](const auto& x) { return bit_length(x[0] * x[1] * 70); }),
      make("bit_length_16", Op::bit_length, {8},
           [](const auto& x) { return bit_length(x[0] * x[0]); }),
      make("bit_length_17", Op::bit_length, {8},
           [](const auto& x) { return bit_length(x[0] * x[0] * 2); }),
      // The square of a difference is not negative, which interval arithmetic does not find.
      make("claim", Op::claim, {4},
           [](const auto& x) { return claim((x[0] - 8) * (x[0] - 8), 0, 64) + 1; }),
  };
}

std::vector<Case> conditions() {
  return {
      make("less", Op::less, {4, 4}, [](const auto& x) { return flag(x[0] < x[1]); }),
      make("less_signed", Op::less, {4, 4}, [](const auto& x) { return flag(x[0] - 8 < x[1]); }),
      make("less_than_zero", Op::less, {4, 4},
           [](const auto& x) { return flag(3 * x[0] - 2 * x[1] < 0); }),
      make("less_constant", Op::less, {5}, [](const auto& x) { return flag(3 * x[0] < 50); }),
      make("less_negative_constant", Op::less, {5},
           [](const auto& x) { return flag(-7 < 4 - 3 * x[0]); }),
      make("less_sums", Op::less, {3, 3, 3},
           [](const auto& x) { return flag(6 * x[0] + 4 * x[1] < 2 * x[2] + 9); }),
      make("less_sums_the_other_way", Op::less, {3, 3, 3},
           [](const auto& x) { return flag(2 * x[2] - 9 < 6 * x[0] + 4 * x[1] - 40); }),
      make("at_most", Op::less, {4, 4}, [](const auto& x) { return flag(x[0] <= x[1] - 3); }),
      make("greater", Op::less, {4, 4}, [](const auto& x) { return flag(x[0] > 2 * x[1]); }),
      make("at_least", Op::less, {4, 4}, [](const auto& x) { return flag(-x[0] >= x[1] - 20); }),
      make("equal", Op::equal, {4, 4}, [](const auto& x) { return flag(x[0] == x[1]); }),
      make("equal_mixed", Op::equal, {4, 4},
           [](const auto& x) { return flag(x[0] - 8 == 3 * x[1] - 20); }),
      make("equal_constant", Op::equal, {5}, [](const auto& x) { return flag(x[0] - 20 == -7); }),
      make("equal_scaled", Op::equal, {4, 4},
           [](const auto& x) { return flag(6 * x[0] == 4 * x[1] + 2); }),
      make("equal_signed", Op::equal, {1, 4, 4},
           [](const auto& x) { return flag(negate_if(x[0] == 1, x[1]) == x[2] - 7); }),
      make("not_equal", Op::logical_not, {4, 4},
           [](const auto& x) { return flag(x[0] != x[1]) + flag(!(x[0] == x[1]) && x[0] < 9); }),
      make("and", Op::logical_and, {3, 3, 3},
           [](const auto& x) { return flag(x[0] < 5 && x[1] != 2 && x[0] < x[2]); }),
      make("or", Op::logical_and, {3, 3, 3},
           [](const auto& x) { return flag(x[0] < 5 || x[1] == 2 || x[0] < x[2]); }),
      make("xor", Op::logical_xor, {3, 3, 3},
           [](const auto& x) { return flag((x[0] < 5) ^ (x[1] == 2) ^ (x[0] < x[2])); }),
      make("xor_of_negations", Op::logical_xor, {3, 3},
           [](const auto& x) { return flag(!(x[0] < 5) ^ (x[1] != 2)) - 1; }),
      make("select_of_conditions", Op::logical_and, {3, 3, 3},
           [](const auto& x) { return flag(select(x[0] < 5, x[1] < 3, x[1] == x[2])); }),
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (auto part : {sums, arithmetic, shifts, fields, conditions}) {
    for (Case& c : part()) cases.push_back(std::move(c));
  }
  return cases;
}

/// The graph of a case.
struct Built {
  Graph graph;
  NodeId root = 0;
  explicit Built(const Case& c) {
    const Graph::Building building(graph);
    std::vector<Int> x;
    for (std::size_t i = 0; i < c.widths.size(); ++i) {
      x.push_back(input("x" + std::to_string(i), c.widths[i]));
    }
    root = c.build(x).id();
  }
};

class Operation : public testing::TestWithParam<Case> {};

TEST_P(Operation, EvaluatorComputesItsMeaningWithinItsRange) {
  const Case& c = GetParam();
  const Built built(c);
  const ExactEvaluator evaluator(built.graph, {built.root});
  ExactEvaluator::Values values = evaluator.scratch();
  for (const auto& inputs : all_inputs(c.widths)) {
    evaluator.evaluate(inputs, values);
    ASSERT_NO_THROW(evaluator.check_ranges(values));
    ASSERT_EQ(values[built.root], c.meaning({inputs.begin(), inputs.end()}).value)
        << testing::PrintToString(inputs);
  }
}

TEST_P(Operation, EncodingComputesWhatTheEvaluatorComputes) {
  const Case& c = GetParam();
  const Built built(c);
  const ExactEvaluator evaluator(built.graph, {built.root});
  ExactEvaluator::Values values = evaluator.scratch();
  const auto meaning = [&](const std::vector<Integer>& inputs) {
    evaluator.evaluate(inputs, values);
    return values[built.root];
  };
  // One wrong entry, to check that the question can be satisfiable.
  std::vector<Integer> odd_one;
  for (unsigned w : c.widths) odd_one.push_back(power_of_two(w) * 2 / 3);
  const auto wrong = [&](const std::vector<Integer>& inputs) -> Integer {
    return meaning(inputs) + (inputs == odd_one ? 1 : 0);
  };
  BvTerms terms;
  Encoder encoder(built.graph, terms);
  const TermId differs = differs_from_table(built.graph, encoder, terms, {built.root, meaning});
  const TermId differs_once = differs_from_table(built.graph, encoder, terms, {built.root, wrong});
  for (const char* solver : {"z3", "cvc5", "bitwuzla"}) {
    if (is_missing(solver)) continue;
    SCOPED_TRACE(solver);
    const Answer same = ask(solver, {&terms, {differs}});
    EXPECT_EQ(same.verdict, Verdict::unsatisfiable)
        << same.reason << testing::PrintToString(inputs_of(built.graph, same));
    const Answer different = ask(solver, {&terms, {differs_once}});
    ASSERT_EQ(different.verdict, Verdict::satisfiable) << different.reason;
    EXPECT_EQ(inputs_of(built.graph, different), odd_one);
  }
}

INSTANTIATE_TEST_SUITE_P(Language, Operation, testing::ValuesIn(all_cases()),
                         [](const auto& test) { return test.param.name; });

// The test above asks the installed solvers. This one names the others.
TEST(Operations, AreAskedOfEverySolver) {
  for (const char* solver : {"z3", "cvc5", "bitwuzla"}) {
    if (is_missing(solver))
      GTEST_SKIP() << "no operation was asked of " << solver << ", which is missing";
  }
}

TEST(Operations, EachOccursInACase) {
  std::set<Op> seen;
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    const Built built(c);
    bool own = false;
    for (NodeId id : built.graph.cone({built.root})) {
      seen.insert(built.graph[id].op);
      own |= built.graph[id].op == c.op;
    }
    EXPECT_TRUE(own) << "folded away: the case does not test what it is named for";
  }
  for (auto op = static_cast<int>(Op::constant); op <= static_cast<int>(Op::logical_xor); ++op) {
    if (static_cast<Op>(op) == Op::boolean) continue;  // constants fold into their users
    EXPECT_TRUE(seen.contains(static_cast<Op>(op))) << name(static_cast<Op>(op));
  }
}

}  // namespace
}  // namespace mmaspec::lang_test::operations_test
