#pragma once
/// The table of properties as text, Markdown, HTML, comma-separated values and JSON Lines.

#include <array>
#include <string>
#include <vector>

#include "queries/studies/table/table.h"
#include "report/values.h"

namespace mmaspec {

struct Table {
  std::vector<const Property*> properties;
  std::vector<TableRow> rows;
  std::vector<std::vector<Cell>> cells;  ///< by row, then property
  bool by_design = false;                ///< a row represents every instruction of its design
};

std::string text_of(const Table& table);
std::string markdown_of(const Table& table);
/// A self-contained file; each refuted cell opens its witness.
std::string html_of(const Table& table);
/// A header and one cell per line, without witnesses: property, instr, algorithm, formats, K,
/// verdict; for a property with a number the largest refuted and the least proved one; the kind of
/// proof ("by" in JSON), who found the answer or why there is none, seconds.
std::string csv_of(const Table& table);
/// One cell per line.
std::string json_of(const Table& table);

/// The number of cells with each outcome.
struct Counts {
  int proved = 0;
  int refuted = 0;
  int undecided = 0;
  int not_applicable = 0;
  int not_asked = 0;

  int all() const { return proved + refuted + undecided + not_applicable + not_asked; }
};
Counts count(const Table& table);
Counts count_of_property(const Table& table, std::size_t property);
std::string to_text(const Counts& counts);

/// A sentence with the numbers of analytical proofs and error bounds; empty if there are none.
std::string by_steps_text(const Table& table);

/// The text of a cell; for a property with a number, what is known about the least one.
struct Symbols {
  std::string proved;
  std::string by_steps;  ///< proved by an analytical proof about the algorithm's steps
  std::string refuted;
  std::string undecided;
  std::string not_applicable;
};
std::string cell_text(const Cell& cell, const Symbols& symbols);

/// The formats: `f32 = f32 + f16 * f16`.
std::string formats_text(const DotFormats& formats);

/// One line about who decided the cell, or why it is undecided or does not apply.
std::string reason_text(const Cell& cell);

}  // namespace mmaspec
