// Unknown units: identified, outside of the space, or undecided.

#include "queries/studies/identify/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "queries/prove/diff.h"
#include "queries/studies/identify/journal.h"
#include "queries/studies/identify/structured_witness.h"
#include "queries/theorems/redundant/idle.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "tests/identify/function_oracle.h"
#include "tests/support/case_selection.h"
#include "tests/support/recorded.h"

namespace mmaspec::identify_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

DotFormats formats_of(const std::string& text) {
  return find_instruction("design:exact-dot-add(" + text + ")").formats;
}

DotFormats integers_of(const std::string& text) {
  return find_instruction("design:integer-dot-add(" + text + ")").formats;
}

/// A unit that is a design.
class DesignOracle : public Oracle {
 public:
  DesignOracle(const Algorithm& design, const DotFormats& formats) : runner_(design, formats) {}

  std::vector<Integer> ask(const std::vector<DotValues>& all) override {
    std::vector<const DotValues*> inputs;
    for (const DotValues& values : all) inputs.push_back(&values);
    return runner_.run(inputs);
  }

 private:
  DotRunner runner_;
};

IdentifyOptions options(std::size_t confirm = 2000) {
  IdentifyOptions o;
  o.confirm = confirm;
  o.strategies.jobs = 2;
  o.strategies.deadline = Deadline::in(300);
  return o;
}

Portfolio solvers() { return {"auto", Limits{300}}; }
Portfolio nobody() { return {std::vector<std::unique_ptr<Backend>>(), Limits{300}}; }

Identification identify(const Space& space, Oracle& oracle, const IdentifyOptions& o = options()) {
  return mmaspec::identify(space, oracle, {}, o, solvers());
}

/// Checks that no input of any kind is found for which the two differ.
void expect_same(const Algorithm& x, const Algorithm& y, const DotFormats& formats) {
  DotRunner first(x, formats);
  DotRunner second(y, formats);
  for (const DotValues& values : confirming_rows(formats, 4000, 99)) {
    ASSERT_TRUE(same_answer(*formats.d, first.run(values), second.run(values)))
        << open_design(x, formats).name() << "\n"
        << open_design(y, formats).name() << "\n"
        << oracle_row(formats, values);
  }
}

TEST(Identify, NamesDesignsOfTheCatalogue) {
  // tools/identify_catalogue.py covers all.
  for (const char* name : {"volta/mma.m8n8k4.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x2_f32",
                           "ada/mma.m16n8k16.f32.e4m3.e4m3.f32"}) {
    const Instruction hidden = find_instruction(name);
    const Space space(hidden.formats, {});
    DesignOracle oracle(hidden.algorithm, hidden.formats);
    const Identification found = identify(space, oracle);
    EXPECT_EQ(found.verdict, Identified::identified) << name << ": " << found.why;
    EXPECT_THAT(found.names, Contains(name));
    EXPECT_TRUE(found.equality.proved) << name;
    EXPECT_LE(found.inputs, 64U) << name;
    EXPECT_TRUE(found.confirmed);
  }
}

// Products rounded to odd without c, a converted chain, and scale factors of pairwise sums.
TEST(Identify, NamesDesignsThatTheCatalogueLacks) {
  const std::vector<std::pair<std::string, bool>> hidden_designs = {
      {"rounded-product-dot-add(a=f32,c=f32,k=4,product_bits=25,fraction_bits=25,sum_bits=23,"
       "flush_inputs=yes,underflow=flush-tiny)",
       false},
      {"f32-chain(a=e4m3,c=f16,k=4,round=ru)", true},
      {"group-pairwise-sum(a=e2m1,c=f32,k=4,group=2,scale=ue8m0,scale_block=2)", true}};
  for (const auto& [text, has_c] : hidden_designs) {
    const Instruction hidden = find_instruction("design:" + text);
    const Space space(hidden.formats, {}, has_c);
    DesignOracle oracle(hidden.algorithm, hidden.formats);
    const Identification found = identify(space, oracle);
    ASSERT_EQ(found.verdict, Identified::identified) << text << ": " << found.why;
    EXPECT_TRUE(found.equality.proved) << text;
    EXPECT_EQ(found.design->algorithm.design().index(), hidden.algorithm.design().index()) << text;
    if (has_c) expect_same(hidden.algorithm, found.design->algorithm, hidden.formats);
  }
}

TEST(Identify, FindsAccumulatorsInFixedPoint) {
  for (const char* text : {"c=fixed:23.18,k=4", "c=fixed:12.6,k=4,product_round=rd",
                           "a=e5m2,c=fixed:20.8,k=8,product_round=rna,overflow=saturate,group=2",
                           "a=e2m1,c=fixed:5.1,d=fixed:6.1,k=4,product_round=rne,overflow=saturate",
                           "a=f16,c=s32,k=2,overflow=saturate,group=1"}) {
    const Instruction hidden =
        find_instruction("design:fixed-point-dot-add(" + std::string(text) + ")");
    DesignOracle oracle(hidden.algorithm, hidden.formats);
    const Identification found = identify(Space(hidden.formats, {}), oracle);
    ASSERT_EQ(found.verdict, Identified::identified) << text << ": " << found.why;
    EXPECT_TRUE(found.equality.proved) << text;
    EXPECT_LE(found.inputs, 16U) << text;
    expect_same(hidden.algorithm, found.design->algorithm, hidden.formats);
  }
}

TEST(Identify, NeverNamesDrawnDesignsWrongly) {
  SplitMix random(7);
  for (const char* text : {"a=f16,c=f32,k=4", "a=e5m2,c=f16,k=4"}) {
    const DotFormats formats = formats_of(text);
    const Space space(formats, {});
    for (int i = 0; i < 2; ++i) {
      const Family& family = space.families()[random.index(space.families().size())];
      std::vector<int> values;
      for (const Axis& axis : family.axes) {
        values.push_back(axis.values[random.index(axis.values.size())]);
      }
      const Algorithm hidden = family.design(values);
      DesignOracle oracle(hidden, formats);
      const Identification found = identify(space, oracle);
      ASSERT_NE(found.verdict, Identified::none_fits) << open_design(hidden, formats).name();
      if (found.verdict == Identified::identified && found.equality.proved) {
        expect_same(hidden, found.design->algorithm, formats);
      }
    }
  }
}

TEST(Identify, ReportsAnswersThatChange) {
  const Instruction hidden = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  DotRunner runner(hidden.algorithm, hidden.formats);
  SplitMix random(3);
  FunctionOracle oracle([&](const DotValues& v) {
    const Integer d = runner.run(v);
    return random.one_in(500) ? Integer(d ^ 1) : d;
  });
  const Space space(hidden.formats, {});
  const Identification found = identify(space, oracle);
  EXPECT_NE(found.verdict, Identified::identified);
  EXPECT_FALSE(found.unsteady.empty());
}

TEST(Identify, UsesWhatIsKnown) {
  const Instruction hidden = find_instruction("hopper/wgmma.m64n8k16.f32.f16.f16");
  DotRunner runner(hidden.algorithm, hidden.formats);
  std::vector<Answered> known;
  for (const DotValues& v : confirming_rows(hidden.formats, 200, 5)) {
    known.push_back({v, runner.run(v)});
  }
  const Space space(hidden.formats, {"fused-dot-add(round=rz,kept_bits=23)"});
  const Left left = identify_offline(space, known, options(), solvers());
  ASSERT_FALSE(left.open.empty());
  for (const Open& open : left.open) EXPECT_THAT(open.algorithm, HasSubstr("block=16"));
}

TEST(Identify, RestrictsTheSpace) {
  const DotFormats formats = formats_of("a=f16,c=f32,k=4");
  const Space space(formats, {"fused-dot-add(fraction_bits=20..22|30,floor=none|-133,block=4)",
                              "sequential-fma"});
  EXPECT_THAT(space.lines()[0], HasSubstr("block=4,"));
  EXPECT_THAT(space.lines()[0], HasSubstr("fraction_bits=20..22|30,floor=none|-133,"));
  EXPECT_EQ(space.lines().size(), 2U);
  for (const char* bad : {"fused-dot-add(fraction_bits=x)", "fused-dot-add(fraction=20)", "fused",
                          "fused-dot-add(fraction_bits=30..20)", "fused-dot-add(block=3)",
                          "fused-dot-add(fraction_bits=20", "fused-dot-add(fraction_bits=9999)"}) {
    EXPECT_THROW(Space(formats, {bad}), std::invalid_argument) << bad;
  }
}

TEST(VersionSpace, AreTheDesignsThatAgreeWithAllAnswers) {
  // Compared with trying every design of a small space.
  const DotFormats formats = formats_of("a=e4m3,c=f16,k=2");
  const std::vector<std::string> restrictions{
      "fused-dot-add(fraction_bits=8..11,floor=none|-14,zero_exponent=none|-126,round=rz|rne,"
      "kept_bits=9|10,overflow=infinity,underflow=gradual|flush,flush_inputs=no,align_round=rz|rd,"
      "product_overflow=none|12,minus_zero=no)"};
  const Space space(formats, restrictions);
  const Family& hidden_family = space.families()[2];
  std::vector<int> hidden_values;
  for (const Axis& axis : hidden_family.axes) hidden_values.push_back(axis.values.back());
  DotRunner hidden(hidden_family.design(hidden_values), formats);
  VersionSpace survivors(space);
  std::vector<Answered> answers;
  Sampler sampler(formats, InputClass::any, 5);
  for (int i = 0; i < 12; ++i) {
    const DotValues values = sampler.next();
    answers.push_back({values, hidden.run(values)});
    survivors.take({answers.back()}, {}, 1);
  }
  EXPECT_FALSE(survivors.has_pending());
  double fitting = 0;
  for (std::size_t f = 0; f < space.families().size(); ++f) {
    const Family& family = space.families()[f];
    std::vector<std::size_t> at(family.axes.size(), 0);
    for (bool more = true; more;) {
      std::vector<int> values;
      for (std::size_t i = 0; i < at.size(); ++i) values.push_back(family.axes[i].values[at[i]]);
      DotRunner runner(family.design(values), formats);
      bool fits = true;
      for (const Answered& a : answers) {
        fits = fits && same_answer(*formats.d, runner.run(a.values), a.d);
      }
      EXPECT_EQ(fits, survivors.holds({f, values})) << family.name;
      fitting += fits ? 1 : 0;
      more = false;
      for (std::size_t i = 0; i < at.size() && !more; ++i) {
        more = ++at[i] < family.axes[i].values.size();
        if (!more) at[i] = 0;
      }
    }
  }
  EXPECT_EQ(survivors.size(), fitting);
}

/// Random designs of these spaces give the same results without their idle parameters, on inputs of
/// all kinds. Returns the number of designs with such parameters.
int same_without_idle(const std::vector<Space>& spaces, int designs) {
  SplitMix random(11);
  int changed = 0;
  for (const Space& space : spaces) {
    const DotFormats& formats = space.formats();
    for (int i = 0; i < designs; ++i) {
      const Family& family = space.families()[random.index(space.families().size())];
      std::vector<int> values;
      for (const Axis& axis : family.axes) {
        values.push_back(axis.values[random.index(axis.values.size())]);
      }
      const Algorithm design = family.design(values);
      const Algorithm plain = without_idle_parameters(design, formats);
      if (plain == design) continue;
      if (!is_selected(static_cast<std::size_t>(changed++), 2)) continue;
      DotRunner first(design, formats);
      DotRunner second(plain, formats);
      std::vector<DotValues> rows = confirming_rows(formats, 300, static_cast<unsigned>(i));
      std::vector<const DotValues*> inputs;
      for (const DotValues& row : rows) inputs.push_back(&row);
      const std::vector<Integer> x = first.run(inputs);
      std::vector<Integer> y = second.run(inputs);
      if (design.design().index() != plain.design().index()) {
        // Another algorithm may return another NaN, which counts as equal.
        for (std::size_t r = 0; r < x.size(); ++r) {
          if (same_answer(*formats.d, x[r], y[r])) y[r] = x[r];
        }
      }
      EXPECT_EQ(x, y) << open_design(design, formats).name() << "\n"
                      << open_design(plain, formats).name();
      EXPECT_FALSE(structured_witness(design, plain, formats, 4096, Deadline()))
          << open_design(design, formats).name() << "\n"
          << open_design(plain, formats).name();
    }
  }
  return changed;
}

TEST(IdleParameters, DoNotChangeAnyResult) {
  std::vector<DotFormats> all{
      integers_of("a=u8,b=u8,c=s32,d=s32,k=4"), integers_of("a=u4,b=u4,c=s8,d=s8,k=6"),
      integers_of("a=u4,b=s4,c=s8,d=s8,k=4"), integers_of("a=u4,b=s4,c=s8,d=s32,k=4")};
  for (const char* text :
       {"a=f16,c=f32,k=4", "a=f16,c=f16,k=4", "a=f16,c=f16,d=f32,k=4", "a=e5m2,c=f16,k=8",
        "a=e4m3,c=f32,k=8", "a=bf16,c=f32,k=4", "a=e2m1,c=f16,k=8", "a=e4m3,c=f16,d=f16,k=4",
        "a=e2m1,c=bf16,d=bf16,k=2", "a=e4m3,c=e5m2,d=e5m2,k=4", "a=bf16,c=bf16,d=bf16,k=2",
        "a=f16,c=f32,k=2"}) {
    all.push_back(formats_of(text));
  }
  std::vector<Space> spaces;
  for (const DotFormats& formats : all) spaces.emplace_back(formats, std::vector<std::string>());
  EXPECT_GT(same_without_idle(spaces, 60), 25);
}

TEST(IdleParameters, OfVectorUnitsDoNotChangeAnyResult) {
  // At and beyond the limits at which bits are cut, rounded to odd and counted, and near the limits
  // of narrow formats.
  std::vector<Space> spaces;
  for (const char* text :
       {"a=f16,c=f32,k=4", "a=bf16,c=f32,k=4", "a=bf16,c=bf16,d=bf16,k=2", "a=e4m3,c=f16,k=4",
        "a=e2m1,c=bf16,d=bf16,k=4", "a=e4m3,c=f16,d=f32,k=2", "a=e2m1,c=e5m2,d=e5m2,k=8"}) {
    spaces.emplace_back(formats_of(text), std::vector<std::string>{
                                              "bulk-normalized-dot-add(guard_bits=0..40)",
                                              "ones-complement-dot-add(product_bits=4..24,"
                                              "c_bits=4..28)",
                                              "floored-dot-add(product_bits=4..24,c_bits=4..28)"});
  }
  EXPECT_GT(same_without_idle(spaces, 60), 50);
}

TEST(IdleParameters, OfProductsInPartsAreThoseThatNoInputShows) {
  // Fewer and more bits than results keep.
  std::vector<Space> spaces;
  for (const char* text : {"a=bf16,c=f32,d=f32,k=16", "a=f16,c=bf16,d=bf16,k=16",
                           "a=bf16,c=f32,d=bf16,k=16", "a=bf16,c=bf16,d=f32,k=16"}) {
    spaces.emplace_back(formats_of(text),
                        std::vector<std::string>{"partial-product-dot-add(aligned_bits=23,"
                                                 "fraction_bits=4..23,phases=1|2)"});
  }
  EXPECT_GT(same_without_idle(spaces, 60), 20);
}

TEST(IdleParameters, ArePreservedIfTheyChangeAResult) {
  const auto stays = [](const std::string& text) {
    const Instruction i = find_instruction("design:" + text);
    return without_idle_parameters(i.algorithm, i.formats) == i.algorithm;
  };
  EXPECT_TRUE(stays("fused-dot-add(a=bf16,k=4,fraction_bits=25,floor=-133)"));
  EXPECT_TRUE(stays("fused-dot-add(k=4,fraction_bits=25,floor=-110)"));
  EXPECT_TRUE(stays("fused-dot-add(k=4,fraction_bits=25,align_round=rd,overflow=saturate)"));
  EXPECT_TRUE(stays("fused-dot-add(k=4,fraction_bits=25,round=ru,overflow=saturate)"));
  EXPECT_TRUE(stays("fused-dot-add(k=4,fraction_bits=25,underflow=flush)"));
  EXPECT_TRUE(stays("sequential-fma(a=bf16,k=2,overflow=saturate,round=rz)"));
  EXPECT_TRUE(stays("pair-dot-add(a=bf16,k=2,round=rne,underflow=flush-tiny)"));
  const std::string parts = "partial-product-dot-add(a=bf16,k=16,underflow=flush-tiny,";
  EXPECT_FALSE(stays(parts + "fraction_bits=23)"));
  EXPECT_TRUE(stays(parts + "fraction_bits=23,kept_bits=22)"));
  EXPECT_TRUE(stays(parts + "fraction_bits=10,d=bf16)"));
  EXPECT_TRUE(stays("pair-dot-add(a=bf16,k=2,round=rz,overflow=infinity)"));
  const std::string zeros =
      ",k=4,group=2,underflow=flush,flush_inputs=yes,minus_zero_products=yes,round=rne)";
  EXPECT_TRUE(stays("group-pairwise-sum(a=bf16" + zeros));
  EXPECT_FALSE(stays("group-pairwise-sum(a=f16" + zeros));  // no result is flushed
  EXPECT_TRUE(stays("pair-dot-add(k=2,c=f16,d=f16,round=rne,overflow=saturate)"));
  EXPECT_TRUE(stays("pair-dot-add(k=2,c=f16,d=f16,round=rne,flush_inputs=yes,underflow=flush)"));
  EXPECT_TRUE(stays("pair-dot-add(a=bf16,k=2,round=rne,fused=no)"));
  EXPECT_TRUE(stays("pair-dot-add(k=2,round=rne,kept_bits=20,fused=no)"));
  EXPECT_TRUE(stays("sequential-fma(a=bf16,k=4,chains=2,round=rne,overflow=saturate)"));
  EXPECT_TRUE(stays("sequential-fma(a=bf16,k=2,chains=2,round=rne,flush_inputs=yes)"));
  const std::string complement = "ones-complement-dot-add(round=rne,zero_c_counts=yes,";
  EXPECT_FALSE(stays(complement + "k=2)"));
  EXPECT_TRUE(stays(complement + "a=bf16,k=2)"));
  EXPECT_FALSE(stays(complement + "a=bf16,k=2,underflow=flush)"));
  EXPECT_TRUE(stays(complement + "a=bf16,k=4,underflow=flush)"));
  EXPECT_FALSE(stays(complement + "a=e4m3,b=e5m2,c=f16,d=f16,k=8,block=8,kept_bits=3)"));
  EXPECT_TRUE(stays(
      complement + "a=e4m3,b=e5m2,c=f16,d=f16,k=8,block=8,kept_bits=3,product_bits=12,c_bits=14)"));
  const std::string high = "a=bf16,c=bf16,d=bf16,k=2,through_f32=yes,";
  EXPECT_FALSE(stays("floored-dot-add(" + high + "round=rna,underflow=flush)"));
  EXPECT_TRUE(stays("floored-dot-add(" + high + "round=rna)"));
  EXPECT_TRUE(stays("floored-dot-add(" + high + "round=rna,underflow=flush,kept_bits=6)"));
  EXPECT_FALSE(stays("floored-dot-add(k=4,block=4,group=2,round=rne,overflow=saturate)"));
  EXPECT_TRUE(stays("floored-dot-add(k=4,block=4,group=1,round=rne,overflow=saturate)"));
  EXPECT_TRUE(stays("floored-dot-add(a=bf16,k=2,block=2,round=rne,overflow=saturate)"));
  EXPECT_FALSE(stays("bulk-normalized-dot-add(k=4,guard_bits=4,round=rne,overflow=saturate)"));
  EXPECT_FALSE(stays("bulk-normalized-dot-add(k=4,guard_bits=4,round=rto,overflow=saturate)"));
  EXPECT_TRUE(stays("bulk-normalized-dot-add(k=4,guard_bits=4,round=ru,overflow=saturate)"));
  EXPECT_FALSE(
      stays("bulk-normalized-dot-add(k=4,guard_bits=4,flush_c=yes,round=rto,underflow=flush)"));
  EXPECT_TRUE(stays("bulk-normalized-dot-add(k=4,guard_bits=4,round=rto,underflow=flush)"));
  const std::string bulk = "bulk-normalized-dot-add(a=e5m2,k=4,block=";
  EXPECT_TRUE(stays(bulk + "2,guard_bits=4,round=rne)"));
  EXPECT_FALSE(stays(bulk + "2,guard_bits=5,round=rne)"));
  EXPECT_TRUE(stays(bulk + "4,guard_bits=7,round=rne)"));
  EXPECT_FALSE(stays(bulk + "1,guard_bits=64,round=rne)"));
  EXPECT_TRUE(stays(bulk + "1,guard_bits=64,round=rd)"));
  EXPECT_TRUE(stays(bulk + "1,guard_bits=64,round=rne,flush_c=yes)"));
  const std::string words = "bulk-normalized-dot-add(k=4,dot=pseudo-code,round=rne,overflow=";
  EXPECT_FALSE(stays(words + "saturate,guard_bits=50)"));
  EXPECT_TRUE(stays(words + "saturate,guard_bits=64,a=bf16)"));
  EXPECT_TRUE(stays(words + "infinity,guard_bits=12,a=f16)"));
  EXPECT_TRUE(stays("integer-dot-add(a=u8,b=s8,c=s32,d=s32,k=4,overflow=saturate,group=2)"));
  EXPECT_FALSE(stays("integer-dot-add(a=u8,b=u8,c=s32,d=s32,k=4,overflow=saturate,group=2)"));
  EXPECT_FALSE(stays("sequential-fma(a=bf16,k=2,chains=2,round=rne)"));
  EXPECT_TRUE(stays("sequential-fma(a=bf16,k=4,round=rne,flush_inputs=yes,underflow=flush)"));
  EXPECT_TRUE(stays("sequential-fma(k=4,round=rne,underflow=flush)"));
  EXPECT_TRUE(stays("group-pairwise-sum(k=4,group=2,flush_inputs=no,round=rne,underflow=flush)"));
  EXPECT_TRUE(stays("fused-dot-add(k=4,block=2,fraction_bits=25,c_joins=late)"));
  for (const char* other :
       {"groups=2,sum_round=rd", "groups=1,sum_round=rz", "groups=3,sum_round=rz"}) {
    EXPECT_TRUE(
        stays("round-down-dot-add(k=4,block=4,product_bits=24,sum_bits=31,c_bits=24,"
              "c_round=rd,c_reach=none,product_overflow=128,zero_terms=left-out,round=rne," +
              std::string(other) + ")"));
  }
  EXPECT_FALSE(stays("pair-dot-add(k=2,round=rne,flush_inputs=yes,underflow=flush)"));
  EXPECT_FALSE(stays("pair-dot-add(k=2,round=rne,kept_bits=21,fused=no)"));
  EXPECT_FALSE(stays("sequential-fma(k=4,round=rne,flush_inputs=yes,underflow=flush-tiny)"));
  EXPECT_FALSE(stays("group-pairwise-sum(k=4,group=2,flush_inputs=yes,round=rne,underflow=flush)"));
  EXPECT_FALSE(stays("fused-dot-add(k=4,block=1,fraction_bits=8,floor=9,c_joins=late)"));
  const std::string sum = "fused-dot-add(a=e4m3,c=f16,d=f16,k=2,round=rne,fraction_bits=";
  EXPECT_FALSE(stays(sum + "40)"));  // an exact sum
  for (const char* cut : {"39)", "40,normalize_products=yes)", "40,kept_bits=9)",
                          "40,minus_zero=yes)", "40,flush_inputs=yes)", "40,underflow=flush)"}) {
    EXPECT_TRUE(stays(sum + cut)) << cut;
  }
  EXPECT_FALSE(stays(
      "round-down-dot-add(k=4,block=2,groups=2,sum_round=rz,product_bits=8,sum_bits=31,"
      "c_bits=24,c_round=rd,c_reach=none,product_overflow=128,zero_terms=left-out,round=rne)"));
  EXPECT_TRUE(stays("exact-dot-add(k=2,round=rto,kept_bits=0,underflow=flush-tiny)"));
  EXPECT_FALSE(stays("exact-dot-add(k=2,round=rto,kept_bits=1,underflow=flush-tiny)"));
  EXPECT_FALSE(stays("pair-dot-add(k=2,round=rz,underflow=flush-tiny)"));
  EXPECT_FALSE(stays("pair-dot-add(k=2,round=rne,overflow=saturate)"));
  EXPECT_FALSE(stays("sequential-fma(k=4,chains=2,round=rne,overflow=saturate)"));
  EXPECT_FALSE(stays("fused-dot-add(k=4,fraction_bits=25,floor=-133)"));
  EXPECT_TRUE(stays("fused-dot-add(a=bf16,k=4,fraction_bits=25,floor=-130)"));
  EXPECT_TRUE(
      stays("fused-dot-add(a=bf16,k=4,fraction_bits=25,floor=-130,c_joins=late,underflow=flush)"));
  EXPECT_TRUE(stays("exact-dot-add(k=2,round=rz,kept_bits=1,underflow=flush)"));
  EXPECT_FALSE(stays("exact-dot-add(k=2,round=rz,kept_bits=0,underflow=flush)"));
  const std::string scaled = "fused-dot-add(a=e2m1,c=f32,k=16,scale=ue4m3,fraction_bits=30,";
  EXPECT_FALSE(stays(scaled + "scale_block=16,flush_inputs=yes,underflow=flush)"));
  EXPECT_TRUE(stays(scaled + "scale_block=16,underflow=flush)"));
  EXPECT_TRUE(stays("bulk-normalized-dot-add(a=e4m3,k=4,block=2,guard_bits=64,round=rd)"));
  EXPECT_FALSE(stays("bulk-normalized-dot-add(a=e4m3,k=4,block=2,guard_bits=64,round=rz)"));
  EXPECT_FALSE(stays("split-fp8(a=e5m2,k=8,halves=added,fraction_bits=13,c_joins=late)"));
  EXPECT_TRUE(stays("split-fp8(a=e5m2,k=8,halves=chained,fraction_bits=13,c_joins=late)"));
  EXPECT_FALSE(stays("fused-dot-add(k=4,fraction_bits=25,round=rz,overflow=saturate)"));
}

TEST(IdleParameters, HoldWhereCJoinsUpToTheBitThatCutsAProduct) {
  // If c is rounded to nearest, or if the floor or zeros determine the cut, one bit less may be
  // enough.
  for (const auto& [text, is_tight] : std::vector<std::pair<std::string, bool>>{
           {"a=e3m2,b=e3m2,c=f16,d=f16,k=8", true},
           {"a=e2m1,b=e4m3,c=f16,d=f16,k=8,normalize_products=yes", true},
           {"a=e2m3,b=e2m3,c=f16,d=f32,k=8,block=4", false},
           {"a=e3m2,c=f16,d=f16,k=4,minus_zero=yes", true},
           {"a=e2m1,c=bf16,d=bf16,k=4,round=rne", false},
           {"a=e3m2,c=f16,d=f16,k=4,floor=20", false},
           {"a=e2m1,c=f16,d=f16,k=4,zero_terms=operands-count,zero_exponent=20", false},
           {"a=e2m1,c=f16,d=f16,k=8,scale=ue4m3,scale_block=4,align_round=rd", false}}) {
    const auto with = [&name = text](int bits, const std::string& joins) {
      return find_instruction("design:fused-dot-add(" + name +
                              ",fraction_bits=" + std::to_string(bits) + ",c_joins=" + joins + ")");
    };
    const auto plain = [](const Instruction& i) {
      return without_idle_parameters(i.algorithm, i.formats);
    };
    int enough = 1;
    while (plain(with(enough, "late")) != plain(with(enough, "early"))) ++enough;
    for (const int bits : {enough - 1, enough, enough + 3}) {
      SCOPED_TRACE(with(bits, "late").name());
      DiffOptions options;
      options.strategies = options.strategies.only({Strategy::search});
      const DiffResult found = diff(with(bits, "late"), with(bits, "early"), options, nobody());
      if (bits >= enough || is_tight) {
        EXPECT_EQ(found.witnesses.empty(), bits >= enough);
      }
    }
  }
}

TEST(IdleParameters, HoldUpToTheirLimits) {
  struct Limit {
    std::string first;  ///< a design; # stands for the value
    std::string second;
    int idle;       ///< the last value with equal results
    int next;       ///< the next value
    bool is_tight;  ///< an input distinguishes them there
  };
  const std::string bulk = "bulk-normalized-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=4,block=2,round=";
  const std::string of_f32 = "(a=e4m3,c=f32,k=4,round=rz,";
  const std::string alone = "bulk-normalized-dot-add(a=f16,c=bf16,d=bf16,k=2,block=1,round=rne,";
  const std::string rounded_down =
      "round-down-dot-add(a=e5m2,c=f16,d=f16,k=4,block=2,groups=1,product_bits=10,c_bits=10,"
      "c_round=rz,c_reach=none,product_overflow=16,zero_terms=left-out,round=rd,sum_round=rd,";
  const std::string added =
      "split-fp8(a=e4m3,b=e5m2,c=f16,d=f16,k=8,halves=added,round=ru,kept_bits=9,"
      "fraction_bits=12,product_overflow=#,overflow=";
  const std::string halves =
      "split-fp8(a=e5m2,c=f16,d=f16,k=4,halves=chained,round=rne,kept_bits=3,align_round=rd,"
      "fraction_bits=#,c_joins=";
  const std::string crowd =
      "ones-complement-dot-add(a=f16,c=f32,k=16,block=16,round=ru,kept_bits=#,underflow=";
  const std::string one =
      "ones-complement-dot-add(a=bf16,c=f32,k=4,block=1,round=rz,kept_bits=10,"
      "underflow=flush,product_bits=#,c_bits=#,zero_c_counts=";
  const std::string two =
      "fused-dot-add(a=e5m2,c=f16,d=f16,k=4,block=1,round=ru,fraction_bits=#,align_round=";
  const std::string floored =
      "fused-dot-add(a=bf16,c=f32,k=4,fraction_bits=25,round=rz,underflow=flush,floor=";
  const std::string down = "fused-dot-add(a=f16,c=f32,k=4,align_round=rd,fraction_bits=#,overflow=";
  const std::string fma = "(a=f16,c=f32,k=4,kept_bits=#";
  const std::string sums_of_e2m1 = "(a=e2m1,c=f32,k=8,round=rne,kept_bits=#,";
  const std::string tiny = "(a=bf16,c=bf16,d=f32,k=2,kept_bits=#,flush_inputs=yes,underflow=flush";
  const std::string zeros =
      "group-pairwise-sum(a=bf16,c=f32,k=#,group=2,flush_inputs=yes,underflow=flush,"
      "minus_zero_products=";
  const std::string partial =
      "partial-product-dot-add(a=bf16,c=bf16,d=bf16,k=16,block=16,group=8,fraction_bits=10,"
      "round=rna,underflow=flush-tiny,aligned_bits=";
  const std::string patterns =
      "bulk-normalized-dot-add(a=e5m2,c=f32,k=4,scale=ue8m0,scale_block=4,numbers_alone=yes,"
      "guard_bits=";
  std::size_t index = 0;
  for (const Limit& limit : std::vector<Limit>{
           {"sequential-fma" + fma + ")",
            "group-pairwise-sum" + fma + ",group=1,minus_zero_products=yes)", 21, 20, true},
           {"exact-dot-add" + sums_of_e2m1 + "block=8)",
            "group-pairwise-sum" + sums_of_e2m1 + "group=8)", 10, 9, false},
           {"bulk-normalized-dot-add" + sums_of_e2m1 + "block=8,guard_bits=0)",
            "exact-dot-add" + sums_of_e2m1 + "block=8)", 10, 9, false},
           {"pair-dot-add" + tiny + ",fused=no)", "pair-dot-add" + tiny + "-tiny,fused=no)", 16, 15,
            false},
           {"group-pairwise-sum" + tiny + ",group=2)",
            "group-pairwise-sum" + tiny + "-tiny,group=2)", 16, 15, false},
           {zeros + "yes)", zeros + "no)", 2, 4, true},
           {partial + "#)", partial + "23)", 23, 24, true},
           {partial + "#)", partial + "25)", 25, 24, true},
           {partial + "#,phases=4)", partial + "23,phases=4)", 23, 24, true},
           {patterns + "#)", patterns + "50)", 41, 40, true},
           {bulk + "rto,guard_bits=#)", bulk + "rto,guard_bits=40)", 4, 3, true},
           {bulk + "rz,guard_bits=#)", bulk + "rz,guard_bits=40)", 5, 4, false},
           {bulk + "rne,guard_bits=#)", bulk + "rne,guard_bits=40)", 6, 5, true},
           {bulk + "rto,kept_bits=2,guard_bits=#)", bulk + "rto,kept_bits=2,guard_bits=40)", 1, 0,
            false},
           {"bulk-normalized-dot-add" + of_f32 + "block=2,guard_bits=#)",
            "group-pairwise-sum" + of_f32 + "group=2,flush_inputs=no)", 2, 1, true},
           {alone + "guard_bits=#)", alone + "guard_bits=40)", 14, 13, false},
           {rounded_down + "sum_bits=#)", rounded_down + "sum_bits=30)", 14, 13, false},
           {added + "directed)", added + "infinity)", 14, 15, true},
           {halves + "late)", halves + "early)", 14, 13, false},
           {crowd + "flush-tiny)", crowd + "flush)", 20, 21, false},
           {one + "yes)", one + "no)", 17, 16, false},
           {two + "rd)", two + "rz)", 27, 26, false},
           {floored + "#)", floored + "none)", -130, -129, false},
           {down + "saturate)", down + "infinity)", 27, 26, false}}) {
    if (!is_selected(index++, 2)) continue;
    const auto with = [](std::string text, int value) {
      for (auto at = text.find('#'); at != std::string::npos; at = text.find('#')) {
        text.replace(at, 1, std::to_string(value));
      }
      return find_instruction("design:" + text);
    };
    for (const int value : {limit.idle, limit.next}) {
      const Instruction first = with(limit.first, value);
      const Instruction second = with(limit.second, value);
      SCOPED_TRACE(first.name() + " and " + second.name());
      const DotFormats& formats = first.formats;
      const bool same = without_idle_parameters(first.algorithm, formats) ==
                        without_idle_parameters(second.algorithm, formats);
      EXPECT_EQ(same, value == limit.idle);
      const bool differ =
          structured_witness(first.algorithm, second.algorithm, formats, 1 << 17, Deadline())
              .has_value();
      EXPECT_EQ(differ, limit.is_tight && value == limit.next);
    }
  }
}

TEST(Identify, FindsTheCataloguesDesignInRecordedRows) {
  const std::string file =
      (recorded_vectors() / "hardware").string() + "/h100_mma.m16n8k16.f32.f16.f16.f32.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no recorded rows in " << recorded_vectors();
  const Instruction known = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const Space space(known.formats, {});
  std::vector<Answered> answers = read_answers(file, known.formats);
  answers.resize(300);
  const Left left = identify_offline(space, answers, options(), solvers());
  ASSERT_NE(left.so_far.verdict, Identified::none_fits);
  EXPECT_THAT(left.so_far.names, Contains(known.name()));
  for (const Open& open : left.open) EXPECT_THAT(open.algorithm, HasSubstr("block=16"));
}

}  // namespace
}  // namespace mmaspec::identify_test
