"""NVIDIA's: mma, mma_block_scale, wgmma, tcgen05mma, tcgen05mma_block_scale."""

from __future__ import annotations

from ._common import MatrixMultiplyAdd


class mma(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        super().__init__(arch, qualifier, f"mma.{qualifier}", qualifier.split(".")[0], variant)


class mma_block_scale(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        shape = qualifier.split(".")[0]
        super().__init__(arch, qualifier, f"mma.block_scale.{qualifier}", shape, variant)
        self.packing = 2 if self.k == 64 else 1


class wgmma(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        assert arch == "Hopper"
        super().__init__(arch, qualifier, f"wgmma.{qualifier}", qualifier.split(".")[0], variant)


class tcgen05mma(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        assert arch == "Blackwell"
        shape = qualifier.split(".")[0]
        super().__init__(arch, qualifier, f"tcgen05.mma.{qualifier}", shape, variant)


class tcgen05mma_block_scale(MatrixMultiplyAdd):
    def __init__(self, arch: str, qualifier: str, *, variant: str = "mma-sim-2025"):
        assert arch == "Blackwell"
        shape = qualifier.split(".")[0]
        mnemonic = f"tcgen05.mma.block_scale.{qualifier}"
        super().__init__(arch, qualifier, mnemonic, shape, variant)
        self.packing = 2 if self.k == 64 else 1


__all__ = ["mma", "mma_block_scale", "tcgen05mma", "tcgen05mma_block_scale", "wgmma"]
