// The largest difference: the number is that of the witness shown, climbing finds at least what
// typical data reach, and bounds from errors hold for all inputs of small designs and against
// climbing.

#include "queries/prove/maximize.h"

#include <gtest/gtest.h>

#include <random>

#include "queries/ask/dot_question.h"
#include "queries/distance/apart.h"
#include "queries/numbers/where.h"
#include "spec/formats/text.h"

namespace mmaspec::maximize_test {
namespace {

constexpr const char* kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
constexpr const char* kAmpere = "ampere/mma.m16n8k16.f32.f16.f16.f32";
constexpr const char* kCdna3 = "cdna3/v_mfma_f32_16x16x16_f16";

const Portfolio& nobody() {
  static const Portfolio none{std::vector<std::unique_ptr<Backend>>(), Limits{}};
  return none;
}

/// One solver for a few seconds: it confirms the values of 32-bit operands that conditions leave.
const Portfolio& z3() {
  static const Portfolio one("z3", [] {
    Limits limits;
    limits.seconds = 3;
    return limits;
  }());
  return one;
}

/// Only by climbing and analytical proofs.
DiffOptions alone(const Where* where) {
  DiffOptions options;
  options.strategies = Strategies::none();
  options.strategies.set(Strategy::search, true);
  options.strategies.set(Strategy::steps, true);
  options.strategies.search_work = 20'000'000;
  if (where != nullptr) {
    options.where = [where](const DotFormats& f, const DotOperands& in, Int d) {
      return where->holds(f, in, d);
    };
  }
  return options;
}

/// |d - d_other| of a row, and its ulp as stated in the row.
Rational absolute_of(const Maximum& m) {
  const VectorRow& row = m.witness->row;
  return boost::multiprecision::abs(
      Rational(decode(*m.pair.first.formats.d, *row.d).value() -
               decode(*m.pair.second.formats.d, *row.d_other).value()));
}

TEST(Maximize, ReportsTheDifferenceOfItsWitness) {
  for (const auto& [first, second] : std::vector<std::pair<const char*, const char*>>{
           {kHopper, "cdna3/v_mfma_f32_16x16x16_f16"},
           {kHopper, kAmpere},
           {"turing/mma.m16n8k8.f16.f16.f16.f16", "ampere/mma.m16n8k8.f16.f16.f16.f16"},
           {"volta/mma.m8n8k4.f32.f16.f16.f32",
            "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)"},
           {"design:fused-dot-add(c=f16,k=4,fraction_bits=24)",
            "design:fused-dot-add(c=f16,d=f32,k=4,fraction_bits=24)"}}) {
    for (const Measure measure : {Measure::ulp, Measure::absolute}) {
      SCOPED_TRACE(std::string(first) + " " + second);
      const Where small({"abs(a[*]) <= 4", "abs(b[*]) <= 4", "abs(c) <= 4"});
      const Maximum m = maximize(find_instruction(first), find_instruction(second), alone(&small),
                                 measure, nobody());
      if (!m.witness) {
        EXPECT_EQ(m.found, 0);
        continue;
      }
      ASSERT_FALSE(m.unbounded);
      EXPECT_GT(m.found, 0);
      if (measure == Measure::ulp) {
        EXPECT_EQ(m.found.str(), m.witness->row.ulp);
      } else {
        EXPECT_EQ(m.found, absolute_of(m));
      }
      if (m.bound) {
        EXPECT_LE(m.found, *m.bound);
      }
    }
  }
}

TEST(Maximize, FindsNoLessThanTypicalDataReach) {
  const Where small({"c == 0 && exponent(a[*]) <= 0 && exponent(b[*]) <= 0"});
  const Maximum m = maximize(find_instruction(kAmpere), find_instruction(kCdna3), alone(&small),
                             Measure::absolute, z3());
  EXPECT_GE(m.found, parse_rational("3.8e-6"));
  ASSERT_TRUE(m.bound);
  // Far above the found difference: the error of a chain is that of its steps, at worst for all
  // inputs.
  EXPECT_LE(*m.bound, 7);

  const Where unit({"c == 0 && a[*] >= 0 && a[*] <= 1 && b[*] >= 0 && b[*] <= 1"});
  const Maximum n = maximize(find_instruction(kAmpere), find_instruction(kCdna3), alone(&unit),
                             Measure::absolute, z3());
  EXPECT_GE(n.found, parse_rational("1.43e-6"));
  ASSERT_TRUE(n.bound);
}

TEST(Maximize, FindsNoLessThanWhatIsKnown) {
  const Instruction first = find_instruction(kAmpere);
  const Instruction second = find_instruction(kCdna3);
  const Where small({"abs(a[*]) <= 1", "abs(b[*]) <= 1", "abs(c) <= 1"});
  const Maximum climbed = maximize(first, second, alone(&small), Measure::absolute, nobody());
  ASSERT_TRUE(climbed.witness);
  DiffOptions unsearched = alone(&small);
  unsearched.strategies.set(Strategy::search, false);
  unsearched.shrink = false;
  const Maximum known = maximize(first, second, unsearched, Measure::absolute, nobody(),
                                 {climbed.witness->row.values});
  EXPECT_EQ(known.found, climbed.found);
  EXPECT_TRUE(known.witness && known.witness->row.values == climbed.witness->row.values);
  // A difference within the accompanying tolerance is not a finding.
  unsearched.difference.relative = Rational(1000000);
  EXPECT_FALSE(maximize(first, second, unsearched, Measure::absolute, nobody(),
                        {climbed.witness->row.values})
                   .witness);
}

TEST(Maximize, IsTheSameForTheSameSeed) {
  const Where small({"abs(a[*]) <= 1", "abs(b[*]) <= 1", "abs(c) <= 1"});
  const auto once = [&] {
    return maximize(find_instruction(kAmpere), find_instruction(kCdna3), alone(&small),
                    Measure::absolute, nobody());
  };
  const Maximum x = once();
  const Maximum y = once();
  EXPECT_EQ(x.found, y.found);
  EXPECT_EQ(x.witness->row.values, y.witness->row.values);
}

TEST(Maximize, ClaimsNoBoundWhereAResultMayOverflow) {
  const Where large({"abs(a[*]) <= 1", "abs(b[*]) <= 1", "abs(c) <= 0x1p+127"});
  const Maximum m = maximize(find_instruction(kAmpere), find_instruction(kCdna3), alone(&large),
                             Measure::absolute, z3());
  EXPECT_FALSE(m.bound);
}

/// Checks whether some input, of all, has results that differ by more than the bound from errors.
void expect_bound_holds(const std::string& first, const std::string& second,
                        const std::vector<std::string>& conditions, std::size_t& bounded) {
  SCOPED_TRACE(first + " " + second + " " + conditions[0]);
  const Where where(conditions);
  DiffOptions options = alone(&where);
  options.strategies.set(Strategy::search, false);
  options.strategies.set(Strategy::steps, false);
  options.strategies.set(Strategy::enumerate, true);
  options.shrink = false;
  const Pair pair = pair_up(find_instruction(first), find_instruction(second), {});
  Graph graph;
  std::optional<DistanceBound> apart;
  {
    const Graph::Building building(graph);
    const Miter joint = build_miter(pair, Match::values);
    apart = distance_bound(pair, graph, premises_of(pair, joint, options.inputs, options.where),
                           nobody(), Deadline());
  }
  if (!apart) return;
  ++bounded;
  options.difference.absolute = apart->absolute;
  EXPECT_EQ(diff(pair.first, pair.second, options, nobody()).verdict, Verdict::unsatisfiable);
  if (!apart->ulp) return;
  options.difference.absolute.reset();
  options.difference.ulp = Integer(numerator(*apart->ulp) / denominator(*apart->ulp));
  EXPECT_EQ(diff(pair.first, pair.second, options, nobody()).verdict, Verdict::unsatisfiable);
}

TEST(Apart, HoldsForAllInputsOfSmallDesigns) {
  std::mt19937_64 random(1);
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  std::size_t bounded = 0;
  for (int i = 0; i < 24; ++i) {
    const std::string a = one_of({"e2m1", "e2m1", "e3m2"});
    const std::string b = one_of({"e2m1", "e3m2"});
    const bool one = a == "e3m2" || b == "e3m2";
    const std::string common = "a=" + a + ",b=" + b + ",c=" + (one ? "e4m3" : "e5m2") +
                               ",d=" + one_of({"f16", "f16", "f32"}) + ",k=" + (one ? "1" : "2");
    const auto design = [&] {
      switch (random() % 3) {
        case 0:
          return "design:fused-dot-add(" + common +
                 ",fraction_bits=" + std::to_string(6 + random() % 8) +
                 ",round=" + one_of({"rz", "rne"}) + ")";
        case 1:
          return "design:sequential-fma(" + common + ",round=" + one_of({"rz", "rne"}) + ")";
        default:
          return "design:round-down-dot-add(" + common + ")";
      }
    };
    const std::vector<std::string> where{one_of(
        {"abs(c) <= 8", "c == 0", "c >= 0 && a[*] >= 0 && b[*] >= 0 && c < 100",
         "normal(a[*]) && normal(b[*]) && abs(c) <= 1",
         "a[*] >= 0 && b[*] <= 0 && c <= 0 && c >= -2", "abs(a[*]) <= 1 && abs(c) <= 0.01"})};
    const std::string x = design();
    const std::string y = design();
    expect_bound_holds(x, y, where, bounded);
  }
  EXPECT_GE(bounded, 8U);
}

TEST(Apart, IsNoLessThanWhatClimbingFinds) {
  // maximize() throws Contradiction if so.
  std::mt19937_64 random(2);
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  std::size_t bounded = 0;
  for (int i = 0; i < 10; ++i) {
    const std::string formats =
        one_of({"a=f16,c=f16", "a=bf16,c=f16", "a=e4m3,c=f16", "a=e5m2,c=bf16"});
    const auto design = [&] {
      switch (random() % 3) {
        case 0:
          return "design:fused-dot-add(" + formats + ",k=8,block=" + one_of({"4", "8"}) +
                 ",fraction_bits=" + one_of({"23", "24", "25", "26"}) + ")";
        case 1:
          return "design:sequential-fma(" + formats + ",k=8)";
        default:
          return "design:group-pairwise-sum(" + formats + ",k=8,group=" + one_of({"2", "4"}) + ")";
      }
    };
    const std::string first = design();
    const std::string second = design();
    const std::string where_text = one_of(
        {"abs(a[*]) <= 1 && abs(b[*]) <= 1", "a[*] >= 0 && b[*] >= 0 && a[*] < 2 && b[*] < 2",
         "normal(a[*]) && normal(b[*]) && abs(a[*]) < 8 && abs(b[*]) < 8",
         "exponent(a[*]) <= -4 && exponent(b[*]) <= 2"});
    SCOPED_TRACE(first + " " + second + " " + where_text);
    const Where where({where_text, "c == 0"});
    for (const Measure measure : {Measure::ulp, Measure::absolute}) {
      Maximum m;
      ASSERT_NO_THROW(m = maximize(find_instruction(first), find_instruction(second), alone(&where),
                                   measure, nobody()));
      if (m.bound) ++bounded;
    }
  }
  EXPECT_GE(bounded, 4U);
}

}  // namespace
}  // namespace mmaspec::maximize_test
