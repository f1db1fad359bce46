#include "tests/support/cli/json_outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test {
namespace {

class JsonOutputs : public testing::Environment {
 public:
  void keep(const std::vector<std::string>& arguments, const std::string& out) {
    lines_ += Json{{"command", arguments}, {"out", out}}.dump(-1, Json::Invalid::replace) + "\n";
  }

  void TearDown() override {
    const char* const schema = std::getenv("MMASPEC_SCHEMA");
    const char* const check = std::getenv("MMASPEC_SCHEMA_CHECK");
    if (lines_.empty()) return;
    if (schema == nullptr || check == nullptr || !has_program("python3")) {
      std::cout << "JSON outputs were not validated: no $MMASPEC_SCHEMA, or there is no python3\n";
      return;
    }
    const Folder folder;
    const std::string file = folder.write("outputs.jsonl", lines_);
    const Outcome outcome = run_program("python3", {check, "--recorded", file, schema});
    if (outcome.out.starts_with("skipped")) std::cout << "JSON outputs: " << outcome.out;
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }

 private:
  std::string lines_;
};

JsonOutputs& outputs() {
  // GoogleTest deletes it.
  static auto* const environment = new JsonOutputs;
  static const auto* const added = testing::AddGlobalTestEnvironment(environment);
  static_cast<void>(added);
  return *environment;
}

// Before the tests run: an environment that is added later is not torn down.
[[maybe_unused]] const JsonOutputs& at_start = outputs();

}  // namespace

void keep_json_output(const std::vector<std::string>& arguments, const std::string& out) {
  const bool is_json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  if (is_json && !out.empty()) outputs().keep(arguments, out);
}

}  // namespace mmaspec::cli_test
