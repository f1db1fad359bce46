// Asks the cells of a table, several in parallel, each in a child process, so that a crash affects
// that cell only.

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "queries/studies/table/results.h"
#include "queries/studies/table/table.h"
#include "util/deadline.h"
#include "util/json.h"
#include "util/process.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;
// Operations of a cell's search: nearly all refutations need at most a tenth of it.
constexpr std::size_t kSearchWork = 50'000'000;
constexpr std::size_t kLongerSearch = 8;  // with the remaining time
constexpr double kSolversShare = 0.8;     // share of the time if there is no analytical proof
// Share of the time before analytical proofs: solvers prove little that derivations with all of
// their time do not.
constexpr double kDeriveShareBeforeArguments = 0.95;
constexpr int kTableTick = 250;  // milliseconds between two checks of the clock

/// A cell that is to be asked.
struct TableCell {
  const Property* property;
  const TableRow* row;
};

/// The results for a property with a number, as one cell.
Cell cell_of(const Property& property, const Subject& subject, Tightest t) {
  Cell cell;
  cell.refuted = t.refuted;
  cell.proved = t.proved;
  cell.justification = t.proof.justification;
  cell.vacuity = t.proof.vacuity;
  cell.refuted_by = t.refutation.justification.how();
  cell.of = t.refutation.of;
  cell.smaller = t.proof.smaller;
  cell.witness = std::move(t.refutation.witness);
  if (t.proof.outcome == Outcome::not_applicable) {
    cell.outcome = Outcome::not_applicable;
    cell.refuted_by = "";
    return cell;
  }
  const std::vector<Rational> all = property.parameters(subject);
  const auto after = [&](const Rational& x) { return std::upper_bound(all.begin(), all.end(), x); };
  const auto low = t.refuted ? after(*t.refuted) : all.begin();
  if (t.proved) {
    cell.outcome = Outcome::proved;  // for that number, whether or not it is the least
  } else if (low == all.end()) {
    cell.outcome = Outcome::refuted;
  }
  return cell;
}

/// Proves a property without a number by solvers and derivations in part of the time. If it stays
/// open, it is searched again with a larger limit.
Proof proof_without_argument(const TableCell& place, const ProveOptions& how, const Deadline& whole,
                             const Portfolio& solvers) {
  ProveOptions first = how;
  first.strategies.deadline = whole.part(kSolversShare);
  Proof proof = prove(*place.property, place.row->subject, first, solvers);
  if (proof.outcome != Outcome::undecided) return proof;
  ProveOptions longer = how;
  longer.strategies = how.strategies.only({Strategy::search});
  longer.strategies.deadline = whole;
  ++longer.strategies.seed;
  longer.strategies.search_work *= kLongerSearch;
  Proof found = prove(*place.property, place.row->subject, longer, no_solvers());
  return found.outcome == Outcome::refuted ? found : proof;
}

/// Proves a property without a number. If options.before_arguments is set, solvers and derivations
/// are asked before an analytical proof.
Proof proof_of(const TableCell& place, const ProveOptions& how, const Portfolio& solvers,
               const TableOptions& options, const std::shared_ptr<KnownVerdicts>& known) {
  const Deadline whole = Deadline::in(options.timeout);
  if (options.no_trust) return proof_without_argument(place, how, whole, solvers);
  ProveOptions argued = how;
  argued.strategies = how.strategies.only({Strategy::steps});
  const Proof argument = prove(*place.property, place.row->subject, argued, no_solvers());
  if (argument.outcome != Outcome::proved) {
    return proof_without_argument(place, how, whole, solvers);
  }
  if (options.before_arguments > 0) {
    ProveOptions unargued = how;
    unargued.strategies.set(Strategy::steps, false);
    unargued.strategies.deadline = earlier(whole, Deadline::in(options.before_arguments));
    unargued.strategies.derive_share = kDeriveShareBeforeArguments;
    Limits limits;
    limits.seconds = options.before_arguments;
    Portfolio before(options.solver, limits);
    before.share(known);
    Proof proof = prove(*place.property, place.row->subject, unargued, before);
    if (proof.outcome == Outcome::refuted) {
      throw Contradiction("an analytical proof shows what an input refutes: " +
                          argument.justification.how());
    }
    if (proof.outcome == Outcome::proved) return proof;
  }
  argued = how;
  argued.strategies.deadline = whole;
  return prove(*place.property, place.row->subject, argued, solvers);
}

Cell ask(const TableCell& place, const TableOptions& options,
         const std::shared_ptr<KnownVerdicts>& known) {
  const auto start = Clock::now();
  Limits limits;
  limits.seconds = options.timeout;
  Portfolio solvers(options.solver, limits);
  known->learn();
  solvers.share(known);
  ProveOptions how;
  how.smaller = false;
  how.below_steps = false;  // of 37 analytical bounds of the catalogue, solvers proved a smaller
                            // one for none
  how.strategies.search_work = kSearchWork;
  how.strategies.jobs = 1;  // because the cells run in parallel
  how.strategies.seed = options.seed;
  if (options.no_trust) how.strategies.set(Strategy::steps, false);
  const Subject& subject = place.row->subject;
  Cell cell;
  try {
    if (place.property->parameters(subject).empty()) {
      Proof proof = proof_of(place, how, solvers, options, known);
      cell.outcome = proof.outcome;
      cell.justification = std::move(proof.justification);
      cell.vacuity = proof.vacuity;
      cell.of = std::move(proof.of);
      cell.smaller = std::move(proof.smaller);
      cell.witness = std::move(proof.witness);
    } else {
      cell = cell_of(*place.property, subject, tightest(*place.property, subject, how, solvers));
    }
    cell.timeout = options.timeout;
    cell.before_arguments = options.before_arguments;
  } catch (const Contradiction& error) {
    cell.justification =
        Justification::none(std::string("internal contradiction: ") + error.what());
    cell.contradiction = true;
  } catch (const std::bad_alloc&) {
    cell.justification = Justification::none("out of memory");
  } catch (const std::exception& error) {
    cell.justification = Justification::none(error.what());
  }
  cell.solver = options.solver;
  cell.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return cell;
}

/// A cell being asked in a separate process.
class AskedCell {
 public:
  AskedCell(const TableCell& place, const TableOptions& options,
            const std::shared_ptr<KnownVerdicts>& known)
      : place_(place), child_([&] { return text_of(place, ask(place, options, known)); }) {}

  const TableCell& place() const { return place_; }
  Child& child() { return child_; }

  Cell cell() {
    if (child_.has_text()) {
      return mmaspec::cell_of(Json::parse(child_.text()), *place_.property, *place_.row);
    }
    return failed("its process " + child_.end().how);
  }
  Cell failed(const std::string& why) const {
    Cell cell;
    cell.asked = true;
    cell.justification = Justification::none(why);
    cell.seconds = child_.seconds();
    return cell;
  }

 private:
  static std::string text_of(const TableCell& place, const Cell& cell) {
    return to_json(*place.property, *place.row, cell).dump(-1, Json::Invalid::replace);
  }

  TableCell place_;
  Child child_;
};

/// An upper limit of a cell's time.
double longest(const TableOptions& options) { return 2 * options.timeout + 60; }

bool is_settled(const Cell& cell, const TableOptions& options) {
  if (!cell.asked) return false;
  const bool argued_too_soon = cell.outcome == Outcome::proved &&
                               cell.justification.kind == Justification::Kind::argument &&
                               cell.before_arguments < options.before_arguments;
  if (argued_too_soon) return false;
  if (cell.outcome != Outcome::undecided) return true;
  return cell.timeout >= options.timeout && cell.solver == options.solver;
}

/// The cells that are being asked, and those that wait.
class TableFilling {
 public:
  TableFilling(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
               const TableOptions& options, TableResults& results)
      : options_(options), results_(results) {
    std::set<std::pair<const Property*, std::string>> seen;
    std::vector<TableCell> all;
    std::vector<double> costs;
    for (const TableRow& row : rows) {
      for (const Property* p : properties) {
        if (!seen.emplace(p, row.design).second) continue;
        all.push_back({p, &row});
        costs.push_back(row.subject.first.formats.k);  // the cost of questions grows with K
      }
    }
    const std::vector<std::size_t> shard_of = share_out(costs, options.shard.count);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (shard_of[i] != options.shard.number) continue;
      ++all_;
      if (is_settled(results.find(*all[i].property, *all[i].row), options)) {
        ++done_;
      } else {
        waiting_.push_back(all[i]);
      }
    }
    jobs_ = options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                             : std::max(std::thread::hardware_concurrency(), 1U);
  }

  void run() {
    for (;;) {
      if (work_is_stopped()) return;
      while (!waiting_.empty() && running_.size() < jobs_) {
        running_.push_back(std::make_unique<AskedCell>(waiting_.front(), options_, known_));
        waiting_.pop_front();
      }
      if (running_.empty()) return;
      report();
      wait();
    }
  }

 private:
  void report() const {
    if (!options_.progress) return;
    std::string names;
    for (const auto& cell : running_) {
      names += (names.empty() ? "" : ", ") + cell->place().property->name() + " of " +
               cell->place().row->names[0];
    }
    options_.progress(done_, all_, names);
  }

  void wait() {
    std::vector<pollfd> ends;
    for (const auto& cell : running_) ends.push_back({cell->child().pipe(), POLLIN, 0});
    const int ready = poll(ends.data(), ends.size(), kTableTick);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for cells: ") + std::strerror(errno));
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      AskedCell& cell = *running_[i];
      if (ready > 0 && ends[i].revents != 0 && cell.child().read_more()) {
        take(i, cell.cell());
      } else if (cell.child().seconds() > longest(options_)) {
        take(i, cell.failed("it took too long"));
      }
    }
  }

  void take(std::size_t i, const Cell& cell) {
    const TableCell place = running_[i]->place();
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    ++done_;
    results_.add(*place.property, *place.row, cell);
  }

  const TableOptions& options_;
  TableResults& results_;
  const std::shared_ptr<KnownVerdicts> known_ = KnownVerdicts::of_children();
  std::deque<TableCell> waiting_;
  std::vector<std::unique_ptr<AskedCell>> running_;
  std::size_t jobs_ = 1;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

void fill(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
          const TableOptions& options, TableResults& results) {
  TableFilling(rows, properties, options, results).run();
  if (options.progress) options.progress(0, 0, "");
}

}  // namespace mmaspec
