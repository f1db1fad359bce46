// The matrix of pairs as one HTML file: a map on a canvas with filters by architecture and formats;
// a click shows a pair's details. It does not load other resources.

#include <fmt/format.h>

#include <unordered_map>

#include "report/picture/svg.h"
#include "report/tables/matrix_text.h"
#include "report/tables/table_text.h"
#include "report/values.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr const char* kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>All pairs of matrix units: where they differ</title>
<style>
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --soft: #5a6470; --line: #d5dae0; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e4e8ec; --soft: #9ba6b2; --line: #353c45; } }
body { margin: 0; padding: 1rem; background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
p { margin: .3rem 0; max-width: 60rem; }
label { margin-right: .8rem; }
select { max-width: 22rem; }
.key span { display: inline-block; margin-right: .8rem; white-space: nowrap; }
.key i { display: inline-block; width: .9rem; height: .9rem; margin-right: .3rem; vertical-align: -.1rem; border: 1px solid var(--line); }
.frame { display: flex; gap: 1rem; flex-wrap: wrap; align-items: flex-start; margin-top: .6rem; }
canvas { border: 1px solid var(--line); cursor: crosshair; max-width: 100%; }
#told { flex: 1; min-width: 24rem; overflow-wrap: anywhere; }
pre { overflow-x: auto; font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
.soft { color: var(--soft); }
</style>
</head>
<body>
<h1>All pairs of matrix units: where they differ</h1>
)html";

constexpr const char* kBody = R"html(
<p><label>rows <select id="rows"></select></label> <label>columns <select id="columns"></select></label>
<label>order <select id="order"><option value="1">by architecture</option><option value="2">by formats</option></select></label>
<span class="soft" id="count"></span></p>
<p class="key" id="key"></p>
<div class="frame"><canvas id="map" tabindex="0" aria-label="map of pairs; the arrow keys move the selection, and the text next to the map describes it"></canvas>
<div id="told" aria-live="polite"><p class="soft">Point at a cell to see its pair; click to keep it.</p></div></div>
<noscript><p>The map needs JavaScript; differences.md has the summary.</p></noscript>
)html";

constexpr const char* kMapScript = R"js(
const words = ["not comparable", "one expression", "equal, proved", "ordinary data in [0, 1)", "ordinary data of both signs",
  "terms of unlike sizes", "cancellation", "a subnormal", "overflow", "undecided"];
const colours = ["#8884", "#1a7f37", "#56b870", "#7a0019", "#b3261e", "#d9603b", "#e39a3f", "#e6c95c", "#8f7cc9", "#000"];
const at = new Map();
for (const r of data.rows) at.set(r[0] * 65536 + r[1], r);
const find = (x, y) => at.get(x * 65536 + y) || at.get(y * 65536 + x);
const element = (id) => document.getElementById(id);
const options = ["everything"].concat(...[1, 2].map((part) => [...new Set(data.designs.map((d) => d[part]))].map((v) => part + v)));
for (const id of ["rows", "columns"]) for (const v of options) {
  const o = document.createElement("option");
  o.value = v; o.textContent = v === "everything" ? v : v.slice(1);
  element(id).append(o);
}
words.forEach((w, i) => {
  const s = document.createElement("span"), c = document.createElement("i");
  c.style.background = colours[i]; s.append(c, (i > 2 && i < 9 ? "differ: " : "") + w); element("key").append(s);
});
let rows = [], columns = [], size = 4, kept = null;
const chosen = (v, order) => data.designs.map((d, i) => i)
  .filter((i) => v === "everything" || data.designs[i][+v[0]] === v.slice(1))
  .sort((x, y) => String(data.designs[x][order]).localeCompare(data.designs[y][order]) || x - y);
const kind = (x, y) => x === y ? 1 : (find(x, y) || [0, 0, 0])[2];
function draw() {
  const order = +element("order").value;
  rows = chosen(element("rows").value, order); columns = chosen(element("columns").value, order);
  size = Math.max(2, Math.min(24, Math.floor(1000 / Math.max(rows.length, columns.length))));
  const map = element("map"); map.width = columns.length * size; map.height = rows.length * size;
  const pen = map.getContext("2d"), n = {};
  rows.forEach((x, i) => columns.forEach((y, j) => {
    const k = kind(x, y); n[k] = (n[k] || 0) + 1;
    pen.fillStyle = colours[k]; pen.fillRect(j * size, i * size, size > 6 ? size - 1 : size, size > 6 ? size - 1 : size);
  }));
  element("count").textContent = rows.length + " by " + columns.length + " designs";
}
const patterns = (s) => s.split(" ");
function tell(i, j) {
  const told = element("told"); told.textContent = "";
  const add = (tag, text) => { const e = document.createElement(tag); e.textContent = text; told.append(e); };
  const x = rows[i], y = columns[j];
  if (x === undefined || y === undefined) return;
  const r = find(x, y);
  const first = r ? r[0] : x, second = r ? r[1] : y;
  for (const d of [first, second]) add("p", data.designs[d][0] + "   (" + data.designs[d][2] + ", K = " + data.designs[d][3] + ")" +
    (data.designs[d][4].length ? ", also " + data.designs[d][4].join(", ") : ""));
  if (x === y) return add("p", "one design");
  if (!r) return add("p", "They cannot be compared: K or scale factors do not match, or one design cannot be chained.");
  if (r[2] === 1 || r[2] === 2) return add("p", "Equal for all finite inputs that both formats represent: " + r[3] + ".");
  if (r[2] === 9) return add("p", "Undecided: " + r[3]);
  add("p", "They differ on " + words[r[2]] + ". Largest difference found: " + r[3] + " ulp, " + r[4] + " of the sum of the terms' magnitudes" +
    (r[5] ? "; for some input, only one of the results is finite" : "") + ".");
  const [a, b, c, sa, sb] = data.inputs[r[6]].split("|");
  let text = "";
  patterns(a).forEach((p, k) => { text += "k=" + k + "  " + p + " * " + patterns(b)[k] + "\n"; });
  text += "c  " + c + (sa ? "\nscale factors  " + sa + " * " + sb : "") + "\nd  " + r[7] + "  and  " + r[8];
  add("pre", text);
  add("pre", "mmaspec diff '" + data.designs[first][0] + "' '" + data.designs[second][0] + "'");
}
const place = (e) => { const b = element("map").getBoundingClientRect(), s = b.width / columns.length;
  return [Math.floor((e.clientY - b.top) / s), Math.floor((e.clientX - b.left) / s)]; };
element("map").addEventListener("mousemove", (e) => { if (!kept) tell(...place(e)); });
element("map").addEventListener("click", (e) => { kept = kept ? null : place(e); tell(...place(e)); });
element("map").addEventListener("keydown", (e) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
  if (e.key === "Escape") kept = null;
  if (!step) return;
  kept = kept || [0, 0]; e.preventDefault();
  kept = [Math.min(rows.length - 1, Math.max(0, kept[0] + step[0])), Math.min(columns.length - 1, Math.max(0, kept[1] + step[1]))];
  tell(...kept);
});
for (const id of ["rows", "columns", "order"]) element(id).addEventListener("change", () => { kept = null; draw(); });
draw();
)js";

/// The kind of a cell, as the index in the script's `words`.
int kind_of(const PairRow& row) {
  switch (row.verdict) {
    case PairVerdict::equal:
      return row.by == by(Justification::Kind::one_expression) ? 1 : 2;
    case PairVerdict::differ:
      return 3 + static_cast<int>(row.takes);
    case PairVerdict::undecided:
      break;
  }
  return 9;
}

/// The operands as `a|b|c` or `a|b|c|sa|sb`, from the row's JSON.
std::string inputs_of(const Json& witness) {
  std::string text;
  for (const char* key : {"a", "b", "c", "sa", "sb"}) {
    if (!witness.contains(key)) break;
    text += (text.empty() ? "" : "|") + witness.at(key).get<std::string>();
  }
  return text;
}

Json data_of(const Matrix& matrix, const MatrixResults& results) {
  Json designs = Json::array();
  std::unordered_map<std::string, std::size_t> number;
  const auto add = [&](const std::string& name, const MatrixDesign& d,
                       const std::vector<std::string>& others) {
    number.emplace(name, designs.size());
    const DotFormats& f = d.instruction.formats;
    std::string formats = formats_text(f);
    if (f.scale != nullptr) {
      formats += fmt::format(", scaled by {} each {}", f.scale->name, f.scale_block);
    }
    designs.push_back({name, name.substr(0, name.find('/')), formats, f.k, others});
  };
  for (const MatrixDesign& d : matrix.designs) {
    if (matrix.by_name) {
      for (const std::string& name : d.names) add(name, d, {});
    } else {
      add(d.names[0], d, {d.names.begin() + 1, d.names.end()});
    }
  }
  Json inputs = Json::array();
  std::unordered_map<std::string, std::size_t> known;
  Json rows = Json::array();
  for_each_row(matrix, results, [&](const NamedPair& pair, const PairRow* row) {
    if (row == nullptr) return;
    Json cell{number.at(pair.first), number.at(pair.second), kind_of(*row)};
    if (row->verdict == PairVerdict::equal) {
      cell.push_back(row->by + (row->through.empty() ? "" : " through " + row->through));
    } else if (row->verdict == PairVerdict::undecided) {
      cell.push_back(row->how);
    } else {
      const Json witness = to_json(*row, pair_of(pair)).at("witness");
      const auto [entry, fresh] = known.try_emplace(inputs_of(witness), inputs.size());
      if (fresh) inputs.push_back(entry->first);
      cell.push_back(row->ulp);
      cell.push_back(fmt::format("{:.2g}", row->relative));
      cell.push_back(row->unbounded ? 1 : 0);
      cell.push_back(entry->second);
      cell.push_back(witness.at("d"));
      cell.push_back(witness.at("d_other"));
    }
    rows.push_back(std::move(cell));
  });
  return {{"designs", designs}, {"inputs", inputs}, {"rows", rows}};
}

/// JSON inside a script element: none of its strings may end the script.
std::string within_script(std::string text) {
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3)) {
    text.replace(at, 2, "<\\/");
  }
  return text;
}

}  // namespace

std::string html_of(const Matrix& matrix, const MatrixResults& results) {
  MatrixCounts counts;
  for_each_row(matrix, results, [&](const NamedPair&, const PairRow* row) { counts.add(row); });
  return fmt::format(
      "{}<p>{}</p>\n<p>Two designs are equal if their results have the same value for all finite "
      "inputs "
      "that both formats represent. A colour shows the mildest inputs on which a difference was "
      "observed. "
      "<code>mmaspec matrix --help</code></p>\n<p>{}</p>{}<script>\nconst data = "
      "{};\n{}</script>\n</body>\n"
      "</html>\n",
      kHead, to_text(counts), escaped(evidence_summary(evidence_of(matrix))), kBody,
      within_script(data_of(matrix, results).dump()), kMapScript);
}

}  // namespace mmaspec
