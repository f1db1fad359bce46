#!/usr/bin/env python3
"""Tests that doxygen reports no errors in the comments of the C++ API's headers.

    tests/abi/pages.py FOLDER

The pages are written to FOLDER.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    (folder,) = sys.argv[1:]
    if not shutil.which("doxygen"):
        print("skipped: there is no doxygen")
        return
    settings = (ROOT / "api/Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {folder}\n"
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, cwd=ROOT)
    pages = pathlib.Path(folder) / "html"
    for name in ("diff", "prove", "multiply", "find_unit"):
        assert f">{name}</a>" in (pages / "namespacemmaspec.html").read_text(), f"no page has {name}"


main()
