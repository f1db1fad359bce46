#include "util/dialogue.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <string_view>

#include "util/deadline.h"

namespace mmaspec {
namespace {

constexpr double kTick = 0.25;  // seconds between two checks of the clock

/// Writes what the pipe accepts. If the reader has closed it, this is an error and not a signal,
/// which would end this process.
ssize_t write_some(int pipe, std::string_view text) {
  sigset_t of_pipes;
  sigset_t before;
  sigemptyset(&of_pipes);
  sigaddset(&of_pipes, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &of_pipes, &before);
  const ssize_t n = write(pipe, text.data(), text.size());
  const int error = errno;
  if (n < 0 && error == EPIPE) {
    const timespec at_once{};
    sigtimedwait(&of_pipes, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return n;
}

/// Removes from `heard` the lines up to the first complete one that contains `last`, and returns
/// those before it; nullopt if there is none yet.
std::optional<std::string> take_until(std::string& heard, const std::string& last) {
  const std::size_t at = heard.find(last);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = heard.find('\n', at);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t line = heard.rfind('\n', at);  // npos + 1 is 0
  std::string before = heard.substr(0, line + 1);
  heard.erase(0, end + 1);
  return before;
}

}  // namespace

Dialogue::Dialogue(const std::string& command) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (pipe2(to.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  in_ = to[1];
  if (pipe2(from.data(), O_CLOEXEC) != 0) {
    close(to[0]);
    close(in_);
    throw std::runtime_error("cannot make a pipe");
  }
  out_ = from[0];
  fcntl(in_, F_SETFL, O_NONBLOCK);
  try {
    command_.emplace(command, to[0], from[1], STDERR_FILENO);
  } catch (...) {
    for (int end : {to[0], from[1], in_, out_}) close(end);
    throw;
  }
  close(to[0]);
  close(from[1]);
}

Dialogue::~Dialogue() {
  close(in_);
  close(out_);
}

std::optional<std::string> Dialogue::listen(const std::string& last, double seconds) {
  const Deadline deadline = Deadline::in(seconds);
  std::array<char, 65536> block;
  for (;;) {
    if (auto lines = take_until(heard_, last)) return lines;
    if (deadline.passed()) return std::nullopt;
    std::array<pollfd, 2> ends{{{out_, POLLIN, 0}, {in_, POLLOUT, 0}}};
    const int milliseconds = static_cast<int>(std::min(kTick, deadline.left()) * 1000) + 1;
    const int ready = poll(ends.data(), unsaid_.empty() ? 1 : 2, milliseconds);
    if (ready < 0 && errno != EINTR) return std::nullopt;
    if (ready <= 0) continue;
    if (!unsaid_.empty() && ends[1].revents != 0) {
      const ssize_t n = write_some(in_, unsaid_);
      if (n < 0 && errno != EINTR && errno != EAGAIN) return std::nullopt;
      if (n > 0) unsaid_.erase(0, static_cast<std::size_t>(n));
    }
    if (ends[0].revents != 0) {
      const ssize_t n = read(out_, block.data(), block.size());
      if (n == 0 || (n < 0 && errno != EINTR)) return std::nullopt;
      if (n > 0) heard_.append(block.data(), static_cast<std::size_t>(n));
    }
  }
}

}  // namespace mmaspec
