// Analytical proofs about an algorithm's steps: compared with all other strategies if those decide,
// and with random inputs if they do not; no proof is made for designs that lack a step's premise.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "concrete/dot/runner.h"
#include "queries/errors/error_analysis.h"
#include "queries/prove/prove.h"
#include "queries/studies/table/table.h"
#include "queries/values/distance.h"
#include "queries/values/exact_result.h"
#include "tests/support/case_selection.h"
#include "tests/support/searched.h"

namespace mmaspec::steps_test {
namespace {

Subject subject(const std::vector<std::string>& names, int within = 0) {
  Subject s =
      subject_of(find_instruction(names.at(0)),
                 names.size() > 1 ? std::optional(find_instruction(names[1])) : std::nullopt);
  s.within = within;
  return s;
}

bool is_argued(const std::string& property, const Subject& s) {
  return find_property(property).holds_because(s).has_value();
}

// Analytical proofs about steps compared with all other strategies, for formats that those can
// decide.
TEST(Steps, AgreeWithAllStrategies) {
  ProveOptions all;
  all.strategies.to_the_end = true;
  const Portfolio solvers("auto", Limits{10});
  const Portfolio to_their_end("auto", Limits{1});
  const std::string tiny = "(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1";
  std::size_t index = 0;
  for (const char* property : {"monotone-c", "negation-symmetric", "accumulator-preserved",
                               "subnormal-inputs", "subnormal-results"}) {
    for (const std::string& name :
         {"design:sequential-fma" + tiny + ")", "design:group-pairwise-sum" + tiny + ",group=1)",
          "design:exact-dot-add" + tiny + ")",
          "design:bulk-normalized-dot-add" + tiny + ",guard_bits=20,round=rne)"}) {
      if (!is_selected(index++, 3)) continue;
      const Proof proof = prove(find_property(property), subject({name}), all, to_their_end);
      EXPECT_EQ(proof.outcome, Outcome::proved) << property << " of " << name;
      ProveOptions others;
      others.strategies.set(Strategy::steps, false);
      EXPECT_EQ(prove(find_property(property), subject({name}), others, solvers).outcome,
                Outcome::proved)
          << property << " of " << name;
    }
  }
}

TEST(Steps, DoNotDecideDesignsThatViolateTheProperty) {
  for (const auto& [property, name] : std::vector<std::pair<std::string, std::string>>{
           {"negation-symmetric", "cdna3/v_mfma_f32_32x32x8_f16"},
           {"negation-symmetric", "design:fused-dot-add(k=4,fraction_bits=24,align_round=rd)"},
           {"monotone-product", "cdna2/v_mfma_f32_32x32x8f16"},
           {"monotone-c",
            "design:fused-dot-add(a=e2m1,c=f16,d=f32,k=1,fraction_bits=24,zero_terms=operands-"
            "count,"
            "zero_exponent=-20)"},
           {"scale-invariant",
            "design:fused-dot-add(a=e5m2,c=f16,d=f16,k=4,block=2,fraction_bits=3)"},
           {"accumulator-preserved", "cdna2/v_mfma_f32_32x32x8f16"},
           {"subnormal-results", "cdna2/v_mfma_f32_32x32x8f16"},
           {"correctly-rounded", "cdna1/v_mfma_f32_32x32x2f32"},
           {"correctly-rounded", "design:sequential-fma(k=1,round=rz)"},
           {"accumulator-preserved", "design:sequential-fma(a=e4m3,b=e4m3,c=f32,d=e4m3,k=1)"},
           {"accumulator-preserved", "design:exact-dot-add(c=f32,d=f16,k=2)"},
           {"subnormal-results", "design:exact-dot-add(k=2,underflow=flush)"},
           {"subnormal-inputs", "design:bulk-normalized-dot-add(k=2,guard_bits=60,flush_c=yes)"},
           {"no-early-overflow",
            "design:bulk-normalized-dot-add(c=f16,d=f16,k=4,block=2,guard_bits=60,round=rne)"},
           {"no-spurious-nan",
            "design:bulk-normalized-dot-add(c=f16,d=f16,k=4,block=2,guard_bits=60,round=rne)"},
           {"no-spurious-nan", "design:group-pairwise-sum(k=2,a=f16,group=2,flush_inputs=yes)"},
           {"single-normalization", "design:sequential-fma(k=2,round=rd)"}}) {
    EXPECT_FALSE(find_property(property).holds_because(subject({name}))) << property << " " << name;
  }
}

// Compared with the exact sum with the same rounding, for any rounding.
TEST(Steps, ProveThatOneRoundingIsOneNormalization) {
  const std::string exact = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2";
  for (const std::string& name :
       {exact + ",round=rd)", exact + ",kept_bits=5)",
        exact + ",underflow=flush,overflow=directed)",
        std::string("design:sequential-fma(k=1,round=rd)"),
        std::string("design:sequential-fma(k=1,underflow=flush)"),
        std::string("design:sequential-fma(k=1,kept_bits=5,overflow=saturate)")}) {
    const Subject s = subject({name});
    EXPECT_TRUE(is_argued("single-normalization", s)) << name;
    EXPECT_NE(searched("single-normalization", s), Outcome::refuted) << name;
  }
  // Flushing an operand is not a second normalization; rounding a product before the sum is.
  const std::string pairs = "design:group-pairwise-sum(a=e5m2,b=e5m2,c=e5m2,d=e5m2,group=1,k=";
  EXPECT_EQ(searched("single-normalization",
                     subject({"design:group-pairwise-sum(a=e2m1,b=e2m1,c=f16,d=f16,group=1,k=1,"
                              "flush_inputs=yes)"})),
            Outcome::proved);
  EXPECT_EQ(searched("single-normalization", subject({pairs + "1)"})), Outcome::refuted);
}

// Rounded products of normal numbers double, also if they have more bits than the result.
TEST(Steps, DoubleRoundedProducts) {
  const std::string products = "(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=2";
  const Subject rounded = subject({"design:group-pairwise-sum" + products + ",group=1)"});
  EXPECT_TRUE(is_argued("scale-invariant", rounded));
  EXPECT_NE(searched("scale-invariant", rounded), Outcome::refuted);
  EXPECT_FALSE(is_argued("scale-invariant", subject({"design:sequential-fma" + products + ")"})));
}

TEST(Steps, DetermineWhichDesignsRoundOnce) {
  const auto equal = [](const std::string& x, const std::string& y) {
    return find_property("equivalent").holds_because(subject({x, y})).has_value();
  };
  EXPECT_TRUE(equal("design:sequential-fma(c=f16,k=1)", "design:exact-dot-add(c=f16,k=1)"));
  EXPECT_FALSE(equal("design:sequential-fma(c=f16,k=2)", "design:exact-dot-add(c=f16,k=2)"));
  EXPECT_FALSE(
      equal("design:sequential-fma(c=f16,k=1)", "design:exact-dot-add(c=f16,k=1,round=rz)"));
  // e2m1 products lie between 2^-2 and 2^6, f16 between 2^-24 and 2^16.
  const std::string exact = "design:exact-dot-add(a=e2m1,c=f16,k=2)";
  const std::string cut = "design:fused-dot-add(a=e2m1,c=f16,k=2,round=rne,fraction_bits=";
  EXPECT_TRUE(equal(cut + "39)", exact));
  EXPECT_FALSE(equal(cut + "38)", exact));
  EXPECT_TRUE(equal("design:group-pairwise-sum(k=1,group=1)", "design:sequential-fma(k=1)"));
  EXPECT_FALSE(
      equal("design:group-pairwise-sum(a=bf16,k=1,group=1)", "design:sequential-fma(a=bf16,k=1)"));
}

/// Random designs of small formats, with parameters near the limits of the proofs.
class Drawn {
 public:
  explicit Drawn(unsigned seed) : random_(seed) {}

  std::string next() {
    const int k = 1 + below(4);
    const std::string d = one_of({"e5m2", "e5m2", "f16"});
    const std::string c = one_of({"e5m2", d, d});
    const int c_bits = find_format(c)->fraction_bits;
    const std::string formats = "a=" + one_of({"e2m1", "e2m3", "e3m2", "e5m2"}) +
                                ",b=" + one_of({"e2m1", "e3m2"}) + ",c=" + c + ",d=" + d;
    const auto near = [&](const std::string& key, int least) {
      return "," + key + "=" + std::to_string(std::max(c_bits + least + below(4), 0));
    };
    std::string result = at_times(3, ",round=" + one_of({"rz", "rne", "rd", "rna"})) +
                         at_times(5, ",kept_bits=" + std::to_string(below(3))) +
                         at_times(5, ",underflow=flush") + at_times(8, ",overflow=saturate");
    const std::string zeros =
        at_times(3, ",zero_terms=" + one_of({"left-out", "operands-count"})) +
        at_times(2, ",zero_exponent=" + one_of({"-20", "-15", "-14", "-13", "0"}));
    const std::string of_k = "(" + formats + ",k=" + std::to_string(k);
    switch (below(5)) {
      case 0:
        return "design:sequential-fma" + of_k + result + ")";
      case 1:
        return "design:group-pairwise-sum" + of_k + ",group=" + (k % 2 == 0 ? "2" : "1") +
               at_times(3, ",flush_inputs=yes") + result + ")";
      case 2:
        return "design:round-down-dot-add" + of_k + near("product_bits", -2) +
               near("sum_bits", -1) + near("c_bits", -1) + at_times(3, ",c_reach=4") +
               at_times(2, ",block=1") + zeros + result + ")";
      case 3:
        return "design:group-dot-fused-sum(a=e2m1,c=" + c + ",d=" + d +
               ",k=2,group=1,scale=" + one_of({"ue8m0", "ue4m3"}) +
               ",scale_block=1,fraction_bits=" + std::to_string(1 + below(12)) +
               at_times(4, ",zero_terms=operands-count") + result + ")";
      default:
        return "design:fused-dot-add" + of_k + near("fraction_bits", -1) + zeros +
               at_times(3, ",floor=" + std::to_string(-18 + below(8))) +
               at_times(5, ",align_round=rd") + at_times(5, ",c_joins=late") +
               at_times(5, ",normalize_products=yes") + at_times(8, ",flush_inputs=yes") +
               at_times(8, ",product_overflow=4") + at_times(3, ",block=1") + result + ")";
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  std::string at_times(int n, const std::string& text) { return below(n) == 0 ? text : ""; }

  std::mt19937 random_;
};

TEST(Steps, AreNotRefutedBySearchesOnRandomDesigns) {
  Drawn designs(1);
  std::map<std::string, int> argued;
  for (std::size_t i = 0; i < 25; ++i) {
    const std::string name = designs.next();
    for (const std::string property :
         {"monotone-c", "monotone-product", "scale-invariant", "no-early-overflow",
          "no-spurious-nan", "permutation-invariant", "negation-symmetric", "subnormal-results"}) {
      const Subject s = subject({name});
      if (!find_property(property).not_applicable(s).empty() || !is_argued(property, s)) continue;
      ++argued[property];
      if (!is_selected(i, 2)) continue;
      EXPECT_NE(searched(property, s, AllInputs::left_out), Outcome::refuted)
          << property << " of " << name;
    }
  }
  EXPECT_GT(argued["monotone-c"], 7);
  EXPECT_GT(argued["scale-invariant"], 3);
  EXPECT_GT(argued["monotone-product"], 3);
}

// With one parameter less the property fails.
TEST(Steps, HoldUpToTheLimitOfTheProperty) {
  const std::string e5m2 = "(a=e2m1,b=e2m1,c=e5m2,d=e5m2,";
  const std::string groups = "design:group-dot-fused-sum" + e5m2 + "k=2,group=1,scale=ue8m0,";
  struct Pair {
    std::string property, holds, fails;
  };
  for (const Pair& p : std::vector<Pair>{
           {"monotone-c", "design:fused-dot-add" + e5m2 + "k=2,fraction_bits=3,align_round=rd)",
            "design:fused-dot-add" + e5m2 + "k=2,fraction_bits=2,align_round=rd)"},
           {"monotone-c", "design:fused-dot-add(k=4,a=f16,c=f32,d=f32,fraction_bits=25)",
            "design:fused-dot-add(k=4,a=f16,c=f32,d=f32,fraction_bits=24)"},
           {"monotone-c", "design:round-down-dot-add" + e5m2 + "k=2,sum_bits=3,zero_exponent=-14)",
            "design:round-down-dot-add" + e5m2 + "k=2,sum_bits=1,zero_exponent=-14)"},
           {"monotone-c", "design:floored-dot-add" + e5m2 + "k=2,group=1,product_bits=2,c_bits=3)",
            "design:floored-dot-add" + e5m2 + "k=2,group=1,product_bits=2,c_bits=2)"},
           {"monotone-product", groups + "scale_block=1,fraction_bits=3)",
            groups + "scale_block=1,fraction_bits=1)"},
           {"scale-invariant", "design:fused-dot-add(k=2,a=f16,c=f16,d=f16,fraction_bits=20)",
            "design:fused-dot-add(k=2,a=f16,c=f16,d=f16,fraction_bits=20,round=rne)"},
           {"scale-invariant", "design:fused-dot-add(k=2,a=e4m3,c=f16,d=f16,fraction_bits=20)",
            "design:fused-dot-add(k=2,a=e4m3,c=f16,d=f16,fraction_bits=20,underflow=flush)"},
           {"scale-invariant", "design:group-pairwise-sum(k=2,a=f16,group=2,underflow=flush)",
            "design:group-pairwise-sum(k=2,a=bf16,group=2,underflow=flush)"},
           {"scale-invariant",
            "design:ones-complement-dot-add(k=2,a=f16,product_bits=24,c_bits=26)",
            "design:ones-complement-dot-add(k=2,a=f16,product_bits=24,c_bits=25)"},
           {"scale-invariant", "rdna4/v_dot2_bf16_bf16", "rdna4/v_wmma_bf16_16x16x16_bf16"},
           {"scale-invariant", "cdna5/v_wmma_bf16_16x16x32_bf16", "cdna5/v_wmma_f16_16x16x32_f16"},
           {"scale-invariant", "cdna5/v_wmma_f16_16x16x64_fp8_bf8",
            "cdna5/v_wmma_f16_16x16x32_f16"},
           {"accumulator-preserved", "cdna5/v_wmma_bf16_16x16x32_bf16",
            "cdna5/v_wmma_bf16f32_16x16x32_bf16"},
           {"no-spurious-nan", "cdna5/v_wmma_f16_16x16x32_f16", "cdna5/v_wmma_bf16_16x16x32_bf16"},
           {"no-spurious-nan", "design:group-pairwise-sum(k=2,a=f16,group=2)",
            "design:group-pairwise-sum(k=2,a=f16,group=2,flush_inputs=yes)"},
           {"no-early-overflow", "blackwell/tcgen05.mma.m64n8k32.f16.e3m2.e3m2",
            "blackwell/tcgen05.mma.m64n8k32.f16.e4m3.e2m1"},
           {"permutation-invariant", "design:group-pairwise-sum(k=2,a=bf16,group=2)",
            "design:group-pairwise-sum(k=4,a=bf16,group=2)"}}) {
    EXPECT_TRUE(is_argued(p.property, subject({p.holds}))) << p.property << " of " << p.holds;
    EXPECT_NE(searched(p.property, subject({p.holds}), AllInputs::left_out), Outcome::refuted)
        << p.property << " of " << p.holds;
    EXPECT_FALSE(is_argued(p.property, subject({p.fails}))) << p.property << " of " << p.fails;
    constexpr std::size_t kEnough = 300'000'000;  // for any random numbers
    EXPECT_EQ(searched(p.property, subject({p.fails}), AllInputs::left_out, kEnough),
              Outcome::refuted)
        << p.property << " of " << p.fails;
  }
}

/// The definitions of faithful, exact-when-representable and no-early-overflow for one input, from
/// the sorted values of all of d's patterns: no other code of the library finds the neighbours.
class AllNumbers {
 public:
  explicit AllNumbers(const Format& d) : d_(d) {
    for (Integer p = 0; p < power_of_two(static_cast<unsigned>(d.storage_bits)); ++p) {
      const Decoded x = decode(d, p);
      if (x.is_finite()) all_.push_back(x.value());
    }
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }

  bool holds(const Rational& x) const { return std::binary_search(all_.begin(), all_.end(), x); }

  bool is_neighbour(const Integer& d, const Rational& exact) const {
    const Decoded x = decode(d_, d);
    const bool beyond = boost::multiprecision::abs(exact) > all_.back();
    if (!x.is_finite()) {
      const bool is_infinity = x.is_infinite && x.negative == (exact < 0);
      return beyond && (is_infinity || (x.is_nan && !d_.has_infinity()));
    }
    const auto above = std::lower_bound(all_.begin(), all_.end(), exact);  // the first that is not
                                                                           // less
    if (above != all_.end() && *above == exact) return x.value() == exact;
    return (above != all_.end() && x.value() == *above) ||
           (above != all_.begin() && x.value() == *std::prev(above));
  }

  /// Is it rounded, to nearest even, to a finite number? That is, is it less than half a step
  /// beyond the largest?
  bool rounds_to_finite(const Rational& x) const {
    const Rational half_a_step = (all_.back() - all_[all_.size() - 2]) / 2;
    const Rational size = boost::multiprecision::abs(x);
    const bool largest_is_even = d_.largest_finite() % 2 == 0;
    return size < all_.back() + half_a_step ||
           (largest_is_even && size == all_.back() + half_a_step);
  }

 private:
  const Format& d_;
  std::vector<Rational> all_;
};

// Every rounding, underflow and overflow, for all inputs. Random patterns of finite numbers, often
// of similar magnitude.
Integer finite_pattern(const Format& f, std::mt19937& random) {
  for (;;) {
    Integer x = Integer(random()) % power_of_two(static_cast<unsigned>(f.storage_bits));
    if (random() % 2 == 0) {
      const Integer one = Integer(f.bias) << static_cast<unsigned>(f.fraction_bits);
      x = one + Integer(random() % 64) +
          (random() % 2 == 0 ? power_of_two(static_cast<unsigned>(f.sign_bit())) : 0);
    }
    if (decode(f, x).is_finite()) return x;
  }
}

// A larger c, or product, gives no smaller result if this is proved from the plan's steps.
TEST(Steps, OfPlansAreNotRefutedByRandomInputs) {
  std::mt19937 random(5);
  const std::string fused = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=12)";
  const std::string fma = "design:sequential-fma(a=f16,b=f16,c=f32,d=f32,k=2)";
  const std::string exact = "design:exact-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=2,round=rz)";
  struct Case {
    std::string plan;
    bool in_c;
    bool in_products;
  };
  for (const Case& c : std::vector<Case>{
           {"plan:split-k(" + fused + ",k=8,parts=2)", true, false},
           {"plan:split-k(" + fused + ",k=8,parts=2,c_joins=first)", false, false},
           {"plan:split-k(" + fused + ",k=8,parts=4,reduce=atomic,order=3)", true, false},
           {"plan:promote(" + fused + ",k=8,every=2)", true, false},
           {"plan:promote(" + fused + ",k=8,every=2,scales=yes)", true, false},
           {"plan:epilogue(" + fused + ",k=4,out=e4m3,saturate=yes)", true, false},
           {"plan:epilogue(" + fused + ",k=4,out=bf16,beta=-1)", false, false},
           {"plan:ootomo(" + fused + ",k=4)", true, false},
           {"plan:bf16x3(design:fused-dot-add(a=bf16,b=bf16,c=f32,d=f32,k=2,fraction_bits=12),k=4)",
            false, false},
           {"plan:split-k(" + fma + ",k=8,parts=2,c_joins=first)", false, true},
           {"plan:promote(" + fma + ",k=8,every=2)", true, true},
           {"plan:epilogue(" + fma + ",k=4,out=bf16,bias=after)", true, true},
           {"plan:epilogue(" + fma + ",k=4,out=f16,alpha=-1)", true, false},
           {"plan:split-k(" + exact + ",k=8,parts=2)", true, true}}) {
    const Subject s = subject({c.plan});
    EXPECT_EQ(is_argued("monotone-c", s), c.in_c) << c.plan;
    EXPECT_EQ(is_argued("monotone-product", s), c.in_products) << c.plan;
    const DotFormats& f = s.formats();
    DotRunner runner(s.first.algorithm, f);
    for (int i = 0; i < 300; ++i) {
      DotValues v;
      for (int k = 0; k < f.k; ++k) {
        v.a.push_back(finite_pattern(*f.a, random));
        v.b.push_back(finite_pattern(*f.b, random));
      }
      v.c = finite_pattern(*f.c, random);
      for (int k = 0; k < (f.scale == nullptr ? 0 : f.scales()); ++k) {
        v.scale_a.push_back(finite_pattern(*f.scale, random));
        v.scale_b.push_back(finite_pattern(*f.scale, random));
      }
      DotValues w = v;
      const bool of_c = c.in_c && (!c.in_products || random() % 2 == 0);
      const std::size_t k = random() % v.a.size();
      if (of_c) {
        w.c = finite_pattern(*f.c, random);
      } else {
        w.a[k] = finite_pattern(*f.a, random);
        w.b[k] = finite_pattern(*f.b, random);
      }
      if (!c.in_c && !c.in_products) continue;
      const auto moved = [&](const DotValues& x) {
        return of_c ? decode(*f.c, x.c).value()
                    : Rational(decode(*f.a, x.a[k]).value() * decode(*f.b, x.b[k]).value());
      };
      if (moved(w) < moved(v)) std::swap(v, w);
      const Integer low = runner.run(v);
      const Integer high = runner.run(w);
      if (decode(*f.d, low).is_nan || decode(*f.d, high).is_nan) continue;
      EXPECT_LE(ordinal(*f.d, low), ordinal(*f.d, high)) << c.plan << (of_c ? " c" : " product");
    }
  }
}

TEST(Steps, ProveThatOneRoundingIsFaithful) {
  const std::vector<std::string> roundings{"rz", "rne", "rd", "ru", "rna"};
  std::size_t index = 0;
  std::size_t faithful = 0;
  std::size_t refuted = 0;
  for (const std::string design :
       {"design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=60",
        "design:fused-dot-add(a=e3m2,b=e2m1,c=e4m3,d=e4m3,k=1,fraction_bits=60",
        "design:exact-dot-add(a=e2m1,b=e2m1,c=e4m3,d=e5m2,k=1",
        "design:sequential-fma(a=e3m2,b=e2m1,c=e5m2,d=e5m2,k=1"}) {
    for (const std::string& rounding : roundings) {
      for (const char* more :
           {"", ",overflow=directed", ",overflow=saturate", ",underflow=flush", ",kept_bits=1"}) {
        if (!is_selected(index++, 7)) continue;
        const std::string name = design + ",round=" + rounding + more + ")";
        const Subject s = subject({name});
        const DotFormats& f = s.formats();
        const bool argued = is_argued("faithful", s);
        EXPECT_EQ(argued, std::string(more).find("w=flush") == std::string::npos &&
                              std::string(more).find("kept") == std::string::npos)
            << name;
        EXPECT_EQ(is_argued("exact-when-representable", s), argued) << name;
        const bool no_early = is_argued("no-early-overflow", s);
        if (argued) ++faithful;
        const AllNumbers numbers(*f.d);
        DotRunner runner(s.first.algorithm, f);
        std::vector<DotValues> inputs;
        for (int x = 0; x < 1 << (f.a->storage_bits + f.b->storage_bits + 8); ++x) {
          const int b = x >> f.a->storage_bits;
          DotValues v{{x % (1 << f.a->storage_bits)},
                      {b % (1 << f.b->storage_bits)},
                      b >> f.b->storage_bits,
                      {},
                      {}};
          if (exact_dot(f, v)) inputs.push_back(std::move(v));
        }
        std::vector<const DotValues*> all;
        for (const DotValues& v : inputs) all.push_back(&v);
        const std::vector<Integer> d = runner.run(all);
        std::size_t unfaithful = 0;
        std::size_t unlike = 0;
        std::size_t early = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
          const Rational exact = *exact_dot(f, inputs[i]);
          const Decoded result = decode(*f.d, d[i]);
          unfaithful += numbers.is_neighbour(d[i], exact) ? 0 : 1;
          unlike +=
              numbers.holds(exact) && (!result.is_finite() || result.value() != exact) ? 1 : 0;
          early += !result.is_finite() && numbers.rounds_to_finite(exact) ? 1 : 0;
        }
        if (argued) {
          EXPECT_EQ(unfaithful, 0U) << name;
          EXPECT_EQ(unlike, 0U) << name;
        } else if (unfaithful > 0) {
          ++refuted;
        }
        if (no_early) {
          EXPECT_EQ(early, 0U) << name;
        }
      }
    }
  }
  EXPECT_GT(faithful, 5U);
  EXPECT_GT(refuted, 0U);  // only with the format's subnormal numbers
}

// One bit less than a sum without cuts needs, another order of c, or a second rounding: nothing is
// concluded.
TEST(Steps, DoNotDecideFaithfulnessWithSeveralRoundings) {
  for (const std::string rounding : {"rz", "rd", "ru", "rna", "rne"}) {
    const std::string cut = "design:fused-dot-add(a=e2m1,c=f16,d=f16,k=2,round=" + rounding;
    EXPECT_TRUE(is_argued("faithful", subject({cut + ",fraction_bits=60)"}))) << rounding;
    EXPECT_TRUE(is_argued("faithful", subject({cut + ",fraction_bits=39)"}))) << rounding;
    EXPECT_FALSE(is_argued("faithful", subject({cut + ",fraction_bits=38)"}))) << rounding;
    EXPECT_FALSE(is_argued("faithful", subject({cut + ",fraction_bits=60,block=1)"}))) << rounding;
    EXPECT_FALSE(is_argued("faithful", subject({cut + ",fraction_bits=60,flush_inputs=yes)"})))
        << rounding;
    EXPECT_FALSE(is_argued("faithful", subject({cut + ",fraction_bits=60,c_joins=late)"})))
        << rounding;
    EXPECT_FALSE(is_argued("faithful", subject({"plan:chain(" + cut + ",fraction_bits=60),k=4)"})))
        << rounding;
  }
}

// All inputs of small designs.
TEST(Steps, HoldForAllInputsOfSmallDesigns) {
  const std::string e5m2 = "(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,";
  for (const auto& [property, name] : std::vector<std::pair<std::string, std::string>>{
           {"monotone-c", "design:fused-dot-add" + e5m2 + "fraction_bits=2)"},
           {"monotone-c", "design:fused-dot-add" + e5m2 + "fraction_bits=3,floor=-15,round=rne)"},
           {"monotone-c",
            "design:round-down-dot-add" + e5m2 + "sum_bits=3,c_bits=2,zero_exponent=-14)"},
           {"scale-invariant", "design:fused-dot-add" + e5m2 + "fraction_bits=2)"},
           {"scale-invariant", "design:fused-dot-add" + e5m2 + "fraction_bits=4,kept_bits=1)"},
           {"scale-invariant", "design:fused-dot-add" + e5m2 + "fraction_bits=3,floor=-15)"},
           {"no-early-overflow", "design:fused-dot-add" + e5m2 + "fraction_bits=17,round=rne)"}}) {
    EXPECT_TRUE(is_argued(property, subject({name}))) << property << " of " << name;
    EXPECT_EQ(searched(property, subject({name})), Outcome::proved) << property << " of " << name;
  }
}

}  // namespace
}  // namespace mmaspec::steps_test
