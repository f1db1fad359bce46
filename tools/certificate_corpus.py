#!/usr/bin/env python3
"""Makes the corpus of small certificates, tests/data/certificates/: proofs of properties, of bounds, and of equalities of pairs.

    tools/certificate_corpus.py --mmaspec build/release/bin/mmaspec [--out tests/data/certificates]

Each certificate has proof objects. The statements are those of the lists below and of the committed tables: for each property,
architecture and algorithm, and for each pair of architectures. Of a group of statements the corpus has the smallest
certificate. A group that has a certificate keeps it. A certificate of more than --most-bytes is left out. So is one without
goals, whose sides are one expression: it has no proof to check.

A later version must accept all certificates, unless it changes what a unit computes. Needs CaDiCaL.
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

DESIGNS = [
    "fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=6)",
    "fused-dot-add(a=e5m2,b=e5m2,c=e5m2,d=f16,k=2,fraction_bits=4)",
    "fused-dot-add(a=e2m3,b=e2m1,c=f16,d=f16,k=2,fraction_bits=8,align_round=rd)",
    "fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=5,c_joins=late)",
    "fused-dot-add(a=e4m3,b=e4m3,c=bf16,d=bf16,k=2,fraction_bits=6)",
    "fused-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=2,fraction_bits=10,normalize_products=yes)",
    "fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=4)",
    "fused-dot-add(a=e4m3,b=e5m2,c=bf16,d=bf16,k=1,fraction_bits=8,round=ru)",
    "fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=5,scale=ue8m0)",
    "fused-dot-add(a=e3m2,b=e2m1,c=e5m2,d=f16,k=2,fraction_bits=6,block=1)",
    "split-fp8(a=e5m2,b=e5m2,c=f16,d=f16,k=4,fraction_bits=6)",
    "split-fp8(a=e4m3,b=e4m3,c=f16,d=f16,k=4,fraction_bits=8,halves=added)",
    "group-dot-fused-sum(a=e2m1,b=e2m1,c=f16,d=f16,k=4,group=2,fraction_bits=8,scale=ue8m0,scale_block=4)",
    "group-dot-fused-sum(a=e2m1,b=e2m1,c=f16,d=f16,k=2,group=1,fraction_bits=6,scale=ue4m3,scale_block=2)",
    "round-down-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2,product_bits=8,sum_bits=10,c_bits=8)",
    "round-down-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2,product_bits=8,sum_bits=12,c_bits=8)",
    "bulk-normalized-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2,guard_bits=3)",
    "partial-product-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=2,group=2,phases=2,a_bits=2,b_bits=2,aligned_bits=12,fraction_bits=12)",
    "floored-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4)",
    "floored-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2)",
    "floored-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "ones-complement-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=2)",
    "ones-complement-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2)",
    "exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=3)",
    "exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1)",
    "exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=2,round=rto)",
    "exact-dot-add(a=e2m3,b=e2m1,c=f16,d=e5m2,k=2)",
    "exact-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)",
    "exact-dot-add(a=e4m3,b=e4m3,c=f16,d=bf16,k=1)",
    "sequential-fma(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "sequential-fma(a=e4m3,b=e4m3,c=bf16,d=bf16,k=2)",
    "sequential-fma(a=f16,b=f16,c=f16,d=f16,k=1)",
    "sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2)",
    "sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2,reversed=2)",
    "sequential-fma(a=e4m3,b=e4m3,c=f16,d=f16,k=2,chains=2)",
    "pair-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2)",
    "pair-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fused=no)",
    "pair-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2)",
    "group-pairwise-sum(a=e5m2,b=e5m2,c=f16,d=f16,k=4)",
    "group-pairwise-sum(a=e2m1,b=e2m1,c=f16,d=f16,k=2)",
    "group-pairwise-sum(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=2)",
]
INTEGER_DESIGNS = [
    "integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)",
    "integer-dot-add(a=u4,b=s4,c=s32,d=s32,k=8)",
    "integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=2)",
    "integer-dot-add(a=u4,b=s4,c=s32,d=s32,k=1,overflow=saturate)",
    "integer-dot-add(a=s8,b=u8,c=s32,d=s32,k=2,overflow=saturate)",
    "integer-dot-add(a=u8,b=u8,c=s32,d=s32,k=4,overflow=saturate,group=2)",
    "integer-dot-add(a=s16,b=s16,c=s32,d=s32,k=2)",
    "integer-dot-add(a=u4,b=u4,c=s32,d=s32,k=4)",
    "integer-dot-add(a=s4,b=u4,c=s32,d=s32,k=4,overflow=saturate,group=1)",
    "integer-dot-add(a=u8,b=s8,c=s32,d=s32,k=3)",
]
PROPERTIES = ["negation-symmetric", "scale-invariant", "monotone-c", "monotone-product", "accumulator-preserved", "exact-when-representable",
              "faithful", "correctly-rounded", "no-early-overflow", "no-spurious-nan", "subnormal-inputs", "subnormal-results",
              "single-normalization"]  # fmt: skip
INTEGER_PROPERTIES = ["commutative", "permutation-invariant", "monotone-c", "monotone-product", "accumulator-preserved", "exact-when-representable"]

TINY = "a=e2m1,b=e2m1,c=e5m2"
# What else may be asked: bounds, preconditions, two designs.
OTHERS = [
    ["prove", "error-bound", f"design:exact-dot-add({TINY},d=e5m2,k=1)", "--bound", "1"],
    ["prove", "error-bound", f"design:fused-dot-add({TINY},d=e5m2,k=1,fraction_bits=4)", "--bound", "4"],
    ["prove", "sum-error-bound", f"design:exact-dot-add({TINY},d=e5m2,k=1)", "--bound", "2"],
    ["prove", "norm-error-bound", f"design:sequential-fma({TINY},d=e5m2,k=2)", "--bound", "4"],
    ["prove", "refines", f"design:exact-dot-add({TINY},d=e5m2,k=1)", f"design:fused-dot-add({TINY},d=e5m2,k=1,fraction_bits=4)"],
    ["prove", "equivalent", f"design:exact-dot-add({TINY},d=e5m2,k=2)", f"design:fused-dot-add({TINY},d=e5m2,k=2,fraction_bits=30,round=rne)"],
    ["prove", "faithful", f"design:fused-dot-add({TINY},d=e5m2,k=1,fraction_bits=6)", "--where", "normal(c)"],
    ["prove", "correctly-rounded", f"design:fused-dot-add({TINY},d=f16,k=2,fraction_bits=12,round=rne)",
     "--where", "abs(c) <= 8", "--where", "abs(c) >= 0x1p-4"],
    ["prove", "accumulator-preserved", f"design:fused-dot-add({TINY},d=f16,k=2,fraction_bits=2)", "--where", "exponent(c) >= 0"],
    ["prove", "no-spurious-nan", "design:sequential-fma(a=e5m2,b=e5m2,c=f16,d=f16,k=2)", "--where", "finite(c)"],
    ["prove", "no-early-overflow", f"design:sequential-fma({TINY},d=e5m2,k=2)", "--where", "abs(c) <= 1024"],
    ["diff", f"design:exact-dot-add({TINY},d=e5m2,k=1)", f"design:exact-dot-add({TINY},d=e5m2,k=1,round=rz)", "--ulp", "1"],
    ["diff", f"design:exact-dot-add({TINY},d=f16,k=1)", f"design:exact-dot-add({TINY},d=f16,k=1,round=rd)", "--abs", "64"],
    ["diff", f"design:exact-dot-add({TINY},d=f16,k=1)", f"design:fused-dot-add({TINY},d=f16,k=1,fraction_bits=6)", "--rel", "1/16"],
    ["diff", f"design:fused-dot-add({TINY},d=f16,k=2,fraction_bits=30)", f"design:exact-dot-add({TINY},d=f16,k=2,round=rz)"],
    ["diff", f"design:fused-dot-add({TINY},d=f16,k=1,fraction_bits=40)", f"design:fused-dot-add({TINY},d=f16,k=1,fraction_bits=41)"],
    ["diff", "design:exact-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=1)", "design:sequential-fma(a=e5m2,b=e5m2,c=f16,d=f16,k=1)"],
    ["diff", f"design:floored-dot-add({TINY},d=f16,k=2)", f"design:exact-dot-add({TINY},d=f16,k=2)"],
    ["diff", f"design:ones-complement-dot-add({TINY},d=f16,k=2)", f"design:exact-dot-add({TINY},d=f16,k=2)", "--ulp", "1"],
    ["diff", f"design:sequential-fma({TINY},d=f16,k=2)", f"design:exact-dot-add({TINY},d=f16,k=2)",
     "--where", "abs(c) <= 64", "--where", "abs(c) >= 1"],
    ["diff", "design:split-fp8(a=e5m2,b=e5m2,c=f16,d=f16,k=4,fraction_bits=30)", "design:split-fp8(a=e5m2,b=e5m2,c=f16,d=f16,k=4,fraction_bits=31)"],
    ["diff", "design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=2)", "design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=2,overflow=saturate)",
     "--where", "c >= -1000", "--where", "c <= 1000"],
    ["diff", "design:integer-dot-add(a=u8,b=s8,c=s32,d=s32,k=2)", "design:integer-dot-add(a=u8,b=s8,c=s32,d=s32,k=2,overflow=saturate)",
     "--where", "abs(c) <= 1000000"],
]  # fmt: skip


def written():
    """Groups of one statement each: the lists above."""
    for properties, designs in (PROPERTIES, DESIGNS), (INTEGER_PROPERTIES, INTEGER_DESIGNS):
        yield from ([["prove", name, "design:" + design]] for design in designs for name in properties)
    yield from ([command] for command in OTHERS)


def properties():
    """Statements of the table of properties, for each property, architecture and algorithm, and the formats of conversions."""
    groups = collections.defaultdict(list)
    for line in (ROOT / "docs/properties.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["verdict"] != "proved" or row.get("by") not in ("solver", "enumeration") or "bound" in row:
            continue
        architecture, algorithm = row["instr"].split("/")[0], row["design"].split()[0]
        formats = row["design"].split()[4:6] if algorithm == "conversion" else []
        command = ["prove", row["property"], row["instr"]]
        groups[row["property"], architecture, algorithm, *formats].append(command)
    return groups.values()


def equalities():
    """Statements of the table of pairs, for each pair of architectures."""
    groups = collections.defaultdict(list)
    with gzip.open(ROOT / "docs/differences.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if row["verdict"] == "equal" and row.get("by") == "solver":
                names = row["first"], row["second"]
                groups[tuple(name.split("/")[0] for name in names)].append(["diff", *names])
    return groups.values()


def known_statements(out):
    """The commands of the corpus, without options that are not names or preconditions."""
    for folder in out.iterdir():
        statement = json.loads((folder / "statement.json").read_text())
        question = statement["question"]
        where = [x for text in question.get("where", []) for x in ("--where", text)]
        yield tuple([statement["command"], *([question["property"]] if "property" in question else []), *statement["names"], *where])


def without_bounds(command):
    """The command without bounds, as known_statements() returns it."""
    kept = list(command)
    for option in ("--bound", "--ulp", "--abs", "--rel"):
        if option in kept:
            at = kept.index(option)
            del kept[at : at + 2]
    return tuple(kept)


def made(command, options):
    """The certificate's size and folder; None if it has no goals. Solvers alone are asked first, which takes the least time."""
    for how in (["--strategies", "none"], []):
        with tempfile.TemporaryDirectory() as work:
            arguments = [options.mmaspec, *command, *how, "--no-trust", "--jobs", str(options.jobs), "--timeout", str(options.timeout)]
            done = subprocess.run([*arguments, "--certificates", work], capture_output=True, check=False)
            for folder in pathlib.Path(work).iterdir():
                statement = folder / "statement.json"
                if not statement.exists() or not json.loads(statement.read_text()).get("goals"):
                    continue
                kept = options.scratch / folder.name
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept)
                return sum(file.stat().st_size for file in folder.iterdir()), kept
            if done.returncode != 3:  # it is decided
                return None
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "tests/data/certificates")
    parser.add_argument("--units", type=int, default=3, help="statements tried of a group")
    parser.add_argument("--most-bytes", type=int, default=80_000)
    parser.add_argument("--timeout", type=float, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    known = set(known_statements(options.out))
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = pathlib.Path(scratch)
        for commands in (*written(), *properties(), *equalities()):
            if any(without_bounds(command) in known for command in commands):
                continue
            found = sorted(filter(None, (made(command, options) for command in commands[: options.units])))
            if found and found[0][0] <= options.most_bytes:
                shutil.copytree(found[0][1], options.out / found[0][1].name, dirs_exist_ok=True)
                known = set(known_statements(options.out))
                print(found[0][0], found[0][1].name, flush=True)


if __name__ == "__main__":
    main()
