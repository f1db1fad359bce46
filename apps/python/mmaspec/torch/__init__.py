"""Runs PyTorch models with the arithmetic of another matrix unit.

    import mmaspec.torch
    with mmaspec.torch.emulate("mi300x") as report:
        logits = model(tokens)
    print(report)                                   # what was emulated, and what was not
    print(mmaspec.torch.compare(model, tokens, "h100", "mi300x"))

docs/emulation.md says what is emulated, and how. Needs PyTorch 2.4 or newer.
"""

try:
    import torch as _torch
except ImportError:
    raise ImportError("mmaspec.torch needs PyTorch, which is not installed: pip install torch") from None
if not hasattr(_torch.library, "custom_op"):
    raise ImportError(f"mmaspec.torch needs PyTorch 2.4 or newer, not {_torch.__version__}")

from .._report import Emulated, NotEmulated, Report
from .._rules import Choice
from ._compare import Layer, Layers, compare
from ._emulate import emulate
from ._rewrite import backend, rewrite

__all__ = [
    "Choice",
    "Emulated",
    "Layer",
    "Layers",
    "NotEmulated",
    "Report",
    "backend",
    "compare",
    "emulate",
    "rewrite",
]
