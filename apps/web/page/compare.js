// Compare: two or more units on one input, and the search for an input on which they differ.
import { EngineError, ask, catalogue, checkFields, search } from "./engine.js";
import { diffCommand, diffPython, evalCommand, evalPython } from "./commands.js";
import { afterPause, copyButton, field, freshId, h, message, select, table } from "./dom.js";
import { fragment, operandPairs, operandsOf } from "./link.js";
import { Operands } from "./operands.js";
import { traceTable } from "./traces.js";
import { unitField } from "./unit.js";

/** Two products that cancel, and a small term: Hopper loses it, Ampere does not. */
const example = "#/compare?u=hopper/mma.m16n8k16.f32.f16.f16.f32&u=ampere/mma.m16n8k16.f32.f16.f16.f32" +
  "&a=0x3c00,0xbc00,0,0,0,0,0,0,0,0,0,0,0,0,0,0x1c00&b=0x7800,0x7800,0,0,0,0,0,0,0,0,0,0,0,0,0,0x3000&ulp=1000";
export { example as compareExample };

const mostSeconds = 60;
const questionKeys = ["ulp", "abs", "rel", "inputs", "match", "chain", "signed_zero"];

/** The part of an element's state that is in the URL. */
function stateOf(values) {
  const question = { where: values.getAll("where") };
  for (const key of questionKeys) question[key] = values.get(key) ?? "";
  return { names: values.getAll("u"), question, row: operandsOf(values) };
}

export class ComparePage {
  constructor(values, navigate) {
    const { names, question, row } = stateOf(values);
    this.names = names.length ? names : ["", ""];
    this.question = question;
    this.navigate = navigate;
    this.all = null;
    this.seed = 0;
    this.round = 0;
    this.later = afterPause(120, () => this.evaluate());
    this.operands = new Operands(row, (now) => (now ? this.evaluate() : this.later()));
    this.units = h("div", { class: "units" });
    this.inputs = h("div", {}, h("p", { class: "hint" }, "The engine is starting\u2026"));
    this.results = h("div", { "aria-live": "polite" });
    this.more = h("div", {});
    this.status = h("div", { class: "status", role: "status" });
    this.wrong = h("div", {});
    this.commands = h("div", {});
    this.element = h("div", { class: "page" },
      h("h1", {}, "Compare"),
      h("p", { class: "lead" }, "Compute the results of several matrix units for one input, and find inputs on which the units differ. ",
        "One row of A, one column of B, one element of C: d = c + a[0]\u00b7b[0] + a[1]\u00b7b[1] + \u2026"),
      h("section", { "aria-label": "units" }, h("h2", {}, "Units"), this.units),
      h("section", { "aria-label": "results" }, h("h2", {}, "Results"), this.results),
      this.more,
      h("section", { "aria-label": "find a difference" }, h("h2", {}, "Find a difference"), this.questionForm(), this.status),
      h("section", { "aria-label": "inputs" }, h("h2", {}, "Inputs"), this.inputs),
      h("section", { "aria-label": "the same question elsewhere" }, h("h2", {}, "The same question elsewhere"), this.commands));
    this.showUnits();
  }

  async start() {
    this.all = await catalogue();
    this.inputs.replaceChildren(this.operands.element);
    await this.evaluate();
  }

  stop() { this.running?.abort(); }

  showUnits() {
    this.fields = this.names.map((name, i) => unitField(`unit ${i + 1}`, name, (next) => {
      this.names[i] = next;
      this.operands.byValue();
      this.later();
    }, this.names.length > 2 ? () => {
      this.names.splice(i, 1);
      this.showUnits();
      this.evaluate();
    } : null));
    this.units.replaceChildren(...this.fields.map((f) => f.element),
      h("div", { class: "toolbar" },
        h("button", { type: "button", class: "quiet", onclick: () => { this.names.push(""); this.showUnits(); this.fields.at(-1).input.focus(); } }, "Add a unit"),
        h("button", { type: "button", class: "quiet", onclick: () => { this.names.reverse(); this.operands.byValue(); this.showUnits(); this.evaluate(); } }, "Swap")));
  }

  questionForm() {
    const q = this.question;
    const text = (key, label, hint) => {
      const input = h("input", { type: "text", value: q[key], autocomplete: "off", spellcheck: "false", name: key });
      input.addEventListener("input", () => { q[key] = input.value.trim(); this.later(); });
      return field(label, input, hint);
    };
    const choice = (key, label, options, usual) => field(label, select(options, q[key] || usual, (chosen) => {
      q[key] = chosen === usual ? "" : chosen;
      this.later();
    }));
    const where = h("input", { type: "text", value: q.where.join(" && "), autocomplete: "off", spellcheck: "false", name: "where" });
    where.addEventListener("input", () => { q.where = where.value.trim() ? [where.value.trim()] : []; this.later(); });
    const zeros = h("input", { type: "checkbox", id: freshId() });
    zeros.checked = q.signed_zero === "yes";
    zeros.addEventListener("change", () => { q.signed_zero = zeros.checked ? "yes" : ""; this.later(); });
    this.find = h("button", { type: "button", class: "main", onclick: () => (this.running ? this.stop() : this.search()) }, "Find a difference");
    const simplify = h("button", { type: "button", onclick: () => this.simplify() }, "Simplify");
    return h("div", {},
      h("div", { class: "fields" },
        text("ulp", "by more than \u2026 ulp", "ulp of the first unit's format"),
        text("abs", "by more than (absolute)", ""),
        text("rel", "by more than (relative)", "relative to the first unit's result"),
        choice("inputs", "inputs", [["finite", "finite"], ["normal", "normal or zero"], ["any", "any"]], "finite"),
        choice("match", "where formats differ", [["values", "equal values"], ["bits", "equal bits"]], "values"),
        text("chain", "chain both to K", "empty: the longer unit's K"),
        h("div", { class: "field wide" }, field("where", where, "such as exponent(a[*]) <= 3 && c >= 0")),
        h("div", { class: "field check" }, zeros, h("label", { for: zeros.id }, "zeros of opposite signs differ"))),
      this.wrong, h("div", { class: "toolbar" }, this.find, simplify));
  }

  request() {
    const { chain, match } = this.question;
    return { names: this.names, chain, match: match || "values", ...this.operands.request() };
  }

  asked() {
    const q = this.question;
    // Two of several units are compared with the K at which all of them are shown.
    const chain = q.chain || (this.names.length > 2 ? this.k : "");
    return { ...q, chain, inputs: q.inputs || "finite", match: q.match || "values", names: this.names.slice(0, 2), seed: this.seed };
  }

  async evaluate() {
    if (!this.all) return;
    this.round += 1;
    const round = this.round;
    this.showLink(this.operands.request());
    let reply;
    try {
      reply = await ask("evaluate", { ...this.request(), picture: "yes" });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (round === this.round) this.showOnly(message(error.message));
      return;
    }
    if (round !== this.round) return;
    this.show(reply);
    await checkFields(this.asked(), this.wrong);
  }

  show(reply) {
    reply.designs.forEach((design, i) => {
      this.fields[i]?.error.replaceChildren(...(design.error ? [message(design.error)] : []));
    });
    if (!reply.formats) {
      this.showOnly(message("Enter a unit first: type a part of its name, or design:\u2026", "note"));
      return;
    }
    this.k = reply.formats.k;
    for (const each of [reply, ...reply.designs]) Object.assign(this.all.formats, each.formats?.fixed);
    this.operands.show(reply.formats, reply.operands, this.all.formats);
    if (reply.operand_error) {
      this.showOnly(message(reply.operand_error));
      return;
    }
    const good = reply.designs.filter((d) => d.d);
    const notes = new Set(good.flatMap((d) => d.note?.split("; ") ?? []));
    this.results.replaceChildren(this.resultTable(good), ...[...notes].map((note) => message(note, "note")));
    this.showMore(good, reply.picture);
    this.showLink(reply.row);
    this.showElsewhere(good);
  }

  /** A message instead of results. */
  showOnly(what) {
    this.results.replaceChildren(what);
    this.more.replaceChildren();
    this.commands.replaceChildren();
  }

  resultTable(good) {
    const spellings = [["d", (d) => h("code", {}, d.bits)], ["hex float", (d) => h("code", {}, d.float)], ["decimal", (d) => d.decimal]];
    // For integers both texts are equal.
    if (good.every((d) => this.all.formats[d.formats.d].is_integer)) spellings.splice(1, 1);
    const rows = good.map((d, i) => {
      const equal = d.ulp === "0";
      const says = i === 0 ? "" : equal ? "equal" : d.ulp === "inf" ? "exceeds every bound" : `${d.ulp} ulp`;
      return h("tr", { class: i > 0 && !equal ? "apart" : "" }, h("th", { scope: "row", class: "name" }, d.name),
        spellings.map(([label, shown]) => h("td", { "data-label": label }, shown(d.d))), h("td", { "data-label": "from the first unit" }, says));
    });
    return h("div", { class: "scroll" }, table("results", ["unit", ...spellings.map(([label]) => label), "from the first unit"], rows, { class: "results" }));
  }

  showMore(good, picture) {
    const open = (name) => this.more.querySelector(`details[data-name="${name}"]`)?.open ?? name === "ruler";
    const sections = [];
    if (picture) {
      const box = h("div", { class: "scroll ruler", tabindex: "0", role: "region", "aria-label": "alignment rulers" });
      // A drawing by the engine, of numbers and of names that it has parsed; its style applies only to it.
      box.attachShadow({ mode: "open" }).innerHTML = picture;
      sections.push(h("details", { "data-name": "ruler", open: open("ruler") }, h("summary", {}, h("h2", {}, "Alignment")), box));
    }
    if (good.length) {
      sections.push(h("details", { "data-name": "traces", open: open("traces") }, h("summary", {}, h("h2", {}, "Traces, side by side")),
        traceTable(good.map((d) => d.name), good.map((d) => d.trace), false)));
    }
    this.more.replaceChildren(...sections);
  }

  pairs(row) {
    const q = this.question;
    return [...this.names.filter(Boolean).map((name) => ["u", name]), ...operandPairs(row),
      ...questionKeys.map((key) => [key, q[key]]), ...q.where.map((w) => ["where", w])];
  }

  showLink(row) { this.navigate(fragment("compare", this.pairs(row))); }

  showElsewhere(good) {
    const names = good.slice(0, 2).map((d) => d.name);
    const command = [...good.map(evalCommand), ...(names.length > 1 ? [diffCommand(names, this.question)] : [])].join("\n");
    const python = [evalPython(good, this.all.formats), ...(names.length > 1 ? [diffPython(names, this.question)] : [])].join("\n");
    this.commands.replaceChildren(
      h("h3", {}, "Command line"), h("pre", { tabindex: "0", role: "region", "aria-label": "command line" }, command), copyButton("Copy", () => command),
      h("h3", {}, "Python"), h("pre", { tabindex: "0", role: "region", "aria-label": "Python" }, python), copyButton("Copy ", () => python),
      h("h3", {}, "Link"), h("p", {}, "The address of this page contains the units, the inputs and the question. "),
      copyButton("Copy the link", () => location.href));
  }

  say(...content) { this.status.replaceChildren(...content); }

  async search() {
    const abort = new AbortController();
    this.running = abort;
    this.find.textContent = "Stop";
    this.say(message("Searching\u2026", "note"));
    try {
      const reply = await search({ ...this.asked(), kind: "difference" }, abort.signal, mostSeconds, ({ tried }) => {
        this.say(message(`Searching\u2026 ${tried.toLocaleString("en")} inputs tried.`, "note"));
      });
      this.seed += 1;
      if (reply.found) {
        this.operands.set(reply.found);
        await this.evaluate();
        this.say(message(`They differ: found among ${reply.tried.toLocaleString("en")} inputs, and simplified. The distance ${reply.ulp === "inf" ? "exceeds every bound" : `is ${reply.ulp} ulp`}.`, "found"));
      } else if (reply.one_expression) {
        this.say(message("No difference: both units simplify to the same expression, so there is nothing to try. This page does not count that as a proof; mmaspec diff does.", "note"));
      } else {
        this.say(message(`No difference among ${reply.tried.toLocaleString("en")} inputs. This is not a proof: this page has no solver; mmaspec diff uses several.`, "note"));
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.say(message(error.message));
    } finally {
      this.running = null;
      this.find.textContent = "Find a difference";
    }
  }

  async simplify() {
    try {
      this.say(message("Simplifying\u2026", "note"));
      const reply = await ask("simplify", { ...this.asked(), ...this.operands.request() });
      this.operands.set(reply.found);
      await this.evaluate();
      this.say(message("Simplified as far as possible in a few seconds.", "found"));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.say(message(error.message));
    }
  }
}
