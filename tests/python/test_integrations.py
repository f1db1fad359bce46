"""Files for editors and services: what they match and call is what `mmaspec` prints and takes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
AGAINST = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rz)"
SMALL = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=24)"
HEADER = "module t(input [63:0] a, b, input [31:0] c, output [31:0] d);\n"


def problems(label: str, file: Path, command: str) -> list[dict[str, str]]:
    """What the task's problem matchers find in the output of its own command."""
    document = json.loads((ROOT / "examples/vscode/tasks.json").read_text())
    assert document["inputs"][0]["default"] == AGAINST
    (task,) = [t for t in document["tasks"] if t["label"] == label]
    words = {"${file}": str(file), "${fileBasenameNoExtension}": "t", "${input:against}": AGAINST}
    given = [a["value"] if isinstance(a, dict) else a for a in task["args"]]
    assert task["command"] == "mmaspec"
    done = subprocess.run(
        [command, *(words.get(a, a) for a in given)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (1, 2), done
    found = []
    for line in (done.stdout + done.stderr).splitlines():
        for matcher in task["problemMatcher"]:
            pattern = dict(matcher["pattern"])
            match = re.match(pattern.pop("regexp"), line)
            if match:
                found.append({key: match[group] for key, group in pattern.items()})
    return found


@pytest.mark.skipif(not shutil.which("yosys"), reason="there is no yosys here")
def test_matchers_of_rtl(command: str, tmp_path: Path) -> None:
    label = "mmaspec: this design against a specification"
    file = tmp_path / "t.v"
    file.write_text("module t(input a);\n  assign b = ;\nendmodule\n")
    (problem,) = problems(label, file, command)
    assert (problem["file"], problem["line"], problem["severity"]) == (str(file), "2", "ERROR")
    assert "syntax error" in problem["message"]
    file.write_text(HEADER + "  assign d = undefined_thing + 1;\nendmodule\n")
    (problem,) = problems(label, file, command)
    assert (problem["file"], problem["line"], problem["column"]) == (str(file), "2", "14")
    assert (problem["endLine"], problem["endColumn"]) == ("2", "29")
    assert problem["message"].endswith("undefined value of undefined_thing")
    # A witness is of no line.
    file.write_text(HEADER + "  assign d = c;\nendmodule\n")
    assert problems(label, file, command) == []


def test_matchers_of_rows(command: str, tmp_path: Path) -> None:
    row = {"instr": SMALL, "a": "3c00 0000", "b": "3c00 0000", "c": "00000000", "d": "3f800001"}
    file = tmp_path / "rows.jsonl"
    file.write_text("x\n" + json.dumps(row) + "\n" + json.dumps({**row, "a": "3c00"}) + "\n")
    found = problems("mmaspec: verify these rows", file, command)
    assert {(p["file"], p["line"]) for p in found} == {(str(file), n) for n in "123"}
    by_line: dict[str, Any] = {p["line"]: p["message"] for p in found}
    assert "not a row" in by_line["1"] and by_line["3"] == '"a" has 1 value, expected 2'
