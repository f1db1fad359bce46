#include "report/tables/table_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "concrete/rows/csv.h"
#include "queries/ask/scope.h"
#include "report/text/prove_text.h"
#include "report/values.h"
#include "spec/conversions/conversion_design.h"
#include "spec/conversions/conversions.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

const Symbols kPlain{"yes", "yes*", "no", "?", "-"};
const Symbols kCellMarks{"✓", "✓ₛ", "✗", "?", "–"};

bool is_by_steps(const Cell& cell) {
  return cell.outcome == Outcome::proved &&
         cell.justification.kind == Justification::Kind::argument;
}

void add(Counts& counts, const Cell& cell) {
  if (!cell.asked) {
    ++counts.not_asked;
    return;
  }
  switch (cell.outcome) {
    case Outcome::proved:
      ++counts.proved;
      break;
    case Outcome::refuted:
      ++counts.refuted;
      break;
    case Outcome::undecided:
      ++counts.undecided;
      break;
    case Outcome::not_applicable:
      ++counts.not_applicable;
      break;
  }
}

/// Escapes text for a cell of a Markdown table.
std::string markdown_cell(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<' || c == '_' || c == '\\') all += '\\';
    all += c == '\n' ? ' ' : c;
  }
  return all;
}

/// The row with the refutation that has the fewest products; nullopt: none.
std::optional<std::size_t> plainest_refutation(const Table& table, std::size_t property) {
  std::optional<std::size_t> best;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.cells[r][property].witness.empty()) continue;
    const auto k = [&](std::size_t row) { return table.rows[row].subject.formats().k; };
    if (!best || k(r) < k(*best)) best = r;
  }
  return best;
}

/// The time limits of the undecided cells.
std::string time_text(const Table& table) {
  double least = 0;
  for (const auto& row : table.cells) {
    for (const Cell& cell : row) {
      if (cell.outcome != Outcome::undecided || cell.timeout == 0) continue;
      least = least == 0 ? cell.timeout : std::min(least, cell.timeout);
    }
  }
  return least == 0 ? "" : fmt::format(" within {:g} seconds for each question", least);
}

std::string refutations(const Table& table) {
  std::string text;
  for (std::size_t p = 0; p < table.properties.size(); ++p) {
    const auto r = plainest_refutation(table, p);
    if (!r) continue;
    const Cell& cell = table.cells[*r][p];
    const std::string name = table.properties[p]->name();
    text += fmt::format("### {}\n\n```\n$ mmaspec prove {} '{}'\n", name, name,
                        table.rows[*r].names[0]);
    if (cell.refuted) text += fmt::format("more than {}\n", shortest_text(*cell.refuted));
    if (!cell.of.empty()) text += cell.of + "\n";
    text += witness_text(cell.witness) + "```\n\n";
  }
  return text;
}

}  // namespace

std::string by_steps_text(const Table& table) {
  int arguments = 0;
  int numbers = 0;
  for (const auto& row : table.cells) {
    for (const Cell& cell : row) {
      if (is_by_steps(cell)) ++(cell.proved ? numbers : arguments);
    }
  }
  if (arguments + numbers == 0) return "";
  return fmt::format(
      "{} of the proofs are analytical proofs about an algorithm's steps, and {} are bounds on "
      "errors from what each step cuts and rounds. The others are by solvers, by trying all "
      "inputs, or by reduction to one expression.",
      arguments, numbers);
}

Counts count(const Table& table) {
  Counts counts;
  for (const auto& row : table.cells) {
    for (const Cell& cell : row) add(counts, cell);
  }
  return counts;
}

Counts count_of_property(const Table& table, std::size_t property) {
  Counts counts;
  for (const auto& row : table.cells) add(counts, row[property]);
  return counts;
}

std::string to_text(const Counts& c) {
  std::string text = fmt::format("{} proved, {} refuted, {} undecided, {} not applicable", c.proved,
                                 c.refuted, c.undecided, c.not_applicable);
  if (c.not_asked > 0) text += fmt::format(", {} not asked", c.not_asked);
  return text;
}

std::string cell_text(const Cell& cell, const Symbols& symbols) {
  if (!cell.asked) return "";
  if (cell.outcome == Outcome::not_applicable) return symbols.not_applicable;
  if (cell.refuted && cell.proved) {
    const bool integers = denominator(*cell.refuted) == 1 && *cell.refuted + 1 == *cell.proved;
    // If the number is a count, there is no value in between.
    if (integers && cell.outcome == Outcome::proved) return "<= " + shortest_text(*cell.proved);
    return fmt::format("({}, {}]", shortest_text(*cell.refuted), shortest_text(*cell.proved));
  }
  if (cell.proved) return "<= " + shortest_text(*cell.proved);
  if (cell.refuted) return "> " + shortest_text(*cell.refuted);
  switch (cell.outcome) {
    case Outcome::proved:
      return is_by_steps(cell) ? symbols.by_steps : symbols.proved;
    case Outcome::refuted:
      return symbols.refuted;
    default:
      return symbols.undecided;
  }
}

std::string formats_text(const DotFormats& f) {
  if (is_conversion(f)) return fmt::format("{} = {}", f.d->name, f.c->name);
  std::string text = fmt::format("{} = {} + {} * {}", f.d->name, f.c->name, f.a->name, f.b->name);
  if (f.scale != nullptr) text += fmt::format(", scale {} / {}", f.scale->name, f.scale_block);
  return text;
}

std::string reason_text(const Cell& cell) {
  const std::string none = reason(cell.vacuity);
  std::string text = none.empty() ? cell.justification.how()
                                  : "vacuously: " + none + "; " + cell.justification.how();
  const auto join = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (cell.outcome == Outcome::refuted && !cell.witness.empty())
    text = "found by " + cell.justification.how();
  if (cell.refuted && !cell.refuted_by.empty()) {
    text = cell.proved || cell.outcome == Outcome::undecided ? cell.justification.how() : "";
    join(fmt::format("more than {} (found by {})", shortest_text(*cell.refuted), cell.refuted_by));
  }
  if (!cell.smaller.empty()) join(cell.smaller);
  return one_line(text);
}

namespace {

std::vector<UnitEvidence> evidence_of(const std::vector<std::string>& names) {
  std::vector<Instruction> all;
  for (const std::string& name : names) all.push_back(find_with_conversions(name));
  return weakest_evidence(all);
}

/// One line for all instructions of the table.
std::string evidence_of(const Table& table) {
  std::vector<Instruction> all;
  for (const TableRow& row : table.rows) {
    all.push_back(row.subject.first);  // under the user's name
    for (std::size_t i = 1; i < row.names.size(); ++i)
      all.push_back(find_with_conversions(row.names[i]));
  }
  return evidence_summary(weakest_evidence(all));
}

}  // namespace

std::string csv_of(const Table& table) {
  std::string text = "property,instr,algorithm,formats,k,verdict,refuted,proved,by,how,seconds\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Instruction& first = table.rows[r].subject.first;
    for (std::size_t p = 0; p < table.properties.size(); ++p) {
      const Cell& cell = table.cells[r][p];
      const auto number = [](const std::optional<Rational>& x) { return x ? x->str() : ""; };
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", table.properties[p]->name(),
                          csv_cell(table.rows[r].names[0]), csv_cell(first.algorithm.name()),
                          csv_cell(formats_text(first.formats)), first.formats.k,
                          cell.asked ? to_string(cell.outcome) : "not asked", number(cell.refuted),
                          number(cell.proved),
                          cell.outcome == Outcome::proved ? by(cell.justification.kind) : "",
                          cell.asked ? csv_cell(cell.justification.how()) : "",
                          cell.asked ? fmt::format("{:.3f}", cell.seconds) : "");
    }
  }
  return text;
}

std::string json_of(const Table& table) {
  std::string text;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<UnitEvidence> evidence = evidence_of(table.rows[r].names);
    for (std::size_t p = 0; p < table.properties.size(); ++p) {
      const Cell& cell = table.cells[r][p];
      Json object = to_json(*table.properties[p], table.rows[r], cell);
      if (!cell.asked) object["verdict"] = "not asked";
      object["instructions"] = table.rows[r].names;
      add_scope({table.properties[p]->inputs(), {}, {}, evidence}, object);
      text += to_text(object);
    }
  }
  return text;
}

std::string text_of(const Table& table) {
  const std::size_t columns = table.properties.size();
  std::vector<std::vector<std::string>> shown;
  std::vector<std::size_t> widths;
  for (std::size_t p = 0; p < columns; ++p) widths.push_back(std::to_string(p + 1).size());
  std::vector<std::string> labels;
  std::size_t width = 0;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<std::string>& names = table.rows[r].names;
    labels.push_back(table.rows[r].subject.first.label());
    if (names.size() > 1) labels.back() += fmt::format(" +{}", names.size() - 1);
    width = std::max(width, labels.back().size());
    shown.emplace_back();
    for (std::size_t p = 0; p < columns; ++p) {
      shown.back().push_back(cell_text(table.cells[r][p], kPlain));
      widths[p] = std::max(widths[p], shown.back().back().size());
    }
  }
  std::string text(width, ' ');
  for (std::size_t p = 0; p < columns; ++p) text += fmt::format("  {:>{}}", p + 1, widths[p]);
  text += "\n";
  for (std::size_t r = 0; r < shown.size(); ++r) {
    text += fmt::format("{:<{}}", labels[r], width);
    for (std::size_t p = 0; p < columns; ++p)
      text += fmt::format("  {:>{}}", shown[r][p], widths[p]);
    text += "\n";
  }
  text += "\n";
  std::size_t longest = 0;
  for (const Property* p : table.properties) longest = std::max(longest, p->name().size());
  for (std::size_t p = 0; p < columns; ++p) {
    text += fmt::format("{:>3}  {:<{}}  {} ({})\n", p + 1, table.properties[p]->name(), longest,
                        table.properties[p]->summary(), to_text(count_of_property(table, p)));
  }
  text +=
      "\nyes: proved; no: refuted by a witness ('mmaspec prove' shows it); ?: undecided; -: not "
      "applicable;\n<= X: proved for X, the least such; (X, Y]: refuted for X, proved for Y; > X: "
      "refuted for X, no more is known\n";
  const std::string by_steps = by_steps_text(table);
  if (!by_steps.empty())
    text += "yes*: proved by an analytical proof about the algorithm's steps. " + by_steps + "\n";
  return text + to_text(count(table)) + "\n" + evidence_of(table);
}

std::string markdown_of(const Table& table) {
  std::string text =
      "<!-- Written by mmaspec table --format markdown; change the command, not this file. -->\n\n"
      "# Properties\n\n"
      "This page answers, for each property and each design: does the property hold for all "
      "inputs? A proof covers all inputs. A refutation is an input that violates the property, "
      "and the exact evaluator confirms it. ";
  text += table.by_design
              ? "A row of the table stands for all instructions that have the same algorithm, "
                "parameters, formats and K.\n\n"
              : "The table has one row for each name.\n\n";
  text += fmt::format(
      "## Summary\n\n{}, {}: {}.\n\n| property | statement | source | proved | refuted | "
      "undecided |\n| --- | --- | --- | ---: | ---: | ---: |\n",
      counted(table.rows.size(), "row"), counted(table.properties.size(), "property", "properties"),
      to_text(count(table)));
  for (std::size_t p = 0; p < table.properties.size(); ++p) {
    const Counts c = count_of_property(table, p);
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", table.properties[p]->name(),
                    markdown_cell(table.properties[p]->summary()),
                    markdown_cell(table.properties[p]->source()), c.proved, c.refuted, c.undecided);
  }
  const std::string by_steps = by_steps_text(table);
  text += "\n## How to read the table\n\n" + (by_steps.empty() ? "" : by_steps + "\n\n") +
          fmt::format(
              "- ✓: proved.\n- ✓ₛ: proved by an analytical proof about the algorithm's steps (see "
              "`steps` in [proving](proving.md)).\n- ✗: refuted.\n- ?: undecided{}.\n- –: not "
              "applicable to this design.\n",
              time_text(table)) +
          "- `<= X`: X is the least bound that holds.\n- `(X, Y]`: the least bound is above X and "
          "at most Y.\n- `> X`: the least bound is above X; no upper bound is proved.\n\n"
          "`mmaspec prove PROPERTY NAME` decides one cell again, and prints its witness. "
          "`--format html` writes the same table with all witnesses. This command makes the page "
          "from the results on file, and decides the cells that they lack:\n\n"
          "```\nmmaspec table --results docs/properties.jsonl --format markdown --out "
          "docs/properties.md\n```\n";
  text += "\n## All designs\n\n| # | instruction | algorithm | K | formats |";
  for (const Property* p : table.properties) text += " " + p->name() + " |";
  text += "\n| --- | --- | --- | --- | --- |";
  for (std::size_t p = 0; p < table.properties.size(); ++p) text += " --- |";
  text += "\n";
  bool shared = false;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    const Instruction& first = row.subject.first;
    text += fmt::format("| {} | `{}`{} | {} | {} | {} |", r + 1, row.names[0],
                        row.names.size() > 1 ? fmt::format(" +{}", row.names.size() - 1) : "",
                        algorithm_label(first), first.formats.k,
                        markdown_cell(formats_text(first.formats)));
    shared = shared || row.names.size() > 1;
    for (const Cell& cell : table.cells[r])
      text += " " + markdown_cell(cell_text(cell, kCellMarks)) + " |";
    text += "\n";
  }
  if (shared) {
    text += "\n## Rows with several instructions\n\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const std::vector<std::string>& names = table.rows[r].names;
      if (names.size() == 1) continue;
      text += fmt::format("- {}: `{}`\n", r + 1, fmt::join(names, "`, `"));
    }
  }
  const std::string witnesses = refutations(table);
  if (!witnesses.empty()) {
    text += "\n## Refutations\n\nOne witness for each property, with the fewest products.\n\n" +
            witnesses;
    text.pop_back();
  }
  return text;
}

}  // namespace mmaspec
