#!/usr/bin/env python3
"""Counts the lines that a proof rests on: of the proof kernel, of what it uses, and of what builds goals.

    tools/trusted_lines.py

Prints, for each part of docs/explanation/certificates.md's tables, all lines, and those that are neither blank nor comments.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = {
    "proof kernel": ["proof/kernel/*.h", "proof/kernel/*.cpp"],
    "circuits, clauses, LRAT": ["proof/sat/circuit.*", "proof/sat/cnf.*", "proof/sat/numbers.h", "proof/sat/lrat.*"],
    "language": ["spec/lang/*.h", "spec/lang/*.cpp"],
    "statements and goals": ["queries/statement/*", "queries/property/*", "queries/properties/*", "queries/goals/*"],
    "differences, preconditions": ["queries/numbers/*"],
    "check of certificates": ["proof/certify/*", "apps/certify/*"],
    "second checker": ["proof/check.py"],
    "encoder, for queries alone": ["encoder/*.h", "encoder/*.cpp"],
    "bit-blaster, for queries alone": ["proof/recorded/bit_blaster.*"],
    "strategies, for queries alone": ["queries/ask/**/*", "queries/prove/*"],
    "derivations, for queries alone": ["queries/derive/*", "queries/relations/**/*", "queries/error_bounds/*"],
}


def counted(file):
    lines = file.read_text().splitlines()
    code = [line for line in lines if line.strip() and not line.lstrip().startswith(("//", "#!", '"""'))]
    return len(lines), len(code)


def main():
    print(f"{'part':32} {'lines':>6} {'code':>6}")
    for part, patterns in PARTS.items():
        files = {f for pattern in patterns for f in ROOT.glob(pattern) if f.suffix in (".h", ".cpp", ".py")}
        counts = [counted(file) for file in sorted(files)]
        print(f"{part:32} {sum(c[0] for c in counts):6} {sum(c[1] for c in counts):6}")


if __name__ == "__main__":
    main()
