#include "queries/results/log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "concrete/rows/row.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;  // a typical line has a few thousand
                                                             // bytes

[[noreturn]] void cannot(const std::string& what, const std::string& file) {
  throw std::runtime_error("cannot " + what + " " + file + ": " + std::strerror(errno));
}

bool is_regular_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

ResultsLog::ResultsLog(const std::string& file, Use use, std::string what, const Each& each)
    : file_(file), what_(std::move(what)) {
  if (file.ends_with(".gz")) {
    if (use == Use::append) {
      throw std::invalid_argument(file + ": answers cannot be appended to a compressed file");
    }
    read_compressed(each);
    return;
  }
  const int flags = use == Use::read ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT;
  descriptor_ = open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot(use == Use::read ? "read" : "write", file);
  try {
    if (use == Use::append && !is_regular_file(descriptor_)) {
      throw std::invalid_argument(file + ": answers can only be kept in a regular file");
    }
    if (use == Use::append && flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        throw std::invalid_argument(file + ": another process is writing to it");
      }
      cannot("lock", file);
    }
    read(use, each);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

ResultsLog::~ResultsLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void ResultsLog::read_compressed(const Each& each) {
  for_each_line(file_, [&](std::string_view line, std::size_t number) {
    Json object = Json::parse_or_discard(line);
    if (!object.is_object() || !object.contains("version")) {
      throw std::invalid_argument(file_ + ":" + std::to_string(number) + ": no " + what_);
    }
    each(std::move(object));
  });
}

bool ResultsLog::is_torn(std::string_view rest) {
  const std::size_t common = std::min(rest.size(), kStart.size());
  return rest.substr(0, common) == kStart.substr(0, common);
}

void ResultsLog::read(Use use, const Each& each) {
  std::string rest;  // text that was read after the last complete line
  std::size_t number = 1;
  off_t start = 0;  // offset of that line in the file
  const auto wrong = [&] {
    return std::invalid_argument(file_ + ":" + std::to_string(number) + ": no " + what_);
  };
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::read(descriptor_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot("read", file_);
    if (n == 0) break;
    rest.append(buffer.data(), static_cast<std::size_t>(n));
    std::size_t taken = 0;
    for (std::size_t end = 0; (end = rest.find('\n', taken)) != std::string::npos; ++number) {
      Json object = Json::parse_or_discard(std::string_view(rest).substr(taken, end - taken));
      if (!object.is_object() || !object.contains("version")) throw wrong();
      each(std::move(object));
      taken = end + 1;
    }
    rest.erase(0, taken);
    start += static_cast<off_t>(taken);
    if (rest.size() > kLongestLine) throw wrong();
  }
  if (rest.empty()) return;
  // An incomplete line is removed only if it is a line of a log: other files are not changed.
  if (!is_torn(rest)) throw wrong();
  if (use == Use::append && ftruncate(descriptor_, start) != 0) cannot("write", file_);
}

std::string ResultsLog::text_of(const Json& line) {
  return line.dump(-1, Json::Invalid::replace) + "\n";
}

void ResultsLog::append(const std::vector<Json>& lines) {
  if (descriptor_ < 0 || lines.empty()) return;
  std::string text;
  for (const Json& line : lines) text += text_of(line);
  ssize_t written = -1;
  do {
    written = write(descriptor_, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written >= 0 && static_cast<std::size_t>(written) != text.size()) errno = ENOSPC;
  if (written < 0 || static_cast<std::size_t>(written) != text.size()) cannot("write", file_);
  fdatasync(descriptor_);  // devices that do not support it have written already
}

}  // namespace mmaspec
