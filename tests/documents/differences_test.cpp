// docs/differences.md and .html are what `mmaspec matrix` renders from the committed results, and
// the results cover every pair of the catalogue and nothing else. For a slice of the rows (a quick
// run) or all of them (a full run), every witness is evaluated again, and every "equal" is tested
// on drawn inputs and proved again: by analytical proofs if it rests on one, otherwise without
// these. An "equal" that follows from other pairs is proved again through each of them; if it
// follows from chained designs with equal expressions, which have no rows, it is only tested.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <utility>

#include "concrete/rows/row.h"
#include "queries/prove/diff.h"
#include "queries/studies/matrix/matrix.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"
#include "tests/support/common_values.h"
#include "util/split_mix.h"

namespace mmaspec::differences_test {
namespace {

const std::string kDocs = std::string(MMASPEC_SOURCE_DIR) + "/docs/";
const std::string kResults = kDocs + "differences.jsonl.gz";
constexpr const char* kAdvice = "run scripts/differences";

/// Pairs of the unit that connect the two designs of the pair, each of which was computed and is
/// equal; empty if there are none.
std::vector<DesignPair> way_between(const DesignPair& pair, const Unit& unit, const Matrix& matrix,
                                    const MatrixResults& results) {
  std::map<std::size_t, std::vector<DesignPair>> equal;  // by each of its designs
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
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  for (const auto& [format, file] :
       {std::pair("markdown", "differences.md"), std::pair("html", "differences.html")}) {
    const cli_test::Outcome outcome =
        cli_test::mmaspec({"matrix", "--results", kResults, "--render-only", "--format", format});
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 3) << outcome.err;
    EXPECT_TRUE(outcome.out == cli_test::content_of(kDocs + file)) << kAdvice;
  }
}

TEST(Differences, HoldEveryPair) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  std::size_t missing = 0;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) missing += results.find(matrix.named(p).at(0)) ? 0 : 1;
  }
  EXPECT_EQ(missing, 0U) << "pairs without a result: " << kAdvice;
}

TEST(Differences, HoldNoPairOfOlderDesigns) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  std::string on_file;
  for_each_line(kResults, [&](std::string_view line, std::size_t) {
    on_file += line;
    on_file += '\n';
  });
  const cli_test::Outcome today =
      cli_test::mmaspec({"matrix", "--results", kResults, "--render-only", "--format", "results"});
  EXPECT_TRUE(today.status == 0 || today.status == 3) << today.err;
  EXPECT_TRUE(today.out == on_file) << kAdvice;
}

/// Checks committed results against the evaluator and, for equal pairs, against the prover.
class Recheck {
 public:
  Recheck(const Matrix& matrix, const MatrixResults& results)
      : matrix_(matrix), results_(results), short_("auto", Limits{5}), long_("auto", Limits{240}) {
    how_.strategies.jobs = 1;
    how_.strategies.set(Strategy::steps, false);
    argued_.strategies = Strategies::none();
    argued_.strategies.jobs = 1;
    argued_.strategies.set(Strategy::steps, true);
  }

  void differ(const NamedPair& named, const PairRow& row) const {
    EXPECT_TRUE(is_confirmed(row, pair_of(named))) << named.first << " and " << named.second;
  }

  void equal(const Unit& unit, const DesignPair& pair, const PairRow& row) const {
    constexpr unsigned kSeed = 1;
    const NamedPair named = matrix_.named(pair).at(0);
    SCOPED_TRACE(named.first + " and " + named.second);
    const Instruction& first = named.first_design->instruction;
    const Instruction& second = named.second_design->instruction;
    EXPECT_EQ(differences(first, second, kSeed), 0);
    const std::vector<DesignPair> way = way_between(pair, unit, matrix_, results_);
    EXPECT_FALSE(way.empty() && row.through.empty());
    if (!row.through.empty()) {
      EXPECT_NE(diff(first, second, how_, short_).verdict, Verdict::satisfiable);
    }
    for (const DesignPair& p : way) {
      const NamedPair asked = matrix_.named(p).at(0);
      const auto on_file = results_.find(asked);
      ASSERT_TRUE(on_file);
      const bool is_argued = on_file->by == by(Justification::Kind::argument);
      EXPECT_EQ(diff(asked.first_design->instruction, asked.second_design->instruction,
                     is_argued ? argued_ : how_, long_)
                    .verdict,
                Verdict::unsatisfiable)
          << asked.first << " and " << asked.second;
    }
  }

 private:
  const Matrix& matrix_;
  const MatrixResults& results_;
  DiffOptions how_;     ///< without analytical proofs
  DiffOptions argued_;  ///< with analytical proofs only
  Portfolio short_;
  Portfolio long_;
};

// Equal pairs that rest directly on a theorem that no solver checked. The number may fall only.
TEST(Differences, RestOnTheoremsInFewPairs) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  int equal = 0;
  int argued = 0;
  int argued_of_cdna5 = 0;  // chains of FMAs whose operands have different formats
  int argued_of_ime = 0;    // exact and rounded sums whose operands have different formats
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) {
      const auto row = results.find(matrix.named(p).at(0));
      if (!row || row->verdict != PairVerdict::equal || !row->through.empty()) continue;
      ++equal;
      if (row->by != by(Justification::Kind::argument)) continue;
      const NamedPair named = matrix.named(p).at(0);
      const auto has = [&](const char* text) {
        return named.first.find(text) != std::string::npos ||
               named.second.find(text) != std::string::npos;
      };
      ++(has("mmacc.") ? argued_of_ime : has("cdna5/") ? argued_of_cdna5 : argued);
    }
  }
  EXPECT_GT(equal, 900);
  EXPECT_LE(argued, 155);
  EXPECT_LE(argued_of_cdna5, 143);
  EXPECT_LE(argued_of_ime, 92);
}

// A quick run draws 40 pairs that differ and 5 equal ones, always the same; a full run checks all.
TEST(Differences, HoldWhenCheckedAgain) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  const int most_differ = is_full_run() ? std::numeric_limits<int>::max() : 40;
  const int most_equal = is_full_run() ? std::numeric_limits<int>::max() : 5;
  const Matrix matrix = matrix_of(catalogue_with_variants(), false);
  const MatrixResults results(kResults, MatrixResults::Use::read);
  const Recheck recheck(matrix, results);
  std::vector<std::pair<const Unit*, DesignPair>> pairs;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& p : unit.pairs) pairs.emplace_back(&unit, p);
  }
  SplitMix random(1);
  for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1], pairs[random.index(i)]);
  int differ = 0;
  int equal = 0;
  for (const auto& [unit, pair] : pairs) {
    if (differ >= most_differ && equal >= most_equal) break;
    const NamedPair named = matrix.named(pair).at(0);
    const auto row = results.find(named);
    if (!row) continue;  // HoldEveryPair fails
    EXPECT_FALSE(row->contradiction);
    if (row->verdict == PairVerdict::differ && differ < most_differ) {
      ++differ;
      recheck.differ(named, *row);
    } else if (row->verdict == PairVerdict::equal && equal < most_equal) {
      ++equal;
      recheck.equal(*unit, pair, *row);
    }
  }
  EXPECT_GE(differ, 40);
  EXPECT_GE(equal, 5);
}

}  // namespace
}  // namespace mmaspec::differences_test
