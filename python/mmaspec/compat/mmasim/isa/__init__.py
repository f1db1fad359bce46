"""MMA-Sim's names of instructions; the classes of `simulator` are these, and run."""

from ..simulator import amd, nv_ptx

__all__ = ["amd", "nv_ptx"]
