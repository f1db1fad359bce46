// What Arithmetic calls equal is equal for all values of all variables: drawn terms, valued by
// SMT-LIB's definitions, and the same sums written in other ways.

#include "hardware/rtl/equivalence/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/lang/term_values.h"

namespace mmaspec::rtl::arithmetic_test {
namespace {

using lang_test::Column;
using lang_test::values_of;

/// Three words and two Booleans, in all their combinations.
struct Variables {
  static constexpr unsigned kWords = 3;
  static constexpr unsigned kBits = 4;
  static constexpr std::size_t kRows = std::size_t{1} << (kWords * kBits + 2);

  explicit Variables(BvTerms& terms) {
    unsigned at = 0;
    for (unsigned i = 0; i < kWords; ++i, at += kBits) {
      words.push_back(add(terms, "x" + std::to_string(i), kBits, at));
    }
    for (unsigned i = 0; i < 2; ++i, ++at) {
      const TermId bit = add(terms, "s" + std::to_string(i), 1, at);
      conditions.push_back(terms.from_bit(bit));
    }
  }

  std::vector<TermId> words;
  std::vector<TermId> conditions;
  std::map<std::string, Column> columns;

 private:
  TermId add(BvTerms& terms, const std::string& name, unsigned width, unsigned at) {
    Column& column = columns[name];
    for (std::size_t row = 0; row < kRows; ++row) {
      column.push_back((row >> at) & ((std::size_t{1} << width) - 1));
    }
    return terms.variable(name, width);
  }
};

/// Words of 1 to 8 bits, made of the operations that Arithmetic looks into and of some that it
/// does not.
class Drawn {
 public:
  Drawn(BvTerms& terms, const Variables& variables, unsigned seed)
      : terms_(terms), variables_(variables), random_(seed) {}

  struct Shift {
    TermId result;
    TermId shifted;
    TermId amount;
  };
  std::vector<Shift> shifts;

  TermId word(unsigned width, int depth) {
    if (depth == 0) {
      if (below(4) == 0) return terms_.constant(below(1U << width), width);
      return fitted(variables_.words[below(Variables::kWords)], width);
    }
    const auto part = [&](unsigned w) {
      return word(w, depth - 1 - static_cast<int>(below(2)) % depth);
    };
    switch (below(14)) {
      case 0:
      case 1:
        return terms_.add(part(width), part(width));
      case 2:
        return terms_.bv_not(part(width));
      case 3:
        return terms_.add(terms_.bv_not(part(width)), terms_.constant(1, width));
      case 4:
        return terms_.mul(part(width), terms_.constant(below(1U << width), width));
      case 5:
        return terms_.shift_left(part(width), below(width));
      case 6: {
        const TermId x = part(width);
        const TermId copies = terms_.ite(condition(), terms_.constant((1U << width) - 1, width),
                                         terms_.constant(0, width));
        return terms_.bv_xor(x, copies);
      }
      case 7: {
        const TermId x = part(width);
        const TermId negated = terms_.add(terms_.bv_not(x), terms_.constant(1, width));
        return below(2) == 0 ? terms_.ite(condition(), negated, x)
                             : terms_.ite(condition(), part(width), x);
      }
      case 8:
        return fitted(part(1 + below(8)), width);
      case 9:
        return shifted(part(width), part(1 + below(4)));
      case 10: {  // shifted again, by what is left of an amount
        const TermId n = fitted(variables_.words[0], 5);
        const TermId m = fitted(variables_.words[1], 5);
        const TermId larger = terms_.ite(terms_.ult(n, m), m, n);
        return shifted(shifted(part(width), terms_.add(larger, negative(n))),
                       terms_.add(fitted(variables_.words[2], 5), negative(larger)));
      }
      case 11: {
        const TermId nothing = terms_.constant(0, width);
        return below(2) == 0 ? terms_.ite(condition(), part(width), nothing)
                             : terms_.ite(condition(), nothing, part(width));
      }
      case 12: {
        const TermId x = part(width);
        return terms_.ite(condition(), terms_.add(x, part(width)), x);
      }
      default:
        return terms_.ite(condition(), terms_.constant(below(1U << width), width),
                          terms_.constant(below(1U << width), width));
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  TermId condition() {
    const TermId c = below(3) == 0 ? comparison() : variables_.conditions[below(2)];
    return below(2) == 0 ? c : terms_.bool_not(c);
  }

  TermId comparison() {
    const unsigned width = 2 + below(5);
    const TermId x = word(width, 1);
    const TermId y = word(width, 1);
    switch (below(3)) {
      case 0:
        return terms_.ult(x, y);
      case 1:
        return terms_.slt(x, y);
      default:
        return terms_.from_bit(terms_.extract(terms_.add(x, negative(y)), width - 1, width - 1));
    }
  }

  TermId negative(TermId x) {
    return terms_.add(terms_.bv_not(x), terms_.constant(1, terms_.width(x)));
  }

  TermId shifted(TermId x, TermId n) {
    const TermId by_none = x;
    const unsigned width = terms_.width(x);
    for (unsigned i = 0; i < terms_.width(n); ++i) {
      const unsigned k = 1U << i;
      const TermId by_k = k >= width ? terms_.constant(0, width)
                                     : terms_.zero_extend(terms_.extract(x, width - 1, k), width);
      x = terms_.ite(terms_.from_bit(terms_.extract(n, i, i)), by_k, x);
    }
    shifts.push_back({x, by_none, n});
    return x;
  }

  TermId fitted(TermId x, unsigned width) {
    const unsigned w = terms_.width(x);
    if (w == width) return x;
    if (w > width) {
      const unsigned low = below(2) == 0 ? 0 : below(w - width + 1);
      return terms_.extract(x, low + width - 1, low);
    }
    return below(2) == 0 ? terms_.zero_extend(x, width) : terms_.sign_extend(x, width);
  }

  BvTerms& terms_;
  const Variables& variables_;
  std::mt19937 random_;
};

TEST(Arithmetic, CallsOnlyEqualTermsEqual) {
  std::size_t same = 0;
  std::size_t same_comparisons = 0;
  std::size_t confirmed = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    BvTerms terms;
    const Variables variables(terms);
    Drawn drawn(terms, variables, seed);
    for (int i = 0; i < 25; ++i) drawn.word(1 + static_cast<unsigned>(i) % 8, 3);
    const auto count = static_cast<TermId>(terms.size());
    Arithmetic arithmetic(terms, [&](TermId condition) {
      const Column values = values_of(terms, condition, variables.columns, Variables::kRows);
      const bool all = std::find(values.begin(), values.end(), 0U) == values.end();
      confirmed += all ? 1 : 0;
      return all;
    });
    for (const Drawn::Shift& s : drawn.shifts) arithmetic.is_shift(s.result, s.shifted, s.amount);
    std::map<unsigned, std::vector<TermId>> by_width;
    for (TermId t = 0; t < count; ++t) by_width[terms.width(t)].push_back(t);
    for (const auto& [width, group] : by_width) {
      std::map<TermId, Column> of_group;
      const auto values = [&](TermId t) -> const Column& {
        Column& column = of_group[t];
        if (column.empty()) column = values_of(terms, t, variables.columns, Variables::kRows);
        return column;
      };
      for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (!arithmetic.equal(group[i], group[j])) continue;
          ++(width == 0 ? same_comparisons : same);
          ASSERT_EQ(values(group[i]), values(group[j]))
              << "seed " << seed << ": terms " << group[i] << " and " << group[j] << " of " << width
              << " bits";
        }
      }
    }
  }
  EXPECT_GT(same, 500U);
  EXPECT_GT(same_comparisons, 20U);
  EXPECT_GT(confirmed, 20U);
}

// Stated shifts are used until they are withdrawn.
TEST(Arithmetic, ForgetsShifts) {
  BvTerms terms;
  const Variables variables(terms);
  const auto& [x, y, z] = std::tie(variables.words[0], variables.words[1], variables.words[2]);
  const TermId other = terms.add(x, y);
  Arithmetic arithmetic(terms);
  arithmetic.is_shift(other, z, x);
  arithmetic.is_shift(y, z, x);
  EXPECT_TRUE(arithmetic.equal(other, y));
  arithmetic.forget({other, y});
  EXPECT_FALSE(arithmetic.equal(other, y));
}

TEST(Arithmetic, KnowsASumHoweverItIsWritten) {
  BvTerms terms;
  const Variables variables(terms);
  const TermId x = terms.zero_extend(variables.words[0], 8);
  const TermId y = terms.zero_extend(variables.words[1], 8);
  const TermId s = variables.conditions[0];
  const TermId copies = terms.ite(s, terms.constant(255, 8), terms.constant(0, 8));
  const TermId negated = terms.add(terms.bv_not(x), terms.constant(1, 8));
  Arithmetic arithmetic(terms);
  const TermId by_select = terms.add(terms.ite(s, negated, x), y);
  const TermId by_xor =
      terms.add(y, terms.add(terms.bv_xor(x, copies), terms.zero_extend(terms.to_bit(s), 8)));
  EXPECT_NE(by_select, by_xor);
  EXPECT_TRUE(arithmetic.equal(by_select, by_xor));
  EXPECT_FALSE(arithmetic.equal(by_select, terms.add(by_xor, terms.constant(1, 8))));
  // A carry out of four bits is lost in four, and kept in eight.
  const TermId narrow = terms.zero_extend(terms.add(variables.words[0], variables.words[1]), 8);
  EXPECT_FALSE(arithmetic.equal(narrow, terms.add(x, y)));
  EXPECT_TRUE(arithmetic.equal(terms.extract(narrow, 3, 0), terms.extract(terms.add(x, y), 3, 0)));
}

}  // namespace
}  // namespace mmaspec::rtl::arithmetic_test
