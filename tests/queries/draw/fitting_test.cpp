// Drawing under conditions: the set of each operand compared with decoding all patterns, drawn rows
// compared with the conditions, and ordinary questions answered by search alone.

#include "queries/draw/fitting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <set>

#include "concrete/evaluator.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/samples.h"
#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "spec/formats/text.h"

namespace mmaspec::fitting_test {
namespace {

const Format* const kFormats[] = {  // NOLINT(modernize-avoid-c-arrays)
    &formats::f64,      &formats::f32,  &formats::tf32, &formats::f16,
    &formats::bf16,     &formats::e4m3, &formats::e5m2, &formats::e4m3fnuz,
    &formats::e5m2fnuz, &formats::e3m2, &formats::e2m3, &formats::e2m1};

TEST(Ordinals, OrderAllPatternsByTheirValues) {
  for (const Format* f : all_formats()) {
    SCOPED_TRACE(f->name);
    const Ordinals o(*f);
    std::mt19937_64 random(1);
    const bool all = o.used_bits() <= 16;
    std::optional<std::pair<std::int64_t, Rational>> last;
    for (int i = 0; i < (all ? 1 << o.used_bits() : 3000); ++i) {
      const std::int64_t x =
          all ? o.least() + i
              : o.least() + static_cast<std::int64_t>(
                                random() % (static_cast<std::uint64_t>(o.most()) * 2 + 2));
      ASSERT_EQ(o.of(o.pattern(x)), x);
      const Decoded d = decode(*f, Integer(o.pattern(x)));
      if (!d.is_finite()) continue;
      ASSERT_GE(x, o.least_finite());
      ASSERT_LE(x, o.largest_finite());
      ASSERT_EQ(Rational(o.value(x)), d.value());
      const bool odd_zero = d.significand == 0 && f->specials == Specials::nan_minus_zero;
      if (!odd_zero) {
        ASSERT_EQ(o.toward_zero(o.value(x)), x);
      }
      if (all && last) {
        ASSERT_LE(last->second, d.value());
      }
      last = {x, d.value()};
    }
    // Values between two numbers are rounded toward zero.
    ASSERT_EQ(o.toward_zero(INFINITY), o.largest_finite());
    ASSERT_EQ(o.toward_zero(-INFINITY), o.least_finite());
    const std::int64_t one = o.toward_zero(1);
    if (f != &formats::f64) {
      ASSERT_EQ(o.toward_zero(std::nextafter(o.value(one + 1), 0)), one);
    }
  }
}

/// A condition on a[0] and its definition.
struct Condition {
  const char* text;
  std::function<bool(const Format&, const Decoded&)> holds;
};

/// floor(log2(|x|)) of a finite number; nullopt for zero, whose exponent is below all others.
std::optional<int> exponent_of(const Decoded& x) {
  if (x.significand == 0) return std::nullopt;
  return floor_log2(boost::multiprecision::abs(x.value()));
}

bool is_subnormal(const Format& f, const Decoded& x) {
  return f.has_zero && x.is_finite() && x.significand != 0 &&
         x.significand < power_of_two(static_cast<unsigned>(f.fraction_bits));
}

/// x, with infinities beyond all numbers; not for NaN.
Rational size(const Decoded& x) {
  if (x.is_finite()) return x.value();
  return x.negative ? -rational_power_of_two(2000) : rational_power_of_two(2000);
}

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> all{
      {"a[0] >= 0 && a[0] <= 1",
       [](const Format&, const Decoded& x) { return !x.is_nan && size(x) >= 0 && size(x) <= 1; }},
      {"a[0] >= 0 && a[0] < 1",
       [](const Format&, const Decoded& x) { return !x.is_nan && size(x) >= 0 && size(x) < 1; }},
      {"abs(a[0]) <= 0.3",
       [](const Format&, const Decoded& x) {
         return !x.is_nan && boost::multiprecision::abs(size(x)) <= parse_rational("0.3");
       }},
      {"a[0] == 0", [](const Format&, const Decoded& x) { return !x.is_nan && size(x) == 0; }},
      {"a[0] == 1.5",
       [](const Format&, const Decoded& x) { return !x.is_nan && size(x) == Rational(3, 2); }},
      {"a[0] != 1", [](const Format&, const Decoded& x) { return x.is_nan || size(x) != 1; }},
      {"a[0] > -2 && a[0] != 0 && a[0] < 3.5",
       [](const Format&, const Decoded& x) {
         return !x.is_nan && size(x) > -2 && size(x) != 0 && size(x) < Rational(7, 2);
       }},
      {"a[0] < -1 || a[0] > 1 || a[0] == 0.25",
       [](const Format&, const Decoded& x) {
         return !x.is_nan && (size(x) < -1 || size(x) > 1 || size(x) == Rational(1, 4));
       }},
      {"exponent(a[0]) <= 0",
       [](const Format&, const Decoded& x) {
         return x.is_finite() && exponent_of(x).value_or(-9999) <= 0;
       }},
      {"finite(a[0]) && exponent(a[0]) == 1",
       [](const Format&, const Decoded& x) {
         return x.is_finite() && exponent_of(x) == std::optional(1);
       }},
      {"exponent(a[0]) >= -1 && exponent(a[0]) < 2 && a[0] < 0",
       [](const Format&, const Decoded& x) {
         const auto e = x.is_finite() ? exponent_of(x) : std::nullopt;
         return e && *e >= -1 && *e < 2 && x.negative;
       }},
      {"normal(a[0])",
       [](const Format& f, const Decoded& x) {
         return x.is_finite() && x.significand != 0 && !is_subnormal(f, x);
       }},
      {"subnormal(a[0]) || zero(a[0])",
       [](const Format& f, const Decoded& x) {
         return x.is_finite() && (x.significand == 0 || is_subnormal(f, x));
       }},
      {"!negative(a[0]) && finite(a[0])",
       [](const Format&, const Decoded& x) { return x.is_finite() && !x.negative; }},
      {"nan(a[0]) || infinite(a[0])",
       [](const Format&, const Decoded& x) { return !x.is_finite(); }},
      {"a[0] > 1 && a[0] < 1", [](const Format&, const Decoded&) { return false; }},
  };
  return all;
}

/// Conditions on operands in a separate graph.
struct Conditions {
  Conditions(const DotFormats& f, const std::vector<std::string>& where,
             std::optional<InputClass> inputs)
      : formats(f) {
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = input("d", static_cast<unsigned>(f.d->storage_bits));
    nodes.push_back(Where(where).holds(f, in, d).id());
    if (inputs) nodes.push_back(belong(*inputs, f, in).id());
  }
  Fitting fitting(unsigned seed) const {
    return {graph, nodes, input_formats(graph, formats), seed};
  }
  /// Number of lanes for which all hold, by the exact evaluator.
  std::size_t satisfied(const Lanes& rows) const {
    const ExactEvaluator evaluator(graph, nodes);
    ExactEvaluator::Values values = evaluator.scratch();
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
      InputValues given;
      for (std::size_t i = 0; i < rows.rows(); ++i) given.emplace_back(rows[i][lane]);
      evaluator.evaluate(given, values);
      if (std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) { return values[n] != 0; })) {
        ++count;
      }
    }
    return count;
  }

  DotFormats formats;
  Graph graph;
  std::vector<NodeId> nodes;
};

DotFormats one_product(const Format& f) { return {&f, &f, &f, &f, 1}; }

TEST(OperandSets, AreThoseOfDecodingAllPatterns) {
  for (const Format* f : kFormats) {
    for (const Condition& c : conditions()) {
      SCOPED_TRACE(std::string(f->name) + ": " + c.text);
      const Conditions all(one_product(*f), {c.text}, std::nullopt);
      const NodeId a = all.graph.inputs()[0];
      const auto ways = ways_to_satisfy(all.graph, all.nodes, 1);
      ASSERT_EQ(ways.size(), 1U);
      // A condition may be constant: e2m1 has no infinity.
      std::vector<Literal> literals = ways[0];
      const bool impossible =
          std::erase_if(literals, [&](const Literal& l) {
            return inputs_of(all.graph, l).empty() && (all.graph[l.node].range.low == 0) == l.holds;
          }) > 0;
      std::erase_if(literals, [&](const Literal& l) { return inputs_of(all.graph, l).empty(); });
      const OperandSet set = operand_set(all.graph, a, *f, literals);
      const Ordinals& o = set.ordinals();
      const auto check = [&](std::int64_t x) {
        if (x < o.least() || x > o.most()) return;
        const Decoded d = decode(*f, Integer(o.pattern(x)));
        ASSERT_EQ(!impossible && set.holds(x), c.holds(*f, d)) << to_hex(Integer(o.pattern(x)));
      };
      if (set.is_exact()) {
        for (std::int64_t x = o.least(); x <= o.most(); ++x) ASSERT_NO_FATAL_FAILURE(check(x));
        continue;
      }
      std::mt19937_64 random(2);
      for (int i = 0; i < 500; ++i) {
        ASSERT_NO_FATAL_FAILURE(check(o.of(random())));
        ASSERT_NO_FATAL_FAILURE(check(o.toward_zero(std::ldexp(
            static_cast<double>(random() % 4096), static_cast<int>(random() % 16) - 14))));
      }
      for (const OrdinalRange& r : set.ranges()) {
        for (const std::int64_t x :
             {r.low, r.low + 1, r.high - 1, r.high, std::max(r.low, o.least() + 1) - 1,
              std::min(r.high, o.most() - 1) + 1}) {
          ASSERT_NO_FATAL_FAILURE(check(x));
        }
      }
    }
  }
}

TEST(OperandSets, NumberTheirMembers) {
  const OperandSet set(formats::f16, {{-7, -5}, {0, 0}, {3, 9}});
  EXPECT_EQ(set.count(), 11U);
  std::set<std::int64_t> members;
  for (std::uint64_t i = 0; i < set.count(); ++i) members.insert(set.member(i));
  EXPECT_EQ(members, (std::set<std::int64_t>{-7, -6, -5, 0, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(set.nearest(-100), -7);
  EXPECT_EQ(set.nearest(-4), -5);
  EXPECT_EQ(set.nearest(1), 0);
  EXPECT_EQ(set.nearest(2), 3);
  EXPECT_EQ(set.nearest(100), 9);
  EXPECT_FALSE(set.holds(1));
  EXPECT_TRUE(set.holds(4));
}

Lanes drawn(const Conditions& conditions, Fitting& fitting, unsigned seed, int times = 1) {
  Sampler sampler(conditions.formats, InputClass::finite, seed);
  const std::size_t operands = in_input_order(sampler.next()).size();
  Lanes samples(operands, 1024);
  Lanes rows(conditions.graph.inputs().size(), 1024);
  for (int i = 0; i < times; ++i) {
    sampler.fill(samples);
    for (std::size_t r = 0; r < operands; ++r) std::copy_n(samples[r], 1024, rows[r]);
    fitting.fill(rows);
  }
  return rows;
}

constexpr const char* kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";

TEST(Fitting, DrawsOnlyRowsThatMeetConditionsOnSingleOperands) {
  for (const char* name :
       {kHopper, "ampere/mma.m16n8k8.f32.tf32.tf32.f32", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3",
        "ampere/mma.m8n8k4.f64.f64.f64.f64",
        "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"}) {
    const DotFormats f = find_instruction(name).formats;
    for (const std::vector<std::string>& where : std::vector<std::vector<std::string>>{
             {"c == 0 && a[*] >= 0 && a[*] <= 1 && b[*] >= 0 && b[*] <= 1"},
             {"exponent(a[*]) <= 0", "exponent(b[*]) <= 0", "c == 0"},
             {"abs(a[*]) < 1", "abs(b[*]) < 1", "abs(c) <= 100"},
             {"normal(a[*])", "b[*] > 0", "c < 0"},
             {"a[*] == 1", "c == 0x1.abcp+3"},
             {"a[*] == 1 || a[*] == -1", "b[0] != 0", "c >= 1e-3 && c <= 1e3"},
             {"a[*] > 0.4 && a[*] < 6", "b[1] < -0.4", "subnormal(c) || c == 1"}}) {
      SCOPED_TRACE(std::string(name) + ": " + where[0]);
      const Conditions all(f, where, InputClass::finite);
      Fitting fitting = all.fitting(5);
      ASSERT_TRUE(fitting.says_something());
      const Lanes rows = drawn(all, fitting, 3, 3);
      EXPECT_EQ(all.satisfied(rows), rows.lanes());
      // Many different ones, not the same repeatedly.
      std::set<std::uint64_t> of_b;
      for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
        of_b.insert(rows[static_cast<std::size_t>(f.k)][lane]);
      }
      EXPECT_GE(of_b.size(), f.b->storage_bits <= 4 ? 3U : 20U);
    }
  }
}

TEST(Fitting, RepairsRelationsOfOperands) {
  const DotFormats f = find_instruction(kHopper).formats;
  for (const char* where :
       {"exponent(a[*]) == exponent(b[*])", "a[*] == b[*]", "a[*] <= b[*]",
        "abs(a[*]) >= abs(b[*])", "a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3] && a[3] <= a[4]",
        "c == a[0] && c == b[0]", "a[0] == -b[0] && a[1] == -b[1]", "a[*] < c",
        "exponent(a[*]) < exponent(b[*])",
        "abs(a[*]) <= 1 && abs(b[*]) <= 1 && a[*] != b[*] && a[*] >= b[*]",
        "a[0] == 1 || b[0] == 1", "exponent(c) == exponent(a[0])",
        "(a[0] > 0 && b[0] > 0) || (a[0] < 0 && b[0] < 0)", "a[2] == b[2] && a[2] > 1"}) {
    SCOPED_TRACE(where);
    const Conditions all(f, {where}, InputClass::finite);
    Fitting fitting = all.fitting(1);
    std::size_t satisfied = 0;
    for (unsigned i = 0; i < 4; ++i) satisfied += all.satisfied(drawn(all, fitting, i));
    EXPECT_GE(satisfied, 4U * 1024 * 6 / 10);
  }
}

TEST(Fitting, DrawsRowsForEachMemberOfADisjunction) {
  const DotFormats f = find_instruction(kHopper).formats;
  const Conditions all(f, {"(a[*] >= 0 && b[*] >= 0 && c == 1) || (a[*] < 0 && b[*] < 0)"},
                       InputClass::finite);
  Fitting fitting = all.fitting(1);
  std::size_t first = 0;
  std::size_t second = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const Lanes rows = drawn(all, fitting, i);
    const std::size_t satisfied = all.satisfied(rows);
    EXPECT_EQ(satisfied, rows.lanes());
    (rows[0][0] < 0x8000 ? first : second) += 1;
  }
  EXPECT_GT(first, 0U);
  EXPECT_GT(second, 0U);
}

TEST(Fitting, RecognizesUnsatisfiableConditions) {
  const DotFormats f = find_instruction(kHopper).formats;
  EXPECT_TRUE(
      Conditions(f, {"a[3] > 1 && a[3] < 1.0001"}, InputClass::finite).fitting(0).is_impossible());
  EXPECT_FALSE(
      Conditions(f, {"a[3] > 1 && a[3] < 1.01"}, InputClass::finite).fitting(0).is_impossible());
}

TEST(Fitting, DrawsTheSameForTheSameSeed) {
  const DotFormats f = find_instruction(kHopper).formats;
  const Conditions all(f, {"abs(a[*]) <= 1", "exponent(a[*]) >= exponent(b[*])"},
                       InputClass::finite);
  Fitting one = all.fitting(7);
  Fitting two = one.reseeded(7);
  Fitting other = one.reseeded(8);
  const Lanes x = drawn(all, one, 1, 3);
  const Lanes y = drawn(all, two, 1, 3);
  const Lanes z = drawn(all, other, 1, 3);
  std::size_t unlike = 0;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      ASSERT_EQ(x[i][lane], y[i][lane]);
      if (x[i][lane] != z[i][lane]) ++unlike;
    }
  }
  EXPECT_GT(unlike, 1000U);
}

/// True if search alone finds a witness.
bool is_found(const char* first, const char* second, const std::vector<std::string>& where,
              const char* absolute) {
  DiffOptions options;
  options.strategies = Strategies::none();
  options.strategies.set(Strategy::search, true);
  options.shrink = false;
  if (absolute != nullptr) options.difference.absolute = parse_rational(absolute);
  const Where condition(where);
  options.where = [&condition](const DotFormats& f, const DotOperands& in, Int d) {
    return condition.holds(f, in, d);
  };
  const Portfolio nobody{std::vector<std::unique_ptr<Backend>>(), Limits{}};
  const DiffResult r = diff(find_instruction(first), find_instruction(second), options, nobody);
  return r.verdict == Verdict::satisfiable;
}

TEST(OrdinaryQuestions, AreAnsweredBySearchWithoutSolvers) {
  const char* const ampere = "ampere/mma.m16n8k16.f32.f16.f16.f32";
  const char* const cdna3 = "cdna3/v_mfma_f32_16x16x16_f16";
  EXPECT_TRUE(is_found(ampere, cdna3,
                       {"c == 0 && a[*] >= 0 && a[*] <= 1 && b[*] >= 0 && b[*] <= 1"}, "1e-6"));
  EXPECT_TRUE(
      is_found(ampere, cdna3, {"c == 0 && exponent(a[*]) <= 0 && exponent(b[*]) <= 0"}, "3.8e-6"));
  EXPECT_TRUE(is_found(ampere, cdna3, {"exponent(a[*]) == exponent(b[*])"}, nullptr));
  EXPECT_TRUE(is_found(kHopper, ampere, {"a[*] == b[*]", "c == 0"}, nullptr));
}

}  // namespace
}  // namespace mmaspec::fitting_test
