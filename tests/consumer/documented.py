#!/usr/bin/env python3
"""Tests that the C++ examples in the documentation are parts of programs that the tests run.

    tests/consumer/documented.py

An example is a block between \\code and \\endcode in a header of api/include/, or a block ```cpp or ```cmake of
docs/cpp.md. Its lines must follow each other in one source of this folder, with any indentation.
"""

import pathlib
import re
import sys
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]


def examples():
    """(where, text) of each example."""
    for header in sorted((ROOT / "api/include/mmaspec").glob("*.h")):
        for block in re.findall(r"/// \\code\n(.*?)/// \\endcode", header.read_text(), re.DOTALL):
            lines = [re.sub(r"^/// ?", "", line) for line in block.splitlines()]
            yield header.name, "\n".join(lines)
    for block in re.findall(r"(?s)```(?:cpp|cmake)\n(.*?)```", (ROOT / "docs/cpp.md").read_text()):
        yield "docs/cpp.md", block


def lines_of(text):
    return [line.strip() for line in textwrap.dedent(text).strip().splitlines()]


def holds(source, wanted):
    return any(source[i : i + len(wanted)] == wanted for i in range(len(source) - len(wanted) + 1))


def main():
    sources = [lines_of(path.read_text()) for path in [*FOLDER.glob("*.cpp"), FOLDER / "CMakeLists.txt"]]
    found = list(examples())
    missing = [(where, text) for where, text in found if not any(holds(s, lines_of(text)) for s in sources)]
    for where, text in missing:
        print(f"{where}: no program of tests/consumer/ has these lines:\n{textwrap.indent(text, '  ')}")
    print(f"{len(found)} examples")
    sys.exit(1 if missing or len(found) < 12 else 0)


main()
