#!/usr/bin/env python3
"""Writes docs/contradictions.md: where published models of one instruction disagree, with witnesses.

    python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec > docs/contradictions.md

Every answer is computed by `mmaspec eval` when this runs; a witness on which the two agree is an error. With
--check the file on disk is compared with what would be written.
"""

import argparse
import json
import os
import subprocess
import sys

FILE = os.path.join(os.path.dirname(__file__), "..", "docs", "contradictions.md")


class Tool:
    def __init__(self, binary):
        self.binary = binary

    def eval(self, name, w):
        """The result of `name` on the witness: bits and hex float."""
        run = subprocess.run(
            [self.binary, "eval", name, *arguments(w), "--json"], capture_output=True, text=True
        )
        if run.returncode != 0:
            sys.exit(f"eval {name} {' '.join(arguments(w))}: {run.stderr}")
        row = json.loads(run.stdout)
        return row["d"], row["value"]


def arguments(w):
    a, b = [], []
    for k in range(max(w["products"], default=-1) + 1):
        x, y = w["products"].get(k, ("0", "0"))
        a.append(x)
        b.append(y)
    result = []
    if a:
        result += ["--a=" + ",".join(a), "--b=" + ",".join(b)]
    if "sa" in w:
        result += ["--sa=" + w["sa"]]
    return result + ["--c=" + w["c"]]


def readable(w):
    parts = [f"a[{k}] = {x}, b[{k}] = {y}" for k, (x, y) in sorted(w["products"].items())]
    if "sa" in w:
        parts.append(f"sa[0] = {w['sa']}, other scale factors 1")
    return "; ".join(parts + [f"c = {w['c']}"])


def witness(c="0", **products):
    """witness(c, p0=(a, b), p2=(a, b)): products that are not zero times zero."""
    return {"c": c, "products": {int(k[1:]): v for k, v in products.items()}}


NONE = "no recorded row decides it"


# ---- Zero products that raise the largest exponent, f32 results.
def zero_products():
    subnormal = "0x1p-149"
    rows = []

    def row(instructions, name, b, c):
        rows.append((instructions, name, name + "@mma-sim", witness(c, p0=("0", b)), NONE))

    row("Volta, f16", "volta/mma.m8n8k4.f32.f16.f16.f32", "0x1p15", subnormal)
    row("Turing, f16", "turing/mma.m16n8k8.f32.f16.f16.f32", "0x1p15", subnormal)
    row("Ampere, Ada, f16", "ampere/mma.m16n8k16.f32.f16.f16.f32", "0x1p15", subnormal)
    row("Ampere, Ada, bf16", "ampere/mma.m16n8k16.f32.bf16.bf16.f32", "0x1p127", "0x1p-24")
    row("Ampere, Ada, tf32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32", "0x1p127", "0x1p-24")
    row("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f32.f16.f16.f32", "0x1p15", subnormal)
    row("Hopper, Blackwell, bf16", "hopper/mma.m16n8k16.f32.bf16.bf16.f32", "0x1p127", "0x1p-25")
    row("Hopper, Blackwell, tf32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32", "0x1p127", "0x1p-25")
    cut = "0x1.0008p-126"
    row("Ada, e4m3", "ada/mma.m16n8k32.f32.e4m3.e4m3.f32", "0x1p8", cut)
    row("Ada, e5m2", "ada/mma.m16n8k32.f32.e5m2.e5m2.f32", "0x1p15", cut)
    row("Hopper wgmma, e4m3", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3", "0x1p8", cut)
    row("Hopper wgmma, e5m2", "hopper/wgmma.m64n8k32.f32.e5m2.e5m2", "0x1p15", cut)
    row("Blackwell, e4m3", "blackwell/tcgen05.mma.m64n8k32.f32.e4m3.e4m3", "0x1p8", subnormal)
    row("Blackwell, e5m2", "blackwell/tcgen05.mma.m64n8k32.f32.e5m2.e5m2", "0x1p15", subnormal)
    row("Blackwell, e3m2", "blackwell/tcgen05.mma.m64n8k32.f32.e3m2.e3m2", "0x1p4", subnormal)
    scaled = "blackwell/tcgen05.mma.block_scale.m128n8k"
    for instructions, name in [
        ("Blackwell, scaled FP8, FP6, FP4 by 32", scaled + "32.block32.f32.e2m1.e2m1.ue8m0"),
        ("Blackwell, FP4 by 64 (zero group)", scaled + "64.block32.f32.e2m1.e2m1.ue8m0"),
    ]:
        w = {"c": "0x1p-149" if "k32" in name else "1", "products": {0: ("0", "4")}, "sa": "0x1p127"}
        rows.append((instructions, name, name + "@mma-sim", w, NONE))
    return rows


# ---- The exponent floor: c = 0 counts -126 in MMA-Sim; the least of a product of these formats is far below.
def floor_f32():
    rows = []
    for instructions, name, w in [
        (
            "Ampere, Ada, bf16",
            "ampere/mma.m16n8k16.f32.bf16.bf16.f32",
            witness(p0=("0x1.8p-75", "0x1p-75"), p1=("0x1p-75", "0x1p-76")),
        ),
        (
            "Ampere, Ada, tf32",
            "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
            witness(p0=("0x1.8p-75", "0x1p-75"), p1=("0x1p-75", "0x1p-76")),
        ),
        (
            "Hopper, Blackwell, bf16",
            "hopper/mma.m16n8k16.f32.bf16.bf16.f32",
            witness(p0=("0x1.4p-75", "0x1p-75"), p1=("0x1.8p-75", "0x1p-76")),
        ),
        (
            "Hopper, Blackwell, tf32",
            "hopper/mma.m16n8k8.f32.tf32.tf32.f32",
            witness(p0=("0x1.4p-75", "0x1p-75"), p1=("0x1.8p-75", "0x1p-76")),
        ),
    ]:
        rows.append((instructions, name, name + "@mma-sim", w, NONE))
    return rows


def floor_f16():
    tie = witness(p0=("0x1p-12", "0x1p-13"), p1=("0x1p-24", "0x1p-24"))
    rows = []
    for instructions, name in [
        ("Volta, f16", "volta/mma.m8n8k4.f16.f16.f16.f16"),
        ("Turing, f16", "turing/mma.m16n8k8.f16.f16.f16.f16"),
        ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f16.f16.f16.f16"),
        ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f16.f16.f16.f16"),
    ]:
        rows.append((instructions, name, name + "@mma-sim", tie, NONE))
    return rows


def fp8():
    pair = witness(p0=("1", "1"), p2=("0x1.8p-12", "0x1p-12"))
    rows = []
    for shape in ("m16n8k32",):
        name = f"hopper/mma.{shape}.f32.e5m2.e5m2.f32"
        rows.append(
            (
                "Hopper, e5m2, f32 results: CUDA 12.8 and later, against 12.4 to 12.6",
                name,
                name + "@cuda-12.6",
                pair,
                "both are right, each for its assembler (machine code); " + NONE,
            )
        )
    rows.append(
        (
            "Hopper, e5m2: `mma.sync` against `wgmma`",
            "hopper/mma.m16n8k32.f32.e5m2.e5m2.f32",
            "hopper/wgmma.m64n8k32.f32.e5m2.e5m2",
            witness(p0=("1", "1"), p1=("0x1p-8", "0x1p-6")),
            "both are right: recorded rows of H100 and H200 (`wgmma`), machine code (`mma.sync`)",
        )
    )
    return rows


def pairwise():
    rows = []
    for instructions, name in [
        ("MI100, f16", "cdna1/v_mfma_f32_32x32x8f16"),
        ("MI100, bf16", "cdna1/v_mfma_f32_32x32x4bf16"),
    ]:
        rows.append(
            (
                instructions,
                name,
                name + "@khattak-mikaitis",
                witness("0x1p-24", p0=("1", "1"), p1=("0x1p-12", "0x1p-12")),
                NONE,
            )
        )
    one = "design:group-pairwise-sum(a=f16,k=16,group=1,flush_inputs=yes,underflow=flush)"
    rows.append(
        (
            "MI250X, f16: groups of 4 (MMA-Sim) against products one by one (FTTN)",
            "cdna2/v_mfma_f32_16x16x16f16",
            one,
            witness("1", p0=("0x1p-12", "0x1p-12"), p1=("0x1p-12", "0x1p-12")),
            NONE,
        )
    )
    one = one.replace("a=f16", "a=bf16")
    rows.append(
        (
            "MI250X, bf16 `_1k`: the same",
            "cdna2/v_mfma_f32_16x16x16bf16_1k",
            one,
            witness("1", p0=("0x1p-12", "0x1p-12"), p1=("0x1p-12", "0x1p-12")),
            NONE,
        )
    )
    return rows


def tf32():
    nearest = "design:fused-dot-add(a=tf32,k=8,block=4,fraction_bits=24,floor=-132,round=rne)"
    four = "design:fused-dot-add(a=tf32,k=8,block=4,fraction_bits=25,floor=-133)"
    return [
        (
            "A100: toward zero (MMA-Sim; Khattak and Mikaitis) against to nearest (FTTN)",
            "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
            nearest,
            witness("0x1.000002p+0", p0=("0x1p-12", "0x1p-12")),
            "toward zero: all 1,000 rows of A100 agree, 785 of them with nearest",
        ),
        (
            "H100: sums of 8 products (MMA-Sim) against 4 (FTTN)",
            "hopper/mma.m16n8k8.f32.tf32.tf32.f32",
            four,
            witness("1", p0=("0x1p-12", "0x1p-12"), p4=("0x1p-12", "0x1p-12")),
            "none: all rows of H100, H200 and B200 have products in k < 4 alone, and agree with both",
        ),
    ]


SECTIONS = [
    (
        "Does a zero product raise the largest exponent?",
        "MMA-Sim's code gives a zero operand the exponent -126 before a product's exponents are added, so zero times a large "
        "number can push c below the cut. Khattak and Mikaitis leave zero products out. With f16, bf16, tf32 or FP8 operands "
        "and f32 results each NVIDIA generation is a case; the default is to leave them out. Random bits hardly ever hold "
        "the zero: MMA-Sim's check of a million random rows an instruction cannot have seen it.",
        "left out (default)",
        "MMA-Sim",
        zero_products,
    ),
    (
        "The exponent floor, f32 results",
        "A zero c has exponent -126 in MMA-Sim, which bounds the largest exponent from below whenever c = 0. Khattak and "
        "Mikaitis leave it out and bound the largest exponent by -132 (Ampere, Ada) or -133 (Hopper, Blackwell). Products of "
        "f16 and FP8 are never that small; bf16's and tf32's are. Volta, which has neither format, has no case.",
        "floor -132, -133 (default)",
        "MMA-Sim",
        floor_f32,
    ),
    (
        "The exponent floor, f16 results",
        "Khattak and Mikaitis bound the largest exponent by -19 (Volta), -20 (Ampere, Ada), -21 (Hopper, Blackwell); MMA-Sim "
        "does not, its -126 being far below all products of f16. Turing's -20 is ours, by the pattern. The input is a tie of "
        "the least subnormal, 2^-25, and one product far below it.",
        "floor (default)",
        "MMA-Sim",
        floor_f16,
    ),
    (
        "Sums of AMD's first matrix cores",
        "MI100: MMA-Sim's released code sums products pairwise, each sum rounded; Khattak and Mikaitis sum four (f16) or two "
        "(bf16) products and c exactly and round once. MI250X: MMA-Sim sums groups of four pairwise; FTTN's table III finds a "
        "width of 1, and its section V an answer, 0, that only products added one by one give (docs/fttn.md).",
        "MMA-Sim (default)",
        "the other",
        pairwise,
    ),
    (
        "TF32: rounding on A100, width on H100",
        "FTTN's table III has A100 round TF32's sums to nearest, and H100 sum 4 products at a time. In the recorded rows of "
        "m16n8k8 only the first four products are not zero on every GPU, as are only the first eight of m16n8k16 (f16, bf16) "
        "on Ampere and Ada: they decide rounding and fraction bits, and not how many products are summed at a time.",
        "default",
        "FTTN",
        tf32,
    ),
    (
        "FP8 `mma.sync` on Hopper",
        "No published model has it. The assembler writes two half-precision instructions and additions in its place, and "
        "assemblers differ (docs/notes/fp8-mma-sync-on-hopper.md); the same source means another sum on `wgmma`.",
        "first",
        "second",
        fp8,
    ),
]


def section(tool, title, text, first_title, second_title, rows):
    out = [f"## {title}", "", *wrap(text), ""]
    out.append(f"| instructions | input, all else zero | {first_title} | {second_title} | recorded hardware |")
    out.append("| --- | --- | --- | --- | --- |")
    commands = []
    for instructions, first, second, w, hardware in rows:
        (bits1, value1), (bits2, value2) = tool.eval(first, w), tool.eval(second, w)
        if bits1 == bits2:
            sys.exit(f"no contradiction: {first} and {second} on {readable(w)}: {bits1}")
        out.append(
            f"| {instructions} | {readable(w)} | `{bits1}` ({value1}) | `{bits2}` ({value2}) | {hardware} |"
        )
        for name in (first, second):
            quoted = f"'{name}'" if "(" in name else name
            commands.append(f"mmaspec eval {quoted} {' '.join(arguments(w))}")
    return out + ["", "```", *commands, "```", ""]


def wrap(text, width=118):
    lines, line = [], ""
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = (line + " " + word).strip()
    return lines + [line]


def signs(tool):
    """Zero results: what each algorithm of ours returns when every term is a zero."""
    length = {"mma.m16n8k16": 16, "mma.m8n8k4": 4, "v_mfma_f32_32x32x4": 4, "v_mfma_f32_32x32x8": 8}

    def all_negative(name):
        k = next(k for part, k in length.items() if part in name)
        return witness("-0", **{f"p{i}": ("-0", "1") for i in range(k)})

    cases = [
        ("c = -0, all products -0", None),
        ("c = -0, all products +0", witness("-0")),
        ("c = -0, a[0] = -0, b[0] = 1", witness("-0", p0=("-0", "1"))),
        ("exact cancellation: 1 - 1", witness("-1", p0=("1", "1"))),
        (
            "a negative sum that underflows",
            witness(p0=("-0x1p-75", "0x1p-75")),
        ),
    ]
    names = [
        ("Hopper, bf16", "hopper/mma.m16n8k16.f32.bf16.bf16.f32"),
        ("Hopper, f64", "hopper/mma.m8n8k4.f64.f64.f64.f64"),
        ("MI100, bf16", "cdna1/v_mfma_f32_32x32x4bf16"),
        ("MI250X, bf16 `_1k`", "cdna2/v_mfma_f32_32x32x8bf16_1k"),
        ("MI300X, bf16", "cdna3/v_mfma_f32_32x32x8_bf16"),
    ]
    out = ["## Signs of zero results", ""]
    out += wrap(
        "MMA-Sim: fused sums give +0, always. Valpey et al. (arXiv 2502.15999): -0 where every term is a zero and one of "
        "them is -0. The default follows MMA-Sim for NVIDIA. No recorded row has a zero result, or only zero products, so "
        "none decides it. What the default answers (by Valpey et al. the first three inputs give -0 on NVIDIA's tensor cores):"
    )
    out += ["", "| input, all else zero | " + " | ".join(n for n, _ in names) + " |"]
    out.append("| --- |" + " --- |" * len(names))
    commands = []
    for title, w in cases:
        cells = []
        for _, name in names:
            inputs = w or all_negative(name)
            bits, value = tool.eval(name, inputs)
            cells.append(f"`{bits}` ({value})")
            commands.append(f"mmaspec eval {name} {' '.join(arguments(inputs))}")
        out.append(f"| {title} | " + " | ".join(cells) + " |")
    return out + ["", "```", *commands, "```", ""]


def no_contradiction():
    out = ["## Where the same models cannot disagree", ""]
    out += wrap(
        "By the exponents alone (the solvers do not prove these within a minute): f16 results of FP8 operands, because no "
        "product lies near the floor in a way that reaches the result's bits, and a zero product's exponent, at most -126 + "
        "15, lies below that of every f16 c; f32 results of e2m1 and e2m3 operands, because a zero product's exponent is at "
        "most -124, and c's 23 fraction bits still lie above the cut, 25 bits below it. For f64, and for AMD beyond the rows "
        "above, the published models are one expression: `mmaspec diff NAME NAME@mma-sim` proves it without a solver."
    )
    return out + [""]


def document(tool):
    out = [
        "<!-- Written by tools/contradictions.py; change the script, not this file. -->",
        "",
        "# Where published models contradict each other",
        "",
    ]
    out += wrap(
        "One row for each set of parameters, not for each instruction. Sources: MMA-Sim (arXiv 2511.10909) and its released "
        "code; Khattak and Mikaitis (arXiv 2512.07004) and their released models; FTTN (Li et al., CCGrid 2024); Valpey et "
        "al. (arXiv 2502.15999). The default of a name is what MMA-Spec holds to be the hardware's behaviour; `@mma-sim` and "
        "`@khattak-mikaitis` are exactly those models. All 48,000 recorded rows agree with the default, and all of those "
        "whose instructions MMA-Sim models agree with `@mma-sim` too: `mmaspec verify FILE` and `mmaspec verify --variant "
        "mma-sim FILE`. So where a row below says that nothing decides it, a run of its input on that GPU would. "
        "`mmaspec diff NAME NAME@mma-sim` finds such inputs; those here are made by hand to have few terms that are not zero."
    )
    out += ["", "```", "python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec > docs/contradictions.md", "```", ""]
    for title, text, first, second, rows in SECTIONS:
        out += section(tool, title, text, first, second, rows())
    out += signs(tool) + no_contradiction()
    return "\n".join(out).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mmaspec", default="build/release/bin/mmaspec", help="the command")
    parser.add_argument("--check", action="store_true", help="compare with the file on disk")
    options = parser.parse_args()
    text = document(Tool(options.mmaspec))
    if options.check:
        with open(FILE, encoding="utf-8") as f:
            if f.read() != text:
                sys.exit("docs/contradictions.md is old: run tools/contradictions.py")
        return
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
