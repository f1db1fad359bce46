"""Operands in the memory of a CUDA device, and results that are computed there."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib.util
import re
from pathlib import Path
from typing import Any, Iterable, NamedTuple

import numpy as np

from . import _core
from ._arrays import SIGNED, bits_of, is_torch
from .formats import dtype_name, word_of

#: DLPack's types of devices: CUDA's memory, and its managed memory.
_CUDA = (2, 13)
#: The stream that DLPack's producers must be told, and on which they are then read: the legacy
#: default stream.
_DEFAULT_STREAM = 1
#: Element types by DLPack's code and number of bits.
_DLPACK = {
    **{(0, bits): f"int{bits}" for bits in (8, 16, 32, 64)},
    **{(1, bits): f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{(2, bits): f"float{bits}" for bits in (16, 32, 64)},
    (4, 16): "bfloat16",
    (10, 8): "float8_e4m3fn",
    (11, 8): "float8_e4m3fnuz",
    (12, 8): "float8_e5m2",
    (13, 8): "float8_e5m2fnuz",
    (14, 8): "float8_e8m0fnu",
}


class OnDevice(NamedTuple):
    """A matrix operand or result in the memory of a CUDA device."""

    #: Unsigned integers at the device's addresses. Only shape, strides and type may be used: the
    #: CPU cannot read the elements.
    words: np.ndarray
    #: The name of the type of the elements, such as "bfloat16"
    dtype: str
    #: The number of the device; None for an array without elements that does not say
    device: int | None
    #: The stream on which the elements are valid; None: on any stream
    stream: int | None
    writeable: bool
    #: Keeps the memory.
    owner: Any


class _Addresses:
    """What NumPy asks for an array at an address."""

    def __init__(self, **interface: Any) -> None:
        self.__array_interface__ = interface | {"version": 3}


def _words_at(address: int, shape: Iterable[int], strides: Iterable[int] | None, itemsize: int) -> np.ndarray:
    """An array at the device's address; strides in bytes."""
    steps = None if strides is None else tuple(strides)
    sizes = tuple(shape)
    if 0 in sizes:
        return np.empty(sizes, dtype=f"u{itemsize}")
    if any(step % itemsize for step in (address, *(steps or ()))):
        raise ValueError(f"an array starts, or has steps, within an element of {itemsize} bytes")
    return np.asarray(_Addresses(data=(address, False), shape=sizes, strides=steps, typestr=f"<u{itemsize}"))


def is_on_cuda(x: Any) -> bool:
    """Whether an operand is in the memory of a CUDA device."""
    if x is None or isinstance(x, np.ndarray):
        return False
    if is_torch(x):
        import torch

        return bool(x.is_cuda) and torch.version.hip is None  # ROCm's tensors are on "cuda", too
    if hasattr(x, "__dlpack_device__"):
        return int(x.__dlpack_device__()[0]) in _CUDA
    return hasattr(x, "__cuda_array_interface__")


def _of_torch(x: Any) -> OnDevice:
    import torch

    x = x.detach().resolve_neg()
    size = x.element_size()
    words = _words_at(x.data_ptr(), x.shape, [s * size for s in x.stride()], size)
    stream = torch.cuda.current_stream(x.device).cuda_stream
    return OnDevice(words, str(x.dtype).removeprefix("torch."), x.device.index, stream, True, x)


def _of_interface(name: str, x: Any, interface: dict[str, Any]) -> OnDevice:
    if interface.get("mask") is not None:
        raise TypeError(f"{name} is a masked array, which has no meaning here")
    stream = interface.get("stream")
    if stream == 0:
        raise ValueError(
            f"{name}: stream 0 is ambiguous in __cuda_array_interface__, whose streams are 1, 2, or a handle"
        )
    dtype = np.dtype(interface["typestr"])
    known = dtype.name
    if dtype.kind == "V":  # a type that NumPy lacks
        known = str(getattr(getattr(x, "dtype", None), "name", ""))
    if dtype.kind not in "iufV" or not dtype.isnative or not known:
        raise TypeError(f"{name} is an array of {interface['typestr']}, which is not a type of numbers")
    address, read_only = interface["data"]
    device = _core.cuda_device_of(address) if address else None
    words = _words_at(address, interface["shape"], interface.get("strides"), dtype.itemsize)
    return OnDevice(words, known, device, stream, not read_only, x)


def _of_dlpack(name: str, x: Any) -> OnDevice:
    try:
        capsule = x.__dlpack__(stream=_DEFAULT_STREAM, max_version=(1, 1))
    except TypeError:  # a producer older than versions
        capsule = x.__dlpack__(stream=_DEFAULT_STREAM)
    array, address, shape, strides, code, bits, lanes, device = _core.describe_dlpack(capsule)
    dtype = _DLPACK.get((code, bits))
    if dtype is None or lanes != 1:
        raise TypeError(f"{name} is an array of DLPack's type {code} with {bits} bits, which is not supported")
    size = bits // 8
    words = _words_at(address, shape, [s * size for s in strides], size)
    return OnDevice(words, dtype, device, _DEFAULT_STREAM, False, (x, array))


def _view(name: str, x: Any) -> OnDevice:
    """The array as the library gives it.

    An array with __cuda_array_interface__ and a stream is read on that stream, which is the
    caller's current one. DLPack's arrays are read on the default stream.
    """
    if is_torch(x):
        return _of_torch(x)
    if isinstance(x, DeviceArray):
        return x.on_device()
    interface = getattr(x, "__cuda_array_interface__", None)
    if interface is not None and (interface.get("stream") is not None or not hasattr(x, "__dlpack__")):
        return _of_interface(name, x, interface)
    return _of_dlpack(name, x)


def _unpacked(x: Any, axis: int) -> Any:
    """FP4 patterns of a torch tensor, two a byte, as one a byte."""
    import torch

    words = x.view(torch.uint8)
    at = words.dim() + axis
    return torch.stack([words & 0xF, words >> 4], dim=at + 1).flatten(at, at + 1)


def _narrow(name: str, x: Any, found: OnDevice, format_name: str) -> Any:
    """The patterns of a format of less than 8 bits, checked and without the unused bits."""
    bits = bits_of(format_name)
    try:
        if format_name == "s4":
            wrong = found.dtype == "int8" and bool(((x < -8) | (x > 7)).any())
        else:
            wrong = found.dtype == "uint8" and bool((x >> bits).any())
        patterns = _bytes_of(x) & ((1 << bits) - 1)
    except (AttributeError, TypeError):
        raise TypeError(
            f"{name}: arrays of {format_name} on a device need a library with operators for integers"
        ) from None
    if wrong:
        raise ValueError(f"{name} contains numbers that {format_name}, of {bits} bits, does not have")
    return patterns


def _bytes_of(x: Any) -> Any:
    if is_torch(x):
        import torch

        return x.view(torch.uint8)
    return x.view("uint8")


def require_on_cuda(arrays: dict[str, Any]) -> None:
    """Raises TypeError if one of the arrays is elsewhere."""
    for name, x in arrays.items():
        if x is not None and not is_on_cuda(x):
            raise TypeError(f"{name} is not on a CUDA device, and an operand is: copy one of them")


def _typed(name: str, x: Any, format_name: str) -> OnDevice:
    """The array, of a type that holds the format. Raises TypeError with what it must be."""
    found = _view(name, x)
    wanted = dtype_name(format_name)
    word = word_of(format_name)
    holds_words = found.dtype == word.name and format_name not in SIGNED
    if not (holds_words or found.dtype == wanted or (format_name == "s4" and found.dtype == "int8")):
        or_patterns = "" if format_name in SIGNED else f" (or of {word}, as bit patterns)"
        raise TypeError(f"{name} must be an array of {wanted}{or_patterns}, not of {found.dtype}")
    return found


def operand(name: str, x: Any, format_name: str, packed_axis: int | None = None) -> OnDevice:
    """An operand of this format."""
    if packed_axis is not None and format_name == "e2m1":
        if not is_torch(x) or x.element_size() != 1:
            raise TypeError(f"{name}: packed FP4 on a device is a torch tensor of uint8 or float4_e2m1fn_x2")
        x = _unpacked(x, packed_axis)
    found = _typed(name, x, format_name)
    if bits_of(format_name) < 8:
        found = _view(name, _narrow(name, x, found, format_name))
    return found


def result(out: Any, format_name: str, shape: tuple[int, ...], device: int, operands: Iterable[Any]) -> OnDevice:
    """The caller's array for D."""
    require_on_cuda({"out": out})
    d = _typed("out", out, format_name)
    if d.words.shape != shape:
        raise ValueError(f"out must have the shape {shape}, not {d.words.shape}")
    if not d.writeable:
        raise ValueError("out is read-only")
    if d.device not in (None, device):
        raise ValueError(f"out is on cuda:{d.device}, and the operands are on cuda:{device}")
    if any(size > 1 and step == 0 for size, step in zip(d.words.shape, d.words.strides)):
        raise ValueError("out has elements that share memory")
    if any(x is not None and np.may_share_memory(d.words, x) for x in operands):
        raise ValueError("out shares memory with an operand")
    return d


def number_of(operands: dict[str, OnDevice]) -> int:
    """The device of all operands."""
    numbers = {name: x.device for name, x in operands.items() if x.device is not None}
    if len(set(numbers.values())) > 1:
        places = ", ".join(f"{name} on cuda:{number}" for name, number in numbers.items())
        raise ValueError(f"the operands are on more than one device: {places}")
    return next(iter(numbers.values()), 0)


def streams_of(operands: Iterable[OnDevice]) -> list[int]:
    """The streams of the operands; the product is computed on the first."""
    return list(dict.fromkeys(x.stream for x in operands if x.stream is not None)) or [_DEFAULT_STREAM]


@functools.cache
def load_compiler() -> None:
    """Loads NVRTC of NVIDIA's wheels, for systems whose library path lacks it."""
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for file in sorted(Path(place).glob("*/lib/libnvrtc.so.*"), reverse=True):
            if re.fullmatch(r"libnvrtc\.so\.[0-9.]+", file.name):
                with contextlib.suppress(OSError):
                    ctypes.CDLL(str(file))
                    return


class DeviceArray:
    """A result in the memory of a CUDA device, for every library that supports DLPack or
    ``__cuda_array_interface__``. All its elements are computed: no stream has to be waited for.
    """

    def __init__(self, shape: tuple[int, ...], dtype: str, itemsize: int, device: int) -> None:
        self.shape = shape
        #: The name of the type of the elements
        self.dtype = dtype
        #: The number of the CUDA device
        self.device = device
        self._itemsize = itemsize
        self._memory = _core.DeviceMemory(device, max(1, int(np.prod(shape, dtype=np.int64)) * itemsize))

    def on_device(self) -> OnDevice:
        words = _words_at(self._memory.address, self.shape, None, self._itemsize)
        return OnDevice(words, self.dtype, self.device, None, True, self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        kind = {"f": "f", "i": "i", "u": "u"}.get(self.dtype[0], "V")
        native = self.dtype in ("float16", "float32", "float64") or kind in "iu"
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": f"<{kind}{self._itemsize}" if native else f"|V{self._itemsize}",
            "data": (0 if 0 in self.shape else self._memory.address, False),
            "strides": None,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA[0], self.device

    def __dlpack__(self, **options: Any) -> Any:
        code, bits = next(key for key, name in _DLPACK.items() if name == self.dtype)
        return _core.DeviceMemory.array(self._memory, self.shape, code, bits).__dlpack__(**options)

    def __repr__(self) -> str:
        return f"mmaspec.DeviceArray({self.shape}, {self.dtype!r}, 'cuda:{self.device}')"


def empty_like(given: Any, shape: tuple[int, ...], format_name: str, bits: bool, device: int) -> tuple[Any, OnDevice]:
    """Memory for a result in the library of the operand `given`, and its addresses."""
    word = word_of(format_name)
    dtype = word.name if bits else dtype_name(format_name)
    if is_torch(given):
        import torch

        if not hasattr(torch, dtype):
            raise TypeError(f"torch does not have the type {dtype}: bits=True returns bit patterns")
        tensor = torch.empty(shape, dtype=getattr(torch, dtype), device=given.device)
        return tensor, _of_torch(tensor)
    array = DeviceArray(shape, dtype, word.itemsize, device)
    return array, array.on_device()


def in_library_of(given: Any, result: Any) -> Any:
    """A DeviceArray as an array of the library of `given`, without a copy. Without such a library,
    the result itself.
    """
    namespace = getattr(given, "__array_namespace__", None)
    if not isinstance(result, DeviceArray) or namespace is None:
        return result
    return namespace().from_dlpack(result)
