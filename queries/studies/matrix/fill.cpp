// Asks the pairs of a matrix: a unit's trial, and each pair that it leaves open. Each runs in a
// separate child process, several in parallel, so that a crash affects that unit or pair only.

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "queries/prove/diff.h"
#include "queries/studies/matrix/classes.h"
#include "queries/studies/matrix/matrix.h"
#include "queries/studies/matrix/transfer.h"
#include "queries/studies/matrix/trial.h"
#include "queries/studies/matrix/witness.h"
#include "util/deadline.h"
#include "util/json.h"
#include "util/process.h"

namespace mmaspec {
namespace {

constexpr int kTick = 250;  // milliseconds between two checks of the clock
constexpr const char* kNoAnswer = "neither proved nor refuted in the time";

std::string text_of(const Json& object) { return object.dump(-1, Json::Invalid::replace); }

Pair pair_in(const std::vector<MatrixDesign>& designs, const DesignPair& p) {
  return pair_up(designs[p.first].instruction, designs[p.second].instruction, {});
}

Json to_json(const DesignPair& p) { return {p.first, p.second}; }
DesignPair pair_of(const Json& object) { return {object.at(0), object.at(1)}; }

/// The message of a child process that tries a unit's inputs.
std::string tried(const Matrix& matrix, const Unit& unit, unsigned seed) {
  Json object;
  object["rows"] = Json::array();
  object["open"] = Json::array();
  object["same"] = Json::array();
  try {
    const TrialResult result = try_inputs(matrix.designs, unit, seed);
    for (const TriedPair& t : result.decided) {
      object["rows"].push_back({to_json(t.pair), to_json(t.row, pair_in(matrix.designs, t.pair))});
    }
    for (const DesignPair& p : result.open) object["open"].push_back(to_json(p));
    for (const DesignPair& p : result.same) object["same"].push_back(to_json(p));
  } catch (const Contradiction& error) {
    object["contradiction"] = error.what();
  }
  return text_of(object);
}

/// If options.before_arguments is set: first by solvers alone, then in the remaining time with
/// analytical proofs.
DiffResult difference_of(const Instruction& first, const Instruction& second,
                         const MatrixOptions& options,
                         const std::shared_ptr<KnownVerdicts>& known) {
  DiffOptions how;
  how.strategies.jobs = 1;  // because the pairs run in parallel
  how.strategies.seed = options.seed;
  if (options.no_trust) how.strategies.set(Strategy::steps, false);
  const Deadline deadline = Deadline::in(options.timeout);
  Limits limits;
  if (options.before_arguments > 0) {
    limits.seconds = options.before_arguments;
    Portfolio before(options.solver, limits);
    before.share(known);
    DiffOptions unargued = how;
    unargued.strategies.set(Strategy::steps, false);
    DiffResult result = diff(first, second, unargued, before);
    if (result.verdict == Verdict::satisfiable) {
      DiffOptions argued = how;
      argued.strategies = how.strategies.only({Strategy::steps});
      const Portfolio nobody(std::vector<std::unique_ptr<Backend>>(), Limits{});
      if (diff(first, second, argued, nobody).verdict == Verdict::unsatisfiable) {
        throw Contradiction(
            "an analytical proof shows that two designs are equal, but they differ on an input");
      }
    }
    if (result.verdict != Verdict::unknown) return result;
  }
  limits.seconds = deadline.left();
  Portfolio solvers(options.solver, limits);
  solvers.share(known);
  return diff(first, second, how, solvers);
}

/// The message of a child process that asks one pair.
std::string asked(const Matrix& matrix, const DesignPair& p, const MatrixOptions& options,
                  const MatrixResults& results, const std::shared_ptr<KnownVerdicts>& known) {
  PairRow row;
  row.timeout = options.timeout;
  row.solver = options.solver;
  try {
    known->learn();
    const DiffResult result = difference_of(matrix.designs[p.first].instruction,
                                            matrix.designs[p.second].instruction, options, known);
    if (result.verdict == Verdict::unsatisfiable) {
      row.verdict = PairVerdict::equal;
      row.by = by(result.justification.kind);
      if (result.justification.kind == Justification::Kind::argument) {
        row.before_arguments = options.before_arguments;
      }
    } else if (result.verdict == Verdict::satisfiable) {
      row.verdict = PairVerdict::differ;
      row.by = result.justification.kind == Justification::Kind::search ? "search" : "solver";
      row.witness = result.witnesses.at(0).row;
      row = of_witness(std::move(row), result.pair);
    } else if (const auto differ = differs_as_in_other_formats(matrix, p, results)) {
      row = *differ;
    } else {
      row.how = kNoAnswer;  // the names of the attempts would vary between runs
    }
  } catch (const Contradiction& error) {
    row.how = std::string("internal contradiction: ") + error.what();
    row.contradiction = true;
  } catch (const std::bad_alloc&) {
    row.how = "out of memory";
  } catch (const std::exception& error) {
    row.how = error.what();
  }
  return text_of(to_json(row, pair_in(matrix.designs, p)));
}

/// The state of a unit from its trial to its last row.
struct Progress {
  const Unit* unit;
  std::map<DesignPair, PairRow> rows;  ///< known so far
  std::unique_ptr<Classes> classes;    ///< set when the trial has ended
  std::set<DesignPair> asking;
};

class Filling {
 public:
  Filling(const Matrix& matrix, const MatrixOptions& options, MatrixResults& results)
      : matrix_(matrix), options_(options), results_(results) {
    add_pairs_of_one_design();
    for (const Unit& unit : matrix.units) {
      all_ += unit.pairs.size();
      const bool settled = std::all_of(unit.pairs.begin(), unit.pairs.end(),
                                       [&](const DesignPair& p) { return is_settled(p); });
      if (settled) {
        done_ += unit.pairs.size();
      } else {
        waiting_.push_back(&unit);
      }
    }
    // The longest first, so that the end does not wait for one long unit.
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Unit* x, const Unit* y) { return x->cost < y->cost; });
    jobs_ = options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                             : std::max(std::thread::hardware_concurrency(), 1U);
  }

  void run() {
    for (;;) {
      if (work_is_stopped()) return;
      while (running_.size() < jobs_ && start_one()) {
      }
      if (running_.empty()) return;
      report();
      wait();
    }
  }

 private:
  struct Running {
    std::unique_ptr<Child> child;
    std::size_t unit;                ///< index into begun_
    std::optional<DesignPair> pair;  ///< nullopt: the trial
  };

  /// The pair's row from the file if the file has all rows of the pair; nullopt if it lacks one.
  std::optional<PairRow> on_file(const DesignPair& p) const {
    std::optional<PairRow> row;
    for (const NamedPair& named : matrix_.named(p)) {
      row = results_.find(named);
      if (!row) return std::nullopt;
    }
    return row;
  }

  bool is_settled(const DesignPair& p) const {
    const std::optional<PairRow> row = on_file(p);
    return row && is_settled(*row);
  }

  bool is_settled(const PairRow& row) const {
    if (rests_on_argument(row, options_.before_arguments)) return false;
    if (row.verdict != PairVerdict::undecided) return true;
    return row.timeout >= options_.timeout && row.solver == options_.solver;
  }

  void add_pairs_of_one_design() {
    std::vector<MatrixResults::Added> added;
    for (const NamedPair& named : matrix_.pairs_of_one_design()) {
      if (results_.find(named)) continue;
      PairRow row;
      row.verdict = PairVerdict::equal;
      row.by = by(Justification::Kind::one_expression);
      added.push_back({named, row});
    }
    results_.add(added);
  }

  bool start_one() {
    // Pairs to ask take longest.
    for (std::size_t u = 0; u < begun_.size(); ++u) {
      Progress& progress = *begun_[u];
      if (!progress.classes) continue;
      for (const DesignPair& p : progress.classes->to_ask()) {
        if (!progress.asking.insert(p).second) continue;
        const auto work = [this, p] { return asked(matrix_, p, options_, results_, known_); };
        running_.push_back({std::make_unique<Child>(work), u, p});
        return true;
      }
    }
    if (waiting_.empty()) return false;
    const Unit& unit = *waiting_.back();
    waiting_.pop_back();
    begun_.push_back(std::make_unique<Progress>(Progress{&unit, {}, {}, {}}));
    const auto work = [this, &unit] { return tried(matrix_, unit, options_.seed); };
    running_.push_back({std::make_unique<Child>(work), begun_.size() - 1, std::nullopt});
    return true;
  }

  void report() const {
    if (!options_.progress) return;
    const Running& first = running_.front();
    const DesignPair p = first.pair.value_or(begun_[first.unit]->unit->pairs.at(0));
    options_.progress(done_, all_,
                      matrix_.designs[p.first].names[0] + (first.pair ? " and " : " and others") +
                          (first.pair ? matrix_.designs[p.second].names[0] : ""));
  }

  void wait() {
    std::vector<pollfd> ends;
    for (const Running& r : running_) ends.push_back({r.child->pipe(), POLLIN, 0});
    const int ready = poll(ends.data(), ends.size(), kTick);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for pairs: ") + std::strerror(errno));
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      Running& r = running_[i];
      if (ready > 0 && ends[i].revents != 0 && r.child->read_more()) {
        const std::string how = r.child->has_text() ? "" : "its process " + r.child->end().how;
        take(i, how);
      } else if (r.pair && r.child->seconds() > 2 * options_.timeout + 60) {
        take(i, "it took too long");
      }
    }
  }

  /// `wrong`: why the child process did not answer; empty: it did.
  void take(std::size_t i, const std::string& wrong) {
    const Running taken = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (work_is_stopped()) return;  // the child did not get its full time
    Progress& progress = *begun_[taken.unit];
    const Json told = wrong.empty() ? Json::parse(taken.child->text()) : Json();
    if (taken.pair) {
      PairRow row;
      if (wrong.empty()) {
        row = pair_row_of(told, pair_in(matrix_.designs, *taken.pair));
      } else {
        row.how = wrong;
        row.solver = options_.solver;
      }
      take_asked(progress, *taken.pair, std::move(row));
    } else if (wrong.empty()) {
      take_trial(progress, told);
    } else {
      take_failed_trial(progress, wrong);
    }
    if (progress.classes && progress.classes->to_ask().empty()) finish(taken.unit);
  }

  void take_trial(Progress& progress, const Json& told) {
    if (told.contains("contradiction")) {
      throw Contradiction(told.at("contradiction").get<std::string>());
    }
    std::vector<MatrixResults::Added> added;
    for (const Json& line : told.at("rows")) {
      const DesignPair p = pair_of(line.at(0));
      PairRow row = pair_row_of(line.at(1), pair_in(matrix_.designs, p));
      collect(p, row, added);
      progress.rows.emplace(p, std::move(row));
    }
    results_.add(added);
    std::vector<DesignPair> same;
    std::vector<DesignPair> open;
    for (const Json& p : told.at("same")) same.push_back(pair_of(p));
    for (const Json& p : told.at("open")) open.push_back(pair_of(p));
    progress.classes =
        std::make_unique<Classes>(same, open, progress.rows, options_.before_arguments > 0);
    for (const DesignPair& p : open) {
      const std::optional<PairRow> row = on_file(p);
      if (row && is_settled(*row)) progress.classes->take(p, *row);
    }
  }

  void take_failed_trial(Progress& progress, const std::string& wrong) {
    for (const DesignPair& p : progress.unit->pairs) {
      PairRow row;
      row.how = wrong;
      row.solver = options_.solver;
      progress.rows.emplace(p, row);
    }
    progress.classes = std::make_unique<Classes>(std::vector<DesignPair>(),
                                                 std::vector<DesignPair>(), progress.rows);
  }

  void take_asked(Progress& progress, const DesignPair& p, PairRow row) {
    if (!progress.classes) return;  // it followed from other answers in the mean time
    std::vector<MatrixResults::Added> added;
    collect(p, row, added);
    results_.add(added);
    progress.classes->take(p, row);
    progress.rows[p] = std::move(row);
  }

  /// Adds the rows that follow from those that were asked.
  void finish(std::size_t unit) {
    Progress& progress = *begun_[unit];
    std::vector<MatrixResults::Added> added;
    for (const DesignPair& p : progress.unit->pairs) {
      const auto known = progress.rows.find(p);
      if (known == progress.rows.end() || follows_from_more(progress, p, known->second)) {
        collect(p, derived(progress, p), added);
      } else if (known->second.verdict == PairVerdict::undecided) {
        collect(p, known->second, added);
      }
    }
    results_.add(added);
    done_ += progress.unit->pairs.size();
    progress.rows.clear();
    progress.classes.reset();
  }

  /// Other pairs' answers decide what this one's did not, or make its analytical proof unnecessary.
  static bool follows_from_more(const Progress& progress, const DesignPair& p,
                                const PairRow& answer) {
    if (answer.verdict == PairVerdict::undecided) {
      return progress.classes->known(p).verdict != PairVerdict::undecided;
    }
    return rests_on_argument(answer) && !progress.classes->known(p).by_argument;
  }

  PairRow derived(Progress& progress, const DesignPair& p) const {
    const Classes::Known known = progress.classes->known(p);
    PairRow row;
    row.verdict = known.verdict;
    if (known.verdict == PairVerdict::equal) {
      row.by =
          by(known.by_argument ? Justification::Kind::argument : Justification::Kind::derivation);
      // The answers from which it follows were asked with this option.
      if (known.by_argument) row.before_arguments = options_.before_arguments;
      row.through = matrix_.designs[known.from.first].names[0];
      return row;
    }
    const PairRow& of = progress.classes->answer(known.from);
    if (known.verdict == PairVerdict::undecided) {
      row.how = of.how;
      row.timeout = of.timeout;
      row.solver = of.solver;
      return row;
    }
    row.by = of.by;
    return of_input(std::move(row), of.witness->values, pair_in(matrix_.designs, p));
  }

  /// Adds the pair's rows that the file lacks, or has by an analytical proof that is no longer
  /// needed.
  void collect(const DesignPair& p, const PairRow& row,
               std::vector<MatrixResults::Added>& added) const {
    for (const NamedPair& named : matrix_.named(p)) {
      const std::optional<PairRow> known = results_.find(named);
      const bool spares_an_argument = known && rests_on_argument(*known) &&
                                      row.verdict == PairVerdict::equal && !rests_on_argument(row);
      const bool is_kept = known && (is_settled(*known) || row.verdict == PairVerdict::undecided);
      if (is_kept && !spares_an_argument) continue;
      added.push_back({named, row});
    }
  }

  const Matrix& matrix_;
  const MatrixOptions& options_;
  MatrixResults& results_;
  std::vector<const Unit*> waiting_;
  std::vector<std::unique_ptr<Progress>> begun_;
  std::vector<Running> running_;
  std::size_t jobs_ = 1;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
  const std::shared_ptr<KnownVerdicts> known_ = KnownVerdicts::of_children();
};

}  // namespace

void fill(const Matrix& matrix, const MatrixOptions& options, MatrixResults& results) {
  Filling(matrix, options, results).run();
  if (options.progress) options.progress(0, 0, "");
}

}  // namespace mmaspec
