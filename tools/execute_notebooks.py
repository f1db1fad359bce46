#!/usr/bin/env python3
"""Runs notebooks and writes their outputs into them, as docs/tutorials/ holds them.

    PYTHONPATH=build/release/python tools/execute_notebooks.py [FILE...]

Needs nbclient, ipykernel and what the package's notebooks use (numpy, ml_dtypes). Without files: docs/tutorials/ and
examples/python/. What a cell shows is kept, when it was run is not; a cell that fails ends it with status 1.
"""

import argparse
import pathlib
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or sorted([*ROOT.glob("docs/tutorials/*.ipynb"), *ROOT.glob("examples/python/*.ipynb")])
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        try:
            NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False).execute()
        except CellExecutionError as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 1
        notebook.metadata["language_info"] = {"name": "python"}  # not of this interpreter's version
        nbformat.write(notebook, file)
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
