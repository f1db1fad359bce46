#pragma once
/// Standard output and standard error: every command writes to them only through these functions.

#include <string>

namespace mmaspec::cli {

/// print() throws this if standard output was closed by its reader, as by `| head -1`. It is
/// neither an error nor a std::exception: the program ends as if by SIGPIPE.
struct ReaderHasGone {};

/// Occupies the numbers of closed standard descriptors, so that no file opened later gets one of
/// them and is written to by mistake. Their use still fails.
void occupy_standard_descriptors();

/// Writes to standard output. Throws std::runtime_error, ReaderHasGone.
void print(const std::string& text);

/// Prints `mmaspec: MESSAGE` as one line on standard error. If standard error is closed or full,
/// only the exit status reports the error.
void complain(const std::string& message);

/// Replaces the progress line on standard error, which must be a terminal. The line starts with the
/// seconds since the start of the program. Empty: removes the line.
void show_status(const std::string& line);

}  // namespace mmaspec::cli
