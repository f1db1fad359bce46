"""Which tests of a matrix product notice faults of a kernel: prints docs/testing.md's table.

256 x 256 x 4096, operands normal. Each fault is made by emulation: what a kernel with it computes.
"""

from __future__ import annotations

from typing import Any, Callable

import ml_dtypes
import numpy as np

import mmaspec
from mmaspec import testing

F16 = "h100/mma.m16n8k16.f32.f16.f16.f32"
HALF = "h100/mma.m16n8k16.f16.f16.f16.f16"
FP8 = "h100/wgmma.m64n8k32.f32.e4m3.e4m3"


def passes(check: Callable[[], None]) -> bool:
    try:
        check()
    except AssertionError:
        return False
    return True


def rows(
    a: np.ndarray, b: np.ndarray, plan: str, faults: dict[str, Callable[[], np.ndarray]]
) -> list[list[str]]:
    u = mmaspec.unit(plan)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    rms = float(np.sqrt(np.mean(exact**2)))
    table = []
    for name, make in faults.items():
        d = make().astype(np.float32)
        error = d - exact
        checks: list[Callable[[], Any]] = [
            lambda: np.testing.assert_allclose(d, exact, rtol=1e-2, atol=1e-2 * rms),
            lambda: np.testing.assert_array_less(np.linalg.norm(error) / np.linalg.norm(exact), 1e-2),
            lambda: testing.assert_allclose(d, a, b, unit=u),
            lambda: testing.assert_allclose(d, a, b, unit=u, confidence=0.999999),
            lambda: testing.assert_equal(d, a, b, plan=u),
        ]
        noticed = ["passes" if passes(c) else "**fails**" for c in checks]
        table.append([name, f"{np.abs(error).max():.2g}", *noticed])
    return table


def main(m: int = 256, n: int = 256, k: int = 4096) -> None:
    random = np.random.default_rng(2026)
    a, b = random.standard_normal((m, k)), random.standard_normal((k, n))
    half = a.astype(np.float16), b.astype(np.float16)
    unit = mmaspec.unit(F16)

    def drop(x: np.ndarray) -> np.ndarray:
        less = x.copy()
        less[:, k // 2] = 0
        return less

    def one(d: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """One element without one term of average size, 0.64."""
        i = int(np.argmax(np.abs(d[0])))
        terms = x[0].astype(np.float64) * y[:, i].astype(np.float64)
        dropped = int(np.argmin(np.abs(np.abs(terms) - 2 / np.pi)))
        d = d.copy()
        d[0, i] -= np.float32(terms[dropped])
        return d

    table = rows(
        *half,
        F16,
        {
            "f16: none": lambda: unit(*half),
            "f16: one element lacks a term of average size": lambda: one(unit(*half), *half),
            "f16: every element lacks a term": lambda: unit(drop(half[0]), half[1]),
            "f16: accumulated in f16": lambda: mmaspec.unit(HALF)(*half),
        },
    )
    eight = a.astype(ml_dtypes.float8_e4m3fn), b.astype(ml_dtypes.float8_e4m3fn)
    plan = f"plan:promote({FP8}, k={k}, every=128)"
    promoted = mmaspec.unit(plan)
    table += rows(
        *eight,
        plan,
        {
            "FP8: none": lambda: promoted(*eight),
            "FP8: one element lacks a term of average size": lambda: one(promoted(*eight), *eight),
            "FP8: every element lacks a term": lambda: promoted(drop(eight[0]), eight[1]),
            "FP8: not promoted to f32 every 128 products": lambda: mmaspec.unit(FP8)(*eight),
        },
    )
    head = [
        "fault", "largest error", "rtol = 1e-2, atol = 1e-2 rms", "relative norm < 1e-2",
        "assert_allclose, proved", "assert_allclose, confidence", "assert_equal",
    ]  # fmt: skip
    for line in [head, ["---"] * len(head), *table]:
        print("| " + " | ".join(line) + " |")


if __name__ == "__main__":
    main()
