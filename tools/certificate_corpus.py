#!/usr/bin/env python3
"""Makes the corpus of small certificates, tests/data/certificates/: proofs of the table of properties, and equalities of pairs.

    tools/certificate_corpus.py --mmaspec build/release/bin/mmaspec [--out tests/data/certificates]

For each property and each architecture, the certificate with proof objects that is smallest among the first few units that the
table proves by a solver, if it has at most --most-bytes. A later version must accept all of them, unless it changes what a
unit computes. Properties and architectures that have a certificate keep it. Needs CaDiCaL.
"""

import argparse
import collections
import gzip
import json
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def properties(units):
    """Commands for each property and architecture."""
    groups = collections.defaultdict(list)
    for line in (ROOT / "docs/properties.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["verdict"] == "proved" and row.get("by") == "solver" and "bound" not in row:
            groups[row["property"], row["instr"].split("/")[0]].append(["prove", row["property"], row["instr"]])
    return [commands[:units] for commands in groups.values()]


def equalities(units):
    """Commands for each pair of architectures."""
    groups = collections.defaultdict(list)
    with gzip.open(ROOT / "docs/differences.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if row["verdict"] == "equal" and row.get("by") == "solver":
                names = row["first"], row["second"]
                groups[tuple(name.split("/")[0] for name in names)].append(["diff", *names])
    return [commands[:units] for commands in groups.values()]


def made(command, options):
    """The certificate's folder and size; None if it has no proof objects."""
    with tempfile.TemporaryDirectory() as work:
        arguments = [options.mmaspec, *command, "--strategies", "none,cut,weaken,relax", "--timeout", str(options.timeout)]
        subprocess.run([*arguments, "--certificates", work], capture_output=True, check=False)
        for folder in pathlib.Path(work).iterdir():
            if "goals" not in json.loads((folder / "statement.json").read_text()):
                continue
            size = sum(file.stat().st_size for file in folder.iterdir())
            kept = options.scratch / folder.name
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            return size, kept
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "tests/data/certificates")
    parser.add_argument("--units", type=int, default=3, help="units tried for each property and architecture")
    parser.add_argument("--most-bytes", type=int, default=80_000)
    parser.add_argument("--timeout", type=float, default=8)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = pathlib.Path(scratch)
        for commands in properties(options.units) + equalities(options.units):
            start = ".".join([*commands[0][:2], commands[0][2].split("/")[0]]) if commands[0][0] == "diff" else ".".join(
                [commands[0][1], commands[0][2].split("/")[0] + "_"])
            if any(folder.name.startswith(start.replace("/", "_")) for folder in options.out.iterdir()):
                continue
            found = sorted(filter(None, (made(command, options) for command in commands)))
            if found and found[0][0] <= options.most_bytes and not (options.out / found[0][1].name).exists():
                shutil.copytree(found[0][1], options.out / found[0][1].name)
                print(found[0][0], found[0][1].name, flush=True)


if __name__ == "__main__":
    main()
