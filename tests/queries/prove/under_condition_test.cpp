// Properties of two inputs under conditions: every verdict compared with all pairs of inputs, for
// small designs and random conditions that leave gaps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "concrete/batch/evaluator.h"
#include "queries/numbers/where.h"
#include "queries/property/reduction.h"
#include "queries/prove/prove.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::under_condition_test {

inline void PrintTo(Outcome outcome, std::ostream* out) { *out << to_string(outcome); }
inline void PrintTo(Vacuity vacuity, std::ostream* out) { *out << reason(vacuity); }

namespace {

using testing::HasSubstr;

Portfolio nobody() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), Limits{60}); }

Proof proof_of(const std::string& property, const Subject& subject,
               const std::vector<std::string>& where, const Portfolio& solvers) {
  ProveOptions options;
  options.smaller = false;
  options.shrink = false;
  const Where condition(where);
  if (!condition.empty()) {
    options.where = [&](const DotFormats& f, const DotOperands& in, Int d) {
      return condition.holds(f, in, d);
    };
  }
  return prove(find_property(property), subject, options, solvers);
}

Proof proof_of(const std::string& property, const std::string& design,
               const std::vector<std::string>& where) {
  return proof_of(property, {find_instruction(design)}, where, Portfolio("auto", Limits{60}));
}

/// The numbers of an input and of its result.
struct Evaluated {
  std::vector<double> a;
  std::vector<double> b;
  double c;
  bool nan;  ///< the result
  double d;  ///< also infinite
};

double number(const Format& f, std::uint64_t pattern) {
  const numeric::Meaning m = numeric::meaning(f.name, pattern);
  const double size =
      m.kind == numeric::Kind::infinity ? std::numeric_limits<double>::infinity() : m.magnitude;
  return m.negative ? -size : size;
}

/// A condition as a user writes it, and its definition.
struct Drawn {
  std::string text;
  std::function<bool(const Evaluated&)> meant;
};

/// Comparisons of c, of one a, of all, of two and of d, combined.
Drawn draw_condition(std::mt19937_64& random, int k, int depth = 0) {
  static const std::vector<std::pair<std::string, std::function<bool(double, double)>>> operators{
      {"<", std::less<>()},           {"<=", std::less_equal<>()}, {">", std::greater<>()},
      {">=", std::greater_equal<>()}, {"==", std::equal_to<>()},   {"!=", std::not_equal_to<>()}};
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth < 3 && below(3) != 0) {
    const Drawn x = draw_condition(random, k, depth + 1);
    if (below(5) == 0)
      return {"!(" + x.text + ")", [x](const Evaluated& e) { return !x.meant(e); }};
    const Drawn y = draw_condition(random, k, depth + 1);
    if (below(3) == 0) {
      return {"(" + x.text + " || " + y.text + ")",
              [x, y](const Evaluated& e) { return x.meant(e) || y.meant(e); }};
    }
    return {"(" + x.text + " && " + y.text + ")",
            [x, y](const Evaluated& e) { return x.meant(e) && y.meant(e); }};
  }
  const auto& drawn = operators[static_cast<std::size_t>(below(6))];
  const std::string& op = drawn.first;
  const std::function<bool(double, double)>& holds = drawn.second;
  static const std::vector<double> of_a{-4, -1.5, -0.5, 0, 0.5, 1, 1.5, 3};
  static const std::vector<double> of_c{-8, -1, -0.75, 0, 0.25, 0.625, 0.875, 1, 1.25, 4, 96};
  const std::size_t i = static_cast<std::size_t>(below(k));
  const std::size_t j = static_cast<std::size_t>(below(k));
  const std::string ai = "a[" + std::to_string(i) + "]";
  switch (below(6)) {
    case 0:
    case 1: {
      const double x = of_c[static_cast<std::size_t>(below(static_cast<int>(of_c.size())))];
      return {"c " + op + " " + std::to_string(x),
              [holds, x](const Evaluated& e) { return holds(e.c, x); }};
    }
    case 2: {
      const double x = of_a[static_cast<std::size_t>(below(static_cast<int>(of_a.size())))];
      return {ai + " " + op + " " + std::to_string(x),
              [holds, x, i](const Evaluated& e) { return holds(e.a[i], x); }};
    }
    case 3: {
      const double x = of_a[static_cast<std::size_t>(below(static_cast<int>(of_a.size())))];
      return {"a[*] " + op + " " + std::to_string(x), [holds, x](const Evaluated& e) {
                return std::all_of(e.a.begin(), e.a.end(), [&](double y) { return holds(y, x); });
              }};
    }
    case 4:
      return {ai + " " + op + " a[" + std::to_string(j) + "]",
              [holds, i, j](const Evaluated& e) { return holds(e.a[i], e.a[j]); }};
    default: {
      const double x = of_c[static_cast<std::size_t>(below(static_cast<int>(of_c.size())))];
      const bool unequal = op == "!=";
      return {"d " + op + " " + std::to_string(x),
              [holds, x, unequal](const Evaluated& e) { return e.nan ? unequal : holds(e.d, x); }};
    }
  }
}

/// Results of a design for all inputs whose elements of b are one number: a[0] varies fastest, then
/// c.
class All {
 public:
  All(const Instruction& instruction, std::uint64_t b) : f_(instruction.formats), b_(b) {
    const auto k = static_cast<std::size_t>(f_.k);
    a_bits_ = static_cast<unsigned>(f_.a->storage_bits);
    const std::size_t count = std::size_t{1} << (k * a_bits_ + 8);
    Graph graph;
    const Graph::Building building(graph);
    const Int d = instruction.algorithm.build(f_, dot_inputs(f_));
    const BatchEvaluator evaluator(graph, {d.id()});
    Lanes inputs(graph.inputs().size(), count);
    for (std::size_t row = 0; row < graph.inputs().size(); ++row) {
      const std::string& name = graph.input_name(graph.inputs()[row]);
      for (std::size_t i = 0; i < count; ++i) {
        inputs[row][i] = name[0] == 'a'   ? digit(i, static_cast<std::size_t>(name[2] - '0'))
                         : name[0] == 'b' ? b
                                          : i >> (k * a_bits_);
      }
    }
    Lanes results(1, count);
    BatchEvaluator::Scratch scratch;
    evaluator.evaluate(inputs, results, scratch);
    for (std::size_t i = 0; i < count; ++i) {
      Evaluated e;
      for (std::size_t j = 0; j < k; ++j) e.a.push_back(number(*f_.a, digit(i, j)));
      e.b.assign(k, number(*f_.b, b));
      const auto c = numeric::meaning(f_.c->name, i >> (k * a_bits_));
      e.c = number(*f_.c, i >> (k * a_bits_));
      const auto d_means = numeric::meaning(f_.d->name, results[0][i]);
      e.nan = d_means.kind == numeric::Kind::nan;
      e.d = number(*f_.d, results[0][i]);
      all_.push_back(std::move(e));
      finite_.push_back(c.kind == numeric::Kind::number);
    }
  }

  std::size_t size() const { return all_.size(); }
  const Evaluated& operator[](std::size_t i) const { return all_[i]; }
  bool finite(std::size_t i) const { return finite_[i]; }
  std::uint64_t digit(std::size_t i, std::size_t j) const {
    return i >> (j * a_bits_) & ((std::uint64_t{1} << a_bits_) - 1);
  }
  std::size_t with_digit(std::size_t i, std::size_t j, std::uint64_t pattern) const {
    return i - (digit(i, j) << (j * a_bits_)) +
           (static_cast<std::size_t>(pattern) << (j * a_bits_));
  }
  std::size_t with_c(std::size_t i, std::uint64_t pattern) const {
    const std::size_t low = f_.a == nullptr ? 0 : static_cast<std::size_t>(f_.k) * a_bits_;
    return (i & ((std::size_t{1} << low) - 1)) + (static_cast<std::size_t>(pattern) << low);
  }
  const DotFormats& formats() const { return f_; }

 private:
  DotFormats f_;
  std::uint64_t b_;
  unsigned a_bits_;
  std::vector<Evaluated> all_;
  std::vector<bool> finite_;
};

struct Truth {
  bool violated = false;
  bool vacuous = true;
};

bool same(const Evaluated& x, const Evaluated& y) {
  return x.nan || y.nan ? x.nan == y.nan : x.d == y.d;
}

/// All inputs and pairs that the property concerns, if both inputs, or the given one, satisfy the
/// condition.
Truth truth_of(const std::string& property, const All& all, const Drawn& condition) {
  Truth truth;
  std::vector<char> holds(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) holds[i] = all.finite(i) && condition.meant(all[i]);
  const auto pair = [&](bool violated) {
    truth.vacuous = false;
    truth.violated = truth.violated || violated;
  };
  const auto k = static_cast<std::size_t>(all.formats().k);
  const std::uint64_t numbers = std::uint64_t{1} << all.formats().a->storage_bits;
  for (std::size_t i = 0; i < all.size() && !(truth.violated && !truth.vacuous); ++i) {
    if (holds[i] == 0) continue;
    const Evaluated& x = all[i];
    if (property == "monotone-c") {
      for (std::uint64_t c = 0; c < 256; ++c) {
        const std::size_t j = all.with_c(i, c);
        if (holds[j] == 0 || x.nan || all[j].nan || x.c >= all[j].c) continue;
        pair(all[j].d < x.d);
      }
    } else if (property == "monotone-product") {
      for (std::size_t m = 0; m < k; ++m) {
        for (std::uint64_t p = 0; p < numbers; ++p) {
          const std::size_t j = all.with_digit(i, m, p);
          const Evaluated& y = all[j];
          if (holds[j] == 0 || x.nan || y.nan || x.a[m] * x.b[m] > y.a[m] * y.b[m]) continue;
          pair(y.d < x.d);
        }
      }
    } else if (property == "permutation-invariant") {
      std::vector<std::size_t> order(k);
      for (std::size_t m = 0; m < k; ++m) order[m] = m;
      do {
        std::size_t j = i;
        for (std::size_t m = 0; m < k; ++m) j = all.with_digit(j, m, all.digit(i, order[m]));
        if (holds[j] != 0) pair(!same(x, all[j]));
      } while (std::next_permutation(order.begin(), order.end()));
    } else if (property == "negation-symmetric") {
      std::size_t j = all.with_c(i, (i >> (k * 4)) ^ 0x80U);
      for (std::size_t m = 0; m < k; ++m) j = all.with_digit(j, m, all.digit(i, m) ^ 8U);
      const Evaluated& y = all[j];
      pair(x.nan || y.nan ? x.nan != y.nan : x.d != -y.d);
    } else if (property == "subnormal-inputs") {
      std::size_t terms = x.c == 0 ? 0 : 1;
      bool subnormal = x.c != 0 && std::abs(x.c) < 0x1p-14;
      for (std::size_t m = 0; m < k; ++m) {
        if (x.a[m] * x.b[m] == 0) continue;
        ++terms;
        subnormal = std::abs(x.a[m]) == 0.5 && std::abs(x.b[m]) >= 1;
      }
      if (terms == 1 && subnormal) pair(!x.nan && x.d == 0);
    } else {
      ADD_FAILURE() << property;
    }
  }
  return truth;
}

std::string design(const std::string& algorithm, int k, const std::string& more) {
  return "design:" + algorithm + "(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=" + std::to_string(k) + more + ")";
}

void expect_truth(const std::string& property, const std::vector<std::string>& designs,
                  int conditions, unsigned seed) {
  std::mt19937_64 random(seed);
  int decided = 0;
  int refuted = 0;
  int vacuous = 0;
  for (const std::string& name : designs) {
    const Subject subject{find_instruction(name)};
    const std::uint64_t b = 2;  // 1
    const All all(subject.first, b);
    for (int i = 0; i < conditions; ++i) {
      const Drawn condition = draw_condition(random, subject.formats().k);
      SCOPED_TRACE(property + " of " + name + ", where " + condition.text);
      const Truth truth = truth_of(property, all, condition);
      const Proof proof =
          proof_of(property, subject, {condition.text, "b[*] == 1"}, Portfolio("auto", Limits{20}));
      if (proof.outcome == Outcome::undecided) continue;
      ++decided;
      ASSERT_EQ(proof.outcome, truth.violated ? Outcome::refuted : Outcome::proved)
          << proof.justification.how();
      refuted += truth.violated ? 1 : 0;
      if (truth.violated || proof.vacuity == Vacuity::unknown) continue;
      ASSERT_EQ(!reason(proof.vacuity).empty(), truth.vacuous) << reason(proof.vacuity);
      vacuous += truth.vacuous ? 1 : 0;
    }
  }
  const int asked = conditions * static_cast<int>(designs.size());
  EXPECT_GT(decided, asked / 2);
  std::printf("%s: %d asked, %d decided, %d refuted, %d vacuous\n", property.c_str(), asked,
              decided, refuted, vacuous);
}

TEST(UnderCondition, MonotonicityInCIsCheckedForAnyTwoValues) {
  expect_truth("monotone-c",
               {design("fused-dot-add", 2, ",fraction_bits=1"),
                design("fused-dot-add", 2, ",fraction_bits=2"), design("sequential-fma", 2, "")},
               4, 1);
}
TEST(UnderCondition, MonotonicityInAProductIsCheckedForAnyTwoValues) {
  expect_truth("monotone-product",
               {design("fused-dot-add", 2, ",fraction_bits=1"), design("sequential-fma", 2, "")}, 6,
               2);
}
TEST(UnderCondition, OrdersAreCheckedForAnyTwo) {
  expect_truth(
      "permutation-invariant",
      {design("sequential-fma", 3, ""), design("fused-dot-add", 3, ",fraction_bits=3,block=1"),
       design("fused-dot-add", 3, ",fraction_bits=3")},
      3, 3);
}
TEST(UnderCondition, NegationIsCheckedForTheGivenInput) {
  expect_truth("negation-symmetric",
               {design("fused-dot-add", 2, ",fraction_bits=2,align_round=rd"),
                design("fused-dot-add", 2, ",fraction_bits=2,round=rna")},
               6, 4);
}
TEST(UnderCondition, SubnormalFactorsAreCheckedInEachPosition) {
  expect_truth("subnormal-inputs",
               {design("fused-dot-add", 2, ",fraction_bits=9,flush_inputs=yes"),
                design("fused-dot-add", 2, ",fraction_bits=9")},
               3, 5);
}

TEST(UnderCondition, NeighboursOfCDoNotCrossAGap) {
  const std::string name = "design:fused-dot-add(a=e3m2,b=e3m2,c=e5m2,d=f16,k=3,fraction_bits=2)";
  const Proof proof =
      proof_of("monotone-c", name, {"c > 0.5 && c <= 1 && c != 0.875", "b[*] == 0.5"});
  ASSERT_EQ(proof.outcome, Outcome::refuted) << proof.justification.how();
  const Format& c = formats::e5m2;
  const double low = number(c, proof.witness[0].values.c.convert_to<std::uint64_t>());
  const double high = number(c, proof.witness[1].values.c.convert_to<std::uint64_t>());
  EXPECT_LT(low, 0.875);
  EXPECT_EQ(high, 1);
}

TEST(UnderCondition, SwapsOfNeighboursDoNotCrossAGap) {
  // Ascending, or the largest first: no sequence of swaps of neighbours leads from one to the
  // other.
  const std::string where = "(a[0] < a[1] && a[1] < a[2]) || (a[1] < a[2] && a[2] < a[0])";
  const std::string name = design("sequential-fma", 3, "");
  const Proof proof = proof_of("permutation-invariant", name, {where, "b[*] == 1"});
  ASSERT_EQ(proof.outcome, Outcome::refuted) << proof.justification.how();
  for (const WitnessRun& run : proof.witness) {
    const auto a = [&](std::size_t k) {
      return number(formats::e2m1, run.values.a[k].convert_to<std::uint64_t>());
    };
    EXPECT_TRUE((a(0) < a(1) && a(1) < a(2)) || (a(1) < a(2) && a(2) < a(0)));
  }
}

// No algorithm distinguishes a from b; this one drops a bit of a[0] and of a[1].
TEST(UnderCondition, OneSwapOfFactorsDoesNotCrossAGap) {
  Subject s{find_instruction(design("fused-dot-add", 2, ",fraction_bits=4"))};
  s.first.algorithm = Custom{
      "one bit less", [given = s.first.algorithm](const DotFormats& f, const DotOperands& in) {
        DotOperands changed = in;
        for (Int& a : changed.a) a = bits(a, 1, 3) * 2;
        return given.build(f, changed);
      }};
  const std::vector<std::string> where{
      "(a[0] < b[0] && a[1] < b[1]) || (a[0] > b[0] && a[1] > b[1])"};
  EXPECT_EQ(proof_of("commutative", s, where, Portfolio("auto", Limits{60})).outcome,
            Outcome::refuted);
}

TEST(UnderCondition, APropertyOfAllInputsIsUsed) {
  const Proof proof =
      proof_of("permutation-invariant", "hopper/mma.m16n8k16.f32.f16.f16.f32", {"a[0] < a[1]"});
  EXPECT_EQ(proof.outcome, Outcome::proved);
  EXPECT_THAT(proof.justification.how(), HasSubstr("for all inputs"));
  EXPECT_EQ(proof.vacuity, Vacuity::none);
}

Condition condition_of(const Where& where) {
  return [&](const DotFormats& f, const DotOperands& in, Int d) { return where.holds(f, in, d); };
}

TEST(UnderCondition, AReducedFormIsUsedOnlyIfItIsEquivalent) {
  const Portfolio solvers("auto", Limits{30});
  const Refuter refuter = [&](const Graph& graph, const std::vector<NodeId>& conditions) {
    return ask({&graph, conditions}, Strategies::none(), solvers).verdict == Verdict::unsatisfiable;
  };
  const Subject s{find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32")};
  for (const auto& [text, interval, orders, swaps] :
       std::vector<std::tuple<std::string, bool, bool, bool>>{
           {"c >= 0 && c <= 4", true, true, true},
           {"normal(a[*]) && a[0] < b[0]", true, false, false},
           {"abs(c) <= 1", true, true, true},
           {"exponent(c) <= 3", true, true, true},
           {"exponent(c) >= 3", false, true, true},
           {"normal(c)", false, true, true},
           {"negative(c)", true, true, true},
           {"c < a[0]", true, false, false},
           {"c != 1", false, true, true},
           {"d >= 0", false, false, false},
           {"a[*] > 0 && b[*] > 0", true, true, true},
           {"a[*] > 0", true, true, false},
           {"a[*] < b[*]", true, true, false}}) {
    const Where where({text});
    EXPECT_EQ(is_interval_of_c(s, condition_of(where), refuter), interval) << text;
    EXPECT_EQ(is_kept_by_each_order(s, condition_of(where), refuter), orders) << text;
    EXPECT_EQ(is_kept_by_each_swap(s, condition_of(where), refuter), swaps) << text;
  }
}

TEST(UnderCondition, ANetworkMakesEveryOrderInsideBlocksAndNoOther) {
  using namespace formats;
  const auto reached = [](const DotFormats& f, int within) {
    const std::vector<ProductSwap> network = order_network(f, within);
    std::set<std::vector<int>> all;
    for (std::uint64_t made = 0; made < std::uint64_t{1} << network.size(); ++made) {
      std::vector<int> order;
      for (int k = 0; k < f.k; ++k) order.push_back(k);
      for (std::size_t i = 0; i < network.size(); ++i) {
        if ((made >> i) % 2 == 0) continue;
        for (int j = 0; j < network[i].count; ++j) {
          std::swap(order[static_cast<std::size_t>(network[i].first + j)],
                    order[static_cast<std::size_t>(network[i].second + j)]);
        }
      }
      all.insert(order);
    }
    return all.size();
  };
  std::size_t factorial = 1;
  for (int k = 1; k <= 6; ++k) {
    factorial *= static_cast<std::size_t>(k);
    EXPECT_EQ(reached({&e2m1, &e2m1, &f32, &f32, k}, 0), factorial) << k;
  }
  EXPECT_EQ(reached({&e2m1, &e2m1, &f32, &f32, 6}, 3), 36U);
  EXPECT_EQ(reached({&e2m1, &e2m1, &f32, &f32, 5}, 2), 4U);
  EXPECT_EQ(reached({&e2m1, &e2m1, &f32, &f32, 6, &ue8m0, 2}, 0), 6U * 8U);
  EXPECT_EQ(reached({&e2m1, &e2m1, &f32, &f32, 6, &ue8m0, 2}, 3), 8U / 2U);
}

TEST(Vacuity, IsReportedForUnsatisfiableConditions) {
  const std::string name = design("sequential-fma", 2, "");
  for (const std::string property : {"monotone-c", "commutative", "accumulator-preserved"}) {
    const Proof proof = proof_of(property, name, {"c < 1", "c > 1"});
    EXPECT_EQ(proof.outcome, Outcome::proved) << property;
    EXPECT_EQ(proof.vacuity, Vacuity::no_such_input) << property;
    EXPECT_EQ(proof_of(property, name, {"c == 1"}).outcome, Outcome::proved) << property;
  }
  EXPECT_EQ(proof_of("commutative", name, {"c == 1"}).vacuity, Vacuity::none);
  EXPECT_EQ(proof_of("monotone-c", name, {"c == 1"}).vacuity, Vacuity::premises_exclude);
  EXPECT_EQ(proof_of("accumulator-preserved", name, {"a[*] > 0", "b[*] > 0"}).vacuity,
            Vacuity::premises_exclude);
  // Without solvers it remains open whether an input satisfies the condition, and the proof is
  // kept.
  const Proof open = proof_of("monotone-c", {find_instruction("cdna1/v_mfma_f32_16x16x4f32")},
                              {"d == 0x1.abcdep+3"}, nobody());
  EXPECT_EQ(open.outcome, Outcome::proved);
  EXPECT_EQ(open.vacuity, Vacuity::unknown);
}

// The condition is about all products, also those that are zero in the smaller case.
TEST(UnderCondition, SmallerCasesKeepToTheWholeCondition) {
  const Where where({"a[3] <= 1 && a[*] >= 0"});
  ProveOptions options;
  options.where = condition_of(where);
  options.strategies.set(Strategy::search, false);
  const Subject s{find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32")};
  EXPECT_EQ(prove(find_property("faithful"), s, options, nobody()).outcome, Outcome::undecided);
}

// Mary and Mikaitis's bound is for operands that scaling leaves exact.
TEST(UnderCondition, BoundsOfScaledWordsAreOfModerateFactors) {
  Subject s{find_instruction(
      "plan:multiword(design:sequential-fma(a=e4m3,c=f16,d=f16,k=4),words=1,theta=127)")};
  s.parameter = 2138177;
  const auto of = [&](const std::string& condition) {
    const Where where({condition});
    ProveOptions options;
    options.where = condition_of(where);
    options.strategies.set(Strategy::search, false);
    return prove(find_property("norm-error-bound"), s, options, Portfolio("auto", Limits{1}));
  };
  const auto within = [](const std::string& least, const std::string& largest) {
    std::string all = "c == 0";
    for (const std::string x : {"a[*]", "b[*]"}) {
      all += " && abs(" + x + ") <= " + largest + " && !any(" + x + " != 0 && abs(" + x + ") < " +
             least + ")";
    }
    return all;
  };
  EXPECT_EQ(of(within("0x1p-20", "0x1p20")).outcome, Outcome::proved);
  EXPECT_EQ(of(within("1", "0x1.8p19")).outcome, Outcome::proved);
  EXPECT_EQ(of(within("0x1p-21", "0x1p20")).outcome, Outcome::undecided);
  EXPECT_EQ(of(within("0x1p-20", "0x1.000002p20")).outcome, Outcome::undecided);
  EXPECT_EQ(of("abs(a[*]) <= 1 && abs(b[*]) <= 1").outcome, Outcome::undecided);
  // The condition is about only one of the two.
  EXPECT_EQ(of("zero(b[*]) || abs(b[*]) <= 2 && abs(b[*]) >= 1").outcome, Outcome::undecided);
}

}  // namespace
}  // namespace mmaspec::under_condition_test
