// Writes random rows of every catalogued unit and variant with the WebAssembly engine's results, for `mmaspec verify`:
// rows.cjs ENGINE-FOLDER COUNT.
const fs = require("fs");
const path = require("path");

const [folder, count] = process.argv.slice(2);
const createEngine = require(path.resolve(folder, "engine.js"));

createEngine({ wasmBinary: fs.readFileSync(path.join(folder, "engine.wasm")) }).then((engine) => {
  const ask = (name, request) => {
    const reply = JSON.parse(engine.call(name, JSON.stringify(request)));
    if (reply.error) throw new Error(reply.error);
    return reply;
  };
  const names = ask("catalogue", {}).instructions.flatMap((i) => [i.name, ...(i.variants ?? []).map((v) => `${i.name}@${v}`)]);
  const each = Math.ceil(Number(count) / names.length);
  names.forEach((name, seed) => fs.writeSync(1, ask("random-rows", { name, count: each, seed }).text));
});
