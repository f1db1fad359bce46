// The table of properties as one HTML file, which is readable without scripts and does not load
// other resources.

#include <fmt/format.h>

#include "report/picture/svg.h"
#include "report/tables/table_text.h"
#include "report/text/prove_text.h"
#include "report/values.h"
#include "spec/conversions/conversions.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

const Symbols kMarks{"✓", "✓ₛ", "✗", "?", "–"};

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --soft: #5a6470; --line: #d5dae0;
  --head: #f3f5f7; --proved: #d5f0dc; --proved-text: #0b5a26; --refuted: #fbd9d5; --refuted-text: #8d1507;
  --undecided: #fbeec2; --undecided-text: #6b4d00; --focus: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e4e8ec; --soft: #9ba6b2;
  --line: #353c45; --head: #1f242a; --proved: #143d22; --proved-text: #9be3b0; --refuted: #52190f;
  --refuted-text: #ffb9ad; --undecided: #463809; --undecided-text: #f3d982; --focus: #7ab3ff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
p { margin: .3rem 0; max-width: 60rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .86rem; }
.counts span, .key span { display: inline-block; padding: .1rem .5rem; margin: .1rem .3rem .1rem 0;
  border-radius: .3rem; }
.legend table { border-collapse: collapse; margin: .4rem 0; }
.legend td, .legend th { border: 1px solid var(--line); padding: .15rem .5rem; text-align: left; }
.frame { overflow: auto; max-height: calc(100vh - 2rem); margin-top: .8rem;
  border: 1px solid var(--line); }
.frame > table { border-collapse: separate; border-spacing: 0; }
.frame th, .frame td { border-right: 1px solid var(--line); border-bottom: 1px solid var(--line);
  padding: 0; }
.frame thead th { position: sticky; top: 0; z-index: 2; background: var(--head); height: 12.5rem;
  vertical-align: bottom; font-weight: 600; }
.frame thead th span { writing-mode: vertical-rl; transform: rotate(180deg); padding: .4rem .35rem;
  white-space: nowrap; }
.frame thead th:first-child { left: 0; z-index: 3; padding: .4rem; text-align: left; }
.frame tbody th { position: sticky; left: 0; z-index: 1; background: var(--head); text-align: left;
  font-weight: normal; padding: .15rem .4rem; max-width: 22rem; overflow-wrap: anywhere; }
.frame tbody th small { color: var(--soft); display: block; }
.frame td { text-align: center; min-width: 2rem; white-space: nowrap; }
.frame td > span, .frame summary { display: block; padding: .3rem .35rem; min-height: 2rem; }
.frame summary { cursor: pointer; list-style: none; text-decoration: underline dotted; }
.frame summary::-webkit-details-marker { display: none; }
summary:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; }
details[open] > summary { outline: 3px solid var(--focus); outline-offset: -3px; }
.proved { background: var(--proved); color: var(--proved-text); }
.refuted { background: var(--refuted); color: var(--refuted-text); }
.undecided { background: var(--undecided); color: var(--undecided-text); }
.none { color: var(--soft); }
.panel { position: fixed; right: 0; bottom: 0; left: 0; max-height: 55vh; overflow: auto; z-index: 9;
  padding: .8rem 1rem; background: var(--page); color: var(--text); border-top: 3px solid var(--focus);
  text-align: left; white-space: normal; }
.panel h2 { font-size: 1rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
.panel pre { margin: .4rem 0 0; overflow-x: auto; }
body:has(td > details[open]) { padding-bottom: 57vh; }  /* so that no row stays behind the panel */
@media print { .frame { max-height: none; overflow: visible; } }
)css";

/// Optional convenience: one open panel at a time; Escape closes it.
constexpr const char* kSortScript = R"js(
const cells = document.querySelectorAll("td > details");
for (const cell of cells) cell.addEventListener("toggle", () => {
  if (cell.open) for (const other of cells) if (other !== cell) other.open = false;
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("td > details")) for (const cell of cells) cell.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const cell of cells) if (cell.open) { cell.open = false; cell.firstElementChild.focus(); }
});
)js";

const char* class_of(const Cell& cell) {
  if (!cell.asked) return "none";
  switch (cell.outcome) {
    case Outcome::proved:
      return "proved";
    case Outcome::refuted:
      return "refuted";
    case Outcome::undecided:
      return "undecided";
    case Outcome::not_applicable:
      break;
  }
  return "none";
}

/// The cell. If it has a witness or further details, a click opens them.
std::string html_of(const Property& property, const TableRow& row, const Cell& cell) {
  const std::string shown = escaped(cell_text(cell, kMarks));
  const std::string verdict = cell.asked ? std::string(to_string(cell.outcome)) : "not asked";
  const bool opens = cell.asked && (cell.outcome == Outcome::undecided || !cell.witness.empty());
  const std::string label =
      escaped(fmt::format("{}: {} of {}", verdict, property.name(), row.names[0]));
  if (!opens) {
    return fmt::format(
        "<td class=\"{}\"><span title=\"{}{}\">{}</span></td>", class_of(cell), escaped(verdict),
        cell.justification.how().empty() ? "" : ": " + escaped(reason_text(cell)), shown);
  }
  std::string text = fmt::format(
      "<td class=\"{}\"><details><summary aria-label=\"{}, {}\">{}</summary><div "
      "class=\"panel\"><h2>{}</h2><p>{}</p>",
      class_of(cell), label, shown, shown, label, escaped(reason_text(cell)));
  if (!cell.of.empty()) text += fmt::format("<p>{}</p>", escaped(cell.of));
  text += fmt::format("<p><code>mmaspec prove {} '{}'</code></p>", escaped(property.name()),
                      escaped(row.names[0]));
  if (!cell.witness.empty()) {
    text += fmt::format("<pre tabindex=\"0\">{}</pre>", escaped(witness_text(cell.witness)));
  }
  return text + "</div></details></td>";
}

/// ", evidence: hardware"; empty if it is not a catalogued instruction.
std::string evidence_of(const std::string& name) {
  for (const UnitEvidence& e : weakest_evidence({find_with_conversions(name)})) {
    return ", evidence: " + std::string(to_string(e.weakest));
  }
  return "";
}

std::string row_header(const TableRow& row) {
  const Instruction& first = row.subject.first;
  std::string text =
      fmt::format("<th scope=\"row\"><code>{}</code><small>{}, K = {}, {}{}</small>",
                  escaped(row.names[0]), escaped(algorithm_label(first)), first.formats.k,
                  escaped(formats_text(first.formats)), evidence_of(row.names[0]));
  if (row.names.size() > 1) {
    text += fmt::format("<details><summary>and {} more</summary>", row.names.size() - 1);
    for (std::size_t i = 1; i < row.names.size(); ++i) {
      text +=
          fmt::format("<code>{}</code>{}<br>", escaped(row.names[i]), evidence_of(row.names[i]));
    }
    text += "</details>";
  }
  return text + "</th>";
}

std::string legend(const Table& table) {
  std::string text =
      "<details class=\"legend\"><summary>Statements of the properties</summary><table><thead><tr>"
      "<th scope=\"col\">property</th><th scope=\"col\">statement</th><th scope=\"col\">source</th>"
      "<th scope=\"col\">proved</th><th scope=\"col\">refuted</th><th scope=\"col\">undecided</th>"
      "</tr></thead><tbody>\n";
  for (std::size_t p = 0; p < table.properties.size(); ++p) {
    const Counts c = count_of_property(table, p);
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "</tr>\n",
        escaped(table.properties[p]->name()), escaped(table.properties[p]->summary()),
        escaped(table.properties[p]->source()), c.proved, c.refuted, c.undecided);
  }
  return text + "</tbody></table></details>\n";
}

}  // namespace

std::string html_of(const Table& table) {
  const Counts c = count(table);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>MMA-Spec: properties</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>Properties of matrix instructions</h1>\n"
      "<p>{}, {}. A proof covers all inputs. A refutation is an input that violates the property; "
      "the "
      "exact evaluator confirms it. A click or Enter opens the input, Escape closes it.</p>\n"
      "<p class=\"counts\"><span class=\"proved\">✓ {} proved</span> <span class=\"refuted\">✗ {} "
      "refuted</span> <span class=\"undecided\">? {} undecided</span> <span class=\"none\">– {} "
      "not "
      "applicable</span>",
      kStyle,
      table.by_design
          ? counted(table.rows.size(), "design") + ", each row with all instructions of the design"
          : counted(table.rows.size(), "name"),
      counted(table.properties.size(), "property", "properties"), c.proved, c.refuted, c.undecided,
      c.not_applicable);
  if (c.not_asked > 0)
    text += fmt::format(" <span class=\"none\">{} not asked</span>", c.not_asked);
  text +=
      "</p>\n<p class=\"key\"><code>&lt;= X</code> holds for X, the least such; <code>(X, "
      "Y]</code> "
      "is refuted for X and proved for Y; <code>&gt; X</code> is refuted for X, and no more is "
      "known.</p>\n";
  const std::string by_steps = by_steps_text(table);
  if (!by_steps.empty()) {
    text += fmt::format(
        "<p class=\"key\">✓ₛ proved by an analytical proof about the algorithm's steps. {}</p>\n",
        escaped(by_steps));
  }
  text += legend(table);
  text +=
      "<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"the table\"><table>\n"
      "<thead><tr><th scope=\"col\">instruction</th>";
  for (const Property* p : table.properties) {
    text += fmt::format("<th scope=\"col\" title=\"{}\"><span>{}</span></th>",
                        escaped(p->summary()), escaped(p->name()));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += "<tr>" + row_header(table.rows[r]);
    for (std::size_t p = 0; p < table.properties.size(); ++p) {
      text += html_of(*table.properties[p], table.rows[r], table.cells[r][p]);
    }
    text += "</tr>\n";
  }
  return text + fmt::format("</tbody></table></div>\n<script>{}</script>\n</body>\n</html>\n",
                            kSortScript);
}

}  // namespace mmaspec
