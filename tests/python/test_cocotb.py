"""The scoreboard of examples/cocotb passes a correct unit and fails a wrong one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "cocotb" / "test_fused_dot_pipelined.py"
UNIT = ROOT / "examples" / "rtl" / "fused_dot_pipelined.v"

pytest.importorskip("cocotb", reason="cocotb is not installed")
pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="there is no iverilog")


def run_example(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def test_a_correct_unit_passes() -> None:
    done = run_example()
    assert done.returncode == 0, done.stdout
    assert "2000 operations, 0 wrong" in done.stdout


def test_a_wrong_unit_fails(tmp_path: Path) -> None:
    source = UNIT.read_text()
    assert "guard & (sticky | kept[S-24])" in source
    wrong = tmp_path / "wrong.v"
    wrong.write_text(source.replace("guard & (sticky | kept[S-24])", "guard"))
    done = run_example(str(wrong))
    assert done.returncode == 1, done.stdout
    assert "specified" in done.stdout and ", 0 wrong" not in done.stdout
