"""Computes what matrix units compute, bit for bit, compares units, and proves properties of them.

    import mmaspec
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
    D = u(A, B, C)                                  # bit for bit, any shape, any K
    mmaspec.compare(u, "mi300x/v_mfma_f32_32x32x8_f16", A, B, C)
    mmaspec.diff(u, "ampere/mma.m16n8k16.f32.f16.f16.f32", ulp=4)
    mmaspec.prove("monotone-c", u)
"""

from . import formats, language
from ._blocks import scaled_blocks
from ._core import Contradiction, OutOfTime
from ._core import __version__  # type: ignore[attr-defined]  # which stubs leave out
from ._device import DeviceArray
from ._explain import Explained, Explanation, explain
from ._queries import (
    compare,
    diff,
    explore,
    export,
    identify,
    maximize,
    properties,
    prove,
    replay,
    suite,
    table,
    tolerance,
    verify,
)
from ._results import (
    Answer,
    Comparison,
    Differ,
    Document,
    Element,
    Least,
    Machines,
    Maximum,
    NotApplicable,
    Proved,
    Refuted,
    Run,
    Stage,
    Tolerance,
    Trace,
    Undecided,
    Witness,
)
from ._unit import Parameter, Provenance, Unit, unit, units
from .language import algorithm

Contradiction.__doc__ = (
    "Two answers contradict each other. This is a bug in MMA-Spec or in a solver; please report it."
)
OutOfTime.__doc__ = "The work was stopped before it had a result."

__all__ = [
    "Answer",
    "Comparison",
    "Contradiction",
    "DeviceArray",
    "Differ",
    "Document",
    "Element",
    "Explained",
    "Explanation",
    "Least",
    "Machines",
    "Maximum",
    "NotApplicable",
    "OutOfTime",
    "Parameter",
    "Proved",
    "Provenance",
    "Refuted",
    "Run",
    "Stage",
    "Tolerance",
    "Trace",
    "Undecided",
    "Unit",
    "Witness",
    "__version__",
    "algorithm",
    "compare",
    "diff",
    "explain",
    "explore",
    "export",
    "formats",
    "identify",
    "language",
    "maximize",
    "properties",
    "prove",
    "replay",
    "scaled_blocks",
    "suite",
    "table",
    "tolerance",
    "unit",
    "units",
    "verify",
]
