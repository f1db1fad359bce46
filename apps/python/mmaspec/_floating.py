"""The processor's floating-point environment."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Iterator

_libm = ctypes.CDLL(None)
#: glibc's FE_DFL_ENV: rounding to nearest even, and subnormal numbers as they are.
_DEFAULT = ctypes.c_void_p(-1)


@contextlib.contextmanager
def ieee_arithmetic() -> Iterator[None]:
    """Within this context, this thread and the threads that it starts compute as IEEE 754
    specifies.

    Some libraries flush subnormal numbers to zero: torch.set_flush_denormal(True), XLA's threads,
    programs that were linked with -ffast-math.
    """
    kept = ctypes.create_string_buffer(512)  # larger than any fenv_t
    _libm.fegetenv(kept)
    _libm.fesetenv(_DEFAULT)
    try:
        yield
    finally:
        _libm.fesetenv(kept)
