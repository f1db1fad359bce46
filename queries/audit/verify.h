#pragma once
/// Compares recorded vectors with the exact evaluator.

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
  std::map<std::string, VerifyCounts> by_instruction;  ///< keys are names with variant
  /// "file:line: what is wrong" for the first thousand unreadable rows.
  std::vector<std::string> bad_rows;
  std::size_t unreadable = 0;  ///< number of unreadable rows, which count neither as passed nor as
                               ///< failed
  std::size_t passed = 0;
  std::size_t failed = 0;
  bool is_stopped = false;  ///< stop_work() ended it before all rows were compared
};

/// Compares every row of `files`, JSON Lines or CSV (concrete/rows/csv.h). Witnesses for a pair of
/// different K are computed as diff computed them.
///
/// `variant` overrides the rows' variants; empty: each row's own. `as` is the instruction for all
/// rows; empty: the one that the row names. `numbers` applies to CSV.
///
/// Throws std::invalid_argument for an unknown variant or `as`. Throws std::runtime_error for a
/// file that cannot be read, and after a hundred thousand unreadable rows, so that an endless
/// stream ends.
VerifyReport verify(const std::vector<std::string>& files, const std::string& variant,
                    const std::string& as = "", CsvNumbers numbers = CsvNumbers::unsaid);

/// The same for rows in memory; `line` of a mismatch is the row's number, from 1.
VerifyReport verify_rows(const std::vector<VectorRow>& all, const std::string& variant,
                         const std::string& as = "");

/// The instruction that made the row. A witness has as many products as its pair had. If the
/// instruction's own K differs, it is chained or its other inputs are zero, as diff did. `variant`
/// replaces the row's; empty: the row's. Throws what find_instruction() throws.
Instruction instruction_of(const VectorRow& row, const std::string& variant = "");

}  // namespace mmaspec
