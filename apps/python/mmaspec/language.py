"""The language of specifications, for your own algorithms.

    from mmaspec import language as L

    @L.algorithm(a="f16", b="f16", c="f32", d="f32", k=4)
    def mine(x):
        ...                # x.a, x.b, x.c: bit patterns of the operands
        return pattern     # an Int, the bit pattern of d

The function is called once. Its operations build the same graph as the specifications in C++, and
all later steps treat both alike: ``mine(A, B, C)`` runs it on matrices,
``mmaspec.diff(mine, other)`` and ``mmaspec.prove("monotone-c", mine)`` reason about it.

Int is a mathematical integer, of any size and sign; Python's integers are constants. Operators:
``+ - * << >>`` (floor division by a power of two), comparisons (which give Bools), abs(). Bool has
``& | ^ ~``. `if` does not accept them: use ``select(condition, yes, no)``. docs/writing-a-spec.md
explains how to write specifications.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence

from ._core import language as _language
from ._core.language import (
    Bool,
    Format,
    Int,
    Operands,
    Term,
    Unpacked,
    add,
    align,
    all_of,
    any_of,
    as_term,
    bit,
    bit_length,
    bits,
    canonical_nan,
    claim,
    constant,
    convert,
    exact_product,
    format,
    fused_multiply_add,
    largest_exponent,
    least_exponent,
    leave_zeros_out,
    mark,
    multiply,
    negate_if,
    quiet_nan,
    round_and_pack,
    select,
    stage,
    total,
    unpack,
    with_special_values,
)
from ._unit import Unit


def maximum(*values: Any) -> Int:
    """The largest of several Ints, or of the Ints in one list."""
    return _language.maximum(*_spread(values))


def minimum(*values: Any) -> Int:
    """The least of several Ints, or of the Ints in one list."""
    return _language.minimum(*_spread(values))


def _spread(values: Sequence[Any]) -> Iterable[Any]:
    only = len(values) == 1 and not isinstance(values[0], (int, Int))
    return values[0] if only else values


def algorithm(
    *,
    a: str = "f16",
    b: str = "f16",
    c: str = "f32",
    d: str = "f32",
    k: int,
    scale: str | None = None,
    scale_block: int = 0,
    name: str | None = None,
) -> Callable[[Callable[[Operands], Any]], Unit]:
    """Makes a unit of a function from operands to the bit pattern of d.

    a, b, c, d: formats (mmaspec.formats); k: products in one dot product. A longer K is computed as
    a chain.
    """

    def make(function: Callable[[Operands], Any]) -> Unit:
        own = name or str(getattr(function, "__name__", "algorithm"))
        unit = Unit(_language.record(own, a, b, c, d, k, scale, scale_block, function))
        unit.__doc__ = function.__doc__
        # Where pickle finds it, as it finds functions.
        unit.__dict__["__module__"] = getattr(function, "__module__", None)
        unit.__dict__["__qualname__"] = getattr(function, "__qualname__", own)
        return unit

    return make


__all__ = [
    "Bool",
    "Format",
    "Int",
    "Operands",
    "Term",
    "Unpacked",
    "add",
    "algorithm",
    "align",
    "all_of",
    "any_of",
    "as_term",
    "bit",
    "bit_length",
    "bits",
    "canonical_nan",
    "claim",
    "constant",
    "convert",
    "exact_product",
    "format",
    "fused_multiply_add",
    "largest_exponent",
    "least_exponent",
    "leave_zeros_out",
    "mark",
    "maximum",
    "minimum",
    "multiply",
    "negate_if",
    "quiet_nan",
    "round_and_pack",
    "select",
    "stage",
    "total",
    "unpack",
    "with_special_values",
]
