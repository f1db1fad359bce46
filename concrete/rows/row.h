#pragma once
/// Vector rows: one dot-add a line as JSON, `{"instr":..., "a":..., "b":..., "c":..., "d":...}`,
/// and witnesses, which carry a second answer. The only format in which inputs and results travel.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

class Json;

/// How many hexadecimal digits the patterns of a row had where it was read.
struct PatternDigits {
  static constexpr std::uint8_t kNotRead = 0;  ///< the row was made, not read, or has no such key
  static constexpr std::uint8_t kUnlike =
      255;  ///< patterns of one key had unlike numbers of digits

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
  DotValues values;  ///< as given: lengths are not checked against any formats
  std::optional<Integer> d;
  std::string other;               ///< witnesses: the second instruction
  std::optional<Integer> d_other;  ///< witnesses: its result
  std::string ulp;                 ///< witnesses: how far apart; a decimal integer or "inf"
  PatternDigits digits = {};       ///< check_row() compares them with the formats
};

/// Reads one row. Throws std::invalid_argument saying what is wrong with it.
VectorRow parse_row(std::string_view line);
/// The same of an object that has been read.
VectorRow row_of(const Json& object);

/// True for the header with which a record of a device's results begins: an object that names a
/// "device" and no instruction.
bool is_record_header(std::string_view line);

/// Checks one pattern of a row: that it has the digits and the bits of its format. `key`: of the
/// row, for the message. Throws std::invalid_argument.
void check_pattern(const char* key, const Integer& pattern, std::uint8_t digits,
                   const Format& format);
/// Checks the row against the formats: how many patterns there are, and that each has the digits
/// and the bits of its format. `other_result`: the format of d_other, where it is known. Throws
/// std::invalid_argument.
void check_row(const VectorRow& row, const DotFormats& formats,
               const Format* other_result = nullptr);

/// The row as an object, patterns in as many hex digits as their formats have.
Json to_json(const VectorRow& row, const DotFormats& formats, const Format* other_result = nullptr);
/// The same as one line.
std::string to_json_line(const VectorRow& row, const DotFormats& formats,
                         const Format* other_result = nullptr);

/// Calls `each(line, number)` for the lines of a file (`.gz` too; `-`: standard input), lines of
/// white space left out, numbered from 1. Throws std::runtime_error if it cannot be read, or if a
/// line has no end within 256 MiB, as in /dev/zero.
void for_each_line(const std::string& file,
                   const std::function<void(std::string_view, std::size_t)>& each);

/// True if the results mean the same to an instruction's comparison: equal patterns, or two NaNs
/// where NaN patterns are not canonical.
bool same_result(const Format& format, bool canonical_nan, const Integer& x, const Integer& y);

}  // namespace mmaspec
