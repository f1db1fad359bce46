"""Reports which products were emulated, which were not, and how many results differ from the
library's.
"""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass
from typing import Any, Iterable

from ._html import table


@dataclass
class Emulated:
    """Products with the same operator, shapes, types and unit."""

    op: str
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[str, ...]
    result: str  #: type of the results
    #: What computes each of the results: `mmaspec.unit(plan)(A, B)`, with C where it is added.
    plan: str
    evidence: str  #: the weakest for the unit; "none" for open designs and functions
    source: str  #: why this unit
    calls: int = 0
    results: int = 0
    #: Results that differ from the library's own of the same operands; None: they were not
    #: compared. A NaN equals every NaN, +0 equals -0.
    differing: int | None = None


@dataclass
class NotEmulated:
    """Calls of an operator that were not emulated: the library computed them."""

    op: str
    reason: str
    calls: int = 0
    #: Whether the operator computes products of matrices, or may.
    product: bool = False


#: The reason for all operators that are not products.
ELEMENTWISE = "not a matrix product"


def _shape(shape: Iterable[int]) -> str:
    return "x".join(str(n) for n in shape)


class Report:
    """The operators that ran within an emulation. print() shows a table."""

    def __init__(self, target: str, library: str):
        self.target = target
        self._library = library
        self._emulated: dict[tuple[Any, ...], Emulated] = {}
        self._not_emulated: dict[tuple[str, str], NotEmulated] = {}
        self._lock = threading.Lock()

    @property
    def emulated(self) -> list[Emulated]:
        """Products, in the order of first calls; those with equal operator, shapes, types and unit
        are one entry.
        """
        return list(self._emulated.values())

    @property
    def not_emulated(self) -> list[NotEmulated]:
        """Each operator and reason once; operators that certainly compute products come first."""
        return sorted(self._not_emulated.values(), key=lambda x: not x.product)

    @property
    def results(self) -> int:
        """The number of emulated results."""
        return sum(x.results for x in self.emulated)

    @property
    def differing(self) -> int:
        """The number of emulated results that were compared with the library's own and differ."""
        return sum(x.differing or 0 for x in self.emulated)

    @property
    def complete(self) -> bool:
        """Whether all products were emulated."""
        return not any(x.product for x in self.not_emulated)

    def _add(self, entry: Emulated, results: int, differing: int | None) -> None:
        key = (entry.op, entry.shapes, entry.dtypes, entry.result, entry.plan)
        with self._lock:
            kept = self._emulated.setdefault(key, entry)
            kept.calls += 1
            kept.results += results
            if differing is not None:
                kept.differing = (kept.differing or 0) + differing

    def _leave(self, op: str, reason: str, product: bool) -> None:
        with self._lock:
            kept = self._not_emulated.setdefault(
                (op, reason), NotEmulated(op, reason, product=product)
            )
            kept.calls += 1

    def to_json(self, indent: int | None = 2) -> str:
        return json.dumps(
            {
                "target": self.target,
                "results": self.results,
                "differing": self.differing,
                "complete": self.complete,
                "emulated": [asdict(x) for x in self.emulated],
                "not_emulated": [asdict(x) for x in self.not_emulated],
            },
            indent=indent,
        )

    def _rows(self) -> list[tuple[Any, ...]]:
        return [
            (
                x.op,
                " ".join(_shape(s) for s in x.shapes),
                x.dtypes[0] if len(set(x.dtypes)) == 1 else " ".join(x.dtypes),
                x.calls,
                x.results,
                "-" if x.differing is None else x.differing,
                x.plan,
                x.evidence,
            )
            for x in self.emulated
        ]

    def __str__(self) -> str:
        calls = sum(x.calls for x in self.emulated)
        line = f"{self.results} results of {calls} products emulated as {self.target}"
        if any(x.differing is not None for x in self.emulated):
            line += f"; {self.differing} differ from {self._library}'s own"
        lines = [line]
        lines += text_table(_HEAD, self._rows())
        sources = dict.fromkeys((x.plan, x.source) for x in self.emulated)
        by_source: dict[str, int] = {}
        for _, source in sources:
            by_source[source] = by_source.get(source, 0) + 1
        lines += [f"chosen by: {source} ({n} plans)" for source, n in by_source.items()]
        for x in self.not_emulated:
            if x.product:
                lines.append(f"not emulated: {x.op} ({x.calls} calls): {x.reason}")
        others = [f"{x.op} ({x.calls})" for x in self.not_emulated if not x.product]
        if others:
            lines.append(f"computed by {self._library}, {ELEMENTWISE}: " + ", ".join(others))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        left = [
            (x.op, x.calls, x.reason) for x in self.not_emulated
        ]
        return table(_HEAD, self._rows()) + table(("not emulated", "calls", "reason"), left)


_HEAD = ("operator", "shapes", "types", "calls", "results", "differ", "plan", "evidence")


def text_table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    """Formats rows as aligned columns, numbers to the right. Without rows there are no lines."""
    cells = [[str(x) for x in row] for row in rows]
    if not cells:
        return []
    names = list(head)
    numeric = [all(r[i][:1].isdigit() or r[i] in ("-", "inf") for r in cells) for i in range(len(names))]
    widths = [max(len(r[i]) for r in [names, *cells]) for i in range(len(names))]
    return [
        "  ".join(
            c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, numeric)
        ).rstrip()
        for row in [names, *cells]
    ]
