"""Files from strangers never run code (SECURITY.md): rows, arrays, certificates, names and RTL's options."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

UNIT = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=24)"
OTHER = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=24,round=rz)"


@pytest.fixture
def touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the injected command would create: in the command's folder, with a name without '/'."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder / "touched"


def injections() -> list[str]:
    return [
        "$(touch touched)",
        "`touch touched`",
        "; touch touched ;",
        "| touch touched",
        "' ; touch touched ; '",
        '" ; touch touched ; "',
        "exec:touch touched",
        "smtlib:touch touched",
        "\n!touch touched\n",
        "--plugin=touched.so",
    ]


def status_of(command: str, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [command, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    return done.returncode, done.stdout + done.stderr


def write_sums(folder: Path) -> None:
    """Writes SHA256SUMS for all other files, which `certify` requires."""
    files = sorted(p for p in folder.iterdir() if p.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.fixture(scope="session")
def certificate(command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A valid certificate with proof objects."""
    if not shutil.which(os.environ.get("MMASPEC_CADICAL", "cadical")):
        pytest.skip("there is no cadical here")
    folder = tmp_path_factory.mktemp("certificates")
    name = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=6)"
    question = ["prove", "negation-symmetric", name, "--strategies", "none", "--certificates", str(folder)]
    status, text = status_of(command, *question)
    assert status == 0, text
    (made,) = folder.iterdir()
    assert list(made.glob("*.lrat")), text
    status, text = status_of(command, "certify", str(made), "--no-other-checker")
    assert status == 0, text
    return made


@pytest.fixture
def copied(certificate: Path, touched: Path) -> Callable[[], Path]:
    number = iter(range(10**6))

    def copy() -> Path:
        return Path(shutil.copytree(certificate, touched.parent / f"certificate{next(number)}"))

    return copy


def rejected(command: str, folder: Path, *options: str) -> bool:
    status, text = status_of(command, "certify", str(folder), *options)
    assert status in (1, 2), (status, text)
    return "rejected: " in text or status == 2


def test_certificates_that_name_a_command(command: str, copied: Callable[[], Path], touched: Path) -> None:
    statement = json.loads((copied() / "statement.json").read_text())
    changed: list[dict[str, Any]] = []
    for text in injections():
        changed += [
            {**statement, "names": [text]},
            {**statement, "command": text},
            {**statement, "by": text},
            {**statement, "question": {**statement["question"], "where": [text]}},
            {**statement, "question": {**statement["question"], "property": text}},
        ]
    changed += [
        {**statement, key: "touch touched"}
        for key in ("checker", "exec", "solver", "oracle", "plugin", "device", "run", "script")
    ]
    for document in changed:
        folder = copied()
        (folder / "statement.json").write_text(json.dumps(document, indent=1) + "\n")
        write_sums(folder)
        assert rejected(command, folder)
    assert not touched.exists()


def test_certificates_with_other_files(command: str, copied: Callable[[], Path], touched: Path) -> None:
    names = ["$(touch touched)", "; touch touched ;", "`touch touched`", "-x", "run.sh", "plugin.so"]
    for name in names:
        for extension in ("", ".cnf", ".lrat", ".smt2"):
            folder = copied()
            (folder / (name + extension)).write_text("#!/bin/sh\ntouch touched\n")
            (folder / (name + extension)).chmod(0o755)
            write_sums(folder)
            assert rejected(command, folder)
    # A goal's files with such a name.
    folder = copied()
    for file in [*folder.glob("*.goal.json"), *folder.glob("*.proof.jsonl"), *folder.glob("*.lrat")]:
        file.rename(folder / ("$(touch touched)." + file.name.split(".", 1)[1]))
    write_sums(folder)
    assert rejected(command, folder)
    # Links and pipes are not read.
    folder = copied()
    (folder / "derivation.txt").unlink()
    (folder / "derivation.txt").symlink_to("/etc/passwd")
    assert rejected(command, folder)
    folder = copied()
    os.mkfifo(folder / "pipe")
    assert rejected(command, folder)
    assert not touched.exists()


def test_proofs_and_formulas_are_only_read(command: str, copied: Callable[[], Path], touched: Path) -> None:
    for extension in (".goal.json", ".proof.jsonl", ".lrat"):
        for text in injections():
            folder = copied()
            files = list(folder.glob(f"*{extension}"))
            assert files
            for file in files:
                file.write_text(file.read_text() + text)
            write_sums(folder)
            assert rejected(command, folder)
    assert not touched.exists()


def test_rows(command: str, touched: Path) -> None:
    good = {"instr": UNIT, "a": "3c00 0000", "b": "3c00 0000", "c": "00000000", "d": "3f800000"}
    file = touched.parent / "rows.jsonl"
    for text in injections():
        for key in good:
            file.write_text(json.dumps({**good, key: text}) + "\n")
            readers = [["verify", str(file)], ["merge", str(file), "--out", "merged.jsonl"]]
            if key in ("a", "b", "c"):
                readers += [
                    ["eval", UNIT, "--rows", str(file)],
                    ["replay", str(file), "--device", OTHER],
                    ["identify", "--recorded", str(file), "--formats", "f16,f16,f32,f32", "--k", "2"],
                ]
            for reader in readers:
                status, said = status_of(command, *reader)
                assert status == 2, (reader, text, key, said)
    # Unknown members of rows are ignored.
    more = {key: "touch touched" for key in ("exec", "device", "oracle", "command", "plugin", "solver")}
    file.write_text(json.dumps({**good, **more}) + "\n")
    assert status_of(command, "verify", str(file))[0] == 0
    for text in injections():
        (touched.parent / "rows.csv").write_text(f'a0,b0,c,d\n1,1,0,"={text}"\n')
        assert status_of(command, "verify", "rows.csv", "--as", UNIT)[0] == 2
    assert not touched.exists()


def test_names_of_files_and_units(command: str, touched: Path) -> None:
    row = {"instr": UNIT, "a": "3c00 0000", "b": "3c00 0000", "c": "00000000", "d": "3f800000"}
    for text in injections():
        # A name without '/' may be arbitrary; with a leading '-' every program would read it as an
        # option.
        file = touched.parent / (text.strip("-") + ".jsonl")
        file.write_text(json.dumps(row) + "\n")
        assert status_of(command, "verify", "./" + file.name)[0] == 0
        assert status_of(command, "show", "--", text)[0] == 2
        assert status_of(command, "show", "--", f"design:{text}(k=2)")[0] == 2
        assert status_of(command, "diff", "--", UNIT, text)[0] == 2
        assert status_of(command, "diff", f"--where={text}", "--", UNIT, OTHER)[0] == 2
    assert not touched.exists()


class Touch:
    """An object whose unpickling creates a file."""

    def __reduce__(self) -> Any:
        return os.system, ("touch touched",)


def test_arrays_of_objects(command: str, touched: Path) -> None:
    objects = np.empty((2, 2), dtype=object)
    objects[:] = Touch()
    np.save(touched.parent / "a.npy", objects, allow_pickle=True)
    np.save(touched.parent / "b.npy", np.ones((2, 2), dtype=np.float16))
    np.save(touched.parent / "d.npy", np.ones((2, 2), dtype=np.float32))
    assert status_of(command, "compare", "a.npy", "b.npy", UNIT, OTHER)[0] == 2
    assert status_of(command, "explain", "a.npy", "b.npy", "d.npy", UNIT)[0] == 2
    assert status_of(command, "tolerance", UNIT, OTHER, "--distribution", "a.npy")[0] == 2
    assert not touched.exists()


@pytest.mark.skipif(not shutil.which("yosys"), reason="there is no yosys here")
def test_names_of_hardware_designs(command: str, touched: Path) -> None:
    module = "module top(input [31:0] a, b, c, output [31:0] d); assign d = c; endmodule\n"
    against = ["--against", "design:sequential-fma(a=f32,b=f32,c=f32,d=f32,k=1)", "--timeout", "20"]
    (touched.parent / "top.v").write_text(module)
    for text in injections():
        for option in ("--top", "--define", "--parameter", "--include", "--set", "--clock", "--map"):
            given = f"x={text}" if option in ("--parameter", "--set", "--map") else text
            top = [] if option == "--top" else ["--top", "top"]
            status, said = status_of(command, "rtl", "top.v", *top, f"{option}={given}", *against)
            assert status in (1, 2), (option, text, said)
        name = text.strip("-") + ".v"
        (touched.parent / name).write_text(module)
        status, said = status_of(command, "rtl", "./" + name, "--top", "top", *against)
        assert status in (1, 2), (text, said)
    assert not touched.exists()
