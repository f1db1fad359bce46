"""Tests examples/rtl/fused_dot_pipelined.v with cocotb and Icarus Verilog, against mmaspec.

    pip install cocotb            # and apt-get install iverilog
    python3 test_fused_dot_pipelined.py [FILE]

FILE is another Verilog file with the module `fused_dot_pipelined`. The exit status is 1 if a result
is not the specified one.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from cocotb_tools.runner import get_results, get_runner
from scoreboard import Scoreboard

HERE = Path(__file__).resolve().parent
TOP = "fused_dot_pipelined"
DESIGN = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rne)"
LATENCY = 3
OPERATIONS = 2000


def half(rng: random.Random) -> int:
    """A pattern of f16: any pattern, or one with an exponent near that of 1."""
    if rng.random() < 0.05:
        return rng.getrandbits(16)
    return rng.getrandbits(1) << 15 | rng.randint(10, 20) << 10 | rng.getrandbits(10)


def single(rng: random.Random) -> int:
    """A pattern of f32 whose exponent is that of a sum of products, and few significand bits."""
    return rng.getrandbits(1) << 31 | rng.randint(100, 145) << 23 | rng.getrandbits(4) << 19


@cocotb.test()
async def results_are_the_specified_ones(dut: Any) -> None:
    rng = random.Random(1)
    Clock(dut.clk, 10, "ns").start()
    dut.a.value = dut.b.value = dut.c.value = 0
    scoreboard = Scoreboard(DESIGN, dut.clk, dut.a, dut.b, dut.c, dut.d, latency=LATENCY)
    scoreboard.start()
    for _ in range(OPERATIONS + LATENCY):
        await FallingEdge(dut.clk)
        dut.a.value = sum(half(rng) << (16 * k) for k in range(4))
        dut.b.value = sum(half(rng) << (16 * k) for k in range(4))
        dut.c.value = single(rng)
    wrong = scoreboard.check()
    for mismatch in wrong[:3]:
        dut._log.error(str(mismatch))
    dut._log.info("%d operations, %d wrong", scoreboard.operations, len(wrong))
    assert not wrong


def main(source: Path) -> int:
    runner = get_runner("icarus")
    with tempfile.TemporaryDirectory() as folder:
        runner.build(
            sources=[source.resolve()],
            hdl_toplevel=TOP,
            build_dir=folder,
            always=True,
            timescale=("1ns", "1ps"),
        )
        os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, sys.path)])
        results = runner.test(
            hdl_toplevel=TOP,
            test_module=Path(__file__).stem,
            build_dir=folder,
            test_dir=folder,
        )
        tests, failures = get_results(results)
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "rtl" / f"{TOP}.v"
    sys.exit(main(file))
