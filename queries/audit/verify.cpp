#include "queries/audit/verify.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "concrete/dot/runner.h"
#include "queries/statement/pairing.h"
#include "spec/conversions/conversions.h"
#include "util/deadline.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShownMismatches = 3;
constexpr std::size_t kKeptBadRows = 1000;
constexpr std::size_t kMostBadRows = 100'000;
constexpr std::size_t kLongestChain = std::size_t{1} << 16;       // products
constexpr std::size_t kRowsTogether = 1024;                       // largest number of rows that are
                                                                  // evaluated together
constexpr std::size_t kProductsTogether = std::size_t{1} << 18U;  // the same for the products of
                                                                  // all these rows

/// A row that waits to be evaluated together with others of its kind.
struct WaitingRow {
  const std::string* file;
  std::size_t line;
  VectorRow row;
};

/// An instruction named in rows; constructed once.
struct Runner {
  Instruction instruction;
  DotRunner runner;
  VerifyCounts* counts;
  std::vector<WaitingRow> waiting;

  Runner(Instruction i, VerifyReport& report)
      : instruction(std::move(i)),
        runner(instruction.algorithm, instruction.formats),
        counts(&report.by_instruction[instruction.name()]) {}

  std::size_t rows_together() const {
    const auto k = static_cast<std::size_t>(std::max(instruction.formats.k, 1));
    return std::clamp<std::size_t>(kProductsTogether / k, 1, kRowsTogether);
  }

  /// Compares the waiting rows.
  void flush(VerifyReport& report) {
    std::vector<const DotValues*> values;
    for (const WaitingRow& w : waiting) values.push_back(&w.row.values);
    const std::vector<Integer> results = runner.run(values);
    for (std::size_t i = 0; i < waiting.size(); ++i) count(waiting[i], results[i], report);
    waiting.clear();
  }

 private:
  void count(WaitingRow& w, const Integer& computed, VerifyReport& report) const {
    if (same_result(*runner.formats().d, instruction.canonical_nan, computed, *w.row.d)) {
      ++counts->passed;
      ++report.passed;
      return;
    }
    ++counts->failed;
    ++report.failed;
    if (counts->first_mismatches.size() < kShownMismatches) {
      counts->first_mismatches.push_back({*w.file, w.line, std::move(w.row), computed});
    }
  }
};

std::string with_variant(const std::string& name, const std::string& variant) {
  return variant.empty() ? name : name.substr(0, name.find('@')) + "@" + variant;
}

/// Rows with the same key have the same instruction and K.
std::string key_of(const VectorRow& row) {
  return row.other.empty() ? row.instruction
                           : row.instruction + ' ' + std::to_string(row.values.a.size());
}

void note_bad_row(VerifyReport& report, std::string what) {
  if (++report.unreadable > kMostBadRows) {
    throw std::runtime_error("more than " + std::to_string(kMostBadRows) +
                             " rows cannot be read, the first: " + report.bad_rows[0]);
  }
  if (report.bad_rows.size() < kKeptBadRows) report.bad_rows.push_back(std::move(what));
}

/// Compares rows while they arrive, in batches of one instruction.
class RowVerifier {
 public:
  /// Throws std::invalid_argument for an unknown variant or instruction.
  RowVerifier(const std::string& variant, const std::string& as) : variant_(variant), as_(as) {
    const std::vector<std::string>& known = variants();
    if (!variant.empty() && std::find(known.begin(), known.end(), variant) == known.end()) {
      std::string all;
      for (const std::string& v : known) all += (all.empty() ? "" : ", ") + v;
      throw std::invalid_argument("unknown variant '" + variant.substr(0, 60) +
                                  "' (variants: " + all + ")");
    }
    if (!as.empty()) find_with_conversions(as);
  }

  /// Takes the row that `read` returns, from a line of a file. `file` must outlive this object.
  /// Throws OutOfTime once work is stopped.
  template <typename Read>
  void take(const std::string& file, std::size_t line, const Read& read) {
    if (work_is_stopped()) throw OutOfTime();
    try {
      VectorRow row = read();
      if (!as_.empty()) row.instruction = as_;
      std::unique_ptr<Runner>& runner = runners_[key_of(row)];
      if (!runner) runner = std::make_unique<Runner>(instruction_of(row, variant_), report);
      if (!row.d) throw std::invalid_argument("\"d\" is missing");
      check_row(row, runner->runner.formats());
      runner->waiting.push_back({&file, line, std::move(row)});
      if (runner->waiting.size() >= runner->rows_together()) runner->flush(report);
    } catch (const std::invalid_argument& error) {
      const std::string where = file.empty() ? "row " : file + ":";
      note_bad_row(report, where + std::to_string(line) + ": " + error.what());
    }
  }

  /// Compares the waiting rows. Throws as take() does.
  void finish() {
    for (const auto& [key, runner] : runners_) {
      if (work_is_stopped()) throw OutOfTime();
      if (runner) runner->flush(report);
    }
  }

  VerifyReport report;

 private:
  const std::string& variant_;
  const std::string& as_;
  std::map<std::string, std::unique_ptr<Runner>> runners_;
};

/// All rows of the files. Throws as RowVerifier does.
void take_files(const std::vector<std::string>& files, const std::string& as, CsvNumbers numbers,
                RowVerifier& rows) {
  for (const std::string& file : files) {
    std::optional<CsvRows> table;
    const auto naming_the_file = [&](const auto& work) {
      try {
        work();
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(file + ": " + error.what());
      }
    };
    for_each_line(file, [&](std::string_view line, std::size_t number) {
      if (number == 1 && is_record_header(line)) return;
      if (number == 1 && CsvRows::is_header(line)) {
        naming_the_file([&] { table.emplace(line, as, numbers); });
        return;
      }
      rows.take(file, number, [&] { return table ? table->parse(line) : parse_row(line); });
    });
    if (table) naming_the_file([&] { table->finish(); });
  }
}

}  // namespace

Instruction instruction_of(const VectorRow& row, const std::string& variant) {
  Instruction instruction = find_with_conversions(with_variant(row.instruction, variant));
  const std::size_t given = row.values.a.size();
  const auto own = static_cast<std::size_t>(instruction.formats.k);
  if (row.other.empty() || given == own || given == 0 || given > kLongestChain) return instruction;
  const bool has_scales = instruction.formats.scale != nullptr;
  return has_scales && given % own != 0 ? instruction
                                        : of_length(instruction, static_cast<int>(given));
}

VerifyReport verify(const std::vector<std::string>& files, const std::string& variant,
                    const std::string& as, CsvNumbers numbers) {
  RowVerifier rows(variant, as);
  try {
    take_files(files, as, numbers, rows);
    rows.finish();
  } catch (const OutOfTime&) {
    rows.report.is_stopped = true;
  }
  return std::move(rows.report);
}

VerifyReport verify_rows(const std::vector<VectorRow>& all, const std::string& variant,
                         const std::string& as) {
  RowVerifier rows(variant, as);
  const std::string no_file;
  try {
    for (std::size_t i = 0; i < all.size(); ++i) {
      rows.take(no_file, i + 1, [&] { return all[i]; });
    }
    rows.finish();
  } catch (const OutOfTime&) {
    rows.report.is_stopped = true;
  }
  return std::move(rows.report);
}

}  // namespace mmaspec
