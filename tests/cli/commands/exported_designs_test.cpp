// Exported Verilog and C, run by iverilog and cc, compared with the exact evaluator.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"
#include "tests/support/cli/process.h"
#include "tests/support/one_of_each_algorithm.h"

namespace mmaspec::cli_test::exported_designs_test {
namespace {

namespace fs = std::filesystem;

/// Rows per design: $MMASPEC_EXPORTED_ROWS (10000 in scripts/test --all), or a few hundred.
std::size_t row_count() {
  const char* text = std::getenv("MMASPEC_EXPORTED_ROWS");
  return text == nullptr ? 300 : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

struct Rows {
  explicit Rows(const Instruction& i) {
    const DotModel model(i.algorithm, i.formats);
    ExactEvaluator::Values scratch = model.evaluator().scratch();
    Sampler sampler(i.formats, InputClass::any, 7);
    for (std::size_t n = row_count(); n-- > 0;) {
      values.push_back(sampler.next());
      expected.push_back(model.run(values.back(), scratch));
    }
  }
  std::vector<DotValues> values;
  std::vector<Integer> expected;
};

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

/// Compares the results that a program printed, one per line in hexadecimal, with the expected
/// ones.
void expect_equal(const std::string& out, const Rows& rows) {
  std::istringstream lines(out);
  std::size_t wrong = 0;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_LT(count, rows.expected.size());
    if (line.find_first_of("xz") != std::string::npos ||
        Integer("0x" + line) != rows.expected[count]) {
      ++wrong;
    }
  }
  EXPECT_EQ(count, rows.expected.size());
  EXPECT_EQ(wrong, 0U);
}

class Exported : public testing::TestWithParam<std::string> {
 protected:
  void export_as(const std::string& format, const fs::path& path) {
    const Outcome o = mmaspec(
        {"export", GetParam(), "--format", format, "--module", "dot", "--out", path.string()});
    ASSERT_EQ(o.status, 0) << o.err;
  }
  Folder folder_;
};

TEST_P(Exported, CIsEqual) {
  if (!has_program("cc")) GTEST_SKIP() << "there is no cc";
  const fs::path path = folder_.path();
  ASSERT_NO_FATAL_FAILURE(export_as("c", path / "dot.c"));
  const Instruction i = find_instruction(GetParam());
  const DotFormats& f = i.formats;
  const std::string scales = f.scales() > 0 ? ", const uint64_t *sa, const uint64_t *sb" : "";
  write(
      path / "main.c",
      "#include <stdint.h>\n#include <stdio.h>\n#include <inttypes.h>\n"
      "uint64_t dot(const uint64_t *a, const uint64_t *b, uint64_t c" +
          scales +
          ");\n"
          "int main(void) {\n  static uint64_t x[4096];\n  int i, n = " +
          std::to_string(2 * f.k + 1 + 2 * f.scales()) + ", k = " + std::to_string(f.k) +
          ";\n  for (;;) {\n    for (i = 0; i < n; ++i) "
          "if (scanf(\"%\" SCNx64, &x[i]) != 1) return 0;\n"
          "    printf(\"%\" PRIx64 \"\\n\", dot(x, x + k, x[2 * k]" +
          (f.scales() > 0 ? ", x + 2 * k + 1, x + 2 * k + 1 + " + std::to_string(f.scales()) : "") +
          "));\n  }\n}\n");
  const Outcome alone =
      run_program("cc", {"-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", "-o",
                         (path / "dot.o").string(), (path / "dot.c").string()});
  ASSERT_EQ(alone.status, 0) << alone.err;
  const Outcome linked = run_program("cc", {"-std=c99", "-o", (path / "dot").string(),
                                            (path / "main.c").string(), (path / "dot.o").string()});
  ASSERT_EQ(linked.status, 0) << linked.err;
  const Rows rows(i);
  std::string input;
  for (const DotValues& v : rows.values) {
    for (const Integer& x : in_input_order(v)) input += to_hex(x) + " ";
    input += "\n";
  }
  const Outcome ran = run_program((path / "dot").string(), {}, {.input = input});
  ASSERT_EQ(ran.status, 0) << ran.err;
  expect_equal(ran.out, rows);
}

TEST_P(Exported, VerilogIsEqual) {
  if (!has_program("iverilog")) GTEST_SKIP() << "there is no iverilog";
  const fs::path path = folder_.path();
  ASSERT_NO_FATAL_FAILURE(export_as("verilog", path / "dot.v"));
  const Instruction i = find_instruction(GetParam());
  const DotFormats& f = i.formats;
  struct Operand {
    const char* name;
    int count;
    const Format* format;
  };
  const std::vector<Operand> operands{{"a", f.k, f.a},
                                      {"b", f.k, f.b},
                                      {"c", 1, f.c},
                                      {"sa", f.scales(), f.scale},
                                      {"sb", f.scales(), f.scale}};
  const Rows rows(i);
  std::string ports;
  int width = 0;
  for (const Operand& o : operands) {
    if (o.count == 0) continue;
    const int bits = o.count * o.format->storage_bits;
    ports += "." + std::string(o.name) + "(rows[i][" + std::to_string(width + bits - 1) + ":" +
             std::to_string(width) + "]), ";
    width += bits;
  }
  std::string packed;
  for (const DotValues& v : rows.values) {
    const std::vector<Integer> all = in_input_order(v);
    Integer word = 0;
    unsigned low = 0;
    auto next = all.begin();
    for (const Operand& o : operands) {
      for (int k = 0; k < o.count; ++k) {
        word += *next++ << low;
        low += static_cast<unsigned>(o.format->storage_bits);
      }
    }
    packed += to_hex(word) + "\n";
  }
  write(path / "rows.hex", packed);
  const std::string count = std::to_string(rows.values.size());
  write(path / "bench.v",
        "module bench;\n  reg [" + std::to_string(width - 1) +
            ":0] rows [0:" + std::to_string(rows.values.size() - 1) + "];\n  wire [" +
            std::to_string(f.d->storage_bits - 1) + ":0] d;\n  integer i = 0;\n  dot dut(" + ports +
            ".d(d));\n  initial begin\n    $readmemh(\"" + (path / "rows.hex").string() +
            "\", rows);\n    for (i = 0; i < " + count +
            "; i = i + 1) begin #1 $display(\"%h\", d); end\n  end\n"
            "endmodule\n");
  const Outcome compiled =
      run_program("iverilog", {"-g2005", "-o", (path / "bench").string(),
                               (path / "bench.v").string(), (path / "dot.v").string()});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const Outcome ran = run_program("vvp", {"-n", (path / "bench").string()}, {.seconds = 3000});
  ASSERT_EQ(ran.status, 0) << ran.err;
  expect_equal(ran.out, rows);
}

TEST_P(Exported, VerilogIsClean) {
  const fs::path path = folder_.path() / "dot.v";
  ASSERT_NO_FATAL_FAILURE(export_as("verilog", path));
  if (!has_program("verilator")) GTEST_SKIP() << "there is no verilator";
  const Outcome lint = run_program("verilator", {"--lint-only", "-Wall", path.string()});
  EXPECT_EQ(lint.status, 0) << lint.err;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfEachAlgorithm, Exported, testing::ValuesIn(one_of_each_algorithm()),
                         test_name);

}  // namespace
}  // namespace mmaspec::cli_test::exported_designs_test
