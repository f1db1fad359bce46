"""docs/contradictions.md, made of docs/contradictions.jsonl's runs and docs/fpy.jsonl's answers."""

import json
import sys

from contradictions_questions import SECTIONS
from contradictions_tool import OPERANDS, decoded, quoted, suffix


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
    verdicts = any("verdict_of" in run for run in runs)
    head = f"| instructions | diff's input, all else zero | {first} | {second} | recorded hardware |"
    out += [head + (" verdict |" if verdicts else ""), "| --- " * (6 if verdicts else 5) + "|"]
    for run in runs:
        out.append(
            f"| {run['label']} | {readable(tool, run)}{' (made by hand)' if run['by'] == 'hand' else ''} | "
            f"{result_text(tool, run, run['d'])} | {result_text(tool, run, run['d_other'])} | {hardware_text(run)} |"
            + (f" {run['verdict_of']} |" if verdicts else "")
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
        ("proved", "derivation", "proved equal by derivation"),
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
        "Found by reading the released code: MMA-Sim at c785138 and release 2.1.1, Khattak and Mikaitis's at b12b5a7. Of the latter, f16 results "
        "of FP8 operands have no variant: the code for Ada and Hopper keeps no fraction bit of them, that for Blackwell gives "
        "f32 results; nor have mixed formats, FP6, FP4 and scale factors, which it lacks."
    )
    out += ["", "| variant | the code | the variant | instructions |", "| --- " * 4 + "|"]
    for (variant, theirs, ours), where in found.items():
        architectures = dict.fromkeys(name.split("/")[0] for name in where)
        out.append(f"| {variant} | {theirs} | {ours} | {len(where)} ({', '.join(architectures)}) |")
    return out + [""]


def fpy_text(tool, answers):
    """Agreement with FPy's models, as tools/fpy.py counted it."""
    out = ["## FPy's models", ""]
    out += wrap(
        f"FPy (`bksaiki/fpy`, examples/mmasim, at {answers[0]['commit']}) states MMA-Sim's algorithms in a language of its "
        "own. `tools/fpy.py` draws rows for each design of the catalogue whose instruction is in FPy's tables, and evaluates "
        "them by the default and by FPy's model: random and special patterns, zeros, terms that cancel, subnormal numbers, "
        "and sums about half of the least result. Any NaN counts as any other."
    )
    heads = ["architecture", "designs", "rows", "equal", "the sign of a zero alone differs", "differ"]
    out += ["", "| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * 5]
    architectures = {}
    for answer in answers:
        architectures.setdefault(answer["instr"].split("/")[0], []).append(answer)
    for architecture, of in [*architectures.items(), ("all", answers)]:
        sums = [sum(answer[key] for answer in of) for key in ("rows", "equal", "zeros", "differ")]
        out.append(f"| {architecture} | {len(of)} | " + " | ".join(f"{x:,}" for x in sums) + " |")

    def result(answer, bits):
        return "nan" if bits == "nan" else result_text(tool, {"models": [answer["instr"]]}, bits)

    def rows(of):
        lines = ["", "| instruction | FPy's model | rows | input, all else zero | default | FPy |", "| --- " * 6 + "|"]
        for answer in of:
            smallest = answer["smallest"]
            run = {"models": [answer["instr"]], "witness": smallest}
            lines.append(
                f"| {answer['instr']} | `{answer['model']}` | {answer['differ'] or answer['zeros']:,} | {readable(tool, run)} "
                f"| {result(answer, smallest['d'])} | {result(answer, smallest['fpy'])} |"
            )
        return lines + [""]

    out.append("")
    differ = [answer for answer in answers if answer["differ"]]
    if differ:
        out += wrap(
            "Where the results differ, with the smallest input found. In f16 results FPy's least exponent of zeros is -20 "
            "(Volta), -21 (Turing, Ampere, Ada) and -22 (Hopper, Blackwell), one below the floors of MMA-Sim 2.1.1 and of the "
            "defaults, and -133 for `wgmma` and `tcgen05`: an H100's answers are those of -21, for `mma` and for `wgmma` "
            "([replay.md](replay.md#what-an-h100-answered)). On Volta these rows miss it: with a[1] = 0x1p-21, b[1] = -0x1p-22, "
            "a[2] = -0x1p-13, b[2] = 0x1p-12 and all else zero the default gives `0000`, FPy `8001`. In FP4 by 64 a group that "
            "cancels counts its scale factors, as in 2.1.1, which is open (above). In FP8 on CDNA3 FPy repeats the fault of "
            "2.1.1: an infinite or NaN c is dropped next to large products."
        )
        out += rows(differ)
    zeros = {}
    for answer in answers:
        if answer["zeros"] and not answer["differ"]:
            zeros.setdefault(answer["instr"].split("/")[0], answer)
    if zeros:
        out += wrap(
            "Where zeros alone differ, one design of each architecture. FPy gives -0 where each term is -0 or is cut to -0. "
            "The default gives +0, as all zero results of an H100 on record are."
        )
        out += rows(zeros.values())
    return out


def page(tool, runs, fpy):
    out = [
        "<!-- Written by tools/contradictions.py from contradictions.jsonl; change the script, not this file. -->",
        "",
        "# Where published models contradict each other",
        "",
    ]
    out += wrap(
        "One row for each set of parameters, not for each instruction; the inputs are the smallest that `mmaspec diff` found. "
        "Sources: MMA-Sim (arXiv 2511.10909, version 2 of April 2026) and its release 2.1.1, `@mma-sim`, and its code of January "
        "2026, `@mma-sim-2025`; Khattak and Mikaitis (ACM TACO, doi 10.1145/3830409; arXiv 2512.07004) and their released "
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
    out += fpy_text(tool, fpy)
    catalogue = [r for r in runs if r["section"] == "catalogue"]
    out += catalogue_text(catalogue)
    names = dict.fromkeys(name for run in catalogue for pair in run["pairs"] for name in pair if suffix(name))
    out += departures_text(tool, names)
    return "\n".join(out).rstrip() + "\n"
