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

/** A design and its operands as a command line of `mmaspec eval`. */
export function evalCommand({ name, row, formats, own_k: ownK }) {
  return commandLine("mmaspec", "eval", name, "--a", trimmed(row.a), "--b", trimmed(row.b), "--c", row.c,
    ...(row.sa ? ["--sa", row.sa.join(","), "--sb", row.sb.join(",")] : []),
    ...(formats.k !== ownK ? ["--chain", String(formats.k)] : []), "--trace");
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
/** Digits as a number, other texts as a string, which Python's functions accept too. */
const value = (text) => (/^(0|[1-9]\d*)$/.test(text) ? text : quoted(text));
const list = (texts) => `[${texts.join(", ")}]`;

/** Evaluated designs on their operands; those of equal operands together. Operands are bit patterns, but signed integers
 * are numbers, since Python's units take no others. */
export function evalPython(designs, all) {
  const array = (patterns, format) => {
    const { bits } = all[format], signed = /^s\d/.test(format);
    const shown = signed ? patterns.map((pattern) => String(BigInt.asIntN(bits, BigInt(pattern)))) : patterns;
    return `np.array([${list(shown)}], np.${signed ? "" : "u"}int${Math.max(8, 2 ** Math.ceil(Math.log2(bits)))})`;
  };
  const groups = new Map();
  for (const { name, row, formats: f } of designs) {
    const lines = [`a = ${array(row.a, f.a)}`, `b = ${array(row.b, f.b)}.T`, `c = ${array([row.c], f.c)}`];
    if (row.sa) lines.push(`scales = {"scale_a": ${array(row.sa, f.scale)}, "scale_b": ${array(row.sb, f.scale)}.T}`);
    const key = lines.join("\n");
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return ["import mmaspec, numpy as np", ...[...groups].map(([lines, names]) => `${lines}\nfor name in ${list(names.map(quoted))}:\n` +
    `    print(hex(mmaspec.unit(name)(a, b, c${lines.includes("\nscales = ") ? ", **scales" : ""}, bits=True)[0, 0]))`)].join("\n");
}

export function diffPython(names, asked) {
  const options = [];
  for (const key of ["ulp", "abs", "rel", "chain"]) if (asked[key]) options.push(`${key}=${value(asked[key])}`);
  if (asked.inputs && asked.inputs !== "finite") options.push(`inputs=${quoted(asked.inputs)}`);
  if (asked.match && asked.match !== "values") options.push(`match=${quoted(asked.match)}`);
  if (asked.signed_zero === "yes") options.push("signed_zero=True");
  if (asked.where?.length) options.push(`where=${list(asked.where.map(quoted))}`);
  return `print(mmaspec.diff(${[...names.map(quoted), ...options].join(", ")}))`;
}

export function provePython(property, names, asked) {
  const options = [];
  for (const key of ["bound", "within"]) if (asked[key]) options.push(`${key}=${value(String(asked[key]))}`);
  if (asked.where?.length) options.push(`where=${list(asked.where.map(quoted))}`);
  return `import mmaspec\nprint(mmaspec.prove(${[property, ...names].map(quoted).concat(options).join(", ")}))`;
}
