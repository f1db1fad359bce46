#include "queries/table/results.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace mmaspec {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kStart = "{\"version\":";         // of every line
constexpr std::size_t kLongestCell = std::size_t{16} << 20;  // a cell has a few thousand

std::string key_of(const std::string& property, const std::string& design) {
  return property + "\n" + design;
}

[[noreturn]] void cannot(const std::string& what, const std::string& file) {
  throw std::runtime_error("cannot " + what + " " + file + ": " + std::strerror(errno));
}

bool is_regular_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_undecided(const ordered_json& line) {
  return line.value("verdict", "") == to_string(Outcome::undecided);
}

}  // namespace

TableResults::TableResults(const std::string& file, Use use) : file_(file) {
  const int flags = use == Use::read ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT;
  descriptor_ = open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot(use == Use::read ? "read" : "write", file);
  try {
    if (use == Use::append && !is_regular_file(descriptor_)) {
      throw std::invalid_argument(file + ": cells are kept in a regular file only");
    }
    if (use == Use::append && flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        throw std::invalid_argument(file + ": another table is being written to it");
      }
      cannot("lock", file);
    }
    read(file, use);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

TableResults::~TableResults() {
  if (descriptor_ >= 0) close(descriptor_);
}

void TableResults::read(const std::string& file, Use use) {
  std::string rest;  // what was read and belongs to no whole line yet
  std::size_t number = 1;
  off_t start = 0;  // of that line in the file
  const auto no_cell = [&] {
    return std::invalid_argument(file + ":" + std::to_string(number) + ": no cell of a table");
  };
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::read(descriptor_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot("read", file);
    if (n == 0) break;
    rest.append(buffer.data(), static_cast<std::size_t>(n));
    std::size_t taken = 0;
    for (std::size_t end = 0; (end = rest.find('\n', taken)) != std::string::npos; ++number) {
      ordered_json object =
          ordered_json::parse(std::string_view(rest).substr(taken, end - taken), nullptr, false);
      if (!object.is_object() || !object.contains("version")) throw no_cell();
      if (object.at("version") == kVersion) remember(std::move(object));
      taken = end + 1;
    }
    rest.erase(0, taken);
    start += static_cast<off_t>(taken);
    if (rest.size() > kLongestCell) throw no_cell();
  }
  if (rest.empty()) return;
  // Torn, if it is a line of ours at all: a file of something else is left as it is.
  const std::size_t common = std::min(rest.size(), kStart.size());
  if (std::string_view(rest).substr(0, common) != kStart.substr(0, common)) throw no_cell();
  if (use == Use::append && ftruncate(descriptor_, start) != 0) cannot("write", file);
}

void TableResults::remember(ordered_json line) {
  for (const char* key : {"property", "design", "verdict"}) {
    if (!line.contains(key) || !line.at(key).is_string()) return;
  }
  ordered_json& kept = cells_[key_of(line.at("property"), line.at("design"))];
  // Later ones have had more time, or another solver's opinion.
  if (kept.is_object() && !is_undecided(kept) && is_undecided(line)) return;
  kept = std::move(line);
}

Cell TableResults::find(const Property& property, const TableRow& row) const {
  const auto it = cells_.find(key_of(property.name(), row.design));
  if (it == cells_.end()) return {};
  try {
    return cell_of(it->second, property, row);
  } catch (const std::exception&) {
    return {};  // of a statement that has changed since
  }
}

void TableResults::add(const Property& property, const TableRow& row, const Cell& cell) {
  ordered_json line{{"version", kVersion}};
  line["design"] = row.design;
  line.update(to_json(property, row, cell));
  if (descriptor_ >= 0) {
    const std::string text =
        line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    ssize_t written = -1;
    do {
      written = write(descriptor_, text.data(), text.size());
    } while (written < 0 && errno == EINTR);
    if (written >= 0 && static_cast<std::size_t>(written) != text.size()) errno = ENOSPC;
    if (written < 0 || static_cast<std::size_t>(written) != text.size()) cannot("write", file_);
    fdatasync(descriptor_);  // a device that cannot has written already
  }
  remember(std::move(line));
}

}  // namespace mmaspec
