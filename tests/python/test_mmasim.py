"""MMA-Sim's classes: results for recorded rows, shapes and assertions."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

import mmaspec
from mmaspec.compat import mmasim
from mmaspec.compat.mmasim.simulator import amd, nv_ptx
from mmaspec.compat.mmasim.simulator._common import _ARCHITECTURES, MatrixMultiplyAdd
from mmaspec.formats import values_of

ml_dtypes = pytest.importorskip("ml_dtypes")
# : Rows computed by MMA-Sim, if available.
VECTORS = Path(os.environ.get("MMASPEC_VECTORS", "/nonexistent"))
# : In the older release, but rejected by ptxas.
REJECTED = "rtx-blackwell/mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue4m3"
ARCHITECTURES = {ours: theirs for theirs, ours in _ARCHITECTURES.items()}


def made(name: str) -> MatrixMultiplyAdd:
    """MMA-Sim's class for one of its instructions."""
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


def made_by_2_1_1(name: str) -> mmasim.MMAOperation | mmasim.MMABlockScaleOperation:
    """The class of release 2.1.1 for one of its instructions."""
    arch, mnemonic = name.split("/")
    theirs = ARCHITECTURES[arch]
    for prefix, make in (
        ("mma.block_scale.", mmasim.nv_ptx.MMABlockScale),
        ("tcgen05.mma.block_scale.", mmasim.nv_ptx.TCGen05MMABlockScale),
        ("tcgen05.mma.", mmasim.nv_ptx.TCGen05MMA),
        ("wgmma.", mmasim.nv_ptx.WGMMA),
        ("mma.", mmasim.nv_ptx.MMA),
        ("v_mfma_", mmasim.amd.MFMA),
    ):
        if mnemonic.startswith(prefix):
            return make(theirs, mnemonic.removeprefix(prefix))
    raise AssertionError(name)


def rows(folder: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for file in sorted((VECTORS / folder).glob("*.jsonl*")):
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if "instr" in row and "d" in row and row["instr"] != REJECTED:
                    found.setdefault(row["instr"].split("@")[0], []).append(row)
    return found


ROWS = rows("mma-sim")
ROWS_OF_2_1_1 = rows("mma-sim-2.1.1")


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


@pytest.mark.parametrize("name", sorted(ROWS_OF_2_1_1))
def test_recorded_results_of_2_1_1(name: str) -> None:
    operation = made_by_2_1_1(name)
    u = operation.unit
    some = ROWS_OF_2_1_1[name][:40]

    def column(format_name: str, key: str) -> np.ndarray:
        return values_of(format_name, [[int(x, 16) for x in row[key].split()] for row in some])

    def operand(format_name: str, key: str) -> np.ndarray:
        x = column(format_name, key)
        if format_name not in ("e3m2", "e2m3", "e2m1"):
            return x
        words = x.view(np.uint8)
        if operation.packing == 2:
            return words[:, 0::2] << 4 | words[:, 1::2]
        return words << 2 if format_name == "e2m1" else words

    scales = [column(u.scale, "sa"), column(u.scale, "sb")] if u.scale else []
    d = operation.dpa(operand(u.a, "a"), operand(u.b, "b"), column(u.c, "c")[:, 0], *scales)
    wanted = column(u.d, "d")[:, 0]
    same = np.asarray(d).view(np.uint8) == wanted.view(np.uint8)
    rows_alike = same.reshape(len(some), -1).all(axis=1)
    both_nan = np.isnan(d.astype(np.float64)) & np.isnan(wanted.astype(np.float64))
    assert (rows_alike | both_nan).all()


def test_the_names_of_2_1_1() -> None:
    v = mmasim.nv_ptx
    m = v.TCGen05MMA("Blackwell", "m128n256k32.kind::f8f6f4.f32.e4m3.e2m1")
    assert (m.m, m.n, m.k, m.kind) == (128, 256, 32, "f8f6f4")
    m = v.MMABlockScale(
        "RTX Blackwell", "m16n8k64.kind::mxf4nvf4.block32.f32.e2m1.e2m1.f32.ue8m0"
    )
    assert (m.packing, m.block_size, m.kind) == (2, 32, "mxf4nvf4")
    a = np.full((16, 32), 0x22, np.uint8)  # ones
    one = np.full((16, 2), 127, np.uint8)
    d = m(a, np.full((32, 8), 0x22, np.uint8), np.zeros((16, 8), np.float32), one, one[:8].T)
    assert (np.asarray(d) == 64).all()
    m = v.MMA("RTX Blackwell", "m16n8k32.kind::f8f6f4.f16.e3m2.e2m1.f16")
    assert m.a_type_ptx == "e3m2"
    assert mmasim.amd.MFMA("CDNA3", "f32_32x32x8_f16").suffix == "f32_32x32x8_f16"
    with pytest.raises(AssertionError):
        v.MMA("RTX Blackwell", "m16n8k32.kind::mxf4.f16.e3m2.e2m1.f16")
    with pytest.raises(AssertionError):
        v.WGMMA("Blackwell", "m64n8k16.f32.f16.f16")


def test_a_call() -> None:
    mma = nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")
    assert (mma.m, mma.n, mma.k) == (16, 8, 16)
    rng = np.random.default_rng(10)
    a = rng.standard_normal((16, 16)).astype(np.float16)
    b = rng.standard_normal((16, 8)).astype(np.float16)
    c = rng.standard_normal((16, 8)).astype(np.float32)
    theirs = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32@mma-sim-2025")
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
    a = np.full((128, 32), 0x22, np.uint8)  # ones, two per byte
    b = np.full((32, 8), 0x22, np.uint8)
    ones = {
        "scale_A": np.ones((128, 4), ml_dtypes.float8_e4m3fn),
        "scale_B": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
    }
    d = mma(a, b, np.zeros((128, 8), np.float32), **ones)
    assert (np.asarray(d) == 64).all()
