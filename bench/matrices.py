#!/usr/bin/env python3
"""Dot products per second of whole matrices on one thread, also of other simulators in the same run.

    PYTHONPATH=build/release/python bench/matrices.py [--mma-sim FOLDER]... [--json]

Counts processor time, so that a busy machine matters less. --mma-sim: a checkout of MMA-Sim
(https://github.com/microsoft/MMA-Sim) or of a fork with its interface; it needs torch. Results are
compared with those of the catalogue's variant @mma-sim.
"""

import argparse
import importlib
import json
import sys
import time

import numpy as np

import mmaspec

NAMES = [
    "hopper/mma.m16n8k16.f32.f16.f16.f32",
    "ampere/mma.m16n8k16.f32.f16.f16.f32",
    "hopper/wgmma.m64n8k32.f32.e4m3.e4m3",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "cdna2/v_mfma_f32_32x32x8f16",
]


def seconds(work, at_least=0.5):
    """Processor seconds of one run, after one that builds what is kept; the least of three."""
    work()
    best = float("inf")
    for _ in range(3):
        runs, start = 0, time.process_time()
        while True:
            work()
            runs += 1
            passed = time.process_time() - start
            if passed > at_least / 3:
                break
        best = min(best, passed / runs)
    return best


def operands(u, m, n, k):
    rng = np.random.default_rng(0)
    f = mmaspec.formats
    a = f.round_to(u.a, rng.standard_normal((m, k)))
    b = f.round_to(u.b, rng.standard_normal((k, n)))
    return a, b, f.round_to(u.c, rng.standard_normal((m, n)))


def ours(name, m=256, n=256, k=1024):
    u = mmaspec.unit(name)
    a, b, c = operands(u, m, n, k)
    return m * n * (k // u.k) / seconds(lambda: u(a, b, c, threads=1))


def theirs(folder, name="hopper/mma.m16n8k16.f32.f16.f16.f32"):
    """The rate of MMA-Sim's Hopper mma.m16n8k16 on f16."""
    import torch

    torch.set_num_threads(1)
    for missing in ("float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e4m3fnuz", "float8_e5m2fnuz"):
        if not hasattr(torch, missing):  # an older torch: what is not run needs no type
            setattr(torch, missing, object())
    for module in [m for m in sys.modules if m.split(".")[0] == "mmasim"]:
        del sys.modules[module]
    sys.path.insert(0, folder)
    nv_ptx = importlib.import_module("mmasim.simulator.nv_ptx")
    sys.path.remove(folder)
    mma = nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")
    u = mmaspec.unit(name + "@mma-sim")
    a, b, c = operands(u, 16, 8, 16)
    tensors = [torch.tensor(x.tolist(), dtype=t) for x, t in zip((a, b, c), (torch.float16, torch.float16, torch.float32))]
    d = np.array(mma(*tensors).tolist(), dtype=np.float32)
    assert (d == u(a, b, c)).all(), "results differ"
    rate = 16 * 8 / seconds(lambda: mma(*tensors))
    tile = 16 * 8 / seconds(lambda: u(a, b, c, threads=1))
    return rate, tile


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mma-sim", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    result = {name: ours(name) for name in NAMES}
    for folder in arguments.mma_sim:
        result[folder], result[f"mmaspec, the same tile as {folder}"] = theirs(folder)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        for name, rate in result.items():
            print(f"{name:<60} {rate:>14,.0f} dot products a second")


if __name__ == "__main__":
    main()
