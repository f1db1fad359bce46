"""MMA-Sim 2.1.1's classes of NVIDIA's instructions, as PTX names them."""

from __future__ import annotations

from typing import Any

from ._operations import MMABlockScaleOperation, MMAOperation


def _kind(shape_and_type: str) -> str | None:
    for part in shape_and_type.split("."):
        if part.startswith("kind::"):
            return part.removeprefix("kind::")
    return None


class _Named:
    """The additional attributes of NVIDIA's classes."""

    unit: Any

    def _named(self, shape_and_type: str) -> None:
        self.shape_and_type = shape_and_type
        self.kind = _kind(shape_and_type)
        self.a_type_ptx = self.unit.a
        self.b_type_ptx = self.unit.b


class MMA(MMAOperation, _Named):
    """``mma.SHAPE[.kind::KIND].D.A.B.C``."""

    def __init__(self, arch: str, shape_and_type: str, *, variant: str = "mma-sim"):
        shape = shape_and_type.split(".")[0]
        super().__init__(arch, f"mma.{shape_and_type}", shape, variant)
        self._named(shape_and_type)


class WGMMA(MMAOperation, _Named):
    """``wgmma.SHAPE.D.A.B`` of Hopper."""

    def __init__(self, arch: str, shape_and_type: str, *, variant: str = "mma-sim"):
        assert arch == "Hopper", f"Unsupported architecture {arch} for wgmma."
        shape = shape_and_type.split(".")[0]
        super().__init__(arch, f"wgmma.{shape_and_type}", shape, variant)
        self._named(shape_and_type)


class TCGen05MMA(MMAOperation, _Named):
    """``tcgen05.mma.SHAPE.kind::KIND.D.A.B`` of Blackwell."""

    def __init__(self, arch: str, shape_and_type: str, *, variant: str = "mma-sim"):
        assert arch == "Blackwell", f"Unsupported architecture {arch} for tcgen05.mma."
        shape = shape_and_type.split(".")[0]
        super().__init__(arch, f"tcgen05.mma.{shape_and_type}", shape, variant)
        self._named(shape_and_type)


class MMABlockScale(MMABlockScaleOperation, _Named):
    """``mma.block_scale.SHAPE.kind::KIND.blockS.D.A.B.C.SCALE`` of RTX Blackwell."""

    def __init__(self, arch: str, shape_and_type: str, *, variant: str = "mma-sim"):
        shape = shape_and_type.split(".")[0]
        super().__init__(arch, f"mma.block_scale.{shape_and_type}", shape, variant)
        self._named(shape_and_type)
        self.packing = 2 if self.k == 64 else 1


class TCGen05MMABlockScale(MMABlockScaleOperation, _Named):
    """``tcgen05.mma.block_scale.SHAPE.kind::KIND.blockS.D.A.B.SCALE`` of Blackwell."""

    def __init__(self, arch: str, shape_and_type: str, *, variant: str = "mma-sim"):
        assert arch == "Blackwell", f"Unsupported architecture {arch} for tcgen05.mma."
        shape = shape_and_type.split(".")[0]
        super().__init__(arch, f"tcgen05.mma.block_scale.{shape_and_type}", shape, variant)
        self._named(shape_and_type)
        self.packing = 2 if self.k == 64 else 1


__all__ = ["MMA", "MMABlockScale", "TCGen05MMA", "TCGen05MMABlockScale", "WGMMA"]
