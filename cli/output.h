#pragma once
/// Standard output and standard error: every command writes to them through these functions alone.

#include <string>

namespace mmaspec::cli {

/// Thrown by print() where nobody reads standard output any more, as behind `| head -1`. It is no
/// error, and no std::exception: the program ends as SIGPIPE ends any other.
struct ReaderHasGone {};

/// Takes the numbers of those standard descriptors that are closed, so that no file which is opened
/// later gets one of them and is written to by mistake. To use them fails as before.
void occupy_standard_descriptors();

/// Writes to standard output. Throws std::runtime_error, ReaderHasGone.
void print(const std::string& text);

/// The text in one line: what a user gave, and is quoted, may hold anything.
std::string one_line(std::string text);

/// Says `mmaspec: MESSAGE`, in one line, on standard error. Where that is closed or full the exit
/// status alone tells.
void complain(const std::string& message);

/// Shows one line on standard error, which is a terminal, in the place of the last one, after the
/// seconds since the program started; empty: none.
void show_status(const std::string& line);

}  // namespace mmaspec::cli
