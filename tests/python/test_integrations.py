"""Files for editors and services: their patterns match the output of `mmaspec`, and their commands are valid."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
AGAINST = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rz)"
SMALL = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=24)"
HEADER = "module t(input [63:0] a, b, input [31:0] c, output [31:0] d);\n"


def problems(label: str, file: Path, command: str) -> list[dict[str, str]]:
    """The findings of the task's problem matchers in the output of its command."""
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
    # A witness has no line number.
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


ACTION = ROOT / ".github/actions/mmaspec-check/check"


def checked(command: str, folder: Path, **inputs: str) -> tuple[int, str, list[dict[str, Any]]]:
    """Runs the action's step in a folder: its exit status, its output, and its answers."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    if not (programs / "mmaspec").exists():
        (programs / "mmaspec").symlink_to(Path(command).resolve())
    answer = folder / "mmaspec-answer.jsonl"
    environment = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "TIMEOUT": "30",
        **inputs,
    }
    done = subprocess.run(
        [ACTION], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    answers = answer.read_text().splitlines() if answer.exists() else []
    return done.returncode, done.stdout + done.stderr, [json.loads(line) for line in answers]


def test_action_verifies_rows(command: str, tmp_path: Path) -> None:
    row = {"instr": SMALL, "a": "3c00 0000", "b": "3c00 0000", "c": "00000000", "d": "3f800000"}
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows/one.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "rows/-two; touch x.jsonl").write_text(2 * (json.dumps(row) + "\n"))
    status, text, (answer,) = checked(command, tmp_path, ROWS="rows/*.jsonl\n")
    assert status == 0, text
    assert answer["passed"] == 3 and answer["failed"] == 0
    assert (tmp_path / "output").read_text().startswith("answer=")
    (tmp_path / "rows/bad.jsonl").write_text(json.dumps({**row, "d": "00000000"}) + "\n")
    status, text, (answer,) = checked(command, tmp_path, ROWS="rows/one.jsonl\n**/bad.jsonl")
    assert status == 1 and "::error" in text and answer["failed"] == 1
    (tmp_path / "rows/bad.jsonl").write_text("x\n")
    assert checked(command, tmp_path, ROWS="rows/bad.jsonl")[0] == 2
    (tmp_path / "rows.csv").write_text("a0,b0,c,d\n1.0,1.0,0,1.0\n")
    assert checked(command, tmp_path, ROWS="rows.csv", AS=SMALL)[0] == 0
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({}, "give rows, or rtl"),
        ({"ROWS": "none/*.jsonl"}, "no file matches"),
        ({"ROWS": "$(touch x)"}, "no file matches"),
        ({"RTL": "t.v"}, "rtl needs top and against"),
        ({"RTL": "t.v", "TOP": "t", "AGAINST": SMALL, "OPTIONS": "touch"}, "does not begin with --"),
        ({"ROWS": "t.v", "UNDECIDED": "maybe"}, "undecided is fail or warn"),
    ],
)
def test_action_refuses(command: str, tmp_path: Path, inputs: dict[str, str], says: str) -> None:
    (tmp_path / "t.v").write_text("")
    status, text, _ = checked(command, tmp_path, **inputs)
    assert status == 2 and f"::error title=mmaspec::{says}" in text or says in text
    assert not (tmp_path / "x").exists()


@pytest.mark.skipif(not shutil.which("yosys"), reason="there is no yosys here")
def test_action_checks_rtl(command: str, tmp_path: Path) -> None:
    (tmp_path / "t.v").write_text(HEADER + "  assign d = c;\nendmodule\n")
    given = {"RTL": "*.v", "TOP": "t", "AGAINST": AGAINST}
    status, text, (answer,) = checked(command, tmp_path, **given)
    assert status == 1 and answer["verdict"] == "witness" and "t: does not agree" in text
    fixed = {**given, "OPTIONS": "--where=zero(a[*])\n--where=zero(b[*])\n--where=normal(c)"}
    status, text, (answer,) = checked(command, tmp_path, **fixed)
    assert status in (0, 1) and answer["verdict"] == ("witness" if status else "proved"), text


def test_workflows() -> None:
    yaml = pytest.importorskip("yaml")
    files = [*(ROOT / ".github/workflows").glob("*.yml"), *(ROOT / ".github/actions").glob("*/action.yml")]
    assert len(files) >= 4
    for file in files:
        document = yaml.safe_load(file.read_text())
        if "jobs" in document:
            assert document["permissions"] == {"contents": "read"}, file
            events = document[True]  # YAML 1.1 reads the key `on` as true
            assert "pull_request_target" not in events
        # Other people's actions are named by their commit, and no external text is part of a
        # script.
        for action in re.findall(r"uses: (\S+)", file.read_text()):
            assert re.fullmatch(r"\./\.github/\S+|\S+@[0-9a-f]{40}", action), (file, action)
        jobs = document.get("jobs", {}).values()
        steps = [s for job in jobs for s in job.get("steps", [])] + document.get("runs", {}).get("steps", [])
        assert not [s for s in steps if "${{" in s.get("run", "")], file


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("vendor.github-workflows", ".github/workflows/*.yml"),
        ("vendor.github-actions", ".github/actions/*/action.yml"),
        ("vendor.dependabot", ".github/dependabot.yml"),
    ],
)
def test_files_have_the_schema_of_their_service(schema: str, pattern: str) -> None:
    pytest.importorskip("check_jsonschema", reason="the package check-jsonschema is missing")
    files = sorted(ROOT.glob(pattern))
    assert files
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_hooks(command: str, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert set(hooks) == {"mmaspec-verify", "mmaspec-rtl"}
    verify = hooks["mmaspec-verify"]
    assert re.search(verify["files"], "tests/h100.mma.jsonl.gz")
    assert not re.search(verify["files"], "package.jsonl")
    row = {"instr": SMALL, "a": "3c00 0000", "b": "3c00 0000", "c": "00000000", "d": "3f800000"}
    file = tmp_path / "one.mma.jsonl"
    file.write_text(json.dumps(row) + "\n")
    for hook, more, status in ((verify, [str(file)], 0), (hooks["mmaspec-rtl"], [str(file)], 2)):
        program, *arguments = hook["entry"].split()
        assert program == "mmaspec"
        done = subprocess.run([command, *arguments, *more], capture_output=True, check=False)
        assert done.returncode == status
