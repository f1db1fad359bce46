// docs/differences.md and .html are what `mmaspec matrix` makes of the results on file, which are
// those of today's catalogue; of a slice of its rows, another one each day, every witness is
// evaluated again, and every "equal" is evaluated on drawn inputs and asked without arguments: what
// solvers or a derivation proved, they prove again.
#include <gtest/gtest.h>

#include <filesystem>

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
  constexpr int kDiffer = 60;
  constexpr int kEqual = 8;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  std::vector<DesignPair> pairs;
  for (const Unit& unit : matrix.units) {
    pairs.insert(pairs.end(), unit.pairs.begin(), unit.pairs.end());
  }
  const auto day = static_cast<unsigned>(days_since_1970());
  SplitMix random(day);
  DiffOptions how;
  how.strategies.jobs = 1;
  how.strategies.set(Strategy::steps, false);
  const Portfolio soon("auto", Limits{5});
  const Portfolio in_time("auto", Limits{240});
  int differ = 0;
  int equal = 0;
  for (int i = 0; i < 20000 && (differ < kDiffer || equal < kEqual); ++i) {
    const NamedPair named = matrix.named(pairs[random.index(pairs.size())]).at(0);
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
      const bool by_others = row->by == by(Grounds::Kind::argument) || !row->through.empty();
      const DiffResult asked = diff(first, second, how, by_others ? soon : in_time);
      EXPECT_NE(asked.verdict, Verdict::satisfiable) << named.first << " and " << named.second;
      EXPECT_TRUE(by_others || asked.verdict == Verdict::unsatisfiable)
          << named.first << " and " << named.second;
    }
  }
  EXPECT_EQ(differ, kDiffer);
  EXPECT_EQ(equal, kEqual);
}

}  // namespace
}  // namespace mmaspec::differences_test
