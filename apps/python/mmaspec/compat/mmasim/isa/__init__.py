"""MMA-Sim's names of instructions. The classes are those of `simulator`, and can run."""

from ..simulator import amd, nv_ptx

__all__ = ["amd", "nv_ptx"]
