// Suites: the fewest inputs that distinguish designs, and the answers of each class of designs.
import { load } from "./engine.js";
import { h, message, table } from "./dom.js";
import { fragment, operandPairs, operandsOfLine } from "./link.js";

const columns = [["designs", "designs"], ["classes", "classes"], ["undecided", "undecided pairs"], ["inputs", "inputs"],
  ["information", "information-theoretic least"], ["expected", "questions on average"], ["expected_of_candidates", "of all candidates"]];

const toSuite = (suite) => fragment("map", [["view", "suites"], ["group", suite.text]]);
const number = (value) => String(Number(value.toPrecision(4)));

function overview(suites) {
  const rows = suites.map((suite) => h("tr", {}, h("th", { scope: "row", class: "name" }, h("a", { href: toSuite(suite) }, suite.text)),
    columns.map(([key, text]) => h("td", { class: "cell" },
      h("a", { href: toSuite(suite), "aria-label": `${suite.text}, ${text}: ${number(suite[key])}` }, number(suite[key]))))));
  return [h("p", { class: "hint" }, "The smallest sets of inputs that distinguish designs. A suite opens its inputs and their results; docs/suites.md describes how suites are found."),
    h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "suites" },
      table("suites", ["suite", ...columns.map(([, text]) => text)], rows, { class: "linked" }))];
}

/** A link to Compare with units on one input, all with the suite's K. */
function compared(suite, names, row) {
  return fragment("compare", [...names.map((name) => ["u", name]), ...operandPairs(operandsOfLine(row)), ["chain", suite.k]]);
}

function classOf(suite, { class: name, names, answers }) {
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: compared(suite, names, suite.rows[0]) }, name)),
    h("td", {}, names.map((unit, i) => [i ? ", " : "", h("a", { href: fragment("ask", [["u", unit]]) }, unit)]).flat()),
    answers.map((d, i) => h("td", {}, h("a", { href: compared(suite, [names[0]], suite.rows[i]) }, h("code", {}, `0x${d}`)))));
}

function detail(suite) {
  const first = suite.members.map((member) => member.names[0]);
  const command = `mmaspec suite ${suite.line}`;
  return [h("p", {}, h("a", { href: fragment("map", [["view", "suites"]]) }, "All suites")),
    h("h2", {}, suite.text),
    h("p", { class: "hint" }, `${suite.designs} designs in ${suite.classes} classes, ${suite.a} times ${suite.b} to ${suite.c} and ${suite.d}, K = ${suite.k}. `,
      "A class opens its designs on the first input, an input opens one design of each class, and a name opens its properties."),
    h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "classes and their answers" },
      table("classes and their answers", ["class", "designs",
        ...suite.rows.map((row, i) => h("a", { href: compared(suite, first, row) }, `input ${i + 1}`))], suite.members.map((member) => classOf(suite, member)))),
    h("h3", {}, "Command line"), h("pre", { tabindex: "0", role: "region", "aria-label": "command line" }, command)];
}

/** The Map's view of suites: all of them, or the named one. */
export async function suitesView(name) {
  const { rows } = await load("suites");
  if (!rows.length) return [message("This page was built without suites.", "note")];
  if (!name) return overview(rows);
  const suite = rows.find((row) => row.text === name);
  return suite ? detail(suite) : [message(`Unknown suite ${name.slice(0, 60)}. The suites are:`), ...overview(rows)];
}
