#!/usr/bin/env python3
"""Makes the corpus of small certificates, tests/data/certificates/: proofs of the table of properties, and equalities of pairs.

    tools/certificate_corpus.py --mmaspec build/release/bin/mmaspec [--out tests/data/certificates]

For each property and each small design below, and for each property and each architecture, the certificate with proof objects. Of
an architecture it is the smallest among the first few units that the table proves by a solver. A certificate of more than
--most-bytes is left out. A later version must accept all of them, unless it changes what a
unit computes. Properties and architectures that have a certificate keep it. Needs CaDiCaL.
"""

import argparse
import collections
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

DESIGNS = [
    "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=6)",
    "design:fused-dot-add(a=e5m2,b=e5m2,c=e5m2,d=f16,k=2,fraction_bits=4)",
    "design:fused-dot-add(a=e2m3,b=e2m1,c=f16,d=f16,k=2,fraction_bits=8,align_round=rd)",
    "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=5,c_joins=late)",
    "design:fused-dot-add(a=e4m3,b=e4m3,c=bf16,d=bf16,k=2,fraction_bits=6)",
    "design:fused-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=2,fraction_bits=10,normalize_products=yes)",
    "design:floored-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4)",
    "design:floored-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "design:ones-complement-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=2)",
    "design:exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=3)",
    "design:exact-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)",
    "design:exact-dot-add(a=e4m3,b=e4m3,c=f16,d=bf16,k=1)",
    "design:sequential-fma(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "design:sequential-fma(a=e4m3,b=e4m3,c=bf16,d=bf16,k=2)",
    "design:sequential-fma(a=f16,b=f16,c=f16,d=f16,k=1)",
    "design:pair-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "design:pair-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fused=no)",
    "design:group-pairwise-sum(a=e5m2,b=e5m2,c=f16,d=f16,k=4)",
    "design:group-pairwise-sum(a=e2m1,b=e2m1,c=f16,d=f16,k=2)",
    "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)",
    "design:integer-dot-add(a=u4,b=s4,c=s32,d=s32,k=8)",
]
PROPERTIES = ["negation-symmetric", "scale-invariant", "monotone-c", "monotone-product", "accumulator-preserved", "exact-when-representable",
              "faithful", "correctly-rounded", "no-early-overflow", "no-spurious-nan", "subnormal-inputs", "subnormal-results",
              "single-normalization"]  # fmt: skip


def small(_units):
    """Commands for each property and design."""
    return [[["prove", name, design]] for design in DESIGNS for name in PROPERTIES]


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
    """The certificate's folder and size; None if it has no goals."""
    with tempfile.TemporaryDirectory() as work:
        arguments = [options.mmaspec, *command, "--no-trust", "--timeout", str(options.timeout)]
        subprocess.run([*arguments, "--certificates", work], capture_output=True, check=False)
        for folder in pathlib.Path(work).iterdir():
            statement = folder / "statement.json"
            if not statement.exists() or not json.loads(statement.read_text()).get("goals"):
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
        for commands in small(options.units) + properties(options.units) + equalities(options.units):
            kind, subject, name = commands[0]
            start = f"diff.{subject}" if kind == "diff" else f"{subject}.{name if name.startswith('design:') else name.split('/')[0] + '_'}"
            start = re.sub(r"[^A-Za-z0-9.-]", "_", start)[:100]
            if any(folder.name.startswith(start) for folder in options.out.iterdir()):
                continue
            found = sorted(filter(None, (made(command, options) for command in commands)))
            if found and found[0][0] <= options.most_bytes and not (options.out / found[0][1].name).exists():
                shutil.copytree(found[0][1], options.out / found[0][1].name)
                print(found[0][0], found[0][1].name, flush=True)


if __name__ == "__main__":
    main()
