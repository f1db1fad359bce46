"""Tests that the examples run."""

from __future__ import annotations

import json
import os
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
NOTEBOOKS = sorted([*EXAMPLES.glob("*.ipynb"), *(ROOT / "docs" / "tutorials").glob("*.ipynb")])

# Their conclusions.
EXPECTED = {
    "own_algorithm": {"apart": "witness"},
    "porting": {"apart": "witness"},
    "designing": {"broken": "refuted"},
    "testing": {"apart": "witness"},
    "explain": {"found": "explained", "recorded": "explained"},
    "identifying": {"found": "identified", "unknown": "none fits"},
}
LONG = ["designing", "identifying"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs(file: Path) -> None:
    """Runs cell by cell and creates the outputs. The stored outputs are from one complete run.

    The longest are left to full runs.
    """
    if file.stem in LONG and "MMASPEC_FULL_TESTS" not in os.environ:
        pytest.skip("runs with MMASPEC_FULL_TESTS=1 (scripts/test --full)")
    scope: dict[str, Any] = {}
    for cell in json.loads(file.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not any(output["output_type"] == "error" for output in cell["outputs"])
        *body, last = "".join(cell["source"]).split("\n")
        exec("\n".join(body), scope)  # noqa: S102: our own
        try:
            shown = eval(last, scope)  # noqa: S307
        except SyntaxError:
            exec(last, scope)  # noqa: S102
            continue
        if hasattr(shown, "_repr_html_"):
            assert shown._repr_html_()
    for name, verdict in EXPECTED[file.stem].items():
        assert str(getattr(scope[name], "verdict", None) or scope[name]["verdict"]) == verdict, name


def test_own_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    scope = runpy.run_path(str(EXAMPLES / "own_algorithm.py"))
    assert scope["floored"].name == "custom/floored"


def test_kernel_faults(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ml_dtypes")
    runpy.run_path(str(EXAMPLES / "kernel_faults.py"))["main"](32, 32, 512)
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [r[-1] for r in rows] == ["passes |", *["**fails** |"] * 3] * 2  # assert_equal
    assert [r[-2] for r in rows] == ["passes", *["**fails**"] * 3] * 2  # confidence=
    assert all(r[4] == "passes" for r in rows if r[0].endswith("none"))  # proved


def test_emulation(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    runpy.run_path(str(EXAMPLES / "emulation.py"))["main"]()
    printed = capsys.readouterr().out
    shown = (ROOT / "docs" / "emulation.md").read_text()
    # Numbers depend on PyTorch's own results on this CPU; names and plans do not.
    for line in printed.splitlines():
        name = line.split()[0] if line else ""
        assert name in shown, line
    assert "plan:epilogue(cdna3/v_mfma_f32_32x32x8_f16,k=512,out=f16)" in printed
    assert "results differ from blocks." in printed
