// Prints docs/explanation/theorems.md: the trusted theorems, and how many answers of the committed
// table and matrix rest on each.
//
//   mmaspec-theorems docs > docs/explanation/theorems.md

#include "queries/theorems/theorems.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <stdexcept>

#include "queries/studies/matrix/matrix.h"
#include "queries/studies/matrix/results.h"
#include "queries/studies/table/results.h"
#include "queries/studies/table/table.h"
#include "queries/theorems/across.h"
#include "queries/theorems/equal.h"

namespace mmaspec {
namespace {

using Counts = std::map<TrustedTheorem, int>;

/// Cells of the table that an analytical proof answers. Throws std::runtime_error for a cell that
/// no theorem proves.
Counts cells_of(const std::string& file) {
  const TableResults results(file, TableResults::Use::read);
  Counts counts;
  for (const TableRow& row : rows_by_design(instructions_of_table())) {
    for (const Property* property : table_properties()) {
      const Cell cell = results.find(*property, row);
      if (cell.outcome != Outcome::proved ||
          cell.justification.kind != Justification::Kind::argument)
        continue;
      Subject subject = row.subject;
      subject.parameter = cell.proved;
      const auto argument = property->holds_because(subject);
      if (!argument) {
        throw std::runtime_error("no theorem proves " + property->name() + " of " + row.names[0]);
      }
      ++counts[argument->theorem];
    }
  }
  return counts;
}

/// Pairs of designs that are equal by an analytical proof of their own.
Counts pairs_of(const std::string& file) {
  const Matrix matrix = matrix_of(catalogue(), false);
  const MatrixResults results(file, MatrixResults::Use::read);
  Counts counts;
  for (const Unit& unit : matrix.units) {
    for (const DesignPair& pair : unit.pairs) {
      const auto row = results.find(matrix.named(pair).at(0));
      if (!row || row->verdict != PairVerdict::equal || !row->through.empty()) continue;
      if (row->by != by(Justification::Kind::argument)) continue;
      const Pair both = pair_up(matrix.designs[pair.first].instruction,
                                matrix.designs[pair.second].instruction, {});
      auto argument = equal_because(both.first, both.second);
      if (!argument) argument = equal_on_common_values(both.first, both.second);
      if (!argument) throw std::runtime_error("no theorem proves that a pair is equal");
      ++counts[argument->theorem];
    }
  }
  return counts;
}

/// Text in a cell of a Markdown table.
std::string in_cell(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '|') all += '\\';
    all += c;
  }
  return all;
}

int total(const Counts& counts) {
  int n = 0;
  for (const auto& [theorem, count] : counts) n += count;
  return n;
}

void print_page(const std::string& docs) {
  const Counts cells = cells_of(docs + "/properties.jsonl");
  const Counts pairs = pairs_of(docs + "/differences.jsonl.gz");
  std::cout << "<!-- Written by mmaspec-theorems; change queries/theorems/theorems.cpp, not this "
               "file. -->\n# Trusted theorems\n\n"
               "An [analytical proof](analytical-proofs.md) rests on one of these theorems. No "
               "solver and no proof kernel checks them. A theorem is used for a design only if the "
               "design meets its conditions, which the file in the column *conditions* decides "
               "from all parameters of the design. The tests in the column *attack* compare its "
               "conclusions with exhaustive and drawn inputs, at the limits of the conditions and "
               "beyond them.\n\n"
               "An answer names its theorem (`theorem` in JSON). `--no-trust` of `prove`, `diff`, "
               "`table` and `matrix` uses none of them.\n\n";
  std::cout << fmt::format(
      "The columns *cells* and *pairs* count the proofs of the [table of properties](../"
      "properties.md) ({} in all) and the equal pairs of the [matrix](../differences.md) ({} in "
      "all) that rest on the theorem.\n\n",
      total(cells), total(pairs));
  std::cout << "| theorem | statement | literature | conditions | attack | cells | pairs |\n"
               "| --- | --- | --- | --- | --- | --- | --- |\n";
  const auto count_of = [](const Counts& counts, TrustedTheorem theorem) {
    const auto it = counts.find(theorem);
    return it == counts.end() ? 0 : it->second;
  };
  for (const TheoremRecord& t : theorems()) {
    std::cout << fmt::format("| {} | {} | {} | `{}` | `{}` | {} | {} |\n", number_of(t.theorem),
                             in_cell(t.statement), t.literature, t.conditions, t.attack,
                             count_of(cells, t.theorem), count_of(pairs, t.theorem));
  }
}

}  // namespace
}  // namespace mmaspec

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: mmaspec-theorems DOCS\n";
    return 2;
  }
  try {
    mmaspec::print_page(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << "mmaspec-theorems: " << error.what() << "\n";
    return 2;
  }
}
