// Identify: rows of an unknown unit against all catalogued designs of their formats, or against the plans of kernels around
// some units.
import { EngineError, ask, catalogue, restart } from "./engine.js";
import { copyButton, field, h, message, select, table } from "./dom.js";
import { fragment, operandPairs } from "./link.js";

const keys = ["a", "b", "c", "d"];
const usual = { a: "f16", b: "f16", c: "f32", d: "f32", scale: "ue8m0" };
/** The name for rows that name no unit. */
const unnamed = "oracle";
const operandKeys = new Set([...keys, "sa", "sb"]);
const longestInLink = 30000;
/** Time limit of the search for plans. */
const mostSeconds = 120;
/** Largest number of products of a row that the page Compare shows. */
const mostCompared = 512;

const example = `{"instr":"oracle","a":"3c00 bc00 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 1c00","b":"7800 7800 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 3000","c":"00000000","d":"00000000"}
{"instr":"oracle","a":"3c00 3c00 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000","b":"3c00 0001 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000","c":"00000000","d":"3f800000"}
`;

/** The fields of a CSV record: separated by commas, possibly in quotes. */
function cells(line) {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,;\t]*)(?:[,;\t]|$)/g)].map((m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"').trim()).slice(0, -1);
}

/** A row as a line of the vector format: lists as texts, bit patterns without their 0x. */
function lineOf(row) {
  if (row === null || typeof row !== "object") throw new EngineError("One of the rows is not a JSON object.");
  const bare = (value) => (Array.isArray(value) ? value.join(" ") : value);
  const kept = Object.entries(row).map(([key, value]) => [key, operandKeys.has(key) && typeof bare(value) === "string" ? bare(value).replace(/\b0x/gi, "") : value]);
  return JSON.stringify({ instr: unnamed, ...Object.fromEntries(kept) });
}

/** Pasted text as lines of the vector format. Throws EngineError. */
function rowsOf(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  if (!lines.length) throw new EngineError("Enter at least one row.");
  if (lines[0].startsWith("[")) {
    let all;
    try { all = JSON.parse(text); } catch { throw new EngineError("The text begins with [ but is not a JSON array."); }
    if (!all.length) throw new EngineError("The array has no rows.");
    return all.map(lineOf);
  }
  if (lines[0].startsWith("{")) {
    const rows = lines.map((line, i) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new EngineError(`Line ${i + 1} is not a JSON object.`);
      }
    });
    // A record of a device's results starts with a line about the device.
    return rows.filter((row) => !(row?.device && !row.instr)).map(lineOf);
  }
  const head = cells(lines[0]).map((cell) => cell.toLowerCase());
  const hasHead = head.includes("a") && head.includes("d");
  const columns = hasHead ? head : ["a", "b", "c", "d", "sa", "sb"];
  return lines.slice(hasHead ? 1 : 0).map((line, i) => {
    const values = cells(line);
    if (values.length < 4) throw new EngineError(`Row ${i + 1} has ${values.length} fields; expected a, b, c and d, where the numbers of a and of b are separated by spaces.`);
    return lineOf(Object.fromEntries(columns.map((column, at) => [column, values[at]]).filter(([, cell]) => cell)));
  });
}

export class IdentifyPage {
  constructor(values, navigate) {
    this.navigate = navigate;
    this.text = values.get("rows") ?? "";
    this.formats = { ...usual };
    for (const key of Object.keys(usual)) if (values.has(key)) this.formats[key] = values.get(key);
    this.units = h("input", { type: "text", value: values.get("units") ?? "h100", spellcheck: "false", oninput: () => this.write() });
    this.area = h("textarea", { rows: "8", wrap: "off", spellcheck: "false", id: "rows" });
    this.area.value = this.text;
    this.area.addEventListener("input", () => { this.text = this.area.value; this.write(); });
    this.fields = h("div", { class: "fields" });
    this.tooLong = h("div", {});
    this.result = h("div", { "aria-live": "polite" });
    const file = h("input", { type: "file", accept: ".jsonl,.csv,.json,.txt", onchange: async () => {
      if (file.files[0]) { this.area.value = this.text = await file.files[0].text(); this.write(); }
    } });
    this.element = h("div", { class: "page" }, h("h1", {}, "Identify"),
      h("p", { class: "lead" }, "Find the catalogued designs that explain these results, what the rows leave undecided, and inputs that would decide it."),
      h("section", { "aria-label": "rows" },
        field("rows of inputs and results", this.area, "JSON Lines as mmaspec has them, {\"a\": \"3c00 \u2026\", \"b\": \u2026, \"c\": \u2026, \"d\": \u2026}, or CSV with columns a, b, c, d; bit patterns in hexadecimal, with spaces between the numbers of a and b."),
        this.tooLong,
        this.fields,
        h("div", { class: "toolbar" },
          h("button", { type: "button", class: "main", onclick: () => this.identify() }, "Which designs fit?"),
          h("button", { type: "button", onclick: () => this.explain() }, "Which plans fit?"),
          h("button", { type: "button", class: "quiet", onclick: () => { this.area.value = this.text = example; this.write(); this.identify(); } }, "An example"),
          field("or a file", file)),
        field("units that may have computed the results", this.units, "For plans (kernels that split K or promote sums): products or architectures (h100, mi300x), instructions, designs or whole plans, separated by spaces. Rows may have any K.")),
      h("section", { "aria-label": "answer" }, this.result));
  }

  async start() {
    // Rows in the link are evaluated at once; rows that the user enters are not.
    const isLinked = this.text !== "";
    await this.showFormats();
    this.write();
    if (isLinked && !this.running) await this.identify();
  }

  async showFormats() {
    const known = await catalogue();
    const names = Object.keys(known.formats).map((name) => [name]);
    this.fields.replaceChildren(...[...keys, "scale"].map((key) => {
      const options = known.formats[this.formats[key]] ? names : [[this.formats[key], `${this.formats[key].slice(0, 40)} (unknown)`], ...names];
      return field(key === "scale" ? "scale factors (if the format has them)" : `format of ${key}`, select(options, this.formats[key], (chosen) => { this.formats[key] = chosen; this.write(); }));
    }));
  }

  /** Rows that name a unit determine their formats. */
  async takeFormats(rows) {
    const { instr } = JSON.parse(rows[0]);
    if (typeof instr !== "string" || instr === unnamed) return;
    try {
      const { formats } = await ask("describe", { name: instr });
      for (const key of Object.keys(usual)) if (formats[key]) this.formats[key] = formats[key];
      await this.showFormats();
      this.write();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;  // a name of the user's own
    }
  }

  write() {
    const pairs = Object.entries(this.formats).filter(([key, value]) => value !== usual[key]);
    const fits = this.text.length <= longestInLink;
    if (this.units.value !== "h100") pairs.push(["units", this.units.value]);
    this.navigate(fragment("identify", [...pairs, ["rows", fits ? this.text : ""]]));
    this.tooLong.replaceChildren(...(fits ? [] : [message(`These rows are too long for a link (${this.text.length.toLocaleString("en")} characters; at most ${longestInLink.toLocaleString("en")}): this page's address contains only the formats.`, "note")]));
  }

  /** Ends the engine's work for this page: many rows take long. */
  stop() {
    if (this.running) restart();
    this.running = null;
  }

  identify() { return this.answered("Trying all designs\u2026", "identify", {}, (reply) => this.answer(reply)); }

  explain() {
    const units = this.units.value.split(/\s+/).filter(Boolean);
    return this.answered("Searching the plans\u2026", "explain", { units, seconds: mostSeconds }, (reply) => this.plans(reply));
  }

  /** Asks the engine about the rows, and shows its reply by `answer`. */
  async answered(meanwhile, name, request, answer) {
    this.stop();
    const own = {};
    this.running = own;
    const show = (...content) => { if (this.running === own) this.result.replaceChildren(...content); };
    try {
      const rows = rowsOf(this.area.value);
      await this.takeFormats(rows);
      if (this.running !== own) return;
      show(h("div", { class: "toolbar" }, message(meanwhile, "note"), h("button", { type: "button", onclick: () => { show(); this.stop(); } }, "Stop")));
      const reply = await ask(name, { ...request, formats: this.formats, rows });
      show(...answer(reply));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      show(message(error.message));
    }
    if (this.running === own) this.running = null;
  }

  plans(reply) {
    const count = reply.plans.length;
    const rows = `all ${reply.rows} row${reply.rows === 1 ? "" : "s"}`;
    const heading = { explained: `One plan fits ${rows}`, several: `${count} plans fit ${rows}`, "none fits": "No plan of the space fits all rows", "out of time": "The time limit was reached before all plans were tried" }[reply.verdict];
    const name = (plan) => (reply.k <= mostCompared ? h("a", { href: fragment("compare", [["u", plan], ...operandPairs(reply.first)]) }, h("code", {}, plan)) : h("code", {}, plan));
    const parts = [h("h2", {}, heading)];
    if (count) parts.push(h("ul", {}, reply.plans.map((p) => h("li", {}, name(p.plan), p.equal_to.length ? h("details", {}, h("summary", {}, `equal for all inputs: ${p.equal_to.length} other name${p.equal_to.length === 1 ? "" : "s"}`), h("ul", {}, p.equal_to.map((other) => h("li", {}, h("code", {}, other))))) : null))));
    if (reply.unchecked) parts.push(message(`${reply.unchecked.toLocaleString("en")} other plans fit the rows on which they were tried.`, "note"));
    if (count > 1 || reply.unchecked) parts.push(message("These rows do not distinguish the plans. Add rows, or use mmaspec explain with --suggest, which writes small matrices that do.", "note"));
    if (reply.nearest) parts.push(h("p", {}, "The nearest plan, ", name(reply.nearest.plan), `, reproduces ${reply.nearest.matched} of ${reply.nearest.checked} rows.`));
    parts.push(message(`${reply.searched.toLocaleString("en")} plans were tried. This is evidence of what ran, not a proof.`, "note"));
    return parts;
  }

  answer(reply) {
    const fitting = reply.candidates.filter((c) => c.agree === reply.rows);
    const others = reply.candidates.filter((c) => c.agree < reply.rows);
    const parts = [h("h2", {}, fitting.length ? `${fitting.length} design${fitting.length === 1 ? " fits" : "s fit"} all ${reply.rows} row${reply.rows === 1 ? "" : "s"}` : "No catalogued design fits all rows")];
    if (!reply.candidates.length) parts.push(message("The catalogue has no unit of these formats whose K divides the rows' K.", "note"));
    if (!fitting.length && reply.candidates.length) parts.push(message("If no catalogued unit fits, mmaspec identify searches designs with all parameters.", "note"));
    if (fitting.length) parts.push(h("ul", {}, fitting.map((c) => h("li", {}, c.names.map((n, i) => [i ? ", " : "", h("a", { href: fragment("ask", [["u", n]]) }, n)]).flat()))));
    if (reply.open) {
      const open = reply.open.map((o) => `${o.algorithm}${Object.keys(o.parameters).length ? ` with ${Object.entries(o.parameters).map(([k, v]) => `${k} = ${v.join(" or ")}`).join(", ")}` : ""}`);
      parts.push(h("h2", {}, "What remains undecided"), h("ul", {}, open.map((text) => h("li", {}, text))));
      parts.push(h("h2", {}, "Inputs to run next"));
      if (!reply.next.length) parts.push(message(`None of ${reply.drawn.toLocaleString("en")} inputs distinguishes them.`, "note"));
      reply.next.forEach((next, i) => parts.push(this.next(next, i)));
    }
    if (others.length) {
      parts.push(h("details", {}, h("summary", {}, `${others.length} designs that do not fit, and why`),
        h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "designs that do not fit" }, table("designs that do not fit", ["design", "rows that agree", "the first row that does not agree", "given", "its result"], others.map((c) => h("tr", {},
          h("td", {}, c.names.join(", ")), h("td", {}, String(c.agree)),
          h("td", {}, h("a", { href: fragment("compare", [["u", c.names[0]], ...operandPairs(c.row)]) }, `row ${c.first_apart}`)),
          h("td", {}, h("code", {}, c.given.bits)), h("td", {}, h("code", {}, c.its.bits))))))));
    }
    return parts;
  }

  next(next, i) {
    const digits = (list) => list.map((x) => x.slice(2)).join(" ");
    const line = JSON.stringify({ instr: unnamed, a: digits(next.a), b: digits(next.b), c: next.c.slice(2), ...(next.sa ? { sa: digits(next.sa), sb: digits(next.sb) } : {}) });
    const answers = new Map();
    for (const { names, d } of next.answers) answers.set(d.bits, [...(answers.get(d.bits) ?? []), ...names]);
    return h("div", { class: "next" }, h("pre", { tabindex: "0", role: "region", "aria-label": `input ${i + 1}` }, line), copyButton("Copy", () => line),
      h("ul", {}, [...answers].map(([bits, names]) => h("li", {}, h("code", {}, bits), ` says ${names.join(", ")}`))));
  }
}
