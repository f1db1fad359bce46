"""The base classes for MMA-Sim 2.1.1."""

from __future__ import annotations

from typing import Any

from ...formats import dtype_of
from .simulator._common import find, shape_of

#: The classes of these formats take bytes: torch has no type of theirs.
_BYTES = ("e3m2", "e2m3", "e2m1")


def _is_bytes(x: Any) -> bool:
    return str(x.dtype).removeprefix("torch.") == "uint8"


class _Operation:
    """An instruction, with the attributes that MMA-Sim gives it."""

    packing = 1  #: FP4 elements in a byte, the first one in the upper half

    def __init__(self, arch: str, mnemonic: str, shape: str, variant: str):
        self.arch = arch
        self.unit = find(arch, mnemonic, variant)
        self.m, self.n, self.k = shape_of(shape)
        assert self.k == self.unit.k

    @staticmethod
    def _type(name: str) -> Any:
        """torch's type if torch is installed, else NumPy's."""
        try:
            import torch
        except ImportError:
            return dtype_of("u8" if name in _BYTES else name)
        if name in _BYTES:
            return torch.uint8
        return getattr(torch, dtype_of(name).name)

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

    def _operand(self, x: Any, name: str) -> Any:
        """FP6 and FP4 operands given as bytes, as the bit patterns that the unit expects."""
        if name not in _BYTES or not _is_bytes(x):
            return x
        if self.packing == 2:
            # Exchanges the halves of a byte, because the unit takes the lower one first.
            return (x >> 4) | ((x & 0x0F) << 4)
        return (x & 0x3F) >> 2 if name == "e2m1" else x & 0x3F

    def _run(self, A: Any, B: Any, C: Any, scales: dict[str, Any]) -> Any:
        a = self._operand(A, self.unit.a)
        b = self._operand(B, self.unit.b)
        try:
            return self.unit(a, b, C, packed=self.packing == 2, **scales)
        except (TypeError, ValueError) as error:
            raise AssertionError(str(error)) from None


class MMAOperation(_Operation):
    """``D = C + A @ B``."""

    def __call__(self, A: Any, B: Any, C: Any) -> Any:
        """The product for any m and n: A is m x k, B is k x n, C is m x n."""
        return self._run(A, B, C, {})

    def dpa(self, a: Any, b: Any, c: Any) -> Any:
        """Dot products: a and b are [..., k], c and the result [...]."""
        d = self._run(a[..., None, :], b[..., :, None], c[..., None, None], {})
        return d[..., 0, 0]


class MMABlockScaleOperation(_Operation):
    """``D = C + A @ B`` with block scale factors: alpha of A's rows, beta of B's columns."""

    @property
    def s_type(self) -> Any:
        assert self.unit.scale is not None
        return self._type(self.unit.scale)

    @property
    def block_size(self) -> int:
        return self.unit.scale_block

    def __call__(self, A: Any, B: Any, C: Any, alpha: Any, beta: Any) -> Any:
        """The product for any m and n; alpha is m x (k / block_size), beta is (k / block_size) x n."""
        return self._run(A, B, C, {"scale_a": alpha, "scale_b": beta})

    def dpa(self, a: Any, b: Any, c: Any, alpha: Any, beta: Any) -> Any:
        """Dot products: alpha and beta are [..., k / block_size]."""
        scales = {"scale_a": alpha[..., None, :], "scale_b": beta[..., :, None]}
        d = self._run(a[..., None, :], b[..., :, None], c[..., None, None], scales)
        return d[..., 0, 0]


__all__ = ["MMABlockScaleOperation", "MMAOperation"]
