"""Algorithms written in Python have the graphs and answers of those in C++."""

from __future__ import annotations

import numpy as np
import pytest

import mmaspec
from mmaspec import language as L

F16, F32 = L.format("f16"), L.format("f32")
HOPPER = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")


def fused_dot_add(x: L.Operands, fraction_bits: int, rounding: str = "rz") -> L.Int:
    """Align all terms to the largest exponent, sum exactly, round once."""
    a = [L.unpack(F16, p) for p in x.a]
    b = [L.unpack(F16, p) for p in x.b]
    c = L.unpack(F32, x.c)
    terms = [L.exact_product(F16, p, F16, q) for p, q in zip(a, b)] + [L.as_term(F32, c)]
    floor = max(L.least_exponent(terms), -133)
    terms = L.leave_zeros_out(terms, floor)
    e_max = L.maximum(L.largest_exponent(terms), floor)
    with L.stage("align"):
        aligned = [L.align(t, e_max, fraction_bits) for t in terms]
    with L.stage("sum"):
        s = L.total(aligned)
        L.mark("sum", s, e_max, -fraction_bits, "sum")
    finite = L.round_and_pack(s < 0, abs(s), e_max - fraction_bits, F32, rounding)
    return L.with_special_values(a, b, c, F32, finite)


@L.algorithm(k=16)
def hopper(x: L.Operands) -> L.Int:
    """Hopper's, written in Python."""
    return fused_dot_add(x, 25)


@L.algorithm(k=4)
def nearest(x: L.Operands) -> L.Int:
    return fused_dot_add(x, 30, "rne")


def test_it_is_hopper() -> None:
    assert hopper.name == "custom/hopper" and hopper.__doc__ == "Hopper's, written in Python."
    answer = mmaspec.diff(hopper, HOPPER, inputs="any", timeout=60)
    assert isinstance(answer, mmaspec.Proved)
    assert answer.by == "one expression"  # the same graph, although one was written in Python
    rng = np.random.default_rng(9)
    a = rng.standard_normal((30, 64)).astype(np.float16)
    b = rng.standard_normal((64, 40)).astype(np.float16)
    c = rng.standard_normal((30, 40)).astype(np.float32)
    np.testing.assert_array_equal(hopper(a, b, c), HOPPER(a, b, c))
    assert mmaspec.compare(hopper, HOPPER, a, b, c).differing == 0


def test_it_is_distinguished_and_traced() -> None:
    answer = mmaspec.diff(nearest, "volta/mma.m8n8k4.f32.f16.f16.f32")
    assert isinstance(answer, mmaspec.Differ)
    assert {s.stage for s in answer.trace()} >= {"sum"}
    assert "custom/nearest" in answer.to_json()


def test_properties() -> None:
    assert mmaspec.prove("commutative", hopper)
    refuted = mmaspec.prove("monotone-c", hopper)
    assert isinstance(refuted, mmaspec.Refuted)
    assert {r.unit.name for r in refuted.runs} == {"custom/hopper"}


def test_small_designs_are_proved() -> None:
    e2m1, e5m2 = L.format("e2m1"), L.format("e5m2")

    @L.algorithm(a="e2m1", b="e2m1", c="e5m2", d="e5m2", k=1)
    def fma(x: L.Operands) -> L.Int:
        return L.fused_multiply_add(e2m1, x.a[0], e2m1, x.b[0], e5m2, x.c, e5m2)

    exact = mmaspec.unit("design:sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1)")
    assert mmaspec.diff(fma, exact, timeout=60)
    assert mmaspec.prove("monotone-c", fma, timeout=60)


def test_scale_factors_and_identify_an_algorithm() -> None:
    e2m1 = L.format("e2m1")
    scale = L.format("ue8m0")

    @L.algorithm(a="e2m1", b="e2m1", c="f32", d="f32", k=2, scale="ue8m0", name="scaled")
    def scaled(x: L.Operands) -> L.Int:
        assert len(x.scale_a) == len(x.scale_b) == 1
        sa, sb = (L.unpack(scale, s[0]) for s in (x.scale_a, x.scale_b))
        shift = sa.exponent + sb.exponent
        terms = []
        for p, q in zip(x.a, x.b):
            t = L.exact_product(e2m1, L.unpack(e2m1, p), e2m1, L.unpack(e2m1, q))
            terms.append(L.negate_if(t.sign, t.significand << (t.exponent + 4)))
        s = L.total(terms)
        return L.round_and_pack(s < 0, abs(s), shift - 6, F32)

    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.array([[1, 2]], ml_dtypes.float4_e2m1fn)
    two = np.array([[2]], ml_dtypes.float8_e8m0fnu)
    assert scaled(a, a.T, scale_a=two, scale_b=two)[0, 0] == 20


def test_unsupported_operations_are_reported() -> None:
    kept = []

    with pytest.raises(TypeError, match="select"):

        @L.algorithm(k=4)
        def branches(x: L.Operands) -> L.Int:
            kept.append(x.c)
            return x.c if x.c > 0 else L.constant(0)

    with pytest.raises(RuntimeError, match="of one algorithm"):

        @L.algorithm(k=4)
        def uses_another(x: L.Operands) -> L.Int:
            return kept[0] + 1

    with pytest.raises(RuntimeError, match="inside"):
        L.constant(1)
    with pytest.raises(RuntimeError):
        kept[0] + 1
    with pytest.raises(ValueError, match="not a bit pattern of f32"):

        @L.algorithm(k=4)
        def too_wide(x: L.Operands) -> L.Int:
            return x.c * 2

    with pytest.raises(TypeError, match="pattern of d"):

        @L.algorithm(k=4)
        def nothing(x: L.Operands) -> None:
            pass

    with pytest.raises(ValueError, match="unknown format"):
        L.algorithm(a="f17", k=4)(lambda x: x.c)
    with pytest.raises(ValueError, match="expected rz, rne"):
        L.algorithm(k=1)(lambda x: L.round_and_pack(False, 1, 0, F32, "up"))
    with pytest.raises(ZeroDivisionError):
        L.algorithm(k=1)(lambda x: 1 // 0)
    # A failure leaves no state behind.
    assert L.algorithm(k=1)(lambda x: x.c).k == 1


def test_numbers() -> None:
    """Each operation compared with Python's integers."""
    F = L.format("f64")

    def run(f, p: int, q: int) -> int:  # noqa: ANN001
        @L.algorithm(a="f16", b="f16", c="f64", d="f64", k=1)
        def unit(x: L.Operands) -> L.Int:
            return f(x.a[0] - 1000, x.b[0]) + (1 << 40)

        word = np.uint16
        d = unit(np.array([[p + 1000]], word), np.array([[q]], word), bits=True)
        return int(d[0, 0]) - (1 << 40)

    cases = {
        "sum": (lambda x, y: x + y - 3 + 2 * y, lambda x, y: x + 3 * y - 3),
        "product": (lambda x, y: x * y, lambda x, y: x * y),
        "abs": (lambda x, y: abs(x), lambda x, y: abs(x)),
        "minus": (lambda x, y: 5 - x, lambda x, y: 5 - x),
        "shift": (lambda x, y: x << 3, lambda x, y: x << 3),
        "right": (lambda x, y: x >> 2, lambda x, y: x >> 2),
        "by": (lambda x, y: x >> L.bits(y, 0, 3), lambda x, y: x >> (y & 7)),
        "max": (lambda x, y: L.maximum(x, y, 7), lambda x, y: max(x, y, 7)),
        "min": (lambda x, y: L.minimum([x, y]), lambda x, y: min(x, y)),
        "select": (
            lambda x, y: L.select((x < y) & ~(x == 0) | (y >= 9), x, 1),
            lambda x, y: x if (x < y and x != 0) or y >= 9 else 1,
        ),
        "xor": (lambda x, y: L.select(L.bit(y, 0) ^ (x > 2), 1, 0), lambda x, y: (y & 1) ^ (x > 2)),
        "length": (lambda x, y: L.bit_length(y), lambda x, y: y.bit_length()),
        "negate": (lambda x, y: L.negate_if(x < 0, y), lambda x, y: -y if x < 0 else y),
        "all": (
            lambda x, y: L.select(L.all_of(x <= 4, y != 3) ^ L.any_of(x > y, True), 1, 0),
            lambda x, y: int((x <= 4 and y != 3) != True),  # noqa: E712
        ),
    }
    for name, (ours, theirs) in cases.items():
        for p, q in [(0, 0), (-7, 3), (5, 9), (-999, 1000), (3, 3), (700, 2)]:
            assert run(ours, p, q) == theirs(p, q), (name, p, q)
    assert F.precision == 53
