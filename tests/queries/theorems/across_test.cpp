// Designs of other formats that compute the same for the same numbers, compared with the evaluator
// on inputs of all kinds; and designs for which nothing may be concluded.
#include "queries/theorems/across.h"

#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "concrete/dot/runner.h"
#include "queries/statement/pairing.h"
#include "spec/catalog/instruction.h"
#include "tests/support/common_values.h"
#include "util/split_mix.h"

namespace mmaspec::across_test {
namespace {

Instruction design(const std::string& algorithm, const std::string& a, const std::string& b,
                   const std::string& more) {
  return find_instruction("design:" + algorithm + "(a=" + a + ",b=" + b + ",c=f32,d=f32,k=4," +
                          more + ")");
}

TEST(EqualOnCommonValues, IsTrueWhenConcluded) {
  SplitMix random(5);
  const std::vector<std::pair<std::string, std::string>> formats{
      {"f16", "e5m2"},  {"bf16", "tf32"}, {"bf16", "xf32"}, {"e2m1", "e2m3"}, {"tf32", "f32"},
      {"e4m3", "e5m2"}, {"f16", "bf16"},  {"e3m2", "e2m3"}, {"e4m3", "f16"}};
  const auto number = [&](int low, int high) { return std::to_string(random.between(low, high)); };
  const auto word = [&](const std::string& x, const std::string& y) {
    return random.one_in(2) ? x : y;
  };
  int concluded = 0;
  for (unsigned i = 0; i < 90; ++i) {
    const auto& [x, y] = formats[random.index(formats.size())];
    std::string algorithm;
    std::string more;
    switch (random.below(6)) {
      case 0:
        algorithm = "fused-dot-add";
        more = "block=" + word("2", "4") + ",fraction_bits=" + number(8, 26) +
               ",align_round=" + word("rz", "rd") + ",c_joins=" + word("early", "late") +
               ",normalize_products=" + word("yes", "no") + ",flush_inputs=" + word("yes", "no") +
               ",round=" + word("rz", "rne");
        if (random.one_in(2)) more += ",floor=" + number(-140, 0);
        break;
      case 1:
        algorithm = "round-down-dot-add";
        more = "block=" + word("2", "4");
        break;
      case 2:
        algorithm = "sequential-fma";
        more = "flush_inputs=" + word("yes", "no") + ",round=" + word("rz", "rne");
        break;
      case 3:
        algorithm = "pair-dot-add";
        more = "fused=" + word("yes", "no") + ",flush_inputs=" + word("yes", "no") +
               ",round=" + word("rto", "rne");
        break;
      case 4:
        algorithm = "group-pairwise-sum";
        more = "group=" + word("2", "4") + ",flush_inputs=" + word("yes", "no");
        break;
      default:
        algorithm = "exact-dot-add";
        more = "block=" + word("2", "4");
    }
    const Instruction first = design(algorithm, x, x, more);
    const Instruction second = design(algorithm, y, y, more);
    if (!equal_on_common_values(first, second)) continue;
    ++concluded;
    EXPECT_EQ(differences(first, second, i), 0) << first.name() << "\n" << second.name();
  }
  EXPECT_GT(concluded, 25);
}

TEST(EqualOnCommonValues, HoldsForChainsInF32ThatAreConverted) {
  const std::string scaled = "cdna5/v_wmma_scale16_f32_16x16x128_f8f6f4.";
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"cdna5/v_wmma_f16_16x16x64_fp8_fp8", "cdna5/v_wmma_f16_16x16x64_bf8_bf8"},
      {"cdna5/v_wmma_f16_16x16x64_fp8_bf8", "cdna5/v_wmma_f16_16x16x64_bf8_fp8"},
      {scaled + "e2m1.e2m1", scaled + "e4m3.e4m3"}};
  unsigned seed = 0;
  for (const auto& [first, second] : pairs) {
    const Instruction x = find_instruction(first);
    const Instruction y = find_instruction(second);
    EXPECT_TRUE(equal_on_common_values(x, y)) << first << "\n" << second;
    EXPECT_EQ(differences(x, y, ++seed), 0) << first << "\n" << second;
  }
  // Another block of scale factors.
  EXPECT_FALSE(equal_on_common_values(
      find_instruction(scaled + "e2m1.e2m1"),
      find_instruction("cdna5/v_wmma_scale_f32_16x16x128_f8f6f4.e4m3.e4m3")));
}

TEST(EqualOnCommonValues, IsNotConcludedForDesignsThatDiffer) {
  // 0.5 is subnormal in e2m1 and normal in e4m3: its exponents differ.
  const Instruction first = design("fused-dot-add", "e2m1", "e2m1", "fraction_bits=10");
  const Instruction second = design("fused-dot-add", "e4m3", "e4m3", "fraction_bits=10");
  EXPECT_FALSE(equal_on_common_values(first, second));
  int found = 0;
  for (unsigned seed = 0; seed < 20 && found == 0; ++seed) found = differences(first, second, seed);
  EXPECT_GT(found, 0);
  EXPECT_FALSE(
      equal_on_common_values(design("sequential-fma", "f16", "f16", "flush_inputs=yes"),
                             design("sequential-fma", "bf16", "bf16", "flush_inputs=yes")));
  const Instruction other = design("fused-dot-add", "e2m3", "e2m3", "fraction_bits=11");
  EXPECT_FALSE(equal_on_common_values(first, other));
}

// Products of f16's subnormal numbers have exponents of at most 1; all products are multiples of
// 2^-48.
TEST(EqualOnCommonValues, KnowsExponentsThatDecideWhereNothingIsCut) {
  const auto of = [](const char* format, int bits, const std::string& more) {
    return design("split-fp8", format, format, "fraction_bits=" + std::to_string(bits) + more);
  };
  int apart = 0;
  for (const int bits : {12, 20, 30, 40, 46, 48, 49, 50, 60}) {
    for (const char* more : {"", ",halves=added", ",floor=1", ",floor=0", ",align_round=rd"}) {
      const Instruction first = of("f16", bits, more);
      const Instruction second = of("bf16", bits, more);
      const bool concluded = equal_on_common_values(first, second).has_value();
      EXPECT_EQ(concluded, bits >= 49 || std::string(more) == ",floor=1") << first.name();
      int found = 0;
      for (unsigned seed = 0; seed < 8; ++seed) found += differences(first, second, seed);
      if (concluded) {
        EXPECT_EQ(found, 0) << first.name();
      }
      apart += found > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 5);
  // RISC-V's dot products, with d's 10 bits and additional ones; and its pseudo-code, with f32's
  // 23.
  int jammed_apart = 0;
  for (const int bits : {0, 2, 4, 6, 8, 9, 10, 11, 15}) {
    const auto bulk = [&](const std::string& format, const std::string& d, const char* dot) {
      return find_instruction("design:bulk-normalized-dot-add(a=" + format + ",b=" + format +
                              ",c=" + d + ",d=" + d + ",k=4,guard_bits=" + std::to_string(bits) +
                              ",dot=" + dot + ")");
    };
    for (const auto& [d, dot] : {std::pair("f16", "to-odd"), std::pair("f32", "pseudo-code")}) {
      const Instruction first = bulk("e4m3", d, dot);
      const Instruction second = bulk("e5m2", d, dot);
      const bool concluded = equal_on_common_values(first, second).has_value();
      EXPECT_EQ(concluded, bits >= 10 || std::string(d) == "f32") << first.name();
      int found = 0;
      for (unsigned seed = 0; seed < 8; ++seed) found += differences(first, second, seed);
      if (concluded) {
        EXPECT_EQ(found, 0) << first.name();
      }
      jammed_apart += found > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(jammed_apart, 1);
  EXPECT_FALSE(equal_on_common_values(of("f16", 60, ",flush_inputs=yes"),
                                      of("bf16", 60, ",flush_inputs=yes")));
  // c has bits that are cut by the exponents of products.
  EXPECT_FALSE(equal_on_common_values(design("fused-dot-add", "e4m3", "e4m3", "fraction_bits=25"),
                                      design("fused-dot-add", "e5m2", "e5m2", "fraction_bits=25")));
}

// FP8 operands of the assembler's mma.sync become f16 numbers: in either format they have f16's
// exponents, and values that both formats hold are not flushed.
TEST(EqualOnCommonValues, KnowsThatFp8IsConvertedToF16) {
  for (const int bits : {8, 25}) {
    for (const char* more : {"", ",halves=added", ",floor=2", ",floor=none", ",flush_inputs=yes"}) {
      const std::string rest = "fraction_bits=" + std::to_string(bits) + more;
      for (const auto& [x, y] : {std::pair("e4m3", "e5m2"), std::pair("e4m3", "f16"),
                                 std::pair("e5m2", "f16"), std::pair("e4m3fnuz", "e2m3")}) {
        const Instruction first = design("split-fp8", x, x, rest);
        const Instruction second = design("split-fp8", y, y, rest);
        EXPECT_TRUE(equal_on_common_values(first, second)) << first.name() << second.name();
        for (unsigned seed = 0; seed < 2; ++seed) {
          EXPECT_EQ(differences(first, second, seed), 0) << first.name() << second.name();
        }
      }
    }
  }
}

// Also if c is a term: a product of e2m1 with a subnormal number of e3m2 has an exponent of at most
// 0, and c is a multiple of 2^-24.
TEST(EqualOnCommonValues, KnowsWhereNoBitOfCIsCut) {
  int apart = 0;
  for (const int bits : {6, 8, 10, 14, 18, 22, 23, 24, 25, 28}) {
    for (const char* more : {"", ",block=2", ",zero_terms=operands-count",
                             ",zero_terms=operands-count,zero_exponent=3", ",align_round=rd",
                             ",floor=-3", ",floor=0", ",c_joins=late", ",flush_inputs=yes"}) {
      const auto of = [&](const std::string& b, const std::string& c) {
        return find_instruction("design:fused-dot-add(a=e2m1,b=" + b + ",c=" + c + ",d=" + c +
                                ",k=4,fraction_bits=" + std::to_string(bits) + more + ")");
      };
      const std::string kind = more;
      const bool declines = kind == ",c_joins=late" || kind == ",flush_inputs=yes";
      const int raised = kind == ",zero_terms=operands-count,zero_exponent=3" ? 1 : 0;
      const bool concluded =
          equal_on_common_values(of("e3m2", "f16"), of("e5m2", "f16")).has_value();
      EXPECT_EQ(concluded, !declines && (bits >= 24 + raised || kind == ",floor=0"))
          << bits << more;
      EXPECT_EQ(!equal_on_common_values(of("e3m2", "f32"), of("e5m2", "f32")), kind != ",floor=0")
          << bits << more;
      int found = 0;
      for (unsigned seed = 0; seed < 3; ++seed) {
        found += differences(of("e3m2", "f16"), of("e5m2", "f16"), seed);
      }
      if (concluded) {
        EXPECT_EQ(found, 0) << bits << more;
      }
      apart += found > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 10);
}

// An f16 c with an f32 d is normalized, and so has the exponent that it has as an f32 number.
TEST(EqualOnCommonValues, KnowsAnAccumulatorOfAnotherFormat) {
  const auto of = [](const std::string& c, const std::string& d, const std::string& more) {
    return find_instruction("design:fused-dot-add(a=f16,b=f16,c=" + c + ",d=" + d + ",k=4," + more +
                            ")");
  };
  for (const char* more : {"fraction_bits=12", "fraction_bits=23", "fraction_bits=25,c_joins=late",
                           "fraction_bits=18,floor=-20", "fraction_bits=14,zero_exponent=-30"}) {
    const Instruction first = of("f32", "f32", more);
    const Instruction second = of("f16", "f32", more);
    EXPECT_TRUE(equal_on_common_values(first, second)) << second.name();
    for (unsigned seed = 0; seed < 8; ++seed) {
      EXPECT_EQ(differences(first, second, seed), 0) << second.name();
    }
  }
  // Here f16's subnormal numbers are not normalized and bf16's are, or they are flushed, or the sum
  // has several steps.
  for (const auto& [c, d, more] : {std::tuple("bf16", "f16", "fraction_bits=12"),
                                   std::tuple("f16", "f32", "fraction_bits=12,flush_inputs=yes"),
                                   std::tuple("f16", "f32", "fraction_bits=12,block=2")}) {
    EXPECT_FALSE(equal_on_common_values(of(d, d, more), of(c, d, more))) << more;
  }
}

/// Number of results that differ, for integers from 0 to 7, which have the same bits in all
/// formats, with c near the ends of its format.
int integer_differences(const Instruction& first, const Instruction& second) {
  SplitMix random(7);
  const DotModel one(first.algorithm, first.formats);
  const DotModel other(second.algorithm, second.formats);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    DotValues values;
    for (int k = 0; k < first.formats.k; ++k) {
      values.a.emplace_back(random.between(0, 7));
      values.b.emplace_back(random.between(0, 7));
    }
    values.c = Integer(random.one_in(2) ? 0x7fffffff : 0x80000000U) + random.between(-50, 50);
    found += one.run(values) == other.run(values) ? 0 : 1;
  }
  return found;
}

TEST(EqualOnCommonValues, KnowsIntegerDesignsThatDependOnlyOnValues) {
  const auto of = [](const std::string& a, const std::string& b, const std::string& more) {
    return find_instruction("design:integer-dot-add(a=" + a + ",b=" + b + ",k=4" + more + ")");
  };
  const std::string wraps;
  const std::string at_end = ",overflow=saturate,group=4";
  const std::string by_pairs = ",overflow=saturate,group=2";
  for (const std::string& more : {wraps, at_end, by_pairs}) {
    for (const auto& [a, b] :
         {std::pair("s8", "u8"), std::pair("u4", "s8"), std::pair("s16", "s4")}) {
      const Instruction first = of("s8", "s8", more);
      const Instruction second = of(a, b, more);
      EXPECT_TRUE(equal_on_common_values(first, second)) << second.name();
      EXPECT_EQ(integer_differences(first, second), 0) << second.name();
    }
  }
  for (const auto& [a, b] : {std::pair("s8", "u8"), std::pair("u4", "s8"), std::pair("u8", "u4")}) {
    const Instruction first = of("u8", "u8", by_pairs);
    const Instruction second = of(a, b, at_end);
    EXPECT_TRUE(equal_on_common_values(first, second)) << second.name();
    EXPECT_EQ(integer_differences(first, second), 0) << second.name();
  }
  EXPECT_FALSE(equal_on_common_values(of("u8", "s8", by_pairs), of("u8", "s4", at_end)));
  EXPECT_FALSE(equal_on_common_values(of("u8", "u8", wraps), of("u8", "u8", at_end)));
  EXPECT_FALSE(equal_on_common_values(of("s8", "s8", wraps), of("u8", "s8", at_end)));
  EXPECT_FALSE(equal_on_common_values(of("s8", "s8", by_pairs), of("u8", "s8", at_end)));
  EXPECT_GT(integer_differences(of("s8", "s8", wraps), of("u8", "s8", at_end)), 0);
}

TEST(EqualOnCommonValues, KnowsIdleParameters) {
  const auto named = [](const char* name) { return find_instruction(name); };
  EXPECT_TRUE(equal_on_common_values(named("design:fused-dot-add(k=4,fraction_bits=25,floor=-133)"),
                                     named("design:fused-dot-add(k=4,fraction_bits=25)")));
  EXPECT_FALSE(equal_on_common_values(named("design:fused-dot-add(k=4,fraction_bits=25,floor=-20)"),
                                      named("design:fused-dot-add(k=4,fraction_bits=25)")));
}

// Products of e4m3 lie between 2^16 and 2^-18: with f32's 23 bits, 11 guard bits keep all their
// bits.
TEST(EqualOnCommonValues, KnowsGuardBitsThatReachAllProducts) {
  const auto of = [](int bits, const std::string& b) {
    return design("bulk-normalized-dot-add", "e4m3", b, "guard_bits=" + std::to_string(bits));
  };
  for (const int bits : {8, 9, 10, 11, 12, 30}) {
    const Instruction first = of(bits, "e4m3");
    const Instruction second = of(bits + 1, "e4m3");
    EXPECT_EQ(equal_on_common_values(first, second).has_value(), bits >= 11) << bits;
    DotRunner one(first.algorithm, first.formats);
    DotRunner other(second.algorithm, second.formats);
    // The largest product with both signs, and the least.
    const DotValues values{{0x7e, 0x7e, 0x01, 0}, {0x7e, 0xfe, 0x01, 0}, 0, {}, {}};
    EXPECT_EQ(one.run(values) == other.run(values), bits >= 11) << bits;
    for (unsigned seed = 0; seed < 4 && bits >= 11; ++seed) {
      EXPECT_EQ(differences(first, second, seed), 0) << bits;
    }
  }
  // Products with e5m2 go further, those of common values do not.
  EXPECT_FALSE(equal_on_common_values(of(10, "e4m3"), of(12, "e5m2")));
  for (const int bits : {11, 12, 25}) {
    EXPECT_TRUE(equal_on_common_values(of(11, "e4m3"), of(bits, "e5m2")));
    for (unsigned seed = 0; seed < 2; ++seed) {
      EXPECT_EQ(differences(of(11, "e4m3"), of(bits, "e5m2"), seed), 0);
    }
  }
}

// Parameters that are idle for the numbers that both formats hold need not be idle for all numbers
// of the wider formats.
TEST(EqualOnCommonValues, KnowsParametersThatAreIdleOnlyOnCommonValues) {
  SplitMix random(11);
  const auto any = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random.index(of.size())]);
  };
  int concluded = 0;
  int declined_and_apart = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const bool scaled = random.one_in(3);
    const std::string d = any({"f32", "f16"});
    const std::string bits = any({"12", "14", "20", "25", "30"});
    const auto drawn = [&] {
      std::string text = "design:fused-dot-add(a=" + any({"f16", "e5m2", "e2m1", "e2m3"}) +
                         ",b=" + any({"f16", "e5m2", "e4m3", "e2m1"}) +
                         ",c=" + (d == "f16" ? d : any({"f16", "f32"})) + ",d=" + d +
                         ",k=4,fraction_bits=" + bits +
                         ",floor=" + any({"none", "none", "-133", "-40", "-21", "-14"}) +
                         ",zero_terms=" + any({"left-out", "operands-count"}) +
                         ",zero_exponent=" + any({"-126", "-60", "-14"});
      if (scaled) text += ",scale=ue8m0,scale_block=" + any({"2", "4"});
      return find_instruction(text + ")");
    };
    const Instruction first = drawn();
    const Instruction second = drawn();
    if (scaled && first.formats.scale_block != second.formats.scale_block) {
      EXPECT_FALSE(equal_on_common_values(first, second));
      continue;
    }
    const bool equal = equal_on_common_values(first, second).has_value();
    const int found = differences(first, second, i);
    concluded += equal ? 1 : 0;
    declined_and_apart += !equal && found > 0 ? 1 : 0;
    if (equal) {
      EXPECT_EQ(found, 0) << first.name() << "\n" << second.name();
    }
  }
  EXPECT_GT(concluded, 15);
  EXPECT_GT(declined_and_apart, 50);
}

// Scaled sums, parts of significands, exact bulk sums and rounded pairs: each conclusion is
// compared with inputs, and designs that differ are among those for which nothing is concluded.
TEST(EqualOnCommonValues, KnowsScaledSumsPartsAndPairs) {
  SplitMix random(29);
  const auto any = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random.index(of.size())]);
  };
  const auto small = [&] { return any({"e2m1", "e2m3", "e3m2", "e4m3", "e5m2"}); };
  std::vector<int> concluded(4);
  int declined_and_apart = 0;
  for (unsigned i = 0; i < 480; ++i) {
    const std::size_t kind = i % 4;
    const std::string d = any({"f32", "f32", "bf16"});
    const std::string scale = ",scale=ue8m0,scale_block=" + any({"2", "4"});
    const std::string result = ",round=" + any({"rne", "rz", "rto"});
    const std::string underflow = random.one_in(2) ? ",underflow=flush" : "";
    const std::string parts = ",phases=" + any({"1", "2", "3", "4"}) +
                              ",fraction_bits=" + any({"10", "23"}) +
                              ",minus_one_wraps=" + any({"yes", "no"});
    const auto drawn = [&] {
      const auto of = [&](const std::string& algorithm, const std::string& a, const std::string& b,
                          const std::string& more) {
        return find_instruction("design:" + algorithm + "(a=" + a + ",b=" + b + ",c=" + d +
                                ",d=" + d + ",k=4" + more + ")");
      };
      switch (kind) {
        case 0: {
          const std::string k = random.one_in(3) ? ",k=2" : "";
          const std::string a = small();
          const std::string b = small();
          const std::string flush = ",flush_inputs=" + any({"no", "no", "yes"});
          if (!k.empty() && scale.back() == '2') {
            const Instruction half =
                find_instruction("design:sequential-fma(a=" + a + ",b=" + b + ",c=" + d +
                                 ",d=" + d + k + scale + flush + result + ")");
            return chained(half, 4);
          }
          return of("sequential-fma", a, b, scale + flush + result);
        }
        case 1:
          return of("bulk-normalized-dot-add", small(), small(),
                    scale + ",guard_bits=" + any({"2", "8", "12", "26", "42", "64"}) +
                        ",numbers_alone=" + any({"yes", "no"}) + result);
        case 2:
          return of("partial-product-dot-add", any({"tf32", "bf16", "f16", "e5m2"}),
                    any({"tf32", "bf16", "f16"}), ",group=" + any({"2", "4"}) + parts);
        default: {
          const std::string a = any({"f16", "bf16", "e5m2", "e4m3", "tf32"});
          if (random.one_in(2)) {
            return of("group-pairwise-sum", a, a,
                      ",group=" + any({"2", "2", "4"}) + ",flush_inputs=" + any({"no", "yes"}) +
                          underflow + result);
          }
          return of("pair-dot-add", a, a,
                    ",fused=" + any({"yes", "no"}) + ",flush_inputs=" + any({"no", "no", "yes"}) +
                        underflow + result);
        }
      }
    };
    const Instruction first = drawn();
    const Instruction second = drawn();
    const bool equal = equal_on_common_values(first, second).has_value();
    const int found = differences(first, second, i);
    concluded[kind] += equal && first.name() != second.name() ? 1 : 0;
    declined_and_apart += !equal && found > 0 ? 1 : 0;
    if (equal) {
      EXPECT_EQ(found, 0) << first.name() << "\n" << second.name();
    }
  }
  for (const int times : concluded) EXPECT_GT(times, 3);
  EXPECT_GT(declined_and_apart, 50);
}

// A user's own algorithm has no identity: it is not equal to itself.
TEST(EqualOnCommonValues, DeclinesChainsOfAUsersAlgorithm) {
  Instruction own = find_instruction("design:fused-dot-add(a=e2m1,c=f16,k=1,fraction_bits=12)");
  own.algorithm =
      Custom{"own", [given = own.algorithm](const DotFormats& f, const DotOperands& in) {
               return given.build(f, in);
             }};
  const Instruction chain = chained(own, 4);
  EXPECT_FALSE(equal_on_common_values(chain, chained(own, 4)));
  EXPECT_FALSE(equal_on_common_values(
      chain, find_instruction("design:fused-dot-add(a=e2m1,c=f16,k=4,fraction_bits=12)")));
}

}  // namespace
}  // namespace mmaspec::across_test
