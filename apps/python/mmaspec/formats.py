"""Number formats of the specifications, and their NumPy types.

===========  ===============================  =====================================================
format       NumPy type of values             notes
===========  ===============================  =====================================================
f64          float64
f32          float32
tf32, xf32   float32                          the unit ignores the low 13 bits: values are cut toward
                                              zero, not rounded; :func:`round_to` rounds them before
f16          float16
bf16         ml_dtypes.bfloat16
e4m3         ml_dtypes.float8_e4m3fn
e5m2         ml_dtypes.float8_e5m2
e4m3fnuz     ml_dtypes.float8_e4m3fnuz        AMD's fp8
e5m2fnuz     ml_dtypes.float8_e5m2fnuz        AMD's bf8
e3m2         ml_dtypes.float6_e3m2fn
e2m3         ml_dtypes.float6_e2m3fn
e2m1         ml_dtypes.float4_e2m1fn          one a byte; two a byte with ``packed=True``
ue8m0        ml_dtypes.float8_e8m0fnu         scale factors
ue4m3        ml_dtypes.float8_e4m3fn          scale factors; the unit ignores the sign bit
s8, s16, s32 int8, int16, int32
u8           uint8
s4, u4       ml_dtypes.int4, uint4            one a byte; s4 also as int8, from -8 to 7
===========  ===============================  =====================================================

An array of unsigned integers of the same size holds bit patterns, for all formats except s4, s8,
s16 and s32, for which 200 would silently become -56.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import _core

_NATIVE = {
    "f64": "float64",
    "f32": "float32",
    "tf32": "float32",
    "xf32": "float32",
    "f16": "float16",
    "s8": "int8",
    "s16": "int16",
    "s32": "int32",
    "u8": "uint8",
}
_ML_DTYPES = {
    "bf16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e3m2": "float6_e3m2fn",
    "e2m3": "float6_e2m3fn",
    "e2m1": "float4_e2m1fn",
    "ue8m0": "float8_e8m0fnu",
    "ue4m3": "float8_e4m3fn",
    "s4": "int4",
    "u4": "uint4",
}


def _fixed_point(name: str) -> str:
    """The NumPy type of the counts of a fixed-point format `fixed:I.F`; empty: it is another format."""
    if not name.startswith("fixed:"):
        return ""
    bits = _core.format_bits(name)
    if bits not in (8, 16, 32):
        raise ValueError(f"arrays of {name} are not supported: they would need elements of {bits} bits")
    return f"int{bits}"


def dtype_name(name: str) -> str:
    """The NumPy type of a format's values, by name."""
    try:
        return _fixed_point(name) or _NATIVE.get(name) or _ML_DTYPES[name]
    except KeyError:
        raise ValueError(f"unknown format {name!r}") from None


@functools.cache
def dtype_of(name: str) -> np.dtype[Any]:
    """The NumPy type of a format's values.

    Raises ImportError if the type is defined by ml_dtypes, and ml_dtypes is not installed.
    """
    if name in _NATIVE or _fixed_point(name):
        return np.dtype(dtype_name(name))
    try:
        import ml_dtypes
    except ImportError:
        raise ImportError(
            f"{dtype_name(name)} arrays need the package ml_dtypes; bit patterns (bits=True, and "
            "unsigned integers as operands) do not"
        ) from None
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, dtype_name(name)))
    return dtype


@functools.cache
def word_of(name: str) -> np.dtype[Any]:
    """The unsigned integer type of a format's bit patterns."""
    _fixed_point(name)  # which are integers of 8, 16 or 32 bits
    bits = _core.format_bits(name)
    return np.dtype(f"u{1 if bits <= 8 else bits // 8}")


def round_to(name: str, values: Any) -> np.ndarray:
    """Values as an array of the format, rounded to nearest even, as a cast does.

    TF32 and xF32 are rounded to their 10 fraction bits (a kernel that only reinterprets float32
    has them cut instead). NaNs stay NaNs.
    """
    array = np.asarray(values)
    if name not in ("tf32", "xf32"):
        return array.astype(dtype_of(name))
    words = array.astype(np.float32).view(np.uint32)
    magnitude = words & np.uint32(0x7FFFFFFF)
    tie = (words >> np.uint32(13)) & np.uint32(1)
    rounded = (words + (np.uint32(0xFFF) + tie)) & np.uint32(0xFFFFE000)
    special = magnitude >= np.uint32(0x7F800000)
    return np.where(special, words, rounded).astype(np.uint32).view(np.float32)


def values_of(name: str, patterns: Any) -> np.ndarray:
    """Bit patterns (integers) as an array of the format's values."""
    return np.asarray(patterns, dtype=word_of(name)).view(dtype_of(name))
