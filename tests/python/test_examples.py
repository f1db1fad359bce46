"""The examples run."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def test_notebooks_run() -> None:
    """Cell by cell: what they show is made, too."""
    for file in EXAMPLES.glob("*.ipynb"):
        scope: dict[str, Any] = {}
        for cell in json.loads(file.read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            *body, last = "".join(cell["source"]).split("\n")
            exec("\n".join(body), scope)  # noqa: S102: our own
            try:
                shown = eval(last, scope)  # noqa: S307
            except SyntaxError:
                exec(last, scope)  # noqa: S102
                continue
            assert shown._repr_html_()
        assert scope["apart"].verdict == "witness"


def test_own_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    scope = runpy.run_path(str(EXAMPLES / "own_algorithm.py"))
    assert scope["floored"].name == "custom/floored"
