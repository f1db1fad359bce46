#include "tests/support/cli/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/cli/json_outputs.h"
#include "util/deadline.h"
#include "util/json.h"

namespace mmaspec::cli_test {
namespace {

/// Waits for the child; kills it at the deadline.
int wait_for(pid_t child, double seconds) {
  const auto start = LimitClock::now();
  auto pause = std::chrono::microseconds(200);
  bool killed = false;
  for (;;) {
    int status = 0;
    const pid_t done = waitpid(child, &status, killed ? 0 : WNOHANG);
    if (done < 0 && errno != EINTR) throw std::runtime_error("no such child process");
    if (done == child) return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    if (!killed && LimitClock::seconds_since(start) > seconds) {
      kill(child, SIGKILL);
      killed = true;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

/// In the child: opens `path` as the descriptor.
void redirect(const std::string& path, int flags, int descriptor) {
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
  close(opened);
}

/// In the child: standard output becomes a pipe without a reader.
void write_to_nobody() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(127);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const RunOptions& options) {
  const Folder folder;  // files, not pipes: neither process can block the other
  const std::string in = folder.write("in", options.input);
  const std::string out = options.output_to.empty() ? folder / "out" : options.output_to;
  const std::string err = options.errors_to.empty() ? folder / "err" : options.errors_to;
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    redirect(in, O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT, STDOUT_FILENO);
    redirect(err, O_WRONLY | O_CREAT, STDERR_FILENO);
    if (options.unread) write_to_nobody();
    for (const int descriptor : options.closed) close(descriptor);
    setenv("LSAN_OPTIONS", "print_suppressions=0", 0);  // a sanitizer's own output is not a message
    execvp(program.c_str(), argv.data());
    _exit(127);
  }
  Outcome outcome;
  outcome.status = wait_for(child, options.seconds);
  if (options.output_to.empty()) outcome.out = content_of(out);
  if (options.errors_to.empty()) outcome.err = content_of(err);
  return outcome;
}

Outcome mmaspec(const std::vector<std::string>& arguments, const RunOptions& options) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  if (binary == nullptr) throw std::runtime_error("MMASPEC_BINARY is not set: the path of mmaspec");
  Outcome outcome = run_program(binary, arguments, options);
  if (outcome.status >= 0)
    keep_json_output(arguments, outcome.out);  // otherwise its output is
                                               // incomplete
  return outcome;
}

Json json_of(std::vector<std::string> arguments, int status) {
  arguments.emplace_back("--json");
  const Outcome outcome = mmaspec(arguments);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return Json::parse_or_discard(outcome.out);
}

bool has_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Folder::Folder() {
  std::string name = std::filesystem::temp_directory_path() / "mmaspec-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder " + name);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& content) const {
  const std::string path = *this / name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string Folder::write_gz(const std::string& name, const std::string& content) const {
  const std::string path = *this / name;
  gzFile file = gzopen(path.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  return path;
}

std::size_t Folder::files() const {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    count += entry.is_regular_file() ? 1U : 0U;
  }
  return count;
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

void expect_refused(const Outcome& outcome, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::StartsWith("mmaspec: "));
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, testing::EndsWith("\n"));
  for (const std::string& part : parts) EXPECT_THAT(outcome.err, testing::HasSubstr(part));
}

}  // namespace mmaspec::cli_test
