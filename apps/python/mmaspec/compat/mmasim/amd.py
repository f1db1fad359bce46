"""MMA-Sim 2.1.1's classes of AMD's instructions: MFMA."""

from __future__ import annotations

import re

from ._operations import MMAOperation


class MFMA(MMAOperation):
    """``v_mfma_SUFFIX``, such as f32_32x32x8_f16."""

    def __init__(self, arch: str, suffix: str, *, variant: str = "mma-sim"):
        shape = re.search(r"\d+x\d+x\d+", suffix)
        assert shape, f"Unsupported suffix {suffix}"
        super().__init__(arch, f"v_mfma_{suffix}", shape[0], variant)
        self.suffix = suffix


__all__ = ["MFMA"]
