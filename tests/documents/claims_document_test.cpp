// docs/claims.md, docs/kernel-classes.md and docs/ozaki.md: the commands in their tables give the
// verdicts in the column before them, and the summary of docs/claims.md counts these verdicts.

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"

namespace mmaspec::claims_document_test {
namespace {

using cli_test::content_of;
using cli_test::lines_of;
using cli_test::words_of;

struct Claim {
  std::string verdict;
  std::vector<std::string> arguments;
};

std::vector<Claim> claims_of(const std::string& document) {
  std::vector<Claim> all;
  const std::string begin = "| `mmaspec ";
  for (const std::string& line :
       lines_of(content_of(std::string(MMASPEC_SOURCE_DIR) + "/docs/" + document))) {
    const std::size_t command = line.find(begin);
    if (command == std::string::npos) continue;
    const std::size_t first = command + begin.size();
    const std::size_t before = line.rfind("| ", command - 2) + 2;
    all.push_back({line.substr(before, command - before - 1),
                   words_of(line.substr(first, line.find('`', first) - first))});
  }
  return all;
}

/// Runs every command of the document in a full run, and one command in `every` in a quick run.
void expect_as_written(const std::string& document, std::size_t at_least, std::size_t every) {
  const std::vector<Claim> all = claims_of(document);
  ASSERT_GE(all.size(), at_least);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_selected(i, every)) continue;
    const Claim& claim = all[i];
    std::vector<std::string> arguments = claim.arguments;
    arguments.insert(arguments.end(), {"--timeout", "200"});
    std::string command;
    for (const std::string& a : claim.arguments) command += " " + a;
    const cli_test::Outcome outcome = cli_test::mmaspec(arguments);
    ASSERT_TRUE(claim.verdict == "proved" || claim.verdict == "refuted") << command;
    EXPECT_EQ(outcome.status, claim.verdict == "proved" ? 0 : 1) << command << "\n" << outcome.out;
  }
}

/// "proved | refuted" of each section that has claims, in order.
std::vector<std::string> counts_of_sections(const std::string& text) {
  std::vector<std::string> all;
  std::size_t at = text.find("\n## ");
  while (at != std::string::npos) {
    const std::size_t next = text.find("\n## ", at + 1);
    const std::string section = text.substr(at, next - at);
    std::array<int, 2> counts{};
    for (const std::string& line : lines_of(section)) {
      if (line.find("| proved | `mmaspec ") != std::string::npos) ++counts[0];
      if (line.find("| refuted | `mmaspec ") != std::string::npos) ++counts[1];
    }
    if (counts[0] + counts[1] > 0) {
      all.push_back("| " + std::to_string(counts[0]) + " | " + std::to_string(counts[1]) + " |");
    }
    at = next;
  }
  return all;
}

TEST(Claims, AreCountedInTheSummary) {
  const std::string text = content_of(std::string(MMASPEC_SOURCE_DIR) + "/docs/claims.md");
  std::vector<std::string> summary;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("| [")) summary.push_back(line.substr(line.find("| ", 2)));
  }
  EXPECT_EQ(summary, counts_of_sections(text));
}

TEST(Claims, EqualTheTableInTheDocument) { expect_as_written("claims.md", 45, 1); }
TEST(Claims, OfKernelsEqualTheTableInTheDocument) { expect_as_written("kernel-classes.md", 20, 4); }
TEST(Claims, OfOzakisSchemesEqualTheTableInTheDocument) { expect_as_written("ozaki.md", 8, 4); }

}  // namespace
}  // namespace mmaspec::claims_document_test
