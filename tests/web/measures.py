"""JavaScript that measures a page. Tests do not check these measures."""

# Dot products per second, computed by a separate worker.
MEASURE = """async ([name]) => {
  const data = await new Promise((resolve) => {
    globalThis.mmaspecData = (key, value) => resolve(value);
    const script = document.createElement("script");
    script.src = "engine-data.js";
    document.head.append(script);
  });
  const packed = Uint8Array.from(atob(data.module), (letter) => letter.charCodeAt(0));
  const module = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const worker = new Worker(URL.createObjectURL(new Blob([data.script], { type: "text/javascript" })));
  worker.postMessage({ module }, [module]);
  const reply = await new Promise((resolve) => {
    worker.onmessage = (event) => resolve(event.data.reply);
    worker.postMessage({ id: 1, name: "measure", request: JSON.stringify({ name, seconds: 1 }) });
  });
  worker.terminate();
  return reply.dot_products_per_second;
}"""

# The longest interval between ticks of a page's clock while its engine works.
PAUSES = """(milliseconds) => new Promise((resolve) => {
  let longest = 0;
  let last = performance.now();
  const end = last + milliseconds;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (now < end) setTimeout(tick, 0); else resolve(longest);
  };
  tick();
})"""
