"""MMA-Sim's classes: its results on recorded rows, its shapes and assertions."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import mmaspec
from mmaspec.compat.mmasim.simulator import amd, nv_ptx
from mmaspec.compat.mmasim.simulator._common import _ARCHITECTURES, MatrixMultiplyAdd
from mmaspec.formats import values_of

ml_dtypes = pytest.importorskip("ml_dtypes")
#: Rows that MMA-Sim computed, where they are.
VECTORS = Path(os.environ.get("MMASPEC_VECTORS", "/nonexistent")) / "mma-sim"
ARCHITECTURES = {ours: theirs for theirs, ours in _ARCHITECTURES.items()}


def made(name: str) -> MatrixMultiplyAdd:
    """The class that MMA-Sim has for one of its instructions."""
    arch, mnemonic = name.split("/")
    theirs = ARCHITECTURES[arch]
    for prefix, make in (
        ("mma.block_scale.", nv_ptx.mma_block_scale),
        ("tcgen05.mma.block_scale.", nv_ptx.tcgen05mma_block_scale),
        ("tcgen05.mma.", nv_ptx.tcgen05mma),
        ("wgmma.", nv_ptx.wgmma),
        ("mma.", nv_ptx.mma),
        ("v_mfma_", amd.mfma),
    ):
        if mnemonic.startswith(prefix):
            return make(theirs, mnemonic.removeprefix(prefix))
    raise AssertionError(name)


def rows() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for file in sorted(VECTORS.glob("*.jsonl")):
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if "instr" in row and "d" in row:
                    found.setdefault(row["instr"].split("@")[0], []).append(row)
    return found


ROWS = rows()


@pytest.mark.parametrize("name", sorted(ROWS))
def test_recorded_results(name: str) -> None:
    simulator = made(name)
    u = simulator.unit
    for row in ROWS[name][:20]:
        words = {k: [int(x, 16) for x in row[k].split()] for k in row if k != "instr"}
        a = values_of(u.a, words["a"])[None, :]
        b = values_of(u.b, words["b"])[:, None]
        c = values_of(u.c, words["c"])[:, None]
        scales = {}
        if u.scale:
            scales = {
                "scale_a": values_of(u.scale, words["sa"])[None, :],
                "scale_b": values_of(u.scale, words["sb"])[:, None],
            }
        d = u(a, b, c, **scales)
        wanted = values_of(u.d, words["d"])
        same = d.tobytes() == wanted.tobytes()
        assert same or (np.isnan(float(d[0, 0])) and np.isnan(float(wanted[0])))


def test_a_call() -> None:
    mma = nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")
    assert (mma.m, mma.n, mma.k) == (16, 8, 16)
    rng = np.random.default_rng(10)
    a = rng.standard_normal((16, 16)).astype(np.float16)
    b = rng.standard_normal((16, 8)).astype(np.float16)
    c = rng.standard_normal((16, 8)).astype(np.float32)
    theirs = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32@mma-sim")
    np.testing.assert_array_equal(mma(a, b, c), theirs(a, b, c))
    assert mma.dotadd([1, 2], [3, 4], 0.5) == 11.5
    hardware = nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32", variant="")
    assert "@" not in hardware.unit.name
    with pytest.raises(AssertionError):
        mma(a[:8], b, c)
    with pytest.raises(AssertionError):
        mma(a.astype(np.float32), b, c)
    with pytest.raises(AssertionError):
        nv_ptx.mma("Hoper", "m16n8k16.f32.f16.f16.f32")
    with pytest.raises(AssertionError):
        nv_ptx.mma("Volta", "m16n8k16.f32.f16.f16.f32")
    assert amd.mfma("CDNA3", "f32_32x32x8_f16").k == 8


def test_block_scale() -> None:
    mma = nv_ptx.tcgen05mma_block_scale(
        "Blackwell", "m128n8k64.block16.f32.e2m1.e2m1.ue4m3"
    )
    assert mma.packing == 2 and mma.block_size == 16
    assert mma.dotadd_with_block_scale([1, 2], [3, 4], 1.0, [2.0], [0.5]) == 12.0
    a = np.full((128, 32), 0x22, np.uint8)  # ones, two a byte
    b = np.full((32, 8), 0x22, np.uint8)
    ones = {
        "scale_A": np.ones((128, 4), ml_dtypes.float8_e4m3fn),
        "scale_B": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
    }
    d = mma(a, b, np.zeros((128, 8), np.float32), **ones)
    assert (np.asarray(d) == 64).all()
