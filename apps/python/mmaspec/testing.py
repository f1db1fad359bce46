"""Tests of matrix products against what is proved of the unit that computes them.

    from mmaspec import testing

    testing.assert_allclose(kernel(A, B), A, B, unit="h100/mma.m16n8k16.f32.f16.f16.f32")
    testing.assert_equal(kernel(A, B), A, B, plan="plan:promote(..., every=128)")

A tolerance such as ``rtol=1e-2`` is a guess: too small, and a correct kernel fails on another GPU;
too large, and a dropped term passes. Here every element of C + A @ B has a tolerance of its own. It
is an upper bound of the error that the unit makes with this element's operands, proved by induction
over the unit's steps: the partial sums bound the exponents to which each step aligns and rounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import as_numpy, patterns
from ._unit import Operands, Unit
from ._unit import unit as unit_of
from .formats import dtype_name, dtype_of, values_of, word_of

__all__ = ["Errors", "Tolerances", "assert_allclose", "assert_equal", "errors", "tolerance"]

_EPSILON = 2.0**-52
_ROUNDED_UP = 1 + 4 * _EPSILON  # covers the rounding errors of a few operations
_SHOWN_STAGES = 12


class Errors(NamedTuple):
    """Exact values and error bounds of the elements of C + A @ B, as float64 arrays."""

    exact: np.ndarray  #: C + A @ B, within `rounding`
    rounding: np.ndarray  #: an upper bound of the error of `exact` itself
    bound: np.ndarray  #: an upper bound of the unit's error; inf where none is proved
    scale: np.ndarray  #: the root of the sum of the squares of the products and C
    magnitudes: np.ndarray  #: |C| + |A| @ |B|


class Tolerances(Mapping[str, float]):
    """``rtol`` and ``atol`` as keyword arguments of NumPy's and torch's functions.

    ``numpy.testing.assert_allclose(x, y, **tolerances)``; ``torch.testing.assert_close`` takes the
    same.
    """

    def __init__(self, atol: float, elements: np.ndarray):
        self.atol = atol
        self.rtol = 0.0
        #: The tolerance of each element; `atol` is the largest of these.
        self.elements = elements

    def __getitem__(self, key: str) -> float:
        if key not in ("rtol", "atol"):
            raise KeyError(key)
        return float(getattr(self, key))

    def __iter__(self) -> Iterator[str]:
        return iter(("rtol", "atol"))

    def __len__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return f"Tolerances(rtol=0, atol={self.atol:.6g})"


def _values(format_name: str, words: np.ndarray) -> np.ndarray:
    """Bit patterns as float64 values, without the bits that the unit ignores."""
    ignored = _core.format_ignored_bits(format_name)
    kept = words & ~words.dtype.type((1 << ignored) - 1)
    return np.asarray(values_of(format_name, kept)).astype(np.float64)


def _unit(unit: Unit | str) -> Unit:
    return unit if isinstance(unit, Unit) else unit_of(unit)


def _above(x: np.ndarray, cells: int) -> np.ndarray:
    """An upper bound of x in the same binade: x rounded up within a grid of `cells` steps per
    binade.

    The result has few different values.
    """
    fraction, exponent = np.frexp(x)  # 1/2 <= fraction < 1
    top = (np.floor(fraction * 2 * cells) + 1) / (2 * cells)
    return np.asarray(np.where(x > 0, np.nextafter(np.ldexp(top, exponent), 0), 0.0))


def _subnormal(format_name: str, values: np.ndarray) -> np.ndarray:
    return np.asarray((values != 0) & (np.abs(values) < _least_normal(format_name)))


def _least_normal(format_name: str) -> float:
    kind = dtype_of(format_name)
    if kind.kind in "iu":
        return 0.0
    if kind.name in ("float16", "float32", "float64"):
        return float(np.finfo(kind).tiny)
    import ml_dtypes

    return float(ml_dtypes.finfo(kind).smallest_normal)  # type: ignore[no-untyped-call]


def _errors(u: Unit, o: Operands) -> Errors:
    """The bounds for matrices without leading dimensions."""
    a, b, c = (_values(f, x) for f, x in ((u.a, o.a), (u.b, o.b), (u.c, o.c)))
    scale_a = scale_b = np.ones((1, 1))
    scaled_a, scaled_b = a, b
    k = a.shape[1]
    if o.scale_a is not None and o.scale_b is not None:
        # Their sign is not read.
        scale_a = np.abs(_values(str(u.scale), o.scale_a))
        scale_b = np.abs(_values(str(u.scale), o.scale_b))
        scaled_a = a * np.repeat(scale_a, u.scale_block, axis=1)[:, :k]
        scaled_b = b * np.repeat(scale_b, u.scale_block, axis=0)[:k]
    for name, x in (("A", scaled_a), ("B", scaled_b), ("C", c)):
        if not np.isfinite(x).all():
            raise ValueError(f"{name} contains infinities or NaN: only finite operands have a bound")
    total = c.copy()
    partial = np.abs(total)
    product = np.zeros_like(total)
    for i in range(k):
        term = np.multiply.outer(scaled_a[:, i], scaled_b[i])
        total += term
        np.maximum(partial, np.abs(total), out=partial)
        np.maximum(product, np.abs(term), out=product)
    # Sums of k + 1 numbers, with each addition rounded to nearest.
    rounded_up = 1 + 4 * (k + 1) * _EPSILON
    magnitudes = (np.abs(c) + np.abs(scaled_a) @ np.abs(scaled_b)) * rounded_up
    rounding = (k + 1) * _EPSILON * magnitudes
    if _all_integers(scaled_a, scaled_b, c, magnitudes):
        rounding = np.zeros_like(magnitudes)  # each sum is exact
    shape = total.shape
    rows: dict[str, np.ndarray] = {
        "a": np.abs(a).max(axis=1, initial=0)[:, None],
        "b": np.abs(b).max(axis=0, initial=0)[None, :],
        "c": np.abs(c),
        "scale_a": scale_a.max(axis=1, initial=0)[:, None] * np.ones((shape[0], 1)),
        "scale_b": scale_b.max(axis=0, initial=0)[None, :] * np.ones((1, shape[1])),
        "product": product,
        "magnitudes": magnitudes,
        "partial_sums": partial + rounding,
    }
    # For most operands only the exponent matters; rounded sums grow with the partial sums.
    features = [
        _above(np.broadcast_to(x, shape), 2 if name == "partial_sums" else 1).ravel()
        for name, x in rows.items()
    ]
    subnormal = np.logical_or.outer(
        np.asarray(_subnormal(u.a, a).any(axis=1)), np.asarray(_subnormal(u.b, b).any(axis=0))
    ).ravel()
    table, which = np.unique(
        np.stack([*features, subnormal.astype(np.float64)], axis=1), axis=0, return_inverse=True
    )
    bounds = []
    for *sizes, of_subnormal in table.tolist():
        # In the order of the parameters: the largest |a|, |b|, |c|, scale factors, product; sums.
        x, y, z, of_a, of_b, most, total_size, partial_size = sizes
        bounds.append(
            u._core.error_bound(
                k, x, y, z, of_a, of_b, most, total_size, partial_size, bool(of_subnormal)
            )
        )
    bound = np.array([math.inf if x is None else x for x in bounds])[which.ravel()].reshape(shape)
    scale = np.sqrt(c**2 + scaled_a**2 @ scaled_b**2)
    return Errors(total, rounding, bound, scale, magnitudes)


def _all_integers(a: np.ndarray, b: np.ndarray, c: np.ndarray, magnitudes: np.ndarray) -> bool:
    whole = all(bool((x == np.floor(x)).all()) for x in (a, b, c))
    return whole and float(magnitudes.max(initial=0)) < 2.0**53


def errors(
    A: Any,
    B: Any,
    C: Any = None,
    *,
    unit: Unit | str,
    scale_a: Any = None,
    scale_b: Any = None,
    packed: bool = False,
) -> Errors:
    """The exact C + A @ B and, for each element, an upper bound of the unit's error.

    The operands and the chaining over K are those of `Unit.__call__`. Raises ValueError for
    operands that are not finite, and for units with f64 operands, because float64 does not
    represent their products.
    """
    u = _unit(unit)
    for operand in (u.a, u.b):
        if operand == "f64":
            raise ValueError(f"{u.name}: error bounds of f64 operands are not available")
    o = u._operands(A, B, C, scale_a, scale_b, packed)
    batch = o.shape[:-2]
    if not batch:
        return _errors(u, o)
    parts = []
    for i in np.ndindex(batch):
        at = (None if x is None else x[i] for x in o)
        parts.append(_errors(u, Operands(*at)))  # type: ignore[arg-type]
    return Errors(*(np.stack(x).reshape(o.shape) for x in zip(*parts)))


def _statistical(emulated: np.ndarray, e: Errors, confidence: float) -> np.ndarray:
    """See assert_allclose()."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    scale = np.where(e.scale > 0, e.scale, 1)
    relative = np.maximum(np.abs(emulated - e.exact) - e.rounding, 0) / scale
    sigma = math.sqrt(float(np.mean(relative**2)))
    quantile = math.sqrt(2 * math.log(2 * relative.size / (1 - confidence)))
    if float(relative.max(initial=0)) > quantile * sigma:
        raise ValueError(
            "the unit's errors on these operands contradict the assumption of confidence=; omit it"
            " to use proved bounds"
        )
    return quantile * sigma * e.scale


def _tolerances(
    o: tuple[Any, ...], u: Unit, reference: Unit | str | None, confidence: float | None
) -> tuple[Errors, np.ndarray, np.ndarray]:
    """The unit's error bounds, the desired matrix, and the tolerance of each element."""
    A, B, C, scale_a, scale_b, packed = o

    def run(v: Unit) -> np.ndarray:
        d = v(A, B, C, scale_a=scale_a, scale_b=scale_b, packed=packed, bits=True)
        return _values(v.d, d)

    e = errors(A, B, C, unit=u, scale_a=scale_a, scale_b=scale_b, packed=packed)
    bound = e.bound
    if confidence is not None:
        bound = np.minimum(bound, _statistical(run(u), e, confidence))
    if np.isinf(bound).any():
        raise ValueError(
            f"no error bound is proved for {int(np.isinf(bound).sum())} of {bound.size} elements "
            f"of {u.name}: a step may overflow, or has no known bound"
        )
    bound = bound * _ROUNDED_UP
    if reference is None:
        return e, e.exact, (bound + e.rounding) * _ROUNDED_UP
    r = _unit(reference)
    other = errors(A, B, C, unit=r, scale_a=scale_a, scale_b=scale_b, packed=packed)
    if np.isinf(other.bound).any():
        raise ValueError(f"no error bound is proved for some elements of {r.name}")
    desired = run(r)
    if confidence is None:
        return e, desired, (bound + other.bound) * _ROUNDED_UP
    # The reference's own results for these operands are known.
    return e, desired, bound + np.abs(desired - e.exact) + e.rounding


def tolerance(
    A: Any,
    B: Any,
    C: Any = None,
    *,
    unit: Unit | str,
    reference: Unit | str | None = None,
    confidence: float | None = None,
    scale_a: Any = None,
    scale_b: Any = None,
    packed: bool = False,
) -> Tolerances:
    """The largest tolerance of all elements, for ``numpy.testing`` and ``torch.testing``.

    The desired matrix is the exact C + A @ B, or the result of `reference`. The arguments are those
    of :func:`assert_allclose`, which uses a separate tolerance for each element.
    """
    o = (A, B, C, scale_a, scale_b, packed)
    _, _, elements = _tolerances(o, _unit(unit), reference, confidence)
    return Tolerances(float(elements.max(initial=0)), elements)


def _numbers(actual: Any, u: Unit) -> np.ndarray:
    """Results as float64; their type must be the type of the unit's results."""
    array = as_numpy(actual)
    wanted = dtype_name(u.d)
    if array.dtype.name != wanted:
        raise TypeError(
            f"actual is an array of {array.dtype}, and results of {u.name} are {wanted}; a "
            "conversion is a part of the computation: name a plan with its epilogue, such as "
            "'plan:epilogue(NAME, k=K, out=f16)'"
        )
    return array.astype(np.float64)


def assert_allclose(
    actual: Any,
    A: Any,
    B: Any,
    C: Any = None,
    *,
    unit: Unit | str,
    reference: Unit | str | None = None,
    confidence: float | None = None,
    scale_a: Any = None,
    scale_b: Any = None,
    packed: bool = False,
) -> None:
    """Raises AssertionError if the error of an element of `actual` exceeds its proved bound.

    actual: the matrix C + A @ B, in the format of the unit's results. unit: the instruction that
    the kernel uses, chained over K, or the plan that says how it uses it (`plan:split-k(...)`,
    `plan:promote(...)`, `plan:epilogue(...)`). Operands are the kernel's operands, in the
    unit's formats; `scale_a`, `scale_b` and `packed` are as in `Unit.__call__`.

    Without `reference` the desired matrix is the exact C + A @ B, and each element may differ from
    it by the unit's proved error for this element's operands. With `reference`, the desired matrix
    is the result of that unit, and the proved error bounds of both units are added.

    confidence: a probability such as 0.999999; the tolerance is then statistical, not proved, and
    much smaller for long sums. The unit is emulated on these operands; the root mean square of its
    errors, relative to the root of the sum of the squared products, is taken as the parameter of a
    subgaussian distribution of each element's error (after Higham and Mary, SIAM J. Sci. Comput.
    41(5), 2019, whose errors are independent of mean zero), and with this probability no element of
    a kernel with such errors exceeds the tolerance. The function checks that the unit's own errors
    do not exceed it.

    Raises ValueError if no bound is proved: for operands that are not finite, and for steps that
    may overflow.
    """
    u = _unit(unit)
    x = _numbers(actual, u)
    e, desired, allowed = _tolerances(
        (A, B, C, scale_a, scale_b, packed), u, reference, confidence
    )
    if x.shape != desired.shape:
        raise AssertionError(f"actual has the shape {x.shape}, and C + A @ B {desired.shape}")
    apart = np.abs(x - desired)
    bad = ~(apart <= allowed)
    if not bad.any():
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        excess = np.where(bad, np.where(np.isnan(apart), np.inf, apart / allowed), -1)
    worst = np.unravel_index(int(np.argmax(excess)), excess.shape)
    raise AssertionError(
        _message(u, reference, confidence, (A, B, C, scale_a, scale_b, packed), x, e, desired,
                 allowed, bad, worst)
    )


def _message(
    u: Unit,
    reference: Unit | str | None,
    confidence: float | None,
    operands: tuple[Any, ...],
    x: np.ndarray,
    e: Errors,
    desired: np.ndarray,
    allowed: np.ndarray,
    bad: np.ndarray,
    worst: tuple[Any, ...],
) -> str:
    o = u._operands(*operands)
    kind = "proved" if confidence is None else f"statistical (confidence {confidence})"
    of = "the exact C + A @ B" if reference is None else _unit(reference).name
    computed = _at(u, o, worst)
    at = tuple(int(i) for i in worst)
    lines = [
        "",
        f"Not equal to {of} within the {kind} error of {u.name}",
        "",
        f"Mismatched elements: {int(bad.sum())} / {bad.size} ({100 * bad.mean():.3g}%)",
        f"Worst element: {list(at)}, K = {o.a.shape[-1]}, |C| + sum |a||b| = "
        f"{e.magnitudes[worst]:.6g}",
        f"  actual      {x[worst]!s}",
        f"  desired     {desired[worst]!s}",
        f"  difference  {abs(x[worst] - desired[worst]):.6g}",
        f"  allowed     {allowed[worst]:.6g}",
        f"  {u.name} computes {computed!s}",
    ]
    stages = _last_stages(u, o, worst)
    if stages:
        lines += ["  its last stages:", *("    " + s for s in stages)]
    return "\n".join(lines)


def _row(o: Operands, at: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray, int, Any, Any]:
    batch, (i, j) = at[:-2], at[-2:]
    sa = [] if o.scale_a is None else o.scale_a[batch][i].tolist()
    sb = [] if o.scale_b is None else o.scale_b[batch][:, j].tolist()
    return o.a[batch][i], o.b[batch][:, j], int(o.c[at]), sa, sb


def _at(u: Unit, o: Operands, at: tuple[Any, ...]) -> Any:
    """The unit's evaluation of one element."""
    a, b, c, sa, sb = _row(o, at)

    def matrix(x: Any, name: str | None) -> Any:
        return np.array([x], dtype=word_of(str(name))) if len(x) else None

    column = matrix(sb, u.scale)
    d = u(
        a[None, :],
        b[:, None],
        np.array([[c]], dtype=o.c.dtype),
        scale_a=matrix(sa, u.scale),
        scale_b=None if column is None else column.T,
        bits=True,
    )
    return _values(u.d, d)[0, 0]


def _last_stages(u: Unit, o: Operands, at: tuple[Any, ...]) -> list[str]:
    a, b, c, sa, sb = _row(o, at)
    lines = str(u._trace(a.tolist(), b.tolist(), c, sa, sb)).splitlines()
    return lines if len(lines) <= _SHOWN_STAGES else ["...", *lines[-_SHOWN_STAGES:]]


def assert_equal(
    actual: Any,
    A: Any,
    B: Any,
    C: Any = None,
    *,
    plan: Unit | str,
    scale_a: Any = None,
    scale_b: Any = None,
    packed: bool = False,
) -> None:
    """Raises AssertionError if `actual` differs from the plan's result in any bit.

    plan: an instruction, a design or a plan. Any two NaN are equal. The zeros +0 and -0 are not.
    """
    u = _unit(plan)
    x = patterns("actual", actual, u.d)
    d = u(A, B, C, scale_a=scale_a, scale_b=scale_b, packed=packed, bits=True)
    if x.shape != d.shape:
        raise AssertionError(f"actual has the shape {x.shape}, and C + A @ B {d.shape}")
    values, desired = _values(u.d, x), _values(u.d, d)
    bad = (x != d) & ~(np.isnan(values) & np.isnan(desired))
    if not bad.any():
        return
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    digits = -(-_core.format_bits(u.d) // 4)
    o = u._operands(A, B, C, scale_a, scale_b, packed)
    lines = [
        "",
        f"Not bit-identical to the result of {u.name} computes",
        "",
        f"Mismatched elements: {int(bad.sum())} / {bad.size} ({100 * bad.mean():.3g}%)",
        f"First mismatch: {list(at)}, K = {o.a.shape[-1]}",
        f"  actual   0x{int(x[at]):0{digits}x}  {values[at]!s}",
        f"  desired  0x{int(d[at]):0{digits}x}  {desired[at]!s}",
    ]
    stages = _last_stages(u, o, at)
    lines += ["  its last stages:", *("    " + s for s in stages)]
    raise AssertionError("\n".join(lines))
