// explain: the plans that reproduce a matrix, run as users run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <random>
#include <sstream>

#include "concrete/dot/lane_runner.h"
#include "concrete/rows/npy.h"
#include "spec/catalog/instruction.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::explain_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kSide = 8;
const std::string kUnit = "hopper/mma.m16n8k16.f32.f16.f16.f32";

using Patterns = std::vector<std::uint64_t>;

/// Numbers whose exponents are far apart, of f16 unless another format is given.
Patterns drawn(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Patterns all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back((random() & 1U) << 15U | (7 + random() % 9) << 10U | (random() & 0x3ffU));
  }
  return all;
}

/// A plan's product of A (8, k) and B (k, 8), with c.
Patterns product(const std::string& plan, const Patterns& a, const Patterns& b, std::size_t k,
                 const Patterns& c = {}) {
  const Instruction i = find_instruction(plan);
  EXPECT_EQ(static_cast<std::size_t>(i.formats.k), k);
  Lanes in(2 * k + 1, kSide * kSide);
  for (std::size_t e = 0; e < kSide * kSide; ++e) {
    for (std::size_t j = 0; j < k; ++j) {
      in[j][e] = a[e / kSide * k + j];
      in[k + j][e] = b[j * kSide + e % kSide];
    }
    if (!c.empty()) in[2 * k][e] = c[e];
  }
  Lanes d(1, kSide * kSide);
  LaneRunner(i.algorithm, i.formats).run(in, d);
  return {d[0], d[0] + kSide * kSide};
}

class Explain : public testing::Test {
 protected:
  static constexpr std::size_t kK = 96;
  const Folder folder_;
  const Patterns a_ = drawn(kSide * kK, 1);
  const Patterns b_ = drawn(kK * kSide, 2);
  const std::string a_file_ = folder_.write("a.npy", npy_file("f2", kSide, kK, a_));
  const std::string b_file_ = folder_.write("b.npy", npy_file("f2", kK, kSide, b_));

  std::string d_file(const Patterns& d, const std::string& dtype = "f4") const {
    return folder_.write("d.npy", npy_file(dtype, kSide, kSide, d));
  }
  Outcome explain(const std::string& d, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"explain", a_file_, b_file_, d};
    all.insert(all.end(), more.begin(), more.end());
    return mmaspec(all);
  }
  /// The JSON answer.
  Json answer(const std::string& d, std::vector<std::string> more, int status) const {
    more.emplace_back("--json");
    const Outcome outcome = explain(d, more);
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(Explain, NamesThePlan) {
  for (const std::string& plan :
       {"plan:chain(" + kUnit + ",k=96)", "plan:split-k(" + kUnit + ",k=96,parts=2)",
        "plan:split-k(" + kUnit + ",k=96,parts=3,reduce=halves)",
        "plan:split-k(" + kUnit + ",k=96,parts=6,reduce=tree)"}) {
    const Json found = answer(d_file(product(plan, a_, b_, kK)), {"hopper"}, 0);
    EXPECT_EQ(found["verdict"].get<std::string>(), "explained") << plan;
    ASSERT_EQ(found["plans"].size(), 1U);
    EXPECT_EQ(found["plans"][0]["plan"].get<std::string>(), plan);
    EXPECT_EQ(found["plans"][0]["elements"].get<int>(), 64);
  }
}

TEST_F(Explain, SaysThatItsAnswerIsNotAProof) {
  const Outcome outcome =
      explain(d_file(product("plan:chain(" + kUnit + ",k=96)", a_, b_, kK)), {"h100"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("explained: one plan reproduces all 64 elements"));
  EXPECT_THAT(outcome.out, HasSubstr("wgmma"));
  EXPECT_THAT(outcome.out, HasSubstr("not a proof"));
}

TEST_F(Explain, TreatsElementsThatAreNaNAsUnknown) {
  Patterns d = product("plan:split-k(" + kUnit + ",k=96,parts=2)", a_, b_, kK);
  d[5] = 0x7fc00000;
  d[6] = 0xffffffff;
  const Json found = answer(d_file(d), {"hopper"}, 0);
  EXPECT_EQ(found["unknown"].get<int>(), 2);
  EXPECT_EQ(found["elements"].get<int>(), 62);
}

TEST_F(Explain, UsesTheGivenNumberOfElements) {
  const Patterns d = product("plan:split-k(" + kUnit + ",k=96,parts=2)", a_, b_, kK);
  const Json found = answer(d_file(d), {"hopper", "--elements", "30"}, 0);
  EXPECT_EQ(found["elements"].get<int>(), 30);
  EXPECT_EQ(found["left_out"].get<int>(), 34);
  EXPECT_EQ(found["plans"][0]["elements"].get<int>(), 30);
}

TEST_F(Explain, SaysThatNoPlanFits) {
  Patterns d = product("plan:split-k(" + kUnit + ",k=96,parts=2)", a_, b_, kK);
  d[17] ^= 1;
  const Json found = answer(d_file(d), {"hopper"}, 1);
  EXPECT_EQ(found["verdict"].get<std::string>(), "none fits");
  EXPECT_TRUE(found["plans"].empty());
  EXPECT_EQ(found["best"]["matched"].get<int>(), 63);
  EXPECT_EQ(found["best"]["first_mismatch"]["row"].get<int>(), 2);
  EXPECT_EQ(found["best"]["first_mismatch"]["column"].get<int>(), 1);
  EXPECT_EQ(found["space"].get<std::string>(), "all");
  const Outcome outcome = explain(d_file(d), {"hopper"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("D[2, 1] refutes it"));
  // The trace of that element: the sums of two parts and their sum, each according to the
  // specification.
  const auto& trace = found["best"]["trace"];
  ASSERT_EQ(trace.size(), 3U);
  EXPECT_EQ(trace[0]["sum"].get<std::string>(), "products 0 to 47");
  EXPECT_EQ(trace[1]["sum"].get<std::string>(), "products 48 to 95");
  EXPECT_EQ(trace[2]["sum"].get<std::string>(), "s1 = products 0 to 47 + products 48 to 95");
  Patterns first_a = a_;
  Patterns last_a = a_;
  for (std::size_t i = 0; i < a_.size(); ++i) (i % kK < 48 ? last_a : first_a)[i] = 0;
  const std::string whole = "plan:chain(" + kUnit + ",k=96)";
  const auto hex = [](std::uint64_t x) {
    std::ostringstream text;
    text << std::hex << std::setw(8) << std::setfill('0') << x;
    return text.str();
  };
  EXPECT_EQ(trace[0]["pattern"].get<std::string>(), hex(product(whole, first_a, b_, kK)[17]));
  EXPECT_EQ(trace[1]["pattern"].get<std::string>(), hex(product(whole, last_a, b_, kK)[17]));
  EXPECT_EQ(trace[2]["pattern"].get<std::string>(),
            found["best"]["first_mismatch"]["computed"].get<std::string>());
  EXPECT_THAT(outcome.out, HasSubstr("s1 = products 0 to 47 + products 48 to 95"));
}

TEST_F(Explain, SaysThatOtherUnitsDoNotFit) {
  const std::string plan = "plan:chain(ampere/mma.m16n8k16.f32.f16.f16.f32,k=96)";
  const std::string d = d_file(product(plan, a_, b_, kK));
  EXPECT_EQ(explain(d, {"hopper"}).status, 1);
  const Json found = answer(d, {"ampere", "hopper"}, 0);
  EXPECT_THAT(found["plans"][0]["plan"].get<std::string>(), HasSubstr("ampere/"));
}

TEST_F(Explain, ExplainsARegionByAnotherPlan) {
  Patterns d = product("plan:chain(" + kUnit + ",k=96)", a_, b_, kK);
  const Patterns edge = product("plan:split-k(" + kUnit + ",k=96,parts=3)", a_, b_, kK);
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 5; column < kSide; ++column) {
      d[row * kSide + column] = edge[row * kSide + column];
    }
  }
  const Json found = answer(d_file(d), {"hopper"}, 0);
  ASSERT_EQ(found["plans"].size(), 2U);
  EXPECT_EQ(found["plans"][0]["plan"].get<std::string>(), "plan:chain(" + kUnit + ",k=96)");
  EXPECT_EQ(found["plans"][0]["elements"].get<int>(), 40);
  EXPECT_EQ(found["plans"][1]["plan"].get<std::string>(),
            "plan:split-k(" + kUnit + ",k=96,parts=3)");
  EXPECT_EQ(found["plans"][1]["inside"]["first_column"].get<int>(), 5);
}

TEST_F(Explain, SuggestsOperandsThatDistinguishPlans) {
  // Only two nonzero products in each sum: all orders give the same result.
  Patterns a(kSide * kK, 0);
  for (std::size_t row = 0; row < kSide; ++row) a[row * kK + 3] = a[row * kK + 70] = 0x3c00;
  const std::string sparse = folder_.write("sparse.npy", npy_file("f2", kSide, kK, a));
  const std::string plan = "plan:split-k(" + kUnit + ",k=96,parts=3)";
  const std::string d = d_file(product(plan, a, b_, kK));
  const std::vector<std::string> names = {plan, "plan:chain(" + kUnit + ",k=96)"};
  const std::string out = folder_ / "suggested";
  const Outcome outcome =
      mmaspec({"explain", sparse, b_file_, d, names[0], names[1], "--suggest", out});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("2 plans that are not known to be equal"));
  EXPECT_THAT(outcome.out, HasSubstr("2 unlike products of 2 plans"));
  const NpyArray next_a = read_npy(out + "/a.npy");
  const NpyArray next_b = read_npy(out + "/b.npy");
  ASSERT_EQ(next_a.shape, (std::vector<std::size_t>{kSide, kK}));
  Patterns pa;
  Patterns pb;
  for (std::size_t i = 0; i < kSide * kK; ++i) {
    pa.push_back(pattern_at(next_a.matrix(0), i / kK, i % kK));
    pb.push_back(pattern_at(next_b.matrix(0), i / kSide, i % kSide));
  }
  const std::string next_d = d_file(product(plan, pa, pb, kK));
  const Outcome decided =
      mmaspec({"explain", out + "/a.npy", out + "/b.npy", next_d, names[0], names[1], "--json"});
  EXPECT_EQ(decided.status, 0) << decided.out;
  EXPECT_EQ(Json::parse(decided.out)["plans"][0]["plan"].get<std::string>(), plan);
}

TEST_F(Explain, SaysHowTwoResultsDiffer) {
  const std::string first = "plan:chain(" + kUnit + ",k=96)";
  const std::string second = "plan:split-k(" + kUnit + ",k=96,parts=2)";
  const Patterns x = product(first, a_, b_, kK);
  const Patterns y = product(second, a_, b_, kK);
  const std::string d = d_file(x);
  const std::string d2 = folder_.write("d2.npy", npy_file("f4", kSide, kSide, y));
  const Outcome outcome = explain(d, {d2, "hopper"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("first: explained"));
  EXPECT_THAT(outcome.out, HasSubstr("second: explained"));
  EXPECT_THAT(outcome.out, HasSubstr("sums: "));
  const Json found = answer(d, {d2, "hopper"}, 0);
  int differing = 0;
  for (std::size_t i = 0; i < x.size(); ++i) differing += x[i] != y[i] ? 1 : 0;
  EXPECT_GT(differing, 0);
  EXPECT_EQ(found["differing"].get<int>(), differing);
  ASSERT_EQ(found["unlike"].size(), 1U);
  EXPECT_EQ(found["unlike"][0]["part"].get<std::string>(), "sums");
  EXPECT_EQ(found["second"]["plans"][0]["plan"].get<std::string>(), second);
}

TEST_F(Explain, SaysWhichDifferenceMatters) {
  const std::string ampere = "ampere/mma.m16n8k8.f32.f16.f16.f32";
  const std::string first = "plan:chain(" + kUnit + ",k=96)";
  const std::string second = "plan:split-k(" + ampere + ",k=96,parts=3)";
  const Patterns x = product(first, a_, b_, kK);
  const Patterns y = product(second, a_, b_, kK);
  const std::string d = d_file(x);
  const std::string d2 = folder_.write("d2.npy", npy_file("f4", kSide, kSide, y));
  const std::string page = folder_ / "why.html";
  const Json found = answer(d, {d2, "hopper", "ampere", "--html", page}, 0);
  ASSERT_EQ(found["unlike"].size(), 2U);
  const std::vector<std::string> alone = {"plan:chain(" + ampere + ",k=96)",
                                          "plan:split-k(" + kUnit + ",k=96,parts=3)"};
  for (std::size_t part = 0; part < 2; ++part) {
    const Patterns z = product(alone[part], a_, b_, kK);
    int tried = 0;
    int follow = 0;
    int keep = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == y[i]) continue;
      ++tried;
      follow += z[i] == y[i] ? 1 : 0;
      keep += z[i] == x[i] ? 1 : 0;
    }
    const Json& entry = found["unlike"][part];
    EXPECT_EQ(entry["part"].get<std::string>(), part == 0 ? "instruction" : "sums");
    EXPECT_EQ(entry["alone"]["plan"].get<std::string>(), alone[part]);
    EXPECT_EQ(entry["alone"]["elements"].get<int>(), tried);
    EXPECT_EQ(entry["alone"]["follow"].get<int>(), follow);
    EXPECT_EQ(entry["alone"]["keep"].get<int>(), keep);
  }
  // The products before the one at which the plans diverge give equal results.
  const auto at = found["parting"]["product"].get<std::size_t>();
  const std::size_t element = found["parting"]["row"].get<std::size_t>() * kSide +
                              found["parting"]["column"].get<std::size_t>();
  for (const std::size_t count : {at, at + 1}) {
    Patterns a = a_;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i % kK >= count) a[i] = 0;
    }
    EXPECT_EQ(product(first, a, b_, kK)[element] == product(second, a, b_, kK)[element],
              count == at);
  }
  std::ifstream file(page);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(html, HasSubstr("Which difference matters"));
  EXPECT_THAT(html, HasSubstr(alone[1]));
  EXPECT_THAT(html, HasSubstr("the plans diverge at product " + std::to_string(at)));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST_F(Explain, SaysWhyNamedPlansDiffer) {
  const std::string first = "plan:chain(" + kUnit + ",k=96)";
  const std::string second = "plan:split-k(" + kUnit + ",k=96,parts=2)";
  const std::string d = d_file(product(first, a_, b_, kK));
  const std::string d2 =
      folder_.write("d2.npy", npy_file("f4", kSide, kSide, product(second, a_, b_, kK)));
  const Outcome outcome = explain(d, {d2, first, second});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("sums: chain\n        split-k(parts=2)"));
  EXPECT_THAT(outcome.out, HasSubstr("the plans diverge at product"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("one plan explains both")));
  const Outcome same = explain(d, {d, first});
  EXPECT_THAT(same.out, HasSubstr("one plan explains both"));
}

TEST_F(Explain, WritesPagesOfTwoResults) {
  const std::string d = d_file(product("plan:chain(" + kUnit + ",k=96)", a_, b_, kK));
  const Outcome one = explain(d, {"hopper", "--html", folder_ / "why.html"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, HasSubstr("--html is for two results"));
}

TEST_F(Explain, AddsC) {
  std::mt19937 random(3);
  Patterns c;
  for (std::size_t i = 0; i < kSide * kSide; ++i) {
    c.push_back((120 + random() % 8) << 23U | (random() & 0x7fffffU));
  }
  const std::string c_file = folder_.write("c.npy", npy_file("f4", kSide, kSide, c));
  for (const std::string& plan :
       {"plan:chain(" + kUnit + ",k=96)", "plan:epilogue(chain(" + kUnit + ",k=96),k=96)",
        "plan:split-k(" + kUnit + ",k=96,parts=2,c_joins=first)"}) {
    const Json found = answer(d_file(product(plan, a_, b_, kK, c)), {"hopper", "--c", c_file}, 0);
    EXPECT_EQ(found["plans"][0]["plan"].get<std::string>(), plan);
  }
}

TEST_F(Explain, TakesFactors) {
  const std::string sum = "plan:epilogue(chain(" + kUnit + ",k=96),k=96,alpha=";
  const std::string without_c = sum + "0x1.99999ap-4,beta=0)";
  const Json scaled =
      answer(d_file(product(without_c, a_, b_, kK)), {"hopper", "--alpha", "0.1"}, 0);
  EXPECT_EQ(scaled["plans"][0]["plan"].get<std::string>(), without_c);
  Patterns c;
  std::mt19937 random(3);
  for (std::size_t i = 0; i < kSide * kSide; ++i) {
    c.push_back((120 + random() % 8) << 23U | (random() & 0x7fffffU));
  }
  const std::string c_file = folder_.write("c.npy", npy_file("f4", kSide, kSide, c));
  for (const std::string& plan :
       {sum + "0x1.99999ap-4,beta=-0x1p+1)", sum + "0x1.8p+0,beta=0x1.99999ap-4,fma=no)"}) {
    const bool first = plan.find("fma=no") == std::string::npos;
    const Json found = answer(d_file(product(plan, a_, b_, kK, c)),
                              {"hopper", "--c", c_file, first ? "--alpha=0.1" : "--alpha=1.5",
                               first ? "--beta=-2" : "--beta=0.1"},
                              0);
    EXPECT_EQ(found["plans"][0]["plan"].get<std::string>(), plan);
  }
  EXPECT_THAT(explain(d_file(c), {"hopper", "--beta", "2"}).err, HasSubstr("--c is missing"));
}

TEST_F(Explain, SaysThatResultsAreSaturated) {
  const std::string plan =
      "plan:epilogue(chain(" + kUnit + ",k=96),k=96,alpha=0x1.9p+6,beta=0,out=e4m3,saturate=yes)";
  const Patterns d = product(plan, a_, b_, kK);
  EXPECT_THAT(d, testing::Contains(0x7eU));
  const Outcome outcome =
      explain(d_file(d, "u1"), {"hopper", "--alpha", "100", "--formats", "f16,f16,e4m3", "--json"});
  const Json found = Json::parse(outcome.out);
  ASSERT_FALSE(found["plans"].empty()) << outcome.out;
  for (const auto& each : found["plans"]) {
    EXPECT_THAT(each["plan"].get<std::string>(), HasSubstr("saturate=yes"));
  }
}

TEST_F(Explain, FindsTheScalesOfFp8) {
  const auto largest = [](const Patterns& all) {
    std::uint64_t most = 0;
    for (const std::uint64_t x : all) most = std::max(most, x & 0x7fff);
    return std::ldexp(static_cast<float>(0x400U | (most & 0x3ffU)),
                      static_cast<int>(most >> 10U) - 25);
  };
  const float scale_a = 448.0F / largest(a_);
  const float scale_b = 448.0F / largest(b_);
  const auto text = [](float x) {
    std::ostringstream all;
    all << std::hexfloat << x;
    return all.str();
  };
  const std::string plan =
      "plan:epilogue(convert(chain(hopper/wgmma.m64n8k32.f32.e4m3.e4m3,k=96),k=96,a=f16,b=f16,"
      "saturate=yes,scale_a=" +
      text(scale_a) + ",scale_b=" + text(scale_b) +
      "),k=96,alpha=" + text(1 / scale_a * (1 / scale_b)) + ",beta=0)";
  const Patterns d = product(plan, a_, b_, kK);
  // Sums of FP8 products are exact in many orders.
  const Json found = Json::parse(explain(d_file(d), {"hopper", "--json"}).out);
  ASSERT_FALSE(found["plans"].empty()) << found.dump();
  const auto named = found["plans"][0]["plan"].get<std::string>();
  EXPECT_THAT(named, HasSubstr("scale_a="));
  EXPECT_EQ(product(named, a_, b_, kK), d);
}

TEST_F(Explain, TakesScaleFactorsOfBlocks) {
  // Each row of A and each column of B has a factor for 32 products.
  constexpr std::size_t kScales = kK / 32;
  std::mt19937 random(12);
  Patterns scale_a;
  Patterns scale_b;
  for (std::size_t i = 0; i < kSide * kScales; ++i) {
    scale_a.push_back((120 + random() % 12) << 23U | (random() & 0x7fffffU));
    scale_b.push_back((120 + random() % 12) << 23U | (random() & 0x7fffffU));
  }
  const std::string sa = folder_.write("sa.npy", npy_file("f4", kSide, kScales, scale_a));
  const std::string sb = folder_.write("sb.npy", npy_file("f4", kScales, kSide, scale_b));
  const std::string promote = "promote(" + kUnit + ",k=96,every=32,scales=yes";
  for (const std::string& plan : {"plan:" + promote + ")", "plan:" + promote + ",fma=no)"}) {
    const Instruction i = find_instruction(plan);
    Lanes in(2 * kK + 1 + 2 * kScales, kSide * kSide);
    for (std::size_t e = 0; e < kSide * kSide; ++e) {
      for (std::size_t j = 0; j < kK; ++j) {
        in[j][e] = a_[e / kSide * kK + j];
        in[kK + j][e] = b_[j * kSide + e % kSide];
      }
      for (std::size_t j = 0; j < kScales; ++j) {
        in[2 * kK + 1 + j][e] = scale_a[e / kSide * kScales + j];
        in[2 * kK + 1 + kScales + j][e] = scale_b[j * kSide + e % kSide];
      }
    }
    Lanes d(1, kSide * kSide);
    LaneRunner(i.algorithm, i.formats).run(in, d);
    const std::string file = d_file({d[0], d[0] + kSide * kSide});
    const Json found = answer(file, {"hopper", "--sa", sa, "--sb", sb}, 0);
    EXPECT_EQ(found["plans"][0]["plan"].get<std::string>(), plan);
    answer(file, {"hopper", "--sa", sa, "--sb", sb, plan}, 0);
    EXPECT_EQ(answer(file, {"hopper"}, 1)["verdict"].get<std::string>(), "none fits");
  }
}

TEST_F(Explain, TakesIntegers) {
  std::mt19937 random(4);
  Patterns a(kSide * kK);
  Patterns b(kK * kSide);
  for (Patterns* all : {&a, &b}) {
    for (std::uint64_t& x : *all) x = random() & 0xffU;
  }
  Patterns d;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) {
      int sum = 0;
      for (std::size_t k = 0; k < kK; ++k) {
        sum += static_cast<std::int8_t>(a[row * kK + k]) *
               static_cast<std::int8_t>(b[k * kSide + column]);
      }
      d.push_back(static_cast<std::uint32_t>(sum));
    }
  }
  const std::string a_file = folder_.write("ia.npy", npy_file("i1", kSide, kK, a));
  const std::string b_file = folder_.write("ib.npy", npy_file("i1", kK, kSide, b));
  const Outcome outcome = mmaspec({"explain", a_file, b_file, d_file(d, "i4"), "hopper", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(Json::parse(outcome.out)["plans"][0]["plan"].get<std::string>(), HasSubstr("s32"));
}

TEST_F(Explain, NamesProductsOfWords) {
  std::mt19937 random(7);
  Patterns a;
  Patterns b;
  for (std::size_t i = 0; i < kSide * 32; ++i) {
    for (Patterns* all : {&a, &b}) {
      all->push_back((random() & 1U) << 31U | (120 + random() % 8) << 23U | (random() & 0x7fffffU));
    }
  }
  const std::string a_file = folder_.write("fa.npy", npy_file("f4", kSide, 32, a));
  const std::string b_file = folder_.write("fb.npy", npy_file("f4", 32, kSide, b));
  for (const std::string plan : {"plan:bf16x9(hopper/mma.m16n8k8.f32.bf16.bf16.f32,k=32)",
                                 "plan:tf32x3(hopper/mma.m16n8k4.f32.tf32.tf32.f32,k=32)"}) {
    const Outcome outcome =
        mmaspec({"explain", a_file, b_file, d_file(product(plan, a, b, 32)), "hopper", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const auto named = Json::parse(outcome.out)["plans"][0]["plan"].get<std::string>();
    EXPECT_EQ(product(named, a, b, 32), product(plan, a, b, 32)) << named;
  }
}

TEST_F(Explain, FindsTheOrderOfAtomicAdditions) {
  for (const std::string order : {"1234", "30000"}) {
    const std::string k = ",k=128";
    const Patterns a = drawn(kSide * 128, 5);
    const Patterns b = drawn(128 * kSide, 6);
    const std::string plan =
        "plan:split-k(" + kUnit + ",k=128,parts=8,reduce=atomic,order=" + order + ")";
    const std::string a_file = folder_.write("wide_a.npy", npy_file("f2", kSide, 128, a));
    const std::string b_file = folder_.write("wide_b.npy", npy_file("f2", 128, kSide, b));
    const Patterns d = product(plan, a, b, 128);
    const Outcome outcome = mmaspec({"explain", a_file, b_file, d_file(d), "hopper", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const auto named = Json::parse(outcome.out)["plans"][0]["plan"].get<std::string>();
    EXPECT_THAT(named, HasSubstr("parts=8,reduce=atomic,order="));
    EXPECT_EQ(product(named, a, b, 128), d);
  }
}

TEST_F(Explain, TakesBitPatternsOfNamedFormats) {
  const std::string plan = "plan:epilogue(chain(" + kUnit + ",k=96),k=96,beta=0,out=f16)";
  const std::string d = d_file(product(plan, a_, b_, kK), "u2");
  const Outcome outcome = explain(d, {plan, "--formats", "f16,f16,f16"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_EQ(explain(d, {plan, "--formats", "bf16,f16,f16"}).status, 2);
}

TEST_F(Explain, RefusesWhatItCannotTake) {
  const std::string d = d_file(Patterns(kSide * kSide, 0));
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = mmaspec(arguments);
    EXPECT_EQ(outcome.status, 2) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  };
  refused({"explain", a_file_, b_file_}, "expected A B D");
  refused({"explain", a_file_, b_file_, folder_ / "none.npy"}, "none.npy");
  refused({"explain", b_file_, b_file_, d}, "shapes do not fit: A 96 x 8");
  refused({"explain", a_file_, b_file_, d, "hoper"}, "hopper");
  refused({"explain", a_file_, b_file_, d, "hopper/mma.m16n8k16.f32.bf16.bf16.f32"},
          "none of the named instructions");
  refused({"explain", a_file_, b_file_, d,
           "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0"},
          "has scale factors: --sa and --sb are missing");
  refused({"explain", a_file_, b_file_, d, "hopper", "--sa", a_file_}, "--sa and --sb go together");
  refused({"explain", a_file_, b_file_, d, d, "hopper", "--sa", a_file_, "--sb", b_file_},
          "--sa goes without a second result");
  refused({"explain", a_file_, b_file_, d, "hopper", "--sa", a_file_, "--sb", b_file_},
          "with such scale factors");
  const std::string four = folder_.write("four.npy", npy_file("f4", 4, 4, Patterns(16, 0)));
  refused({"explain", a_file_, b_file_, d, "hopper", "--sa", four, "--sb", four},
          "have 4 rows, and A has 8: expected as many, or one for each 24");
  refused({"explain", a_file_, b_file_, d, "--formats", "f16,f16"}, "A,B,D");
  refused({"explain", a_file_, b_file_, d, "--formats", "f17,f16,f32"}, "f17");
  const std::string unknown = d_file(Patterns(kSide * kSide, 0x7fffffff));
  refused({"explain", a_file_, b_file_, unknown, "hopper"}, "no element that is not a NaN");
}

TEST_F(Explain, KeepsToItsTimeLimit) {
  const std::string d = d_file(Patterns(kSide * kSide, 1));
  const Json found = answer(d, {"hopper", "--timeout", "0.000001"}, 3);
  EXPECT_EQ(found["verdict"].get<std::string>(), "undecided");
}

}  // namespace
}  // namespace mmaspec::cli_test::explain_test
