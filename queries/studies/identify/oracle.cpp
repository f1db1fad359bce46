#include "queries/studies/identify/oracle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "concrete/rows/row.h"
#include "hardware/replay/host/answers.h"
#include "util/counted.h"
#include "util/deadline.h"
#include "util/process.h"
#include "util/run_command.h"

namespace mmaspec {
namespace {

[[noreturn]] void complain_of(const std::string& command, const std::string& what) {
  throw std::runtime_error("the oracle '" + command + "' " + what);
}

/// Formats rows as questions, and reads their answers.
class Batch {
 public:
  Batch(const DotFormats& formats, const std::vector<DotValues>& all)
      : results_(all.size(), formats.d), reader_(rows_, results_) {
    for (const DotValues& values : all) {
      rows_.push_back({kOracle, values, {}, "", {}, ""});
      lines_.push_back(to_json_line(rows_.back(), formats));
    }
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }

  /// Throws std::invalid_argument.
  void take(std::string_view line) { reader_.take(line); }
  std::vector<Integer> finish() {
    std::vector<Integer> all;
    for (const DeviceAnswer& answer : reader_.finish().answers) {
      if (!answer.d) throw std::invalid_argument("a result is missing: " + answer.lacks);
      all.push_back(*answer.d);
    }
    return all;
  }

 private:
  std::vector<VectorRow> rows_;
  std::vector<const Format*> results_;
  std::vector<std::string> lines_;
  AnswerReader reader_;
};

class CommandOracle : public Oracle {
 public:
  CommandOracle(std::string command, const DotFormats& formats, double seconds,
                const Deadline& deadline)
      : command_(std::move(command)), formats_(formats), seconds_(seconds), deadline_(deadline) {}

  std::vector<Integer> ask(const std::vector<DotValues>& all) override {
    Batch batch(formats_, all);
    std::string input;
    for (const std::string& line : batch.lines()) input += line + "\n";
    Finished finished;
    try {
      finished = run_command(command_, input, {}, std::min(seconds_, deadline_.left()));
    } catch (const CommandTimeout&) {
      if (deadline_.passed()) throw OutOfTime();
      complain_of(command_, fmt::format("did not answer {} after {} s (--oracle-timeout)",
                                        counted(all.size(), "row"), seconds_));
    }
    if (finished.status != 0) {
      const std::string said = last_line(finished.err);
      complain_of(command_, fmt::format("ended with status {}{}{}", finished.status,
                                        said.empty() ? "" : ": ", said));
    }
    std::istringstream out(finished.out);
    std::size_t number = 0;
    try {
      for (std::string line; std::getline(out, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") != std::string::npos) batch.take(line);
      }
      number = 0;
      return batch.finish();
    } catch (const std::invalid_argument& error) {
      complain_of(command_,
                  fmt::format("gave a malformed answer{}: {}",
                              number > 0 ? fmt::format(" in line {}", number) : "", error.what()));
    }
  }

 private:
  std::string command_;
  DotFormats formats_;
  double seconds_;
  Deadline deadline_;
};

/// A pipe whose ends child programs do not inherit.
struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_read() {
    if (read >= 0) close(read);
    read = -1;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }

  int read = -1;
  int write = -1;
};

class StreamOracle : public Oracle {
 public:
  StreamOracle(std::string command, const DotFormats& formats, double seconds,
               const Deadline& deadline)
      : command_(std::move(command)), formats_(formats), seconds_(seconds), deadline_(deadline) {
    fcntl(to_.write, F_SETFL, O_NONBLOCK);
    running_.emplace(command_, to_.read, from_.write, STDERR_FILENO);
    to_.close_read();
    from_.close_write();
  }

  std::vector<Integer> ask(const std::vector<DotValues>& all) override {
    Batch batch(formats_, all);
    for (const std::string& line : batch.lines()) {
      start_ = LimitClock::now();
      send(line + "\n");
      const std::string answer = receive();
      try {
        batch.take(answer);
      } catch (const std::invalid_argument& error) {
        complain_of(command_, std::string("gave a malformed answer: ") + error.what());
      }
    }
    try {
      return batch.finish();
    } catch (const std::invalid_argument& error) {
      complain_of(command_, std::string("gave a malformed answer: ") + error.what());
    }
  }

 private:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  /// Waits until the descriptor is ready to read or to write.
  void wait(int descriptor, short events) {
    if (deadline_.passed()) throw OutOfTime();
    const double left = std::min(deadline_.left(), seconds_ - LimitClock::seconds_since(start_));
    pollfd ready{descriptor, events, 0};
    const int n = left <= 0 ? 0 : poll(&ready, 1, static_cast<int>(std::min(left, 1e6) * 1000) + 1);
    if (n < 0 && errno == EINTR) return;
    if (n == 0) {
      if (deadline_.passed()) throw OutOfTime();
      complain_of(command_,
                  fmt::format("did not answer a row after {} s (--oracle-timeout)", seconds_));
    }
  }

  void send(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      wait(to_.write, POLLOUT);
      const ssize_t n = write(to_.write, text.data() + done, text.size() - done);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) complain_of(command_, "no longer reads rows: it has ended");
      done += static_cast<std::size_t>(n);
    }
  }

  std::string receive() {
    for (;;) {
      const std::size_t end = text_.find('\n');
      if (end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        if (line.find_first_not_of(" \t\r") != std::string::npos) return line;
        continue;
      }
      if (text_.size() > kLongest) complain_of(command_, "wrote an endless line");
      wait(from_.read, POLLIN);
      std::array<char, 65536> buffer{};
      const ssize_t n = read(from_.read, buffer.data(), buffer.size());
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) complain_of(command_, "ended before it had answered all rows");
      text_.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }

  std::string command_;
  DotFormats formats_;
  double seconds_;
  Deadline deadline_;
  Pipe to_;
  Pipe from_;
  std::optional<ShellCommand> running_;
  LimitClock::time_point start_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Oracle> command_oracle(const std::string& command, const DotFormats& formats,
                                       double seconds, const Deadline& deadline) {
  return std::make_unique<CommandOracle>(command, formats, seconds, deadline);
}

std::unique_ptr<Oracle> stream_oracle(const std::string& command, const DotFormats& formats,
                                      double seconds, const Deadline& deadline) {
  return std::make_unique<StreamOracle>(command, formats, seconds, deadline);
}

std::string oracle_row(const DotFormats& formats, const DotValues& values,
                       const std::optional<Integer>& d) {
  return to_json_line({kOracle, values, d, "", {}, ""}, formats);
}

}  // namespace mmaspec
