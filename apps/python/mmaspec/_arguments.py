"""Checks the types of functions' arguments; the compiled part checks their ranges."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np


def integer(name: str, x: Any, low: int = -(2**31), high: int = 2**31 - 1) -> int:
    """An integer from low to high. Raises TypeError for 1.5, ValueError for one out of range."""
    if isinstance(x, (bool, np.bool_)):
        raise TypeError(f"{name} must be an integer, not {x!r}")
    try:
        value = operator.index(x)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {x!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value}")
    return value


def seconds(name: str, x: Any) -> float:
    """A number of seconds above 0, at most 1,000,000."""
    if isinstance(x, (bool, np.bool_)) or not isinstance(x, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number of seconds, not {x!r}")
    if not 0 < x <= 1_000_000:
        raise ValueError(f"{name} must be seconds above 0, at most 1000000, not {x}")
    return float(x)


def exact_number(name: str, x: Any) -> str | None:
    """An exact number in the command line's syntax; None and strings are returned unchanged."""
    if x is None or isinstance(x, str):
        return x
    if isinstance(x, (bool, np.bool_)):
        raise TypeError(f"{name} must be a number, not {x!r}")
    if isinstance(x, (float, np.floating)):
        value = float(x)
        if not np.isfinite(value):
            raise ValueError(f"{name} must be a finite number, not {x}")
        if value < 0:
            raise ValueError(f"{name} must not be negative, but is {x}")
        return value.hex()
    if isinstance(x, Fraction):
        if x < 0:
            raise ValueError(f"{name} must not be negative, but is {x}")
        if x.denominator == 1:
            return str(x.numerator)
        # The nearest float if it is exact; otherwise a fraction, which is exact.
        nearest = float(x)
        return nearest.hex() if Fraction(nearest) == x else f"{x.numerator}/{x.denominator}"
    try:
        value = operator.index(x)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {x!r}") from None
    if value < 0:
        raise ValueError(f"{name} must not be negative, but is {x}")
    return str(value)
