// Suites: designs, classes and answers, compared with the exact evaluator and with all inputs.

#include "queries/studies/suite/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "concrete/dot/model.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/samples.h"
#include "queries/numbers/where.h"
#include "queries/statement/pairing.h"
#include "queries/studies/suite/cover.h"
#include "queries/studies/suite/pool.h"
#include "queries/values/distance.h"
#include "tests/support/case_selection.h"

namespace mmaspec::suite_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Portfolio nobody() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), Limits{20}); }

std::vector<SuiteDesign> named(const std::vector<std::string>& names, int chain = 0) {
  DesignRequest request;
  request.names = names;
  request.chain = chain;
  return designs_of(request);
}

std::vector<std::string> names_of(const DesignRequest& request) {
  std::vector<std::string> names;
  for (const SuiteDesign& d : designs_of(request)) names.push_back(d.name());
  return names;
}

TEST(SuiteDesigns, MatchPatternsWithoutRepetition) {
  DesignRequest request;
  request.names = {"H100/mma.*.f32.f16.f16.f32", "hopper/mma.m16n8k8.f32.f16.f16.f32"};
  EXPECT_EQ(names_of(request), (std::vector<std::string>{"hopper/mma.m16n8k8.f32.f16.f16.f32",
                                                         "hopper/mma.m16n8k16.f32.f16.f16.f32"}));
  request.names = {"ampere/*@mma-sim"};
  request.formats = "f32.bf16.bf16.f32";
  for (const std::string& name : names_of(request)) EXPECT_THAT(name, HasSubstr("@mma-sim"));
  request.names = {"*/*"};
  request.formats = "f16,f16,f32,f32";
  std::size_t count = 0;
  for (const Instruction& i : catalogue()) {
    count += i.formats.a->name == "f16" && i.formats.b->name == "f16" &&
                     i.formats.c->name == "f32" && i.formats.d->name == "f32"
                 ? 1
                 : 0;
  }
  EXPECT_EQ(names_of(request).size(), count);
}

TEST(SuiteDesigns, AreTheLongestOfEachArchitecture) {
  DesignRequest request;
  request.all_architectures = "f16,f16,f32,f32";
  std::set<std::string> seen;
  for (const SuiteDesign& d : designs_of(request)) {
    seen.insert(d.own.architecture);
    for (const Instruction& i : catalogue()) {
      if (i.architecture != d.own.architecture) continue;
      const bool same = *i.formats.a == *d.own.formats.a && *i.formats.c == *d.own.formats.c &&
                        *i.formats.d == *d.own.formats.d && *i.formats.b == *d.own.formats.b &&
                        i.formats.scale == nullptr;
      EXPECT_TRUE(!same || i.formats.k <= d.own.formats.k) << i.name();
    }
    EXPECT_EQ(d.run.formats.k, 32);  // AMX's
  }
  EXPECT_EQ(seen.size(), architectures().size());
}

TEST(SuiteDesigns, AreChainedOrPadded) {
  const std::vector<std::string> names{"volta/mma.m8n8k4.f32.f16.f16.f32",
                                       "turing/mma.m16n8k8.f32.f16.f16.f32"};
  DesignRequest request;
  request.names = names;
  for (const SuiteDesign& d : designs_of(request)) EXPECT_EQ(d.run.formats.k, 8);
  request.pad = true;
  for (const SuiteDesign& d : designs_of(request)) EXPECT_EQ(d.run.formats.k, 4);
  request.pad = false;
  request.chain = 24;
  for (const SuiteDesign& d : designs_of(request)) {
    EXPECT_EQ(d.run.formats.k, 24);
    EXPECT_TRUE(d.run.algorithm == chained(d.own, 24).algorithm);
  }
}

void expect_refused(const DesignRequest& request, const std::vector<std::string>& parts) {
  try {
    designs_of(request);
    ADD_FAILURE() << "accepted";
  } catch (const std::invalid_argument& error) {
    for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(SuiteDesigns, AreRefusedWithAReason) {
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  const std::string bf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
  expect_refused({}, {"NAME"});
  expect_refused({{f16, bf16}}, {f16, bf16, "f16,f16,f32,f32", "bf16,bf16,f32,f32"});
  expect_refused({{"hopper/mma.m16n8k99*"}}, {"hopper/mma.m16n8k99*"});
  expect_refused({{"hoper/*"}}, {"hoper"});
  expect_refused({{"h*"}}, {"h*", "<arch>/<mnemonic>"});
  expect_refused({{"hopper/*"}, "f16,f16,f32"}, {"f16,f16,f32", "a,b,c,d"});
  expect_refused({{"hopper/*"}, "f16,f16,f32,f31"}, {"f31", "f32"});
  expect_refused({{"hopper/*"}, "f64,f16,f32,f32"}, {"hopper/*", "f64,f16,f32,f32"});
  expect_refused({{f16}, "f16,,f32,f32"}, {"unknown format ''"});
  expect_refused({{}, "", "f64,f16,f32,f32"}, {"no architecture"});
  expect_refused({{f16}, "", "", 32, true}, {"--pad", "--chain"});
  expect_refused({{"design:fused-dot-add(k=12,fraction_bits=9)", f16}}, {"12", "16", "--chain"});
  expect_refused({{"volta/mma.m8n8k4.f32.f16.f16.f16"}, "", "", 8}, {"cannot be chained"});
}

/// Checks that the panel agrees with `differ` for each two designs, on inputs of every kind.
void expect_panel(const std::vector<SuiteDesign>& designs, InputClass inputs, bool signed_zero,
                  std::size_t count = 3000) {
  const Panel panel(designs, {inputs, {}, signed_zero});
  Panel::Runner runner(panel);
  const DotFormats& formats = panel.formats();
  std::vector<DotModel> models;
  for (const SuiteDesign& d : designs) models.emplace_back(d.run.algorithm, formats);
  Sampler sampler(formats, inputs, 7);
  Difference difference;
  difference.signed_zero = signed_zero;
  for (std::size_t i = 0; i < count; ++i) {
    const DotValues values = sampler.next();
    const auto partition = runner.run(values);
    ASSERT_TRUE(partition);
    std::vector<Integer> d;
    for (const DotModel& model : models) d.push_back(model.run(values));
    for (std::size_t x = 0; x < d.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) {
        ASSERT_EQ((*partition)[panel.expression_of()[x]] != (*partition)[panel.expression_of()[y]],
                  differ(difference, *formats.d, d[x], *formats.d, d[y]))
            << designs[x].name() << " " << designs[y].name() << " " << d[x] << " " << d[y];
      }
    }
  }
}

TEST(Panels, CompareResultsAsDiffDoes) {
  const auto f16 = named({"volta/*.f32.f16.f16.f32", "hopper/mma*k16.f32.f16.f16.f32",
                          "cdna1/*16f16", "cdna2/*16f16", "cdna3/*16_f16"});
  for (const bool signed_zero : {false, true}) {
    expect_panel(f16, InputClass::any, signed_zero, 1500);
    expect_panel(named({"*/mma*.f16.e4m3.e4m3.f16"}), InputClass::any, signed_zero, 600);
    expect_panel(named({"design:fused-dot-add(k=2,a=e4m3,b=e4m3,c=e4m3,d=e4m3,fraction_bits=5)",
                        "design:fused-dot-add(k=2,a=e4m3,b=e4m3,c=e4m3,d=e4m3,fraction_bits=9)",
                        "design:exact-dot-add(k=2,a=e4m3,b=e4m3,c=e4m3,d=e4m3)"}),
                 InputClass::any, signed_zero);
    expect_panel(named({"cdna3/*16_fp8_bf8", "design:exact-dot-add(k=16,a=e4m3fnuz,b=e5m2fnuz)"}),
                 InputClass::any, signed_zero, 600);
  }
}

TEST(Panels, MakeDesignsOfOneNormalFormOneExpression) {
  const auto designs =
      named({"hopper/mma.m16n8k16.f32.f16.f16.f32", "blackwell/mma.m16n8k16.f32.f16.f16.f32",
             "ampere/mma.m16n8k16.f32.f16.f16.f32"});
  const Panel panel(designs, {InputClass::finite, {}, false});
  EXPECT_EQ(panel.expression_of(), (std::vector<std::size_t>{0, 0, 1}));
  EXPECT_EQ(panel.first_of(1), 2U);
}

/// Checks that hold for every suite: rows belong to the given inputs, every design's answer is the
/// exact evaluator's, designs of one class agree, and each two classes are distinguished unless
/// they are undecided.
void expect_suite(const Suite& suite, const SuiteOptions& options) {
  std::vector<std::size_t> class_of(suite.designs.size(), suite.classes.size());
  for (std::size_t c = 0; c < suite.classes.size(); ++c) {
    for (std::size_t d : suite.classes[c].designs) {
      EXPECT_EQ(class_of[d], suite.classes.size());
      class_of[d] = c;
    }
  }
  PairSet parted(pair_count(suite.classes.size()));
  Difference difference;
  difference.signed_zero = options.panel.signed_zero;
  for (const SuiteRow& row : suite.rows) {
    EXPECT_TRUE(belong(options.panel.inputs, suite.formats, row.values));
    for (std::size_t x = 0; x < suite.designs.size(); ++x) {
      const Instruction& run = suite.designs[x].run;
      EXPECT_EQ(row.answers[x], DotModel(run.algorithm, run.formats).run(row.values)) << run.name();
      ConditionProgram condition(options.panel.where, suite.formats);
      EXPECT_TRUE(condition.holds(row.values, row.answers[x]));
      for (std::size_t y = 0; y < x; ++y) {
        const Format& d = *suite.formats.d;
        if (!differ(difference, d, row.answers[x], d, row.answers[y])) continue;
        EXPECT_NE(class_of[x], class_of[y]) << run.name() << " " << suite.designs[y].name();
        if (class_of[x] == class_of[y]) continue;
        parted.set(
            pair_index(std::min(class_of[x], class_of[y]), std::max(class_of[x], class_of[y])));
      }
    }
  }
  for (const SuiteUndecided& u : suite.undecided) {
    ASSERT_LT(u.first, u.second);
    EXPECT_FALSE(parted[pair_index(u.first, u.second)]);
    parted.set(pair_index(u.first, u.second));
  }
  EXPECT_TRUE(parted.all());
  EXPECT_LE(suite.least, suite.smallest);
  EXPECT_LE(suite.smallest, suite.rows.size());
  EXPECT_LE(suite.information_least, suite.rows.size());
}

Suite suite_of(const std::vector<SuiteDesign>& designs, const SuiteOptions& options = {}) {
  Suite suite = make_suite(designs, options, nobody());
  expect_suite(suite, options);
  return suite;
}

TEST(Suites, DistinguishAllDesignsOfAFormat) {
  DesignRequest request;
  const std::vector<std::string> all = {
      "f16,f16,f32,f32",   "bf16,bf16,f32,f32", "tf32,tf32,f32,f32",      "e4m3,e4m3,f32,f32",
      "e5m2,e4m3,f16,f16", "f16,f16,f16,f16",   "e4m3,e4m3,f32,f32,ue8m0"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_selected(i, 2)) continue;
    const std::string& formats = all[i];
    SCOPED_TRACE(formats);
    request.formats = formats;
    request.names = {"*/*"};
    // Designs of a suite need scale factors for the same number of products.
    if (formats.ends_with("ue8m0")) request.names = {"*blackwell/*", "cdna4/*"};
    // Without x86/top2bf16ps: whether a chain of it equals one of CDNA2's is not decided in
    // minutes.
    if (formats.starts_with("bf16")) {
      request.names = {"a*/*", "hopper/*", "*blackwell/*", "*dna*/*",
                       "p*/*", "riscv/*",  "x86/*dpbf16ps"};
    }
    const Suite suite = suite_of(designs_of(request));
    EXPECT_TRUE(suite.undecided.empty());
    EXPECT_GT(suite.classes.size(), formats == "e4m3,e4m3,f32,f32,ue8m0" ? 0U : 1U);
  }
}

TEST(Suites, HoldForInputsOfEveryClass) {
  const auto designs =
      named({"volta/*.f32.f16.f16.f32", "ampere/*.f32.f16.f16.f32", "cdna3/*_f16"});
  for (const InputClass inputs : {InputClass::normal, InputClass::finite, InputClass::any}) {
    SuiteOptions options;
    options.panel.inputs = inputs;
    EXPECT_TRUE(suite_of(designs, options).undecided.empty());
  }
}

TEST(Suites, HoldUnderConditions) {
  const auto designs =
      named({"volta/*.f32.f16.f16.f32", "ampere/*.f32.f16.f16.f32", "cdna3/*_f16"});
  for (const std::string condition :
       {"a[*] >= 0 && b[*] >= 0 && c >= 0", "exponent(a[*]) == 0 || zero(a[*])", "d > 1 && d < 1.5",
        "c == 0 && abs(d) >= 4"}) {
    SCOPED_TRACE(condition);
    const Where where({condition});
    SuiteOptions options;
    options.panel.where = [&](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
    EXPECT_TRUE(suite_of(designs, options).undecided.empty());
  }
}

TEST(Suites, HoldForWrappedDesigns) {
  // Chains of flushed sums and of halves have a design type of their own, and so have padded
  // designs.
  const auto chains = named({"cdna2/*[0-9]f16", "cdna2/v_mfma_f32_16x16x16f16@mma-sim"}, 32);
  EXPECT_NE(chains[0].run.algorithm.as<Chained>(), nullptr);
  suite_of(chains);
  DesignRequest padded;
  padded.names = {"cdna2/*[0-9]f16", "volta/*.f32.f16.f16.f32"};
  padded.pad = true;
  const Suite suite = suite_of(designs_of(padded));
  EXPECT_GE(suite.classes.size(), 2U);
}

TEST(Suites, OfOneDesignHaveNoRows) {
  const Suite suite = suite_of(named({"hopper/mma.m16n8k16.f32.f16.f16.f32"}));
  EXPECT_EQ(suite.classes.size(), 1U);
  EXPECT_TRUE(suite.rows.empty());
  EXPECT_EQ(suite.tree.nodes.size(), 1U);
  EXPECT_EQ(suite.information_least, 0U);
  EXPECT_TRUE(vector_lines(suite).empty());
}

TEST(Suites, NameUndecidedPairs) {
  // Equal for all inputs, which only a solver proves.
  const auto designs =
      named({"design:round-down-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,product_bits=10)",
             "design:round-down-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,product_bits=11)",
             "design:round-down-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,product_bits=2)"});
  const Suite suite = suite_of(designs);
  EXPECT_EQ(suite.classes.size(), 3U);
  ASSERT_EQ(suite.undecided.size(), 1U);
  EXPECT_EQ(suite.undecided[0].first, 0U);
  EXPECT_EQ(suite.undecided[0].second, 1U);
  EXPECT_EQ(suite.rows.size(), 1U);
}

/// Designs with few inputs: all are tried, and the suite is no larger than the smallest choice
/// among them.
TEST(Suites, AreTheSmallestOfAllIfInputsAreFew) {
  std::vector<std::string> names;
  for (const char* rest :
       {"fraction_bits=1", "fraction_bits=2", "fraction_bits=3", "fraction_bits=3,round=rz",
        "fraction_bits=2,block=1", "fraction_bits=3,block=1", "fraction_bits=1,c_joins=late",
        "fraction_bits=2,align_round=rd", "fraction_bits=2,round=ru", "fraction_bits=9,round=rd"}) {
    names.push_back("design:fused-dot-add(k=2,a=e2m1,b=e2m1,c=e4m3,d=e4m3," + std::string(rest) +
                    ")");
  }
  const auto designs = named(names);
  SuiteOptions options;
  const Suite suite = suite_of(designs, options);
  const Panel panel(designs, options.panel);
  Panel::Runner runner(panel);
  Pool pool(panel.expressions());
  constexpr std::size_t kBits = 4 * 4 + 8;
  constexpr std::size_t kLanes = 4096;
  Lanes lanes(5, kLanes);
  for (std::size_t first = 0; first < std::size_t{1} << kBits; first += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t bits = first + lane;
      for (std::size_t i = 0; i < 4; ++i) lanes[i][lane] = bits >> (4 * i) & 15U;
      lanes[4][lane] = bits >> 16U;
    }
    runner.run(lanes, [&](std::size_t, const Partition& p) {
      if (pool.is_new(p)) pool.add({}, p);
    });
  }
  // All classes are distinguished, so that there are as many as expressions, or some pairs are
  // undecided.
  EXPECT_EQ(suite.classes.size(), panel.expressions());
  const Cover all = least_cover(pool.partitions());
  EXPECT_TRUE(all.is_least());
  EXPECT_EQ(suite.rows.size(), all.chosen.size());
  EXPECT_GE(suite.rows.size(), 2U) << "too easy";
  for (const SuiteUndecided& u : suite.undecided) {
    EXPECT_FALSE(pool.parted()[pair_index(u.first, u.second)]);
  }
}

TEST(Suites, MinimizeTheAverageIfAsked) {
  std::vector<std::string> names;
  for (const std::string block : {"1", "2", "4"}) {
    for (const std::string bits : {"1", "2", "3", "4", "5"}) {
      names.push_back("design:fused-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,round=rz,block=" + block +
                      ",fraction_bits=" + bits + ")");
    }
  }
  const Where where({"c == 0 && d >= 0 && d <= 1"});
  SuiteOptions options;
  options.panel.where = [&](const DotFormats& f, const DotOperands& in, Int d) {
    return where.holds(f, in, d);
  };
  const Suite smallest = suite_of(named(names), options);
  EXPECT_EQ(smallest.rows.size(), smallest.smallest);
  EXPECT_GE(smallest.tree.expected(), smallest.expected_of_candidates);
  options.adaptive = true;
  const Suite adaptive = suite_of(named(names), options);
  EXPECT_EQ(adaptive.smallest, smallest.smallest);
  EXPECT_GE(adaptive.rows.size(), adaptive.smallest);
  EXPECT_LE(adaptive.tree.expected(), adaptive.expected_of_candidates);
  EXPECT_LT(adaptive.tree.expected(), smallest.tree.expected());
}

TEST(Suites, AreTheSameForTheSameSeed) {
  const auto designs = named({"*/mma*.f32.f16.f16.f32"});
  EXPECT_EQ(vector_lines(suite_of(designs)), vector_lines(suite_of(designs)));
}

}  // namespace
}  // namespace mmaspec::suite_test
