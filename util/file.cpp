#include "util/file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace mmaspec {
namespace {

std::atomic<int> writing_files = 0;

struct Writing {
  Writing() { ++writing_files; }
  ~Writing() { --writing_files; }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
};

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(error));
}

/// A device or a pipe, which must not be replaced by a file.
bool is_special(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  return type != std::filesystem::file_type::not_found &&
         type != std::filesystem::file_type::regular;
}

void write_to(const std::string& path, const NextPiece& next) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw std::system_error(errno, std::generic_category());
  bool written = true;
  for (std::string piece = next(); written && !piece.empty(); piece = next()) {
    written = std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  }
  int error = errno;
  if (std::fclose(file) != 0 && written) {
    error = errno;
  } else if (written) {
    return;
  }
  throw std::system_error(error, std::generic_category());
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return std::move(text).str();
}

void require_writable(const std::string& path) {
  if (is_special(path)) {
    if (std::filesystem::is_directory(path)) cannot_write(path, EISDIR);
    if (access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) cannot_write(path, errno);
}

void write_file(const std::string& path, const std::string& content) {
  bool done = false;
  write_file(path, [&] { return std::exchange(done, true) ? std::string() : content; });
}

bool is_writing_file() noexcept { return writing_files > 0; }

void write_file(const std::string& path, const NextPiece& next) {
  const Writing writing;
  // A symbolic link is kept: its target is replaced.
  std::error_code unresolved;
  std::filesystem::path target = std::filesystem::canonical(path, unresolved);
  if (unresolved) target = path;
  const bool direct = is_special(path);
  const std::string temporary = direct ? path : target.string() + ".tmp" + std::to_string(getpid());
  try {
    write_to(temporary, next);
    if (!direct) std::filesystem::rename(temporary, target);
  } catch (const std::system_error& error) {
    if (!direct) std::remove(temporary.c_str());
    cannot_write(path, error.code().value());
  } catch (...) {  // from the function that makes the contents
    if (!direct) std::remove(temporary.c_str());
    throw;
  }
}

}  // namespace mmaspec
