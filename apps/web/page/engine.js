// The engine's client: requests go to a worker, replies come back as promises.
//
// The worker's text and the module's bytes come from engine-data.js, a plain script: a page that is
// opened from a folder may load scripts, but neither workers nor other files.

import { message } from "./dom.js";

/** An error message for the user: the engine's `error`. */
export class EngineError extends Error {}

let worker = null;
let started = null;
const waiting = new Map();
let number = 0;

function loadScript(source) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = resolve;
    script.onerror = () => reject(new EngineError(`cannot load ${source}`));
    document.head.append(script);
  });
}

const data = new Map();
/** The data of one of the page's data scripts, which call mmaspecData(name, value). */
export async function load(name) {
  globalThis.mmaspecData ??= (key, value) => data.set(key, value);
  if (!data.has(name)) await loadScript(`${name}.js`);
  if (!data.has(name)) throw new EngineError(`${name}.js does not define ${name}`);
  const { packed } = data.get(name);
  if (packed !== undefined) data.set(name, JSON.parse(new TextDecoder().decode(await inflated(packed))));
  return data.get(name);
}

async function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function start() {
  const { script, module } = await load("engine-data");
  const bytes = await inflated(module);
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const fresh = new Worker(address);
  fresh.onmessage = ({ data: { id, reply, failure } }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (failure !== undefined) {
      reject?.(new EngineError(`the engine stopped: ${failure}; it is restarted`));
      stop("the engine stopped");
    } else if (reply.error !== undefined) {
      reject?.(new EngineError(reply.error));
    } else {
      resolve?.(reply);
    }
  };
  fresh.onerror = (event) => stop(`the engine failed: ${event.message || "it cannot be started"}`);
  fresh.postMessage({ module: bytes }, [bytes]);
  worker = fresh;
}

/** Ends the worker; the next request starts another. */
function stop(why) {
  worker?.terminate();
  worker = null;
  started = null;
  for (const { reject } of waiting.values()) reject(new EngineError(why));
  waiting.clear();
}

/** Cancels all requests; the next request starts a new engine. */
export function restart() { stop("given up"); }

/** The reply to a request. Rejects with an EngineError that states the fault. */
export async function ask(name, request = {}) {
  started ??= start();
  try {
    await started;
  } catch (error) {
    started = null;
    throw error;
  }
  number += 1;
  const id = number;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, name, request: JSON.stringify(request) });
  });
}

/** Shows in `place` the faults in a question's fields. */
export async function checkFields(question, place) {
  try {
    await ask("check-fields", question);
    place.replaceChildren();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    place.replaceChildren(message(error.message));
  }
}

let known = null;
/** The catalogue, requested once. */
export function catalogue() {
  known ??= ask("catalogue");
  known.catch(() => { known = null; });
  return known;
}

/** Approximate duration of a search step, so that other requests are answered between steps. */
const stepSeconds = 0.2;
const firstWork = 5e6;
const mostWork = 4e9;

/**
 * Searches until a result is found, the search is exhausted, the signal aborts it, or the time is used up.
 * `progress` gets each step's reply.
 */
export async function search(request, signal, seconds, progress) {
  const begun = await ask(request.kind, request);
  let work = firstWork;
  const end = performance.now() + 1000 * seconds;
  for (;;) {
    const before = performance.now();
    const reply = { ...begun, ...(await ask("go-on", { work: Math.round(work) })) };
    if (signal.aborted) return { ...reply, stopped: true };
    progress(reply);
    if (reply.found || reply.one_expression || performance.now() > end) return reply;
    const took = (performance.now() - before) / 1000;
    work = Math.min(mostWork, Math.max(firstWork / 5, work * Math.min(4, stepSeconds / Math.max(took, 0.01))));
  }
}
