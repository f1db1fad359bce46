"""Which plan made a matrix: of plans of the package, and of NumPy's own product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mmaspec

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
SPLIT = f"plan:split-k({HOPPER},k=96,parts=3)"


@pytest.fixture
def operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    a = (rng.standard_normal((9, 96)) * 2.0 ** rng.integers(-6, 6, (9, 96))).astype(np.float16)
    b = (rng.standard_normal((96, 7)) * 2.0 ** rng.integers(-6, 6, (96, 7))).astype(np.float16)
    return a, b


def test_names_the_plan(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    found = mmaspec.explain(a, b, d, units="hopper")
    assert found.verdict == "explained"
    assert found.plan.plan == SPLIT
    assert found.elements == found.plan.elements == 63
    assert found.plan.tree == "((0..32+32..64)+64..96)"
    np.testing.assert_array_equal(found.plan.emulate(a, b), d)
    assert "explained" in str(found)


def test_none_fits(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    d[3, 2] = np.nextafter(d[3, 2], np.float32(np.inf))
    found = mmaspec.explain(a, b, d, units=["hopper"])
    assert found.verdict == "none fits"
    assert found.plans == ()
    assert "nearest: 62 of 63" in str(found)
    d[3, 2] = np.nan
    assert mmaspec.explain(a, b, d, units=["hopper"]).plan.plan == SPLIT
    with pytest.raises(ValueError, match="none fits"):
        _ = found.plan


def test_with_c(operands: Any) -> None:
    a, b = operands
    c = np.random.default_rng(5).standard_normal((9, 7)).astype(np.float32)
    plan = f"plan:chain({HOPPER},k=96)"
    found = mmaspec.explain(a, b, mmaspec.unit(plan)(a, b, c), C=c, units="h100")
    assert found.plan.plan == plan


def test_bit_patterns(operands: Any) -> None:
    a, b = operands
    d = mmaspec.unit(SPLIT)(a, b)
    formats = {"A": "f16", "B": "f16", "D": "f32"}
    found = mmaspec.explain(
        a.view(np.uint16), b.view(np.uint16), d.view(np.uint32), units="hopper", formats=formats
    )
    assert found.plan.plan == SPLIT


def test_a_function() -> None:
    plan = mmaspec.unit(f"plan:split-k({HOPPER},k=128,parts=2)")
    calls = []

    def function(a: np.ndarray, b: np.ndarray) -> Any:
        calls.append(a.shape)
        return plan(a, b)

    found = mmaspec.explain(function, 16, 16, 128, formats=("f16", "f16", "f32"), units="hopper")
    assert found.plan.plan == plan.name
    assert len(calls) == 1


def test_numpy_is_a_plan_of_multiply_adds() -> None:
    # Which plan is BLAS's choice. That all elements are the same sums of fused multiply-adds is not.
    def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return a @ b

    found = mmaspec.explain(product, 16, 16, 64, formats=("f32", "f32", "f32"), units="x86/vfmadd231ps")
    if found.verdict == "none fits":
        pytest.skip(f"this BLAS has another order: {found}")
    assert "x86/vfmadd231ps" in found.plans[0].plan


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        ((1, 2), {}, "takes A, B and D"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"space": "some"}, "'usual' or 'all'"),
        ((np.eye(2), np.eye(2), np.eye(2)), {"units": "hoper"}, "hopper"),
        ((np.eye(2), np.eye(3), np.eye(2)), {"units": "hopper"}, "shapes do not fit"),
        ((np.zeros(2), np.eye(2), np.eye(2)), {}, "a matrix two"),
        ((np.eye(2) > 0, np.eye(2), np.eye(2)), {}, "not a format"),
        ((lambda a, b: a, 8, 8, 16), {}, "three names"),
    ],
)
def test_bad_arguments(arguments: Any, options: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        mmaspec.explain(*arguments, **options)
