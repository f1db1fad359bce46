#include "apps/cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "apps/cli/stop.h"
#include "report/values.h"

namespace mmaspec::cli {
namespace {

const auto kProgramStart = std::chrono::steady_clock::now();

void write_to_error(const std::string& text) {
  // A failure to write an error message cannot be reported.
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // It gets the lowest free number, which is this one. It is opened for the opposite direction,
    // so that uses fail.
    const int flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", flags) != descriptor) return;
  }
}

void print(const std::string& text) {
  const Printing printing;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  if (errno == EPIPE) throw ReaderHasGone();
  throw std::runtime_error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void complain(const std::string& message) {
  write_to_error("mmaspec: " + one_line(message) + "\n");
}

void show_status(const std::string& line) {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - kProgramStart;
  const std::string shown =
      line.empty() ? line : std::to_string(std::llround(passed.count())) + " s: " + line;
  // A line wider than the terminal could not be erased completely.
  write_to_error("\r\033[K" + shown.substr(0, size.ws_col - 1U));
}

}  // namespace mmaspec::cli
