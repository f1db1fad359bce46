"""Common parts of the tests of the package, which compare it with the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmaspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "documents"))
import json_schema  # noqa: E402

@pytest.fixture(scope="session")
def command() -> str:
    """The program `mmaspec`: $MMASPEC_BINARY, or the one on the PATH."""
    found = os.environ.get("MMASPEC_BINARY") or shutil.which("mmaspec")
    if not found:
        pytest.skip("there is no mmaspec command: set MMASPEC_BINARY")
    return found


@pytest.fixture
def run(command: str) -> Any:
    def call(*arguments: str, status: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(
            [command, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode in status, (arguments, done.returncode, done.stderr)
        if "--json" in arguments and done.stdout:
            assert not json_schema.fault_of_output(list(arguments), done.stdout)
        return done.stdout

    return call


def random_patterns(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Random bits; half of the patterns are numbers near 1, whose sums are not NaN."""
    word = mmaspec.formats.word_of(name)
    bits = mmaspec._core.format_bits(name)
    words = rng.integers(0, 2**bits, shape, dtype=np.uint64)
    tame = mmaspec.formats.dtype_of(name)
    values = rng.standard_normal(shape)
    near = np.abs(values) if name in ("ue8m0", "ue4m3") else values
    patterns = near.astype(tame).view(word)
    return np.where(rng.random(shape) < 0.02, words.astype(word), patterns).astype(word)


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def hexes(words: Any, name: str) -> str:
    digits = -(-mmaspec._core.format_bits(name) // 4)
    return " ".join(f"{int(w):0{digits}x}" for w in np.asarray(words).reshape(-1))
