"""Arguments that are refused, and units as Python objects: equality, hashes, copies, pickles."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mmaspec
from mmaspec import language as L

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"
S8 = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)"
U8 = "design:integer-dot-add(a=u8,b=u8,c=s32,d=s32,k=4)"


@L.algorithm(a="e2m1", b="e2m1", c="f32", d="f32", k=1)
def gives_c(x: Any) -> Any:
    return x.c


@pytest.mark.parametrize("ulp", [-1, 10**30])
def test_ulp_out_of_range(ulp: Any) -> None:
    with pytest.raises(ValueError, match="ulp must be an integer from 0"):
        mmaspec.diff(HOPPER, AMPERE, ulp=ulp)


@pytest.mark.parametrize("ulp", [1.5, 1.0, float("nan"), "4", True, np.float64(2)])
def test_ulp_of_another_type(ulp: Any) -> None:
    with pytest.raises(TypeError, match="ulp must be an integer"):
        mmaspec.diff(HOPPER, AMPERE, ulp=ulp)


@pytest.mark.parametrize("name", ["abs", "rel"])
@pytest.mark.parametrize("value", [-1, -0.5, float("nan"), float("inf"), Fraction(-1, 3), "x", ""])
def test_bounds_out_of_range(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        mmaspec.diff(HOPPER, AMPERE, **{name: value})


@pytest.mark.parametrize("value", [True, [1], 1j])
def test_bounds_of_another_type(value: Any) -> None:
    with pytest.raises(TypeError, match="abs must be a number"):
        mmaspec.diff(HOPPER, AMPERE, abs=value)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("count", 0, ValueError),
        ("count", 1.5, TypeError),
        ("count", 2**40, ValueError),
        ("chain", -16, ValueError),
        ("chain", 1 << 17, ValueError),
        ("timeout", 0, ValueError),
        ("timeout", float("nan"), ValueError),
        ("timeout", float("inf"), ValueError),
        ("timeout", "1", TypeError),
        ("seed", -1, ValueError),
        ("jobs", -1, ValueError),
        ("match", "patterns", ValueError),
        ("inputs", "subnormal", ValueError),
    ],
)
def test_options_of_diff(name: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=name):
        mmaspec.diff(HOPPER, AMPERE, **{name: value})


def test_options_of_prove() -> None:
    with pytest.raises(ValueError, match="within"):
        mmaspec.prove("permutation-invariant", HOPPER, within=-1)
    with pytest.raises(ValueError, match="bound"):
        mmaspec.prove("error-bound", HOPPER, bound=-1)
    with pytest.raises(ValueError, match="takes no bound"):
        mmaspec.prove("monotone-c", HOPPER, bound=1)
    with pytest.raises(TypeError, match="name must be a str"):
        mmaspec.unit(3)  # type: ignore[arg-type]


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d\d s", "T s", text).rstrip("\n")


@pytest.mark.parametrize(
    ("answer", "arguments"),
    [
        (
            lambda: mmaspec.prove("error-bound", f"plan:chain({HOPPER},k=64)"),
            ("prove", "error-bound", f"plan:chain({HOPPER},k=64)"),
        ),
        (lambda: mmaspec.prove("commutative", HOPPER), ("prove", "commutative", HOPPER)),
        (
            lambda: mmaspec.diff(HOPPER, "hopper/wgmma.m64n8k16.f32.f16.f16", ulp=2),
            ("diff", HOPPER, "hopper/wgmma.m64n8k16.f32.f16.f16", "--ulp", "2"),
        ),
        (
            lambda: mmaspec.diff(HOPPER, HOPPER, all_k=True),
            ("diff", HOPPER, HOPPER, "--all-k"),
        ),
        (
            lambda: mmaspec.maximize(HOPPER, "hopper/wgmma.m64n8k16.f32.f16.f16"),
            ("diff", HOPPER, "hopper/wgmma.m64n8k16.f32.f16.f16", "--maximize", "ulp"),
        ),
        (
            lambda: mmaspec.tolerance(HOPPER, HOPPER),
            ("tolerance", HOPPER, HOPPER),
        ),
        (
            lambda: mmaspec.tolerance(HOPPER, HOPPER, atol=0, where="c == 0", k=64),
            ("tolerance", HOPPER, HOPPER, "--atol", "0", "--where", "c == 0", "--k", "64"),
        ),
    ],
)
def test_text_equals_that_of_the_command_line(run: Any, answer: Any, arguments: tuple[str, ...]) -> None:
    own = answer()
    assert without_times(str(own)) == without_times(run(*arguments))
    theirs = json.loads(run(*arguments, "--json"))
    assert set(own.document) == set(theirs)
    assert own.document["how"] == theirs["how"]


def test_error_bound_of_a_chain_is_a_formula() -> None:
    answer = mmaspec.prove("error-bound", f"plan:chain({HOPPER},k=64)")
    assert isinstance(answer, mmaspec.Proved)
    assert "R(K) = " in str(answer) and answer.document["bounds"]


def test_printed_bounds() -> None:
    small = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1,round={})"
    largest = mmaspec.maximize(small.format("rne"), small.format("rz"), timeout=30)
    assert "differ by at most 1 ulp" in str(largest)
    least = mmaspec.prove("error-bound", HOPPER, where="finite(d)", timeout=20)
    assert isinstance(least, mmaspec.Least) and least.proved is not None
    assert f"error-bound of {HOPPER}" in str(least) and "is at most" in str(least)


def test_tolerance() -> None:
    same = mmaspec.tolerance(HOPPER, HOPPER)
    assert isinstance(same, mmaspec.Tolerance)
    assert same and same.atol == 0 and same.rtol == 0 and same.witness is None
    design = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1,round={})"
    rounded = mmaspec.tolerance(
        design.format("rne"), design.format("rz"), where="abs(c) <= 1", timeout=30
    )
    assert rounded.found is not None and rounded.found > 0
    assert rounded.witness is not None
    assert abs(float(rounded.witness.d) - float(rounded.witness.d_other)) == rounded.found


def test_statistical_tolerance(tmp_path: Any) -> None:
    file = str(tmp_path / "data.npy")
    np.save(file, np.random.default_rng(1).standard_normal(1000).astype(np.float32))
    answer = mmaspec.tolerance(
        HOPPER, AMPERE, k=64, confidence=0.9, distribution=file, samples=2000, timeout=6
    )
    found = answer.document["statistical"]
    assert found["rows"] == 2000 and found["distribution"] == file
    assert found["how"] == "order statistics"
    assert 0 < found["tolerance"] == found["quantile"]["high"]
    assert "statistical, not proved: 0.9 of all elements pass" in str(answer)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rtol": "1", "atol": "1"}, "--rtol and --atol"),
        ({"rtol": "x"}, "rtol"),
        ({"samples": 0, "distribution": "normal"}, "--samples"),
        ({"distribution": "cauchy"}, "expected normal, uniform or a .npy file"),
        ({"confidence": 1.0}, "--confidence"),
        ({"inputs": "any"}, "expected finite or normal"),
        ({"k": -16}, "chain"),
    ],
)
def test_tolerance_refuses(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mmaspec.tolerance(HOPPER, AMPERE, **arguments)


@pytest.mark.parametrize("name", ["smtlib2", "btor2", "verilog", "c", "cuda", "opencl", "dot", "json", "text"])
def test_export_equals_that_of_the_command_line(run: Any, name: str) -> None:
    volta = "volta/mma.m8n8k4.f32.f16.f16.f32"
    assert mmaspec.export(volta, name) == run("export", volta, "--format", name)


def test_export_refuses() -> None:
    with pytest.raises(ValueError, match="format 'pdf': expected smtlib2, btor2"):
        mmaspec.export(HOPPER, "pdf")
    with pytest.raises(ValueError, match="is not an identifier"):
        mmaspec.export(HOPPER, "c", module="1 + 1")


def test_text_has_the_given_names() -> None:
    text = str(mmaspec.diff("h100/mma.m16n8k16.f32.f16.f16.f32", AMPERE))
    assert "h100/mma" in text and "hopper/" not in text


def test_all_k_accepts_no_other_options() -> None:
    with pytest.raises(ValueError, match="--all-k cannot be combined with --ulp"):
        mmaspec.diff(HOPPER, AMPERE, all_k=True, ulp=1)


def test_units_are_values() -> None:
    u, same, other = mmaspec.unit(HOPPER), mmaspec.unit("h100" + HOPPER[6:]), mmaspec.unit(AMPERE)
    assert u == same and hash(u) == hash(same) and u != other and u != HOPPER
    assert len({u, same, other}) == 2
    chained = u.chained(64)
    assert chained == u.chained(64) and chained != u.chained(32) and chained != u
    for unit in (u, other, chained, mmaspec.unit(S8)):
        for made in (pickle.loads(pickle.dumps(unit)), copy.copy(unit), copy.deepcopy(unit)):
            assert made == unit and made.name == unit.name and made.k == unit.k
    assert pickle.loads(pickle.dumps(gives_c)) is gives_c and copy.deepcopy(gives_c) is gives_c
    assert gives_c == gives_c and gives_c != u


def test_units_of_an_architecture() -> None:
    hopper = mmaspec.units("h100")
    assert hopper == [n for n in mmaspec.units() if n.startswith("hopper/")] and HOPPER in hopper
    with pytest.raises(ValueError, match="hoper"):
        mmaspec.units("hoper")


@pytest.mark.parametrize(
    "dtype", [np.uint8, np.int16, np.uint16, np.int64, np.float32, np.bool_, np.complex64]
)
def test_int8_units_accept_only_int8(dtype: Any) -> None:
    b = np.ones((4, 4), np.int8)
    with pytest.raises(TypeError, match="A must be an array of int8, not of"):
        mmaspec.unit(S8)(np.ones((4, 4), dtype), b)
    with pytest.raises(TypeError, match="C must be an array of int32, not of uint32"):
        mmaspec.unit(S8)(b, b, np.ones((4, 4), np.uint32))


def test_uint8_units_accept_only_uint8() -> None:
    a = np.full((1, 4), 200, np.uint8)
    assert mmaspec.unit(U8)(a, a.T)[0, 0] == 160000
    with pytest.raises(TypeError, match="A must be an array of uint8"):
        mmaspec.unit(U8)(a.astype(np.int8), a.T)


def test_int4_units_accept_int8_within_their_range() -> None:
    u = mmaspec.unit("design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=2)")
    a = np.array([[-8, 7]], np.int8)
    assert u(a, a.T)[0, 0] == 113
    for beyond in (-9, 8):
        with pytest.raises(ValueError, match="A contains numbers that s4, from -8 to 7, does not have"):
            u(np.array([[beyond, 0]], np.int8), a.T)
    with pytest.raises(TypeError, match="A must be an array of int4, not of uint8"):
        u(a.view(np.uint8), a.T)


def test_out_has_the_results_type() -> None:
    a = np.ones((4, 4), np.float16)
    for dtype in (np.int32, np.float64, np.float16):
        with pytest.raises(ValueError, match="type float32"):
            mmaspec.unit(HOPPER)(a, a, out=np.empty((4, 4), dtype))
    with pytest.raises(ValueError, match="packed=True needs e2m1 operands"):
        mmaspec.unit(HOPPER)(a, a, packed=True)
    with pytest.raises(ValueError, match="threads"):
        mmaspec.unit(HOPPER)(a, a, threads=-1)


def test_module_is_the_command() -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mmaspec", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=dict(os.environ)
        )

    assert call("--version").stdout.startswith(f"mmaspec {mmaspec.__version__}")
    assert HOPPER in call("list").stdout
    wrong = call("prove", "monoton-c", HOPPER)
    assert wrong.returncode == 2 and "monotone-c" in wrong.stderr and not wrong.stdout
    assert call("prove", "monotone-c", HOPPER).returncode == 1


def test_arrays_of_other_devices() -> None:
    class Elsewhere:
        """An array in a GPU's memory, by DLPack's protocol alone."""

        def __init__(self, kind: int) -> None:
            self.kind = kind

        def __dlpack_device__(self) -> tuple[int, int]:
            return (self.kind, 0)

        def __dlpack__(self, **_: Any) -> Any:
            raise AssertionError("it is not read")

    B = np.zeros((16, 4), np.float16)
    with pytest.raises(TypeError, match="memory of another device"):
        mmaspec.explain(Elsewhere(2), B, np.zeros((4, 4), np.float32))
    with pytest.raises(TypeError, match="memory of another device"):
        mmaspec.unit(HOPPER)(Elsewhere(10), B)  # ROCm
    with pytest.raises(TypeError, match="^B is not on a CUDA device, and an operand is: copy one of them$"):
        mmaspec.unit(HOPPER)(Elsewhere(2), B)
