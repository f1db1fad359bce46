#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// One line of a vector file: a flat JSON object whose interesting members are strings. See the
/// project's vector format: `instr`, `a`, `b`, `c`, and for block-scaled instructions `sa`, `sb`.
/// Everything else passes through untouched.
///
/// A scanner of its own, and no JSON library, because a replay is bound by reading: millions of
/// rows a second.
namespace mmaspec::replay {

/// Views into the line; empty where the key is missing.
struct Row {
  std::string_view text;  ///< the object, braces included, white space around it removed
  std::string_view instr, a, b, c, sa, sb;
  std::string_view drawn, seed, first;  ///< of drawn rows: see concrete/rows/drawn_rows.h
  bool has_answer =
      false;  ///< the row came with `d`, `lacks` or `uneven`: dropped when it is written
};

/// Fills `row` from `line`. Returns what is wrong with the line, empty if nothing is.
std::string scan_row(std::string_view line, Row& row);

/// Appends the row's object without the members that an earlier replay wrote, and with `members`
/// (such as `"d":"3c00"`) as its last ones, and a newline.
void append_answered(const Row& row, std::string_view members, std::string& out);

}  // namespace mmaspec::replay
