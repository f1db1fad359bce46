#include "queries/audit/verify.h"

#include <mmaspec/verify.h>

#include "api/core.h"

namespace mmaspec::v0 {
namespace {

Row row_of(const VectorRow& given) {
  Row row;
  row.unit = given.instruction;
  row.operands = product_of(given.values);
  if (given.d) row.d = pattern_of(*given.d);
  row.other = given.other;
  if (given.d_other) row.d_other = pattern_of(*given.d_other);
  return row;
}

VectorRow vector_row_of(const Row& given) {
  const auto all = [](const std::vector<std::uint64_t>& patterns) {
    return std::vector<Integer>(patterns.begin(), patterns.end());
  };
  VectorRow row;
  row.instruction = given.unit;
  row.values = {all(given.operands.a), all(given.operands.b), given.operands.c,
                all(given.operands.scale_a), all(given.operands.scale_b)};
  if (given.d) row.d = *given.d;
  row.other = given.other;
  if (given.d_other) row.d_other = *given.d_other;
  return row;
}

/// The format of a witness's second result; nullptr if the row has only one result.
const core::Format* other_result_of(const VectorRow& row) {
  return row.d_other && !row.other.empty() ? find_instruction(row.other).formats.d : nullptr;
}

core::CsvNumbers numbers_of(CsvNumbers numbers) {
  switch (numbers) {
    case CsvNumbers::unsaid:
      return core::CsvNumbers::unsaid;
    case CsvNumbers::decimal:
      return core::CsvNumbers::decimal;
    case CsvNumbers::hex:
      break;
  }
  return core::CsvNumbers::hex;
}

VerifyReport report_of(const core::VerifyReport& given) {
  VerifyReport report;
  for (const auto& [name, counts] : given.by_instruction) {
    VerifyCounts unit{name, counts.passed, counts.failed, {}};
    for (const core::Mismatch& m : counts.first_mismatches) {
      unit.first_mismatches.push_back({m.file, m.line, row_of(m.row), pattern_of(m.computed)});
    }
    report.units.push_back(std::move(unit));
  }
  report.bad_rows = given.bad_rows;
  report.unreadable = given.unreadable;
  report.passed = given.passed;
  report.failed = given.failed;
  report.is_stopped = given.is_stopped;
  return report;
}

}  // namespace

Row parse_row(std::string_view json) {
  return translated([&] {
    const VectorRow row = core::parse_row(json);
    check_row(row, core::instruction_of(row).formats, other_result_of(row));
    return row_of(row);
  });
}

std::string to_json(const Row& row) {
  return translated([&] {
    const VectorRow given = vector_row_of(row);
    const DotFormats formats = core::instruction_of(given).formats;
    const core::Format* other_result = other_result_of(given);
    check_row(given, formats, other_result);
    return to_json_line(given, formats, other_result);
  });
}

VerifyReport verify(const std::vector<std::string>& files, const VerifyOptions& options) {
  return translated([&] {
    return report_of(core::verify(files, options.variant, options.as, numbers_of(options.numbers)));
  });
}

VerifyReport verify_rows(const std::vector<Row>& rows, const VerifyOptions& options) {
  return translated([&] {
    std::vector<VectorRow> all;
    for (const Row& row : rows) all.push_back(vector_row_of(row));
    return report_of(core::verify_rows(all, options.variant, options.as));
  });
}

}  // namespace mmaspec::v0
