#ifndef MMASPEC_VERIFY_H
#define MMASPEC_VERIFY_H
/// \file
/// Recorded results of hardware against the specifications.
///
/// A row is one dot product with its result. Files hold rows as JSON Lines or CSV (docs/json.md).
///
/// \code
/// const mmaspec::Row row = mmaspec::parse_row(
///     R"({"instr": "volta/mma.m8n8k4.f32.f16.f16.f32", "a": "3c00 3c00 0000 0000",)"
///     R"( "b": "3c00 3c00 0000 0000", "c": "3f000000", "d": "40200000"})");
/// require(row.d == 0x40200000);  // 2.5
/// const mmaspec::VerifyReport report = mmaspec::verify_rows({row});
/// require(report.passed == 1 && report.failed == 0);
/// \endcode

#include <mmaspec/evaluate.h>
#include <mmaspec/export.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// One dot product.
struct Row {
  std::string unit;     ///< the unit's name
  DotProduct operands;  ///< patterns of its formats
  std::optional<std::uint64_t> d;
  /// Witnesses of diff() have a second unit, and its result in its own format.
  std::string other;
  std::optional<std::uint64_t> d_other;
};

/// Reads a row from one JSON object. Throws BadInput for what is not a row, for an unknown unit,
/// and for patterns that do not have exactly their format's digits.
MMASPEC_EXPORT Row parse_row(std::string_view json);
/// The row as JSON on one line, without the line's end. Throws BadInput for operands that are not
/// those of the unit.
MMASPEC_EXPORT std::string to_json(const Row& row);

/// A row whose recorded result is not the specification's.
struct Mismatch {
  std::string file;  ///< empty for verify_rows()
  std::size_t line;  ///< from 1; for verify_rows() the row's number
  Row row;
  std::uint64_t computed;  ///< the specification's d
};

/// The rows of one unit.
struct VerifyCounts {
  std::string unit;
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::vector<Mismatch> first_mismatches;  ///< at most three
};

/// How many rows agree with the specifications.
struct VerifyReport {
  std::vector<VerifyCounts> units;  ///< by name
  /// `file:line: what is wrong`, of the first 1000 rows that cannot be read. Such rows are neither
  /// passed nor failed.
  std::vector<std::string> bad_rows;
  std::size_t unreadable = 0;  ///< how many there are
  std::size_t passed = 0;
  std::size_t failed = 0;
  bool is_stopped = false;  ///< by stop_work(), before all rows were compared
};

/// How numbers without a sign, a point, an exponent or 0x are read in CSV.
enum class CsvNumbers {
  unsaid,   ///< as decimals; a column that may be bits or decimals is refused
  decimal,  ///< as decimals
  hex,      ///< as bit patterns
};

/// With what rows are compared, and how CSV is read.
struct VerifyOptions {
  /// Compare all rows with this variant of their units; empty: with the units that they name.
  std::string variant;
  /// All rows are of this unit, whatever they name; empty: of the units that they name.
  std::string as;
  CsvNumbers numbers = CsvNumbers::unsaid;
};

/// Compares every row of the files, JSON Lines or CSV, also `.gz`. `-` is standard input. NaN
/// results are equal where the unit's NaNs have no canonical pattern; all other results must be
/// equal bit for bit. Throws BadInput for an unknown unit or variant in the options, and for a CSV
/// header that is wrong; Failure if a file cannot be read, or has more than 100000 rows that cannot
/// be read.
MMASPEC_EXPORT VerifyReport verify(const std::vector<std::string>& files,
                                   const VerifyOptions& options = {});

/// The same for rows in memory. VerifyOptions::numbers is not used.
MMASPEC_EXPORT VerifyReport verify_rows(const std::vector<Row>& rows,
                                        const VerifyOptions& options = {});

MMASPEC_END_NAMESPACE

#endif
