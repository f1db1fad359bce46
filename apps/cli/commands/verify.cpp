// mmaspec verify: compares recorded vectors with the specifications.

#include "queries/audit/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/command.h"
#include "apps/cli/options/csv_numbers.h"
#include "apps/cli/parser.h"
#include "report/colour.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec::cli {
namespace {

constexpr std::size_t kShownBadRows = 20;

struct VerifyCommandLine {
  std::vector<std::string> files;
  std::string variant;
  std::string as;
  CsvNumbersOption numbers;
  bool json = false;
  bool full = false;
};

std::string verify_text(const VerifyReport& report, bool full) {
  std::string text;
  for (const auto& [name, counts] : report.by_instruction) {
    text += fmt::format("{:<84} {:>8} passed {:>8} failed\n", name, counts.passed, counts.failed);
    const Instruction instruction = find_with_conversions(name);
    const DotFormats& f = instruction.formats;
    for (const Mismatch& m : counts.first_mismatches) {
      text += fmt::format("  {}:{}\n{}    recorded  {}\n    computed  {}\n", m.file, m.line,
                          show_inputs(f, m.row.values, full), show_pattern(*f.d, *m.row.d),
                          show_pattern(*f.d, m.computed));
    }
    if (const std::size_t rest = counts.failed - counts.first_mismatches.size(); rest > 0) {
      text += fmt::format("  and {} more\n", rest);
    }
  }
  const std::string counts = fmt::format("{} passed, {} failed", report.passed, report.failed);
  return text + in_colour(report.failed > 0 ? Colour::bad : Colour::good, counts) + "\n";
}

std::string verify_json(const VerifyReport& report) {
  Json object;
  object["passed"] = report.passed;
  object["failed"] = report.failed;
  object["bad_rows"] = report.bad_rows;
  object["bad_rows_left_out"] = report.unreadable - report.bad_rows.size();
  object["instructions"] = Json::array();
  for (const auto& [name, counts] : report.by_instruction) {
    Json entry{{"instr", name}, {"passed", counts.passed}, {"failed", counts.failed}};
    const DotFormats formats = find_with_conversions(name).formats;
    for (const Mismatch& m : counts.first_mismatches) {
      auto row = mmaspec::to_json(m.row, formats);
      row["computed"] = to_hex(m.computed, static_cast<unsigned>(formats.d->hex_digits()));
      row["file"] = m.file;
      row["line"] = m.line;
      entry["mismatches"].push_back(row);
    }
    entry["mismatches_left_out"] = counts.failed - counts.first_mismatches.size();
    object["instructions"].push_back(entry);
  }
  return to_text(object, 2);
}

int run_verify(const VerifyCommandLine& options) {
  const VerifyReport report =
      verify(options.files, options.variant, options.as, options.numbers.value());
  for (std::size_t i = 0; i < std::min(report.bad_rows.size(), kShownBadRows); ++i) {
    complain(report.bad_rows[i]);
  }
  if (report.unreadable > kShownBadRows) {
    complain(fmt::format("and {} that cannot be read",
                         counted(report.unreadable - kShownBadRows, "more row")));
  }
  const bool is_empty = report.passed + report.failed + report.unreadable == 0;
  if (is_empty && !report.is_stopped)
    throw std::invalid_argument("verify: the files do not contain a row");
  print(options.json ? verify_json(report) : verify_text(report, options.full));
  if (report.unreadable > 0) return kBadUsage;
  return report.failed > 0 ? kWitness : kDone;
}

}  // namespace

void add_verify(Command& app, int& status) {
  auto options = std::make_shared<VerifyCommandLine>();
  Command command = app.add_command("verify", "compare recorded results with the specifications");
  command
      .add_option("FILE", options->files,
                  "rows as JSON Lines, or as CSV with the header a0,...,b0,...,c,d (decimals are "
                  "rounded to the nearest number); may be compressed (.gz); -: standard input")
      .required();
  command.add_option("--variant", options->variant, "compare all rows with this variant")
      .not_empty();
  command
      .add_option("--as", options->as,
                  "compare all rows with this instruction or design, whatever they name")
      .not_empty();
  options->numbers.add_to(command);
  command.add_flag("--full", options->full, "show all products of a row");
  add_json(command, options->json);
  command.examples({{"mmaspec verify rows.jsonl.gz",
                     "recorded results against the specification of each row's instruction"},
                    {"mmaspec verify results.csv --as h100/mma.m16n8k16.f32.f16.f16.f32",
                     "a table of decimal numbers: columns a0, a1, ..., b0, ..., c, d"}});
  command.run([options, &status] { status = run_verify(*options); });
}

}  // namespace mmaspec::cli
