// table: its formats, its results file, and what remains when it is killed.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::table_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Arguments = std::vector<std::string>;

/// Decided within milliseconds for every design here.
const std::string kFast =
    "commutative,permutation-invariant,exact-when-representable,faithful,correctly-rounded,"
    "carry-bits,single-normalization";
/// Never decided by search, so that a solver is asked. Undecided without a solver for this design,
/// which has too many inputs to try all.
const std::string kSlow = "no-early-overflow,subnormal-results";
const std::string kSlowDesign =
    "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=10)";

std::string design(int fraction_bits) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=2,fraction_bits=" +
         std::to_string(fraction_bits) + ")";
}

Arguments command(const Arguments& names, const std::string& properties,
                  const Arguments& more = {}) {
  Arguments all{"table", "--properties", properties};
  all.insert(all.end(), names.begin(), names.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Json> cells_of(const std::string& text) {
  std::vector<Json> cells;
  for (const std::string& line : lines_of(text)) cells.push_back(Json::parse(line));
  return cells;
}

/// A results file's lines begin with their version.
std::string text_of_results(const std::vector<Json>& cells) {
  std::string text;
  for (const Json& cell : cells) {
    Json line{{"version", cell.at("version")}};
    line.update(Json::parse(cell.dump()));
    text += line.dump() + "\n";
  }
  return text;
}

/// mmaspec in the background; the destructor kills it.
class Background {
 public:
  Background(const Arguments& arguments, const std::string& errors) {
    const char* binary = std::getenv("MMASPEC_BINARY");
    if (binary == nullptr) throw std::runtime_error("MMASPEC_BINARY is not set");
    std::vector<char*> argv{const_cast<char*>(binary)};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      const int nothing = open("/dev/null", O_RDWR);
      const int err = open(errors.c_str(), O_WRONLY | O_CREAT, 0600);
      dup2(nothing, STDIN_FILENO);
      dup2(nothing, STDOUT_FILENO);
      dup2(err, STDERR_FILENO);
      execv(binary, argv.data());
      _exit(127);
    }
  }
  ~Background() {
    if (pid_ > 0) end(SIGKILL);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Sends the signal and waits. Returns the same as Outcome::status.
  int end(int signal) {
    kill(pid_, signal);
    return wait();
  }
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
  std::vector<pid_t> children() const {
    std::ifstream list("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) +
                       "/children");
    std::vector<pid_t> all;
    for (pid_t child = 0; list >> child;) all.push_back(child);
    return all;
  }

 private:
  pid_t pid_ = -1;
};

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 60000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// The number of processes with this text in their command line.
int processes(const std::string& text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (!std::isdigit(entry.path().filename().string()[0])) continue;
    const std::string line = content_of(entry.path() / "cmdline");
    if (line.find(text) != std::string::npos) ++count;
  }
  return count;
}

TEST(Table, ShowsEveryPropertyOfEveryName) {
  const Outcome outcome = mmaspec(command({design(10), design(3)}, kFast));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_GT(lines.size(), 3U);
  EXPECT_THAT(lines[1], AllOf(StartsWith(design(10)), EndsWith("yes  yes  no  no  no  <= 1  yes")));
  EXPECT_THAT(lines[2], StartsWith(design(3)));
  EXPECT_THAT(outcome.out, HasSubstr("  1  commutative "));
  EXPECT_THAT(outcome.out, EndsWith("8 proved, 6 refuted, 0 undecided, 0 not applicable\n"));
}

TEST(Table, AsksTheDesignOfTwoNamesOnce) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const std::string rest = "/mma.m16n8k16.f32.f16.f16.f32";
  const Outcome outcome = mmaspec(command({"hopper" + rest, "h100" + rest, "blackwell" + rest},
                                          "commutative", {"--results", results, "--json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> cells = cells_of(outcome.out);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].at("instr"), "hopper" + rest);
  EXPECT_EQ(cells[1].at("instr"), "blackwell" + rest);
  EXPECT_EQ(lines_of(content_of(results)).size(), 1U);
}

TEST(Table, HasARowForEachDesignOfTheCatalogue) {
  const Folder folder;
  const std::string results = folder.write("r.jsonl", "");
  const Outcome outcome =
      mmaspec({"table", "--results", results, "--render-only", "--json", "--properties", kFast});
  EXPECT_EQ(outcome.status, 3);  // nothing was computed
  std::set<std::string> names;
  std::size_t rows = 0;
  for (const Json& cell : cells_of(outcome.out)) {
    EXPECT_EQ(cell.at("verdict"), "not asked");
    if (cell.at("property") != "faithful") continue;
    ++rows;
    for (const Json& name : cell.at("instructions")) EXPECT_TRUE(names.insert(name).second);
  }
  const auto listed = [](const std::vector<std::string>& command) {
    return lines_of(mmaspec(command).out).size();
  };
  EXPECT_EQ(names.size(), listed({"list"}) + listed({"list", "--conversions"}));
  EXPECT_GT(rows, 100U);
  EXPECT_LT(rows, names.size());
}

TEST(Table, WritesCellsAsJson) {
  const Outcome outcome = mmaspec(command({design(10)}, "faithful,carry-bits", {"--json"}));
  const std::vector<Json> cells = cells_of(outcome.out);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].at("property"), "faithful");
  EXPECT_EQ(cells[0].at("verdict"), "refuted");
  const Json& run = cells[0].at("witness").at(0);
  EXPECT_EQ(run.at("run"), "given");
  const Folder folder;
  EXPECT_THAT(mmaspec({"verify", folder.write("w.jsonl", run.dump() + "\n")}).out,
              EndsWith("1 passed, 0 failed\n"));
  EXPECT_EQ(cells[1].at("proved"), "1");
}

// One cell per line, the same cells as in JSON.
TEST(Table, WritesCommaSeparatedValues) {
  const std::vector<Json> cells =
      cells_of(mmaspec(command({design(10), design(11)}, kFast, {"--json"})).out);
  const Outcome outcome = mmaspec(command({design(10), design(11)}, kFast, {"--format", "csv"}));
  EXPECT_EQ(outcome.status, 0);
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), cells.size() + 1);
  EXPECT_EQ(lines[0], "property,instr,algorithm,formats,k,verdict,refuted,proved,by,how,seconds");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Json& cell = cells[i];
    const std::string start = cell.at("property").get<std::string>() + ",\"" +
                              cell.at("instr").get<std::string>() + "\",fused-dot-add,";
    const std::string verdict = ",2," + cell.at("verdict").get<std::string>() + "," +
                                cell.value("refuted", "") + "," + cell.value("proved", "") + "," +
                                cell.value("by", "") + ",";
    EXPECT_THAT(lines[i + 1], AllOf(StartsWith(start), HasSubstr(verdict)));
  }
}

TEST(Table, WritesMarkdown) {
  const Outcome outcome = mmaspec(command({design(10)}, kFast, {"--format", "markdown"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("<!-- Written by mmaspec table"),
                                 HasSubstr("| commutative | permutation-invariant |"),
                                 HasSubstr("| ✓ | ✓ | ✗ | ✗ | ✗ | \\<= 1 | ✓ |\n"),
                                 HasSubstr("\n### faithful\n"), HasSubstr("exact, to nearest")));
}

TEST(Table, MarksProofsThatAreArguments) {
  const std::vector<std::string> asked{"table", "ampere/mma.m8n8k4.f64.f64.f64.f64", "--properties",
                                       "monotone-c"};
  const auto as = [&](const std::string& format) {
    std::vector<std::string> arguments = asked;
    arguments.insert(arguments.end(), {"--format", format});
    return mmaspec(arguments).out;
  };
  EXPECT_THAT(as("markdown"),
              AllOf(HasSubstr("| ✓ₛ |\n"), HasSubstr("1 of the proofs are analytical")));
  EXPECT_THAT(as("html"), AllOf(HasSubstr("✓ₛ</"), HasSubstr("1 of the proofs are analytical")));
  EXPECT_THAT(as("text"), AllOf(HasSubstr(" yes*\n"), HasSubstr("1 of the proofs are analytical")));
}

/// Empty if tags are balanced and the page refers to nothing outside of it; otherwise the fault.
std::string fault_of(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return "an open tag";
    const std::string tag = page.substr(at + 1, end - at - 1);
    if (tag.empty() || tag[0] == '!') continue;
    const std::string name = tag.substr(0, tag.find(' '));
    for (const char* attribute : {" src=", " href=", " style="}) {
      if (tag.find(attribute) != std::string::npos) return tag;
    }
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return tag;
    if (name == "meta" || name == "br") continue;
    if (name[0] != '/') {
      open.push_back(name);
      if (name == "script" || name == "style") at = page.find("</" + name, end) - 1;
      continue;
    }
    if (open.empty() || open.back() != name.substr(1)) return tag + " closes nothing";
    open.pop_back();
  }
  return open.empty() ? "" : open.back() + " is open";
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Table, WritesAPageInWhichRefutationsOpen) {
  const Folder folder;
  const std::string file = folder / "t.html";
  const Outcome outcome =
      mmaspec(command({design(10), design(3), "volta/mma.m8n8k4.f32.f16.f16.f32"}, kFast,
                      {"--format", "html", "--out", file}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.files(), 1U);
  const std::string page = content_of(file);
  EXPECT_EQ(fault_of(page), "");
  EXPECT_THAT(page, AllOf(StartsWith("<!DOCTYPE html>"), EndsWith("</html>\n"),
                          Not(HasSubstr("http")), Not(HasSubstr("url(")),
                          HasSubstr("prefers-color-scheme: dark"), HasSubstr("position: sticky")));
  EXPECT_EQ(occurrences(page, "<td class=\"refuted\"><details>"), 9U);
  EXPECT_EQ(occurrences(page, "exact, to nearest"), 12U);  // and those of carry-bits
  EXPECT_THAT(page, HasSubstr("&lt;= 3</summary>"));
}

TEST(Table, ContinuesAfterBeingKilled) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  Arguments names;
  for (int i = 3; i < 23; ++i) names.push_back(design(i));
  const Arguments asked = command(
      names, "commutative,permutation-invariant,correctly-rounded,carry-bits,single-normalization",
      {"--results", results, "--jobs", "2"});
  {
    Background table(asked, folder / "err");
    ASSERT_TRUE(comes_true([&] { return lines_of(content_of(results)).size() >= 5; }));
    EXPECT_EQ(table.end(SIGKILL), -SIGKILL);
  }
  std::string kept = content_of(results);
  const std::size_t done = occurrences(kept, "\n");
  ASSERT_LT(done, 100U) << "it was done before it was killed";
  // As if it was killed in the middle of a line.
  const std::string whole = kept.substr(0, kept.rfind('\n') + 1);
  kept = whole + lines_of(kept)[0].substr(0, 100);
  folder.write("r.jsonl", kept);
  const Outcome outcome = mmaspec(asked);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string now = content_of(results);
  EXPECT_TRUE(now.starts_with(whole));
  std::set<std::string> cells;
  for (const Json& cell : cells_of(now)) {
    cells.insert(cell.at("property").get<std::string>() + cell.at("design").get<std::string>());
  }
  EXPECT_EQ(cells.size(), 100U);
  EXPECT_EQ(occurrences(now, "\n"), 100U) << "a cell was asked twice";
  // A third run computes nothing.
  EXPECT_EQ(mmaspec(asked).out, outcome.out);
  EXPECT_EQ(content_of(results), now);
}

TEST(Table, LeavesNothingRunningWhenItIsStopped) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const std::string sleep = "sleep 9" + std::to_string(getpid());
  for (const int signal : {SIGTERM, SIGINT}) {
    Background table(command({kSlowDesign}, "commutative," + kSlow,
                             {"--results", results, "--jobs", "3", "--timeout", "100", "--solver",
                              "smtlib:" + sleep}),
                     folder / "err");
    const auto running = [&] {
      return processes("sleep" + std::string(1, '\0') + sleep.substr(6));
    };
    ASSERT_TRUE(comes_true([&] { return running() >= 2; }));
    ASSERT_TRUE(comes_true([&] { return occurrences(content_of(results), "\n") == 1; }));
    EXPECT_EQ(table.end(signal), -signal);
    EXPECT_TRUE(comes_true([&] { return running() == 0; }));
    EXPECT_THAT(content_of(folder / "err"),
                AllOf(StartsWith("mmaspec: stopped by signal"), HasSubstr(results)));
    EXPECT_EQ(occurrences(content_of(results), "\n"), 1U);
  }
}

TEST(Table, LosesOnlyOneCellInACrash) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  Background table(command({design(10)}, "no-early-overflow,faithful,carry-bits",
                           {"--results", results, "--jobs", "1", "--timeout", "100", "--solver",
                            "smtlib:sleep 100"}),
                   folder / "err");
  ASSERT_TRUE(comes_true([&] { return !table.children().empty(); }));
  kill(table.children()[0], SIGKILL);
  EXPECT_EQ(table.wait(), 3);
  const std::vector<Json> cells = cells_of(content_of(results));
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0].at("verdict"), "undecided");
  EXPECT_THAT(cells[0].at("how").get<std::string>(), HasSubstr("signal 9"));
  EXPECT_EQ(cells[1].at("verdict"), "refuted");
  EXPECT_EQ(cells[2].at("verdict"), "proved");
}

TEST(Table, ComputesUndecidedCellsAgainOnlyWithMoreTime) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const auto lines_after = [&](const std::string& timeout, const std::string& solver) {
    const Outcome outcome =
        mmaspec(command({design(10)}, "no-early-overflow",
                        {"--results", results, "--timeout", timeout, "--solver", solver}));
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    return occurrences(content_of(results), "\n");
  };
  EXPECT_EQ(lines_after("0.2", "smtlib:false"), 1U);
  EXPECT_EQ(lines_after("0.2", "smtlib:false"), 1U);
  EXPECT_EQ(lines_after("0.1", "smtlib:false"), 1U);
  EXPECT_EQ(lines_after("0.3", "smtlib:false"), 2U);
  EXPECT_EQ(lines_after("0.3", "smtlib:true"), 3U);
}

TEST(Table, UsesNoStaleCells) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const Arguments asked = command({design(10)}, "faithful,carry-bits", {"--results", results});
  const Outcome fresh = mmaspec(asked);
  EXPECT_EQ(fresh.status, 0);
  const std::vector<Json> cells = cells_of(content_of(results));
  const auto again = [&](const std::function<void(Json&)>& change) {
    std::vector<Json> changed = cells;
    for (Json& cell : changed) change(cell);
    folder.write("r.jsonl", text_of_results(changed));
    EXPECT_EQ(mmaspec(asked).out, fresh.out);
    return occurrences(content_of(results), "\n") - 2;
  };
  EXPECT_EQ(again([](Json&) {}), 0U);
  EXPECT_EQ(again([](Json& c) { c["version"] = 0; }), 2U);
  EXPECT_EQ(again([](Json& c) { c["design"] = "another one"; }), 2U);
  EXPECT_EQ(again([](Json& c) { c["property"] = "of-old"; }), 2U);
  EXPECT_EQ(again([](Json& c) { c["verdict"] = "perhaps"; }), 2U);
  EXPECT_EQ(again([](Json& c) { c.erase("how"); }), 2U);
  EXPECT_EQ(again([](Json& c) {
              for (Json& run : c["witness"]) run["a"] = "0";  // wrong for this K
            }),
            2U);
}

TEST(Table, ShowsTheRangeOfAnUndecidedLeastValue) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const Arguments asked = command({design(10)}, "carry-bits", {"--results", results});
  EXPECT_EQ(mmaspec(asked).status, 0);
  Json cell = cells_of(content_of(results)).at(0);
  Arguments render = asked;
  render.emplace_back("--render-only");
  const auto shown = [&](const char* verdict, const char* refuted, const char* proved) {
    cell["verdict"] = verdict;
    cell["refuted"] = refuted;
    cell["proved"] = proved;
    for (const char* key : {"refuted", "proved"}) {
      if (cell[key] == "") cell.erase(key);
    }
    folder.write("r.jsonl", text_of_results({cell}));
    const Outcome outcome = mmaspec(render);
    EXPECT_EQ(outcome.status, std::string(verdict) == "undecided" ? 3 : 0);
    const std::string line = lines_of(outcome.out).at(1);
    return line.substr(line.find(")  ") + 3);
  };
  EXPECT_EQ(shown("proved", "2", "3"), "<= 3");
  EXPECT_EQ(shown("proved", "", "1/4"), "<= 0.25");
  EXPECT_EQ(shown("proved", "9/4", "5/2"), "(2.25, 2.5]");
  EXPECT_EQ(shown("undecided", "5/2", "4"), "(2.5, 4]");
  EXPECT_EQ(shown("undecided", "5/2", ""), "> 2.5");
  EXPECT_EQ(shown("refuted", "5/2", ""), "> 2.5");
  EXPECT_EQ(shown("undecided", "", ""), "?");
}

TEST(Table, IgnoresCellsOfOtherDesignsInItsFile) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const Arguments asked = command({design(10)}, "commutative,carry-bits", {"--results", results});
  EXPECT_EQ(mmaspec(asked).status, 0);
  const std::string whole = content_of(results);
  Json stale = cells_of(whole).at(0);
  stale["design"] = "another one";
  folder.write("r.jsonl", text_of_results({stale}) + whole + whole);
  Arguments render = asked;
  render.insert(render.end(), {"--render-only", "--format", "results"});
  const Outcome kept = mmaspec(render);
  EXPECT_EQ(kept.status, 0) << kept.err;
  // The file has them in the order of the answers.
  EXPECT_THAT(lines_of(kept.out), testing::UnorderedElementsAreArray(lines_of(whole)));
}

TEST(Table, RefusesWhatItCannotUse) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  expect_refused(mmaspec({"table", "volta/mma.m8n8k4.f32.f16.f16.f23"}), {"did you mean"});
  expect_refused(mmaspec(command({design(10)}, "fathful")), {"did you mean 'faithful'"});
  expect_refused(mmaspec(command({design(10)}, "equivalent")), {"two instructions"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--format", "pdf"})), {"--format"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--format", "html", "--json"})),
                 {"--json", "html"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--render-only"})), {"--results"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--render-only", "--results", results})),
                 {results, "No such file"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--results", results, "--out", results})),
                 {"same file"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--results", folder / "none/r"})),
                 {"none/r"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--out", folder / "none/t"})), {"none/t"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--results", ""})), {"--results"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--timeout", "0"})), {"--timeout"});
  expect_refused(mmaspec(command({design(10)}, kFast, {"--solver", "yices"})), {"yices"});
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Table, LeavesOtherFilesUnchanged) {
  const Folder folder;
  for (const std::string content :
       {"# Notes", "# Notes\n", "{\"instr\":\"x\"}\n", "[1]\n", "{\"version\":1\n{}\n", "\n"}) {
    const std::string file = folder.write("notes", content);
    expect_refused(mmaspec(command({design(10)}, kFast, {"--results", file})), {file + ":1"});
    EXPECT_EQ(content_of(file), content);
  }
}

TEST(Table, IsNotWrittenTwiceAtOnce) {
  const Folder folder;
  const std::string results = folder / "r.jsonl";
  const Arguments asked =
      command({kSlowDesign}, "commutative," + kSlow,
              {"--results", results, "--timeout", "100", "--solver", "smtlib:sleep 100"});
  Background table(asked, folder / "err");
  ASSERT_TRUE(comes_true([&] { return occurrences(content_of(results), "\n") == 1; }));
  expect_refused(mmaspec(asked), {results, "another process"});
  EXPECT_EQ(table.end(SIGTERM), -SIGTERM);
}

}  // namespace
}  // namespace mmaspec::cli_test::table_test
