// The same question on the command line and in Python.

/** A word of a shell's command line. */
function word(text) {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const commandLine = (...words) => words.filter((w) => w !== "").map(word).join(" ");

function trimmed(bits) {
  let count = bits.length;
  while (count > 1 && /^0x0*$/.test(bits[count - 1])) count -= 1;
  return bits.slice(0, count).map((x) => (/^0x0*$/.test(x) ? "0" : x)).join(",");
}

/** Operands as `mmaspec eval` takes them. */
export function evalCommand(name, row, chain) {
  return commandLine("mmaspec", "eval", name, "--a", trimmed(row.a), "--b", trimmed(row.b), "--c", row.c,
    ...(row.sa ? ["--sa", row.sa.join(","), "--sb", row.sb.join(",")] : []),
    ...(chain ? ["--chain", String(chain)] : []), "--trace");
}

const differenceOptions = ["ulp", "abs", "rel", "inputs", "match", "chain"];

export function diffCommand(names, asked) {
  const words = ["mmaspec", "diff", names[0], names[1]];
  for (const key of differenceOptions) {
    const usual = { inputs: "finite", match: "values" }[key];
    if (asked[key] && asked[key] !== usual) words.push(`--${key}`, String(asked[key]));
  }
  if (asked.signed_zero === "yes") words.push("--signed-zero");
  for (const where of asked.where ?? []) words.push("--where", where);
  return commandLine(...words);
}

export function proveCommand(property, names, asked) {
  const words = ["mmaspec", "prove", property, ...names];
  if (asked.bound) words.push("--bound", asked.bound);
  if (asked.within) words.push("--within", String(asked.within));
  for (const where of asked.where ?? []) words.push("--where", where);
  return commandLine(...words);
}

const quoted = (text) => JSON.stringify(text);

export function diffPython(names, asked) {
  const options = [];
  for (const key of ["ulp", "abs", "rel"]) if (asked[key]) options.push(`${key}=${asked[key]}`);
  if (asked.inputs && asked.inputs !== "finite") options.push(`inputs=${quoted(asked.inputs)}`);
  if (asked.where?.length) options.push(`where=[${asked.where.map(quoted).join(", ")}]`);
  return ["import mmaspec", `u = mmaspec.unit(${quoted(names[0])})`, `v = mmaspec.unit(${quoted(names[1])})`,
    `mmaspec.diff(${["u", "v", ...options].join(", ")})`].join("\n");
}

export function provePython(property, names, asked) {
  const options = asked.where?.length ? [`where=[${asked.where.map(quoted).join(", ")}]`] : [];
  const units = names.map((name) => `mmaspec.unit(${quoted(name)})`);
  return ["import mmaspec", `mmaspec.prove(${[quoted(property), ...units, ...options].join(", ")})`].join("\n");
}
