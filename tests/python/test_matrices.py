"""Matrices compared with `mmaspec eval`, dot product by dot product."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import hexes, random_patterns, write_rows

import mmaspec


def distinct() -> list[str]:
    """One instruction for each combination of algorithm, parameters, formats and K."""
    seen: dict[Any, str] = {}
    for name in mmaspec.units():
        u = mmaspec.unit(name)
        parameters = tuple((p.key, p.value) for p in u.parameters)
        key = (u.algorithm, parameters, u.k, u.a, u.b, u.c, u.d, u.scale, u.scale_block)
        seen.setdefault(key, name)
    return list(seen.values())


NAMES = distinct()
# : All of them with MMASPEC_TEST_ALL; otherwise every fifth.
CHOSEN = NAMES if os.environ.get("MMASPEC_TEST_ALL") else NAMES[::5]


def operand(patterns: Any, format_name: str) -> Any:
    """Patterns as a unit accepts them: numbers for signed integers, unchanged patterns for other formats."""
    if format_name not in ("s4", "s8", "s16", "s32"):
        return patterns
    bits = int(format_name[1:])
    signed = patterns.astype(np.int64)
    signed = np.where(signed >= 1 << (bits - 1), signed - (1 << bits), signed)
    return signed.astype(np.int8 if bits == 4 else f"int{bits}").astype(mmaspec.formats.dtype_of(format_name))


@pytest.mark.parametrize("name", CHOSEN)
def test_matrices_equal_those_of_the_command_line(name: str, run: Any, tmp_path: Path) -> None:
    u = mmaspec.unit(name)
    rng = np.random.default_rng(sum(map(ord, name)))
    steps = 2 if u.c == u.d else 1
    m, n, k = 3, 5, steps * u.k
    a = random_patterns(rng, u.a, (m, k))
    b = random_patterns(rng, u.b, (k, n))
    c = random_patterns(rng, u.c, (m, n))
    scales: dict[str, Any] = {}
    if u.scale:
        scales["scale_a"] = random_patterns(rng, u.scale, (m, k // u.scale_block))
        scales["scale_b"] = random_patterns(rng, u.scale, (k // u.scale_block, n))
    rows = []
    for i in range(m):
        for j in range(n):
            row = {
                "instr": name,
                "a": hexes(a[i], u.a),
                "b": hexes(b[:, j], u.b),
                "c": hexes(c[i, j], u.c),
            }
            if u.scale:
                row["sa"] = hexes(scales["scale_a"][i], u.scale)
                row["sb"] = hexes(scales["scale_b"][:, j], u.scale)
            rows.append(row)
    write_rows(tmp_path / "rows.jsonl", rows)
    text = run("eval", name, "--chain", str(k), "--rows", str(tmp_path / "rows.jsonl"))
    wanted = [int(json.loads(line)["d"], 16) for line in text.splitlines()]
    d = u(operand(a, u.a), operand(b, u.b), operand(c, u.c), bits=True, threads=2, **scales)
    assert d.reshape(-1).tolist() == wanted


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (7, 40), (40, 257), (3, 256)])
def test_any_shape_is_the_sum_of_its_parts(shape: tuple[int, int]) -> None:
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
    rng = np.random.default_rng(1)
    m, n = shape
    a = rng.standard_normal((m, 40)).astype(np.float16)
    b = rng.standard_normal((40, n)).astype(np.float16)
    c = rng.standard_normal((m, n)).astype(np.float32)
    d = u(a, b, c)
    for i, j in {(0, 0), (m - 1, n - 1), (m // 2, n // 2), (0, n - 1)}:
        one = u(a[i : i + 1], b[:, j : j + 1], c[i : i + 1, j : j + 1])
        assert one[0, 0].tobytes() == d[i, j].tobytes()


def test_layouts_and_batches() -> None:
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
    rng = np.random.default_rng(2)
    a = rng.standard_normal((4, 1, 6, 32)).astype(np.float16)
    b = rng.standard_normal((3, 32, 5)).astype(np.float16)
    c = rng.standard_normal((6, 5)).astype(np.float32)
    d = u(a, b, c)
    assert d.shape == (4, 3, 6, 5)
    for i in range(4):
        for j in range(3):
            np.testing.assert_array_equal(d[i, j], u(a[i, 0], b[j], c))
    fortran = u(np.asfortranarray(a[0, 0]), np.asfortranarray(b[0]), np.asfortranarray(c))
    np.testing.assert_array_equal(fortran, d[0, 0])
    np.testing.assert_array_equal(u(a[0, 0, ::-1], b[0, :, ::2], c[::-1, ::2]), d[0, 0, ::-1, ::2])
    swapped = u(a[0, 0].astype(">f2"), b[0], c)
    np.testing.assert_array_equal(swapped, d[0, 0])
    out = np.empty((6, 5), dtype=np.float32)
    assert u(a[0, 0], b[0], c, out=out) is out
    np.testing.assert_array_equal(out, d[0, 0])
    assert u(a[0, 0], b[0]).shape == (6, 5)
    in_place = c.copy()
    u(a[0, 0], b[0], in_place, out=in_place)
    np.testing.assert_array_equal(in_place, out)
    with pytest.raises(ValueError, match="out must be"):
        u(a[0, 0], b[0], c, out=np.empty((6, 5)))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        u(a[0, 0], b[0], c, out=out)
    assert u(a[:0, 0], b[0]).shape == (0, 6, 5)
    assert u(a[0, 0, :0], b[0], c[:0]).shape == (0, 5)


def test_missing_products_are_zeros() -> None:
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
    rng = np.random.default_rng(3)
    a = rng.standard_normal((4, 21)).astype(np.float16)
    b = rng.standard_normal((21, 4)).astype(np.float16)
    c = rng.standard_normal((4, 4)).astype(np.float32)
    whole = u(np.pad(a, ((0, 0), (0, 11))), np.pad(b, ((0, 11), (0, 0))), c)
    np.testing.assert_array_equal(u(a, b, c), whole)


def test_threads_agree() -> None:
    u = mmaspec.unit("cdna3/v_mfma_f32_32x32x8_f16")
    rng = np.random.default_rng(4)
    a = rng.standard_normal((70, 64)).astype(np.float16)
    b = rng.standard_normal((64, 300)).astype(np.float16)
    one = u(a, b, threads=1)
    for threads in (2, 3, 16):
        np.testing.assert_array_equal(u(a, b, threads=threads), one)


def test_traces_end_in_the_result() -> None:
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
    trace = u.trace(np.float16([1, 2]), np.float16([3, 4]), np.float32(0.5))
    assert any(float.fromhex(s.value) == 11.5 for s in trace if s.stage == "sum" and s.value)
    for a, b in [([1], [1, 2]), ([[1]], [[1]])]:
        with pytest.raises(ValueError, match="of one length"):
            u.trace(np.float16(a), np.float16(b))
    assert "sum" in str(trace) and "<table" in trace._repr_html_()
