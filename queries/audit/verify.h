#pragma once
/// Runs recorded vectors through the exact evaluator and compares.

#include <map>
#include <string>
#include <vector>

#include "concrete/rows/csv.h"
#include "concrete/rows/row.h"

namespace mmaspec {

struct Mismatch {
  std::string file;
  std::size_t line;
  VectorRow row;
  Integer computed;
};

struct VerifyCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::vector<Mismatch> first_mismatches;  ///< at most three
};

struct VerifyReport {
  std::map<std::string, VerifyCounts> by_instruction;  ///< by the name with variant
  /// "file:line: what is wrong", of the first thousand rows that cannot be read.
  std::vector<std::string> bad_rows;
  std::size_t unreadable = 0;  ///< how many there are: neither passed nor failed
  std::size_t passed = 0;
  std::size_t failed = 0;
  bool is_stopped = false;  ///< by stop_work(), before all rows were compared
};

/// Compares every row of `files`, JSON Lines or CSV (concrete/rows/csv.h); witnesses of a pair of
/// unlike K as diff ran them. `variant`: overrides the rows' variants; empty: as they are. `as`:
/// the instruction of all rows; empty: what they name. `numbers`: of CSV. Throws
/// std::invalid_argument for an unknown variant or `as`; std::runtime_error for a file that cannot
/// be read, and after a hundred thousand rows that cannot: an endless stream is refused.
VerifyReport verify(const std::vector<std::string>& files, const std::string& variant,
                    const std::string& as = "", CsvNumbers numbers = CsvNumbers::unsaid);

/// The same of rows in memory; `line` of a mismatch is the row's number, from 1.
VerifyReport verify_rows(const std::vector<VectorRow>& all, const std::string& variant,
                         const std::string& as = "");

/// The instruction that made the row. A witness has as many products as its pair had: where the
/// instruction's own K is another, diff chained it, or left its other inputs zero. `variant`: in
/// place of the row's; empty: the row's. Throws what find_instruction() throws.
Instruction instruction_of(const VectorRow& row, const std::string& variant = "");

}  // namespace mmaspec
