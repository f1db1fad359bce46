// Asks the cells of a table, several at once, each in a child process: a crash costs that cell
// alone.

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <thread>

#include "queries/table.h"
#include "queries/table_results.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

// Operations of a cell's search: what is refuted is nearly always refuted with a tenth of it.
constexpr std::size_t kSearchWork = 50'000'000;
constexpr int kTick = 250;  // milliseconds between two looks at the clock

/// A cell that is to be asked.
struct Place {
  const Property* property;
  const TableRow* row;
};

/// What of a property with a number is known, as one cell.
Cell cell_of(const Property& property, const Subject& subject, Tightest t) {
  Cell cell;
  cell.refuted = t.refuted;
  cell.proved = t.proved;
  cell.how = t.proof.how;
  cell.vacuity = t.proof.vacuity;
  cell.refuted_by = t.refutation.how;
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
    cell.outcome = Outcome::proved;  // of that number, whether or not it is the least
  } else if (low == all.end()) {
    cell.outcome = Outcome::refuted;
  }
  return cell;
}

Cell ask(const Place& place, const TableOptions& options) {
  const auto start = Clock::now();
  Limits limits;
  limits.seconds = options.timeout;
  const Portfolio solvers(options.solver, limits);
  ProveOptions how;
  how.smaller = false;
  how.strategies.search_work = kSearchWork;
  how.strategies.jobs = 1;  // the cells are what runs in parallel
  how.strategies.seed = options.seed;
  const Subject& subject = place.row->subject;
  Cell cell;
  try {
    if (place.property->parameters(subject).empty()) {
      Proof proof = prove(*place.property, subject, how, solvers);
      cell.outcome = proof.outcome;
      cell.how = std::move(proof.how);
      cell.vacuity = proof.vacuity;
      cell.of = std::move(proof.of);
      cell.smaller = std::move(proof.smaller);
      cell.witness = std::move(proof.witness);
    } else {
      cell = cell_of(*place.property, subject, tightest(*place.property, subject, how, solvers));
    }
    cell.timeout = options.timeout;
  } catch (const Contradiction& error) {
    cell.how = std::string("internal contradiction: ") + error.what();
    cell.contradiction = true;
  } catch (const std::bad_alloc&) {
    cell.how = "out of memory";
  } catch (const std::exception& error) {
    cell.how = error.what();
  }
  cell.solver = options.solver;
  cell.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return cell;
}

/// A cell being asked, in a process group of its own, which the destructor ends.
class CellProcess {
 public:
  CellProcess(const Place& place, const TableOptions& options) : place_(place) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) {
      close(ends[0]);
      close(ends[1]);
      throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (pid_ == 0) {
      // Signals of a terminal are for the parent, whose end is this one's; and that of all which
      // this one starts.
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, SIG_DFL);
      run(options, ends[1]);
    }
    setpgid(pid_, pid_);
    close(ends[1]);
    pipe_ = ends[0];
  }
  ~CellProcess() {
    close(pipe_);
    end();
  }
  CellProcess(const CellProcess&) = delete;
  CellProcess& operator=(const CellProcess&) = delete;

  const Place& place() const { return place_; }
  int pipe() const { return pipe_; }
  pid_t pid() const { return pid_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Takes what has been written; true once that is all.
  bool read_more() {
    std::array<char, 65536> buffer;
    const ssize_t n = read(pipe_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) return false;
    if (n > 0) text_.append(buffer.data(), static_cast<std::size_t>(n));
    return n <= 0 || text_.ends_with('\n');
  }

  Cell cell() {
    const int status = end();
    if (text_.ends_with('\n')) {
      return mmaspec::cell_of(ordered_json::parse(text_), *place_.property, *place_.row);
    }
    return failed(WIFSIGNALED(status) ? std::string("its process was ended by signal ") +
                                            std::to_string(WTERMSIG(status)) + " (" +
                                            strsignal(WTERMSIG(status)) + ")"
                                      : "its process ended without an answer");
  }
  Cell failed(const std::string& why) const {
    Cell cell;
    cell.asked = true;
    cell.how = why;
    cell.seconds = seconds();
    return cell;
  }

 private:
  [[noreturn]] void run(const TableOptions& options, int out) const {
    const std::string text = to_json(*place_.property, *place_.row, ask(place_, options))
                                 .dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
                             "\n";
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = write(out, text.data() + done, text.size() - done);
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    _exit(0);
  }

  /// The status of the process; it need not have ended by itself.
  int end() {
    if (pid_ < 0) return status_;
    // One that has answered is about to go.
    if (!text_.ends_with('\n')) kill(-pid_, SIGKILL);
    while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status_;
  }

  Place place_;
  Clock::time_point start_ = Clock::now();
  pid_t pid_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  std::string text_;
};

/// Makes what a killed cell leaves behind, such as a solver's program, children of this process, so
/// that it can end them.
class Orphans {
 public:
  Orphans() : others_(children()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Orphans() {
    end({});
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;

  void end(const std::set<pid_t>& running) const {
    // Whose parent is killed comes here only then.
    for (int round = 0; round < 100; ++round) {
      bool any = false;
      for (const pid_t child : children()) {
        if (others_.contains(child) || running.contains(child)) continue;
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        any = true;
      }
      if (!any) break;
    }
  }

 private:
  static std::set<pid_t> children() {
    std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
    std::set<pid_t> all;
    for (pid_t child = 0; list >> child;) all.insert(child);
    return all;
  }

  std::set<pid_t> others_;  ///< that were there before
};

/// No question takes so long; a cell asks several at most.
double longest(const TableOptions& options) { return 10 * options.timeout + 60; }

bool is_settled(const Cell& cell, const TableOptions& options) {
  if (!cell.asked) return false;
  if (cell.outcome != Outcome::undecided) return true;
  return cell.timeout >= options.timeout && cell.solver == options.solver;
}

/// The cells that are being asked, and those that wait.
class Filling {
 public:
  Filling(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
          const TableOptions& options, TableResults& results)
      : options_(options), results_(results) {
    std::set<std::pair<const Property*, std::string>> seen;
    for (const TableRow& row : rows) {
      for (const Property* p : properties) {
        if (!seen.emplace(p, row.design).second) continue;
        ++all_;
        if (is_settled(results.find(*p, row), options)) {
          ++done_;
        } else {
          waiting_.push_back({p, &row});
        }
      }
    }
    jobs_ = options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                             : std::max(std::thread::hardware_concurrency(), 1U);
  }

  bool run() {
    for (;;) {
      if (options_.stop && options_.stop()) return false;
      while (!waiting_.empty() && running_.size() < jobs_) {
        running_.push_back(std::make_unique<CellProcess>(waiting_.front(), options_));
        waiting_.pop_front();
      }
      if (running_.empty()) return true;
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
    for (const auto& cell : running_) ends.push_back({cell->pipe(), POLLIN, 0});
    const int ready = poll(ends.data(), ends.size(), kTick);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for cells: ") + std::strerror(errno));
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      CellProcess& cell = *running_[i];
      if (ready > 0 && ends[i].revents != 0 && cell.read_more()) {
        take(i, cell.cell());
      } else if (cell.seconds() > longest(options_)) {
        take(i, cell.failed("it took too long"));
      }
    }
  }

  void take(std::size_t i, const Cell& cell) {
    const Place place = running_[i]->place();
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (cell.timeout == 0) end_orphans();
    ++done_;
    results_.add(*place.property, *place.row, cell);
  }

  void end_orphans() const {
    std::set<pid_t> running;
    for (const auto& cell : running_) running.insert(cell->pid());
    orphans_.end(running);
  }

  const Orphans orphans_;  // outlives the cells
  const TableOptions& options_;
  TableResults& results_;
  std::deque<Place> waiting_;
  std::vector<std::unique_ptr<CellProcess>> running_;
  std::size_t jobs_ = 1;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

bool fill(const std::vector<TableRow>& rows, const std::vector<const Property*>& properties,
          const TableOptions& options, TableResults& results) {
  const bool whole = Filling(rows, properties, options, results).run();
  if (options.progress) options.progress(0, 0, "");
  return whole;
}

}  // namespace mmaspec
