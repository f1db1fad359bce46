"""PyTorch's types and their formats."""

from __future__ import annotations

import torch

from .._rules import FORMATS as _NAMES

#: The format that holds a tensor's elements.
FORMATS = {getattr(torch, name): f for name, f in _NAMES.items() if hasattr(torch, name)}
#: The type of tensors that hold a format; TF32 and xF32 are held as float32.
TYPES = {f: dtype for dtype, f in FORMATS.items()} | {"tf32": torch.float32, "xf32": torch.float32}
