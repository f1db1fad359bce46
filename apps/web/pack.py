"""Puts the worker's script and the module's bytes into one plain script: pack.py WORKER.js ENGINE.wasm OUT.js.

A page that is opened from a folder may load scripts, but neither workers nor WebAssembly.
"""

import base64
import gzip
import json
import pathlib
import sys


def main() -> None:
    worker, module, out = map(pathlib.Path, sys.argv[1:])
    packed = gzip.compress(module.read_bytes(), 9, mtime=0)
    data = {"script": worker.read_text(), "module": base64.b64encode(packed).decode()}
    out.write_text(f'mmaspecData("engine-data", {json.dumps(data)});\n')
    print(f"{module.name}: {module.stat().st_size} bytes, {len(packed)} compressed", file=sys.stderr)


if __name__ == "__main__":
    main()
