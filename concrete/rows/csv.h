#pragma once
/// Rows of dot-adds as comma-separated values: what spreadsheets and NumPy write.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "concrete/rows/row.h"

namespace mmaspec {

/// How cells without a sign, a point, an exponent or 0x are read.
enum class CsvNumbers {
  unsaid,   ///< as decimals; a column of nothing but what may be bits too is refused at its end
  decimal,  ///< as decimals
  hex       ///< as bits
};

/// A table with a header. Columns, in any order: `a0`, `a1`, ... (or `a[0]`, ...), `b0`, ..., `c`,
/// `d`, of block scale factors `sa0`, ..., `sb0`, ...; or `a`, `b`, `sa`, `sb` with all values in
/// one cell, parted by spaces; `instr`. Products that have no column are zeros, scale factors ones.
/// Values are decimals, which become the nearest number of the format, hex floats or hex bits
/// (0x3c00), inf, nan. Cells may stand in double quotes.
class CsvRows {
 public:
  /// True for a line of plain text with a comma that is no JSON object: then it must be a header.
  static bool is_header(std::string_view line);

  /// `as`: the instruction of rows that name none. Throws std::invalid_argument for an unknown or a
  /// repeated column, and where neither a column nor `as` says the instruction.
  CsvRows(std::string_view header, std::string as, CsvNumbers numbers = CsvNumbers::unsaid);

  /// Throws std::invalid_argument saying what is wrong with the row.
  VectorRow parse(std::string_view line);

  /// After the last row. Throws std::invalid_argument where a column may be of bits or of decimals:
  /// each of its cells has only the hexadecimal digits of a pattern, such as 40021872 of f32.
  void finish() const;

 private:
  struct Column {
    std::string name;  ///< without its number
    int index = -1;    ///< -1: it has none
  };

  /// Whether all cells so far may be bits without 0x, of the columns of one name.
  struct Cells {
    bool may_be_bits = true;
    std::string first = {};  ///< the first one; empty: none yet
  };

  Integer parse_cell(const std::string& column, const Format& format, const std::string& text);

  std::vector<Column> columns_;
  CsvNumbers numbers_;
  std::map<std::string, Cells> cells_;  ///< by the name of the columns
  std::string as_;
  std::map<std::string, DotFormats> formats_;  ///< of the instructions met
};

/// The header and the row that CsvRows reads: instr, a0, ..., b0, ..., scale factors, c, d if it is
/// known. Numbers are decimals that read back as they are, NaNs with bits.
std::string csv_header(const DotFormats& formats);
std::string to_csv_line(const VectorRow& row, const DotFormats& formats);

/// A cell of comma-separated values: in double quotes where it needs them.
std::string csv_cell(const std::string& text);

}  // namespace mmaspec
