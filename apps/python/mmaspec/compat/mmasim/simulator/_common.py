"""The base classes for MMA-Sim's code of January 2026."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...._unit import Unit, unit
from ....formats import dtype_of

_ARCHITECTURES = {
    "Volta": "volta",
    "Turing": "turing",
    "Ampere": "ampere",
    "Ada Lovelace": "ada",
    "Hopper": "hopper",
    "Blackwell": "blackwell",
    "RTX Blackwell": "rtx-blackwell",
    "CDNA1": "cdna1",
    "CDNA2": "cdna2",
    "CDNA3": "cdna3",
}


def find(arch: str, mnemonic: str, variant: str) -> Unit:
    """The unit, in the variant if it exists."""
    assert arch in _ARCHITECTURES, (
        f"Unsupported architecture {arch}.\nSupported architectures: {list(_ARCHITECTURES)}"
    )
    name = f"{_ARCHITECTURES[arch]}/{mnemonic}"
    try:
        own = unit(name)
    except ValueError as error:
        raise AssertionError(str(error)) from None
    if not variant:
        return own
    try:
        return unit(f"{name}@{variant}")
    except ValueError:
        return own  # its behavior is the same in all variants


def shape_of(text: str) -> tuple[int, int, int]:
    """(m, n, k) of m16n8k16 and of 32x32x8."""
    digits = "".join(c if c.isdigit() else " " for c in text)
    m, n, k = map(int, digits.split())
    return m, n, k


class MatrixMultiplyAdd:
    """D = C + A @ B of an instruction's own shape."""

    packing = 1  #: FP4 elements in a byte

    def __init__(self, arch: str, qualifier: str, mnemonic: str, shape: str, variant: str):
        self.arch = arch
        self.qualifier = qualifier
        self.unit = find(arch, mnemonic, variant)
        self.m, self.n, self.k = shape_of(shape)
        assert self.k == self.unit.k

    def _type(self, name: str) -> Any:
        """torch's type if torch is installed, as in MMA-Sim, else NumPy's."""
        try:
            import torch
        except ImportError:
            return dtype_of(name)
        numpy_name = dtype_of(name).name
        if name == "e2m1":
            return torch.uint8
        return getattr(torch, numpy_name, dtype_of(name))

    @property
    def a_type(self) -> Any:
        return self._type(self.unit.a)

    @property
    def b_type(self) -> Any:
        return self._type(self.unit.b)

    @property
    def c_type(self) -> Any:
        return self._type(self.unit.c)

    @property
    def d_type(self) -> Any:
        return self._type(self.unit.d)

    @property
    def s_type(self) -> Any:
        assert self.unit.scale is not None
        return self._type(self.unit.scale)

    @property
    def block_size(self) -> int:
        return self.unit.scale_block

    def check_input(self, A: Any, B: Any, C: Any) -> None:
        m, n, k = self.m, self.n, self.k // self.packing
        assert tuple(A.shape) == (m, k)
        assert tuple(B.shape) == (k, n)
        assert tuple(C.shape) == (m, n)

    def __call__(
        self, A: Any, B: Any, C: Any, scale_A: Any = None, scale_B: Any = None
    ) -> Any:
        self.check_input(A, B, C)
        if scale_A is not None:
            blocks = self.k // self.block_size
            assert tuple(scale_A.shape) == (self.m, blocks)
            assert tuple(scale_B.shape) == (blocks, self.n)
        try:
            return self.unit(
                A, B, C, scale_a=scale_A, scale_b=scale_B, packed=self.packing > 1
            )
        except TypeError as error:
            raise AssertionError(str(error)) from None

    def dotadd(self, a: list[float], b: list[float], c: float) -> float:
        """One dot product; missing operands are 0."""
        return self._dotadd(a, b, c, {})

    def dotadd_with_block_scale(
        self,
        a: list[float],
        b: list[float],
        c: float,
        scale_a: list[float],
        scale_b: list[float],
    ) -> float:
        """One dot product; missing scale factors are 1."""
        assert self.unit.scale is not None
        scales = {}
        for key, given, shape in (("scale_a", scale_a, (1, -1)), ("scale_b", scale_b, (-1, 1))):
            whole = np.ones(self.k // self.block_size)
            whole[: len(given)] = given
            scales[key] = whole.astype(dtype_of(self.unit.scale)).reshape(shape)
        return self._dotadd(a, b, c, scales)

    def _dotadd(self, a: list[float], b: list[float], c: float, scales: dict[str, Any]) -> float:
        whole = np.zeros((2, self.k))
        whole[0, : len(a)] = a
        whole[1, : len(b)] = b
        d = self.unit(
            whole[:1].astype(dtype_of(self.unit.a)),
            whole[1:].T.astype(dtype_of(self.unit.b)),
            np.array([[c]]).astype(dtype_of(self.unit.c)),
            **scales,
        )
        return float(d[0, 0])


__all__ = ["MatrixMultiplyAdd", "find", "shape_of"]
