"""A cocotb scoreboard: compares a unit's results with a specification of mmaspec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import cocotb
import mmaspec
import numpy as np
from cocotb.triggers import RisingEdge


@dataclass(frozen=True)
class Mismatch:
    """An operation whose result is not the specified one. `d` has x and z for undefined bits."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: int
    d: str
    specified: str

    def __str__(self) -> str:
        a, b = (" ".join(f"{x:x}" for x in operand) for operand in (self.a, self.b))
        return f"a = {a}, b = {b}, c = {self.c:x}: d = {self.d}, specified {self.specified}"


class Scoreboard:
    """Samples operands and results at each rising edge of `clock`, and compares them in `check()`.

    name: an instruction or a design. a, b, c, d: the signals;
    element 0 of a and b has the lowest bits. latency: clock edges from operands to result. valid:
    called after each edge; whether operands are at the ports (default: always).
    """

    def __init__(
        self,
        name: str,
        clock: Any,
        a: Any,
        b: Any,
        c: Any,
        d: Any,
        *,
        latency: int,
        valid: Callable[[], bool] = lambda: True,
    ) -> None:
        self.unit = mmaspec.unit(name)
        self._signals = (a, b, c)
        self._d = d
        self._clock = clock
        self._latency = latency
        self._valid = valid
        self._operands: list[tuple[int, int, int]] = []
        self._results: list[str] = []

    def start(self) -> None:
        """Samples from the next rising edge on."""
        cocotb.start_soon(self._sample())

    async def _sample(self) -> None:
        in_flight: list[tuple[int, int, int] | None] = []
        while True:
            await RisingEdge(self._clock)  # registers have not changed yet
            in_flight.append(self._sampled_operands() if self._valid() else None)
            if len(in_flight) <= self._latency:
                continue
            due = in_flight.pop(0)
            if due is not None:
                self._operands.append(due)
                self._results.append(str(self._d.value))

    def _sampled_operands(self) -> tuple[int, int, int]:
        a, b, c = (signal.value.to_unsigned() for signal in self._signals)
        return a, b, c

    def check(self) -> list[Mismatch]:
        """The operations so far whose results are not the specified ones, bit for bit."""
        if not self._operands:
            raise AssertionError("the scoreboard has not seen any operation")
        u = self.unit
        word = mmaspec.formats.word_of
        a = np.array([self._elements(x[0], 0) for x in self._operands], dtype=word(u.a))
        b = np.array([self._elements(x[1], 1) for x in self._operands], dtype=word(u.b))
        c = np.array([x[2] for x in self._operands], dtype=word(u.c))
        d = u(a[:, None, :], b[:, :, None], c[:, None, None], bits=True).reshape(-1)
        width = len(self._results[0])
        wrong = []
        for i, found in enumerate(self._results):
            specified = f"{int(d[i]):0{width}b}"
            if found != specified:
                wrong.append(
                    Mismatch(tuple(map(int, a[i])), tuple(map(int, b[i])), int(c[i]), found, specified)
                )
        return wrong

    @property
    def operations(self) -> int:
        """The number of results that check() compares."""
        return len(self._results)

    def _elements(self, packed: int, operand: int) -> list[int]:
        width = len(self._signals[operand]) // self.unit.k
        return [packed >> (k * width) & ((1 << width) - 1) for k in range(self.unit.k)]
