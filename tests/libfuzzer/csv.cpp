// Fuzz target: rows as comma-separated values (concrete/rows/csv.h). The first line is the header.

#include "concrete/rows/csv.h"

#include <optional>
#include <stdexcept>
#include <tuple>

#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

constexpr const char* kAs = "volta/mma.m8n8k4.f32.f16.f16.f32";

void read_back(const VectorRow& row, const DotFormats& formats) {
  CsvRows rows(csv_header(formats), "");
  const VectorRow again = rows.parse(to_csv_line(row, formats));
  rows.finish();
  libfuzzer::require(again.values.a == row.values.a && again.values.b == row.values.b &&
                         again.values.c == row.values.c && again.d == row.d &&
                         again.values.scale_a == row.values.scale_a &&
                         again.values.scale_b == row.values.scale_b,
                     "a CSV row does not read back");
}

void read_table(std::string_view text, const std::string& as, CsvNumbers numbers) {
  auto [line, rest] = libfuzzer::cut(text, "\n");
  std::optional<CsvRows> rows;
  try {
    rows.emplace(line, as, numbers);
  } catch (const std::invalid_argument&) {
    return;
  }
  while (!rest.empty()) {
    std::tie(line, rest) = libfuzzer::cut(rest, "\n");
    try {
      const VectorRow row = rows->parse(line);
      const DotFormats formats = find_instruction(row.instruction).formats;
      if (formats.k > libfuzzer::kMostProducts) return;
      read_back(row, formats);
    } catch (const std::invalid_argument&) {
    }
  }
  try {
    rows->finish();
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using mmaspec::CsvNumbers;
  const std::string_view text = mmaspec::libfuzzer::text_of(data, size);
  mmaspec::CsvRows::is_header(text);
  // --as is given if no column names the instruction.
  const bool is_named = text.substr(0, text.find('\n')).find("instr") != std::string_view::npos;
  for (const CsvNumbers numbers : {CsvNumbers::unsaid, CsvNumbers::hex}) {
    mmaspec::read_table(text, is_named ? "" : mmaspec::kAs, numbers);
  }
  return 0;
}
