#!/usr/bin/env python3
"""What recorded rows of units determine of their designs, and what they leave open.

Takes --rows random rows of each file (JSON Lines, one instruction a file), asks `mmaspec identify --recorded`
what fits them, and writes a table. A star marks a parameter that the rows leave
open although the catalogue's evidence for it is hardware: other rows or published measurements. Exits with 1 if the catalogue's design does not fit.

    tools/identify_recorded.py --mmaspec build/release/bin/mmaspec FILE... [--document docs/identify-measured.md]

The document keeps its rows of files that are not given.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BEGIN = "<!-- recorded: begin -->"
END = "<!-- recorded: end -->"
HEAD = "| rows of | fit | designs | determined | open |\n| --- | --- | ---: | --- | --- |"


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def short(values):
    """Runs of numbers as ranges, or how many values there are."""
    numbers = sorted((v for v in values if re.fullmatch(r"-?\d+", v)), key=int)
    others = [v for v in values if v not in numbers]
    if len(numbers) > 2:
        others.append(f"{numbers[0]}..{numbers[-1]}")
    else:
        others += numbers
    return "\\|".join(others)


def values_left(found):
    """From a parameter to the values that any family has left, shapes included, and the algorithms."""
    left = {}
    algorithms = []
    for family in found["open"]:
        name, _, shape = family["algorithm"].partition("(")
        if name not in algorithms:
            algorithms.append(name)
        parameters = {key: [value] for key, value in
                      (pair.split("=") for pair in shape.rstrip(")").split(",") if pair)}
        for key, values in (parameters | family["parameters"]).items():
            have = left.setdefault((name, key), [])
            have += [v for v in values if v not in have]
    return left, algorithms


def examine(mmaspec, file, rows, seed, arguments):
    with open(file, encoding="utf-8") as lines:
        all_rows = lines.readlines()
    name = json.loads(all_rows[0])["instr"]
    chosen = random.Random(seed).sample(all_rows, min(rows, len(all_rows)))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as some:
        some.writelines(chosen)
        some.flush()
        done = run([mmaspec, "identify", "--json", "--recorded", some.name, *arguments])
    if not done.stdout:
        return f"| `{os.path.basename(file)}` | error: {done.stderr.strip()} | | | |", [done.stderr.strip()]
    found = json.loads(done.stdout)
    left, algorithms = values_left(found)
    shown = json.loads(run([mmaspec, "show", "--json", name]).stdout)
    faults = []
    algorithm = shown["algorithm"]
    if algorithm not in algorithms:
        faults.append(f"{algorithm} is not among what fits")
    known = {p["key"]: p for p in shown["parameters"]}
    elsewhere = set()  # open parameters that are nevertheless known from hardware
    for key, parameter in known.items():
        value = parameter["value"]
        if key == "zero_terms":
            key, value = "zero_exponent", "none" if value == "left-out" else known["zero_exponent"]["value"]
        elif key == "zero_exponent":
            continue
        values = left.get((algorithm, key))
        if values is None:
            continue
        if value not in values:
            faults.append(f"{key}={value} does not fit")
        if parameter["evidence"] == "hardware" and len(values) > 1:
            elsewhere.add(key)
    determined = [f"{key}={values[0]}" for (of, key), values in left.items() if of == algorithm and len(values) == 1]
    open_ = [f"{key}{'*' if key in elsewhere else ''} {short(values)}" for (of, key), values in left.items() if of == algorithm and len(values) > 1]
    others = [a for a in algorithms if a != algorithm]
    line = (f"| `{os.path.basename(file).removesuffix('.jsonl')}` | {algorithm}{', ' + ', '.join(others) if others else ''} "
            f"| {found['fitting']:.3g} | {', '.join(determined)} | {', '.join(open_)} |")
    return line, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--document", help="put the table between its marks in this file")
    options, arguments = parser.parse_known_args()

    lines = []
    bad = 0
    for file in sorted(options.files):
        line, faults = examine(options.mmaspec, file, options.rows, options.seed, arguments)
        lines.append(line)
        print(line, flush=True)
        for fault in faults:
            bad += 1
            print(f"    {os.path.basename(file)}: {fault}", file=sys.stderr, flush=True)
    if options.document:
        with open(options.document, encoding="utf-8") as document:
            text = document.read()
        head, _, rest = text.partition(BEGIN)
        table, _, tail = rest.partition(END)
        anew = {line.split("|")[1] for line in lines}
        kept = [line for line in table.splitlines() if line.startswith("| `") and line.split("|")[1] not in anew]
        with open(options.document, "w", encoding="utf-8") as document:
            document.write("\n".join([head + BEGIN, HEAD, *sorted(kept + lines), END + tail]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
