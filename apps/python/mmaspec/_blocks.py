"""Operands that frameworks scale block by block before they convert them to FP8."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arguments import integer
from ._arrays import as_numpy
from .formats import dtype_of

#: The largest numbers of FP8 formats.
_LARGEST = {"e4m3": 448, "e5m2": 57344, "e4m3fnuz": 240, "e5m2fnuz": 57344}
#: Ways to compute a block's factor, and its values before they are converted.
RECIPES = ("divide", "inverse", "quotient", "ratio", "power")


def scaled_blocks(
    X: Any, block: tuple[int, int], recipe: str = "divide", format: str = "e4m3"
) -> tuple[np.ndarray, np.ndarray]:
    """A matrix of FP8 numbers, and the scale factor of each block of a matrix, as frameworks compute
    them when they convert activations: `(values, factors)`. X is about `values * factors`.

    `block` is the shape of a block; X has whole blocks in the dimension of K, and may end within a
    block in the other. Let m be the largest magnitude of a block, and L the largest number of
    `format`. All is computed in f32, rounded to nearest even, and larger numbers become L:

    ==========  ===========================================  =======================================
    recipe      factor                                       values
    ==========  ===========================================  =======================================
    divide      m / L                                        x / factor (DeepSeek-V3, vLLM)
    inverse     m / L                                        x * (1 / factor)
    quotient    1 / (L / m)                                  x * (L / m) (torchao)
    ratio       m / L                                        x * (L / m) (DeepGEMM)
    power       the least power of two that is >= m / L      x / factor (factors of ue8m0)
    ==========  ===========================================  =======================================

    A block whose m, factor or 1 / factor is not a normal number has the factor 1.
    """
    if recipe not in RECIPES:
        raise ValueError(f"recipe must be one of {', '.join(RECIPES)}, not {recipe!r}")
    x = as_numpy(X)
    if x.ndim != 2:
        raise ValueError(f"a matrix has two dimensions, not {x.ndim}")
    rows, columns = (integer("block", size, 1) for size in block)
    if format not in _LARGEST:
        raise ValueError(f"format must be an FP8 format, such as 'e4m3', not {format!r}")
    if x.dtype.name not in ("float32", "float16", "bfloat16"):
        raise TypeError(f"numbers that are scaled must be f32, f16 or bf16, not {x.dtype}")
    x = x.astype(np.float32)
    height, width = -(-x.shape[0] // rows), -(-x.shape[1] // columns)
    padded = np.zeros((height * rows, width * columns), np.float32)
    padded[: x.shape[0], : x.shape[1]] = x
    blocks = padded.reshape(height, rows, width, columns)
    to = dtype_of(format)
    largest = np.float32(_LARGEST[format])
    one = np.float32(1)
    m = np.abs(blocks).max((1, 3))
    with np.errstate(all="ignore"):
        up, down = largest / m, m / largest
        if recipe == "quotient":
            down = one / up
        elif recipe == "inverse":
            up = one / down
        elif recipe == "power":
            fraction, exponent = np.frexp(down)
            down = np.ldexp(one, exponent - (fraction == 0.5))
            up = one / down
        is_normal = np.ones(m.shape, bool)
        for number in (m, up, down):
            is_normal &= np.isfinite(number) & (number >= np.finfo(np.float32).tiny)
        up, down = np.where(is_normal, up, one), np.where(is_normal, down, one)
        each = (slice(None), None, slice(None), None)
        scaled = blocks / down[each] if recipe == "divide" else blocks * up[each]
    values = np.clip(scaled, -largest, largest).reshape(padded.shape)
    return values[: x.shape[0], : x.shape[1]].astype(to), down.astype(np.float32)
