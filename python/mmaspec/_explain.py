"""Which computation made a matrix: plans that reproduce it, of arrays and of functions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._arguments import integer
from ._arrays import as_numpy
from ._unit import Unit, unit
from .formats import dtype_name, dtype_of, word_of

_FORMATS = (
    *("f64", "f32", "tf32", "xf32", "f16", "bf16"),
    *("e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "s8", "u8", "s32"),
)
_ROUNDS = 4  # products that a function computes at most, to tell plans apart


@dataclass(frozen=True)
class Explained:
    """A class of plans that reproduce all elements, or all of a region."""

    plan: str
    #: Other names of plans that compute the same for all inputs.
    equal_to: tuple[str, ...] = ()
    elements: int = 0
    #: Which sums of consecutive products are added in which order: '((0..16+16..32)+32..48)'.
    tree: str = ""
    #: With two plans: the rectangle inside or outside of which this one reproduces all.
    region: dict[str, int] | None = None

    @property
    def unit(self) -> Unit:
        """The plan as a unit: `plan.unit(A, B, C)` computes matrices."""
        return unit(self.plan)

    def emulate(self, A: Any, B: Any, C: Any = None) -> Any:
        """A B + C by the plan, bit for bit."""
        return self.unit(A, B, C)

    def __str__(self) -> str:
        return self.plan


@dataclass(frozen=True)
class Explanation:
    """What `explain` answers: `verdict` is 'explained', 'none fits' or 'undecided'."""

    verdict: str
    plans: tuple[Explained, ...]
    document: dict[str, Any] = field(repr=False)

    @property
    def plan(self) -> Explained:
        """The only plan. Raises ValueError unless the verdict is 'explained' and there is one."""
        if self.verdict != "explained" or len(self.plans) != 1:
            raise ValueError(f"{self.verdict}: {len(self.plans)} plans")
        return self.plans[0]

    @property
    def elements(self) -> int:
        """Elements of D that are known."""
        return int(self.document.get("elements", 0))

    @property
    def tried(self) -> int:
        """Plans of the space that was searched."""
        return int(self.document.get("tried", 0))

    def __str__(self) -> str:
        lines = [f"{self.verdict}: {self.elements} elements, {self.tried} plans tried"]
        lines += [f"  {plan}" for plan in self.plans[:8]]
        if len(self.plans) > 8:
            lines.append(f"  and {len(self.plans) - 8} more")
        best = self.document.get("best")
        if best and not self.plans:
            lines.append(f"  nearest: {best['matched']} of {best['checked']} by {best['plan']}")
        return "\n".join(lines)


def _formats_of(array: np.ndarray, given: str | None, operand: str) -> list[str]:
    """The formats of which the array may be."""
    if given is not None:
        return [given]
    kind = array.dtype
    if kind.kind == "u":
        all_ = [f for f in _FORMATS if word_of(f) == kind and f != "s8"]
    else:
        all_ = [f for f in _FORMATS if dtype_name(f) == kind.name]
    if not all_:
        raise TypeError(f"{operand} is an array of {kind}, not a format of the specifications")
    return all_


def _words(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _answer(
    A: Any,
    B: Any,
    D: Any,
    C: Any,
    units: Sequence[str],
    formats: dict[str, str],
    space: str,
    timeout: float,
    threads: int,
) -> Explanation:
    given = (("A", A), ("B", B), ("C", C), ("D", D))
    arrays = {name: as_numpy(x) for name, x in given if x is not None}
    for name, array in arrays.items():
        if array.ndim != 2:
            raise ValueError(f"{name} has {array.ndim} dimensions, and a matrix two")
    named = {name: _formats_of(x, formats.get(name), name) for name, x in arrays.items()}
    text = _core.explain(
        _words(arrays["A"]),
        _words(arrays["B"]),
        _words(arrays["C"]) if "C" in arrays else None,
        _words(arrays["D"]),
        named["A"],
        named["B"],
        named.get("C", []),
        named["D"],
        list(units),
        space == "all",
        float(timeout),
        threads,
    )
    document = json.loads(text)
    plans = tuple(
        Explained(
            p["plan"],
            tuple(p["equal_to"]),
            p["elements"],
            p.get("tree", ""),
            p.get("inside") or p.get("outside"),
        )
        for p in document["plans"]
    )
    return Explanation(document["verdict"], plans, document)


def _drawn(rng: np.random.Generator, shape: tuple[int, int], format_name: str) -> np.ndarray:
    """Numbers of a format whose exponents are far apart."""
    span = {"e4m3": 8, "e5m2": 12, "f16": 10}.get(format_name, 14)
    scales: np.ndarray = 2.0 ** -rng.integers(0, span, shape) * rng.choice([-1, 1], shape)
    numbers: np.ndarray = rng.uniform(1, 2, shape) * scales
    return numbers.astype(dtype_of(format_name))


def _of_function(
    function: Callable[[Any, Any], Any],
    m: int,
    n: int,
    k: int,
    formats: Sequence[str],
    units: Sequence[str],
    space: str,
    timeout: float,
    threads: int,
    seed: int,
) -> Explanation:
    if len(formats) != 3:
        raise ValueError("formats are those of A, B and D")
    a_format, b_format, d_format = formats
    of = {"A": a_format, "B": b_format, "D": d_format}
    rng = np.random.default_rng(seed)
    names = list(units)
    for i in range(_ROUNDS):
        A, B = _drawn(rng, (m, k), a_format), _drawn(rng, (k, n), b_format)
        found = _answer(A, B, function(A, B), None, names, of, space, timeout, threads)
        if len(found.plans) < 2:
            return found
        names = [p.plan for p in found.plans]
        hint = json.loads(_core.explain_suggest(names, k, float(timeout)))
        if hint["products"] < 2 or hint["rows"] > m or hint["rows"] > n or i + 1 == _ROUNDS:
            continue
        # The suggested operands in a corner of matrices of the function's shape.
        rows = hint["rows"]
        a, b = np.zeros((m, k), word_of(a_format)), np.zeros((k, n), word_of(b_format))
        a[:rows] = np.array(hint["a"]).reshape(rows, k)
        b[:, :rows] = np.array(hint["b"]).reshape(k, rows)
        A, B = a.view(dtype_of(a_format)), b.view(dtype_of(b_format))
        found = _answer(A, B, function(A, B), None, names, of, space, timeout, threads)
        if len(found.plans) < 2:
            return found
        names = [p.plan for p in found.plans]
    return found


def explain(
    *arguments: Any,
    C: Any = None,
    units: str | Sequence[str] = (),
    formats: Sequence[str] | dict[str, str] | None = None,
    space: str = "usual",
    timeout: float = 60,
    threads: int = 0,
    seed: int = 0,
) -> Explanation:
    """Which plans reproduce a matrix that a library computed.

    `explain(A, B, D)`: D is the product of A and B, to which `C` was added. NaN in D is unknown.
    `formats`: {'A': 'f16', ...} where arrays of unsigned integers hold bit patterns.

    `explain(function, m, n, k, formats=('f16', 'f16', 'f32'))`: draws A (m, k) and B (k, n), takes
    `function(A, B)` for their product, and draws others as long as several plans fit.

    `units`: what may have run: architectures ('h100'), instructions, designs, plans; default: all.
    `space`: 'usual', or 'all' plans at once. `timeout`: seconds of each search.
    """
    if space not in ("usual", "all"):
        raise ValueError(f"space is 'usual' or 'all', not {space!r}")
    named = [units] if isinstance(units, str) else list(units)
    threads = integer("threads", threads, 0, 4096)
    if len(arguments) == 4 and callable(arguments[0]):
        function, *sizes = arguments
        if formats is None or isinstance(formats, dict):
            raise ValueError("of a function, formats are three names: of A, B and D")
        m, n, k = (integer(name, x, 1) for name, x in zip("mnk", sizes))
        return _of_function(
            function, m, n, k, formats, named, space, timeout, threads, seed
        )
    if len(arguments) != 3:
        raise TypeError("explain takes A, B and D, or a function, m, n and k")
    if formats is not None and not isinstance(formats, dict):
        raise ValueError("formats are a dictionary: {'A': 'f16', 'B': 'f16', 'D': 'f32'}")
    return _answer(*arguments, C, named, formats or {}, space, timeout, threads)


__all__ = ["Explained", "Explanation", "explain"]
