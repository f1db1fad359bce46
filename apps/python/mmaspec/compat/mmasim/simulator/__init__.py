"""MMA-Sim's simulators."""

from . import amd, nv_ptx

__all__ = ["amd", "nv_ptx"]
