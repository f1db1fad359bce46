// Elements built by one expression.

/** An element. Properties that are functions are listeners ("onclick"), the others attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

let last = 0;
/** A unique id. */
export function freshId() {
  last += 1;
  return `field-${last}`;
}

/** A labelled control. */
export function field(label, control, hint = "") {
  const id = control.id || freshId();
  control.id = id;
  const described = hint ? h("small", { id: `${id}-hint`, class: "hint" }, hint) : null;
  if (described) control.setAttribute("aria-describedby", described.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, described);
}

export function select(options, chosen, onchange) {
  const element = h("select", { onchange: () => onchange(element.value) },
    options.map(([value, text]) => h("option", { value }, text ?? value)));
  element.value = chosen;
  return element;
}

/** A table with a caption for screen readers. */
export function table(caption, head, rows, properties = {}) {
  return h("table", properties, h("caption", { class: "visually-hidden" }, caption),
    h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))),
    h("tbody", {}, rows));
}

export function message(text, kind = "error") {
  return h("p", { class: `message ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
}

/** A button that copies `text()`. */
export function copyButton(label, text) {
  const button = h("button", { type: "button", class: "quiet", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text and copy it";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

/** Calls `work` once, after this many milliseconds without a further request. */
export function afterPause(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
