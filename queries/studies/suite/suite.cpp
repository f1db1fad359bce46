#include "queries/studies/suite/suite.h"

#include <algorithm>
#include <chrono>

#include "concrete/dot/runner.h"
#include "hardware/replay/host/rows.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/shrink.h"
#include "queries/studies/suite/classes.h"
#include "queries/studies/suite/cover.h"
#include "solver/ticker.h"
#include "spec/lang/bounds.h"
#include "util/json.h"

namespace mmaspec {
namespace {

/// Divisors of the search's work: for drawing, and for one climb.
constexpr std::size_t kDrawShare = 10;
constexpr std::size_t kClimbShare = 40;

/// Number of starting points of a climb.
constexpr std::size_t kStarts = 12;

/// Number of smallest sets among which the one with the best tree is chosen.
constexpr std::size_t kChoices = 5000;

/// Number of trials to simplify the operands of a row.
constexpr int kTrials = 6000;

/// Approximate cost of drawing one operand, in operations of the batch evaluator.
constexpr std::size_t kDrawing = 12;
constexpr std::size_t kLanes = 4 * BatchEvaluator::kBlock;

class Maker {
 public:
  Maker(const std::vector<SuiteDesign>& designs, const SuiteOptions& options,
        const Portfolio& solvers)
      : options_(options),
        solvers_(solvers),
        panel_(designs, options.panel),
        runner_(panel_),
        pool_(panel_.expressions()) {
    suite_.designs = designs;
    suite_.formats = panel_.formats();
    // Constructed now, because nothing can be built after work is stopped, and the results found so
    // far must still be reported.
    for (const SuiteDesign& design : designs) {
      exact_.emplace_back(design.run.algorithm, suite_.formats);
    }
  }

  Suite run() {
    begin_stage();
    if (panel_.expressions() > 1) draw();
    const std::vector<AskedPair> asked =
        ask_pairs(suite_.designs, panel_, pool_, options_.strategies, solvers_);
    make_classes(asked);
    begin_stage();
    climb_for_fewer();
    compare_with_pool();
    begin_stage();
    choose();
    begin_stage();
    if (options_.shrink) simplify();
    answer();
    return std::move(suite_);
  }

 private:
  /// Each stage has the time limit of a pair. It is also limited by work, which is less for all
  /// except huge designs.
  void begin_stage() {
    search_until_ = earlier(options_.strategies.deadline, Deadline::in(solvers_.limits().seconds));
  }

  void draw() {
    Ticker ticker(solvers_.progress(), "searching");
    const Candidates draw = panel_.draws(options_.strategies.seed);
    Lanes lanes(panel_.graph().inputs().size(), kLanes);
    const std::size_t each = runner_.operations() + kDrawing * lanes.rows();
    std::size_t rounds = options_.search_work / kDrawShare / each / kLanes + 1;
    for (; rounds > 0 && !search_until_.passed() && !has_one_for_all(); --rounds) {
      ticker.tick();
      draw(lanes);
      take(lanes);
    }
  }

  /// Adds lanes to the pool whose inputs separate further pairs.
  void take(const Lanes& lanes) {
    runner_.run(lanes, [&](std::size_t lane, const Partition& partition) {
      if (!pool_.is_new(partition)) return;
      InputValues inputs;
      for (std::size_t i = 0; i < lanes.rows(); ++i) inputs.emplace_back(lanes[i][lane]);
      pool_.add(std::move(inputs), partition);
    });
  }

  bool has_one_for_all() const { return pool_.all().size() == 1 && pool_.all()[0].parted.all(); }

  /// Computes classes of expressions from proved equalities.
  void make_classes(const std::vector<AskedPair>& asked) {
    const std::size_t n = panel_.expressions();
    std::vector<std::size_t> stands_for(n);
    for (std::size_t e = 0; e < n; ++e) stands_for[e] = e;
    for (const AskedPair& a : asked) {
      if (a.verdict != Verdict::unsatisfiable) continue;
      stands_for[a.second] = a.first;
      suite_.equalities.push_back(
          {panel_.first_of(a.first), panel_.first_of(a.second), a.how, a.vacuity});
    }
    class_of_.resize(n);
    for (std::size_t e = 0; e < n; ++e) {
      if (stands_for[e] == e) {
        class_of_[e] = expression_of_class_.size();
        expression_of_class_.push_back(e);
      } else {
        class_of_[e] = class_of_[stands_for[e]];
      }
    }
    suite_.classes.resize(expression_of_class_.size());
    for (std::size_t d = 0; d < suite_.designs.size(); ++d) {
      suite_.classes[class_of_[panel_.expression_of()[d]]].designs.push_back(d);
    }
    for (const AskedPair& a : asked) {
      if (a.verdict != Verdict::unknown) continue;
      const std::size_t x = std::min(class_of_[a.first], class_of_[a.second]);
      const std::size_t y = std::max(class_of_[a.first], class_of_[a.second]);
      const bool known =
          std::any_of(suite_.undecided.begin(), suite_.undecided.end(),
                      [&](const SuiteUndecided& u) { return u.first == x && u.second == y; });
      if (!known) suite_.undecided.push_back({x, y, a.how});
    }
  }

  /// Throws Contradiction if an input separates what was proved equal. Removes undecided pairs that
  /// climbing has separated.
  void compare_with_pool() {
    const auto is_parted = [&](std::size_t x, std::size_t y) {
      return pool_.parted()[pair_index(std::min(x, y), std::max(x, y))];
    };
    for (std::size_t e = 0; e < class_of_.size(); ++e) {
      const std::size_t first = expression_of_class_[class_of_[e]];
      if (first == e || !is_parted(first, e)) continue;
      throw Contradiction(suite_.designs[panel_.first_of(first)].name() + " and " +
                          suite_.designs[panel_.first_of(e)].name() +
                          " were proved equal, but differ on an input");
    }
    std::erase_if(suite_.undecided, [&](const SuiteUndecided& u) {
      return is_parted(expression_of_class_[u.first], expression_of_class_[u.second]);
    });
  }

  std::size_t classes() const { return expression_of_class_.size(); }

  Partition of_classes(const Partition& of_expressions) const {
    std::vector<std::uint16_t> blocks;
    for (std::size_t e : expression_of_class_) blocks.push_back(of_expressions[e]);
    return partition_by(blocks, blocks.size());
  }

  std::vector<Partition> candidates() const {
    std::vector<Partition> all;
    for (const PooledInput& input : pool_.all()) all.push_back(of_classes(input.partition));
    return all;
  }

  /// The pairs of classes' representatives that candidates separate.
  PairSet wanted() const {
    PairSet pairs(pool_.parted().size());
    for (std::size_t j = 1; j < classes(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        const std::size_t p = pair_index(expression_of_class_[i], expression_of_class_[j]);
        if (pool_.parted()[p]) pairs.set(p);
      }
    }
    return pairs;
  }

  /// Climbs for inputs that can replace two rows of the best set so far, until there is no further
  /// improvement.
  void climb_for_fewer() {
    Ticker ticker(solvers_.progress(), "hill climbing for fewer inputs");
    unsigned seed = options_.strategies.seed;
    std::size_t work = options_.search_work;
    const std::size_t share = options_.search_work / kClimbShare;
    const auto is_over = [&] { return work < share || search_until_.passed(); };
    const auto climb_for = [&](const PairSet& pairs, std::size_t most_starts = kStarts) {
      if (is_over()) return;
      work -= share;
      ticker.tick();
      std::vector<InputValues> starts;
      for (const PooledInput* input : pool_.best_for(pairs, most_starts)) {
        starts.push_back(input->inputs);
      }
      if (auto found = panel_.climb_for(pairs, starts, ++seed, share, search_until_)) add(*found);
    };
    const PairSet all = wanted();
    while (!is_over()) {
      const Cover cover = least_cover(candidates(), kQuickSteps, search_until_);
      if (cover.chosen.size() < 2) return;
      const std::vector<PooledInput> rows = pooled(cover.chosen);
      climb_for(all);
      climb_for(all, 0);  // in another region
      for (std::size_t x = 0; x < rows.size(); ++x) {
        for (std::size_t y = x + 1; y < rows.size(); ++y) {
          PairSet left = all;
          for (std::size_t other = 0; other < rows.size(); ++other) {
            if (other != x && other != y) left -= rows[other].parted;
          }
          if (left.any() && rows.size() > 2) climb_for(left);
        }
        // And a partner for the row that separates all other pairs.
        if (const PairSet left = all - rows[x].parted; left.any()) climb_for(left);
      }
    }
  }

  std::vector<PooledInput> pooled(const std::vector<std::size_t>& numbers) const {
    std::vector<PooledInput> inputs;
    for (std::size_t i : numbers) inputs.push_back(pool_.all()[i]);
    return inputs;
  }

  void add(const InputValues& found) {
    const DotValues values = dot_values(panel_.graph(), suite_.formats, found);
    if (const auto partition = runner_.run(values)) {
      pool_.add(input_values(panel_.graph(), values), *partition);
    }
  }

  /// Chooses the smallest set of candidates, or those of the best tree, and the bounds for both.
  void choose() {
    const std::vector<Partition> all = candidates();
    suite_.candidates = all.size();
    for (const Partition& p : all) {
      suite_.most_answers = std::max(suite_.most_answers, blocks_of(p));
    }
    if (suite_.most_answers > 1) {
      suite_.information_least = ceil_log(largest_parted(all), suite_.most_answers);
    }
    const DecisionTree over_all = best_tree(all, classes(), kTreeSteps, search_until_);
    suite_.expected_of_candidates = over_all.expected();
    suite_.expected_is_least = over_all.is_least;
    const std::vector<std::size_t> smallest = smallest_choice(all);
    for (const PooledInput& input : pooled(options_.adaptive ? inputs_of(over_all) : smallest)) {
      suite_.rows.push_back({dot_values(panel_.graph(), suite_.formats, input.inputs),
                             {},
                             of_classes(input.partition)});
    }
  }

  /// Of several smallest sets, the one with the fewest questions on average.
  std::vector<std::size_t> smallest_choice(const std::vector<Partition>& all) {
    Ticker ticker(solvers_.progress(), "choosing inputs");
    const Cover cover = least_cover(all, kCoverSteps, search_until_);
    suite_.least = cover.least;
    suite_.smallest = cover.chosen.size();
    std::vector<std::size_t> best = cover.chosen;
    std::size_t questions = tree_over(all, best).questions;
    std::size_t choices = 0;
    each_cover(
        all, best.size(),
        [&](const std::vector<std::size_t>& chosen) {
          ticker.tick();
          const std::size_t these = tree_over(all, chosen).questions;
          if (these < questions) {
            questions = these;
            best = chosen;
          }
          return ++choices < kChoices;
        },
        kCoverSteps, search_until_);
    return best;
  }

  /// In the order in which the tree asks them.
  static std::vector<std::size_t> inputs_of(const DecisionTree& tree) {
    std::vector<std::size_t> inputs;
    for (const TreeNode& node : tree.nodes) {
      if (node.input && std::find(inputs.begin(), inputs.end(), *node.input) == inputs.end()) {
        inputs.push_back(*node.input);
      }
    }
    return inputs;
  }

  /// The size of a largest set of classes that candidates separate pairwise: all except those that
  /// no candidate separates from an earlier one.
  std::size_t largest_parted(const std::vector<Partition>& all) const {
    Partition together(classes(), 0);
    for (const Partition& p : all) together = refined(together, p);
    return blocks_of(together);
  }

  DecisionTree tree_over(const std::vector<Partition>& all,
                         const std::vector<std::size_t>& chosen) const {
    std::vector<Partition> rows;
    for (std::size_t i : chosen) rows.push_back(all[i]);
    return best_tree(rows, classes(), kTreeSteps, search_until_);
  }

  /// Simplifies each row as long as the rows separate the same pairs and their tree does not need
  /// more questions.
  void simplify() {
    Ticker ticker(solvers_.progress(), "simplifying the inputs");
    std::vector<Partition> partitions = row_partitions();
    const PairSet wanted = parted_by(partitions);
    const std::size_t questions = best_tree(partitions, classes(), kTreeSteps).questions;
    for (std::size_t r = 0; r < partitions.size(); ++r) {
      const auto holds = [&](const DotValues& values) {
        ticker.tick();
        if (!belong(panel_.options().inputs, suite_.formats, values)) return false;
        const std::optional<Partition> found = runner_.run(values);
        if (!found) return false;
        std::vector<Partition> changed = partitions;
        changed[r] = of_classes(*found);
        return wanted.is_subset_of(parted_by(changed)) &&
               best_tree(changed, classes(), kTreeSteps).questions <= questions;
      };
      SuiteRow& row = suite_.rows[r];
      row.values = shrink(suite_.formats, std::move(row.values), holds, kTrials, search_until_);
      partitions[r] = of_classes(runner_.run(row.values).value());
    }
  }

  std::vector<Partition> row_partitions() const {
    std::vector<Partition> all;
    for (const SuiteRow& row : suite_.rows) all.push_back(row.partition);
    return all;
  }

  static PairSet parted_by(const std::vector<Partition>& rows) {
    PairSet all;
    for (const Partition& p : rows) {
      if (all.empty()) all.resize(pair_count(p.size()));
      all |= mmaspec::parted_by(p);
    }
    return all;
  }

  /// Computes all designs' results by the exact evaluator, which must confirm the separations found
  /// by the search.
  void answer() {
    for (DotRunner& design : exact_) {
      for (SuiteRow& row : suite_.rows) row.answers.push_back(design.run(row.values));
    }
    const PairSet before = parted_by(row_partitions());
    for (SuiteRow& row : suite_.rows) {
      std::vector<Integer> compared;
      for (const Integer& d : row.answers) {
        compared.push_back(compared_result(*suite_.formats.d, d, panel_.options().signed_zero));
      }
      std::vector<Integer> of_class;
      for (const SuiteClass& c : suite_.classes) {
        of_class.push_back(compared[c.designs[0]]);
        for (std::size_t d : c.designs) {
          if (compared[d] == of_class.back()) continue;
          throw Contradiction(suite_.designs[c.designs[0]].name() + " and " +
                              suite_.designs[d].name() +
                              " are proved equal, but differ on an input");
        }
      }
      row.partition = partition_by(of_class, of_class.size());
    }
    if (!before.is_subset_of(parted_by(row_partitions()))) {
      throw Contradiction("inputs that distinguish designs do not do so in the exact evaluator");
    }
    suite_.tree = best_tree(row_partitions(), classes(), kTreeSteps);
  }

  static constexpr std::size_t kQuickSteps = 20'000;
  static constexpr std::size_t kCoverSteps = 200'000;
  static constexpr std::size_t kTreeSteps = 50'000;

  const SuiteOptions& options_;
  const Portfolio& solvers_;
  Deadline search_until_;  ///< of the current stage
  Panel panel_;
  Panel::Runner runner_;
  Pool pool_;
  std::vector<DotRunner> exact_;                  ///< by design
  std::vector<std::size_t> class_of_;             ///< by expression
  std::vector<std::size_t> expression_of_class_;  ///< the first
  Suite suite_;
};

}  // namespace

std::size_t Suite::class_of(std::size_t design) const {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto& all = classes[c].designs;
    if (std::find(all.begin(), all.end(), design) != all.end()) return c;
  }
  throw std::logic_error("no class has design number " + std::to_string(design));
}

Suite make_suite(const std::vector<SuiteDesign>& designs, const SuiteOptions& options,
                 const Portfolio& solvers) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Maker> maker;
  {
    const BuildBy bound(
        earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds)));
    maker.emplace(designs, options, solvers);
  }
  Suite suite = maker->run();
  suite.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return suite;
}

std::vector<std::string> vector_lines(const Suite& suite) {
  const auto named = [&](const auto& fits) {
    return std::find_if(suite.designs.begin(), suite.designs.end(), fits);
  };
  const auto has_k = [&](const SuiteDesign& d) { return d.own.formats.k == suite.formats.k; };
  auto asked =
      named([&](const SuiteDesign& d) { return has_k(d) && d.own.architecture != "design"; });
  if (asked == suite.designs.end()) asked = named(has_k);
  if (asked == suite.designs.end()) asked = suite.designs.begin();
  std::vector<std::string> lines;
  for (std::size_t r = 0; r < suite.rows.size(); ++r) {
    VectorRow row;
    row.instruction = asked->name();
    // What says that the row's K is to be reached as a pair's is.
    if (!has_k(*asked)) row.other = suite.designs.back().name();
    row.values = suite.rows[r].values;
    std::vector<Prediction> answers;
    for (std::size_t d = 0; d < suite.designs.size(); ++d) {
      answers.push_back({suite.designs[d].name(), suite.rows[r].answers[d]});
    }
    lines.push_back(
        made_row(std::move(row), asked->run, "suite", "suite", "which design", std::move(answers))
            .text);
  }
  return lines;
}

}  // namespace mmaspec
