#include "queries/table_results.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace mmaspec {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kStart = "{\"version\":";  // of every line

std::string key_of(const std::string& property, const std::string& design) {
  return property + "\n" + design;
}

[[noreturn]] void cannot(const std::string& what, const std::string& file) {
  throw std::runtime_error("cannot " + what + " " + file + ": " + std::strerror(errno));
}

std::string whole(int descriptor, const std::string& file) {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot("read", file);
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
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
  const std::string text = whole(descriptor_, file);
  std::size_t start = 0;
  for (std::size_t number = 1; start < text.size(); ++number) {
    const std::size_t end = text.find('\n', start);
    const std::string_view line = std::string_view(text).substr(start, end - start);
    if (end == std::string::npos) {
      // Torn, if it is a line of ours at all: a file of something else is left as it is.
      const std::size_t common = std::min(line.size(), kStart.size());
      if (line.substr(0, common) != kStart.substr(0, common)) {
        throw std::invalid_argument(file + ":" + std::to_string(number) + ": no cell of a table");
      }
      break;
    }
    ordered_json object = ordered_json::parse(line, nullptr, false);
    if (!object.is_object() || !object.contains("version")) {
      throw std::invalid_argument(file + ":" + std::to_string(number) + ": no cell of a table");
    }
    if (object.at("version") == kVersion) remember(std::move(object));
    start = end + 1;
  }
  if (use == Use::append && start < text.size() &&
      ftruncate(descriptor_, static_cast<off_t>(start)) != 0) {
    cannot("write", file);
  }
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
