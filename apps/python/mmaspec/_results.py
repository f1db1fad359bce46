"""Classes of answers: the question, the verdict, and witnesses with NumPy fields."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np

from .formats import values_of

if TYPE_CHECKING:
    from ._conversion import Conversion
    from ._unit import Unit


class Stage(NamedTuple):
    """An intermediate result, with its name in the specification."""

    stage: str
    name: str
    integer: int
    value: str  #: a C99 hex float; empty for plain integers


class Trace(list["Stage"]):
    """All marked stages of one dot product."""

    @classmethod
    def of(cls, text: str) -> Trace:
        return cls(
            Stage(e["stage"], e["name"], int(e["integer"]), e.get("value", ""))
            for e in json.loads(text)
        )

    def __str__(self) -> str:
        return "\n".join(f"{s.stage:<10} {s.name:<20} {s.value or s.integer}" for s in self)

    def _repr_html_(self) -> str:
        from ._html import trace_html

        return trace_html(self)


def hex_list(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


def _number(text: str | None) -> float | None:
    """The number nearest to a decimal, a fraction such as 1/3, or inf."""
    if text is None:
        return None
    return float(Fraction(text)) if "/" in text else float(text)


def _float_or_none(x: float | None) -> float | None:
    return None if x is None else float(x)


def _scalar(values: np.ndarray) -> np.generic:
    """The first one."""
    first: np.generic = values[0]
    return first


@dataclass(frozen=True)
class Run:
    """One dot product: operands and the result of `unit`, as values of the unit's formats.

    A conversion has only `c` and `d`; its `a` and `b` are empty.
    """

    unit: Unit | Conversion
    row: dict[str, Any] = field(repr=False)
    label: str = ""

    def _patterns(self, key: str) -> list[int]:
        return hex_list(self.row.get(key, ""))

    def _values(self, key: str, operand: str) -> np.ndarray:
        # A conversion has no formats of a and b, and no patterns of them.
        return values_of(getattr(self.unit, operand, self.unit.c), self._patterns(key))

    @property
    def a(self) -> np.ndarray:
        return self._values("a", "a")

    @property
    def b(self) -> np.ndarray:
        return self._values("b", "b")

    @property
    def c(self) -> np.generic:
        return _scalar(self._values("c", "c"))

    @property
    def d(self) -> np.generic:
        return _scalar(self._values("d", "d"))

    @property
    def scale_a(self) -> np.ndarray | None:
        return self._values("sa", "scale") if "sa" in self.row else None

    @property
    def scale_b(self) -> np.ndarray | None:
        return self._values("sb", "scale") if "sb" in self.row else None

    def trace(self) -> Trace:
        """The stages of the result."""
        p = self._patterns
        return self.unit._trace(p("a"), p("b"), p("c")[0], p("sa"), p("sb"))

    def to_json(self) -> str:
        """The row in the format that `mmaspec verify` and `replay` read."""
        return json.dumps(self.row)


@dataclass(frozen=True)
class Witness(Run):
    """An input on which two units differ, confirmed by the exact evaluator.

    The operands are values of the first unit's formats.
    """

    other: Unit | Conversion | None = None

    @property
    def d_other(self) -> np.generic:
        assert self.other is not None
        return _scalar(values_of(self.other.d, hex_list(self.row["d_other"])))

    @property
    def ulp(self) -> float:
        """The distance in ulp of the first unit's format; inf: it exceeds every bound."""
        return float(self.row["ulp"])

    def trace_other(self) -> Trace:
        """The stages of the second unit's result, if both units have the same operand formats."""
        assert self.other is not None
        p = self._patterns
        return self.other._trace(p("a"), p("b"), p("c")[0], p("sa"), p("sb"))

    def _repr_html_(self) -> str:
        from ._html import witness_html

        return witness_html(self)


@dataclass(frozen=True, repr=False)
class Answer:
    """An answer. bool(answer) is True if `verdict == 'proved'`."""

    document: dict[str, Any] = field(repr=False)
    question: str = ""
    text: str = field(default="", kw_only=True)  #: what the command line prints

    @property
    def verdict(self) -> str:
        return str(self.document["verdict"])

    @property
    def how(self) -> str:
        """The justification of the answer; `by` is its kind if the answer is a proof."""
        return str(self.document.get("how", ""))

    @property
    def by(self) -> str:
        return str(self.document.get("by", ""))

    @property
    def seconds(self) -> float:
        return float(self.document.get("seconds", 0.0))

    def to_json(self, indent: int | None = 2) -> str:
        """The command line's JSON document."""
        return json.dumps(self.document, indent=indent)

    def __bool__(self) -> bool:
        return isinstance(self, Proved)

    def __repr__(self) -> str:
        return f"<{self._line()}>"

    def __str__(self) -> str:
        """The command line's text."""
        return self.text.rstrip("\n") if self.text else self._line()

    def _line(self) -> str:
        how = ", ".join(part for part in (self.how, f"{self.seconds:.2f} s") if part)
        return f"{self.verdict}: {self.question} ({how})"

    def _repr_html_(self) -> str:
        from ._html import answer_html

        return answer_html(self)


class Proved(Answer):
    """The statement holds for all inputs of the question."""

    @property
    def vacuous(self) -> bool | None:
        """True if no input satisfies the precondition; None if that is undecided."""
        vacuous = self.document.get("vacuous", False)
        return None if vacuous is None else bool(vacuous)


@dataclass(frozen=True, repr=False)
class Machines(Answer):
    """Compares the instructions that GEMM libraries select on two architectures, for each data
    type.

    ``document`` is the command line's JSON; an answer for each data type is in it.
    """

    @property
    def verdict(self) -> str:
        return "compared"


class Undecided(Answer):
    """Neither proved nor refuted within the limits; `how` gives the reason."""


class NotApplicable(Answer):
    """The property is not applicable to the unit; `how` gives the reason."""


@dataclass(frozen=True, repr=False)
class Differ(Answer):
    """Two units differ. `witnesses` has all witnesses, `witness` is the first one."""

    witnesses: tuple[Witness, ...] = ()

    @property
    def witness(self) -> Witness:
        return self.witnesses[0]

    @property
    def exhausted(self) -> bool:
        """True if no further witness exists that differs in kind from these."""
        return bool(self.document.get("exhausted"))

    def __iter__(self) -> Iterator[Witness]:
        return iter(self.witnesses)

    def __len__(self) -> int:
        return len(self.witnesses)

    def trace(self) -> Trace:
        return self.witness.trace()


@dataclass(frozen=True, repr=False)
class Refuted(Answer):
    """A property does not hold: the inputs and results in `runs` violate it."""

    runs: tuple[Run, ...] = ()

    @property
    def case(self) -> str:
        return str(self.document.get("case", ""))

    def trace(self) -> Trace:
        return self.runs[0].trace()


@dataclass(frozen=True, repr=False)
class Least(Answer):
    """The least bound for which a property holds: a proved upper and a refuted lower bound of it."""

    proof: Answer | None = None
    refutation: Answer | None = None

    @property
    def verdict(self) -> str:
        return "proved" if self.document["proved"] is not None else "undecided"

    @property
    def how(self) -> str:
        return self.proof.how if self.proof else ""

    @property
    def proved(self) -> float | None:
        """The least bound for which the property is proved."""
        return _number(self.document["proved"])

    @property
    def refuted(self) -> float | None:
        """The largest bound for which the property is refuted."""
        return _number(self.document["refuted"])

    def __bool__(self) -> bool:
        return self.proved is not None


@dataclass(frozen=True, repr=False)
class Maximum(Answer):
    """The largest difference found, `largest`, and a `bound` that no input exceeds."""

    witness: Witness | None = None

    @property
    def verdict(self) -> str:
        return "proved" if self.document["proved"] else "undecided"

    @property
    def largest(self) -> float:
        return _number(self.document["largest"]) or 0.0

    @property
    def bound(self) -> float | None:
        return _number(self.document["bound"])

    def __bool__(self) -> bool:
        return bool(self.document["proved"])


@dataclass(frozen=True, repr=False)
class Tolerance(Answer):
    """The least `atol` for a given `rtol`, or the least `rtol` for a given `atol`, with which a
    test of one unit against another passes. The computed one is None if no upper bound was proved.
    """

    witness: Witness | None = None  #: the worst input that was found

    @property
    def verdict(self) -> str:
        return "proved" if self.document["proved"] else "undecided"

    @property
    def rtol(self) -> float | None:
        return _float_or_none(self.document["rtol"])

    @property
    def atol(self) -> float | None:
        return _float_or_none(self.document["atol"])

    @property
    def found(self) -> float | None:
        """The tolerance that the worst input found needs: a lower bound."""
        return _float_or_none(self.document["found"])

    def __bool__(self) -> bool:
        return self.rtol is not None and self.atol is not None


@dataclass(frozen=True)
class Document:
    """An answer with many parts; `document` is the command line's JSON document."""

    document: Any = field(repr=False)
    title: str = ""

    def to_json(self, indent: int | None = 2) -> str:
        return json.dumps(self.document, indent=indent)

    def __getitem__(self, key: Any) -> Any:
        return self.document[key]

    def _repr_html_(self) -> str:
        from ._html import document_html

        return document_html(self)


@dataclass(frozen=True)
class Element(Witness):
    """One element of a comparison on matrices: its indices, operands, and both results."""

    index: tuple[int, ...] = ()
    ulp_apart: float = 0.0
    relative: float = 0.0  #: |d - d_other| / (|c| + sum |a b|)
    second_pattern: int = 0

    @property
    def d_other(self) -> np.generic:
        assert self.other is not None
        return _scalar(values_of(self.other.d, [self.second_pattern]))

    @property
    def ulp(self) -> float:
        return self.ulp_apart


class Bin(NamedTuple):
    """`count` results differ by `first` to `last` ulp."""

    first: int
    last: int
    count: int  # type: ignore[assignment]  # of results: tuple's own has no use here


@dataclass(frozen=True)
class Comparison:
    """A comparison of two units on matrices."""

    first: Unit
    second: Unit
    d_first: np.ndarray = field(repr=False)
    d_second: np.ndarray = field(repr=False)
    document: dict[str, Any] = field(repr=False)
    worst: tuple[Element, ...] = field(repr=False, default=())

    @property
    def elements(self) -> int:
        return int(self.document["elements"])

    @property
    def differing(self) -> int:
        """The number of results that differ. A NaN equals every NaN, and +0 equals -0."""
        return int(self.document["differing"])

    @property
    def not_both_finite(self) -> int:
        """The number of differing results whose distance in ulp is not finite."""
        return int(self.document["ulp"]["not_both_finite"])

    @property
    def largest_ulp(self) -> int:
        return int(self.document["ulp"]["largest"])

    @property
    def largest_relative(self) -> float:
        """The largest |d_first - d_second| / (|c| + sum |a b|); mean_relative is the mean over all
        elements.
        """
        return float(self.document["relative"]["largest"])

    @property
    def mean_relative(self) -> float:
        return float(self.document["relative"]["mean"])

    @property
    def histogram(self) -> list[Bin]:
        return [
            Bin(int(b["from"]), int(b["to"]), b["count"])
            for b in self.document["ulp"]["histogram"]
        ]

    def to_json(self, indent: int | None = 2) -> str:
        return json.dumps(self.document, indent=indent)

    def plot(self, ax: Any = None) -> Any:
        """Plots the histogram of distances in ulp, and returns the axes. Needs matplotlib."""
        if ax is None:
            try:
                import matplotlib.pyplot as plt
            except ImportError:
                raise ImportError(
                    "plot() needs matplotlib: pip install 'mmaspec[notebook]'"
                ) from None

            ax = plt.subplots()[1]
        bins = self.histogram
        names = [str(b.first) if b.first == b.last else f"{b.first}–{b.last}" for b in bins]
        ax.bar(["0", *names], [self.elements - self.differing, *(b.count for b in bins)])
        ax.set_yscale("symlog", linthresh=1)
        ax.set_title(f"{self.first.name}\n{self.second.name}", fontsize="small")
        ax.set_xlabel("ulp apart")
        ax.set_ylabel("results")
        ax.tick_params(axis="x", rotation=60)
        return ax

    def __str__(self) -> str:
        return (
            f"{self.differing} of {self.elements} results differ, by at most {self.largest_ulp} "
            f"ulp and {self.largest_relative:.3g} of |c| + sum |a b|"
        )

    def _repr_html_(self) -> str:
        from ._html import comparison_html

        return comparison_html(self)
