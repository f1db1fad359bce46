"""The committed stubs equal those generated from the bindings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mmaspec

ROOT = Path(__file__).resolve().parents[2]


def test_stubs_are_those_of_the_bindings(tmp_path: Path) -> None:
    pytest.importorskip("nanobind")
    subprocess.run([sys.executable, ROOT / "apps/python" / "make-stubs", tmp_path], check=True)
    for made in tmp_path.glob("*.pyi"):
        kept = ROOT / "apps/python" / "mmaspec" / "_core" / made.name
        assert made.read_text() == kept.read_text(), f"{kept}: run apps/python/make-stubs"


def test_all_is_documented() -> None:
    for name in mmaspec.__all__:
        thing = getattr(mmaspec, name)
        if callable(thing):
            assert thing.__doc__, name
