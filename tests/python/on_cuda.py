"""Arrays in the memory of CUDA devices, with a stand-in for the driver: nothing here is a device's result.

test_cuda.py runs this file in a process of its own, with the stand-ins of tests/support/cuda in the path of libraries.
Memory of the stand-in's devices cannot be read by the CPU, and its streams do their work when they are waited for.
"""

from __future__ import annotations

import ctypes
import gc
import os
from typing import Any, Iterator

import numpy as np
import pytest
from conftest import random_patterns

import mmaspec
from mmaspec import _device

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
SCALED = "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"
COMPILED = os.environ.get("MMASPEC_STAND_IN") == "compiled"  # kernels are machine code, by the real NVRTC

driver = ctypes.CDLL("libcuda.so.1")
driver.stand_in_allocate.restype = ctypes.c_uint64
driver.stand_in_allocate.argtypes = [ctypes.c_int, ctypes.c_size_t]
driver.stand_in_write.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t]
driver.stand_in_read.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
driver.stand_in_free.argtypes = [ctypes.c_uint64]
driver.stand_in_log.restype = ctypes.c_char_p
driver.stand_in_blocks.restype = driver.stand_in_contexts.restype = ctypes.c_size_t

interpreted = pytest.mark.skipif(COMPILED, reason="no device executes machine code")


def log() -> list[str]:
    return driver.stand_in_log().decode().splitlines()


class Memory:
    """An array in a device's memory, written on a stream; its views are arrays of both interfaces."""

    def __init__(self, values: np.ndarray, device: int = 0, stream: int = 1) -> None:
        self.device, self.bytes = device, values.nbytes
        self.address = driver.stand_in_allocate(device, max(1, values.nbytes))
        values = np.ascontiguousarray(values)
        driver.stand_in_write(stream, self.address, values.ctypes.data, values.nbytes)

    def __del__(self) -> None:
        driver.stand_in_free(self.address)


class Interface:
    """What CuPy and Numba have: __cuda_array_interface__. `like`: a NumPy array with its shape and strides."""

    def __init__(self, memory: Memory, like: np.ndarray, offset: int = 0, stream: int | None = 1, **others: Any) -> None:
        self.memory = memory
        self.__cuda_array_interface__ = {
            "version": 3, "shape": like.shape, "strides": like.strides, "typestr": like.dtype.str,
            "data": (memory.address + offset, False), "stream": stream, **others,
        }  # fmt: skip


def of(values: np.ndarray, device: int = 0, stream: int = 1, **others: Any) -> Interface:
    return Interface(Memory(values, device, stream), np.ascontiguousarray(values), stream=stream, **others)


class _Tensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]  # fmt: skip


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_from_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_from_capsule.restype = ctypes.c_void_p
_from_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Capsule:
    """What JAX has: DLPack, of an array in a device's memory."""

    def __init__(self, memory: Memory, like: np.ndarray, code: int, offset: int = 0) -> None:
        self.memory, self.deleted, self.streams = memory, 0, []
        size = like.itemsize
        self._shape = (ctypes.c_int64 * like.ndim)(*like.shape)
        self._strides = (ctypes.c_int64 * like.ndim)(*(s // size for s in like.strides))

        def delete(_: Any) -> None:
            self.deleted += 1

        self._delete = _Deleter(delete)
        self._tensor = _Tensor(
            memory.address, 2, memory.device, like.ndim, code, 8 * size, 1, ctypes.addressof(self._shape),
            ctypes.addressof(self._strides), offset, None, ctypes.cast(self._delete, ctypes.c_void_p),
        )  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.memory.device

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        self.streams.append(stream)
        return _new_capsule(ctypes.addressof(self._tensor), b"dltensor", None)


def values_of(result: Any, dtype: Any) -> np.ndarray:
    """The elements of a DeviceArray, or of an Interface without gaps."""
    interface = result.__cuda_array_interface__
    values = np.empty(interface["shape"], dtype)
    if values.size:
        driver.stand_in_read(values.ctypes.data, interface["data"][0], values.nbytes)
    return values


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    gc.collect()
    blocks = driver.stand_in_blocks()
    log()
    yield
    gc.collect()
    # One block of 4 bytes for each unit that the test prepared stays as long as the unit.
    assert driver.stand_in_blocks() <= blocks + 8
    assert driver.stand_in_contexts() == 0  # the caller's current context is restored


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def half(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return random_patterns(rng, "f16", shape).view(np.float16)


@interpreted
def test_a_product_is_computed_in_the_arrays_memory(rng: np.random.Generator) -> None:
    u = mmaspec.unit(HOPPER)
    a, b, c = half(rng, 19, 40), half(rng, 40, 21), rng.standard_normal((19, 21)).astype(np.float32)
    given = of(a, stream=5), of(b, stream=5), of(c, stream=5)
    log()
    d = u(*given)
    assert isinstance(d, mmaspec.DeviceArray) and (d.shape, d.dtype, d.device) == ((19, 21), "float32", 0)
    # Nothing but the word for wrong claims is copied; the kernel runs on the arrays' stream.
    assert [line for line in log() if "load" not in line] == ["write 4", "launch 4 on device 0, stream 5", "read 4"]
    assert np.array_equal(values_of(d, np.uint32), u(a, b, c, bits=True))
    words = u(*given[:2], bits=True)
    assert words.dtype == "uint32" and np.array_equal(values_of(words, np.uint32), u(a, b, bits=True))


@interpreted
def test_strides(rng: np.random.Generator) -> None:
    """Transposed, sliced, reversed and broadcast arrays, and leading dimensions."""
    u = mmaspec.unit(HOPPER)
    whole_a, whole_b = half(rng, 2, 60, 50), half(rng, 30, 90)
    a = whole_a[:, 3:40:2, 5:37]  # 2 x 19 x 32
    b = whole_b[::-1, 10:74:2].T  # 32 x 30
    c = np.broadcast_to(rng.standard_normal((1, 30)).astype(np.float32), (19, 30))
    mine = []
    for whole, view in ((whole_a, a), (whole_b, b), (c[0], c)):
        offset = view.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        mine.append(Interface(Memory(whole), view, offset))
    assert np.array_equal(values_of(u(*mine, bits=True), np.uint32), u(a, b, c, bits=True))
    memory = Memory(np.zeros((2, 30, 40), np.float32))
    shape = np.empty((2, 30, 40), np.float32)[:, :, 3:22].swapaxes(1, 2)  # 2 x 19 x 30
    out = Interface(memory, shape, 12)
    assert u(*mine, out=out) is out
    everything = values_of(Interface(memory, np.empty((2, 30, 40), np.uint32)), np.uint32)
    assert np.array_equal(everything[:, :, 3:22].swapaxes(1, 2), u(a, b, c, bits=True))
    assert not everything[:, :, :3].any() and not everything[:, :, 22:].any()


@interpreted
def test_streams(rng: np.random.Generator) -> None:
    u = mmaspec.unit(HOPPER)
    a, b = half(rng, 16, 16), half(rng, 16, 16)
    expected = u(a, b, bits=True)
    for streams in ((1, 1), (2, 2), (77, 77), (5, 7), (2, 1)):
        d = u(of(a, stream=streams[0]), of(b, stream=streams[1]), bits=True)
        assert np.array_equal(values_of(d, np.uint32), expected), streams
        assert f"launch 1 on device 0, stream {streams[0]}" in log()
    on_default = [Interface(Memory(x), x, stream=None) for x in (a, b)]
    assert np.array_equal(values_of(u(*on_default, bits=True), np.uint32), expected)
    assert "launch 1 on device 0, stream 1" in log()
    with pytest.raises(ValueError, match="^B: stream 0 is ambiguous"):
        u(of(a), Interface(Memory(b), b, stream=0))


@interpreted
def test_dlpack(rng: np.random.Generator) -> None:
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.bf16.bf16.f32")
    a, b = (random_patterns(rng, "bf16", s) for s in ((20, 48), (18, 24)))
    # bf16 has a code of its own; a is the left half of its memory; b is transposed and begins in the third row.
    mine = Capsule(Memory(a), a[:, :24], 4), Capsule(Memory(b), b[2:].T, 4, offset=2 * 24 * 2)
    a, b = a[:, :24], b[2:].T
    d = u(*mine)
    assert d.dtype == "float32"
    assert np.array_equal(values_of(d, np.uint32), u(a, b, bits=True))
    # The producer gets the stream of the consumer, and its memory back.
    assert [x.streams for x in mine] == [[1], [1]] and [x.deleted for x in mine] == [1, 1]
    assert "launch 2 on device 0, stream 1" in log()
    # The result is an operand in turn, and a producer itself.
    assert np.array_equal(values_of(u(*mine, d, bits=True), np.uint32), u(a, b, u(a, b), bits=True))
    assert d.__dlpack_device__() == (2, 0)
    capsule = d.__dlpack__(stream=None)
    tensor = ctypes.cast(_from_capsule(capsule, b"dltensor"), ctypes.POINTER(_Tensor)).contents
    assert (tensor.data, tensor.device_type, tensor.code, tensor.bits) == (d.__cuda_array_interface__["data"][0], 2, 2, 32)


@interpreted
def test_a_capsule_keeps_the_memory(rng: np.random.Generator) -> None:
    given = of(half(rng, 16, 16))
    d = mmaspec.unit(HOPPER)(given, given)
    blocks = driver.stand_in_blocks()
    capsule = d.__dlpack__()
    del d
    gc.collect()
    assert driver.stand_in_blocks() == blocks
    del capsule
    gc.collect()
    assert driver.stand_in_blocks() == blocks - 1


@interpreted
@pytest.mark.parametrize(("name", "code"), [("e4m3", 10), ("e5m2", 12), ("e4m3fnuz", 11)])
def test_types_that_numpy_lacks(rng: np.random.Generator, name: str, code: int) -> None:
    units = {"e4m3": "hopper/wgmma.m64n8k32.f32.e4m3.e4m3", "e5m2": "hopper/wgmma.m64n8k32.f32.e5m2.e5m2",
             "e4m3fnuz": "cdna3/v_mfma_f32_32x32x16_fp8_fp8"}  # fmt: skip
    u = mmaspec.unit(units[name])
    a, b = random_patterns(rng, name, (17, 32)), random_patterns(rng, name, (32, 16))
    expected = u(a, b, bits=True)
    assert np.array_equal(values_of(u(Capsule(Memory(a), a, code), Capsule(Memory(b), b, code), bits=True), np.uint32), expected)
    assert np.array_equal(values_of(u(of(a), of(b), bits=True), np.uint32), expected)  # bytes are patterns
    # An array of bytes without a type (NumPy's V1) says by its `dtype` what it holds.
    typed = of(a, typestr="|V1")
    with pytest.raises(TypeError, match=r"^A is an array of \|V1, which is not a type of numbers$"):
        u(typed, of(b))
    typed.dtype = mmaspec.formats.dtype_of(name)
    assert np.array_equal(values_of(u(typed, of(b), bits=True), np.uint32), expected)
    with pytest.raises(TypeError, match="^A must be an array of float8"):
        u(Capsule(Memory(a), a, 13), of(b))


class Operators(Interface):
    """An array of a library with operators for integers."""

    def __init__(self, values: np.ndarray) -> None:
        super().__init__(Memory(values), values)
        self.values = values

    def __rshift__(self, bits: int) -> np.ndarray:
        return self.values >> bits

    def __and__(self, mask: int) -> Operators:
        return Operators(self.values & np.uint8(mask))

    def view(self, dtype: str) -> Operators:
        return Operators(self.values.view(dtype))


@interpreted
def test_narrow_formats_and_scale_factors(rng: np.random.Generator) -> None:
    u = mmaspec.unit(SCALED)
    blocks = 64 // u.scale_block
    a, b = random_patterns(rng, "e2m1", (17, 64)), random_patterns(rng, "e2m1", (64, 9))
    scales = random_patterns(rng, "ue4m3", (17, blocks)), random_patterns(rng, "ue4m3", (blocks, 9))
    d = u(Operators(a), Operators(b), scale_a=Operators(scales[0]), scale_b=Operators(scales[1]), bits=True)
    assert np.array_equal(values_of(d, np.uint32), u(a, b, scale_a=scales[0], scale_b=scales[1], bits=True))
    a[3, 4] = 16
    with pytest.raises(ValueError, match="^A contains numbers that e2m1, of 4 bits, does not have$"):
        u(Operators(a), Operators(b), scale_a=Operators(scales[0]), scale_b=Operators(scales[1]))
    with pytest.raises(TypeError, match="^A: arrays of e2m1 on a device need a library with operators"):
        u(of(a), of(b), scale_a=of(scales[0]), scale_b=of(scales[1]))
    with pytest.raises(TypeError, match="^A: packed FP4 on a device is a torch tensor"):
        u(of(a), of(b), scale_a=of(scales[0]), scale_b=of(scales[1]), packed=True)


@interpreted
def test_other_devices(rng: np.random.Generator) -> None:
    u = mmaspec.unit(HOPPER)
    a, b = half(rng, 16, 16), half(rng, 16, 16)
    on_second = of(a, device=1), of(b, device=1)
    d = u(*on_second)
    assert d.device == 1 and d.__dlpack_device__() == (2, 1) and "launch 1 on device 1, stream 1" in log()
    assert np.array_equal(values_of(u(*on_second, device="cuda:1", bits=True), np.uint32), u(a, b, bits=True))
    with pytest.raises(ValueError, match="^the operands are on more than one device: A on cuda:0, B on cuda:1$"):
        u(of(a), on_second[1])
    for device in ("cuda", "cuda:0", "opencl"):
        with pytest.raises(ValueError, match=f"^the operands are on cuda:1, and device is '{device}'$"):
            u(*on_second, device=device)
    with pytest.raises(TypeError, match="^B is not on a CUDA device, and an operand is"):
        u(of(a), b)
    with pytest.raises(TypeError, match="^A is not on a CUDA device"):
        u(a, b, of(np.zeros((16, 16), np.float32)))
    # NumPy's arrays on the device are copied there and back.
    assert np.array_equal(u(a, b, device="cuda:1", bits=True), u(a, b, bits=True))


@interpreted
def test_empty_arrays() -> None:
    u = mmaspec.unit(HOPPER)
    empty = Interface(Memory(np.zeros(1, np.float16)), np.zeros((0, 16), np.float16), data=(0, False))
    d = u(empty, of(np.ones((16, 8), np.float16)))
    assert d.shape == (0, 8) and d.__cuda_array_interface__["data"] == (0, False)
    nothing = u(of(np.ones((4, 0), np.float16)), of(np.ones((0, 5), np.float16)), bits=True)
    assert np.array_equal(values_of(nothing, np.uint32), np.zeros((4, 5), np.uint32))


@interpreted
def test_bad_arrays(rng: np.random.Generator) -> None:
    u = mmaspec.unit(HOPPER)
    a, b = half(rng, 16, 16), half(rng, 16, 16)
    good = of(a), of(b)
    for wrong, error, message in [
        (of(a.astype(np.float32)), TypeError, "A must be an array of float16"),
        (of(a.astype(">f2")), TypeError, "A is an array of >f2"),
        (of(a, mask=object()), TypeError, "A is a masked array"),
        (of(a, data=(4096, False)), ValueError, "cuda: address 0x1000 is not in the memory of a device"),
        (of(a[0]), ValueError, "A has 1 dimensions"),
        (of(a[:, :5]), ValueError, "their K differ"),
        (Interface(Memory(a), a[:, :8].view(np.uint8)[:, ::2].view(), typestr="<f2", shape=(15, 16), strides=(32, 1)),
         ValueError, "within an element"),
        (Interface(Memory(a), a[1:, :], offset=1), ValueError, "within an element"),
    ]:  # fmt: skip
        with pytest.raises(error, match=message) as raised:
            u(wrong, good[1])
        assert "\n" not in str(raised.value)
    for out, error, message in [
        (np.empty((16, 16), np.float32), TypeError, "out is not on a CUDA device"),
        (of(np.zeros((16, 8), np.float32)), ValueError, r"out must have the shape \(16, 16\)"),
        (of(a), TypeError, "out must be an array of float32"),
        (of(np.zeros((16, 16), np.float32), device=1), ValueError, "out is on cuda:1"),
        (of(np.zeros((16, 16), np.float32), strides=(0, 4)), ValueError, "share memory"),
    ]:  # fmt: skip
        with pytest.raises(error, match=message):
            u(*good, out=out)
    read_only = of(np.zeros((16, 16), np.float32))
    read_only.__cuda_array_interface__["data"] = (read_only.memory.address, True)
    with pytest.raises(ValueError, match="out is read-only"):
        u(*good, out=read_only)
    c = of(np.zeros((16, 16), np.float32))
    with pytest.raises(ValueError, match="out shares memory with an operand"):
        u(*good, c, out=c)
    with pytest.raises(TypeError, match="out must be a NumPy array"):
        u(a, b, out=c)


@interpreted
@pytest.mark.parametrize(
    ("function", "status", "message"),
    [
        ("cuLaunchKernel", 700, "cuda: cuLaunchKernel failed: an illegal memory access was encountered (error 700)"),
        ("cuMemAlloc", 2, "cuda: cuMemAlloc failed: the device is out of memory"),
        ("cuStreamSynchronize", 900, "cuda: cuStreamSynchronize failed: stand-in error (error 900)"),
    ],
)
def test_failures_of_the_device(rng: np.random.Generator, function: str, status: int, message: str) -> None:
    u = mmaspec.unit(HOPPER)
    a, b = half(rng, 16, 16), half(rng, 16, 16)
    given = of(a), of(b)
    expected = values_of(u(*given, bits=True), np.uint32)
    driver.stand_in_fail(function.encode(), status)
    with pytest.raises(ValueError) as raised:
        u(*given)
    assert str(raised.value) == message
    assert np.array_equal(values_of(u(*given, bits=True), np.uint32), expected)


@interpreted
def test_libraries_get_their_own_arrays(rng: np.random.Generator) -> None:
    """The array API's from_dlpack of the library of A, as CuPy and JAX have it."""

    class Library(Interface):
        def __array_namespace__(self) -> Any:
            class Namespace:
                from_dlpack = staticmethod(lambda result: ("theirs", result))

            return Namespace

    a = half(rng, 16, 16)
    d = mmaspec.unit(HOPPER)(Library(Memory(a), a), of(a))
    assert d[0] == "theirs" and isinstance(d[1], mmaspec.DeviceArray)


@pytest.mark.skipif(not COMPILED, reason="needs NVRTC: its machine code is loaded, and not executed")
@pytest.mark.parametrize("name", [HOPPER, SCALED, "cdna3/v_mfma_f32_32x32x16_fp8_fp8", f"plan:split-k({HOPPER},k=64)"])
def test_nvrtc_compiles(name: str) -> None:
    u = mmaspec.unit(name)
    one = np.ones((16, 64), np.uint16 if u.a == "f16" else np.uint8)
    scales = {}
    if u.scale is not None:
        scale = np.ones((16, 64 // u.scale_block), np.uint8)
        scales = {"scale_a": scale, "scale_b": np.ascontiguousarray(scale.T)}
    u(one, np.ascontiguousarray(one.T), device="cuda", **scales)  # the kernel is not executed
    assert "load machine code" in log()


# PyTorch's tensors, here in the CPU's memory: the stand-in's kernels can access it, and everything but the allocation
# is as it is for tensors on a GPU.


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from mmaspec.torch import _products

    class Stream:
        cuda_stream = 5

    def is_on_cuda(x: Any) -> bool:
        return isinstance(x, torch.Tensor)

    for module in (_device, _products):
        monkeypatch.setattr(module, "is_on_cuda", is_on_cuda)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: Stream)
    return torch


@interpreted
def test_tensors(torch: Any, rng: np.random.Generator) -> None:
    u = mmaspec.unit("hopper/wgmma.m64n8k32.f32.e4m3.e5m2")
    a, b = random_patterns(rng, "e4m3", (2, 20, 64)), random_patterns(rng, "e5m2", (18, 64))
    c = rng.standard_normal(18).astype(np.float32)
    mine = [torch.from_numpy(x).view(t) for x, t in ((a, torch.float8_e4m3fn), (b, torch.float8_e5m2))]
    bias = torch.from_numpy(c).requires_grad_()
    d = u(mine[0][:, ::2, 3:35], mine[1].t()[7:39], bias.expand(10, 18))
    assert d.dtype == torch.float32 and "launch 2 on device 0, stream 5" in log()
    host = u(a[:, ::2, 3:35], b.T[7:39], np.broadcast_to(c, (10, 18)), bits=True)
    assert np.array_equal(d.numpy().view(np.uint32), host)
    words = u(mine[0][:, ::2, 3:35], mine[1].t()[7:39], bias.expand(10, 18), bits=True)
    assert words.dtype == torch.uint32 and np.array_equal(words.numpy(), host)
    out = torch.zeros(2, 18, 30)[:, :, 10:20].transpose(1, 2)
    assert u(mine[0][:, ::2, 3:35], mine[1].t()[7:39], bias.expand(10, 18), out=out) is out
    assert np.array_equal(out.numpy().view(np.uint32), host)
    with pytest.raises(ValueError, match="elements that share memory"):
        u(mine[0][0], mine[1].t(), out=torch.zeros(1, 1).expand(20, 18))
    with pytest.raises(TypeError, match="^A must be an array of float8_e4m3fn .*, not of bfloat16$"):
        u(torch.zeros(2, 32, dtype=torch.bfloat16), mine[1].t())


@interpreted
def test_packed_tensors(torch: Any, rng: np.random.Generator) -> None:
    u = mmaspec.unit(SCALED)
    a, b = (rng.integers(0, 256, s, dtype=np.uint8) for s in ((17, 32), (32, 9)))
    scales = random_patterns(rng, "ue4m3", (17, 4)), random_patterns(rng, "ue4m3", (4, 9))
    d = u(
        torch.from_numpy(a), torch.from_numpy(b).view(torch.float4_e2m1fn_x2), packed=True, bits=True,
        scale_a=torch.from_numpy(scales[0]).view(torch.float8_e4m3fn), scale_b=torch.from_numpy(scales[1]),
    )  # fmt: skip
    expected = u(a, b, packed=True, bits=True, scale_a=scales[0], scale_b=scales[1])
    assert np.array_equal(d.numpy(), expected)


def same(x: Any, y: Any) -> bool:
    """Bit-identical, except that all NaNs are equal."""
    import torch

    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    word = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    return bool(((x.contiguous().view(word) == y.contiguous().view(word)) | (x.isnan() & y.isnan())).all())


def scaled_products(torch: Any) -> list[Any]:
    """Products with all kinds of scale factors, in three types of results."""
    from mmaspec.torch import _products

    x, w = (torch.randn(s).to(torch.float8_e4m3fn) for s in ((16, 128), (150, 128)))
    tiles = [torch.randint(120, 134, (n,), dtype=torch.uint8).view(torch.float8_e8m0fnu) for n in (512, 1024)]
    one = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"
    mx = "plan:chain(blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0,k=128)"
    kinds = {
        "whole": (one, torch.tensor(0.5), torch.tensor(3.1)),
        "rows": (one, torch.rand(16, 1), torch.rand(1, 150)),
        "blocks": (f"plan:promote({one},k=128,every=128,scales=yes)", torch.rand(16, 1), torch.rand(1, 2)),
        "mx": (mx, *tiles),
    }
    bias = torch.randn(150)
    products = []
    for kind, (unit, *scales) in kinds.items():
        assert _products.kind_of_scales(x, w.t(), *scales) == kind
        for out in (torch.bfloat16, torch.float8_e4m3fn, torch.float32):
            products.append(
                lambda u=unit, s=scales, o=out: _products.scaled_product(x, w.t(), *s, bias, torch.tensor(0.7), u, o)
            )
    return products


@interpreted
@pytest.mark.parametrize("target", ["h100", "mi300x"])
def test_emulated_products_of_tensors(torch: Any, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    import mmaspec.torch as emulation

    torch.manual_seed(1)
    a, b, c = torch.randn(20, 33), torch.randn(33, 18), torch.randn(18)
    wide = torch.logspace(-30, 30, 33)
    types = torch.float16, torch.bfloat16, torch.float32, torch.float64
    image, filters = torch.randn(2, 4, 9, 8), torch.randn(6, 4, 2, 2)
    products = [
        *(lambda t=t: a.to(t) @ b.to(t) for t in types),
        *(lambda t=t: torch.addmm(c.to(t), a.to(t), b.to(t), alpha=0.3, beta=1.7) for t in types),
        lambda: torch.addmm(c, a * wide, b / wide.reshape(-1, 1), alpha=1.1),
        lambda: torch.nn.functional.conv2d(image, filters, stride=2, padding=1),
        *(scaled_products(torch) if target == "h100" else []),
    ]

    def computed(product: Any) -> Any:
        with emulation.emulate(target, against_torch=False, tf32=True):
            return product()

    on_device = []
    for product in products:
        log()
        on_device.append(computed(product))
        assert any(line.endswith("device 0, stream 5") for line in log())
    monkeypatch.undo()
    for mine, product in zip(on_device, products):
        assert same(mine, computed(product))
    assert not log()


@interpreted
def test_the_script_for_a_gpu(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """bench/device.py, whose results must be equal, here without a GPU's streams and exchange of arrays."""
    import contextlib
    import runpy
    from pathlib import Path

    for name in ("synchronize", "_sleep", "Stream"):
        monkeypatch.setattr(torch.cuda, name, lambda *_: None)
    monkeypatch.setattr(torch.cuda, "stream", lambda _: contextlib.nullcontext())
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (0, 0))
    script = runpy.run_path(str(Path(__file__).resolve().parents[2] / "bench" / "device.py"))
    script["checks"].__globals__["Exported"] = lambda tensor: tensor
    found = script["checks"](torch.device("cpu"))
    assert len(found) >= 18 and all(found.values()), found
    assert script["rate"](HOPPER, torch.device("cpu"), size=64)[0] > 0
    one = torch.ones(1)
    assert script["equal"](one, one) and not script["equal"](one, -one) and script["equal"](one / 0 - one / 0, -(one / 0 - one / 0))
