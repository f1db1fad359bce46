// Random rows of every catalogued unit and variant with the WebAssembly engine's results, as `mmaspec verify` reads them:
// rows.cjs ENGINE-FOLDER COUNT. On standard error: dot products a second.
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
  const measured = ["hopper/mma.m16n8k16.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x8_f16"]
    .map((name) => `${name}: ${Math.round(ask("measure", { name, seconds: 1 }).dot_products_per_second)}`);
  console.error(`${names.length} units; dot products a second: ${measured.join(", ")}`);
});
