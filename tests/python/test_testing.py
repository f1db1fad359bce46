"""mmaspec.testing: correct results of every kind of unit pass, faults fail, and messages state their position."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmaspec
from mmaspec import testing

HOPPER = "h100/mma.m16n8k16.f32.f16.f16.f32"
MI300X = "mi300x/v_mfma_f32_32x32x8_f16"


def matrices(
    m: int, n: int, k: int, dtype: Any = np.float16, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.standard_normal((m, k)).astype(dtype), random.standard_normal((k, n)).astype(dtype)


UNITS = [
    HOPPER,
    "ampere/mma.m16n8k16.f32.f16.f16.f32",
    "volta/mma.m8n8k4.f32.f16.f16.f32",
    MI300X,
    "cdna2/v_mfma_f32_32x32x8f16",
    f"plan:split-k({HOPPER}, k=96, parts=3)",
    f"plan:promote({HOPPER}, k=96, every=32)",
    "design:fused-dot-add(a=f16,c=f32,d=f32,k=8,fraction_bits=10)",
    "design:sequential-fma(a=f16,c=f32,d=f32,k=4,round=rz)",
]


@pytest.mark.parametrize("name", UNITS)
def test_the_units_own_results_pass(name: str) -> None:
    u = mmaspec.unit(name)
    for seed in range(3):
        a, b = matrices(12, 10, 96, seed=seed)
        c = np.random.default_rng(seed).standard_normal((12, 10)).astype(np.float32)
        d = u(a, b, c)
        testing.assert_allclose(d, a, b, c, unit=u)
        testing.assert_equal(d, a, b, c, plan=u)
        e = testing.errors(a, b, c, unit=u)
        assert (np.abs(d.astype(np.float64) - e.exact) <= e.bound + e.rounding).all()
        assert np.isfinite(e.bound).all()


@pytest.mark.parametrize("kind", ["one sign", "huge and tiny", "subnormal", "zeros", "cancelling"])
@pytest.mark.parametrize("name", UNITS[:6])
def test_structured_operands_pass(name: str, kind: str) -> None:
    u = mmaspec.unit(name)
    a, b = matrices(6, 6, 96, seed=5)
    if kind == "one sign":
        a, b = np.abs(a), np.abs(b)
    elif kind == "huge and tiny":
        a[:, ::7] *= np.float16(1000)
        b[::3] *= np.float16(2.0**-12)
    elif kind == "subnormal":
        a = (a * np.float16(2.0**-15)).astype(np.float16)
    elif kind == "zeros":
        a[:, 1:] = 0
        b[:, ::2] = 0
    else:
        a[:, 1::2] = -a[:, ::2]
        b[1::2] = b[::2]
    testing.assert_allclose(u(a, b), a, b, unit=u)


def test_eight_bits_and_scale_factors_pass() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = matrices(8, 8, 256)
    fp8 = mmaspec.unit("h100/wgmma.m64n8k32.f32.e4m3.e4m3")
    x, y = a.astype(ml_dtypes.float8_e4m3fn), b.astype(ml_dtypes.float8_e4m3fn)
    testing.assert_allclose(fp8(x, y), x, y, unit=fp8)
    names = [n for n in mmaspec.units("blackwell") if "mxf8" in n or "block_scale" in n]
    u = mmaspec.unit(next(n for n in names if mmaspec.unit(n).a == "e4m3"))
    random = np.random.default_rng(3)
    scales = [random.integers(120, 134, shape, dtype=np.uint8) for shape in ((8, 8), (8, 8))]
    options = {"scale_a": scales[0], "scale_b": scales[1]}
    testing.assert_allclose(u(x, y, **options), x, y, unit=u, **options)


def test_faults_fail_that_a_relative_tolerance_misses() -> None:
    u = mmaspec.unit(HOPPER)
    a, b = matrices(16, 16, 4096)
    good = u(a, b)
    dropped = good.copy()
    dropped[3, 5] -= np.float32(a[3, 100]) * np.float32(b[100, 5])
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert abs(dropped[3, 5] - exact[3, 5]) > 0.1
    np.testing.assert_allclose(dropped, exact, rtol=1e-2, atol=1)
    with pytest.raises(AssertionError) as told:
        testing.assert_allclose(dropped, a, b, unit=u)
    text = str(told.value)
    assert "Mismatched elements: 1 / 256" in text
    assert "Worst element: [3, 5], K = 4096" in text
    assert f"{u.name} computes {float(good[3, 5])}" in text
    assert "its last stages" in text
    with pytest.raises(AssertionError, match="First mismatch: \\[3, 5\\]"):
        testing.assert_equal(dropped, a, b, plan=u)
    testing.assert_allclose(good, a, b, unit=u, confidence=0.999999)
    with pytest.raises(AssertionError, match="statistical"):
        testing.assert_allclose(dropped, a, b, unit=u, confidence=0.999999)


def test_statistical_tolerances_hold_for_other_orders() -> None:
    u = mmaspec.unit(HOPPER)
    for seed in range(5):
        a, b = matrices(32, 32, 2048, seed=seed)
        order = np.random.default_rng(seed).permutation(2048)
        other = u(np.ascontiguousarray(a[:, order]), np.ascontiguousarray(b[order]))
        testing.assert_allclose(other, a, b, unit=u, confidence=0.999999)


def test_a_reference() -> None:
    a, b = matrices(16, 16, 256)
    d = mmaspec.unit(MI300X)(a, b)
    testing.assert_allclose(d, a, b, unit=MI300X, reference=HOPPER)
    t = testing.tolerance(a, b, unit=MI300X, reference=HOPPER)
    np.testing.assert_allclose(d, mmaspec.unit(HOPPER)(a, b), **t)
    assert t.atol == t["atol"] == t.elements.max() and t.rtol == 0 and dict(t).keys() == {
        "rtol",
        "atol",
    }
    assert t.atol > testing.tolerance(a, b, unit=HOPPER).atol


def test_leading_dimensions() -> None:
    u = mmaspec.unit(HOPPER)
    a = np.random.default_rng(1).standard_normal((2, 3, 4, 32)).astype(np.float16)
    b = np.random.default_rng(2).standard_normal((32, 5)).astype(np.float16)
    d = u(a, b)
    testing.assert_allclose(d, a, b, unit=u)
    d[1, 2, 3, 4] += 1
    with pytest.raises(AssertionError, match="\\[1, 2, 3, 4\\]"):
        testing.assert_allclose(d, a, b, unit=u)
    with pytest.raises(AssertionError, match="\\[1, 2, 3, 4\\]"):
        testing.assert_equal(d, a, b, plan=u)


def test_no_bound_is_reported_without_a_proof() -> None:
    u = mmaspec.unit(HOPPER)
    a, b = matrices(4, 4, 32)
    d = u(a, b)
    a[0, 0] = np.inf
    with pytest.raises(ValueError, match="A contains infinities or NaN"):
        testing.assert_allclose(d, a, b, unit=u)
    with pytest.raises(ValueError, match="f64 operands"):
        x = np.zeros((2, 4))
        testing.errors(x, x.T, unit="h100/mma.m8n8k4.f64.f64.f64.f64")
    with pytest.raises(TypeError, match="plan:epilogue"):
        testing.assert_allclose(d.astype(np.float16), *matrices(4, 4, 32), unit=u)
    large = np.full((2, 32), 6e4, dtype=np.float16)
    half = "h100/mma.m16n8k16.f16.f16.f16.f16"
    with pytest.raises(ValueError, match="a step may overflow"):
        testing.assert_allclose(np.zeros((2, 2), np.float16), large, large.T, unit=half)
    with pytest.raises(ValueError, match="between 0 and 1"):
        testing.tolerance(*matrices(4, 4, 32), unit=u, confidence=1)
    with pytest.raises(AssertionError, match="shape"):
        testing.assert_allclose(d[:2], *matrices(4, 4, 32), unit=u)


def test_nan_is_a_mismatch_and_equal_to_nan() -> None:
    u = mmaspec.unit(HOPPER)
    a, b = matrices(4, 4, 32)
    d = u(a, b)
    d[1, 1] = np.nan
    with pytest.raises(AssertionError, match="\\[1, 1\\]"):
        testing.assert_allclose(d, a, b, unit=u)
    a[2, 3] = np.nan
    testing.assert_equal(u(a, b), a, b, plan=u)


def test_the_plugin_gives_each_named_unit(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(
        "def test_unit(mmaspec_unit):\n    print('has', mmaspec_unit.name)\n", encoding="utf-8"
    )

    # The entry point loads an installed package's plugin, and pytest refuses to load it again.
    installed = importlib.metadata.entry_points(group="pytest11", name="mmaspec")
    plugin = [] if installed else ["-p", "mmaspec.pytest_plugin"]

    def run(*more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *plugin, "-p", "no:cacheprovider", "-rs", "-s",
             str(file), *more],
            capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr

    both = run("--mmaspec-unit", HOPPER, "--mmaspec-unit", MI300X)
    assert "2 passed" in both, both
    assert "has hopper/mma.m16n8k16.f32.f16.f16.f32" in both
    assert "1 skipped" in run() and "needs --mmaspec-unit NAME" in run()
    assert "--mmaspec-unit: " in run("--mmaspec-unit", "h100/no-such-thing")
