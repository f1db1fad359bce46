// Traces of several runs side by side: lines with the same name are one row, marked if they differ.
import { h, table } from "./dom.js";

/** [{stage, label, cells}] of the runs' traces. */
function merged(traces) {
  const rows = [];
  const places = new Map();
  traces.forEach((lines, run) => {
    const seen = new Map();
    let after = -1;
    for (const line of lines) {
      const name = `${line.stage}\n${line.label}`;
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      const key = `${name}\n${count}`;
      let row = places.get(key);
      if (!row) {
        row = { stage: line.stage, label: line.label, cells: [] };
        places.set(key, row);
        rows.splice(after + 1, 0, row);
      }
      row.cells[run] = line;
      after = rows.indexOf(row);
    }
  });
  return rows;
}

function shown(line) {
  if (!line) return "";
  return line.number || line.integer;
}

/** A table of traces; `names` head the columns. */
export function traceTable(names, traces, all) {
  const rows = merged(traces);
  const apart = (row) => new Set(names.map((_, i) => shown(row.cells[i]))).size > 1;
  const dull = (row) => row.cells.every((line) => !line || line.integer === "0");
  const kept = all ? rows : rows.filter((row) => apart(row) || !dull(row));
  const body = [];
  let stage = null;
  for (const row of kept) {
    if (row.stage !== stage) {
      stage = row.stage;
      body.push(h("tr", { class: "stage" }, h("th", { colspan: String(names.length + 1), scope: "colgroup" }, stage)));
    }
    const differs = names.length > 1 && apart(row);
    body.push(h("tr", { class: differs ? "apart" : "" },
      h("th", { scope: "row" }, row.label, differs ? h("span", { class: "mark" }, " \u2260", h("span", { class: "visually-hidden" }, " differs")) : null),
      names.map((_, i) => h("td", {}, h("code", {}, shown(row.cells[i]))))));
  }
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "traces" },
    table("the stages of each evaluation", ["stage", ...names], body));
}
