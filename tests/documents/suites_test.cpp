// docs/suites.md: its commands give the output shown, and their rows distinguish the classes.

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "concrete/dot/model.h"
#include "concrete/rows/row.h"
#include "queries/statement/pairing.h"
#include "queries/values/distance.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::suites_test {
namespace {

using cli_test::content_of;
using cli_test::lines_of;
using cli_test::words_of;
const std::string kDocument = std::string(MMASPEC_SOURCE_DIR) + "/docs/suites.md";
/// The same suites for the explorer, one per line.
const std::string kLines = std::string(MMASPEC_SOURCE_DIR) + "/docs/suites.jsonl";
constexpr const char* kAdvice =
    "run bench/suites.py --document docs/suites.md --rows docs/suites.jsonl";

/// The text between a mark and its end.
struct Part {
  std::string what;
  std::string body;
};

std::vector<Part> parts() {
  const std::string text = content_of(kDocument);
  const std::string begin = "<!-- suites: ";
  std::vector<Part> all;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t what = at + begin.size();
    const std::size_t body = text.find(" -->\n\n", what);
    const std::size_t end = text.find("\n\n<!-- end -->", body);
    all.push_back({text.substr(what, body - what), text.substr(body + 6, end - body - 6) + "\n"});
  }
  return all;
}

std::string output_of(const std::string& command, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = words_of(command);
  arguments.insert(arguments.begin(), "suite");
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--timeout", "600"});
  const cli_test::Outcome outcome = cli_test::mmaspec(arguments);
  EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
  return outcome.out;
}

/// Evaluates the designs of `suite` on numbers, without its search and its graphs.
void expect_rows_to_part(const Json& suite) {
  const int k = suite.at("k");
  std::map<std::string, DotModel> models;
  for (const Json& design : suite.at("designs")) {
    const std::string name = design.at("name");
    const Instruction run = chained(find_instruction(name), k);
    models.emplace(name, DotModel(run.algorithm, run.formats));
  }
  const Format& d = *models.begin()->second.formats().d;
  std::map<std::string, std::vector<Integer>> answers;
  for (const Json& row : suite.at("rows")) {
    const DotValues values = row_of(row).values;
    for (auto& [name, model] : models) {
      answers[name].push_back(model.run(values));
      EXPECT_EQ(answers[name].back(), Integer("0x" + row.at("answers").at(name).get<std::string>()))
          << name;
    }
  }
  const auto are_parted = [&](const std::string& x, const std::string& y) {
    bool parted = false;
    for (std::size_t r = 0; r < suite.at("rows").size(); ++r) {
      parted = parted || differ({}, d, answers[x][r], d, answers[y][r]);
    }
    return parted;
  };
  for (const Json& first : suite.at("designs")) {
    for (const Json& second : suite.at("designs")) {
      EXPECT_EQ(are_parted(first.at("name"), second.at("name")),
                first.at("class") != second.at("class"))
          << first.at("name") << " " << second.at("name");
    }
  }
}

void expect_line(const Json& line, const std::string& text, const Json& suite) {
  EXPECT_EQ(line.at("text"), text) << kAdvice;
  EXPECT_EQ(line.at("members"), suite.at("classes")) << kAdvice;
  ASSERT_EQ(line.at("rows").size(), suite.at("rows").size()) << kAdvice;
  for (std::size_t r = 0; r < suite.at("rows").size(); ++r) {
    for (const auto& [key, value] : line.at("rows")[r].items()) {
      EXPECT_EQ(value, suite.at("rows")[r].at(key)) << kAdvice;
    }
  }
}

std::string number(double x) {
  std::ostringstream text;
  text.precision(4);
  text << x;
  return text.str();
}

/// A line of the table as bench/suites.py writes it, without the seconds.
std::string line_of(const std::string& text, const Json& suite) {
  const std::size_t inputs = suite.at("rows").size();
  std::string line = "| " + text;
  for (const std::string& cell :
       {std::to_string(suite.at("designs").size()), std::to_string(suite.at("classes").size()),
        std::to_string(suite.at("undecided").size()),
        std::to_string(inputs) + (inputs < 2 ? "" : " (of " + suite.at("candidates").dump() + ")"),
        suite.at("information_least").dump(), number(suite.at("expected_questions")),
        number(suite.at("expected_of_candidates"))}) {
    line += " | " + cell;
  }
  return line + " | ";
}

/// Without the lines that say how designs were proved equal: the strategy that finishes first, and
/// the equal pairs for which it is asked, depend on the machine.
std::string without_proofs(const std::string& text) {
  std::string kept;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("- proved equal: ")) kept += line + "\n";
  }
  return kept;
}

TEST(SuitesDocument, ShowsTheOutputOfItsCommands) {
  std::size_t shown = 0;
  for (const Part& part : parts()) {
    if (part.what == "table" || part.what == "commands") continue;
    if (!is_selected(shown++, 2)) continue;
    EXPECT_EQ(without_proofs(output_of(part.what, {"--format", "markdown"})),
              without_proofs(part.body))
        << kAdvice;
  }
  EXPECT_GE(shown, 5U);
}

TEST(SuitesDocument, HasATableOfSuitesThatDistinguishTheirClasses) {
  const std::vector<Part> all = parts();
  ASSERT_GE(all.size(), 2U);
  ASSERT_EQ(all[0].what, "table");
  ASSERT_EQ(all[1].what, "commands");
  const std::vector<std::string> table = lines_of(all[0].body);
  const std::vector<std::string> shown = lines_of(content_of(kLines));
  ASSERT_EQ(shown.size() + 2, table.size()) << kAdvice;
  const std::string begin = "mmaspec suite ";
  std::size_t row = 2;  // below the header
  for (const std::string& line : lines_of(all[1].body)) {
    if (!line.starts_with(begin)) continue;
    SCOPED_TRACE(line);
    const std::size_t comment = line.find("  # ");
    if (!is_selected(row, 6)) {
      ++row;
      continue;
    }
    const Json suite = Json::parse_or_discard(
        output_of(line.substr(begin.size(), comment - begin.size()), {"--json"}));
    ASSERT_TRUE(suite.is_object());
    expect_rows_to_part(suite);
    EXPECT_TRUE(suite.at("minimal"));
    ASSERT_LT(row, table.size());
    const std::string wanted = line_of(line.substr(comment + 4), suite);
    EXPECT_EQ(table[row].substr(0, wanted.size()), wanted) << kAdvice;
    expect_line(Json::parse(shown[row - 2]), line.substr(comment + 4), suite);
    ++row;
  }
  EXPECT_EQ(row, table.size());
  EXPECT_GE(row, 12U);
}

}  // namespace
}  // namespace mmaspec::suites_test
