"""MMA-Sim's classes: replace ``mmasim`` by ``mmaspec.compat.mmasim`` in an import.

    from mmaspec.compat.mmasim.simulator import nv_ptx, amd
    nv_ptx.mma("Hopper", "m16n8k16.f32.f16.f16.f32")(A, B, C)

Architectures, qualifiers, shapes and types are MMA-Sim's (https://github.com/microsoft/MMA-Sim), and
so are the results: each class runs the catalogue's variant ``@mma-sim`` where there is one.
``variant=""`` takes what we hold to be the hardware's behaviour instead. Operands are torch tensors,
as there, or NumPy arrays; what MMA-Sim asserts raises AssertionError.
"""

from . import isa, simulator

__all__ = ["isa", "simulator"]
