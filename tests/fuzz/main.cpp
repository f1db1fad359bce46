// mmaspec-fuzz: random designs and questions. Each answer is checked by an evaluator that shares no
// code with the project. docs/proving.md says how to run it.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>

#include "tests/fuzz/evaluations.h"
#include "tests/fuzz/questions.h"
#include "util/json.h"

namespace mmaspec::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  double seconds = 60;
  std::uint64_t seed = 1;
  int jobs = 1;
  std::uint64_t batches = 0;  ///< 0: as many as the time permits
  std::uint64_t batch = 0;    ///< not 0: only this batch, whose number a contradiction reports
  std::string mmaspec;
  std::string log;
  std::string only;  ///< evaluations or questions
  double timeout = 3;
  bool quick = false;
};

/// A batch running in a child process.
struct Child {
  pid_t pid;
  int pipe;
  std::string text;
  std::uint64_t seed;
};

class Fuzz {
 public:
  explicit Fuzz(const Options& options) : options_(options) {
    if (!options.log.empty()) log_.open(options.log, std::ios::app);
  }

  int run() {
    const auto end = Clock::now() + std::chrono::duration<double>(options_.seconds);
    const std::uint64_t first = options_.batch != 0 ? options_.batch : options_.seed * 1000003;
    const std::uint64_t batches = options_.batch != 0 ? 1 : options_.batches;
    std::uint64_t next = 0;
    for (;;) {
      const bool more = batches == 0 ? Clock::now() < end : next < batches;
      while (more && static_cast<int>(children_.size()) < options_.jobs) {
        start(first + next);
        ++next;
        if (batches != 0 && next >= batches) break;
      }
      if (children_.empty()) break;
      wait();
    }
    summary();
    return contradictions_ == 0 ? 0 : 1;
  }

 private:
  void start(std::uint64_t seed) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("no process");
    if (pid == 0) {
      close(ends[0]);
      Log log(ends[1]);
      batch(seed, log);
      log.flush_counters();
      _exit(0);
    }
    close(ends[1]);
    children_.push_back({pid, ends[0], "", seed});
  }

  void batch(std::uint64_t seed, Log& log) const {
    const bool evaluations = options_.only.empty() ? seed % 4 == 0 : options_.only == "evaluations";
    try {
      if (evaluations) {
        const int designs = options_.quick ? 4 : 12;
        for (int i = 0; i < designs; ++i) {
          compare_evaluations(seed * 64 + static_cast<std::uint64_t>(i),
                              options_.quick ? 500 : 3000, options_.mmaspec, log);
        }
      } else {
        ask_question({seed, options_.mmaspec, options_.timeout, options_.quick}, log);
      }
    } catch (const std::exception& error) {
      log.contradiction("exception", error.what(), fmt::format("batch {}", seed));
    }
  }

  /// Reads the output of the children and collects those that ended.
  void wait() {
    std::vector<pollfd> all;
    for (const Child& c : children_) all.push_back({c.pipe, POLLIN, 0});
    poll(all.data(), all.size(), 1000);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t count = read(children_[i].pipe, buffer.data(), buffer.size());
      if (count > 0) {
        children_[i].text.append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0) {
        finish(children_[i]);
        children_[i].pid = 0;
      }
    }
    std::erase_if(children_, [](const Child& c) { return c.pid == 0; });
  }

  void finish(const Child& child) {
    close(child.pipe);
    int status = 0;
    waitpid(child.pid, &status, 0);
    std::string trying;
    for (const std::string& line : lines(child.text)) {
      const auto json = Json::parse_or_discard(line);
      if (json.is_discarded()) continue;
      if (json.contains("trying")) {
        trying = json["trying"];
        continue;
      }
      if (json.contains("counters")) {
        for (const auto& [key, n] : json["counters"].items())
          counters_[key] += n.get<std::uint64_t>();
        continue;
      }
      if (json.contains("contradiction")) report(json, child.seed);
      if (log_.is_open()) log_ << line << "\n" << std::flush;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      report({{"contradiction", "crash"},
              {"what", fmt::format("wait status {}", status)},
              {"command", trying}},
             child.seed);
    }
  }

  void report(const Json& found, std::uint64_t seed) {
    ++contradictions_;
    fmt::print("CONTRADICTION ({}, batch {}): {}\n  {}\n",
               found["contradiction"].get<std::string>(), seed, found["what"].get<std::string>(),
               found["command"].get<std::string>());
    std::fflush(stdout);
  }

  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

  void summary() {
    fmt::print("summary (seed {}):\n", options_.seed);
    for (const auto& [key, n] : counters_) fmt::print("  {:<40} {}\n", key, n);
    fmt::print("  {:<40} {}\n", "contradictions", contradictions_);
    if (!log_.is_open()) return;
    log_ << Json{{"summary", counters_},
                 {"seed", options_.seed},
                 {"contradictions", contradictions_}}
                .dump()
         << "\n";
  }

  const Options& options_;
  std::ofstream log_;
  std::vector<Child> children_;
  std::map<std::string, std::uint64_t> counters_;
  std::uint64_t contradictions_ = 0;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app("drawn designs and questions, every answer judged by an independent evaluator");
  app.add_option("--seconds", options.seconds, "how long")->capture_default_str();
  app.add_option("--batches", options.batches, "number of batches, however long they take");
  app.add_option("--batch", options.batch, "one batch alone, by the number that is printed");
  app.add_option("--seed", options.seed, "what is drawn")->capture_default_str();
  app.add_option("--jobs", options.jobs, "batches at once")->capture_default_str();
  app.add_option("--timeout", options.timeout, "seconds for a question")->capture_default_str();
  app.add_option("--only", options.only, "of the two kinds of batches one alone")
      ->check(CLI::IsMember({"evaluations", "questions"}));
  app.add_option("--mmaspec", options.mmaspec, "the command that is tried (default: beside this)");
  app.add_option("--log", options.log,
                 "append what is asked and answered to this file, JSON Lines");
  app.add_flag("--quick", options.quick, "tiny designs and few inputs");
  CLI11_PARSE(app, argc, argv);
  if (options.mmaspec.empty()) {
    const char* binary = std::getenv("MMASPEC_BINARY");
    options.mmaspec =
        binary != nullptr
            ? binary
            : (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "mmaspec").string();
  }
  return Fuzz(options).run();
}

}  // namespace
}  // namespace mmaspec::fuzz

int main(int argc, char** argv) {
  try {
    return mmaspec::fuzz::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "mmaspec-fuzz: " << error.what() << "\n";
    return 2;
  }
}
