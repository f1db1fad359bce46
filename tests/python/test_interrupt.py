"""Ctrl-C ends long work, and later calls work."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time

import pytest

QUESTION = """
u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
print("ready", flush=True)
v = "ampere/mma.m16n8k16.f32.f16.f16.f32"
for seed in range(10000): mmaspec.diff(u, v, ulp=2000, where="c > 1e30", seed=seed, timeout=300)
"""
MATRICES = """
u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
a = np.ones((2000, 20000), np.float16)
print("ready", flush=True)
for _ in range(1000): u(a, a.T, threads=2)
"""


@pytest.mark.parametrize("work", [QUESTION, MATRICES])
def test_interrupt(work: str) -> None:
    program = f"""
import signal
import numpy as np, mmaspec
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs in the background
try:
{textwrap.indent(work, "    ")}
except KeyboardInterrupt:
    print("interrupted", flush=True)
u = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")
print(u(np.ones((1, 16), np.float16), np.ones((16, 1), np.float16))[0, 0])
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        try:
            rest, _ = child.communicate(timeout=60)
        finally:
            child.kill()
    assert rest.split() == ["interrupted", "16.0"]
