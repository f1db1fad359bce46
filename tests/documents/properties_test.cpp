// docs/properties.md is what `mmaspec table` renders from the committed results, and the results
// cover the whole catalogue. A quick run evaluates a ninth of the refutations again, a full run all
// of them.
#include <gtest/gtest.h>

#include <filesystem>

#include "queries/studies/table/results.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"

namespace mmaspec::properties_test {
namespace {

const std::string kDocs = std::string(MMASPEC_SOURCE_DIR) + "/docs/";
const std::string kResults = kDocs + "properties.jsonl";
constexpr const char* kAdvice =
    "run mmaspec table --results docs/properties.jsonl --format markdown --out docs/properties.md";

TEST(PropertyTable, IsUpToDate) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  const cli_test::Outcome outcome =
      cli_test::mmaspec({"table", "--results", kResults, "--render-only", "--format", "markdown"});
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 3) << outcome.err;
  EXPECT_TRUE(outcome.out == cli_test::content_of(kDocs + "properties.md")) << kAdvice;
}

TEST(PropertyTable, HoldsEveryCellAndItsRefutationsAreTrue) {
  ASSERT_TRUE(std::filesystem::exists(kResults)) << kAdvice;
  const TableResults results(kResults, TableResults::Use::read);
  std::size_t refutations = 0;
  for (const TableRow& row : rows_by_design(instructions_of_table())) {
    for (const Property* p : table_properties()) {
      const Cell cell = results.find(*p, row);
      EXPECT_TRUE(cell.asked) << p->name() << " of " << row.names[0] << ": " << kAdvice;
      EXPECT_FALSE(cell.contradiction) << p->name() << " of " << row.names[0];
      if (cell.outcome == Outcome::refuted) {
        EXPECT_FALSE(cell.witness.empty()) << p->name() << " of " << row.names[0];
      }
      if (cell.witness.empty() || !is_selected(refutations++, 9)) continue;
      EXPECT_TRUE(is_confirmed(*p, row, cell)) << p->name() << " of " << row.names[0];
    }
  }
  EXPECT_GT(refutations, 1000U);
}

TEST(PropertyTable, RejectsFalseRefutations) {
  const std::vector<TableRow> rows = rows_by_name(
      {find_instruction("design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=2,fraction_bits=10)")});
  const std::vector<const Property*> columns{&find_property("faithful"),
                                             &find_property("carry-bits")};
  TableResults results;
  fill(rows, columns, {}, results);
  for (const Property* p : columns) {
    const Cell cell = results.find(*p, rows[0]);
    EXPECT_TRUE(is_confirmed(*p, rows[0], cell)) << p->name();
    Cell wrong = cell;
    wrong.witness.at(0).d += 1;
    EXPECT_FALSE(is_confirmed(*p, rows[0], wrong)) << p->name();
    wrong = cell;
    for (Integer& a : wrong.witness.at(0).values.a) a = 0;
    wrong.witness[0].d = wrong.witness[0].values.c = 0;
    EXPECT_FALSE(is_confirmed(*p, rows[0], wrong)) << p->name();
    wrong = cell;
    wrong.witness.clear();
    EXPECT_FALSE(is_confirmed(*p, rows[0], wrong)) << p->name();
  }
}

}  // namespace
}  // namespace mmaspec::properties_test
