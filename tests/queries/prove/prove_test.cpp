// Properties: known facts about GPUs, designs that violate each property and designs that have it;
// every refutation is checked by this test's own arithmetic.

#include "queries/prove/prove.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "queries/numbers/where.h"
#include "spec/formats/text.h"
#include "tests/support/prove_designs.h"

namespace mmaspec {

/// How GoogleTest prints them.
inline void PrintTo(Outcome outcome, std::ostream* out) { *out << to_string(outcome); }
namespace prove_test {
inline void PrintTo(const Design& design, std::ostream* out) { *out << design.property; }
}  // namespace prove_test

namespace {

using prove_test::cut;
using prove_test::Design;

Portfolio nobody() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), Limits{60}); }

Subject subject(const std::vector<std::string>& names, const std::string& bound = "",
                int within = 0) {
  Subject s =
      subject_of(find_instruction(names.at(0)),
                 names.size() > 1 ? std::optional(find_instruction(names[1])) : std::nullopt);
  if (!bound.empty()) s.parameter = parse_rational(bound);
  s.within = within;
  return s;
}

// Independent arithmetic.

using Values = std::vector<Rational>;

struct Numbers {
  bool finite = true;  ///< the operands
  Values a, b;
  Rational c, sum;
  Decoded d;
};

Numbers numbers_of(const WitnessRun& run) {
  const DotFormats& f = run.instruction.formats;
  Numbers n;
  const auto value = [&](const Format& format, const Integer& p) {
    const Decoded x = decode(format, p);
    n.finite = n.finite && x.is_finite();
    return x.is_finite() ? x.value() : Rational(0);
  };
  n.c = n.sum = value(*f.c, run.values.c);
  for (std::size_t k = 0; k < run.values.a.size(); ++k) {
    n.a.push_back(value(*f.a, run.values.a[k]));
    n.b.push_back(value(*f.b, run.values.b[k]));
    n.sum += n.a[k] * n.b[k];
  }
  n.d = decode(*f.d, run.d);
  return n;
}

/// Every finite number of a result format of 16 bits or fewer.
const std::set<Rational>& all_numbers(const Format& f) {
  static std::map<std::string_view, std::set<Rational>> known;
  std::set<Rational>& all = known[f.name];
  for (int p = 0; all.empty() || p < 1 << f.storage_bits; ++p) {
    if (p >= 1 << f.storage_bits) break;
    const Decoded x = decode(f, p);
    if (x.is_finite()) all.insert(x.value());
  }
  return all;
}
Rational distance_to_nearest(const Format& f, const Rational& x) {
  const auto& all = all_numbers(f);
  const auto above = all.lower_bound(x);
  if (above == all.end()) return x - *std::prev(above);
  if (above == all.begin()) return *above - x;
  return std::min(Rational(*above - x), Rational(x - *std::prev(above)));
}
bool some_number_between(const Format& f, const Rational& x, const Rational& y) {
  const auto& all = all_numbers(f);
  const auto next = all.upper_bound(std::min(x, y));
  return next != all.end() && *next < std::max(x, y);
}
Rational half_way_to_infinity(const Format& f) {
  const auto& all = all_numbers(f);
  const Rational top = *all.rbegin();
  return top + (top - *std::next(all.rbegin())) / 2;
}

bool differ(const Decoded& x, const Decoded& y) {
  if (x.is_nan || y.is_nan) return x.is_nan != y.is_nan;
  if (x.is_infinite || y.is_infinite) {
    return x.is_infinite != y.is_infinite || x.negative != y.negative;
  }
  return x.value() != y.value();
}
/// -1, 0, 1: the sign of an infinity decides before any number.
int order(const Decoded& x, const Decoded& y) {
  const auto infinity = [](const Decoded& v) { return v.is_infinite ? (v.negative ? -1 : 1) : 0; };
  if (x.is_infinite || y.is_infinite) return infinity(x) - infinity(y);
  return x.value() < y.value() ? -1 : x.value() > y.value() ? 1 : 0;
}

Values products(const Numbers& n) {
  Values all;
  for (std::size_t k = 0; k < n.a.size(); ++k) all.push_back(n.a[k] * n.b[k]);
  return all;
}

std::size_t count_not_zero(const Values& v) {
  return static_cast<std::size_t>(
      std::count_if(v.begin(), v.end(), [](const Rational& x) { return x != 0; }));
}

/// Do the runs show that the property does not hold?
bool shows_violation(const std::string& property, const Subject& s,
                     const std::vector<WitnessRun>& runs) {
  std::vector<Numbers> n;
  for (const WitnessRun& r : runs) n.push_back(numbers_of(r));
  const Format& d = *s.formats().d;
  const Numbers& x = n.at(0);
  if (property != "no-spurious-nan" &&
      !std::all_of(n.begin(), n.end(), [](const Numbers& m) { return m.finite; })) {
    return false;
  }
  if (property == "commutative") {
    int swapped = 0;
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      const bool same = x.a[k] == n[1].a[k] && x.b[k] == n[1].b[k];
      if (!same && (x.a[k] != n[1].b[k] || x.b[k] != n[1].a[k])) return false;
      swapped += same ? 0 : 1;
    }
    return swapped == 1 && x.c == n[1].c && differ(x.d, n[1].d);
  }
  if (property == "permutation-invariant") {
    const auto pairs = [](const Numbers& m) {
      std::multiset<std::pair<Rational, Rational>> all;
      for (std::size_t k = 0; k < m.a.size(); ++k) all.emplace(m.a[k], m.b[k]);
      return all;
    };
    return pairs(x) == pairs(n[1]) && x.c == n[1].c && differ(x.d, n[1].d);
  }
  if (property == "negation-symmetric") {
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      if (x.a[k] != -n[1].a[k] || x.b[k] != n[1].b[k]) return false;
    }
    Decoded negated = n[1].d;
    negated.negative = !negated.negative;
    return x.c == -n[1].c && differ(x.d, negated);
  }
  if (property == "scale-invariant") {
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      if (2 * x.a[k] != n[1].a[k] || x.b[k] != n[1].b[k]) return false;
    }
    return 2 * x.c == n[1].c && x.d.is_finite() && n[1].d.is_finite() &&
           2 * x.d.value() != n[1].d.value();
  }
  if (property == "monotone-c") {
    return x.a == n[1].a && x.b == n[1].b && x.c <= n[1].c && !x.d.is_nan && !n[1].d.is_nan &&
           order(n[1].d, x.d) < 0;
  }
  if (property == "monotone-product") {
    const Values before = products(x);
    const Values after = products(n[1]);
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (after[k] < before[k]) return false;
    }
    return x.c == n[1].c && !x.d.is_nan && !n[1].d.is_nan && order(n[1].d, x.d) < 0;
  }
  if (property == "accumulator-preserved") {
    return count_not_zero(products(x)) == 0 && (!x.d.is_finite() || x.d.value() != x.c);
  }
  if (property == "exact-when-representable") {
    return all_numbers(d).contains(x.sum) && (!x.d.is_finite() || x.d.value() != x.sum);
  }
  if (property == "faithful") {
    const Rational top = *all_numbers(d).rbegin();
    if (x.d.is_nan) return true;
    if (x.d.is_infinite) return x.d.negative ? x.sum >= -top : x.sum <= top;
    return x.d.value() != x.sum &&
           (all_numbers(d).contains(x.sum) || some_number_between(d, x.d.value(), x.sum));
  }
  if (property == "correctly-rounded") {
    if (!x.d.is_finite()) return boost::multiprecision::abs(x.sum) < half_way_to_infinity(d);
    const Rational error = boost::multiprecision::abs(Rational(x.d.value() - x.sum));
    const bool tie_to_odd = error != 0 && runs[0].d % 2 == 1;  // if it is one
    return error > distance_to_nearest(d, x.sum) ||
           (tie_to_odd && all_numbers(d).contains(2 * x.sum - x.d.value())) ||
           boost::multiprecision::abs(x.sum) >= half_way_to_infinity(d);
  }
  if (property == "error-bound") {
    if (!x.d.is_finite()) return false;
    Values terms = products(x);
    terms.push_back(x.c);
    Rational largest = rational_power_of_two(d.least_exponent());
    for (const Rational& t : terms) {
      largest = std::max(largest, Rational(boost::multiprecision::abs(t)));
    }
    Rational ulp = rational_power_of_two(d.least_exponent() - d.fraction_bits);
    while (ulp * power_of_two(static_cast<unsigned>(d.fraction_bits + 1)) <= largest) ulp *= 2;
    return boost::multiprecision::abs(Rational(x.d.value() - x.sum)) > *s.parameter * ulp;
  }
  if (property == "sum-error-bound" || property == "norm-error-bound") {
    if (!x.d.is_finite()) return false;
    Rational size = boost::multiprecision::abs(x.c);
    if (property == "sum-error-bound") {
      for (const Rational& t : products(x)) size += boost::multiprecision::abs(t);
    } else {
      Rational largest = 0;
      for (const Rational& b : x.b)
        largest = std::max(largest, Rational(boost::multiprecision::abs(b)));
      for (const Rational& a : x.a) size += boost::multiprecision::abs(a) * largest;
    }
    size = std::max(size, rational_power_of_two(d.least_exponent()));
    const Rational u = rational_power_of_two(-d.fraction_bits - 1);
    return boost::multiprecision::abs(Rational(x.d.value() - x.sum)) > *s.parameter * u * size;
  }
  if (property == "no-early-overflow") {
    return !x.d.is_finite() && boost::multiprecision::abs(x.sum) < half_way_to_infinity(d);
  }
  if (property == "no-spurious-nan") return x.finite && x.d.is_nan;  // for these designs
  if (property == "subnormal-inputs" || property == "subnormal-results") {
    Values terms = products(x);
    terms.push_back(x.c);
    return count_not_zero(terms) == 1 && all_numbers(d).contains(x.sum) && x.d.is_finite() &&
           x.d.value() == 0;
  }
  if (property == "single-normalization" || property == "equivalent") {
    return runs[0].values == runs[1].values && differ(x.d, n[1].d);
  }
  if (property == "refines") {
    if (!(runs[0].values == runs[1].values) || n[1].d.is_nan) return false;
    if (!x.d.is_finite()) return n[1].d.is_finite();
    return n[1].d.is_finite() && boost::multiprecision::abs(Rational(x.d.value() - x.sum)) >
                                     boost::multiprecision::abs(Rational(n[1].d.value() - x.sum));
  }
  if (property == "carry-bits") {
    // The largest term's exponent is the sum of its factors' exponent fields; here all significands
    // are >= 1.
    Values terms = products(x);
    terms.push_back(x.c);
    Rational sum = 0;
    for (const Rational& t : terms) sum += t;
    int e_max = x.c == 0 ? -1000 : floor_log2(boost::multiprecision::abs(x.c));
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      if (x.a[k] == 0 || x.b[k] == 0) continue;
      e_max = std::max(e_max, floor_log2(boost::multiprecision::abs(x.a[k])) +
                                  floor_log2(boost::multiprecision::abs(x.b[k])));
    }
    const int bits = 2 + numerator(*s.parameter).convert_to<int>();
    return boost::multiprecision::abs(sum) >= rational_power_of_two(e_max + bits);
  }
  ADD_FAILURE() << "no arithmetic for " << property;
  return false;
}

void expect_confirmed(const std::string& property, const Subject& s, const Proof& proof) {
  ASSERT_EQ(proof.outcome, Outcome::refuted) << proof.justification.how();
  ASSERT_FALSE(proof.witness.empty());
  for (const WitnessRun& r : proof.witness) {
    const DotModel model(r.instruction.algorithm, r.instruction.formats);
    EXPECT_EQ(model.run(r.values), r.d) << r.label;
  }
  if (s.formats().d->storage_bits <= 16 || proof.witness.size() == 2 ||
      property == "accumulator-preserved") {
    EXPECT_TRUE(shows_violation(property, s, proof.witness)) << property;
  }
}

class Mutation : public testing::TestWithParam<Design> {};

TEST_P(Mutation, IsRefutedAndAVariantThatKeepsThePropertyIsNot) {
  const Design& design = GetParam();
  const Property& property = find_property(design.property);
  const Subject broken = subject(design.breaks, design.bound);
  for (unsigned seed = 0; seed < 3; ++seed) {
    ProveOptions options;
    options.strategies.seed = seed;
    options.shrink = seed != 1;
    // Search, and solvers if search does not decide.
    const Proof proof = prove(property, broken, options, Portfolio("auto", Limits{60}));
    expect_confirmed(design.property, broken, proof);
    if (HasFatalFailure()) return;
  }
  const Subject kept = subject(design.keeps, design.bound);
  if (design.soon_proved) {
    ProveOptions options;
    options.strategies.set(Strategy::search, false);
    const Proof proof = prove(property, kept, options, Portfolio("auto", Limits{120}));
    EXPECT_EQ(proof.outcome, Outcome::proved) << proof.justification.how();
  } else {
    const Proof proof = prove(property, kept, {}, nobody());
    EXPECT_NE(proof.outcome, Outcome::refuted);
    EXPECT_NE(proof.outcome, Outcome::not_applicable) << proof.justification.how();
  }
}

INSTANTIATE_TEST_SUITE_P(Properties, Mutation, testing::ValuesIn(prove_test::designs()),
                         [](const auto& test) {
                           std::string name = test.param.property;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Mutations, CoverAllPropertiesExceptOne) {
  std::set<std::string> named{"commutative"};  // no design violates it; see below
  for (const Design& d : prove_test::designs()) named.insert(d.property);
  for (const Property* p : properties()) EXPECT_TRUE(named.contains(p->name())) << p->name();
}

// No algorithm of the catalogue distinguishes a from b; this one drops a bit of a[1].
TEST(Mutations, ThatBreakCommutationAreRefuted) {
  Subject s = subject({prove_test::fused("fraction_bits=4")});
  s.first.algorithm = Custom{
      "one bit less", [given = s.first.algorithm](const DotFormats& f, const DotOperands& in) {
        DotOperands changed = in;
        changed.a[1] = bits(in.a[1], 1, 7) * 2;
        return given.build(f, changed);
      }};
  const Proof proof = prove(find_property("commutative"), s, {}, nobody());
  expect_confirmed("commutative", s, proof);
  EXPECT_EQ(proof.of, "a[1] and b[1] swapped");
}

// Known facts about GPUs.

Proof known(const std::string& property, const std::vector<std::string>& names,
            const std::string& bound = "", int within = 0) {
  const Subject s = subject(names, bound, within);
  Proof proof = prove(find_property(property), s, {}, nobody());
  if (proof.outcome == Outcome::refuted) expect_confirmed(property, s, proof);
  return proof;
}

TEST(Known, Refutations) {
  const auto refuted = [](const std::string& property, const std::string& name) {
    EXPECT_EQ(known(property, {name}).outcome, Outcome::refuted) << property << " of " << name;
  };
  refuted("monotone-c", "volta/mma.m8n8k4.f32.f16.f16.f32");
  refuted("negation-symmetric", "cdna3/v_mfma_f32_32x32x8_f16");
  refuted("permutation-invariant", "ampere/mma.m16n8k16.f32.f16.f16.f32");
  refuted("accumulator-preserved", "ada/mma.m16n8k16.f32.e4m3.e4m3.f32");
  refuted("accumulator-preserved", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3");
  refuted("subnormal-inputs", "cdna2/v_mfma_f32_32x32x8f16");
  refuted("subnormal-results", "cdna2/v_mfma_f32_32x32x8f16");
  refuted("no-early-overflow", "cdna3/v_mfma_f32_16x16x16_bf16");
}

TEST(Known, HopperRoundsSymmetrically) {
  const Proof proof =
      prove(find_property("negation-symmetric"), subject({"hopper/mma.m16n8k16.f32.f16.f16.f32"}),
            {}, Portfolio("auto", Limits{300}));
  EXPECT_EQ(proof.outcome, Outcome::proved) << proof.justification.how();
}

TEST(Known, ProofsThatNeedNoSolver) {
  const auto proved = [](const std::string& property, const std::string& name, int within = 0) {
    const Proof proof = known(property, {name}, "", within);
    EXPECT_EQ(proof.outcome, Outcome::proved)
        << property << " of " << name << ": " << proof.justification.how();
    EXPECT_EQ(proof.justification.kind, Justification::Kind::one_expression);
    EXPECT_EQ(proof.cases_proved, proof.cases);
  };
  const std::string k16 = "/mma.m16n8k16.f32.f16.f16.f32";
  proved("permutation-invariant", "hopper" + k16);
  proved("permutation-invariant", "ampere" + k16, 8);
  for (const char* arch : {"ampere", "ada", "hopper"}) proved("commutative", arch + k16);
  proved("commutative", "cdna3/v_mfma_f32_32x32x8_f16");
  proved("commutative", "design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=2)");
  EXPECT_EQ(known("permutation-invariant", {"ampere" + k16}, "", 16).outcome, Outcome::refuted);
}

TEST(Known, SequentialFmaIsMonotoneAndDependsOnTheOrder) {
  for (const std::string name : {"ampere/mma.m8n8k4.f64.f64.f64.f64", "cdna1/v_mfma_f32_16x16x4f32",
                                 "design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=2)"}) {
    for (const char* property : {"monotone-c", "monotone-product", "negation-symmetric"}) {
      const Proof proof = known(property, {name});
      EXPECT_EQ(proof.outcome, Outcome::proved) << property << " of " << name;
      EXPECT_THAT(proof.justification.how(), testing::HasSubstr("for every K"));
    }
    EXPECT_EQ(known("permutation-invariant", {name}).outcome, Outcome::refuted);
  }
}

// In f32 a sum of large terms may overflow before an infinity of the other sign is added.
TEST(Known, SequentialFmaMakesNaN) {
  EXPECT_EQ(known("no-spurious-nan", {"cdna1/v_mfma_f32_16x16x4f32"}).outcome, Outcome::refuted);
}

// Properties that need particular operands: c near a cut, subnormal factors, ties at the overflow.
TEST(Known, RefutationsOfDrawnOperands) {
  for (const auto& [property, name] : std::vector<std::pair<std::string, std::string>>{
           {"monotone-c", "ampere/mma.m16n8k4.f32.tf32.tf32.f32"},
           {"monotone-c", "hopper/wgmma.m64n8k32.f16.e4m3.e4m3"},
           {"monotone-product", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"},
           {"monotone-product", "hopper/mma.m16n8k16.f16.f16.f16.f16"},
           {"no-early-overflow", "hopper/wgmma.m64n8k32.f16.e4m3.e4m3"},
           {"no-early-overflow",
            "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e3m2.e3m2.ue8m0"}}) {
    EXPECT_EQ(known(property, {name}).outcome, Outcome::refuted) << property << " of " << name;
  }
}

TEST(Known, ScaleFactorsAreKeptInASingleStepDesign) {
  const Proof proof =
      known("single-normalization",
            {"blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e3m2.e3m2.ue8m0"});
  EXPECT_EQ(proof.outcome, Outcome::proved) << proof.justification.how();
  EXPECT_EQ(proof.justification.kind, Justification::Kind::one_expression);
}

// With one term the result depends on sign and magnitude, and not on the node of the sum.
TEST(Prove, ChecksSumsOnWhichTheResultDoesNotDepend) {
  const Subject s{find_instruction(
      "design:fused-dot-add(a=e4m3fnuz,b=e4m3fnuz,c=e5m2,d=e5m2,k=1,scale=ue4m3,scale_block=1,"
      "fraction_bits=31,c_joins=late)")};
  Subject asked = s;
  asked.parameter = 1;
  EXPECT_EQ(prove(find_property("carry-bits"), asked, {}, nobody()).outcome, Outcome::refuted);
}

TEST(Known, FiveTermsNeedThreeCarryBits) {
  for (const std::string formats : {"a=f16,b=f16,c=f32,d=f32", "a=bf16,b=bf16,c=f32,d=f32"}) {
    const std::string design = "design:fused-dot-add(" + formats + ",k=4,fraction_bits=23)";
    SCOPED_TRACE(design);
    EXPECT_EQ(known("carry-bits", {design}, "2").outcome, Outcome::refuted);
    EXPECT_EQ(known("carry-bits", {design}, "3").outcome, Outcome::proved);
    const Subject s = subject({design});
    const Tightest t = tightest(find_property("carry-bits"), s, {}, nobody());
    EXPECT_EQ(t.refuted, Rational(2));
    EXPECT_EQ(t.proved, Rational(3));
    EXPECT_EQ(t.refutation.outcome, Outcome::refuted);
    EXPECT_EQ(t.proof.outcome, Outcome::proved);
  }
}

TEST(Prove, KeepsToTheConditionGiven) {
  ProveOptions options;
  options.where = [](const DotFormats& f, const DotOperands& in, Int d) {
    return ordinal(*f.c, in.c) < 0 && ordinal(*f.d, d) > 0;
  };
  const Subject s = subject({prove_test::fused("fraction_bits=2")});
  for (unsigned seed = 0; seed < 4; ++seed) {
    options.strategies.seed = seed;
    const Proof proof = prove(find_property("faithful"), s, options, nobody());
    expect_confirmed("faithful", s, proof);
    const Numbers n = numbers_of(proof.witness.at(0));
    EXPECT_LT(n.c, 0);
    EXPECT_TRUE(n.d.is_infinite ? !n.d.negative : n.d.value() > 0);
  }
}

// By the range of the operands, also for plans.
TEST(Prove, SumsOfSmallOperandsDoNotOverflow) {
  const auto proved = [](const std::string& plan, const std::vector<std::string>& conditions) {
    const Where where(conditions);
    ProveOptions options;
    options.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
    options.strategies = options.strategies.only({Strategy::steps});
    return prove(find_property("no-early-overflow"), subject({plan}), options, nobody());
  };
  const std::string f16 = "hopper/mma.m16n8k16.f16.f16.f16.f16";
  const std::string split = "plan:split-k(" + f16 + ",k=256,parts=4)";
  const std::vector<std::string> small{"abs(a[*]) <= 1", "abs(b[*]) <= 1", "abs(c) <= 1"};
  const Proof proof = proved(split, small);
  EXPECT_EQ(proof.outcome, Outcome::proved);
  EXPECT_EQ(proof.justification.how(), "by its steps: no step overflows on operands so small");
  EXPECT_EQ(
      proved("plan:promote(hopper/wgmma.m64n8k32.f16.e4m3.e4m3,k=256,every=128)", small).outcome,
      Outcome::proved);
  const std::vector<std::string> large{"abs(a[*]) <= 64", "abs(b[*]) <= 64", "abs(c) <= 1"};
  EXPECT_EQ(proved(split, large).outcome, Outcome::undecided);
}

TEST(Prove, SaysIfAPropertyDoesNotApply) {
  const auto not_applicable = [](const std::string& property, const std::string& name) {
    const Proof proof = prove(find_property(property), subject({name}), {}, nobody());
    EXPECT_EQ(proof.outcome, Outcome::not_applicable) << property;
    EXPECT_NE(proof.justification.how(), "");
    EXPECT_TRUE(proof.witness.empty());
  };
  not_applicable("commutative", "design:fused-dot-add(a=e5m2,b=e4m3,fraction_bits=9,k=2)");
  not_applicable("permutation-invariant", prove_test::cut("1", "9"));
  not_applicable("carry-bits", prove_test::exact());
}

TEST(Prove, ConfirmsProofsWithSolvers) {
  ProveOptions options;
  options.confirm = true;
  options.strategies.set(Strategy::search, false);
  const Subject s = subject({cut("1", "12")});
  const Proof proof =
      prove(find_property("no-spurious-nan"), s, options, Portfolio("auto", Limits{60}));
  ASSERT_EQ(proof.outcome, Outcome::proved) << proof.justification.how();
  EXPECT_NE(proof.confirmed_by, "");
  for (const char* solver : {"z3", "cvc5", "bitwuzla"}) {
    EXPECT_FALSE(proof.justification.how().ends_with(solver) &&
                 proof.confirmed_by.ends_with(solver))
        << proof.justification.how() << " / " << proof.confirmed_by;
  }
}

}  // namespace
}  // namespace mmaspec
