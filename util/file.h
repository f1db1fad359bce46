#pragma once
/// Files read whole, and written whole or not at all.

#include <functional>
#include <string>

namespace mmaspec {

/// The whole file. Throws std::runtime_error.
std::string content_of(const std::string& path);

/// Writes a file whole or not at all: to a temporary one beside it, renamed at the end. Devices and
/// pipes are written to as they are. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& content);
/// The same of content that is made piece by piece; an empty piece is the end.
using NextPiece = std::function<std::string()>;
void write_file(const std::string& path, const NextPiece& next);
/// Whether write_file() is at work. A signal handler that would end the process must wait until
/// then.
bool is_writing_file() noexcept;
/// Throws std::runtime_error where write_file() surely would: to be asked before long work.
void require_writable(const std::string& path);

}  // namespace mmaspec
