#!/usr/bin/env python3
"""Finds where published models of one instruction disagree, by `mmaspec diff`.

    python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec

runs diff for every question below and for each two variants of every instruction of the catalogue, and writes what came
of it to docs/contradictions.jsonl, a line a run, and docs/contradictions.md, made from that file alone. With
$MMASPEC_VECTORS (a folder with hardware/*.jsonl) it also counts on how many recorded rows each side is right; without it
the counts of the file that is there are kept. Runs that the file has, and whose witnesses still hold, are kept.

    ... --anew      asks everything again. A few minutes.
    ... --check     runs no diff: which solver answers first, and within what time, differs from machine to machine. The
                    witnesses on file are evaluated anew, all runs of today's catalogue must be there, and
                    docs/contradictions.md must be what the file says.
"""

import argparse
import concurrent.futures
import glob
import itertools
import json
import os
import subprocess
import sys

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
RUNS = os.path.join(DOCS, "contradictions.jsonl")
PAGE = os.path.join(DOCS, "contradictions.md")

# diff is asked with these seeds and seconds, one after the other, until it has an answer: its search is quick, and finds
# with one seed what it misses with another.
QUESTION = [(seed, 0.05) for seed in range(20)] + [(0, 15)]
CATALOGUE = [(seed, 0.05) for seed in range(8)] + [(0, 1)]


class Tool:
    """The command, and what it says of names."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.shown = {}

    def run(self, *arguments, good=(0,), stdin=None):
        run = subprocess.run([self.binary, *arguments], capture_output=True, text=True, input=stdin)
        if run.returncode not in good:
            sys.exit(f"{' '.join(quoted(a) for a in ('mmaspec',) + arguments)}: {run.stderr}")
        return run.stdout

    def show(self, name):
        if name not in self.shown:
            self.shown[name] = json.loads(self.run("show", name, "--json"))
        return self.shown[name]

    def value(self, format_name, bits):
        """A pattern as a hex float."""
        return decoded(format_name, int(bits, 16))

    def eval(self, name, row):
        given = [f"--{key}=" + ",".join("0x" + x for x in row[key].split()) for key in OPERANDS if key in row]
        return json.loads(self.run("eval", name, *given, "--json"))["d"]


OPERANDS = ("a", "b", "sa", "sb", "c")

# exponent bits, fraction bits, bias, ignored low bits
FORMATS = {
    "f64": (11, 52, 1023, 0),
    "f32": (8, 23, 127, 0),
    "tf32": (8, 10, 127, 13),
    "xf32": (8, 10, 127, 13),
    "f16": (5, 10, 15, 0),
    "bf16": (8, 7, 127, 0),
    "e4m3": (4, 3, 7, 0),
    "e5m2": (5, 2, 15, 0),
    "e4m3fnuz": (4, 3, 8, 0),
    "e5m2fnuz": (5, 2, 16, 0),
    "e3m2": (3, 2, 3, 0),
    "e2m3": (2, 3, 1, 0),
    "e2m1": (2, 1, 1, 0),
    "ue8m0": (8, 0, 127, 0),
    "ue4m3": (4, 3, 7, 0),
}


def decoded(name, bits):
    """A finite pattern as a hex float: 0x1.8p-3."""
    exponent_bits, fraction_bits, bias, ignored = FORMATS[name]
    bits >>= ignored
    fraction = bits % (1 << fraction_bits)
    field = (bits >> fraction_bits) % (1 << exponent_bits)
    sign = "-" if bits >> (fraction_bits + exponent_bits) and not name.startswith("u") else ""
    if name == "ue8m0":
        return f"0x1p{field - bias:+d}"
    if field == (1 << exponent_bits) - 1 and name in ("f64", "f32", "tf32", "f16", "bf16", "e5m2"):
        return sign + ("inf" if fraction == 0 else "nan")
    significand = fraction + (1 << fraction_bits if field else 0)
    exponent = max(field, 1) - bias - fraction_bits
    if significand == 0:
        return sign + "0"
    top = significand.bit_length() - 1
    digits = (top + 3) // 4
    rest = (significand - (1 << top)) << (4 * digits - top)
    text = f"{rest:0{digits}x}".rstrip("0") if digits else ""
    return f"{sign}0x1{'.' + text if text else ''}p{exponent + top:+d}"


def quoted(word):
    return "'" + word + "'" if any(c in word for c in "( ),") else word


# ---- What is asked of diff.


def design(tool, name, **changes):
    """The instruction with other parameters, as a design."""
    shown = tool.show(name)
    values = {key: shown[key] for key in ("a", "b", "c", "d", "k", "scale", "scale_block") if key in shown}
    values.update({p["key"]: p["value"] for p in shown["parameters"]})
    values.update(changes)
    return f"design:{shown['algorithm']}(" + ",".join(f"{key}={value}" for key, value in values.items()) + ")"


def one_difference(section, label, name, options=(), **changes):
    """MMA-Sim's reading of one question alone: the witness of the two that differ in it alone must tell the published
    ones apart as well, and it is their answers that are shown."""
    return {
        "section": section,
        "label": label,
        "first": name,
        "second": name + "@mma-sim",
        "between": lambda tool: (name, design(tool, name, **changes)),
        # Where neither search nor solvers find an input of all K products: of two, the others zero.
        "short": lambda tool: (design(tool, name, k=2, block=2), design(tool, name, k=2, block=2, **changes)),
        "options": list(options),
    }


def direct(section, label, first, second, options=()):
    return {
        "section": section,
        "label": label,
        "first": first,
        "second": second,
        "between": lambda tool: (first, second(tool) if callable(second) else second),
        "options": list(options),
    }


F32_OF_F16 = [
    ("Volta, f16", "volta/mma.m8n8k4.f32.f16.f16.f32"),
    ("Turing, f16", "turing/mma.m16n8k8.f32.f16.f16.f32"),
    ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f32.f16.f16.f32"),
    ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f32.f16.f16.f32"),
]
F32_OF_WIDE = [
    ("Ampere, Ada, bf16", "ampere/mma.m16n8k16.f32.bf16.bf16.f32"),
    ("Ampere, Ada, tf32", "ampere/mma.m16n8k8.f32.tf32.tf32.f32"),
    ("Hopper, Blackwell, bf16", "hopper/mma.m16n8k16.f32.bf16.bf16.f32"),
    ("Hopper, Blackwell, tf32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32"),
]
F32_OF_SMALL = [
    ("Ada, e4m3", "ada/mma.m16n8k32.f32.e4m3.e4m3.f32"),
    ("Ada, e5m2", "ada/mma.m16n8k32.f32.e5m2.e5m2.f32"),
    ("Hopper wgmma, e4m3", "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"),
    ("Hopper wgmma, e5m2", "hopper/wgmma.m64n8k32.f32.e5m2.e5m2"),
    ("Blackwell, e4m3", "blackwell/tcgen05.mma.m64n8k32.f32.e4m3.e4m3"),
    ("Blackwell, e5m2", "blackwell/tcgen05.mma.m64n8k32.f32.e5m2.e5m2"),
    ("Blackwell, e3m2", "blackwell/tcgen05.mma.m64n8k32.f32.e3m2.e3m2"),
]
SCALED = [
    (
        "Blackwell, scaled FP8, FP6, FP4 by 32",
        "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e2m1.e2m1.ue8m0",
    ),
    (
        "Blackwell, FP4 by 64 (zero group)",
        "blackwell/tcgen05.mma.block_scale.m128n8k64.block32.f32.e2m1.e2m1.ue8m0",
    ),
]
F16_OF_F16 = [
    ("Volta, f16", "volta/mma.m8n8k4.f16.f16.f16.f16"),
    ("Turing, f16", "turing/mma.m16n8k8.f16.f16.f16.f16"),
    ("Ampere, Ada, f16", "ampere/mma.m16n8k16.f16.f16.f16.f16"),
    ("Hopper, Blackwell, f16", "hopper/mma.m16n8k16.f16.f16.f16.f16"),
]


def questions():
    all_questions = []
    for label, name in F32_OF_F16 + F32_OF_WIDE + F32_OF_SMALL + SCALED:
        all_questions.append(one_difference("zero products", label, name, zero_terms="operands-count"))
    for label, name in F32_OF_WIDE:
        all_questions.append(one_difference("floor, f32", label, name, floor="-126"))
    for label, name in F16_OF_F16:
        all_questions.append(one_difference("floor, f16", label, name, floor="none"))
    for label, name in F32_OF_F16 + F32_OF_WIDE[2:] + F16_OF_F16[3:]:
        results = ", f16 results" if ".f16.f16.f16.f16" in name else ""
        all_questions.append(
            direct(
                "signs",
                label + results,
                name,
                lambda tool, name=name: design(tool, name, minus_zero="yes"),
                ["--signed-zero"],
            )
        )
    for label, name in [("MI100, f16", "cdna1/v_mfma_f32_32x32x8f16"), ("MI100, bf16", "cdna1/v_mfma_f32_32x32x4bf16")]:
        all_questions.append(direct("amd", label, name, name + "@khattak-mikaitis"))
    for label, name in [
        ("MI250X, f16: groups of 4 (MMA-Sim) against products one by one (FTTN)", "cdna2/v_mfma_f32_16x16x16f16"),
        ("MI250X, bf16 `_1k`: the same", "cdna2/v_mfma_f32_16x16x16bf16_1k"),
    ]:
        all_questions.append(direct("amd", label, name, lambda tool, name=name: design(tool, name, group="1")))
    a100, h100 = "ampere/mma.m16n8k8.f32.tf32.tf32.f32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32"
    all_questions.append(
        direct(
            "tf32",
            "A100: toward zero (MMA-Sim; Khattak and Mikaitis) against to nearest (FTTN)",
            a100,
            lambda tool: design(tool, a100, round="rne"),
        )
    )
    all_questions.append(
        direct(
            "tf32",
            "H100: sums of 8 products (MMA-Sim) against 4 (FTTN)",
            h100,
            lambda tool: design(tool, h100, block="4"),
        )
    )
    e5m2 = "hopper/mma.m16n8k32.f32.e5m2.e5m2.f32"
    all_questions.append(
        direct("fp8", "Hopper, e5m2, f32 results: CUDA 12.8 and later, against 12.4 to 12.6", e5m2, e5m2 + "@cuda-12.6")
    )
    all_questions.append(
        direct("fp8", "Hopper, e5m2: `mma.sync` against `wgmma`", e5m2, "hopper/wgmma.m64n8k32.f32.e5m2.e5m2")
    )
    cdna3 = "cdna3/v_mfma_f32_32x32x8_bf16"
    all_questions.append(
        direct("cdna3", "MI300X, bf16: MMA-Sim against Khattak and Mikaitis", cdna3, cdna3 + "@khattak-mikaitis")
    )
    all_questions.append(direct("cdna3", "MI300X, bf16: MMA-Sim against rocjitsu", cdna3, cdna3 + "@rocjitsu"))
    for name in ("x86/tdpbf16ps", "x86/tdpfp16ps"):
        all_questions.append(direct("amx", name, name, name + "@intrinsics-guide"))
    for label, name in [
        ("E4M3, 16 products: a normal result", "riscv/vfqbdot.f32.e4m3.e4m3.n16"),
        ("E5M2, 16 products: the same", "riscv/vfqbdot.f32.e5m2.e5m2.n16"),
        ("BF16, 4 products", "riscv/vfwbdot.f32.bf16.bf16.n4"),
    ]:
        all_questions.append(direct("rvbna", label, name, name + "@pseudo-code"))
    return all_questions


# section: title, text, what the first and the second one are
SECTIONS = {
    "zero products": (
        "Does a zero product raise the largest exponent?",
        "MMA-Sim's code gives a zero operand the exponent -126 before a product's exponents are added, so zero times a large "
        "number can push c below the cut. Khattak and Mikaitis leave zero products out. With f16, bf16, tf32 or FP8 operands "
        "and f32 results each NVIDIA generation is a case; the default is to leave them out. Random bits hardly ever hold "
        "the zero: MMA-Sim's check of a million random rows an instruction cannot have seen it.",
        "left out (default)",
        "MMA-Sim",
    ),
    "floor, f32": (
        "The exponent floor, f32 results",
        "A zero c has exponent -126 in MMA-Sim, which bounds the largest exponent from below whenever c = 0. Khattak and "
        "Mikaitis leave it out and bound the largest exponent by -132 (Ampere, Ada) or -133 (Hopper, Blackwell). Products of "
        "f16 and FP8 are never that small; bf16's and tf32's are. Volta, which has neither format, has no case.",
        "floor -132, -133 (default)",
        "MMA-Sim",
    ),
    "floor, f16": (
        "The exponent floor, f16 results",
        "Khattak and Mikaitis bound the largest exponent by -19 (Volta), -20 (Ampere, Ada), -21 (Hopper, Blackwell); MMA-Sim "
        "does not, its -126 being far below all products of f16. Turing's -20 is ours, by the pattern. The input is next to "
        "a tie of the least subnormal, 2^-25, with a product far below it.",
        "floor (default)",
        "MMA-Sim",
    ),
    "signs": (
        "Signs of zero results",
        "MMA-Sim: fused sums of NVIDIA give +0, always; so do the defaults. The released code of Valpey et al. (arXiv "
        "2502.15999) gives -0 where every term is a zero and one of them is -0, as the second design does, and where terms "
        "cancel exactly, too (its own check has 1 - 1 + 1 - 1 be -0), which no design here does. Khattak and Mikaitis: +0, "
        "but -0 for a negative sum that rounds to zero. No recorded row has a zero result, or only zero products.",
        "+0 (MMA-Sim, default)",
        "-0 of zeros (`minus_zero=yes`)",
    ),
    "amd": (
        "Sums of AMD's first matrix cores",
        "MI100: MMA-Sim's released code sums products pairwise, each sum rounded; Khattak and Mikaitis sum four (f16) or two "
        "(bf16) products and c exactly and round once. MI250X: MMA-Sim sums groups of four pairwise; FTTN's table III finds a "
        "width of 1, and its section V an answer, 0, that only products added one by one give (docs/fttn.md).",
        "MMA-Sim (default)",
        "the other",
    ),
    "tf32": (
        "TF32: rounding on A100, width on H100",
        "FTTN's table III has A100 round TF32's sums to nearest, and H100 sum 4 products at a time. In the recorded rows of "
        "m16n8k8 only the first four products are not zero on every GPU, as are only the first eight of m16n8k16 (f16, bf16) "
        "on Ampere and Ada: they decide rounding and fraction bits, and not how many products are summed at a time.",
        "default",
        "FTTN",
    ),
    "cdna3": (
        "CDNA3: three models",
        "MMA-Sim's MI300X gives a zero operand the exponent -126 before a product's exponents are added; Khattak and "
        "Mikaitis's of June 2026 leaves zero products out. AMD's own simulator rocjitsu runs a chain of FMAs, as its authors "
        "say for want of a measurement (ROCm/rocm-systems, issue 10344). No result of the hardware is public.",
        "MMA-Sim (default)",
        "the other",
    ),
    "amx": (
        "AMX: where c joins",
        "Intel's manual (SDM volume 2, TDPBF16PS) and Bochs sum even and odd k from zero, each a chain of FMAs, add the two, "
        "and that to c: two roundings more, and c last. The intrinsics guide's pseudo-code adds one product after the other "
        "to c. No result of the hardware is public, and the CPU here has no AMX.",
        "SDM, Bochs (default)",
        "intrinsics guide",
    ),
    "rvbna": (
        "RISC-V's bulk normalization",
        "The manual's text and the simulator Spike round the products' sum to odd. The manual's pseudo-code "
        "(BulkNormalizedDotProduct) does not: of a normal result it selects the jammed bits (`jamMask`) among those that a "
        "shift has made zero, so that it is cut; a subnormal one it takes from the sum as it stands, not normalised "
        "(`accAbs >> (q - 1 + resExp)`). Of 100,000 rows of `mmaspec replay --random 100000 NAME --device @pseudo-code` "
        "7,487 (E4M3, 16 products), 8,340 (E5M2) and 7,735 (BF16, 4 products) differ.",
        "text, Spike (default)",
        "pseudo-code",
    ),
    "fp8": (
        "FP8 `mma.sync` on Hopper",
        "No published model has it. The assembler writes two half-precision instructions and additions in its place, and "
        "assemblers differ (docs/notes/fp8-mma-sync-on-hopper.md), each right for its own; the same source means another "
        "sum on `wgmma`.",
        "first",
        "second",
    ),
}


def ask(tool, first, second, options, attempts):
    """What is written to the file of runs."""
    for seed, seconds in attempts:
        command = [first, second, *options] + (["--seed", str(seed)] if seed else [])
        answer = json.loads(tool.run("diff", *command, "--timeout", str(seconds), "--json", good=(0, 1, 3)))
        if answer["verdict"] != "undecided":
            break
    run = {"diff": command, "verdict": answer["verdict"]}
    if answer["verdict"] == "witness":
        row = answer["witnesses"][0]
        run["by"] = "search" if answer["how"] == "search" else "solver"
        run["witness"] = {key: row[key] for key in OPERANDS if key in row}
        run["d"], run["d_other"] = row["d"], row["d_other"]
    elif answer["verdict"] == "proved":
        run["by"] = answer["by"]
    return run


# Inputs made by hand, for where diff finds none in the time given: 2^-25, a tie, and a product far below it.
TEXTBOOK = {"floor, f16": {"a": "0c00 0001", "b": "0800 0001", "c": "0000"}}


def without_seed(command):
    return command[: command.index("--seed")] if "--seed" in command else command


def ask_question(tool, question):
    first, second = question["between"](tool)
    run = ask(tool, first, second, question["options"], QUESTION)
    if run["verdict"] == "undecided" and "short" in question:
        run = ask(tool, *question["short"](tool), question["options"], QUESTION)
    print(question["section"], question["label"], run["verdict"], file=sys.stderr, sep=": ")
    if run["verdict"] == "undecided" and question["section"] in TEXTBOOK:
        run = {"diff": [first, second, *question["options"]], "verdict": "witness", "by": "hand"}
        run["witness"] = dict(TEXTBOOK[question["section"]])
    if run["verdict"] != "witness":
        raise RuntimeError(f"no contradiction: {first} and {second}: {run['verdict']}")
    run = {"section": question["section"], "label": question["label"], **run}
    for key in ("a", "b"):
        given = run["witness"][key].split()
        missing = tool.show(question["first"])["k"] - len(given)
        run["witness"][key] = " ".join(given + ["0" * len(given[0])] * missing)
    # What the published models themselves answer.
    names = [question["first"], question["second"] if isinstance(question["second"], str) else second]
    run["models"] = names
    run["d"], run["d_other"] = (tool.eval(name, run["witness"]) for name in names)
    if run["d"] == run["d_other"]:
        raise RuntimeError(f"{names[0]} and {names[1]} agree on the witness {run['witness']}")
    return run


# ---- The catalogue.


def meaning(shown):
    """What two names must share to be one model: formats, algorithm, parameters."""
    formats = [shown.get(key) for key in ("a", "b", "c", "d", "k", "scale", "scale_block")]
    return json.dumps([formats, shown["algorithm"], [[p["key"], p["value"]] for p in shown["parameters"]]])


def catalogue_pairs(tool, pool):
    """Pairs of variants of an instruction, in a list for all that share both meanings."""
    names = [json.loads(line)["instr"] for line in tool.run("list", "--json").splitlines()]
    list(pool.map(tool.show, names))
    variants = {name: [name + "@" + v for v in tool.show(name)["variants"]] for name in names}
    list(pool.map(tool.show, itertools.chain.from_iterable(variants.values())))
    groups = {}
    for name in names:
        for pair in itertools.combinations([name] + variants[name], 2):
            meanings = tuple(meaning(tool.show(n)) for n in pair)
            key = meanings if meanings in groups else meanings[::-1]
            groups.setdefault(key if key in groups else meanings, []).append(list(pair))
    return list(groups.values())


def suffix(name):
    return name.partition("@")[2]


def ask_catalogue(tool, pairs):
    run = ask(tool, *pairs[0], [], CATALOGUE)
    return {"section": "catalogue", "pairs": pairs, **run}


def transplant(tool, run, known):
    """Tries the witnesses of other runs, the order of a and b and the number of zero products aside."""
    names = run["diff"][:2]
    shown = tool.show(names[0])
    if "scale" in shown:
        return
    for other in known:
        other_shown = tool.show(other.get("models", other["diff"])[0])
        if "scale" in other_shown or other_shown["c"] != shown["c"]:
            continue
        a, b = (other["witness"][key].split() for key in ("a", "b"))
        if [other_shown["a"], other_shown["b"]] == [shown["b"], shown["a"]]:
            a, b = b, a
        elif [other_shown["a"], other_shown["b"]] != [shown["a"], shown["b"]]:
            continue
        pairs = [p for p in zip(a, b) if int(p[0], 16) or int(p[1], 16)]
        if len(pairs) > shown["k"]:
            continue
        pairs += [("0" * len(a[0]), "0" * len(b[0]))] * (shown["k"] - len(pairs))
        row = {"a": " ".join(p[0] for p in pairs), "b": " ".join(p[1] for p in pairs), "c": other["witness"]["c"]}
        d, d_other = (tool.eval(name, row) for name in names)
        if d != d_other:
            run.update(verdict="witness", by="another's input", witness=row, d=d, d_other=d_other)
            return


# ---- Recorded results of GPUs.


class Recorded:
    """Rows of real GPUs, by what the default model of their instruction is."""

    def __init__(self, tool, folder):
        self.tool = tool
        self.files = {}
        for file in sorted(glob.glob(os.path.join(folder, "hardware", "*.jsonl"))):
            with open(file, encoding="utf-8") as f:
                rows = f.read().splitlines()
            shown = tool.show(json.loads(rows[0])["instr"])
            self.files.setdefault(meaning(shown), []).append((os.path.basename(file).split("_")[0], rows))

    def right(self, name, rows):
        """On how many rows the model is right."""
        renamed = "".join(json.dumps({**json.loads(row), "instr": name}) + "\n" for row in rows)
        report = self.tool.run("verify", "-", good=(0, 1), stdin=renamed)
        return int(report.splitlines()[-1].split()[0])

    def count(self, first, second):
        result = {"gpus": [], "rows": 0, "first": 0, "second": 0}
        for gpu, rows in self.files.get(meaning(self.tool.show(first)), []):
            result["gpus"].append(gpu)
            result["rows"] += len(rows)
            result["first"] += self.right(first, rows)
            result["second"] += self.right(second, rows)
        return result


def hardware_text(run):
    counts = run.get("hardware")
    if not counts or not counts["rows"]:
        return "no recorded rows"
    gpus = ", ".join(counts["gpus"])
    rows, first, second = counts["rows"], counts["first"], counts["second"]
    if first == second == rows:
        return f"undecided: both fit all {rows:,} rows ({gpus})"
    if first == rows:
        return f"the first: it fits all {rows:,} rows ({gpus}), the second {second:,}"
    if second == rows:
        return f"the second: it fits all {rows:,} rows ({gpus}), the first {first:,}"
    return f"neither: the first fits {first:,}, the second {second:,} of {rows:,} rows ({gpus})"


# ---- The page.


def readable(tool, run):
    shown = tool.show(run["models"][0])
    operands = {key: run["witness"][key].split() for key in OPERANDS if key in run["witness"]}
    parts = []
    for k, (x, y) in enumerate(zip(operands["a"], operands["b"])):
        if int(x, 16) or int(y, 16):
            parts.append(f"a[{k}] = {decoded(shown['a'], int(x, 16))}, b[{k}] = {decoded(shown['b'], int(y, 16))}")
    for key in ("sa", "sb"):
        factors = [decoded(shown["scale"], int(x, 16)) for x in operands.get(key, [])]
        parts += [f"{key}[{i}] = {x}" for i, x in enumerate(factors) if x != "0x1p+0"]
    return "; ".join(parts + [f"c = {decoded(shown['c'], int(operands['c'][0], 16))}"])


def result_text(tool, run, d):
    return f"`{d}` ({decoded(tool.show(run['models'][0])['d'], int(d, 16))})"


def wrap(text, width=118):
    lines, line = [], ""
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = (line + " " + word).strip()
    return lines + [line]


def section_text(tool, key, runs):
    title, text, first, second = SECTIONS[key]
    out = [f"## {title}", "", *wrap(text), ""]
    out += [f"| instructions | diff's input, all else zero | {first} | {second} | recorded hardware |", "| --- " * 5 + "|"]
    for run in runs:
        out.append(
            f"| {run['label']} | {readable(tool, run)}{' (made by hand)' if run['by'] == 'hand' else ''} | "
            f"{result_text(tool, run, run['d'])} | {result_text(tool, run, run['d_other'])} | {hardware_text(run)} |"
        )
    commands = ["mmaspec diff " + " ".join(quoted(word) for word in run["diff"]) for run in runs]
    out += ["", "```", *commands, "```", ""]
    return out + (textbook_zeros(tool) if key == "signs" else [])


def textbook_zeros(tool):
    """Inputs made by hand: what today's defaults return for zeros."""
    length = {"mma.m16n8k16": 16, "mma.m8n8k4": 4, "v_mfma_f32_32x32x4": 4, "v_mfma_f32_32x32x8": 8}
    names = [
        ("Hopper, bf16", "hopper/mma.m16n8k16.f32.bf16.bf16.f32"),
        ("Hopper, f64", "hopper/mma.m8n8k4.f64.f64.f64.f64"),
        ("MI100, bf16", "cdna1/v_mfma_f32_32x32x4bf16"),
        ("MI250X, bf16 `_1k`", "cdna2/v_mfma_f32_32x32x8bf16_1k"),
        ("MI300X, bf16", "cdna3/v_mfma_f32_32x32x8_bf16"),
    ]
    cases = [
        ("c = -0, all products -0", ["-0"] * 64, ["1"] * 64, "-0"),
        ("c = -0, all products +0", [], [], "-0"),
        ("c = -0, a[0] = -0, b[0] = 1", ["-0"], ["1"], "-0"),
        ("exact cancellation: 1 - 1", ["1"], ["1"], "-1"),
        ("a negative sum that underflows: -0x1p-75 * 0x1p-75", ["-0x1p-75"], ["0x1p-75"], "0"),
    ]
    out = wrap(
        "Textbook inputs (made by hand, not by diff), and what the default answers; by the released code of Valpey et al. the "
        "first four give -0 on NVIDIA's tensor cores, by that of Khattak and Mikaitis the last:"
    )
    out += ["", "| input, all else zero | " + " | ".join(n for n, _ in names) + " |", "| --- " * (len(names) + 1) + "|"]
    for title, a, b, c in cases:
        cells = []
        for _, name in names:
            k = next(k for part, k in length.items() if part in name)
            arguments = [f"--a={','.join(a[:k])}", f"--b={','.join(b[:k])}"] if a else []
            answer = json.loads(tool.run("eval", name, *arguments, f"--c={c}", "--json"))
            cells.append(f"`{answer['d']}` ({answer['value']})")
        out.append(f"| {title} | " + " | ".join(cells) + " |")
    return out + [""]


def variant_text(pairs):
    texts = [" / ".join("default" if not suffix(n) else "@" + suffix(n) for n in pair) for pair in pairs]
    return "; ".join(dict.fromkeys(texts))


def catalogue_text(runs):
    out = ["## The whole catalogue", ""]
    count = len({pair[0].partition("@")[0] for run in runs for pair in run["pairs"]})
    out += wrap(
        f"Each two variants of each instruction, {count} instructions: one run of diff (finite inputs) for all that share "
        "formats and both models. Khattak and Mikaitis's models are what the defaults of NVIDIA's instructions are taken "
        "from, so those two are one expression. Where the sides differ in the floor or in what a zero product's exponent "
        "counts as, and no term of these formats lies where it could matter, they are proved equal by the argument that says "
        "so (docs/proving.md). e3m2 with e2m3 or e2m1 does disagree, by hand: a[0] = 16 for the e3m2 operand, all else zero, "
        "c = 0x1p-149. The inputs found are in contradictions.jsonl."
    )
    verdicts = [
        ("witness", None, "they disagree"),
        ("undecided", None, "undecided"),
        ("proved", "solver", "proved equal by a solver"),
        ("proved", "argument", "proved equal by an argument"),
        ("proved", "one expression", "one expression: equal"),
    ]
    unlisted = {(r["verdict"], r.get("by")) for r in runs if r["verdict"] == "proved"} - {v[:2] for v in verdicts}
    if unlisted:
        sys.exit(f"no table of the page takes {unlisted}")
    for verdict, by, title in verdicts:
        matching = [r for r in runs if r["verdict"] == verdict and by in (None, r.get("by"))]
        if not matching:
            continue
        total = sum(len(r["pairs"]) for r in matching)
        out += ["", f"### {title[0].upper() + title[1:]}: {total} pairs", ""]
        out += ["| variants | instruction | and | answers |", "| --- " * 4 + "|"]
        if verdict == "proved":
            out = out[:-2] + ["| variants | instructions |", "| --- | --- |"]
            by_variants = {}
            for r in matching:
                for pair in r["pairs"]:
                    by_variants.setdefault(variant_text([pair]), []).append(pair[0])
            for variants, names in by_variants.items():
                architectures = {}
                for name in names:
                    architectures.setdefault(name.split("/")[0], []).append(name)
                out.append(f"| {variants} | " + ", ".join(f"{a} ({len(n)})" for a, n in architectures.items()) + " |")
            continue
        for r in matching:
            names = list(dict.fromkeys(pair[0].partition("@")[0] for pair in r["pairs"]))
            answers = f"`{r['d']}`, `{r['d_other']}`" if verdict == "witness" else ""
            answers += " (another row's input)" if r.get("by") == "another's input" else ""
            out.append(
                f"| {variant_text(r['pairs'])} | {names[0]} | "
                f"{f'{len(names) - 1} more' if len(names) > 1 else ''} | {answers} |"
            )
    return out + [""]


def departures_text(tool, names):
    """Where variants are not what the released code does, as `show` has it."""
    found = {}
    for name in names:
        for departure in tool.show(name).get("departures", []):
            key = ("@" + suffix(name), departure["theirs"], departure["ours"])
            found.setdefault(key, []).append(name)
    out = ["## Where a variant is not what its model's code does", ""]
    out += wrap(
        "Found by reading the released code: MMA-Sim at c785138, Khattak and Mikaitis's at b12b5a7. Of the latter, f16 results "
        "of FP8 operands have no variant: the code for Ada and Hopper keeps no fraction bit of them, that for Blackwell gives "
        "f32 results; nor have mixed formats, FP6, FP4 and scale factors, which it lacks."
    )
    out += ["", "| variant | the code | the variant | instructions |", "| --- " * 4 + "|"]
    for (variant, theirs, ours), where in found.items():
        architectures = dict.fromkeys(name.split("/")[0] for name in where)
        out.append(f"| {variant} | {theirs} | {ours} | {len(where)} ({', '.join(architectures)}) |")
    return out + [""]


def page(tool, runs):
    out = [
        "<!-- Written by tools/contradictions.py from contradictions.jsonl; change the script, not this file. -->",
        "",
        "# Where published models contradict each other",
        "",
    ]
    out += wrap(
        "One row for each set of parameters, not for each instruction; the inputs are the smallest that `mmaspec diff` found. "
        "Sources: MMA-Sim (arXiv 2511.10909) and its released code; Khattak and Mikaitis (arXiv 2512.07004) and their released "
        "models; FTTN (Li et al., CCGrid 2024); Valpey et al. (arXiv 2502.15999). The default of a name is what MMA-Spec holds "
        "to be the hardware's behaviour; `@mma-sim` and `@khattak-mikaitis` follow those models but for what the last section "
        "lists, which `mmaspec show` says of each variant, too. Where two of them differ "
        "in more than one thing, diff was asked about designs that differ in that thing alone, the command below each table; "
        "the answers shown are the published models' own. Recorded hardware: on how many recorded rows of the instruction "
        "each of the two is right (`mmaspec verify`). Where it says undecided, a run of the row's input on that GPU decides."
    )
    out += ["", "```", "python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec", "```", ""]
    for key in SECTIONS:
        out += section_text(tool, key, [r for r in runs if r["section"] == key])
    catalogue = [r for r in runs if r["section"] == "catalogue"]
    out += catalogue_text(catalogue)
    names = dict.fromkeys(name for run in catalogue for pair in run["pairs"] for name in pair if suffix(name))
    out += departures_text(tool, names)
    return "\n".join(out).rstrip() + "\n"


# ---- Commands.


def read_runs():
    with open(RUNS, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def write_page(tool, runs):
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page(tool, runs))


def write_runs(runs):
    with open(RUNS, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(run) + "\n" for run in runs)


def count_recorded(tool, runs):
    folder = os.environ.get("MMASPEC_VECTORS", "")
    if os.path.isdir(os.path.join(folder, "hardware")):
        recorded = Recorded(tool, folder)
        for run in runs:
            if run["section"] != "catalogue":
                run["hardware"] = recorded.count(*run["models"])
        return
    if os.path.exists(RUNS):
        known = {(r["section"], r.get("label")): r.get("hardware") for r in read_runs()}
        for run in runs:
            if run["section"] != "catalogue":
                run["hardware"] = known.get((run["section"], run["label"]))


def update(tool, pool, anew):
    on_file = [] if anew or not os.path.exists(RUNS) else [r for r in read_runs() if holds(tool, r)]
    asked = {(r["section"], r["label"]): r for r in on_file if "label" in r}
    # All pairs of a run are one question: it stays answered where pairs come or go.
    paired = {json.dumps(p): r for r in on_file if "pairs" in r and r["verdict"] != "undecided" for p in r["pairs"]}
    failures = []

    def question_run(question):
        known = asked.get((question["section"], question["label"]))
        if known and without_seed(known["diff"]) in commands(tool, question):
            return known
        try:
            return ask_question(tool, question)
        except RuntimeError as failure:
            failures.append(str(failure))
            return None

    def pair_run(pairs):
        known = next((paired[json.dumps(p)] for p in pairs if json.dumps(p) in paired), None)
        if known and known["diff"][:2] in pairs:
            return {**known, "pairs": pairs}
        return ask_catalogue(tool, pairs)

    runs = [run for run in pool.map(question_run, questions()) if run]
    write_runs(runs)  # so that nothing is asked twice where the rest is interrupted
    runs += pool.map(pair_run, catalogue_pairs(tool, pool))
    known = [run for run in runs if run["verdict"] == "witness"]
    undecided = [run for run in runs if run["verdict"] == "undecided"]
    list(pool.map(lambda run: transplant(tool, run, known), undecided))
    count_recorded(tool, runs)
    write_runs(runs)
    write_page(tool, runs)
    if failures:
        sys.exit("\n".join(failures))


def holds(tool, run):
    """The witness of the run, if it has one, is still one."""
    if run["verdict"] != "witness":
        return True
    names = run.get("models", run["diff"][:2])
    return [tool.eval(name, run["witness"]) for name in names] == [run["d"], run["d_other"]]


def commands(tool, question):
    """What diff may have been asked for the question."""
    return [[*question[way](tool), *question["options"]] for way in ("between", "short") if way in question]


def check(tool, pool):
    runs = read_runs()
    asked = [(q["section"], q["label"], commands(tool, q)) for q in questions()]
    on_file = [(r["section"], r["label"], without_seed(r["diff"])) for r in runs if r["section"] != "catalogue"]
    if len(asked) != len(on_file) or any(
        a[:2] != f[:2] or f[2] not in a[2] for a, f in zip(asked, on_file)
    ):
        sys.exit("docs/contradictions.jsonl: its questions are not today's: run tools/contradictions.py")
    if catalogue_pairs(tool, pool) != [r["pairs"] for r in runs if r["section"] == "catalogue"]:
        sys.exit("docs/contradictions.jsonl: its instructions are not today's: run tools/contradictions.py")
    rows = []
    for run in runs:
        if run["verdict"] != "witness":
            continue
        if run["d"] == run["d_other"]:
            sys.exit(f"no contradiction: {run['diff']}")
        for name, d in zip(run.get("models", run["diff"][:2]), (run["d"], run["d_other"])):
            rows.append(json.dumps({"instr": name, **run["witness"], "d": d}))
    tool.run("verify", "-", stdin="\n".join(rows) + "\n")
    if os.environ.get("MMASPEC_VECTORS"):
        counts = [r.get("hardware") for r in runs]
        count_recorded(tool, runs)
        if counts != [r.get("hardware") for r in runs]:
            sys.exit("docs/contradictions.jsonl: recorded rows are counted otherwise: run tools/contradictions.py")
    with open(PAGE, encoding="utf-8") as f:
        if f.read() != page(tool, runs):
            sys.exit("docs/contradictions.md is old: run tools/contradictions.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mmaspec", default="build/release/bin/mmaspec", help="the command")
    parser.add_argument("--check", action="store_true", help="compare what is on file; run no diff")
    parser.add_argument("--anew", action="store_true", help="keep nothing of what is on file")
    options = parser.parse_args()
    tool = Tool(options.mmaspec)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        if options.check:
            check(tool, pool)
        else:
            update(tool, pool, options.anew)


if __name__ == "__main__":
    main()
