#!/usr/bin/env python3
"""Counts the products of libraries that `mmaspec.explain` explains without a plan's name.

    PYTHONPATH=build/release/python bench/explained_products.py numpy [--formats f32,f64] [--most-k 300]
    PYTHONPATH=build/release/python bench/explained_products.py recorded [--every 1] [--suggest]

`numpy` explains NumPy's product on this machine's CPU as a function: matrices of several shapes, each K from 1 to --most-k. `recorded`
explains the products of cuBLAS and Triton in tests/data/hardware/gemm, of which each file has some elements; --every 10 takes
each tenth one. With --suggest, each product that several plans fit is followed further: its simplest plan stands for the library and
computes the product of the matrices that `explain` suggests; all plans are searched for again with this product, and those that
reproduce the recorded elements and all suggested products are left. Both commands print rows of tables of docs/validation.md, and a line for each product that is not explained.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

import numpy as np

import mmaspec
from mmaspec import _core
from mmaspec.formats import dtype_of, word_of

SHAPES = ((16, 16), (64, 64), (32, 48), (33, 49))
RECORDED = Path(__file__).resolve().parent.parent / "tests/data/hardware/gemm"
MOST_ROUNDS = 4  # suggested products
#: Exponent bits, fraction bits, bias.
FORMATS = {"f16": (5, 10, 15), "bf16": (8, 7, 127), "f32": (8, 23, 127), "e4m3": (4, 3, 7), "e5m2": (5, 2, 15)}


def explain_numpy(formats: list[str], most_k: int) -> None:
    print("| format | M x N | K | explained | by several plans | none fits or undecided | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in formats:
        for m, n in SHAPES:
            explained = regions = 0
            worst = 0.0
            others = []
            for k in range(1, most_k + 1):
                before = time.process_time()
                found = mmaspec.explain(np.matmul, m, n, k, formats=(name,) * 3, units="x86")
                worst = max(worst, time.process_time() - before)
                explained += found.verdict == "explained"
                regions += found.verdict == "explained" and len(found.plans) > 1
                if found.verdict != "explained":
                    others.append(f"{m} x {n} x {k}: {found.verdict}: {found.trees}")
            print(f"| {name} | {m} x {n} | 1 to {most_k} | {explained} | {regions} | {len(others)} | {worst:.1f} |", flush=True)
            print("".join(f"{line}\n" for line in others), end="", flush=True)


def split_mix(x: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        z = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def operand(name: str, row: dict[str, int], which: int, indexes: np.ndarray) -> np.ndarray:
    """Elements of a matrix as hardware/replay/device/cuda/capture/gemm.py makes them."""
    exponent_bits, fraction_bits, bias = FORMATS[name]
    h = split_mix(np.uint64((row["seed"] << 40) + (which << 36)) + indexes.astype(np.uint64))
    field = np.uint64(bias) - h % np.uint64(1 << 20) % np.uint64(row["span"])
    fraction = (h >> np.uint64(20)) & np.uint64((1 << fraction_bits) - 1)
    bits = h >> np.uint64(63) << np.uint64(exponent_bits + fraction_bits) | field << np.uint64(fraction_bits) | fraction
    word = {8: np.uint8, 16: np.uint16, 32: np.uint32}[1 + exponent_bits + fraction_bits]
    return bits.astype(word)


def rounds_to_one_plan(found: mmaspec.Explanation, operands: tuple[np.ndarray, ...], formats: dict[str, str]) -> int:
    """After how many suggested products one plan is left, if the library is the simplest plan; 0: several are left."""
    A, B, D = operands
    k = A.shape[1]
    library = mmaspec.unit(found.plans[0].plan)
    left = [p.plan for p in found.plans]
    products = [(A.view(dtype_of(library.a)), B.view(dtype_of(library.b)), D)]
    for rounds in range(1, MOST_ROUNDS + 1):
        hint = json.loads(_core.explain_suggest(left, k, 60.0))
        a, b = (np.array(hint[x], np.uint64).astype(word_of(of)) for x, of in (("a", library.a), ("b", library.b)))
        a, b = a.reshape(-1, k).view(dtype_of(library.a)), b.reshape(k, -1).view(dtype_of(library.b))
        found = mmaspec.explain(a, b, library(a, b), units="hopper", formats=formats)
        left = [p.plan for p in found.plans if all((mmaspec.unit(p.plan)(x, y).view(z.dtype) == z).all() for x, y, z in products)]
        products.append((a, b, library(a, b)))
        if len(left) == 1 and found.document["unchecked"] == 0:
            return rounds
        if len(left) < 2:
            break
    return 0


def explain_recorded(every: int, suggest: bool) -> None:
    kinds = ("explained", "several", "time", "none fits")
    head = ["file", "A, B", "D", "products", "explained", "undecided: several plans fit", "undecided: time", "none fits"]
    if suggest:
        kinds += ("first", "later", "never")
        head += ["of the several: one plan after the first suggested product", f"after 2 to {MOST_ROUNDS}", "several are left"]
    head.append("seconds")
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join(["---"] * len(head)) + " |")
    for file in ("h100.jsonl.gz", "h100-wide.jsonl.gz"):
        with gzip.open(RECORDED / file, "rt") as lines:
            rows = [row for row in map(json.loads, lines) if "elements" in row][::every]
        counts: dict[tuple[str, str], dict[str, int]] = {}
        worst: dict[tuple[str, str], float] = {}
        for row in rows:
            of = row["a"], row["d"]
            k = np.arange(row["k"])
            A = operand(row["a"], row, 0, np.array(row["d_rows"])[:, None] * row["k"] + k)
            B = operand(row["b"], row, 1, k[:, None] * row["n"] + np.array(row["d_columns"]))
            words = [[int(word, 16) for word in text.split()] for text in row["elements"]]
            D = np.array(words, np.uint32 if row["d"] == "f32" else np.uint16)
            if row["a"] == "f32":  # whose bits may be TF32's
                A, B = A.view(np.float32), B.view(np.float32)
                formats = {"D": row["d"]}
            else:
                formats = {"A": row["a"], "B": row["b"], "D": row["d"]}
            before = time.process_time()
            found = mmaspec.explain(A, B, D, units="hopper", formats=formats)
            worst[of] = max(worst.get(of, 0), time.process_time() - before)
            kind = found.verdict if found.verdict != "undecided" else "several" if found.plans else "time"
            numbers = counts.setdefault(of, dict.fromkeys(kinds, 0))
            numbers[kind] += 1
            if suggest and kind == "several":
                rounds = rounds_to_one_plan(found, (A, B, D), formats)
                of_row = f"{row['product']} {row['a']} -> {row['d']} {row['m']} x {row['n']} x {row['k']}, seed {row['seed']}"
                print(f"{of_row}: {f'one plan after {rounds}' if rounds else 'several are left'}", file=sys.stderr, flush=True)
                numbers["never" if rounds == 0 else "first" if rounds == 1 else "later"] += 1
            if kind in ("time", "none fits"):
                print(f"{row['product']} {row['a']} -> {row['d']} {row['m']} x {row['n']} x {row['k']}, seed {row['seed']}: {found}")
        for of, numbers in sorted(counts.items()):
            total = sum(numbers[kind] for kind in ("explained", "several", "time", "none fits"))
            cells = [file, *of, total, *numbers.values(), f"{worst[of]:.1f}"]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_numpy = commands.add_parser("numpy", help="NumPy's products on this CPU")
    of_numpy.add_argument("--formats", default="f32,f64", help="of the operands (default: f32,f64)")
    of_numpy.add_argument("--most-k", type=int, default=300, help="the largest K (default: 300)")
    recorded = commands.add_parser("recorded", help="recorded products of an H100")
    recorded.add_argument("--every", type=int, default=1, help="each how many-th product is explained (default: 1, all)")
    recorded.add_argument("--suggest", action="store_true", help="follow products that several plans fit")
    options = parser.parse_args()
    if options.command == "numpy":
        explain_numpy(options.formats.split(","), options.most_k)
    else:
        explain_recorded(options.every, options.suggest)


if __name__ == "__main__":
    main()
