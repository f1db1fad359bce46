// Map: results for all designs: properties, differences, contradictions between published models.
import { EngineError, catalogue, load } from "./engine.js";
import { verdictText } from "./ask.js";
import { field, h, message, select, table } from "./dom.js";
import { fragment, operandPairs, operandsOfLine } from "./link.js";
import { suitesView } from "./suites.js";

const marks = { proved: "\u2713", refuted: "\u2717", undecided: "?", "not applicable": "\u2013" };
/** For a property with a number: whether there is a bound. */
const markOf = (cell) => (cell.proved ? "\u2264" : cell.refuted ? ">" : marks[cell.verdict] ?? "?");
const differenceMarks = { equal: "=", differ: "\u2260", undecided: "?" };
const views = [["properties", "Properties"], ["differences", "Differences"], ["contradictions", "Contradictions"], ["suites", "Suites"]];

const holds = (text, filter) => filter.toLowerCase().split(/\s+/).filter(Boolean).every((part) => text.toLowerCase().includes(part));

/** Pairs by the formats of the first unit: units in the catalogue's order, and pairs by their indices. */
function byFormats(pairs, instructions) {
  const formats = new Map(instructions.map((i) => [i.name, `${i.a} ${i.b} ${i.c} ${i.d}`]));
  const groups = {};
  for (const [first, second, verdict, by, operands, k] of pairs) {
    const key = `${formats.get(first.split("@")[0]) ?? "others"}, K = ${k}`;
    groups[key] ??= { units: [], places: new Map(), pairs: [] };
    const group = groups[key];
    const place = (name) => {
      if (!group.places.has(name)) {
        group.places.set(name, group.units.length);
        group.units.push(name);
      }
      return group.places.get(name);
    };
    group.pairs.push([place(first), place(second), verdict, by, operands, k]);
  }
  return groups;
}

/** A cell without a result in the table: the question is open. */
function unknownCell(href, label) {
  return h("td", { class: "cell" }, h("a", { href, title: label, "aria-label": label }, "\u00b7"));
}

/** The two units of a row of contradictions. */
const unitsOf = (row) => (row.models?.length === 2 ? row.models : row.diff.slice(0, 2));

export class MapPage {
  constructor(values, navigate) {
    this.navigate = navigate;
    this.view = values.get("view") ?? "properties";
    this.filter = values.get("filter") ?? "";
    this.verdict = values.get("verdict") ?? "";
    this.group = values.get("group") ?? "";
    this.body = h("div", { "aria-live": "polite" });
    this.controls = h("div", { class: "fields" });
    this.tabs = h("ul", { class: "tabs", "aria-label": "views" });
    this.element = h("div", { class: "page wide-page" }, h("h1", {}, "Map"),
      h("p", { class: "lead" }, "All results about the catalogued designs. Each cell is a link to a question with its answer."),
      this.tabs, this.controls, this.body);
  }

  async start() { await this.show(); }

  link(changes = {}) {
    const now = { view: this.view, filter: this.filter, verdict: this.verdict, group: this.group, ...changes };
    return fragment("map", Object.entries(now));
  }

  async show() {
    this.navigate(this.link());
    this.tabs.replaceChildren(...views.map(([name, text]) => h("li", {}, h("a", { href: fragment("map", [["view", name]]), "aria-current": name === this.view ? "true" : null }, text))));
    const view = { properties: () => this.properties(), differences: () => this.differences(), contradictions: () => this.contradictions(), suites: () => this.suites() }[this.view];
    if (!view) {
      this.body.replaceChildren(message(`Unknown view ${this.view.slice(0, 60)}; choose one above.`));
      return;
    }
    try {
      await view();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.body.replaceChildren(message(error.message));
    }
  }

  filterField(label, hint, redraw) {
    const input = h("input", { type: "search", value: this.filter, autocomplete: "off", name: "filter" });
    input.addEventListener("input", () => { this.filter = input.value; this.navigate(this.link()); redraw(); });
    return field(label, input, hint);
  }

  chooser(key, label, options, redraw) {
    return field(label, select([["", "all"], ...options], options.some(([value]) => value === this[key]) ? this[key] : "", (chosen) => {
      this[key] = chosen;
      this.navigate(this.link());
      redraw();
    }));
  }

  async properties() {
    const [{ rows }, known] = [await load("properties"), await catalogue()];
    const names = {};
    for (const { design, name } of known.instructions) (names[design] ??= []).push(name);
    const designs = new Map();
    for (const row of rows) {
      if (!designs.has(row.design)) designs.set(row.design, { instr: row.instr, cells: new Map() });
      designs.get(row.design).cells.set(row.property, row);
    }
    const columns = known.properties.map((p) => p.name).filter((name) => rows.some((r) => r.property === name));
    const redraw = () => {
      const kept = [...designs].filter(([design, { cells, instr }]) =>
        holds(`${instr} ${design} ${(names[design] ?? []).join(" ")}`, this.filter) &&
        (!this.group || cells.has(this.group)) &&
        (!this.verdict || [...cells.values()].some((r) => r.verdict === this.verdict && (!this.group || r.property === this.group))));
      const shown = this.group ? columns.filter((c) => c === this.group) : columns;
      this.body.replaceChildren(h("p", { class: "hint" }, `${kept.length} of ${designs.size} designs. \u2713 proved, \u2717 refuted, ? undecided, \u2013 not applicable, \u2264 proved for this bound, > refuted for this bound, \u00b7 not asked.`),
        kept.length ? this.propertyTable(kept, shown, names) : message("No design fits the filter.", "note"));
    };
    this.controls.replaceChildren(this.filterField("filter", "words of a name or its parameters, such as hopper f16", redraw),
      this.chooser("group", "property", columns.map((c) => [c]), redraw),
      this.chooser("verdict", "verdict", Object.keys(marks).map((v) => [v]), redraw));
    redraw();
  }

  propertyTable(designs, columns, names) {
    const rows = designs.map(([design, { instr, cells }]) => {
      const others = (names[design]?.length ?? 1) - 1;
      return h("tr", {}, h("th", { scope: "row", class: "name" }, h("a", { href: fragment("ask", [["u", instr]]) }, instr), others > 0 ? ` +${others}` : ""),
        columns.map((column) => {
          const cell = cells.get(column);
          const href = fragment("ask", [["property", column], ["u", instr]]);
          if (!cell) return unknownCell(href, `${column} of ${instr}: not in the table`);
          const text = verdictText(cell);
          return h("td", { class: `cell ${cell.verdict.replaceAll(" ", "-")}` },
            h("a", { href, title: `${column}: ${text}`, "aria-label": `${column} of ${instr}: ${text}` }, markOf(cell)));
        }));
    });
    return h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "table of properties" },
      table("properties of designs", ["design", ...columns.map((c) => h("span", { class: "turned" }, c))], rows, { class: "map" }));
  }

  async differences() {
    const [{ pairs }, known] = [await load("differences"), await catalogue()];
    if (!pairs.length) {
      this.controls.replaceChildren();
      this.body.replaceChildren(message("This page was built without a matrix of differences; mmaspec matrix computes one. The page Compare compares two units.", "note"));
      return;
    }
    const groups = byFormats(pairs, known.instructions);
    const names = Object.keys(groups);
    const usual = "f16 f16 f32 f32, K = 16";
    if (!names.includes(this.group)) this.group = names.includes(usual) ? usual : names[0];
    const redraw = () => this.differenceTable(groups[this.group] ?? groups[names[0]]);
    this.controls.replaceChildren(field("formats a b c d", select(names.map((n) => [n]), this.group, (chosen) => {
      this.group = chosen;
      this.navigate(this.link());
      redraw();
    })), this.filterField("filter", "words of names", redraw));
    this.navigate(this.link());
    redraw();
  }

  differenceTable({ units, pairs }) {
    const kept = units.map((_, i) => i).filter((i) => holds(units[i], this.filter));
    if (!kept.length) {
      this.body.replaceChildren(message("No unit fits the filter.", "note"));
      return;
    }
    const of = new Map(pairs.map((p) => [`${p[0]} ${p[1]}`, p]));
    const rows = kept.map((i) => h("tr", {}, h("th", { scope: "row", class: "name" }, units[i]), kept.map((j) => {
      if (i === j) return h("td", { class: "cell self" }, "");
      const pair = of.get(`${i} ${j}`) ?? of.get(`${j} ${i}`);
      if (!pair) return unknownCell(fragment("compare", [["u", units[i]], ["u", units[j]]]), `${units[i]} and ${units[j]}: not in the table`);
      const [first, second, verdict, by, witness, k] = pair;
      const href = fragment("compare", [["u", units[first]], ["u", units[second]], ...(witness ? operandPairs(operandsOfLine(witness)) : []), ["chain", k]]);
      return h("td", { class: `cell ${verdict}` }, h("a", { href, title: `${verdict}${by ? `, by ${by}` : ""}`, "aria-label": `${units[first]} and ${units[second]}: ${verdict}` }, differenceMarks[verdict] ?? "?"));
    })));
    this.body.replaceChildren(h("p", { class: "hint" }, "= proved equal, \u2260 an input distinguishes them, ? undecided, \u00b7 not in the table."),
      h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "matrix of differences" },
        table("differences of units", ["unit", ...kept.map((i) => h("span", { class: "turned" }, units[i]))], rows, { class: "map" })));
  }

  async contradictions() {
    const { rows } = await load("contradictions");
    const sections = [...new Set(rows.map((r) => r.section))];
    const redraw = () => {
      const kept = rows.filter((r) => holds([r.section, r.label ?? "", ...r.diff, ...(r.pairs ?? []).flat()].join(" "), this.filter) && (!this.group || r.section === this.group));
      this.body.replaceChildren(h("p", { class: "hint" }, `${kept.length} of ${rows.length}: published models side by side. If they disagree, a small input shows it.`),
        kept.length ? h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "contradictions" }, table("contradictions", ["about", "models", "results", "recorded hardware"],
          kept.map((r) => this.contradiction(r)), { class: "wrapped" })) : message("No row fits the filter.", "note"));
    };
    this.controls.replaceChildren(this.filterField("filter", "words of names", redraw), this.chooser("group", "about", sections.map((s) => [s]), redraw));
    redraw();
  }

  contradiction(r) {
    const row = r.witness?.a !== undefined ? operandsOfLine(r.witness) : null;
    const units = unitsOf(r);
    const recorded = r.hardware?.rows ? `${r.hardware.rows} rows: correct on ${r.hardware.first} and ${r.hardware.second}` : "none";
    const others = (r.pairs?.length ?? 1) - 1;
    const href = fragment("compare", [["u", units[0]], ["u", units[1]], ...operandPairs(row)]);
    const linked = (...content) => h("td", {}, h("a", { href }, ...content));
    return h("tr", {}, h("td", {}, h("a", { href: fragment("map", [["view", "contradictions"], ["group", r.section]]) }, r.section)),
      linked(`${r.label ? `${r.label}: ` : ""}${units[0]} and ${units[1]}${others > 0 ? ` +${others}` : ""}`),
      row ? linked(h("code", {}, r.d), " ", h("code", {}, r.d_other))
        : linked(h("span", { class: `verdict ${r.verdict}` }, r.verdict === "proved" ? "proved equal" : r.verdict)),
      linked(recorded));
  }

  async suites() {
    this.controls.replaceChildren();
    this.body.replaceChildren(...(await suitesView(this.group)));
  }
}
