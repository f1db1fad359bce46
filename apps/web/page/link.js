// Permalinks: a page and its state as the URL's fragment, `#/page?key=value&key=value`.
// `mmaspec diff --link` and `prove --link` print the same (report/text/link_text.cpp).

/** Leaves the characters that a fragment may contain unescaped. */
function encode(text) {
  return encodeURIComponent(text).replace(/%(2F|3A|2C|3D|40|5B|5D)/g, (code) => decodeURIComponent(code));
}

/** {page, values: URLSearchParams} of a fragment. */
export function parse(fragment) {
  const text = fragment.replace(/^#\/?/, "");
  const at = text.indexOf("?");
  const page = at < 0 ? text : text.slice(0, at);
  return { page: page || "compare", values: new URLSearchParams(at < 0 ? "" : text.slice(at + 1)) };
}

/** The fragment for [key, value] pairs; empty values are omitted. */
export function fragment(page, pairs) {
  const kept = pairs.filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return `#/${page}${kept.length ? "?" : ""}${kept.map(([key, value]) => `${key}=${encode(String(value))}`).join("&")}`;
}

/** Bit patterns as one value, without trailing zeros. */
export function joined(bits, isPadding = (x) => /^0x0*$/.test(x)) {
  let count = bits.length;
  while (count > 0 && isPadding(bits[count - 1])) count -= 1;
  return bits.slice(0, count).map((x) => (isPadding(x) ? "0" : x)).join(",");
}

/** The values that joined() wrote. */
export function split(text) {
  return text ? text.split(",") : [];
}

/** Operands of a row as pairs of a fragment. */
export function operandPairs(row) {
  if (!row) return [];
  const never = () => false;
  return [["a", joined(row.a)], ["b", joined(row.b)], ["c", /^0x0*$/.test(row.c) ? "" : row.c],
    ["sa", row.sa ? joined(row.sa, never) : ""], ["sb", row.sb ? joined(row.sb, never) : ""]];
}

/** Operands of a fragment in the form of requests. */
export function operandsOf(values) {
  const row = { a: split(values.get("a")), b: split(values.get("b")), c: values.get("c") ?? "" };
  for (const key of ["sa", "sb"]) if (values.has(key)) row[key] = split(values.get(key));
  return row;
}

/** Operands of a line of the vector format (bare hexadecimal digits). */
export function operandsOfLine(line) {
  const list = (text) => text.split(" ").filter(Boolean).map((digits) => `0x${digits}`);
  const row = { a: list(line.a), b: list(line.b), c: `0x${line.c}` };
  if (line.sa) { row.sa = list(line.sa); row.sb = list(line.sb); }
  return row;
}
