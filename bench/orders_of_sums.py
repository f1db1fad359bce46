#!/usr/bin/env python3
"""Compares `mmaspec.explain` with FPRev on products of libraries on this machine's CPU.

    PYTHONPATH=build/release/python bench/orders_of_sums.py FPREV

FPREV is a checkout of github.com/peichenxie/FPRev (Xie et al., USENIX ATC 2025), which needs the package graphviz. Both
get the same function in one run: NumPy's product, and PyTorch's where it is installed. The table that this prints is in
docs/validation.md: how many times each calls the function, whether both find the same tree of sums, and the plan. FPRev measures one
element: it is asked for one of each set of elements that add alike.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np

import mmaspec
from mmaspec._summation import sorted_tree, text_of_tree

SIZES = ((16, 16, 64), (64, 64, 64), (256, 256, 256), (64, 64, 500), (33, 49, 100), (1, 64, 100), (64, 1, 128), (1, 1, 64))
LONGEST = 260  # letters of a plan's name


def numpy_product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return A @ B


def torch_product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    import ml_dtypes
    import torch

    def tensor(x: np.ndarray) -> Any:
        if x.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(x)

    D = torch.mm(tensor(A), tensor(B))
    if D.dtype == torch.bfloat16:
        return D.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return D.numpy()


def libraries() -> Iterator[tuple[str, Callable[[Any, Any], Any], tuple[str, ...]]]:
    yield f"NumPy {np.__version__}", numpy_product, ("f32", "f64")
    try:
        import torch
    except ImportError:
        return
    yield f"PyTorch {torch.__version__}", torch_product, ("f32", "f64", "bf16")


def of_fprev(
    fprev: Any, function: Callable[[Any, Any], Any], sizes: tuple[int, int, int], name: str, element: tuple[int, int]
) -> tuple[str, int]:
    """FPRev's tree of an element, and how many times it called the function."""
    m, n, k = sizes
    kind = mmaspec.formats.dtype_of(name)
    huge = 2.0**1000 if name == "f64" else 2.0**126

    class Product(fprev.AccumImpl):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            self.n_summands = k
            self.A, self.B = np.ones((m, k), kind), np.ones((k, n), kind)
            self.calls = 0

        def set_mask(self, k: int, negative: bool = False) -> None:
            self.A[element[0], k] = -huge if negative else huge

        def reset_mask(self, k: int) -> None:
            self.A[element[0], k] = 1

        def get_l(self) -> int:
            self.calls += 1
            return k - int(function(self.A, self.B)[element])

    product = Product()
    graph = fprev.fprev(product)
    children: dict[int, list[int]] = {}
    for line in graph.source.splitlines():
        if "->" in line:
            child, parent = (int(x) for x in line.split("->"))
            children.setdefault(parent, []).append(child)
    below = {child for some in children.values() for child in some}
    (root,) = [node for node in children if node not in below]
    trees: dict[int, Any] = {}
    todo = [root]
    while todo:
        node = todo[-1]
        missing = [c for c in children.get(node, ()) if c not in trees]
        if missing:
            todo += missing
            continue
        todo.pop()
        trees[node] = tuple(trees[c] for c in children[node]) if node in children else node
    return text_of_tree(sorted_tree(trees[root])), product.calls


def shortened(plan: str) -> str:
    """A plan's name for a table; a tree may have thousands of letters."""
    return plan if len(plan) <= LONGEST else plan[:LONGEST] + "..."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fprev", type=Path, help="FPRev's checkout")
    parser.add_argument("--units", default="x86", help="what may have run (default: x86)")
    parser.add_argument("--formats", default="f32,f64,bf16", help="of the operands (default: f32,f64,bf16)")
    options = parser.parse_args()
    sys.path.insert(0, str(options.fprev))
    sys.setrecursionlimit(100000)
    import fprev

    print("| library | format | M x N x K | FPRev: calls | `explain`: calls for trees | in all | trees | plans |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for library, function, names in libraries():
        for name in [n for n in names if n in options.formats.split(",")]:
            for sizes in SIZES:
                m, n, k = sizes
                found = mmaspec.explain(function, m, n, k, formats=(name,) * 3, units=options.units)
                # FPRev measures one element: here one of each set of elements with the same order
                # of additions.
                elements = {p.tree: p.elements_of for p in found.plans if p.tree in found.trees}
                places = [(0, 0) if w is None else tuple(np.argwhere(w)[0]) for w in elements.values()] or [(0, 0)]
                measured = [of_fprev(fprev, function, sizes, name, place) for place in places]
                calls = sum(count for _, count in measured)
                trees = {tree for tree, _ in measured}
                same = "the same" if trees == set(found.trees) else "unlike" if found.trees else "not measured"
                if len(trees) > 1:
                    same += f" {len(trees)}"
                plans = "; ".join(f"`{shortened(p.plan)}`" + (f" {p.where}" if p.where else "") for p in found.plans)
                shape = f"{m} x {n} x {k}"
                print(f"| {library} | {name} | {shape} | {calls} | {found.mask_calls} | {found.calls} | {same} | {plans or found.verdict} |", flush=True)


if __name__ == "__main__":
    main()
