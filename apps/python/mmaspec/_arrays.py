"""Arrays of any library as NumPy arrays of bit patterns, without copies where the layout allows."""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np

from . import _core
from .formats import dtype_name, dtype_of, word_of

#: Torch's types that NumPy lacks, by the words that hold them.
_TORCH_WORDS = {
    "torch.bfloat16": ("int16", "bf16"),
    "torch.float8_e4m3fn": ("uint8", "e4m3"),
    "torch.float8_e5m2": ("uint8", "e5m2"),
    "torch.float8_e4m3fnuz": ("uint8", "e4m3fnuz"),
    "torch.float8_e5m2fnuz": ("uint8", "e5m2fnuz"),
    "torch.float8_e8m0fnu": ("uint8", "ue8m0"),
    "torch.float4_e2m1fn_x2": ("uint8", None),
}


#: DLPack's types of devices whose memory the CPU reads: its own, and pinned memory.
_CPU_MEMORY = (1, 3, 11)


def is_torch(x: Any) -> bool:
    return type(x).__module__.split(".")[0] == "torch"


def _from_torch(x: Any) -> np.ndarray:
    import torch  # importable, because x is a tensor

    x = x.detach()
    if x.device.type == "meta":
        raise TypeError("a tensor of the device 'meta' has no elements")
    if x.device.type != "cpu":
        x = x.cpu()
    word, name = _TORCH_WORDS.get(str(x.dtype), (None, None))
    words: np.ndarray = (x if word is None else x.view(getattr(torch, word))).numpy()
    return words.view(dtype_of(name)) if name else words


def as_numpy(x: Any) -> np.ndarray:
    """The array itself, or a NumPy view of an array of torch, JAX or another library."""
    if isinstance(x, np.ndarray):
        return x
    if is_torch(x):
        return _from_torch(x)
    if hasattr(x, "__array__") or hasattr(x, "__array_interface__"):
        return np.asarray(x)
    if hasattr(x, "__dlpack__"):
        kind = int(x.__dlpack_device__()[0])
        if kind not in _CPU_MEMORY:
            raise TypeError(
                f"an array in the memory of another device (DLPack's device type {kind}): "
                "copy it to the CPU's memory"
            )
        return np.from_dlpack(x)
    return np.asarray(x)


def like(given: Any, format_name: str) -> Callable[[np.ndarray], Any]:
    """The function that converts a result to the library of the operand `given`."""
    if is_torch(given):
        import torch

        def to_torch(d: np.ndarray) -> Any:
            for torch_name, (word, name) in _TORCH_WORDS.items():
                if name == format_name:
                    dtype = getattr(torch, torch_name.split(".")[1])
                    return torch.from_numpy(d.view(word)).view(dtype)
            return torch.from_numpy(d)

        return to_torch
    if type(given).__module__.split(".")[0] in ("jax", "jaxlib"):
        import jax.numpy as jnp

        return lambda d: jnp.asarray(d)
    return lambda d: d


def unpack_fp4(array: np.ndarray, axis: int) -> np.ndarray:
    """Unpacks FP4 patterns, two per byte (the lower half first), to one per byte; `axis` counts
    from the end.
    """
    words = array.view(np.uint8)
    at = words.ndim + axis
    shape = list(words.shape)
    shape[at] *= 2
    return np.stack([words & 0xF, words >> 4], axis=at + 1).reshape(shape)


@functools.cache
def bits_of(format_name: str) -> int:
    """The number of bits of a format's patterns."""
    return _core.format_bits(format_name)


@functools.cache
def name_of(dtype: np.dtype[Any]) -> str:
    """A type's name. Cached, because NumPy builds the string at each call."""
    return dtype.name


#: Signed integer formats: an unsigned array would be read modulo 2^n, so that 200 would be -56.
SIGNED = ("s4", "s8", "s16", "s32")


def holds_patterns(dtype: np.dtype[Any], format_name: str) -> bool:
    """Whether arrays of this type hold bit patterns of the format."""
    return dtype == word_of(format_name) and format_name not in SIGNED


def patterns(operand: str, x: Any, format_name: str, packed_axis: int | None = None) -> np.ndarray:
    """The operand's bit patterns as unsigned integers of the format's size.

    Raises TypeError with what the operand must be; ValueError for patterns of more bits than the
    format has.
    """
    array = as_numpy(x)
    word = word_of(format_name)
    wanted = dtype_name(format_name)
    if packed_axis is not None and format_name == "e2m1":
        if array.dtype != np.uint8:
            raise TypeError(f"{operand}: packed FP4 is an array of uint8, not of {array.dtype}")
        return unpack_fp4(array, packed_axis)
    if holds_patterns(array.dtype, format_name):
        result = array
    elif format_name == "s4" and array.dtype == np.int8:
        if array.size and not (-8 <= int(array.min()) and int(array.max()) <= 7):
            raise ValueError(f"{operand} contains numbers that s4, from -8 to 7, does not have")
        result = array.view(word)
    elif name_of(array.dtype) == wanted:
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        result = array.view(word) if array.ndim else array.reshape(1).view(word).reshape(())
    else:
        or_patterns = "" if format_name in SIGNED else f" (or of {word}, as bit patterns)"
        raise TypeError(
            f"{operand} must be an array of {wanted}{or_patterns}, not of {array.dtype}"
        )
    bits = bits_of(format_name)
    if bits < 8 and array.dtype == word and result.size and int(result.max()) >> bits:
        raise ValueError(f"{operand} contains bits that {format_name}, of {bits} bits, does not have")
    if bits < 8 and array.dtype != word:
        result = result & np.uint8((1 << bits) - 1)
    return result
