#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Scans one line of a vector file: a flat JSON object whose relevant members are strings. See the
/// project's vector format: `instr`, `a`, `b`, `c`, and for block-scaled instructions `sa`, `sb`.
/// All other members are copied to the output.
///
/// It does not use a JSON library, because reading dominates the time of a replay: millions of rows
/// a second.
namespace mmaspec::replay {

/// Views into the line; empty if the key is missing.
struct Row {
  std::string_view text;  ///< the object with its braces, without surrounding white space
  std::string_view instr, a, b, c, sa, sb;
  std::string_view drawn, seed, first;  ///< for drawn rows: see concrete/rows/drawn_rows.h
  bool has_answer =
      false;  ///< the row has `d`, `lacks` or `uneven`, which are removed when it is written
};

/// Fills `row` from `line`. Returns an error message; empty if the line is valid.
std::string scan_row(std::string_view line, Row& row);

/// Appends the row's object and a newline. Members that an earlier replay wrote are removed, and
/// `members` (such as `"d":"3c00"`) are added at the end.
void append_answered(const Row& row, std::string_view members, std::string& out);

}  // namespace mmaspec::replay
