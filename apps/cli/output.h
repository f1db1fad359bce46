#pragma once
/// Standard output and standard error: every command writes to them only through these functions.

#include <string>

namespace mmaspec::cli {

/// print() throws this if standard output was closed by its reader, as by `| head -1`. It is
/// neither an error nor a std::exception: the program ends as if by SIGPIPE.
struct ReaderHasGone {};

/// Takes the numbers of those standard descriptors that are closed, so that no file which is opened
/// later gets one of them and is written to by mistake. Using them still fails.
void occupy_standard_descriptors();

/// Writes to standard output. Throws std::runtime_error, ReaderHasGone.
void print(const std::string& text);

/// Says `mmaspec: MESSAGE`, in one line, on standard error. If it is closed or full, only
/// the exit status reports the error.
void complain(const std::string& message);

/// Replaces the progress line on standard error, which is a terminal. The line begins with the
/// seconds since the program started. Empty: removes the line.
void show_status(const std::string& line);

}  // namespace mmaspec::cli
