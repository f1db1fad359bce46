#pragma once
/// Reads whole files, and writes files completely or not at all.

#include <functional>
#include <string>

namespace mmaspec {

/// The contents of the file. Throws std::runtime_error.
std::string content_of(const std::string& path);

/// Writes a file completely or not at all: to a temporary file next to it that is renamed at the
/// end. Devices and pipes are written directly. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& content);
/// The same for contents that are generated in pieces; an empty piece is the end.
using NextPiece = std::function<std::string()>;
void write_file(const std::string& path, const NextPiece& next);
/// Whether write_file() is active. A signal handler that would end the process must wait until it
/// is not.
bool is_writing_file() noexcept;
/// Throws std::runtime_error if write_file() could not write the file. Call it before long work.
void require_writable(const std::string& path);

}  // namespace mmaspec
