#pragma once
/// Vector rows: one dot-add for each line as JSON, `{"instr":..., "a":..., "b":..., "c":...,
/// "d":...}`, and witnesses, which have a second result. Inputs and results are always exchanged in
/// this format.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

class Json;

/// The number of hexadecimal digits of a row's patterns in the text from which it was read.
struct PatternDigits {
  static constexpr std::uint8_t kNotRead = 0;  ///< the row was not read, or lacks the key
  static constexpr std::uint8_t kUnlike =
      255;  ///< patterns of one key had different numbers of digits

  std::uint8_t a = kNotRead;
  std::uint8_t b = kNotRead;
  std::uint8_t c = kNotRead;
  std::uint8_t sa = kNotRead;
  std::uint8_t sb = kNotRead;
  std::uint8_t d = kNotRead;
  std::uint8_t d_other = kNotRead;
};

struct VectorRow {
  std::string instruction;
  DotValues values;  ///< as given: lengths are not compared with any formats
  std::optional<Integer> d;
  std::string other;               ///< for witnesses: the second instruction
  std::optional<Integer> d_other;  ///< for witnesses: its result
  std::string ulp;                 ///< for witnesses: the distance, a decimal integer or "inf"
  PatternDigits digits = {};       ///< check_row() compares them with the formats
};

/// Parses one row. Throws std::invalid_argument with the reason if it is invalid.
VectorRow parse_row(std::string_view line);
/// The same for a parsed object.
VectorRow row_of(const Json& object);

/// True for the header at the start of a record of a device's results: an object that has "device"
/// but no instruction.
bool is_record_header(std::string_view line);

/// Checks that one pattern of a row has the digits and the bits of its format. `key`: the row's
/// key, for the message. Throws std::invalid_argument.
void check_pattern(const char* key, const Integer& pattern, std::uint8_t digits,
                   const Format& format);
/// Checks the row against the formats: the number of patterns, and the digits and bits of each.
/// `other_result`: the format of d_other, if it is known. Throws std::invalid_argument.
void check_row(const VectorRow& row, const DotFormats& formats,
               const Format* other_result = nullptr);

/// The row as an object; patterns have as many hex digits as their formats.
Json to_json(const VectorRow& row, const DotFormats& formats, const Format* other_result = nullptr);
/// The same as one line.
std::string to_json_line(const VectorRow& row, const DotFormats& formats,
                         const Format* other_result = nullptr);

/// Calls `each(line, number)` for the lines of a file (`.gz` too; `-`: standard input), numbered
/// from 1. Lines of white space are skipped. Throws std::runtime_error if the file cannot be read,
/// or if a line is longer than 256 MiB, as in /dev/zero.
void for_each_line(const std::string& file,
                   const std::function<void(std::string_view, std::size_t)>& each);

/// True if the results are equal for an instruction: equal patterns, or two NaNs if its NaN
/// patterns are not canonical.
bool same_result(const Format& format, bool canonical_nan, const Integer& x, const Integer& y);

}  // namespace mmaspec
