"""Answers to questions compared with those of the command line."""

from __future__ import annotations

import json
import shutil
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmaspec

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"


def members(document: dict[str, Any]) -> set[str]:
    return set(document)


def test_diff_finds_a_witness(run: Any) -> None:
    answer = mmaspec.diff(HOPPER, AMPERE, ulp=4, count=2)
    assert isinstance(answer, mmaspec.Differ) and not answer
    theirs = json.loads(run("diff", HOPPER, AMPERE, "--ulp", "4", "--json", status=(1,)))
    assert members(answer.document) == members(theirs)
    assert members(answer.document["witnesses"][0]) == members(theirs["witnesses"][0])
    assert len(answer) == 2
    for w in answer:
        for u, d in ((w.unit, w.d), (w.other, w.d_other)):
            own = u(w.a[None, :], w.b[:, None], np.array([[w.c]], dtype=np.float32))
            assert own[0, 0] == d
        steps = abs(int(w.d.view(np.int32)) - int(w.d_other.view(np.int32)))
        if w.d > 0 and w.d_other > 0:
            assert w.ulp == steps
        assert w.ulp > 4
        assert len(w.trace()) > 10 and len(w.trace_other()) > 10
        assert "ulp apart" in w._repr_html_()
    assert "differ by more than 4 ulp" in str(answer)
    assert "<table" in answer._repr_html_()


def test_diff_proves() -> None:
    answer = mmaspec.diff(HOPPER, "h100/wgmma.m64n8k16.f32.f16.f16")
    assert isinstance(answer, mmaspec.Proved) and answer
    assert answer.by == "one expression" and not answer.vacuous
    assert json.loads(answer.to_json())["verdict"] == "proved"


def test_diff_with_conditions() -> None:
    # All products are zero: both give c.
    where = [f"zero(a[{k}])" for k in range(16)]
    answer = mmaspec.diff(HOPPER, AMPERE, where=where, timeout=20)
    assert answer.verdict != "witness"
    answer = mmaspec.diff(HOPPER, AMPERE, abs=1e-3, rel=Fraction(1, 2), where="c > 0")
    assert isinstance(answer, mmaspec.Differ)
    assert answer.witness.c > 0
    assert abs(float(answer.witness.d) - float(answer.witness.d_other)) > 1e-3


def test_errors_are_reported() -> None:
    with pytest.raises(ValueError, match="where|expected"):
        mmaspec.diff(HOPPER, AMPERE, where="a[")
    with pytest.raises(ValueError, match="finite, normal or any"):
        mmaspec.diff(HOPPER, AMPERE, inputs="all")
    with pytest.raises(ValueError, match="monotone-c"):
        mmaspec.prove("monoton-c", HOPPER)
    with pytest.raises(ValueError, match="two units"):
        mmaspec.prove("equivalent", HOPPER)
    with pytest.raises(ValueError, match="seconds"):
        mmaspec.diff(HOPPER, AMPERE, timeout=0)
    with pytest.raises(ValueError, match="solver"):
        mmaspec.diff(HOPPER, AMPERE, solver="z4")


def test_prove(run: Any) -> None:
    proved = mmaspec.prove("commutative", HOPPER)
    assert isinstance(proved, mmaspec.Proved)
    refuted = mmaspec.prove("monotone-c", HOPPER)
    assert isinstance(refuted, mmaspec.Refuted) and not refuted
    theirs = json.loads(run("prove", "monotone-c", HOPPER, "--json", status=(1,)))
    assert members(refuted.document) == members(theirs)
    low, high = refuted.runs
    assert low.c < high.c and low.d > high.d or low.c > high.c and low.d < high.d
    for r in refuted.runs:
        own = r.unit(r.a[None, :], r.b[:, None], np.array([[r.c]], dtype=np.float32))
        assert own[0, 0] == r.d
    assert len(refuted.trace()) > 10
    two = mmaspec.prove("equivalent", HOPPER, "h100/wgmma.m64n8k16.f32.f16.f16")
    assert isinstance(two, mmaspec.Proved)
    assert "monotone-c" in mmaspec.properties()


def test_prove_for_the_least_number() -> None:
    unit = "design:fused-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=4,fraction_bits=25)"
    answer = mmaspec.prove("carry-bits", unit, timeout=30)
    assert isinstance(answer, mmaspec.Least)
    if answer:
        assert answer.proved is not None and answer.document["proof"]["verdict"] == "proved"


def test_maximize() -> None:
    a = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1,round=rne)"
    b = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1,round=rz)"
    answer = mmaspec.maximize(a, b, timeout=30)
    assert answer.largest == 1
    assert answer.witness is not None and answer.witness.ulp == 1


def test_table_and_suite() -> None:
    small = "design:exact-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=2,round={})"
    units = [small.format(r) for r in ("rne", "rz")]
    cells = mmaspec.table(units[:1], properties=["commutative", "negation-symmetric"], timeout=20)
    assert [c["verdict"] for c in cells.document] == ["proved", "proved"]
    found = mmaspec.suite(units, timeout=20)
    assert len(found["classes"]) == 2 and len(found["rows"]) == 1
    assert found.to_json()


PATTERN = "design:fused-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2,fraction_bits=10..12)"


@pytest.mark.skipif(shutil.which("yosys") is None, reason="there is no yosys")
def test_explore(run: Any, tmp_path: Path) -> None:
    found = mmaspec.explore(
        PATTERN, require="negation-symmetric", html=tmp_path / "all.html", csv=tmp_path / "all.csv"
    )
    theirs = json.loads(run("explore", PATTERN, "--require", "negation-symmetric", "--json"))
    assert members(found.document) == members(theirs)
    assert found["cheapest"] == theirs["cheapest"] and "fraction_bits=10" in found["cheapest"]
    assert found["proved_cheapest"] and found["cheaper"] == theirs["cheaper"]
    assert [d["nodes"] for d in found["designs"]] == [d["nodes"] for d in theirs["designs"]]
    assert "prefers-color-scheme" in (tmp_path / "all.html").read_text()
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 4


@pytest.mark.skipif(shutil.which("yosys") is None, reason="there is no yosys")
def test_explore_counts_mismatches_on_data() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0x30, 0x50, shape).astype(np.uint8) for shape in ((8, 2), (2, 8)))
    wide = "design:fused-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2,fraction_bits=40)"
    found = mmaspec.explore(PATTERN, data=(a, b), against=wide)
    units = [mmaspec.unit(d["design"]) for d in found["designs"]]
    expected = mmaspec.unit(wide)(a, b, bits=True)
    assert [d["mismatches"] for d in found["designs"]] == [
        int((u(a, b, bits=True) != expected).sum()) for u in units
    ]
    with pytest.raises(ValueError, match="data and against"):
        mmaspec.explore(PATTERN, data=(a, b))
    with pytest.raises(ValueError, match="not a property with a number"):
        mmaspec.explore(PATTERN, bound="monotone-c")


def test_identify_a_function() -> None:
    secret = mmaspec.unit("design:fused-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=2,fraction_bits=24)")
    calls = []

    def oracle(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        calls.append(len(c))
        return secret(a[:, None, :], b[:, :, None], c[:, None, None])[:, 0, 0]

    answer = mmaspec.identify(
        oracle,
        formats="e2m1,e2m1,f32,f32",
        k=2,
        space="fused-dot-add(fraction_bits=22..26,floor=none,round=rz)",
        confirm=100,
        timeout=60,
    )
    assert answer["verdict"] == "identified"
    assert "fraction_bits=24" in answer["design"]
    assert sum(calls) >= 100

    def broken(a: Any, b: Any, c: Any) -> Any:
        raise ZeroDivisionError("the unit is gone")

    with pytest.raises(ZeroDivisionError, match="the unit is gone"):
        mmaspec.identify(broken, formats="e2m1,e2m1,f32,f32", k=2)


def test_verify_and_replay(tmp_path: Path) -> None:
    witness = mmaspec.diff(HOPPER, AMPERE).witness
    row = {k: v for k, v in witness.row.items() if k in ("instr", "a", "b", "c", "d")}
    assert mmaspec.verify([row])["passed"] == 1
    wrong = dict(row, d=f"{int(row['d'], 16) ^ 1:08x}")
    report = mmaspec.verify([row, wrong])
    assert (report["passed"], report["failed"]) == (1, 1)
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n")
    assert mmaspec.verify(file)["passed"] == 1

    def device(name: str, a: np.ndarray, b: np.ndarray, c: Any) -> Any:
        assert name == HOPPER
        return mmaspec.unit(AMPERE)(a[None, :], b[:, None], np.array([[c]]))[0, 0]

    report = mmaspec.replay([row], device=device)
    assert (report["passed"], report["failed"]) == (0, 1)
    assert report["disagreements"][0]["computed"] == row["d"]
    own = mmaspec.unit(HOPPER)
    report = mmaspec.replay(
        file, device=lambda n, a, b, c: own(a[None, :], b[:, None], np.array([[c]]))[0, 0]
    )
    assert (report["passed"], report["failed"]) == (1, 0)


def test_several_threads_ask_at_the_same_time() -> None:
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(mmaspec.diff(HOPPER, AMPERE)))
        for _ in range(3)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [a.verdict for a in answers] == ["witness"] * 3
