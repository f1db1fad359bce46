"""Comparisons on matrices, compared with NumPy and with the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import mmaspec

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
MI300X = "mi300x/v_mfma_f32_32x32x8_f16"


def ordinals(x: np.ndarray) -> np.ndarray:
    words = x.view(np.int32).astype(np.int64)
    return np.where(words < 0, -(words & 0x7FFFFFFF), words)


@pytest.fixture
def operands() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    a = rng.standard_normal((2, 20, 48)).astype(np.float16)
    b = rng.standard_normal((2, 48, 30)).astype(np.float16)
    c = rng.standard_normal((2, 20, 30)).astype(np.float32)
    return a, b, c


def test_counts(operands: Any) -> None:
    a, b, c = operands
    result = mmaspec.compare(HOPPER, MI300X, a, b, c, worst=4)
    np.testing.assert_array_equal(result.d_first, mmaspec.unit(HOPPER)(a, b, c))
    np.testing.assert_array_equal(result.d_second, mmaspec.unit(MI300X)(a, b, c))
    ulp = abs(ordinals(result.d_first) - ordinals(result.d_second))
    assert result.elements == ulp.size
    assert result.differing == (ulp > 0).sum()
    assert result.largest_ulp == ulp.max()
    for b_ in result.histogram:
        assert b_.count == ((ulp >= b_.first) & (ulp <= b_.last)).sum()
    whole = abs(c.astype(float)) + abs(a.astype(float)) @ abs(b.astype(float))
    relative = abs(result.d_first.astype(float) - result.d_second) / whole
    assert result.largest_relative == pytest.approx(relative.max())
    assert result.mean_relative == pytest.approx(relative.mean())
    assert [w.ulp for w in result.worst] == sorted(ulp.reshape(-1), reverse=True)[:4]
    for w in result.worst:
        assert w.d == result.d_first[w.index] and w.d_other == result.d_second[w.index]
        assert w.relative == pytest.approx(relative[w.index])
        np.testing.assert_array_equal(w.a, a[w.index[0], w.index[1]])
        assert w.c == c[w.index]
        assert len(w.trace()) > 10
    by = mmaspec.compare(HOPPER, MI300X, a, b, c, by="relative", worst=1)
    assert by.worst[0].relative == pytest.approx(relative.max())
    assert "<table" in result._repr_html_() and "results differ" in str(result)


def test_not_finite() -> None:
    ones = np.ones((1, 16), np.float16)
    inf = np.full((1, 16), np.inf, np.float16)
    same = mmaspec.compare(HOPPER, MI300X, inf, ones.T)
    assert same.differing == 0  # both are infinite
    nan = mmaspec.compare(HOPPER, MI300X, np.full((1, 16), np.nan, np.float16), ones.T)
    assert nan.differing == 0
    # Only one result overflows: one is cut to zero, and the other is infinite or saturated.
    first = "design:exact-dot-add(a=f16,b=f16,c=f16,d=f16,k=16,overflow=saturate)"
    second = "design:exact-dot-add(a=f16,b=f16,c=f16,d=f16,k=16,overflow=infinity)"
    big = np.full((1, 16), 300, np.float16)
    one = mmaspec.compare(first, second, big, big.T)
    assert one.differing == 1
    assert one.worst[0].d == 65504 and one.worst[0].d_other == np.inf


def test_the_command_line(operands: Any, run: Any, tmp_path: Path) -> None:
    a, b, c = operands
    files = []
    for name, x in (("a", a), ("b", np.asfortranarray(b)), ("c", c.astype(">f4"))):
        files.append(str(tmp_path / f"{name}.npy"))
        np.save(files[-1], x)
    ours = mmaspec.compare(HOPPER, MI300X, a, b, c)
    theirs = json.loads(run("compare", *files, HOPPER, MI300X, "--json", status=(1,)))
    assert theirs == ours.document
    text = run("compare", *files, HOPPER, MI300X, "--worst", "2", "--out", str(tmp_path / "w"), status=(1,))
    assert f"{ours.differing} of {ours.elements} results differ" in text
    assert run("verify", str(tmp_path / "w")).endswith("2 passed, 0 failed\n")
    words = str(tmp_path / "words.npy")
    np.save(words, a.view(np.uint16))
    assert json.loads(run("compare", words, *files[1:], HOPPER, MI300X, "--json", status=(1,))) == theirs


def test_the_picture_has_the_counts(operands: Any, run: Any, tmp_path: Path) -> None:
    files = [str(tmp_path / f"{name}.npy") for name in "abc"]
    for file, x in zip(files, operands, strict=True):
        np.save(file, x)
    picture = tmp_path / "histogram.svg"
    run("compare", *files, HOPPER, MI300X, "--picture", str(picture), status=(1,))
    ours = mmaspec.compare(HOPPER, MI300X, *operands)
    rows = ElementTree.parse(picture).findall(".//{http://www.w3.org/2000/svg}g[@class='row']")
    drawn = {row.get("data-label"): int(row.get("data-count", "")) for row in rows}
    counted = {f"{b.first} - {b.last}" if b.first < b.last else str(b.first): b.count for b in ours.histogram}
    assert drawn == {"equal": ours.elements - ours.differing, **counted}


def test_statistics_beside_an_answer(operands: Any, run: Any, tmp_path: Path) -> None:
    a, b, _ = operands
    a, b = a[..., :16], b[..., :16, :]
    ours = mmaspec.compare(HOPPER, MI300X, a, b)
    for dtype in (np.float16, np.float32, np.float64):
        files = [str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]
        for file, x in zip(files, (a, b), strict=True):
            np.save(file, x.astype(dtype))
        asked = ("diff", HOPPER, MI300X, "--data", *files, "--json")
        theirs = json.loads(run(*asked, status=(1,)))["statistics"]
        assert theirs["distribution"] == "data"
        assert theirs["results"] == ours.elements and theirs["differ"] == ours.differing
        assert theirs["largest_ulp"] == ours.largest_ulp


def test_bad_files(run: Any, tmp_path: Path) -> None:
    good = str(tmp_path / "good.npy")
    np.save(good, np.ones((16, 16), np.float16))
    for name, content in {
        "no.npy": b"no array",
        "short.npy": (tmp_path / "good.npy").read_bytes()[:-3],
        "half.npy": (tmp_path / "good.npy").read_bytes()[:20],
    }.items():
        (tmp_path / name).write_bytes(content)
        run("compare", str(tmp_path / name), good, good, HOPPER, MI300X, status=(2,))
    for array in (np.ones((16, 16)), np.ones(16, np.float16), np.ones((16, 16), complex)):
        bad = str(tmp_path / "bad.npy")
        np.save(bad, array)
        run("compare", bad, good, good, HOPPER, MI300X, status=(2,))
    np.save(str(tmp_path / "bad.npy"), np.array([["x"]], dtype=object), allow_pickle=True)
    run("compare", str(tmp_path / "bad.npy"), good, good, HOPPER, MI300X, status=(2,))
    run("compare", good, good, str(tmp_path / "none.npy"), HOPPER, MI300X, status=(2,))
    bf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32"
    run("compare", good, good, good, HOPPER, bf16, status=(2,))
    with pytest.raises(ValueError, match="a is f16 in one and bf16 in the other"):
        mmaspec.compare(HOPPER, bf16, np.ones((1, 16), np.float16), np.ones((16, 1), np.float16))
