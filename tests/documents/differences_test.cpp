// docs/differences.md and .html are what `mmaspec matrix` makes of the results on file, which are
// those of today's catalogue; of a slice of its rows, another one each day, every witness is
// evaluated again, and every "equal" is evaluated on drawn inputs and asked without arguments:
// solvers or a derivation prove it again, or each of the pairs from which it follows. Where it
// follows by chained designs that are one expression, of which there are no rows, it is only tried,
// as all that follows is.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <map>

#include "queries/matrix/matrix.h"
#include "queries/prove/diff.h"
#include "tests/support/cli/process.h"
#include "tests/support/common_values.h"
#include "tests/support/of_today.h"
#include "util/split_mix.h"

namespace mmaspec::differences_test {
namespace {

const std::string kDocs = std::string(MMASPEC_SOURCE_DIR) + "/docs/";
const std::string kResults = kDocs + "differences.jsonl.gz";
constexpr const char* kAdvice = "run scripts/differences";

bool has_results() { return std::filesystem::exists(kResults); }

/// Pairs of the unit that lead from one design of the pair to the other, each of which was asked
/// and is equal; empty: there are none.
std::vector<DesignPair> way_between(const DesignPair& pair, const Unit& unit, const Matrix& matrix,
                                    const MatrixResults& results) {
  std::map<std::size_t, std::vector<DesignPair>> equal;  // by either design
  for (const DesignPair& p : unit.pairs) {
    const auto row = results.find(matrix.named(p).at(0));
    if (!row || row->verdict != PairVerdict::equal || !row->through.empty()) continue;
    equal[p.first].push_back(p);
    equal[p.second].push_back(p);
  }
  std::map<std::size_t, std::vector<DesignPair>> ways{{pair.first, {}}};
  std::deque<std::size_t> pending{pair.first};
  while (!pending.empty() && !ways.contains(pair.second)) {
    const std::size_t design = pending.front();
    pending.pop_front();
    for (const DesignPair& p : equal[design]) {
      const std::size_t other = p.first == design ? p.second : p.first;
      if (ways.contains(other)) continue;
      ways[other] = ways[design];
      ways[other].push_back(p);
      pending.push_back(other);
    }
  }
  return ways[pair.second];
}

TEST(Differences, AreUpToDate) {
  if (!has_results()) GTEST_SKIP() << "no results yet: " << kAdvice;
  for (const auto& [format, file] :
       {std::pair("markdown", "differences.md"), std::pair("html", "differences.html")}) {
    const cli_test::Outcome outcome =
        cli_test::mmaspec({"matrix", "--results", kResults, "--render-only", "--format", format});
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 3) << outcome.err;
    EXPECT_TRUE(outcome.out == cli_test::content_of(kDocs + file)) << kAdvice;
  }
}

TEST(Differences, HoldEveryPair) {
  if (!has_results()) GTEST_SKIP() << "no results yet: " << kAdvice;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  std::size_t missing = 0;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) missing += results.find(matrix.named(p).at(0)) ? 0 : 1;
  }
  if (missing > 0) GTEST_SKIP() << missing << " pairs are not asked yet: " << kAdvice;
}

TEST(Differences, HoldOfADrawnSlice) {
  if (!has_results()) GTEST_SKIP() << "no results yet: " << kAdvice;
  constexpr int kDiffer = 40;
  constexpr int kEqual = 5;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  std::vector<std::pair<const Unit*, DesignPair>> pairs;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) pairs.emplace_back(&unit, p);
  }
  const auto day = static_cast<unsigned>(days_since_1970());
  SplitMix random(day);
  DiffOptions how;
  how.strategies.jobs = 1;
  how.strategies.set(Strategy::steps, false);
  const Portfolio soon("auto", Limits{5});
  const Portfolio solvers("auto", Limits{240});
  int differ = 0;
  int equal = 0;
  for (int i = 0; i < 20000 && (differ < kDiffer || equal < kEqual); ++i) {
    const auto& [unit, pair] = pairs[random.index(pairs.size())];
    const NamedPair named = matrix.named(pair).at(0);
    const auto row = results.find(named);
    if (!row) continue;  // HoldEveryPair
    EXPECT_FALSE(row->contradiction);
    if (row->verdict == PairVerdict::differ && differ < kDiffer) {
      ++differ;
      EXPECT_TRUE(is_confirmed(*row, pair_of(named))) << named.first << " and " << named.second;
    } else if (row->verdict == PairVerdict::equal && equal < kEqual) {
      ++equal;
      const Instruction& first = named.first_design->instruction;
      const Instruction& second = named.second_design->instruction;
      EXPECT_EQ(differences(first, second, day), 0) << named.first << " and " << named.second;
      EXPECT_NE(row->by, by(Grounds::Kind::argument)) << named.first << " and " << named.second;
      const std::vector<DesignPair> way = way_between(pair, *unit, matrix, results);
      EXPECT_FALSE(way.empty() && row->through.empty()) << named.first << " and " << named.second;
      if (!row->through.empty()) {
        EXPECT_NE(diff(first, second, how, soon).verdict, Verdict::satisfiable)
            << named.first << " and " << named.second;
      }
      for (const DesignPair& p : way) {
        const NamedPair asked = matrix.named(p).at(0);
        EXPECT_EQ(
            diff(asked.first_design->instruction, asked.second_design->instruction, how, solvers)
                .verdict,
            Verdict::unsatisfiable)
            << asked.first << " and " << asked.second;
      }
    }
  }
  EXPECT_EQ(differ, kDiffer);
  EXPECT_EQ(equal, kEqual);
}

}  // namespace
}  // namespace mmaspec::differences_test
