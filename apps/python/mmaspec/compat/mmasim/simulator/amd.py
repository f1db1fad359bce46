"""AMD's: mfma."""

from __future__ import annotations

import re

from ._common import MatrixMultiplyAdd


class mfma(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        shape = re.search(r"\d+x\d+x\d+", qualifier)
        assert shape, f"Unsupported qualifier {qualifier}"
        super().__init__(arch, qualifier, f"v_mfma_{qualifier}", shape[0], variant)


__all__ = ["mfma"]
