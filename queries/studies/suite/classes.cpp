#include "queries/studies/suite/classes.h"

#include <algorithm>
#include <numeric>

#include "queries/ask/dot_question.h"
#include "queries/prove/diff.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

/// Share of the time for a pair in the first pass.
constexpr double kFirstShare = 0.05;

class Asker {
 public:
  Asker(const std::vector<SuiteDesign>& designs, const Panel& panel, Pool& pool,
        const Strategies& strategies, const Portfolio& solvers)
      : designs_(designs),
        panel_(panel),
        pool_(pool),
        solvers_(solvers),
        runner_(panel),
        group_(panel.expressions()) {
    std::iota(group_.begin(), group_.end(), 0);
    options_.difference.signed_zero = panel.options().signed_zero;
    options_.inputs = panel.options().inputs;
    options_.strategies = strategies;
    options_.shrink = false;
    options_.where = panel.options().where;
    if (panel.condition_is_of_results()) {
      // The condition must hold for every design's result as d.
      options_.where = [this](const DotFormats& f, const DotOperands& in, Int) {
        std::vector<Bool> all;
        for (std::size_t e = 0; e < panel_.expressions(); ++e) {
          const Algorithm& algorithm = designs_[panel_.first_of(e)].run.algorithm;
          all.push_back(panel_.options().where(f, in, algorithm.build(f, in)));
        }
        return all_of(all);
      };
    }
  }

  std::vector<AskedPair> run() {
    // Early proofs reduce the number of pairs, so that less time is spent on pairs without a proof.
    ask_all(kFirstShare);
    std::erase_if(answers_, [](const AskedPair& a) { return a.verdict == Verdict::unknown; });
    ask_all(1);
    std::erase_if(answers_, [&](const AskedPair& a) {
      return a.verdict == Verdict::unknown && pool_.parted()[pair_index(a.first, a.second)];
    });
    return std::move(answers_);
  }

 private:
  void ask_all(double share) {
    const Deadline whole = options_.strategies.deadline;
    for (std::size_t j = 1; j < panel_.expressions(); ++j) {
      for (std::size_t i = 0; i < j && group_[j] == j; ++i) {
        // Only the first design of each group of equal ones is asked.
        if (group_[i] != i || pool_.parted()[pair_index(i, j)]) continue;
        options_.strategies.deadline =
            earlier(whole, Deadline::in(share * solvers_.limits().seconds));
        ask(i, j);
      }
    }
    options_.strategies.deadline = whole;
  }

  void ask(std::size_t i, std::size_t j) {
    const Instruction& first = designs_[panel_.first_of(i)].run;
    const Instruction& second = designs_[panel_.first_of(j)].run;
    DiffResult result;
    try {
      result = diff(first, second, options_, solvers_);
    } catch (const TooLarge& error) {
      result.justification = Justification::none(error.what());
    }
    if (result.verdict == Verdict::satisfiable) {
      const DotValues& values = result.witnesses.at(0).row.values;
      const std::optional<Partition> partition = runner_.run(values);
      if (!partition || (*partition)[i] == (*partition)[j]) {
        throw Contradiction(first.name() + " and " + second.name() + " differ (" +
                            result.justification.how() +
                            "), but not when they are evaluated together");
      }
      pool_.add(input_values(panel_.graph(), values), *partition);
      return;
    }
    if (result.verdict == Verdict::unsatisfiable) group_[j] = i;
    answers_.push_back({i, j, result.verdict, result.justification.how(), result.vacuity});
  }

  const std::vector<SuiteDesign>& designs_;
  const Panel& panel_;
  Pool& pool_;
  const Portfolio& solvers_;
  Panel::Runner runner_;
  DiffOptions options_;
  std::vector<std::size_t> group_;  ///< indexed by expression: the first one that it equals
  std::vector<AskedPair> answers_;
};

}  // namespace

std::vector<AskedPair> ask_pairs(const std::vector<SuiteDesign>& designs, const Panel& panel,
                                 Pool& pool, const Strategies& strategies,
                                 const Portfolio& solvers) {
  return Asker(designs, panel, pool, strategies, solvers).run();
}

}  // namespace mmaspec
