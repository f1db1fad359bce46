#!/usr/bin/env python3
"""Counts which proofs of the table of properties get certificates with proof objects.

    bench/certificates.py --mmaspec build/release/bin/mmaspec [--by solver] [--count 100] [--seed 1] [--timeout 20]

Draws proofs of docs/properties.jsonl that were found in one way, proves each again with --certificates, and counts the forms:
goals (proof objects), queries, an analytical proof (which has no formal proof), none. Needs CaDiCaL.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def form_of(row, options):
    with tempfile.TemporaryDirectory() as work:
        arguments = [options.mmaspec, "prove", row["property"], row["instr"], "--timeout", str(options.timeout)]
        if "bound" in row:
            arguments += ["--bound", str(row["bound"])]
        subprocess.run([*arguments, "--certificates", work], capture_output=True, check=False)
        for statement in pathlib.Path(work).glob("*/statement.json"):
            document = json.loads(statement.read_text())
            return "goals" if "goals" in document else "analytical" if document["by"] == "argument" else "queries"
    return "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--by", default="solver", choices=["solver", "derivation", "argument", "one expression"])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=20)
    options = parser.parse_args()
    rows = [json.loads(line) for line in (ROOT / "docs/properties.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["verdict"] == "proved" and row.get("by") == options.by]
    drawn = random.Random(options.seed).sample(rows, min(options.count, len(rows)))
    counts = collections.Counter()
    start = time.monotonic()
    for row in drawn:
        form = form_of(row, options)
        counts[form] += 1
        if form in ("queries", "none"):
            print(f"{form}: {row['property']} {row['instr']}", flush=True)
    print(f"{len(drawn)} of {len(rows)} proofs by {options.by}, {time.monotonic() - start:.0f} s:", dict(counts))


if __name__ == "__main__":
    main()
