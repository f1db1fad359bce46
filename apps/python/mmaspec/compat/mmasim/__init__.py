"""MMA-Sim's classes: replace ``mmasim`` by ``mmaspec.compat.mmasim`` in an import.

    from mmaspec.compat.mmasim import nv_ptx, amd                # release 2.1.1
    nv_ptx.MMA("Hopper", "m16n8k16.f32.f16.f16.f32")(A, B, C)
    from mmaspec.compat.mmasim.simulator import nv_ptx, amd      # the code of January 2026
    nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")(A, B, C)

Architectures, names, shapes, types and results are those of MMA-Sim
(https://github.com/microsoft/MMA-Sim). Each class computes the variant of its release, ``@mma-sim``
or ``@mma-sim-2025``, if it exists. ``mmaspec show`` lists the faults of a release that
its variant does not have. ``variant=""`` selects the specification of the hardware instead.
Operands are torch tensors, as in MMA-Sim, or NumPy arrays. Assertions of MMA-Sim raise
AssertionError.
"""

from . import amd, isa, nv_ptx, simulator
from ._operations import MMABlockScaleOperation, MMAOperation

__all__ = ["MMABlockScaleOperation", "MMAOperation", "amd", "isa", "nv_ptx", "simulator"]
