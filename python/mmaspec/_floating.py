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
    """Arithmetic of IEEE 754 within, in this thread and in those that it starts.

    Libraries make subnormal numbers zero: torch.set_flush_denormal(True), threads of XLA, programs
    that were linked with -ffast-math.
    """
    kept = ctypes.create_string_buffer(512)  # larger than any fenv_t
    _libm.fegetenv(kept)
    _libm.fesetenv(_DEFAULT)
    try:
        yield
    finally:
        _libm.fesetenv(kept)
