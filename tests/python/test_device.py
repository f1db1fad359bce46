"""Matrices on a device: results are bit-identical to those of the host."""

from __future__ import annotations

import numpy as np
import pytest

import mmaspec

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
PLAN = f"plan:epilogue({HOPPER},k=64,out=bf16)"
SCALED = "blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"


@pytest.fixture
def opencl() -> str:
    u = mmaspec.unit(HOPPER)
    one = np.ones((1, 1), dtype=np.uint16)
    try:
        u(one, one, device="opencl")
    except ValueError as error:
        pytest.skip(str(error))
    return "opencl"


@pytest.mark.parametrize("name", [HOPPER, PLAN, SCALED])
def test_a_device_computes_the_same_bits(opencl: str, name: str) -> None:
    u = mmaspec.unit(name)
    rng = np.random.default_rng(3)

    def drawn(operand: str, *shape: int) -> np.ndarray:
        bits = {"f16": 16, "f32": 32, "bf16": 16, "e2m1": 4, "ue4m3": 7}[operand]
        word = np.uint8 if bits <= 8 else np.uint16 if bits <= 16 else np.uint32
        return rng.integers(0, 1 << bits, shape, dtype=np.uint64).astype(word)

    # Two products with one B, which is broadcast; A has strides.
    a = drawn(u.a, 2, 64, 37).swapaxes(1, 2)
    b = drawn(u.b, 64, 21)
    scales = {}
    if u.scale is not None:
        blocks = 64 // u.scale_block
        scales = {"scale_a": drawn(u.scale, 37, blocks), "scale_b": drawn(u.scale, blocks, 21)}
    for c in (None, drawn(u.c, 37, 21)):
        host = u(a, b, c, bits=True, **scales)
        assert np.array_equal(u(a, b, c, bits=True, device=opencl, **scales), host)


def test_unknown_devices_are_refused() -> None:
    one = np.ones((1, 1), dtype=np.uint16)
    with pytest.raises(ValueError, match="expected cuda, cuda:N, opencl or opencl:N"):
        mmaspec.unit(HOPPER)(one, one, device="gpu")
