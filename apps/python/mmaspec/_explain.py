"""Finds which plans reproduce a matrix, given as an array or as a function."""

from __future__ import annotations

import dataclasses
import functools
import json
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from . import _core
from ._arguments import integer
from ._arrays import as_numpy
from ._blocks import RECIPES, scaled_blocks
from ._html import explanation_html
from ._summation import (
    Counted,
    Masks,
    NotMeasurable,
    Step,
    Tree,
    can_measure,
    needs_many_calls,
    picture_of_tree,
    plans_of_tree,
    step_of,
    text_of_tree,
    trees_as_plans,
)
from ._unit import Unit, unit, units
from .formats import dtype_name, dtype_of, word_of

_FORMATS = (
    *("f64", "f32", "tf32", "xf32", "f16", "bf16"),
    *("e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "s8", "u8", "s32", "ue8m0", "ue4m3"),
)
_ROUNDS = 4  # limit of products of a function that distinguish plans
#: Formats whose products f32 holds.
_NARROW = ("f16", "bf16", "e4m3", "e5m2")
_MANY = 20000  # largest number of elements for finding the regions of two plans
_EVIDENCE = 64  # number of elements, of one or several products, that a plan must reproduce
#: An architecture includes them: kernels of all vendors compute alike with them.
_MULTIPLY_ADDS = ["x86/vfmadd231ps", "x86/vfmadd231pd"]


Block = tuple[int, int]


@dataclass(frozen=True)
class Explained:
    """A class of equal plans that reproduce all elements of a result, or all elements of a region.

    `print(p)` shows the plan's name and its region, `p.picture()` the tree of its sums.
    """

    #: The simplest name of the plan: `mmaspec.unit(p.plan)`.
    plan: str
    #: Other names of plans that compute the same for all inputs.
    equal_to: tuple[str, ...] = ()
    #: How many elements the plan reproduces.
    elements: int = 0
    #: Which sums of consecutive products are added in which order: '((0..16+16..32)+32..48)'. Of a
    #: function, the tree that was measured: '((0..62/2)+(1..63/2))' adds the even products, one after
    #: the other, the odd ones, and then both sums.
    tree: str = ""
    #: With two plans: the rectangle inside or outside of which this one reproduces all.
    region: dict[str, int] | None = None
    #: Which elements the plan reproduces: (M, N) of bool. None: all.
    elements_of: np.ndarray | None = field(default=None, repr=False, compare=False)
    #: With `blocks`: how the operands were scaled; see `scaled_blocks`. The plan takes the scaled
    #: operands and their factors.
    recipe: str = ""
    #: Other recipes, which give the same operands and factors for these matrices.
    other_recipes: tuple[str, ...] = ()
    #: With `blocks`: the shapes of the blocks of A and B.
    blocks: tuple[Block | None, Block | None] = (None, None)

    @property
    def unit(self) -> Unit:
        """The plan as a unit: `p.unit(A, B, C)` computes matrices, `p.unit.trace(...)` one element."""
        return unit(self.plan)

    def emulate(self, A: Any, B: Any, C: Any = None) -> Any:
        """A B + C computed by the plan, bit for bit. A is (M, K), B is (K, N), C is (M, N) and
        optional.

        The result has the format of the explained result. K must be the plan's K.
        """
        if not self.recipe:
            return self.unit(A, B, C)
        if C is not None or None in self.blocks:
            raise ValueError("this plan takes scaled operands: p.unit(A, B, scale_a=..., scale_b=...)")
        (A, scale_a), (B, scale_b) = _scaled_operands(A, B, (None, None), self.blocks, self.recipe)
        m, n, block = A.shape[0], B.shape[1], A.shape[1] // scale_a.shape[1]
        if scale_a.shape[0] < m:
            scale_a = np.repeat(scale_a, block, 0)[:m]
        if scale_b.shape[1] < n:
            scale_b = np.repeat(scale_b, block, 1)[:, :n]
        return self.unit(A, B, scale_a=scale_a, scale_b=scale_b)

    def picture(self) -> str:
        """The tree of sums as indented text: a node's summands follow it, with a larger indent."""
        return picture_of_tree(self.tree) if self.tree else self.plan

    @property
    def where(self) -> str:
        """The elements that the plan reproduces, in words; empty: all."""
        if self.elements_of is not None:
            return _words_of(self.elements_of)
        if self.region is None:
            return ""
        r = self.region
        rows = f"rows {r['first_row']} to {r['end_row'] - 1}"
        return f"inside or outside of {rows}, columns {r['first_column']} to {r['end_column'] - 1}"

    def __str__(self) -> str:
        recipes = " or ".join((self.recipe, *self.other_recipes))
        how = f", operands scaled by recipe {recipes}" if self.recipe else ""
        return f"{self.plan} ({self.where})" if self.where else self.plan + how


def _words_of(where: np.ndarray) -> str:
    """Describes a set of elements: all, a rectangle, all except a rectangle, or their number."""
    if where.all():
        return ""
    for mask, before in ((where, ""), (~where, "all but ")):
        box = _box(mask)
        if mask[_slices(box)].all():
            text = f"rows {box['first_row']} to {box['end_row'] - 1}, "
            return f"{before}{text}columns {box['first_column']} to {box['end_column'] - 1}"
    return f"{int(where.sum())} elements"


@dataclass(frozen=True)
class Explanation:
    """The answer of `explain`.

    `verdict` is 'explained' (one class of equal plans, or one for each region), 'none fits' or
    'undecided'. `plans` are those that reproduce all elements, the simplest first. `document` is the
    answer of the command line's `--json`.
    """

    verdict: str
    plans: tuple[Explained, ...]
    document: dict[str, Any] = field(repr=False)
    #: How many times the function was called; 0: arrays were given.
    calls: int = 0
    #: How many of these calls measured the order of the sums; the others confirmed plans.
    mask_calls: int = 0
    #: Of a function: the trees of sums that were measured, one for each set of elements that add
    #: alike. Empty: the formats' range is too small to measure them.
    trees: tuple[str, ...] = ()

    @property
    def plan(self) -> Explained:
        """The only plan. Raises ValueError unless the verdict is 'explained' and there is one."""
        if self.verdict != "explained" or len(self.plans) != 1:
            raise ValueError(f"{self.verdict}: {len(self.plans)} plans")
        return self.plans[0]

    @property
    def elements(self) -> int:
        """How many elements of D are known."""
        return int(self.document.get("elements", 0))

    @property
    def tried(self) -> int:
        """How many plans were tried."""
        return int(self.document.get("tried", 0))

    def emulate(self, A: Any, B: Any, C: Any = None) -> Any:
        """A B + C by the plan, or each element by its region's plan. Raises ValueError if there is
        none.
        """
        if self.verdict != "explained" or len(self.plans) == 1:
            return self.plan.emulate(A, B, C)
        parts = [p for p in self.plans if p.elements_of is not None]
        if len(parts) != len(self.plans):
            raise ValueError(
                "the regions belong to the recorded result; other matrices need a plan without regions"
            )
        D = parts[0].emulate(A, B, C)
        for p in parts[1:]:
            D[p.elements_of] = p.emulate(A, B, C)[p.elements_of]
        return D

    def __str__(self) -> str:
        calls = f", {self.calls} calls" if self.calls else ""
        lines = [f"{self.verdict}: {self.elements} elements, {self.tried} plans tried{calls}"]
        lines += [f"  {plan}" for plan in self.plans[:8]]
        if len(self.plans) > 8:
            lines.append(f"  and {len(self.plans) - 8} more")
        best = self.document.get("best")
        if best and not self.plans:
            lines.append(f"  nearest: {best['matched']} of {best['checked']} by {best['plan']}")
        if self.trees and not self.plans:
            lines += [f"  measured order of sums: {tree}" for tree in self.trees]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return explanation_html(self)


def _formats_of(array: np.ndarray, given: str | None, operand: str) -> list[str]:
    """The formats that the array may have."""
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


class _Search(NamedTuple):
    """What is searched, and how long."""

    units: Sequence[str]
    formats: dict[str, str]
    space: str
    timeout: float
    threads: int


def _answer(
    A: Any, B: Any, D: Any, C: Any, search: _Search, scales: tuple[Any, Any] = (None, None)
) -> Explanation:
    given = (("A", A), ("B", B), ("C", C), ("D", D), ("scale_a", scales[0]), ("scale_b", scales[1]))
    arrays = {name: as_numpy(x) for name, x in given if x is not None}
    for name, array in arrays.items():
        if array.ndim != 2:
            raise ValueError(f"{name} has {array.ndim} dimensions, but a matrix has at least two")
    named = {name: _formats_of(x, search.formats.get(name), name) for name, x in arrays.items()}
    text = _core.explain(
        _words(arrays["A"]),
        _words(arrays["B"]),
        _words(arrays["C"]) if "C" in arrays else None,
        _words(arrays["D"]),
        named["A"],
        named["B"],
        named.get("C", []),
        named["D"],
        _words(arrays["scale_a"]) if "scale_a" in arrays else None,
        _words(arrays["scale_b"]) if "scale_b" in arrays else None,
        [f for f in named.get("scale_a", []) if f in named["scale_b"]],
        list(search.units),
        search.space == "all",
        float(search.timeout),
        search.threads,
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


def _scaled_operands(
    A: Any, B: Any, scales: tuple[Any, Any], blocks: tuple[Block | None, Block | None], recipe: str
) -> list[tuple[Any, Any]]:
    """A and B with their scale factors: scaled by the recipe, or as given where there is no block."""
    return [
        (X, scale) if block is None else scaled_blocks(X, block, recipe)
        for X, scale, block in zip((A, B), scales, blocks)
    ]


def _with_blocks(
    A: Any,
    B: Any,
    D: Any,
    blocks: Sequence[Block | None],
    scales: tuple[Any, Any],
    search: _Search,
) -> Explanation:
    """The answer for operands that were scaled block by block, by any recipe."""
    if len(blocks) != 2 or all(block is None for block in blocks):
        raise ValueError("blocks must be the shapes of the blocks of A and of B, such as ((1, 128), (128, 128))")
    shapes = (blocks[0], blocks[1])
    for name, block, scale in zip("AB", shapes, scales):
        if (block is None) == (scale is None):
            raise ValueError(f"{name} needs either a shape of blocks or scale factors")
    plans: list[Explained] = []
    document: dict[str, Any] = {"verdict": "none fits", "elements": 0, "tried": 0, "recipes": {}}
    verdicts: list[str] = []  # of recipes that plans fit, or may fit
    same_operands: dict[bytes, list[str]] = {}
    scaled: dict[str, list[tuple[Any, Any]]] = {}
    for recipe in RECIPES:
        scaled[recipe] = _scaled_operands(A, B, scales, shapes, recipe)
        key = b"".join(as_numpy(x).tobytes() for pair in scaled[recipe] for x in pair)
        same_operands.setdefault(key, []).append(recipe)
    for recipe, *others in same_operands.values():
        (a, scale_a), (b, scale_b) = scaled[recipe]
        found = _answer(a, b, D, None, search, (scale_a, scale_b))
        plans += [
            dataclasses.replace(p, recipe=recipe, other_recipes=tuple(others), blocks=shapes)
            for p in found.plans
        ]
        if found.verdict != "none fits":
            verdicts.append(found.verdict)
        document["elements"] = found.elements
        document["tried"] += found.tried
        document["recipes"][recipe] = found.document
    if verdicts:
        document["verdict"] = verdicts[0] if len(verdicts) == 1 else "undecided"
    else:
        best = [d["best"] for d in document["recipes"].values() if d.get("best")]
        if best:
            document["best"] = max(best, key=lambda b: b["matched"] / max(b["checked"], 1))
    document["plans"] = [{"plan": p.plan, "recipe": p.recipe, "elements": p.elements} for p in plans]
    return Explanation(document["verdict"], tuple(plans), document)


def _drawn(rng: np.random.Generator, shape: tuple[int, int], format_name: str) -> np.ndarray:
    """Numbers of a format whose exponents differ widely."""
    kind = dtype_of(format_name)
    if format_name in ("s8", "u8", "s32"):
        limits = np.iinfo(kind)
        return rng.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
    span = {"e4m3": 8, "e5m2": 12, "f16": 10}.get(format_name, 14)
    scales: np.ndarray = 2.0 ** -rng.integers(0, span, shape) * rng.choice([-1, 1], shape)
    numbers: np.ndarray = rng.uniform(1, 2, shape) * scales
    return numbers.astype(kind)


def _as_ties(numbers: np.ndarray) -> np.ndarray:
    """Numbers of f32 that TF32 does not represent; other formats unchanged."""
    if numbers.dtype != np.float32:
        return numbers
    return (numbers.view(np.uint32) & np.uint32(0xFFFFE000) | np.uint32(0x1000)).view(np.float32)


def _instructions(names: Sequence[str]) -> list[str]:
    """The instructions among the named units; plans and designs are returned unchanged."""
    if not names:
        return units()
    found: list[str] = []
    for name in names:
        found += [name] if "/" in name or ":" in name else units(name)
    if any("/" not in name and ":" not in name for name in names):
        found += _MULTIPLY_ADDS
    return list(dict.fromkeys(found))


def _step_of_design(u: Unit) -> tuple[Any, ...]:
    """Equal for instructions that are chains of one step."""
    return (u.algorithm, u._core.step, u.a, u.b, u.c, u.d, tuple(u.parameters))


@functools.lru_cache(maxsize=256)
def _step(name: str) -> Step | None:
    return step_of(unit(name))


def _plans_of_tree(
    tree: Tree, k: int, of: Sequence[str], names: Sequence[str], usual: bool
) -> dict[str, tuple[str, ...]]:
    """Plans around each instruction that add in the tree, with the names of equal plans.

    `usual`: plans of the schemes that kernels usually have; otherwise, plans whose names contain
    the tree.
    """
    a, b, d = of
    kinds: dict[tuple[Any, ...], list[Unit]] = {}
    for name in _instructions(names):
        u = unit(name)
        widens = u.a == u.b == "f32" and a == b and a in ("f16", "bf16")
        rounds = u.a == u.b == "tf32" and a == b == "f32"
        stores = u.d == d or (u.d == "f32" and d in ("f16", "bf16"))
        if name.startswith("plan:") or u.scale or u.c != u.d or not stores:
            continue
        if (u.a, u.b) == (a, b) or widens or rounds:
            kinds.setdefault(_step_of_design(u), []).append(u)
    plans: dict[str, tuple[str, ...]] = {}
    for same in kinds.values():
        u = min(same, key=lambda other: other.k)
        step = _step(u.name)
        # The sums' format holds each product, so rounding it makes no difference.
        exact = a in _NARROW and b in _NARROW and u.d in ("f32", "f64")
        of_kinds = (False,) if exact else (False, True)
        if step is None:
            continue
        found = plans_of_tree(tree, k, step) if usual else {}
        for plan in (
            [found[kind] for kind in of_kinds if kind in found]
            if usual
            else trees_as_plans(tree, k, step, exact)
        ):
            for name in _converted(plan, k, u, of):
                others = [_renamed(name, u, other) for other in same if other is not u]
                plans[name] = tuple(other for other in others if other)
    return plans


def _renamed(plan: str, old: Unit, new: Unit) -> str:
    """The same plan around another instruction, or "" if its K does not divide the parts."""
    if plan == old.name:
        return new.name if new.k == old.k else ""
    name = plan.replace(old.name + ",", new.name + ",")
    try:
        unit(name)
    except ValueError:
        return ""
    return name


def _converted(plan: str, k: int, u: Unit, of: Sequence[str]) -> list[str]:
    """The plan with the conversions of A and B to the instruction's formats and of sums to D's
    format.
    """
    a, b, d = of
    found = [plan]
    if (u.a, u.b) != (a, b):
        rounds = ("rne", "rna") if u.a == "tf32" else ("rne",)
        found = [f"convert({plan},k={k},a={a},b={b},round={r})" for r in rounds]
    if u.d != d:
        found = [f"epilogue({p},k={k},beta=0,out={d})" for p in found]
    return [p if "(" not in p else f"plan:{p}" for p in found]


def _box(mask: np.ndarray) -> dict[str, int]:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return {
        "first_row": int(rows[0]),
        "end_row": int(rows[-1]) + 1,
        "first_column": int(columns[0]),
        "end_column": int(columns[-1]) + 1,
    }


def _slices(box: dict[str, int]) -> tuple[slice, slice]:
    return slice(box["first_row"], box["end_row"]), slice(box["first_column"], box["end_column"])


class _Function:
    """Results of a function for random operands, and the order in which it adds."""

    def __init__(
        self,
        function: Callable[[Any, Any], Any],
        sizes: tuple[int, int, int],
        formats: Sequence[str],
        names: Sequence[str],
        space: str,
        timeout: float,
        threads: int,
        seed: int,
    ):
        self.function = Counted(function)
        self.mask_calls = 0
        self.m, self.n, self.k = sizes
        self.formats = (formats[0], formats[1], formats[2])
        self.names = list(names)
        self.how = (space, timeout, threads)
        self.rng = np.random.default_rng(seed)
        self.draws: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.everywhere = np.ones((self.m, self.n), bool)

    def draw(self, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Random operands, and the function's product of them."""
        a, b, d = self.formats
        while len(self.draws) <= number:
            A = _drawn(self.rng, (self.m, self.k), a)
            B = _drawn(self.rng, (self.k, self.n), b)
            if len(self.draws) % 2 == 1:
                A, B = _as_ties(A), _as_ties(B)
            self.draws.append((A, B, self.product(A, B)))
        return self.draws[number]

    def product(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        D = self.function(A, B)
        d = self.formats[2]
        if D.shape != (self.m, self.n):
            raise ValueError(f"the function returned {D.shape}, and not {(self.m, self.n)}")
        if D.dtype not in (dtype_of(d), word_of(d)):
            raise TypeError(f"the function returned {D.dtype}, and not {d}")
        return D.view(dtype_of(d))

    def answer(self, A: Any, B: Any, D: Any, where: np.ndarray, names: Sequence[str]) -> Explanation:
        """Which plans reproduce the elements of D in `where`."""
        if not where.all():
            D = np.where(where, D, np.asarray(np.nan, dtype_of(self.formats[2])))
        of = dict(zip("ABD", self.formats))
        return _answer(A, B, D, None, _Search(names, of, *self.how))

    def run(self) -> Explanation:
        trees: list[tuple[str, np.ndarray]] = []
        found = None
        if can_measure(self.formats):
            if needs_many_calls(self.formats):
                found = self._searched(self.names, self.everywhere)
            if found is None or found.verdict != "explained":
                found = self._by_tree(trees) or found
        found = found or self._searched(self.names, self.everywhere)
        texts = tuple(text for text, _ in trees)
        return dataclasses.replace(
            found, calls=self.function.calls, mask_calls=self.mask_calls, trees=texts
        )

    def _searched(self, names: Sequence[str], where: np.ndarray) -> Explanation:
        """Searches the space, and calls the function again while several plans fit.

        Plans that fit few elements are tried on the same elements of further products.
        """
        found = self.answer(*self.draw(0), where, names)
        if any(p.region for p in found.plans):
            # Each plan fits some of the elements; a plan that fits another product everywhere is
            # not an answer.
            regions = self._two_regions([p.plan for p in found.plans], where)
            return regions or Explanation("none fits", (), found.document)
        of_each = int(where.sum())
        elements = of_each
        for i in range(1, max(_ROUNDS, -(-_EVIDENCE // of_each))):
            left = [p.plan for p in found.plans]
            if not left or (len(left) == 1 and elements >= _EVIDENCE):
                break
            if len(left) > 1 and i < _ROUNDS:
                hint = json.loads(_core.explain_suggest(left, self.k, float(self.how[1])))
                if hint["products"] > 1:
                    found = self.answer(*self._suggested(hint), where, left)
                    left = [p.plan for p in found.plans]
                    elements += of_each
                    if not left:
                        break
            found = self.answer(*self.draw(i), where, left)
            elements += of_each
        return found

    def _suggested(self, hint: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The suggested operands, cut to the function's shape."""
        a, b, _ = self.formats
        rows = hint["rows"]
        A, B = np.zeros((self.m, self.k), word_of(a)), np.zeros((self.k, self.n), word_of(b))
        some_rows, some_columns = min(rows, self.m), min(rows, self.n)
        A[:some_rows] = np.array(hint["a"]).reshape(rows, self.k)[:some_rows]
        B[:, :some_columns] = np.array(hint["b"]).reshape(self.k, rows)[:, :some_columns]
        A, B = A.view(dtype_of(a)), B.view(dtype_of(b))
        return A, B, self.product(A, B)

    def _by_tree(self, trees: list[tuple[str, np.ndarray]]) -> Explanation | None:
        """Plans that add in the order that masks show. None: no such plan fits."""
        try:
            tree = self._tree(self.everywhere)
            trees.append((text_of_tree(tree), self.everywhere))
            found = self._of_tree(tree, self.everywhere)
            if found is not None:
                return found
        except NotMeasurable:
            pass  # some elements may differ
        if self.everywhere.size == 1:
            return None
        classes = self._classes()
        if len(classes) < 2:
            return None
        trees.clear()
        plans: list[Explained] = []
        tried = 0
        for where in classes:
            try:
                tree = self._tree(where)
            except NotMeasurable:
                return None
            trees.append((text_of_tree(tree), where))
            found = self._of_tree(tree, where)
            if found is None:
                found = self._searched(self.names, where)
            if found.verdict != "explained":
                return None
            tried += found.tried
            for p in found.plans:
                inside = where if p.elements_of is None else where & p.elements_of
                plans.append(dataclasses.replace(p, elements_of=inside, region=None))
        return self._combined(plans, tried)

    def _combined(self, plans: list[Explained], tried: int) -> Explanation:
        document = {
            "verdict": "explained",
            "elements": self.m * self.n,
            "tried": tried,
            "plans": [{"plan": p.plan, "elements": p.elements} for p in plans],
        }
        return Explanation("explained", tuple(plans), document)

    def _tree(self, where: np.ndarray) -> Tree:
        rows = np.flatnonzero(where[:, where.sum(0).argmax()])
        columns = np.flatnonzero(where[rows].all(0))
        before = self.function.calls
        try:
            return self._masks(rows.tolist(), columns.tolist()).tree()
        finally:
            self.mask_calls += self.function.calls - before

    def _masks(self, rows: list[int], columns: list[int]) -> Masks:
        return Masks(self.function, self.m, self.n, self.k, self.formats, rows, columns)

    def _classes(self) -> list[np.ndarray]:
        """Sets of elements with the same order of sums, which a few masks show, the largest set
        first.
        """
        k = self.k
        pairs = {(0, 1), (0, k - 1), (k - 2, k - 1), (0, k // 2), (k // 2, k - 1), (k // 4, k // 2)}
        probe = self._masks([], [])
        seen = [probe.everywhere(i, j) for i, j in sorted(pairs) if 0 <= i < j]
        self.mask_calls += len(seen)
        _, number = np.unique(np.stack(seen, -1).reshape(-1, len(seen)), axis=0, return_inverse=True)
        number = number.reshape(self.m, self.n)
        found = [number == x for x in range(number.max() + 1)]
        return sorted(found, key=lambda where: -int(where.sum()))

    def _of_tree(self, tree: Tree, where: np.ndarray) -> Explanation | None:
        """One plan that adds in this tree, or two plans for two rectangles. None: there is no such
        plan.
        """
        return self._of_plans(tree, where, True) or self._of_plans(tree, where, False)

    def _of_plans(self, tree: Tree, where: np.ndarray, usual: bool) -> Explanation | None:
        plans = _plans_of_tree(tree, self.k, self.formats, self.names, usual)
        if not plans:
            return None
        found = self._searched(list(plans), where)
        if found.verdict == "none fits":
            found = self._two_regions(list(plans), where) or found
        if found.verdict == "none fits":
            return None
        text = text_of_tree(tree)
        named = tuple(
            dataclasses.replace(p, equal_to=plans.get(p.plan, ()), tree=text) for p in found.plans
        )
        return dataclasses.replace(found, plans=named)

    def _two_regions(self, plans: list[str], where: np.ndarray) -> Explanation | None:
        """A plan for a rectangle, and another one for all other elements."""
        fits = {plan: where.copy() for plan in plans}
        for i in range(_ROUNDS if where.sum() < _MANY else 2):
            A, B, D = self.draw(i)
            for plan in plans:
                fits[plan] &= (unit(plan)(A, B) == D) | (D != D)
        first = max(plans, key=lambda plan: int(fits[plan].sum()))
        inside = where & _rectangle_without(where & ~fits[first])
        outside = where & ~inside
        for plan in plans:
            if plan != first and inside.any() and fits[plan][outside].all():
                of_each = ((first, inside), (plan, outside))
                found = [Explained(p, (), int(x.sum()), elements_of=x) for p, x in of_each]
                return self._combined(found, len(plans))
        return None


def _rectangle_without(fails: np.ndarray) -> np.ndarray:
    """All elements except the rows and columns that fail most often, so that no remaining element
    fails.
    """
    kept = np.ones_like(fails)
    fails = fails.copy()
    while fails.any():
        of_rows = fails.sum(1) / np.maximum(kept.sum(1), 1)
        of_columns = fails.sum(0) / np.maximum(kept.sum(0), 1)
        if of_rows.max() >= of_columns.max():
            kept[of_rows.argmax()] = fails[of_rows.argmax()] = False
        else:
            kept[:, of_columns.argmax()] = fails[:, of_columns.argmax()] = False
    return kept


def explain(
    *arguments: Any,
    C: Any = None,
    scale_a: Any = None,
    scale_b: Any = None,
    blocks: Sequence[Block | None] | None = None,
    units: str | Sequence[str] = (),
    formats: Sequence[str] | dict[str, str] | None = None,
    space: str = "usual",
    timeout: float = 60,
    threads: int = 0,
    seed: int = 0,
) -> Explanation:
    """Which plans reproduce a matrix that a library computed.

    `explain(A, B, D)`: D is the product of A and B, to which `C` was added. NaN in D is unknown.
    `formats`: {'A': 'f16', ...} if arrays of unsigned integers hold bit patterns. `scale_a` (m, k /
    block) and `scale_b` (k / block, n) are scale factors of blocks of products: of f32, or of
    ml_dtypes.float8_e8m0fnu. Factors of square blocks may have a row for each block of rows of A,
    and a column for each block of columns of B. `blocks`: the kernel itself scales A and B, of f32,
    f16 or bf16, to e4m3: the shapes of their blocks, such as ((1, 128), (128, 128)). The recipes of
    `scaled_blocks` are tried. A shape of None: that operand is FP8, and its scale factors are given.

    `explain(function, m, n, k, formats=('f16', 'f16', 'f32'))`: calls `function(A, B)` with
    matrices A (m, k) and B (k, n) that `explain` chooses. The function must return their product,
    an array or a tensor of D's format. If the formats allow it, masks show the order of the sums of
    each element. Random operands then distinguish the plans of that order, and confirm the
    remaining plan. The order in which `function` adds must not depend on the numbers.

    `units`: candidates: architectures ('h100'), instructions, designs, plans; default: all.
    `space`: 'usual' tries usual plans first, 'all' tries all plans at once. `timeout`: limit of
    each search in seconds. `threads`: 0 means one for each core. `seed`: the seed of random
    operands.

    Returns an `Explanation`: `.verdict`, `.plans`, `.plan`, and `.plan.emulate(A, B)`.

        >>> found = mmaspec.explain(numpy.matmul, 16, 16, 64, formats=("f32", "f32", "f32"))
        >>> print(found)
        explained: 256 elements, 2 plans tried, 6 calls
          plan:chain(x86/vfmadd231ps,k=64)
    """
    if space not in ("usual", "all"):
        raise ValueError(f"space must be 'usual' or 'all', not {space!r}")
    named = [units] if isinstance(units, str) else list(units)
    threads = integer("threads", threads, 0, 4096)
    if blocks is None and (scale_a is None) != (scale_b is None):
        raise TypeError("scale_a and scale_b go together")
    if len(arguments) == 4 and callable(arguments[0]):
        function, *sizes = arguments
        if scale_a is not None or scale_b is not None or blocks is not None:
            raise TypeError("scale_a, scale_b and blocks belong to arrays, not to a function")
        if formats is None or isinstance(formats, dict):
            raise ValueError("for a function, formats must be three names: those of A, B and D")
        m, n, k = (integer(name, x, 1) for name, x in zip("mnk", sizes))
        if len(formats) != 3:
            raise ValueError("formats must name the formats of A, B and D")
        return _Function(
            function, (m, n, k), formats, named, space, timeout, threads, seed
        ).run()
    if len(arguments) != 3:
        raise TypeError("explain needs A, B and D, or a function, m, n and k")
    if formats is not None and not isinstance(formats, dict):
        raise ValueError("formats are a dictionary: {'A': 'f16', 'B': 'f16', 'D': 'f32'}")
    A, B, D = arguments
    search = _Search(named, formats or {}, space, timeout, threads)
    if blocks is None:
        return _answer(A, B, D, C, search, (scale_a, scale_b))
    if C is not None or formats:
        raise ValueError("blocks go with neither C nor formats")
    return _with_blocks(A, B, D, blocks, (scale_a, scale_b), search)


__all__ = ["Explained", "Explanation", "explain"]
