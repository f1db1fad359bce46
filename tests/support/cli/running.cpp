#include "tests/support/cli/running.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "util/deadline.h"

namespace mmaspec::cli_test {
namespace {

constexpr std::chrono::milliseconds kPause(2);
constexpr std::chrono::seconds kLongest(60);

/// A zombie does not count as running: its status has not been collected yet.
bool lives(const std::filesystem::path& process) {
  const std::string stat = content_of(process / "stat");
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
}

}  // namespace

Running::Running(const std::vector<std::string>& arguments, const Folder& folder) {
  static int number = 0;
  mark_ = "MMASPEC_TEST_RUN=" + std::to_string(getpid()) + "-" + std::to_string(++number);
  out_ = folder / ("out" + std::to_string(number));
  err_ = folder / ("err" + std::to_string(number));
  const char* binary = std::getenv("MMASPEC_BINARY");
  if (binary == nullptr) throw std::runtime_error("MMASPEC_BINARY is not set: the path of mmaspec");
  std::vector<char*> argv{const_cast<char*>(binary)};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.push_back(*variable);
  }
  environment.push_back(mark_.data());
  environment.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ == 0) {
    std::signal(SIGINT, SIG_DFL);  // ignored in background processes of a shell
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out_.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err_.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execve(binary, argv.data(), environment.data());
    _exit(127);
  }
}

Running::~Running() {
  for (const pid_t p : pids()) kill(p, SIGKILL);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

void Running::signal(int number) const { kill(pid_, number); }

Outcome Running::wait() {
  const auto end = LimitClock::now() + 5 * kLongest;
  int status = 0;
  for (pid_t ended = 0; ended == 0; ended = waitpid(pid_, &status, WNOHANG)) {
    if (LimitClock::now() > end) kill(pid_, SIGKILL);
    std::this_thread::sleep_for(kPause);
  }
  pid_ = -1;
  return {WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status), content_of(out_),
          content_of(err_)};
}

std::vector<pid_t> Running::pids() const {
  std::vector<pid_t> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string environment = content_of(entry.path() / "environ") + '\0';
    if (environment.find(mark_ + '\0') == std::string::npos || !lives(entry.path())) continue;
    all.push_back(std::stoi(name));
  }
  return all;
}

std::vector<std::string> Running::processes() const {
  std::vector<std::string> all;
  for (const pid_t p : pids()) {
    std::string words = content_of("/proc/" + std::to_string(p) + "/cmdline");
    std::replace(words.begin(), words.end(), '\0', ' ');
    all.push_back(words);
  }
  return all;
}

bool Running::all_ended() const {
  return comes_true([&] { return pids().empty(); });
}

bool comes_true(const std::function<bool()>& condition) {
  const auto end = LimitClock::now() + kLongest;
  while (!condition()) {
    if (LimitClock::now() > end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace mmaspec::cli_test
