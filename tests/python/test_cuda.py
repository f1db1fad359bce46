"""Runs on_cuda.py where stand-ins for CUDA's driver and NVRTC are the libraries that are found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "support" / "cuda"


def build(source: str, library: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    options = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", f"-Wl,-soname,{library.name}"]
    subprocess.run([compiler, *options, "-o", library, SOURCES / source, "-ldl"], check=True)


def run(folder: Path, *others: str, kind: str) -> None:
    paths = [str(folder), *others, os.environ.get("LD_LIBRARY_PATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", HERE / "on_cuda.py"],
        env=os.environ
        | {"LD_LIBRARY_PATH": ":".join(p for p in paths if p), "PYTHONPATH": ":".join(sys.path), "MMASPEC_STAND_IN": kind},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def nvrtc() -> Path | None:
    """NVRTC: of CUDA's toolkit, or of NVIDIA's package."""
    home = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    packages = [Path(p) / "nvidia" for p in sys.path]
    found = [f for f in (home / "lib64/libnvrtc.so", home / "lib/libnvrtc.so") if f.exists()]
    return next(iter(found + [f for p in packages for f in sorted(p.glob("*/lib/libnvrtc.so.1*"))]), None)


def test_with_stand_ins(tmp_path: Path) -> None:
    build("driver.cpp", tmp_path / "libcuda.so.1")
    build("nvrtc.cpp", tmp_path / "libnvrtc.so")
    run(tmp_path, kind="executed")


def test_with_nvrtc(tmp_path: Path) -> None:
    library = nvrtc()
    if library is None:
        pytest.skip("there is no NVRTC: pip install nvidia-cuda-nvrtc")
    build("driver.cpp", tmp_path / "libcuda.so.1")
    run(tmp_path, str(library.parent), kind="compiled")
