// Ask: properties of a design, with the result in the committed table and a search for a refutation.
import { EngineError, ask, catalogue, checkFields, load, search } from "./engine.js";
import { proveCommand, provePython } from "./commands.js";
import { afterPause, copyButton, field, h, message, select, table } from "./dom.js";
import { fragment, operandPairs, operandsOf, operandsOfLine } from "./link.js";
import { traceTable } from "./traces.js";
import { unitField } from "./unit.js";

const mostSeconds = 60;

/** A verdict in a few words. */
export function verdictText(row) {
  if (row.property && (row.proved || row.refuted)) {
    if (row.proved && row.refuted) return `proved for ${row.proved}, refuted for ${row.refuted}`;
    return row.proved ? `proved for ${row.proved}` : `refuted for ${row.refuted}`;
  }
  return row.verdict;
}

export class AskPage {
  constructor(values, navigate) {
    this.navigate = navigate;
    this.names = values.getAll("u");
    if (!this.names.length) this.names = ["hopper/mma.m16n8k16.f32.f16.f16.f32"];
    this.property = values.get("property") ?? "monotone-product";
    this.bound = values.get("bound") ?? "";
    this.within = values.get("within") ?? "";
    this.where = values.getAll("where");
    this.row = values.has("a") || values.has("c") ? operandsOf(values) : null;
    this.extras = Object.fromEntries(values.getAll("x").map((x) => {
      const at = x.lastIndexOf(":");
      return [x.slice(0, at), x.slice(at + 1)];
    }));
    this.seed = 0;
    this.round = 0;
    this.later = afterPause(200, () => this.look());
    this.form = h("div", {});
    this.wrong = h("div", {});
    this.committed = h("div", { "aria-live": "polite" });
    this.status = h("div", { class: "status", role: "status" });
    this.witness = h("div", {});
    this.commands = h("div", {});
    this.find = h("button", { type: "button", class: "main", onclick: () => (this.running ? this.running.abort() : this.search()) }, "Search for a violation");
    this.element = h("div", { class: "page" },
      h("h1", {}, "Ask"),
      h("p", { class: "lead" }, "What is proved or refuted about a design for all inputs. You can also search for an input that violates a property."),
      h("section", { "aria-label": "question" }, this.form, this.wrong),
      h("section", { "aria-label": "committed verdict" }, h("h2", {}, "Result in the table of properties"), this.committed),
      h("section", { "aria-label": "search" }, h("h2", {}, "Search in this page"),
        h("p", { class: "hint" }, "This page has no solver: a search can refute a property, but not prove it."),
        h("div", { class: "toolbar" }, this.find), this.status, this.witness),
      h("section", { "aria-label": "the same question elsewhere" }, h("h2", {}, "The same question elsewhere"), this.commands));
  }

  stop() { this.running?.abort(); }

  async start() {
    this.known = await catalogue();
    this.showForm();
    await this.look();
    if (this.row) await this.check();
  }

  get about() { return this.known.properties.find((p) => p.name === this.property); }

  /** The question changed: an input found before belongs to another question. */
  changed() {
    this.row = null;
    this.extras = {};
    this.witness.replaceChildren();
    this.status.replaceChildren();
    this.later();
  }

  showForm() {
    const { about } = this;
    const options = this.known.properties.map((p) => [p.name]);
    if (!about) options.unshift([this.property, `${this.property.slice(0, 60)} (unknown)`]);
    const choose = select(options, this.property, (chosen) => { this.property = chosen; this.showForm(); this.changed(); });
    const count = about?.of_two ? 2 : 1;
    while (this.names.length < count) this.names.push("");
    this.fields = this.names.slice(0, count).map((name, i) => unitField(count === 1 ? "unit" : `unit ${i + 1}`, name, (next) => {
      this.names[i] = next;
      this.changed();
    }));
    const text = (key, label, hint) => {
      const input = h("input", { type: "text", value: key === "where" ? this.where.join(" && ") : this[key], autocomplete: "off", spellcheck: "false", name: key });
      input.addEventListener("input", () => {
        const value = input.value.trim();
        this[key] = key === "where" ? (value ? [value] : []) : value;
        this.changed();
      });
      return field(label, input, hint);
    };
    this.form.replaceChildren(...this.fields.map((f) => f.element), h("div", { class: "fields" },
      field("property", choose, about ? `${about.summary} (${about.source})` : ""),
      about?.has_number ? text("bound", "bound", "the bound X of the property") : null,
      this.property === "permutation-invariant" ? text("within", "within", "only permutations inside blocks of this many products; empty: all") : null,
      h("div", { class: "field wide" }, text("where", "where", "precondition, such as exponent(a[*]) <= 3; empty: all inputs"))));
  }

  askedNames() { return this.names.slice(0, this.about?.of_two ? 2 : 1); }

  asked() {
    return { property: this.property, names: this.askedNames(), bound: this.bound, within: this.within, where: this.where, seed: this.seed };
  }

  async look() {
    this.round += 1;
    const round = this.round;
    this.showElsewhere();
    await checkFields(this.asked(), this.wrong);
    try {
      const described = await ask("describe", { name: this.names[0] });
      const known = await load("properties");
      if (round !== this.round) return;
      this.fields[0].error.replaceChildren();
      const rows = known.rows.filter((r) => r.design === described.signature);
      await this.showCommitted(rows, described);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (round === this.round) this.committed.replaceChildren(message(error.message));
    }
  }

  async showCommitted(rows, described) {
    if (!this.about) {
      const names = this.known.properties.map((p) => p.name).join(", ");
      this.committed.replaceChildren(message(`Unknown property ${this.property.slice(0, 60)}. The properties are ${names}.`));
      return;
    }
    if (!rows.length) {
      this.committed.replaceChildren(message("This design is not in the table. A search in this page can refute the property; mmaspec prove can also prove it.", "note"));
      return;
    }
    const parts = [];
    const row = rows.find((r) => r.property === this.property);
    if (this.where.length || this.within) parts.push(message("The table is about all inputs and all orders, without the precondition above.", "note"));
    if (row) {
      parts.push(h("p", {}, h("span", { class: `verdict ${row.verdict.replaceAll(" ", "-")}` }, verdictText(row)), ` ${this.howText(row)}`));
      if (row.witness.length) parts.push(h("div", { class: "recorded" }, ...(await this.recorded(row))));
    } else {
      parts.push(message("The table does not contain this property.", "note"));
    }
    parts.push(h("details", {}, h("summary", {}, `All results for this design (${described.algorithm})`),
      h("ul", { class: "verdicts" }, rows.map((r) => h("li", {}, h("a", { href: fragment("ask", [["property", r.property], ["u", this.names[0]]]) }, r.property), " ",
        h("span", { class: `verdict ${r.verdict.replaceAll(" ", "-")}` }, verdictText(r)))))));
    this.committed.replaceChildren(...parts);
  }

  howText(row) {
    if (row.verdict === "proved") return `(${row.how})`;
    if (row.verdict === "refuted") return `by the input below${row.case ? ` (${row.case})` : ""}, found by ${row.refuted_by || row.how}.`;
    if (row.verdict === "undecided") return `(${row.how}${row.smaller ? `; ${row.smaller}` : ""})`;
    return `(${row.how})`;
  }

  /** The recorded runs, computed again here. */
  async recorded(row) {
    const runs = [];
    let agree = true;
    for (const run of row.witness) {
      const given = operandsOfLine(run);
      const reply = await ask("evaluate", { names: [run.instr], ...given });
      const [design] = reply.designs;
      if (design.error || reply.operand_error) return [message(design.error ?? reply.operand_error)];
      agree &&= design.d.bits === `0x${run.d}`;
      runs.push({ ...given, label: run.run, name: run.instr, d: design.d, trace: design.trace });
    }
    return [message(agree ? "Computed again in this page: the results are the same." : "Computed again in this page: the results differ. This page and the table disagree.", agree ? "note" : "error"),
      ...this.runs(runs)];
  }

  runs(runs) {
    const notZero = (bits) => !/^0x0*$/.test(bits);
    const rows = [];
    const k = Math.max(...runs.map((r) => r.a.length));
    const add = (label, of) => {
      const cells = runs.map(of);
      const apart = new Set(cells).size > 1;
      rows.push(h("tr", { class: apart ? "apart" : "" }, h("th", { scope: "row" }, label), cells.map((c) => h("td", {}, h("code", {}, c)))));
    };
    for (let i = 0; i < k; i += 1) {
      if (runs.some((r) => notZero(r.a[i] ?? "0x0") || notZero(r.b[i] ?? "0x0"))) {
        add(`a[${i}], b[${i}]`, (r) => `${r.a[i] ?? "-"}, ${r.b[i] ?? "-"}`);
      }
    }
    add("c", (r) => r.c);
    add("d", (r) => `${r.d.bits}  ${r.d.float}`);
    const names = runs.map((r) => r.label);
    return [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "runs" }, table("runs", ["", ...names], rows)),
      h("p", {}, ...runs.map((r) => [h("a", { href: fragment("compare", [["u", r.name], ...operandPairs(r)]) }, `Open \u201c${r.label}\u201d in Compare`), " "]).flat()),
      runs.every((r) => r.trace) ? h("details", {}, h("summary", {}, "Traces, side by side"), traceTable(names, runs.map((r) => r.trace), false)) : null].filter(Boolean);
  }

  async showWitness(reply) {
    for (const run of reply.runs) {
      const { designs } = await ask("evaluate", { names: [run.name], a: run.a, b: run.b, c: run.c, sa: run.sa, sb: run.sb });
      run.trace = designs[0].d?.bits === run.d.bits ? designs[0].trace : null;
    }
    this.row = reply.found;
    this.extras = reply.extras;
    this.witness.replaceChildren(...this.runs(reply.runs));
    this.showElsewhere();
  }

  showElsewhere() {
    const names = this.askedNames();
    const here = fragment("ask", [["property", this.property], ...names.filter(Boolean).map((n) => ["u", n]), ["bound", this.bound],
      ["within", this.within], ...this.where.map((w) => ["where", w]), ...operandPairs(this.row),
      ...Object.entries(this.extras).map(([key, value]) => ["x", `${key}:${value}`])]);
    this.navigate(here);
    const command = proveCommand(this.property, names, this.asked());
    const python = provePython(this.property, names, this.asked());
    this.commands.replaceChildren(h("h3", {}, "Command line"), h("pre", { tabindex: "0", role: "region", "aria-label": "command line" }, command), copyButton("Copy", () => command),
      h("h3", {}, "Python"), h("pre", { tabindex: "0", role: "region", "aria-label": "Python" }, python), copyButton("Copy ", () => python),
      h("h3", {}, "Link"), copyButton("Copy the link", () => location.href));
  }

  say(text, kind) { this.status.replaceChildren(message(text, kind)); }

  /** The input in the URL. */
  async check() {
    try {
      const reply = await ask("check-property", { ...this.asked(), ...this.row, extras: this.extras });
      if (!reply.violated) {
        this.say("The input of this link does not violate the property.", "error");
        return;
      }
      await this.showWitness(reply);
      this.say(`Refuted by the input of this link${reply.case ? ` (${reply.case})` : ""}; the exact evaluator of this page confirms it.`, "found");
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.say(error.message, "error");
    }
  }

  async search() {
    const abort = new AbortController();
    this.running = abort;
    this.find.textContent = "Stop";
    this.witness.replaceChildren();
    this.say("Searching\u2026", "note");
    try {
      const reply = await search({ ...this.asked(), kind: "property" }, abort.signal, mostSeconds, ({ tried }) => {
        this.say(`Searching\u2026 not refuted by ${tried.toLocaleString("en")} inputs so far.`, "note");
      });
      this.seed += 1;
      if (reply.found) {
        // First the witness and its link, so that the link exists when the text mentions it.
        await this.showWitness(reply);
        this.say(`Refuted${reply.case ? ` (${reply.case})` : ""}: found among ${reply.tried.toLocaleString("en")} inputs, and simplified.`, "found");
      } else if (reply.one_expression) {
        this.say("Not refuted: both sides simplify to the same expression, so there is nothing to try. This page does not count that as a proof; mmaspec prove does.", "note");
      } else {
        this.say(`Not refuted by ${reply.tried.toLocaleString("en")} inputs. This is not a proof: this page has no solver; mmaspec prove uses several.`, "note");
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.say(error.message, "error");
    } finally {
      this.running = null;
      this.find.textContent = "Search for a violation";
    }
  }
}
