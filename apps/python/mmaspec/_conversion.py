"""Instructions and designs that convert one number to another format."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import like, patterns
from ._unit import Parameter, Provenance
from .formats import dtype_of, word_of

if TYPE_CHECKING:
    from ._results import Trace


class Conversion:
    """A conversion as a function of arrays: ``D = f(X)``.

    Create it with :func:`mmaspec.conversion`.
    """

    def __init__(self, name: str):
        self._program = _core.Conversion(name)

    @functools.cached_property
    def _core(self) -> _core.Unit:
        """The conversion as the operand of a query."""
        return _core.conversion_unit(self.name)

    @property
    def name(self) -> str:
        return self._program.name

    @property
    def c(self) -> str:
        """The format of the operand."""
        return self._program.c

    @property
    def d(self) -> str:
        """The format of the result."""
        return self._program.d

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter(*p) for p in self._program.parameters()]

    @property
    def provenance(self) -> list[Provenance]:
        return [Provenance(*p) for p in self._core.provenance()]

    def _trace(self, *_row: Any) -> Trace:
        raise ValueError(f"{self.name} converts a number: it has no stages")

    def __repr__(self) -> str:
        return f"mmaspec.conversion({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, Conversion) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return conversion, (self.name,)

    def __call__(self, x: Any, *, bits: bool = False) -> Any:
        """Each element of x converted, bit for bit.

        x is an array of any shape that holds the operand's format, or its bit patterns as unsigned
        integers. bits: the result as bit patterns. The result is a torch tensor or a JAX array if x
        is one, and else NumPy's.
        """
        given = patterns("x", x, self.c)
        words = np.ascontiguousarray(given, dtype=np.uint64).reshape(-1)
        results = np.empty_like(words)
        self._program.run(words, results)
        d = results.astype(word_of(self.d)).reshape(np.shape(given))
        return d if bits else like(x, self.d)(d.view(dtype_of(self.d)))


def conversion(name: str) -> Conversion:
    """The conversion with this name, such as ``hopper/cvt.rna.tf32.f32`` or
    ``design:conversion(c=f32,d=bf16)``.

    Raises ValueError with the nearest name that exists.
    """
    if not isinstance(name, str):
        raise TypeError(f"a conversion's name must be a str, not {type(name).__name__}")
    return Conversion(name)


def conversions(arch: str | None = None) -> list[str]:
    """The names of all conversions in the catalogue; keys that a name takes follow in parentheses.

    arch: only those of this architecture or product.
    """
    if arch is not None and not arch:
        raise ValueError("arch must be an architecture or a product, not ''")
    return [name + (f"({keys})" if keys else "") for name, keys in _core.conversions(arch or "")]
