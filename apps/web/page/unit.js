// A unit's field: searchable names, and a form for the parameters of a `design:`.
import { ask, catalogue } from "./engine.js";
import { field, h, message, select } from "./dom.js";

const listId = "units";

/** The list of names for unit fields; one per page. */
export async function unitList() {
  const { instructions } = await catalogue();
  return h("datalist", { id: listId }, instructions.flatMap((i) => {
    const says = `${i.algorithm}, K = ${i.k}, ${i.d} = ${i.c} + ${i.a} * ${i.b}`;
    return [i.name, ...(i.variants ?? []).map((v) => `${i.name}@${v}`)]
      .map((name) => h("option", { value: name }, says));
  }));
}

/** The algorithm and the pairs of `design:algorithm(key=value,...)`; null for another name. */
export function parseDesign(name) {
  const match = /^design:([^(]*)\((.*)\)\s*$/s.exec(name);
  if (!match) return null;
  const pairs = new Map();
  for (const part of match[2].split(",")) {
    const at = part.indexOf("=");
    if (at > 0) pairs.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return { algorithm: match[1], pairs };
}

function designText(algorithm, pairs) {
  const all = [...pairs].filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
  return `design:${algorithm}(${all.join(",")})`;
}

/** A parameter's control: a selection if there are few values, otherwise a text field. */
function control(key, help, value, changed) {
  const words = help.allowed.split(", ");
  const isChoice = words.length > 1 && words.every((w) => /^[a-z][a-z0-9-]*$/.test(w));
  const otherwise = help.default ? `default: ${help.default}` : "default";
  if (isChoice) return select([["", otherwise], ...words.map((w) => [w, w])], value, changed);
  const input = h("input", { type: "text", value, placeholder: help.default, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => changed(input.value.trim()));
  return input;
}

/** The form for a design's parameters; `changed` gets the new name. */
async function designForm(name, changed) {
  const { algorithms } = await catalogue();
  let open = parseDesign(name);
  if (!open) {
    const described = await ask("describe", { name });
    open = parseDesign(described.design);
    if (!open) return message(`${described.algorithm} cannot be changed here: design: does not support this algorithm`);
    changed(described.design);
  }
  const { pairs } = open;
  const help = algorithms.find((a) => a.name === open.algorithm);
  const chooser = select(algorithms.map((a) => [a.name]), help ? open.algorithm : algorithms[0].name, (chosen) => {
    const kept = [...pairs].filter(([key]) => ["a", "b", "c", "d", "k", "scale", "scale_block"].includes(key));
    const next = algorithms.find((a) => a.name === chosen);
    for (const p of next.parameters) {
      if (!p.default && !kept.some(([key]) => key === p.key)) {
        const least = /^\d+/.exec(p.allowed)?.[0];
        if (pairs.has(p.key)) kept.push([p.key, pairs.get(p.key)]);
        else if (least !== undefined && !p.key.includes(",")) kept.push([p.key, least]);
      }
    }
    changed(designText(chosen, new Map(kept)), true);
  });
  const fields = (help?.parameters ?? []).flatMap((p) => p.key.split(", ").map((key) =>
    field(key, control(key, p, pairs.get(key) ?? "", (value) => {
      pairs.set(key, value);
      changed(designText(open.algorithm, pairs));
    }), `${p.meaning} (${p.allowed})`)));
  return h("div", { class: "design-form" }, field("algorithm", chooser, help?.reference ?? ""), fields);
}

/** A unit's field. `changed(name)` is called when its name changes. */
export function unitField(label, name, changed, remove = null) {
  const input = h("input", { type: "text", list: listId, value: name, class: "unit", autocomplete: "off",
    spellcheck: "false", placeholder: "such as hopper/mma.m16n8k16.f32.f16.f16.f32, or design:..." });
  const panel = h("div", { class: "panel" });
  const set = (next, again = false) => {
    input.value = next;
    changed(next);
    if (again) show();
  };
  let shown = false;
  const toggle = h("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: () => {
    shown = !shown;
    toggle.setAttribute("aria-expanded", String(shown));
    if (shown) show(); else panel.replaceChildren();
  } }, "Parameters");
  const show = async () => {
    try {
      panel.replaceChildren(await designForm(input.value.trim(), set));
    } catch (error) {
      panel.replaceChildren(message(error.message));
    }
  };
  input.addEventListener("input", () => {
    changed(input.value.trim());
    if (shown && !parseDesign(input.value)) { shown = false; toggle.setAttribute("aria-expanded", "false"); panel.replaceChildren(); }
  });
  const error = h("div", { class: "unit-error" });
  const element = h("div", { class: "unit-field" }, field(label, input),
    h("div", { class: "unit-buttons" }, toggle,
      remove ? h("button", { type: "button", class: "quiet", "aria-label": `Remove ${label}`, onclick: remove }, "Remove") : null),
    error, panel);
  return { element, error, input };
}
