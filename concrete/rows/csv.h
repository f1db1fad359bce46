#pragma once
/// Rows of dot-adds as comma-separated values, as spreadsheets and NumPy write them.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "concrete/rows/row.h"

namespace mmaspec {

/// How cells without a sign, a point, an exponent or 0x are read.
enum class CsvNumbers {
  unsaid,   ///< as decimals; a column in which every cell could also be bits is rejected at the end
  decimal,  ///< as decimals
  hex       ///< as bits
};

/// A table with a header. Columns, in any order: `a0`, `a1`, ... (or `a[0]`, ...), `b0`, ..., `c`,
/// `d`, for block scale factors `sa0`, ..., `sb0`, ...; or `a`, `b`, `sa`, `sb` with all values in
/// one cell, separated by spaces; `instr`. Products without a column are zeros, scale factors ones.
/// Values are decimals, which are rounded to the nearest number of the format, hex floats, hex bits
/// (0x3c00), inf, or nan. Cells may be in double quotes.
class CsvRows {
 public:
  /// True for a line of plain text with a comma that is not a JSON object: it must then be a
  /// header.
  static bool is_header(std::string_view line);

  /// `as`: the instruction for rows that do not name one. Throws std::invalid_argument for an
  /// unknown or a repeated column, and if neither a column nor `as` gives the instruction.
  CsvRows(std::string_view header, std::string as, CsvNumbers numbers = CsvNumbers::unsaid);

  /// Throws std::invalid_argument with the reason if the row is invalid.
  VectorRow parse(std::string_view line);

  /// Call it after the last row. Throws std::invalid_argument if a column may contain bits or
  /// decimals: each of its cells has only the hexadecimal digits of a pattern, such as 40021872 for
  /// f32.
  void finish() const;

 private:
  struct Column {
    std::string name;  ///< without its index
    int index = -1;    ///< -1: it has none
  };

  /// Whether all cells so far, in the columns of one name, could be bits without 0x.
  struct Cells {
    bool may_be_bits = true;
    std::string first = {};  ///< the first cell; empty: none yet
  };

  Integer parse_cell(const std::string& column, const Format& format, const std::string& text);

  std::vector<Column> columns_;
  CsvNumbers numbers_;
  std::map<std::string, Cells> cells_;  ///< by the name of the columns
  std::string as_;
  std::map<std::string, DotFormats> formats_;  ///< formats of the instructions so far
};

/// The header and a row that CsvRows reads: instr, a0, ..., b0, ..., scale factors, c, and d if it
/// is known. Numbers are decimals that parse to the same number; NaNs are bits.
std::string csv_header(const DotFormats& formats);
std::string to_csv_line(const VectorRow& row, const DotFormats& formats);

/// A cell of comma-separated values, in double quotes if necessary.
std::string csv_cell(const std::string& text);

}  // namespace mmaspec
