// The table of operands: numbers in any spelling, and the bits of the selected one.
import { bitEditor } from "./bits.js";
import { h, select, table } from "./dom.js";

const spellings = [["float", "hex floats"], ["decimal", "decimals"], ["bits", "bits"]];
const spellingsOfIntegers = spellings.slice(1);

/** Operands' texts, shown and edited. `changed()` is called after each edit. */
export class Operands {
  constructor(row, changed) {
    this.set(row);
    this.changed = changed;
    this.spelling = "float";
    this.looked = null;
    this.element = h("div", { class: "operands" });
    this.shape = "";
    this.cells = new Map();
  }

  /** Texts from a permalink or a witness. */
  set(row) {
    this.texts = { a: [...(row.a ?? [])], b: [...(row.b ?? [])], c: row.c ?? "", sa: [...(row.sa ?? [])], sb: [...(row.sb ?? [])] };
    this.fresh = true;
  }

  request() {
    const { a, b, c, sa, sb } = this.texts;
    return { a, b, c, sa, sb };
  }

  text(key, k) { return key === "c" ? this.texts.c : this.texts[key][k] ?? ""; }

  write(key, k, text) {
    if (key === "c") this.texts.c = text;
    else {
      const list = this.texts[key];
      while (list.length < k) list.push("");
      list[k] = text;
    }
  }

  /** After an evaluation: formats and each operand's spellings or error. */
  show(formats, shown, all) {
    this.formats = formats;
    this.shown = shown;
    this.all = all;
    const shape = JSON.stringify(formats);
    if (shape !== this.shape) {
      this.shape = shape;
      this.fresh = true;
      this.looked = null;
      for (const key of ["a", "b", "sa", "sb"]) this.texts[key].length = Math.min(this.texts[key].length, shown[key]?.length ?? 0);
      this.build();
    }
    for (const [id, cell] of this.cells) this.update(id, cell);
    this.fresh = false;
    this.showBits();
  }

  of(id) {
    const [key, k] = id.split(".");
    return { key, k: Number(k ?? 0), shown: key === "c" ? this.shown.c : this.shown[key][Number(k)] };
  }

  format(key) {
    const name = key.startsWith("s") ? this.formats.scale : this.formats[key];
    return this.all[name];
  }

  get isOfIntegers() { return this.format("a").is_integer; }

  get shownAs() { return this.isOfIntegers && this.spelling === "float" ? "decimal" : this.spelling; }

  label(id) {
    const { key, k } = this.of(id);
    return key === "c" ? "c" : `${key}[${k}]`;
  }

  update(id, { input, note }) {
    const { key, k, shown } = this.of(id);
    const editing = document.activeElement === input && !this.fresh;
    if (shown.error) {
      if (!editing) input.value = this.text(key, k);
      input.setAttribute("aria-invalid", "true");
      note.textContent = shown.error;
      note.className = "spelling wrong";
    } else {
      if (!editing) input.value = shown[this.shownAs];
      input.removeAttribute("aria-invalid");
      const other = this.shownAs !== "decimal" ? "decimal" : this.isOfIntegers ? "bits" : "float";
      note.textContent = /^0x0*$/.test(shown.bits) ? "" : shown[other];
      note.className = "spelling";
    }
  }

  cell(id) {
    const note = h("span", { class: "spelling", id: `note-${id}` });
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", inputmode: "text",
      "aria-label": this.label(id), "aria-describedby": note.id, "data-operand": id });
    input.addEventListener("input", () => {
      const { key, k } = this.of(id);
      this.write(key, k, input.value.trim());
      this.changed();
    });
    input.addEventListener("focus", () => { this.looked = id; this.showBits(); });
    input.addEventListener("blur", () => this.update(id, { input, note }));
    this.cells.set(id, { input, note });
    return h("td", {}, input, note);
  }

  build() {
    this.cells = new Map();
    const { k, scales } = this.formats;
    const rows = [];
    for (let i = 0; i < k; i += 1) {
      rows.push(h("tr", {}, h("th", { scope: "row" }, String(i)), this.cell(`a.${i}`), this.cell(`b.${i}`)));
    }
    const blocks = [];
    for (let i = 0; i < (scales ?? 0); i += 1) {
      blocks.push(h("tr", {}, h("th", { scope: "row" }, String(i)), this.cell(`sa.${i}`), this.cell(`sb.${i}`)));
    }
    const f = this.formats;
    this.bits = h("div", { class: "looked" });
    this.element.replaceChildren(
      h("div", { class: "toolbar" },
        h("label", {}, "Show as ", select(this.isOfIntegers ? spellingsOfIntegers : spellings, this.shownAs, (chosen) => {
          this.spelling = chosen;
          for (const [id, cell] of this.cells) this.update(id, cell);
        })),
        h("button", { type: "button", class: "quiet", onclick: () => {
          this.set({});
          this.changed();
        } }, "Clear")),
      this.bits,
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "operands" },
        table("operands", ["k", `a (${f.a})`, `b (${f.b})`], [
          ...rows, h("tr", {}, h("th", { scope: "row" }, `c (${f.c})`), this.cell("c"), h("td", {})),
        ]),
        blocks.length ? table("block scale factors", ["block", `scale of a (${f.scale})`, `scale of b (${f.scale})`], blocks) : null));
  }

  showBits() {
    const id = this.looked ?? "a.0";
    const { key, k, shown } = this.of(id);
    if (shown.error) {
      this.bits.replaceChildren(h("p", { class: "hint" }, `${this.label(id)} is not a number of its format.`));
      return;
    }
    const at = document.activeElement?.dataset?.bit;
    const had = this.bits.contains(document.activeElement);
    this.bits.replaceChildren(
      h("p", { class: "looked-name" }, h("strong", {}, this.label(id)), " ", h("code", {}, shown.bits), " ",
        this.isOfIntegers ? null : h("code", {}, shown.float), ` ${shown.decimal}`),
      bitEditor(this.label(id), this.format(key), shown.bits, (bits, bit) => {
        this.write(key, k, bits);
        this.fresh = true;
        this.again = bit;
        this.changed(true);
      }));
    const focus = this.again ?? (had ? at : undefined);
    if (focus !== undefined) this.bits.querySelector(`[data-bit="${focus}"]`)?.focus();
    this.again = undefined;
  }

  /** Texts by value, before the formats change. */
  byValue() {
    if (!this.shown) return;
    const text = (x, otherwise) => (x && !x.error ? (/^0x0*p/.test(x.float) ? "0" : x.float) : otherwise);
    for (const key of ["a", "b", "sa", "sb"]) {
      this.texts[key] = this.texts[key].map((old, i) => text(this.shown[key]?.[i], old));
    }
    for (const key of ["a", "b"]) {
      while (this.texts[key].length && ["", "0"].includes(this.texts[key].at(-1))) this.texts[key].pop();
    }
    if (this.texts.c) this.texts.c = text(this.shown.c, this.texts.c);
  }
}
