// The results of `explore` as one HTML file: a plot of the designs, and their table. It does not
// load other resources.

#include <fmt/format.h>

#include "report/picture/svg.h"
#include "report/tables/explore_text.h"

namespace mmaspec {
namespace {

constexpr const char* kExploreStyle = R"css(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --soft: #5a6470; --line: #d5dae0;
  --head: #f3f5f7; --proved: #16803c; --refuted: #c5301f; --undecided: #a07400; --focus: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e4e8ec; --soft: #9ba6b2;
  --line: #353c45; --head: #1f242a; --proved: #58c47a; --refuted: #ff8572; --undecided: #e3bb4d;
  --focus: #7ab3ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .86rem; }
form { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: .8rem 0; }
label { display: flex; gap: .4rem; align-items: center; }
select, input { font: inherit; color: inherit; background: var(--page); }
svg { width: 100%; height: auto; border: 1px solid var(--line); }
svg text { fill: var(--soft); font-size: 12px; }
svg .grid { stroke: var(--line); }
svg .front { stroke: var(--proved); fill: none; stroke-dasharray: 4 3; }
.dot { stroke: var(--page); cursor: pointer; }
.dot.proved { fill: var(--proved); } .dot.refuted { fill: var(--refuted); }
.dot.undecided { fill: var(--undecided); }
.dot.chosen, .dot:focus-visible { stroke: var(--focus); stroke-width: 4; outline: none; }
.frame { overflow-x: auto; margin-top: .8rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: right; }
th { background: var(--head); }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 3px solid var(--focus); }
td:first-child, th:first-child { text-align: left; }
tr.chosen td { box-shadow: inset 0 0 0 2px var(--focus); }
.proved { color: var(--proved); } .refuted { color: var(--refuted); }
.undecided { color: var(--undecided); }
)css";

constexpr const char* kExploreScript = R"js(
const data = JSON.parse(document.getElementById("data").textContent);
const designs = data.designs.map((d, index) => ({ ...d, index, bound: d.bound === null ? null : amount(d.bound),
  shown: Object.entries(d.parameters).map(([k, v]) => k + "=" + v).join(" ") || d.design }));
const names = { nodes: "AIG nodes", depth: "AIG depth", cells: "cells", area: "area", delay: "delay",
  bound: data.bound, mismatches: "mismatches" };
const columns = Object.keys(names).filter((c) => designs.some((d) => d[c] !== undefined && d[c] !== null));
const byId = (id) => document.getElementById(id);
let order = "nodes", down = false, chosen = null;

function amount(text) {
  const [numerator, denominator] = text.split("/");
  return Number(numerator) / Number(denominator ?? 1);
}
function option(select, value, text) {
  const o = document.createElement("option");
  o.value = value; o.textContent = text; select.append(o);
}
for (const axis of ["x", "y"]) for (const c of columns) option(byId(axis), c, names[c]);
byId("x").value = columns.includes("area") ? "area" : columns[0];
byId("y").value = columns.includes("bound") ? "bound" : columns.at(-1);
const parameters = new Map();
for (const d of designs) for (const [k, v] of Object.entries(d.parameters)) {
  if (!parameters.has(k)) parameters.set(k, new Set());
  parameters.get(k).add(v);
}
for (const [key, values] of parameters) {
  const label = document.createElement("label"), select = document.createElement("select");
  select.dataset.key = key;
  option(select, "", "any");
  for (const v of values) option(select, v, v);
  label.append(key, select);
  byId("controls").append(label);
}
function selected() {
  const wanted = [...document.querySelectorAll("select[data-key]")].filter((s) => s.value !== "");
  return designs.filter((d) => (!byId("only-front").checked || d.front) &&
    (byId("all").checked || d.verdict === "proved") &&
    wanted.every((s) => d.parameters[s.dataset.key] === s.value));
}
function element(name, attributes, parent, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
}
function scale(values, low, high, isLog) {
  const f = isLog ? Math.log2 : (v) => v;
  const least = Math.min(...values), most = Math.max(...values);
  const from = f(least), span = f(most) - from || 1;
  const ticks = [];
  for (let i = 0; i <= 4; ++i) ticks.push(isLog ? 2 ** (from + span * i / 4) : from + span * i / 4);
  return { at: (v) => low + (f(v) - from) / span * (high - low), ticks };
}
function brief(v) { return v >= 100 ? Math.round(v).toLocaleString("en") : String(Number(v.toPrecision(3))); }
function draw() {
  const svg = byId("plot");
  svg.replaceChildren();
  const x = byId("x").value, y = byId("y").value;
  const has = (d, c) => d[c] !== undefined && d[c] !== null;
  const shown = selected().filter((d) => has(d, x) && has(d, y));
  if (shown.length === 0) { element("text", { x: 20, y: 30 }, svg, "no such design"); return; }
  const xs = shown.map((d) => d[x]), ys = shown.map((d) => d[y]);
  const wide = (v) => Math.min(...v) > 0 && Math.max(...v) > 30 * Math.min(...v);
  const sx = scale(xs, 80, 880, wide(xs)), sy = scale(ys, 380, 30, wide(ys));
  for (const t of sx.ticks) {
    element("line", { class: "grid", x1: sx.at(t), x2: sx.at(t), y1: 20, y2: 390 }, svg);
    element("text", { x: sx.at(t), y: 408, "text-anchor": "middle" }, svg, brief(t));
  }
  for (const t of sy.ticks) {
    element("line", { class: "grid", x1: 70, x2: 890, y1: sy.at(t), y2: sy.at(t) }, svg);
    element("text", { x: 64, y: sy.at(t) + 4, "text-anchor": "end" }, svg, brief(t));
  }
  element("text", { x: 480, y: 432, "text-anchor": "middle" }, svg, names[x]);
  element("text", { x: 16, y: 205, "text-anchor": "middle", transform: "rotate(-90 16 205)" }, svg, names[y]);
  const front = shown.filter((d) => d.front).sort((p, q) => p[x] - q[x] || q[y] - p[y]);
  element("polyline", { class: "front", points: front.map((d) => sx.at(d[x]) + "," + sy.at(d[y])).join(" ") }, svg);
  for (const d of shown) {
    const dot = element("circle", { class: "dot " + d.verdict + (d.index === chosen ? " chosen" : ""), cx: sx.at(d[x]),
      cy: sy.at(d[y]), r: d.front ? 7 : 4.5, tabindex: 0, role: "button",
      "aria-label": d.shown + ", " + d.verdict }, svg);
    element("title", {}, dot, d.shown + "\n" + d.verdict + "\n" + columns.filter((c) => has(d, c))
      .map((c) => names[c] + ": " + brief(d[c])).join("\n"));
    const choose = () => { chosen = d.index; draw(); table(); };
    dot.addEventListener("click", choose);
    dot.addEventListener("keydown", (e) => { if (e.key === "Enter") choose(); });
  }
  const one = designs.find((d) => d.index === chosen);
  byId("chosen").textContent = one ? one.design + ": " + Object.entries(one.requirements)
    .map(([k, v]) => k + " " + v).join(", ") : "";
}
function table() {
  const head = byId("head"), body = byId("body");
  head.replaceChildren(); body.replaceChildren();
  for (const c of ["shown", "verdict", ...columns]) {
    const th = document.createElement("th"), button = document.createElement("button");
    button.textContent = (names[c] ?? (c === "shown" ? "design" : c)) + (order === c ? (down ? " \u2193" : " \u2191") : "");
    button.addEventListener("click", () => { down = order === c && !down; order = c; table(); });
    th.append(button); head.append(th);
  }
  const key = (d) => d[order] ?? Infinity;
  const rows = selected().sort((p, q) => (key(p) < key(q) ? -1 : key(p) > key(q) ? 1 : 0) * (down ? -1 : 1));
  for (const d of rows) {
    const tr = document.createElement("tr");
    if (d.index === chosen) tr.className = "chosen";
    for (const c of ["shown", "verdict", ...columns]) {
      const td = document.createElement("td");
      td.textContent = typeof d[c] === "number" ? brief(d[c]) : d[c] ?? "";
      if (c === "verdict") td.className = d.verdict;
      tr.append(td);
    }
    tr.addEventListener("click", () => { chosen = d.index; draw(); table(); });
    body.append(tr);
  }
}
byId("controls").addEventListener("change", () => { draw(); table(); });
byId("controls").addEventListener("submit", (e) => e.preventDefault());
draw(); table();
)js";

/// JSON as the content of a script element: it must not contain an end tag.
std::string script_data(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

}  // namespace

std::string html_of(const Explored& explored) {
  std::string required;
  for (const Requirement& r : explored.requirements) {
    required += fmt::format("{}<code>{}</code>", required.empty() ? "" : ", ", escaped(r.text));
  }
  const Exploration& e = explored.exploration;
  const std::string cheapest =
      e.cheapest ? fmt::format("The cheapest design: <code>{}</code>{}",
                               escaped(e.designs[*e.cheapest].design.name()),
                               e.is_proved_cheapest ? ". Every design that costs less is refuted."
                                                    : ". Undecided designs may cost less.")
                 : std::string("No design is proved to have the required properties.");
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>mmaspec explore</title><style>{}</style></head>\n"
      "<body><h1>Designs and what they cost</h1>\n<p><code>{}</code></p>\n<p>{}</p>\n<p>{}</p>\n"
      "<form id=\"controls\"><label>x <select id=\"x\"></select></label><label>y <select "
      "id=\"y\"></select></label><label><input type=\"checkbox\" id=\"only-front\"> Pareto front "
      "only</label><label><input type=\"checkbox\" id=\"all\" checked> refuted and undecided "
      "designs too</label></form>\n"
      "<svg id=\"plot\" viewBox=\"0 0 900 440\" role=\"group\" aria-label=\"designs by "
      "cost\"></svg>\n"
      "<p id=\"chosen\" aria-live=\"polite\"></p>\n<div class=\"frame\"><table><thead><tr "
      "id=\"head\"></tr></thead><tbody id=\"body\"></tbody></table></div>\n<noscript>The plot and "
      "the table need JavaScript; <code>--csv</code> writes the same numbers.</noscript>\n"
      "<script type=\"application/json\" "
      "id=\"data\">{}</script><script>{}</script></body></html>\n",
      kExploreStyle, escaped(explored.pattern),
      required.empty() ? "No property is required." : "Required: " + required, cheapest,
      script_data(json_of(explored)), kExploreScript);
}

}  // namespace mmaspec
