// The vector reader with malformed rows: each is refused in the documented way, or read correctly.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>

#include "concrete/rows/row.h"
#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"
#include "tests/support/cli/fuzz.h"
#include "util/json.h"

namespace mmaspec::cli_test::vectors_test {
namespace {

const std::vector<std::string> kInstructions{
    "volta/mma.m8n8k4.f32.f16.f16.f32",     "v100/mma.m8n8k4.f16.f16.f16.f16@mma-sim",
    "ampere/mma.m8n8k4.f64.f64.f64.f64",    "ampere/mma.m16n8k4.f32.tf32.tf32.f32",
    "hopper/wgmma.m64n16k32.f32.e4m3.e4m3", "cdna3/v_mfma_f32_32x32x8_f16"};

struct Known {
  Instruction instruction;
  DotModel model;
  ExactEvaluator::Values scratch;

  explicit Known(const std::string& name)
      : instruction(find_instruction(name)),
        model(instruction.algorithm, instruction.formats),
        scratch(model.evaluator().scratch()) {}
};

std::vector<std::string> seeds() {
  std::vector<std::string> names = kInstructions;
  for (const Instruction& i : catalogue()) {
    if (i.formats.scale != nullptr) {
      names.push_back(i.name());
      break;
    }
  }
  std::vector<std::string> rows;
  for (const std::string& name : names) {
    const Instruction i = find_instruction(name);
    Sampler sampler(i.formats, InputClass::any, 1);
    const DotModel model(i.algorithm, i.formats);
    for (int n = 0; n < 8; ++n) {
      VectorRow row{name, sampler.next(), {}, "", {}, ""};
      row.d = model.run(row.values);
      if (n % 2 == 1) {
        row.other = "another";
        row.d_other = *row.d;
        row.ulp = "0";
      }
      rows.push_back(to_json_line(row, i.formats));
    }
  }
  return rows;
}

/// The patterns of the row's text, read by other code than the reader's.
std::vector<Integer> patterns_in(const Json& row, const char* key) {
  std::vector<Integer> all;
  if (!row.contains(key)) return all;
  std::string text = row.at(key);
  for (std::size_t space = 0; (space = text.find(' ', space)) != std::string::npos; ++space) {
    text[space] = '\n';
  }
  std::istringstream lines(text);
  for (std::string word; std::getline(lines, word);) {
    if (word.empty()) continue;
    if (word.size() > 1 && (word[1] | 0x20) == 'x') word.erase(0, 2);
    Integer value = 0;
    for (const char c : word) value = value * 16 + std::stoi(std::string(1, c), nullptr, 16);
    all.push_back(value);
  }
  return all;
}

void expect_read_right(const std::string& line, const VectorRow& row, Known& known, bool run) {
  const Json object = Json::parse(line);
  ASSERT_EQ(row.instruction, object.at("instr"));
  ASSERT_EQ(row.values.a, patterns_in(object, "a"));
  ASSERT_EQ(row.values.b, patterns_in(object, "b"));
  ASSERT_EQ(std::vector<Integer>{row.values.c}, patterns_in(object, "c"));
  ASSERT_EQ(row.values.scale_a, patterns_in(object, "sa"));
  ASSERT_EQ(row.values.scale_b, patterns_in(object, "sb"));

  const VectorRow again = parse_row(to_json_line(row, known.instruction.formats));
  ASSERT_EQ(again.instruction, row.instruction);
  ASSERT_EQ(again.values, row.values);
  ASSERT_EQ(again.d, row.d);
  ASSERT_EQ(again.other, row.other);
  ASSERT_EQ(again.d_other, row.d_other);
  if (run) {
    ASSERT_EQ(known.model.run(row.values, known.scratch), known.model.run(again.values));
  }
}

TEST(FuzzVectors, AreRefusedOrReadCorrectly) {
  const std::vector<std::string> rows = seeds();
  std::vector<std::string> words = kInstructions;
  for (const char* key : {"\"a\"", "\"instr\"", "\"d\"", "\"sa\":\"7f\",", "\"c\":\"0\","}) {
    words.emplace_back(key);
  }
  Mutator mutator(11, words);
  std::map<std::string, std::unique_ptr<Known>> known;
  const std::size_t count = fuzz_count(150000);
  std::size_t read = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::string line = mutator.mutate(mutator.one_of(rows));
    try {
      const VectorRow row = parse_row(line);
      auto it = known.find(row.instruction);
      if (it == known.end()) {
        it = known.emplace(row.instruction, std::make_unique<Known>(row.instruction)).first;
      }
      check_row(row, it->second->instruction.formats);
      ++read;
      if (read % 20 != 0) continue;
      ASSERT_NO_FATAL_FAILURE(expect_read_right(line, row, *it->second, read % 200 == 0)) << line;
    } catch (const std::invalid_argument&) {
      continue;  // refused as documented
    } catch (const std::exception& error) {
      FAIL() << "row " << n << ": " << error.what() << "\n" << line.substr(0, 2000);
    }
  }
  EXPECT_GT(read, count / 50);
  EXPECT_LT(read, count);
}

TEST(FuzzVectors, OfGreatDepthAreRefused) {
  const std::size_t depth = 1000000;  // parsing and destroying must not recurse
  for (const std::string open : {"[", "{\"a\":", "[{\"a\":[", "{\"instr\":[", "[[],"}) {
    std::string line;
    while (line.size() < depth) line += open;
    EXPECT_THROW(parse_row(line), std::invalid_argument);
    EXPECT_THROW(parse_row("{\"instr\":\"x\",\"y\":" + line), std::invalid_argument);
  }
  const std::size_t deep = 400000;
  const std::string whole = std::string(deep, '[') + std::string(deep, ']');
  EXPECT_THROW(parse_row(whole), std::invalid_argument);
  EXPECT_THROW(parse_row("{\"x\":" + whole + "}"), std::invalid_argument);
}

TEST(FuzzVectors, OfGreatLengthAreRefused) {
  EXPECT_THROW(parse_row(std::string(5000000, ' ')), std::invalid_argument);
  EXPECT_THROW(parse_row("{\"instr\":\"" + std::string(5000000, 'a') + "\"}"),
               std::invalid_argument);
  EXPECT_THROW(parse_row("{\"instr\":\"a\",\"a\":\"" + std::string(900000, '1') + "\"}"),
               std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::cli_test::vectors_test
