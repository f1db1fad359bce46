// The bits of one operand, each a button that flips it.
import { h } from "./dom.js";

/** Names of a format's bits, from the top. */
function parts(format) {
  const all = [];
  const add = (count, name) => { for (let i = 0; i < count; i += 1) all.push(name); };
  const named = (format.sign ? 1 : 0) + format.exponent + format.fraction;
  add(format.bits - named - format.ignored_low, "ignored");
  add(format.sign ? 1 : 0, "sign");
  add(format.exponent, "exponent");
  add(format.fraction, format.is_integer ? "value" : "fraction");
  add(format.ignored_low, "ignored");
  return all;
}

/** An editor of an operand's `bits` ("0x3c00"); `changed` gets the new ones. */
export function bitEditor(name, format, bits, changed) {
  const names = parts(format);
  const pattern = BigInt(bits);
  const buttons = names.map((part, i) => {
    const place = BigInt(names.length - 1 - i);
    const on = ((pattern >> place) & 1n) === 1n;
    return h("button", {
      type: "button", class: `bit ${part}`, "aria-pressed": String(on),
      "aria-label": `bit ${place}, ${part}`, "data-bit": String(place), tabindex: i === 0 ? "0" : "-1",
      onclick: () => changed(`0x${(pattern ^ (1n << place)).toString(16).padStart(Math.ceil(names.length / 4), "0")}`, String(place)),
    }, on ? "1" : "0");
  });
  const move = (event) => {
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : step ? at + step : -1;
    if (at < 0 || !buttons[to]) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = -1;
    buttons[to].tabIndex = 0;
    buttons[to].focus();
  };
  const groups = [];
  names.forEach((part, i) => {
    if (i === 0 || names[i - 1] !== part) groups.push({ part, buttons: [] });
    groups.at(-1).buttons.push(buttons[i]);
  });
  return h("div", { class: "bits", role: "group", "aria-label": `bits of ${name}, ${format.name}`, onkeydown: move },
    groups.map(({ part, buttons: own }) => h("div", { class: "bit-group" },
      h("div", { class: "bit-row" }, own), h("span", { class: "bit-name" }, part))));
}
