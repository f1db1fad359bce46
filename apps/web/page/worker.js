// The worker: runs the WebAssembly module and answers one request after another.
import createEngine from "mmaspec-engine";

let ready = null;
self.onmessage = async ({ data: { module, id, name, request } }) => {
  if (module !== undefined) {
    ready = createEngine({ wasmBinary: module });
    return;
  }
  try {
    const engine = await ready;
    self.postMessage({ id, reply: JSON.parse(engine.call(name, request)) });
  } catch (error) {
    self.postMessage({ id, failure: String(error?.message ?? error) });
  }
};
