// The matrix compared with `diff`, pair by pair, and its shards.
#include "queries/studies/matrix/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "queries/prove/diff.h"
#include "queries/studies/matrix/trial.h"
#include "queries/values/distance.h"
#include "queries/values/pattern_values.h"
#include "spec/formats/text.h"

namespace mmaspec::matrix_test {
namespace {

std::string small(const std::string& more,
                  const std::string& formats = "a=e2m1,b=e2m1,c=f16,d=f16") {
  return "design:fused-dot-add(" + formats + "," + more + ")";
}

std::vector<Instruction> designs() {
  std::vector<Instruction> all;
  for (const std::string& name :
       {small("k=2,fraction_bits=10"), small("k=2,fraction_bits=11"), small("k=4,fraction_bits=10"),
        small("k=4,fraction_bits=10", "a=e2m3,b=e2m1,c=f16,d=f16"),
        small("k=2,fraction_bits=10", "a=e2m1,b=e2m1,c=f16,d=f32"),
        std::string("design:sequential-fma(a=e2m1,b=e2m1,c=f16,d=f16,k=2)"),
        std::string("design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2)")}) {
    all.push_back(find_instruction(name));
  }
  return all;
}

/// Asked with little work: undecided pairs do not matter here.
MatrixOptions quick() {
  MatrixOptions options;
  options.timeout = 10;
  return options;
}

TEST(Matrix, AgreesWithDiff) {
  const Matrix matrix = matrix_of(designs(), true);
  MatrixResults results;
  fill(matrix, quick(), results);
  DiffOptions how;
  how.strategies.jobs = 1;
  Limits limits;
  limits.seconds = 10;
  const Portfolio solvers("auto", limits);
  int rows = 0;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) {
      const NamedPair named = matrix.named(p).at(0);
      const auto row = results.find(named);
      ASSERT_TRUE(row) << named.first << " " << named.second;
      ++rows;
      if (row->verdict == PairVerdict::differ) {
        EXPECT_TRUE(is_confirmed(*row, pair_of(named)));
        continue;
      }
      const DiffResult asked =
          diff(named.first_design->instruction, named.second_design->instruction, how, solvers);
      EXPECT_NE(asked.verdict, Verdict::satisfiable) << named.first << " " << named.second;
    }
  }
  EXPECT_GE(rows, 15);
}

TEST(Matrix, IsTheUnionOfItsShards) {
  const Matrix whole = matrix_of(designs(), true);
  MatrixResults all;
  fill(whole, quick(), all);
  for (const std::size_t count : {2U, 5U, 40U}) {
    std::set<std::pair<std::string, std::string>> seen;
    for (std::size_t i = 0; i < count; ++i) {
      Matrix part = matrix_of(designs(), true);
      keep_shard(part, {i, count});
      for (const Unit& unit : part.units) {
        for (const DesignPair& p : unit.pairs) {
          for (const NamedPair& n : part.named(p)) {
            EXPECT_TRUE(seen.emplace(n.first, n.second).second);
          }
        }
      }
    }
    std::size_t pairs = 0;
    for (const Unit& unit : whole.units) pairs += unit.pairs.size();
    EXPECT_EQ(seen.size(), pairs);
  }
}

TEST(Matrix, RejectsFalseWitnesses) {
  const Matrix matrix = matrix_of({designs()[0], designs()[1]}, true);
  MatrixResults results;
  fill(matrix, quick(), results);
  const NamedPair named = matrix.named(matrix.units.at(0).pairs.at(0)).at(0);
  PairRow row = results.find(named).value();
  ASSERT_EQ(row.verdict, PairVerdict::differ);
  EXPECT_TRUE(is_confirmed(row, pair_of(named)));
  *row.witness->d += 1;
  EXPECT_FALSE(is_confirmed(row, pair_of(named)));
  row.witness->d = row.witness->d_other;
  EXPECT_FALSE(is_confirmed(row, pair_of(named)));
}

TEST(Matrix, ComparesEachComparablePairOnce) {
  const std::vector<MatrixDesign> all = merged_designs(catalogue_with_variants());
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const Unit& unit : units_of(all)) {
    EXPECT_EQ(unit.seconds.empty(), unit.frame.has_one_set());
    for (const DesignPair& p : unit.pairs) {
      EXPECT_NE(p.first, p.second);
      EXPECT_TRUE(seen.insert(std::minmax(p.first, p.second)).second);
    }
  }
  EXPECT_GT(seen.size(), 20000U);
}

TEST(PatternValues, AgreeWithDecoding) {
  SplitMix random(1);
  for (const Format* f : all_formats()) {
    const PatternValues values(*f);
    for (int i = 0; i < 2000; ++i) {
      const int unused = 64 - f->storage_bits;
      const std::uint64_t pattern = random() >> static_cast<unsigned>(unused);
      const Decoded x = decode(*f, Integer(pattern));
      const double y = values(pattern);
      if (x.is_nan) {
        EXPECT_TRUE(std::isnan(y)) << f->name << " " << pattern;
      } else if (x.is_infinite) {
        EXPECT_TRUE(std::isinf(y) && std::signbit(y) == x.negative) << f->name << " " << pattern;
      } else {
        EXPECT_EQ(Rational(y), x.value()) << f->name << " " << pattern;
        const Rational least_normal = rational_power_of_two(f->least_exponent());
        EXPECT_EQ(values.is_subnormal(pattern),
                  f->has_zero && y != 0 && abs(x.value()) < least_normal)
            << f->name << " " << pattern;
      }
      if (!x.is_nan) {
        EXPECT_EQ(values.place(pattern), ordinal(*f, Integer(pattern)))
            << f->name << " " << pattern;
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::matrix_test
