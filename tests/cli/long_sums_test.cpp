// Every long-running command at K = 8192: it ends at its time limit and at Ctrl-C, with a
// documented exit status, complete documents, complete files and no remaining process. A command
// that does not end is killed after a minute; nothing else here depends on time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/case_selection.h"
#include "tests/support/cli/running.h"
#include "util/json.h"

namespace mmaspec::cli_test::long_sums_test {
namespace {

using testing::AnyOf;

using Arguments = std::vector<std::string>;

constexpr int kK = 8192;
constexpr std::size_t kQuickShare = 6;  // a quick run tests one of this many commands
constexpr double kKilledAfter = 60;     // seconds

const std::string kHopper = "plan:chain(h100/mma.m16n8k16.f32.f16.f16.f32,k=8192)";
const std::string kCdna3 = "plan:chain(mi300x/v_mfma_f32_32x32x8_f16,k=8192)";
const std::string kSplit = "plan:split-k(h100/mma.m16n8k16.f32.f16.f16.f32,k=8192,parts=4)";
// The longest sum that a design adds in one step.
const std::string kFused = "design:fused-dot-add(a=f16,c=f32,d=f32,k=4096,fraction_bits=25)";
const std::string kWide = "design:fused-dot-add(a=f64,c=f64,d=f64,k=4096,fraction_bits=600)";
const std::string kSmall = "abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0";

struct Case {
  Arguments command;
  bool has_limit = true;    ///< takes --timeout
  bool has_json = true;     ///< --json prints one document, or one per line
  bool writes_rows = true;  ///< --out FILE writes rows
};

/// An .npy file of patterns as 16-bit unsigned integers.
std::string matrix_of(const Folder& folder, const std::string& name, int rows, int columns) {
  std::string header = "{'descr': '<u2', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY\x01", 7) + std::string(1, '\0');
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  file += header;
  for (int i = 0; i < rows * columns; ++i) {
    file += static_cast<char>(i * 37 % 256);
    file += static_cast<char>(0x38 + i % 4);
  }
  return folder.write(name, file);
}

/// Rows of a witness with this K, in the form in which diff writes them.
std::string rows_of(const Folder& folder, int count) {
  std::string zeros;
  for (int i = 1; i < kK; ++i) zeros += ",\"0000\"";
  const std::string row = "{\"instr\":\"hopper/mma.m16n8k16.f32.f16.f16.f32\",\"a\":[\"3c00\"" +
                          zeros + "],\"b\":[\"3c00\"" + zeros +
                          "],\"c\":\"00000000\",\"d\":\"3f800000\",\"other\":"
                          "\"cdna3/v_mfma_f32_32x32x8_f16\",\"d_other\":\"3f800000\"}\n";
  std::string all;
  for (int i = 0; i < count; ++i) all += row;
  return folder.write("rows.jsonl", all);
}

std::vector<Case> cases(const Folder& folder) {
  std::vector<Case> all{
      {{"diff", kHopper, kCdna3}},
      {{"diff", kHopper, kCdna3, "--count", "1000"}},
      {{"diff", kHopper, kCdna3, "--where", kSmall}},
      {{"diff", kHopper, kCdna3, "--where", "abs(a[*]) >= abs(b[*])"}},
      {{"diff", kHopper, kCdna3, "--maximize", "abs", "--where", kSmall}},
      {{"diff", kHopper, kCdna3, "--to-the-end"}},
      {{"diff", kHopper, kCdna3, "--no-search"}},
      {{"diff", kHopper, kSplit}},
      {{"diff", kHopper, kCdna3, "--distribution", "normal"}},
      {{"diff", "h100/mma.m16n8k16.f32.f16.f16.f32", "mi300x/v_mfma_f32_32x32x8_f16", "--chain",
        std::to_string(kK)}},
      {{"diff", "plan:ozaki1(h100/mma.m16n8k16.f32.f16.f16.f32,k=4096,slices=31)",
        "plan:ozaki1(h100/mma.m16n8k16.f32.f16.f16.f32,k=4096,slices=32)"}},
      {{"diff", kWide, "design:fused-dot-add(a=f64,c=f64,d=f64,k=4096,fraction_bits=599)"}},
      {{"diff", "design:fused-dot-add(a=f16,c=f32,d=f32,k=4096,fraction_bits=0..300)", kFused},
       true,
       true,
       false},
      {{"tolerance", kHopper, kCdna3}},
      {{"tolerance", kHopper, kCdna3, "--where", kSmall}},
      {{"tolerance", "h100/mma.m16n8k16.f32.f16.f16.f32", "mi300x/v_mfma_f32_32x32x8_f16",
        "--where", kSmall, "--k", std::to_string(kK)}},
      {{"tolerance", kHopper, kCdna3, "--distribution", "normal", "--samples", "100000000"}},
      {{"prove", "equivalent", kHopper, kCdna3}},
      {{"prove", "refines", kHopper, kCdna3}},
      {{"prove", "error-bound", kHopper, "--bound", "1000"}},
      {{"prove", "error-bound", kFused, "--where", "normal(a[*]) && normal(b[*])"}},
      {{"prove", "monotone-c", kWide}},
      {{"prove", "no-early-overflow", kWide}},
      {{"prove", "faithful", "design:fused-dot-add(a=f16,c=f32,d=f32,k=4096,fraction_bits=0..300)"},
       true,
       true,
       false},
      {{"table", kHopper, "--properties", "faithful,monotone-c,error-bound"}, true, true, false},
      {{"check", kHopper}, true, true, false},
      {{"suite", kHopper, kCdna3}},
      {{"matrix", kHopper, kCdna3, kSplit}, true, true, false},
      {{"identify", "--oracle", "sleep 600", "--formats", "f16,f16,f32,f32", "--k", "4096"},
       true,
       true,
       false},
      {{"verify", rows_of(folder, 300)}, false, true, false},
      {{"compare", matrix_of(folder, "a.npy", 256, kK), matrix_of(folder, "b.npy", kK, 256),
        "h100/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m16n8k16.f32.f16.f16.f32"},
       false},
      {{"eval", kHopper, "--a", "1", "--b", "1"}, false, true, false},
      {{"show", kHopper}, false, true, false},
      {{"export", kHopper, "--format", "smtlib2"}, false, false, false},
      {{"export", kFused, "--format", "json"}, false, false, false}};
  for (const char* property :
       {"commutative", "permutation-invariant", "negation-symmetric", "scale-invariant",
        "monotone-c", "monotone-product", "accumulator-preserved", "exact-when-representable",
        "faithful", "correctly-rounded", "error-bound", "sum-error-bound", "norm-error-bound",
        "no-early-overflow", "no-spurious-nan", "subnormal-inputs", "subnormal-results",
        "carry-bits", "single-normalization"}) {
    all.push_back({{"prove", property, kHopper}});
    all.push_back({{"prove", property, kFused}});
  }
  return all;
}

bool is_json(const std::string& text) {
  try {
    Json::parse(text);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Each line, or the whole text, is a document.
void expect_documents(const Case& c, const std::string& text) {
  if (!c.has_json || text.empty()) return;
  if (is_json(text)) return;
  for (const std::string& line : lines_of(text)) {
    EXPECT_TRUE(is_json(line)) << testing::PrintToString(c.command) << ": " << line.substr(0, 200);
  }
}

void expect_whole_rows(const Case& c, const std::string& file) {
  if (!c.writes_rows || !std::filesystem::exists(file)) return;
  const std::string content = content_of(file);
  EXPECT_TRUE(content.empty() || content.back() == '\n') << testing::PrintToString(c.command);
  for (const std::string& line : lines_of(content)) {
    EXPECT_TRUE(is_json(line)) << testing::PrintToString(c.command);
  }
}

Arguments with_output(const Case& c, const std::string& file) {
  Arguments command = c.command;
  if (c.has_json) command.emplace_back("--json");
  if (c.writes_rows) command.insert(command.end(), {"--out", file});
  return command;
}

TEST(LongSums, EndAtTheTimeLimit) {
  const Folder folder;
  std::size_t index = 0;
  for (const Case& c : cases(folder)) {
    if (!c.has_limit || !is_selected(index++, kQuickShare)) continue;
    const Folder outputs;
    const std::string file = outputs / "rows";
    Arguments command = with_output(c, file);
    command.insert(command.end(), {"--timeout", "2"});
    const std::size_t files = outputs.files();
    const Outcome outcome = mmaspec(command, {.seconds = kKilledAfter});
    EXPECT_THAT(outcome.status, AnyOf(0, 1, 3))
        << testing::PrintToString(command) << outcome.err.substr(0, 300);
    expect_documents(c, outcome.out);
    expect_whole_rows(c, file);
    EXPECT_LE(outputs.files(), files + 1) << "no temporary file stays";
  }
}

TEST(LongSums, EndAtAnInterrupt) {
  const Folder folder;
  std::size_t index = 0;
  for (const Case& c : cases(folder)) {
    if (!is_selected(index++ + kQuickShare / 2, kQuickShare)) continue;
    const Folder outputs;
    const std::string file = outputs / "rows";
    Arguments command = with_output(c, file);
    if (c.has_limit) command.insert(command.end(), {"--timeout", "600"});
    Running run(command, outputs);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    run.signal(SIGINT);
    const Outcome outcome = run.wait();
    // A command that had ended before has its own status.
    EXPECT_THAT(outcome.status, AnyOf(-SIGINT, 0, 1, 3))
        << testing::PrintToString(command) << outcome.err.substr(0, 300);
    EXPECT_TRUE(run.all_ended()) << testing::PrintToString(command) << " left "
                                 << testing::PrintToString(run.processes());
    expect_documents(c, outcome.out);
    expect_whole_rows(c, file);
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::long_sums_test
