// The open questions: predictions of each model, and rows that distinguish the models.
#include "hardware/replay/host/open_questions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "concrete/dot/runner.h"
#include "util/json.h"

namespace mmaspec::open_questions_test {
namespace {

const std::vector<ReplayRow>& hopper() {
  static const std::vector<ReplayRow> rows = open_questions({});
  return rows;
}

std::vector<Hypothesis> hypotheses_of(const std::string& question, const std::string& why,
                                      const Instruction& instruction) {
  if (question == "1" && why.starts_with("floor")) return floor_hypotheses(instruction);
  if (question == "1") return {{"c counts as -126", instruction}};
  if (question == "2") return zero_product_hypotheses(instruction);
  if (question == "4") return split_hypotheses(instruction);
  return {};
}

// If the catalogue's model is one of the rivals, the row's answer is its prediction; and every row
// can be run.
TEST(OpenQuestions, RowsAreWellFormed) {
  RowModels models;
  std::set<std::string> questions;
  for (const ReplayRow& r : hopper()) {
    RowModels::Entry& entry = models.of(r.row);
    EXPECT_FALSE(r.answers.empty());
    questions.insert(r.question);
    const Integer d = DotRunner(entry.run.algorithm, entry.run.formats).run(r.row.values);
    bool foretold = false;
    for (const Prediction& p : r.answers) foretold = foretold || p.d == d;
    EXPECT_TRUE(foretold) << r.text;
  }
  EXPECT_EQ(questions, (std::set<std::string>{"1", "2", "3", "4", "5"}));
}

// Each two floors that the instruction's products can distinguish give different answers.
TEST(OpenQuestions, RowsDistinguishAllFloors) {
  std::map<std::string, std::map<std::string, std::string>> columns;
  for (const ReplayRow& r : hopper()) {
    if (r.question != "1" || !r.why.starts_with("floor")) continue;
    for (const Prediction& p : r.answers) columns[r.row.instruction][p.rival] += p.d.str() + " ";
  }
  ASSERT_FALSE(columns.empty());
  for (const auto& [instruction, answers] : columns) {
    std::set<std::string> unlike;
    for (const auto& [rival, column] : answers) unlike.insert(column);
    const bool f16 = instruction.find(".f16.f16") != std::string::npos;
    // Products of f16 are at least 2^-48: floors from -23, and none, cannot be distinguished.
    EXPECT_GE(unlike.size(), f16 ? 9U : answers.size() - 1) << instruction;
  }
}

TEST(OpenQuestions, ExistForOtherArchitectures) {
  for (const char* a : {"turing", "a100"}) {
    EXPECT_GT(open_questions({a}).size(), 20U) << a;
  }
  EXPECT_THROW(open_questions({"cdna1"}), std::invalid_argument);
  EXPECT_THROW(open_questions({"hoper"}), std::invalid_argument);
}

// Questions on which two releases of MMA-Sim disagree: each model is distinguished from the
// catalogue's.
TEST(OpenQuestions, AboutTheNewerReleaseDistinguishModels) {
  for (const auto& [architecture, instructions] :
       {std::pair{"volta", 1U}, std::pair{"turing", 1U}, std::pair{"blackwell", 3U},
        std::pair{"rtx-blackwell", 3U}, std::pair{"cdna2", 4U}, std::pair{"cdna3", 20U}}) {
    std::map<std::string, std::set<std::string>> told;
    for (const ReplayRow& r : open_questions({architecture})) {
      if (r.question != "6") continue;
      for (const Prediction& p : r.answers) {
        const bool other = p.d != r.answers[0].d;
        if (other) told[r.row.instruction].insert(p.rival);
      }
    }
    EXPECT_EQ(told.size(), instructions) << architecture;
    for (const auto& [instruction, readings] : told) {
      EXPECT_GE(readings.size(), 1U) << instruction;
    }
  }
}

// The note is docs/notes/fp8-mma-sync-on-hopper.md.
TEST(OpenQuestions, TheTableOfHalvesInTheNoteIsReproduced) {
  struct Case {
    const char* type;
    std::map<int, std::pair<int, int>> products;
    const char* low_first;
    const char* high_first;
    const char* added;
  };
  const std::vector<Case> cases = {
      {"e5m2",
       {{0, {0x03, 0x04}}, {3, {0x16, 0xdb}}, {4, {0x3d, 0x84}}, {6, {0xd2, 0xa0}}},
       "3d3fb002",
       "3d3fb000",
       "3d3fb001"},
      {"e5m2",
       {{1, {0x0a, 0x25}}, {3, {0xc8, 0xc8}}, {4, {0xdc, 0x2b}}, {6, {0x39, 0x07}}},
       "42480012",
       "42480010",
       "42480011"},
      {"e4m3",
       {{0, {0xe0, 0x6a}}, {2, {0xf4, 0xeb}}, {4, {0x11, 0x88}}, {6, {0x3e, 0x8b}}},
       "465fffd9",
       "465fffd7",
       "465fffd8"},
      {"e4m3",
       {{1, {0x7b, 0xf5}}, {3, {0xf2, 0xfd}}, {5, {0x9c, 0x20}}, {6, {0x8f, 0x32}}},
       "c5d00034",
       "c5d00048",
       "c5d00040"}};
  for (const Case& c : cases) {
    const std::string type = c.type;
    const Instruction instruction =
        find_instruction("hopper/mma.m16n8k32.f32." + type + "." + type + ".f32");
    DotValues values;
    values.a.assign(32, 0);
    values.b.assign(32, 0);
    for (const auto& [k, product] : c.products) {
      values.a[static_cast<std::size_t>(k)] = product.first;
      values.b[static_cast<std::size_t>(k)] = product.second;
    }
    const std::vector<Hypothesis> hypotheses = split_hypotheses(instruction);
    const auto answer = [&](const Hypothesis& r) {
      return to_hex(DotModel(r.model.algorithm, r.model.formats).run(values), 8);
    };
    EXPECT_EQ(answer(hypotheses[0]), c.low_first);
    EXPECT_EQ(answer(hypotheses[1]), c.high_first);
    EXPECT_EQ(answer(hypotheses.back()), c.added);
  }
}

// An independently written set of the same questions, if available.
TEST(OpenQuestions, AnswersAgreeWithThoseOfTheModels) {
  const char* named = std::getenv("MMASPEC_QUESTIONS");
  const std::string file =
      named != nullptr ? named : MMASPEC_SOURCE_DIR "/../shared/gpu/questions.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "MMASPEC_QUESTIONS names no file";
  std::map<std::string, std::string> ours;  // rows that both have, by their inputs
  for (const ReplayRow& r : hopper()) {
    const Json row = Json::parse(r.text);
    for (const auto& [rival, d] : row["answers"].items()) {
      ours[row["instr"].dump() + row["a"].dump() + row["b"].dump() + row["c"].dump() + rival] =
          d.get<std::string>();
    }
  }
  std::map<std::string, std::vector<std::pair<std::string, DotModel>>> panels;
  std::map<std::string, int> compared;
  int same_rows = 0;
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    const Json row = Json::parse(line);
    const VectorRow vector = parse_row(line);
    const std::string question = row["question"].dump();
    const std::string why = row["why"];
    const std::string key = question + why.substr(0, 5) + vector.instruction;
    if (!panels.contains(key)) {
      auto& panel = panels[key];
      for (const Hypothesis& r :
           hypotheses_of(question, why, find_instruction(vector.instruction))) {
        panel.emplace_back(r.name, DotModel(r.model.algorithm, r.model.formats));
      }
    }
    for (const auto& [name, model] : panels[key]) {
      if (!row["answers"].contains(name)) continue;
      const std::string d = row["answers"][name];
      EXPECT_EQ(to_hex(model.run(vector.values), static_cast<unsigned>(d.size())), d)
          << file << ":" << number << " " << name;
      ++compared[question];
    }
    for (const auto& [rival, d] : row["answers"].items()) {
      const auto it = ours.find(row["instr"].dump() + row["a"].dump() + row["b"].dump() +
                                row["c"].dump() + rival);
      if (it == ours.end()) continue;
      ++same_rows;
      EXPECT_EQ(it->second, d.get<std::string>()) << file << ":" << number << " " << rival;
    }
  });
  for (const char* question : {"1", "2", "4"}) EXPECT_GT(compared[question], 50) << question;
  EXPECT_GT(same_rows, 100);
}

}  // namespace
}  // namespace mmaspec::open_questions_test
