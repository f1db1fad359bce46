"""Rules that choose the unit of a product: by machine name, dict, function, or unit.

mmaspec.torch and mmaspec.jax share these rules.
"""

from __future__ import annotations

import atexit
import functools
from dataclasses import dataclass
from typing import Any, Callable, Mapping, NamedTuple, Union

import numpy as np

from . import _core
from ._unit import Unit, unit, units

#: Formats of tensors, by the name of the type in PyTorch and in ml_dtypes.
FORMATS = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "e4m3",
    "float8_e5m2": "e5m2",
    "float8_e4m3fnuz": "e4m3fnuz",
    "float8_e5m2fnuz": "e5m2fnuz",
}
#: Formats of operands that are held as others.
_HELD = {"tf32": "f32", "xf32": "f32"}


def format_of(dtype: Any) -> str | None:
    """The format of a type of PyTorch, JAX or NumPy; None for other types."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return FORMATS.get(str(name).removeprefix("torch."))


#: A function of the operator's name, its operands' shapes and their types.
Chooser = Callable[[str, "tuple[tuple[int, ...], ...]", "tuple[Any, ...]"], Union[Unit, str, None]]
#: What :func:`emulate` takes.
Target = Union[str, Unit, Mapping[Any, Union[Unit, str, None]], Chooser]


class Refusal(Exception):
    """The reason why a product cannot be emulated."""


class Product(NamedTuple):
    """A product, as a rule's input."""

    op: str  #: the operator's name, such as "mm" or "convolution"
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[Any, ...]
    k: int  #: products of each result
    #: `use_fast_accum` of _scaled_mm; None: another operator
    fast: bool | None = None


@dataclass(frozen=True)
class Choice:
    """The unit that computes a product.

    `unit` names an instruction, a design or a plan. In a plan's name, ``{k}`` stands for the number
    of products of each result. `source` names the rule or document that chose it.
    """

    unit: str
    source: str


# Units whose names mmaspec.unit() does not accept: functions decorated with @mmaspec.algorithm.
_functions: dict[str, Unit] = {}


def name_of(given: Unit | str) -> str:
    """The name from which :func:`call_for` makes a unit."""
    if isinstance(given, str):
        return given
    if given._origin is not None and given._origin[0] == "name":
        return given.name
    name = f"{given.name}#{id(given._core):x}"
    _functions[name] = given
    return name


@functools.lru_cache(maxsize=512)
def _known(name: str) -> Unit:
    return unit(name)


# PyTorch keeps custom operators, and everything that they refer to, until the process ends.
atexit.register(_known.cache_clear)
atexit.register(_functions.clear)


def promoted(name: str, every: int) -> str:
    """The plan that adds the unit's accumulator to a register every `every` products."""
    return f"plan:promote({name},k={{k}},every={every})"


def rounded_to_tf32(name: str) -> str:
    """The plan that rounds f32 operands to TF32, to nearest even, before the unit takes them."""
    return f"plan:convert({name},k={{k}},a=f32,b=f32,round=rne)"


class Call(NamedTuple):
    """How a product of k summands is computed."""

    unit: Unit
    #: Operands are rounded to TF32 before.
    rounded: bool
    #: The name with the number of products in it.
    name: str


def call_for(name: str, k: int) -> Call:
    """The unit `name` for sums of k products. Raises ValueError for a name that does not exist."""
    if name in _functions:
        return Call(_functions[name], False, name)
    inner = _inner(name, "plan:promote(", ",k={k},every=")
    if inner is not None and k < int(name.rpartition("=")[2].rstrip(")")):
        # One promotion of the whole sum; for instructions, the last one has zeros beyond k.
        step = _known(inner).k
        whole = -(-k // step) * step
        full = f"plan:promote({inner},k={whole},every={whole})"
        return Call(_known(full), False, full)
    inner = _inner(name, "plan:convert(", ",k={k},a=f32,b=f32,round=rne)")
    if inner is not None:
        # The same as the plan, by the unit's own code for matrices.
        return Call(_known(inner), True, name.replace("{k}", str(k)))
    full = name.replace("{k}", str(k))
    return Call(_known(full), False, full)


def _inner(name: str, head: str, rest: str) -> str | None:
    """The text between `head` and `rest`, if it names an instruction."""
    if not name.startswith(head) or rest not in name:
        return None
    inner = name[len(head) :].partition(rest)[0]
    return inner if "(" not in inner and "," not in inner else None


@functools.lru_cache(maxsize=4096)
def evidence_for(name: str, k: int) -> str:
    """The weakest evidence for the instruction; "none" for open designs and functions."""
    found = call_for(name, k).unit._core.evidence()
    return found[0][1] if found else "none"


# The products in queries/studies/machines/library.cpp, by the formats of the factors.
_LIBRARY = {
    ("f16", "f16"): "f16 with f32 sums",
    ("bf16", "bf16"): "bf16 with f32 sums",
    ("f32", "f32"): "f32",
    ("f64", "f64"): "f64",
    ("e4m3", "e4m3"): "FP8 E4M3 with f32 sums",
    ("e5m2", "e5m2"): "FP8 E5M2 with f32 sums",
}
_TF32 = "TF32 or XF32 with f32 sums"
_FP8 = {"e4m3", "e5m2"}

_RECORDED = "cuBLAS on an H100 (docs/plans.md)"
# For machines without a matrix instruction for f32 or f64: fused multiply-adds in ascending k.
_VECTOR = {"f32": "x86/vfmadd231ps", "f64": "x86/vfmadd231pd"}
#: Products between two additions to a register, without fast accumulation.
_PROMOTION = 128


class Machine:
    """The instructions that a GEMM library selects on an architecture or a product."""

    def __init__(self, name: str, tf32: bool):
        self.name = name
        self.tf32 = tf32
        self._choices = {p: Choice(u, source) for p, u, source in _core.library_choices(name)}
        if not self._choices:
            raise ValueError(f"{name}: it is unknown which instructions a GEMM library selects on it")
        self._architecture = next(iter(self._choices.values())).unit.partition("/")[0]

    def __str__(self) -> str:
        return self.name

    def choose(self, product: Product) -> Choice:
        a, b = (_format(x) for x in product.dtypes[:2])
        if (a, b) == ("f32", "f32") and self.tf32:
            return self._tf32()
        plain = a.removesuffix("fnuz"), b.removesuffix("fnuz")
        choice = self._choices.get(_LIBRARY.get(plain, ""))
        if choice is None and set(plain) == _FP8:
            choice = self._mixed(plain)
        if choice is None and a == b and a in _VECTOR:
            return self._vector(a)
        if choice is None:
            raise Refusal(f"{self.name} has no instruction for {a} and {b}")
        u = _known(choice.unit)
        if (u.a, u.b) != (a, b):
            raise Refusal(f"{choice.unit} multiplies {u.a} and {u.b}, not {a} and {b}")
        if product.fast is False and self._architecture == "hopper":
            return Choice(promoted(choice.unit, _PROMOTION), _RECORDED)
        return choice

    def _tf32(self) -> Choice:
        choice = self._choices.get(_TF32)
        if choice is None:
            return self._vector("f32")
        if _known(choice.unit).a != "tf32":
            return choice
        source = f"{choice.source}; operands rounded to nearest even: {_RECORDED}"
        return Choice(rounded_to_tf32(choice.unit), source)

    def _vector(self, name: str) -> Choice:
        source = "no matrix instruction; fused multiply-adds in ascending k"
        if name == "f32" and self._architecture == "hopper":
            source += ", " + _RECORDED
        return Choice(_VECTOR[name], source)

    def _mixed(self, formats: tuple[str, ...]) -> Choice | None:
        """The instruction for E4M3 times E5M2, of the same shape as the instruction for E4M3."""
        alike = self._choices.get(_LIBRARY["e4m3", "e4m3"])
        if alike is None:
            return None
        words = {"e4m3": "fp8", "e5m2": "bf8"} if "fp8_fp8" in alike.unit else {f: f for f in _FP8}
        separator = "_" if "fp8_fp8" in alike.unit else "."
        own = separator.join([words["e4m3"]] * 2)
        name = alike.unit.replace(own, separator.join(words[f] for f in formats))
        return Choice(name, f"the shape for {own}: {alike.source}")


class OneUnit:
    """One unit, for all products whose operands have its formats."""

    def __init__(self, given: Unit | str):
        self.name = name_of(given)
        if "{k}" not in self.name:
            call_for(self.name, 1)  # raises ValueError for an unknown name

    def __str__(self) -> str:
        return self.name

    def choose(self, product: Product) -> Choice:
        return Choice(self.name, "given")


class Table:
    """A unit for each operand type."""

    def __init__(self, given: Mapping[Any, Unit | str | None]):
        self._units: dict[tuple[Any, ...], str | None] = {}
        for key, value in given.items():
            pair = key if isinstance(key, tuple) else (key, key)
            formats = tuple(None if isinstance(x, str) else format_of(x) for x in pair)
            if len(formats) != 2 or None in formats:
                raise TypeError(
                    f"a key must be a dtype of {', '.join(FORMATS)}, or a pair of them, not {key!r}"
                )
            self._units[formats] = None if value is None else OneUnit(_checked(value)).name

    def __str__(self) -> str:
        return ", ".join(f"{formats[0]}: {u}" for formats, u in self._units.items() if u)

    def choose(self, product: Product) -> Choice:
        a, b = (_format(x) for x in product.dtypes[:2])
        name = self._units.get((a, b))
        if name is None:
            raise Refusal(f"no unit was given for {a} and {b}")
        return Choice(name, "given")


class Function:
    """The unit that a function of the user returns."""

    def __init__(self, given: Chooser):
        self._given = given

    def __str__(self) -> str:
        return getattr(self._given, "__name__", repr(self._given))

    def choose(self, product: Product) -> Choice:
        found = self._given(product.op, product.shapes, product.dtypes)
        if found is None:
            raise Refusal("the function chose no unit")
        return Choice(name_of(_checked(found)), "given")


Rule = Union[Machine, OneUnit, Table, Function]


def _checked(x: Any) -> Unit | str:
    if not isinstance(x, (Unit, str)):
        raise TypeError(f"a unit must be a name or an mmaspec.Unit, not {type(x).__name__}")
    return x


def checked_order(convolutions: str) -> str:
    """The order of a convolution's products, 'rsc' or 'crs'. Raises ValueError for other values."""
    if convolutions not in ("rsc", "crs"):
        raise ValueError(f"convolutions must be 'rsc' or 'crs', not {convolutions!r}")
    return convolutions


def rule_for(target: Target, tf32: bool) -> Rule:
    """The rule of a target. Raises TypeError or ValueError for an invalid one, with the nearest
    valid name."""
    if isinstance(target, str) and "/" not in target and ":" not in target:
        return Machine(target, tf32)
    if tf32:
        raise ValueError("tf32=True needs the name of a machine; with other targets, name the unit")
    if isinstance(target, (str, Unit)):
        return OneUnit(target)
    if isinstance(target, Mapping):
        return Table(target)
    if callable(target):
        return Function(target)
    raise TypeError(
        "the target must be the name of a machine or a unit, a dict from dtypes to units, or a "
        f"function, not {type(target).__name__}"
    )


def _format(dtype: Any) -> str:
    name = format_of(dtype)
    if name is None:
        raise Refusal(f"operands of {dtype}")
    return name


def chosen(rule: Rule, product: Product) -> Choice:
    """The unit for a product. Raises Refusal if there is none or its formats do not fit."""
    formats = tuple(_format(x) for x in product.dtypes[:2])
    choice = rule.choose(product)
    if isinstance(rule, Machine):
        return choice
    u = call_for(choice.unit, max(product.k, 1)).unit
    held = tuple(_HELD.get(f, f) for f in (u.a, u.b))
    if held != formats:
        raise Refusal(f"{choice.unit} multiplies {u.a} and {u.b}, not {' and '.join(formats)}")
    if u.scale is not None:
        raise Refusal(f"{choice.unit} needs block scale factors")
    if u.d not in FORMATS.values():
        raise Refusal(f"{choice.unit} has results of {u.d}")
    return choice


def with_block_scales(choice: Choice, k: int, mx: bool) -> Choice:
    """The plan of a product of FP8 numbers whose blocks have scale factors, around the instruction
    that was chosen without them. Raises Refusal if there is none.

    f32 factors of 128 products: each block's sum is multiplied by both and added to a register. MX:
    the architecture's instruction with factors of ue8m0 for 32 products.
    """
    name = choice.unit
    if "/" not in name or ":" in name:
        raise Refusal(f"scale factors of blocks with {name}, which is not an instruction")
    if not mx:
        plan = f"plan:promote({name},k={k},every=128,scales=yes)"
        try:
            _known(plan)
        except ValueError as why:
            raise Refusal(str(why)) from None
        return Choice(plan, f"{choice.source}; factors of blocks as DeepGEMM applies them")
    plain = _known(name)
    for other in units(name.partition("/")[0]):
        u = _known(other)
        if (u.a, u.b, u.d, u.scale) == (plain.a, plain.b, plain.d, "ue8m0"):
            return Choice(
                other if k == u.k else f"plan:chain({other},k={k})",
                "the architecture's instruction with scale factors of ue8m0",
            )
    raise Refusal(f"no instruction like {name} takes scale factors of ue8m0")


def is_whole(name: str) -> bool:
    """Whether the plan has an epilogue: it adds c and converts the result."""
    return name.startswith("plan:epilogue(")


def plan_of(name: str, k: int, result: str, alpha: float, beta: float, with_c: bool) -> str:
    """The unit or plan that computes alpha * (A @ B) + beta * C in the format `result`.

    If no plan does, the unit, and a description of the operations after it.
    """
    call = call_for(name, max(k, 1))
    if is_whole(name) or (alpha == 1 and not with_c and call.unit.d == result):
        return call.name
    parameters = [f"k={k}"]
    if alpha != 1:
        parameters.append(f"alpha={_hexadecimal(alpha)}")
    if not with_c:
        parameters.append("beta=0")
    elif beta != 1:
        parameters.append(f"beta={_hexadecimal(beta)}")
    if result != "f32":
        parameters.append(f"out={result}")
    if call.unit.d != "f32" or "#" in call.name:
        steps = f"{alpha:g} * D" + (f" + {beta:g} * C" if with_c else "")
        return f"{call.name}, then {steps} as {result}"
    return f"plan:epilogue({call.name.removeprefix('plan:')},{','.join(parameters)})"


def _hexadecimal(x: float) -> str:
    """The nearest number of float32, exactly."""
    return float(np.float32(x)).hex()
