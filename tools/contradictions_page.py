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


def readable(tool, run, quote=""):
    shown = tool.show(run["models"][0])
    operands = {key: run["witness"][key].split() for key in OPERANDS if key in run["witness"]}
    parts = []
    for k, (x, y) in enumerate(zip(operands["a"], operands["b"])):
        if int(x, 16) or int(y, 16):
            parts.append(f"a[{k}] = {decoded(shown['a'], int(x, 16))}, b[{k}] = {decoded(shown['b'], int(y, 16))}")
    for key in ("sa", "sb"):
        factors = [decoded(shown["scale"], int(x, 16)) for x in operands.get(key, [])]
        parts += [f"{key}[{i}] = {x}" for i, x in enumerate(factors) if x != "0x1p+0"]
    parts = parts + [f"c = {decoded(shown['c'], int(operands['c'][0], 16))}"]
    return "; ".join(quote + part + quote for part in parts)


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
            f"| {run['label']} | {readable(tool, run, '`')}{' (made by hand)' if run['by'] == 'hand' else ''} | "
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
        "The default's results for textbook inputs (written by hand). In the released code of Valpey et al., the first four "
        "inputs give -0 on NVIDIA's tensor cores. In the code of Khattak and Mikaitis, the last input does."
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
        f"This section compares every two variants of {count} instructions on finite inputs. Pairs with the same formats and "
        "the same models share one run of diff. The defaults of NVIDIA's instructions have the parameters of Khattak and "
        "Mikaitis's models, so these pairs are one expression. Some models differ only in the floor or in the exponent of zero "
        "products, where no term of their formats is affected: an analytical proof shows that they are equal (docs/proving.md). "
        "For e3m2 with e2m3 or e2m1 they differ: a[0] = 16 for the e3m2 operand, all else zero, c = 0x1p-149 (found by hand). "
        "contradictions.jsonl has all inputs."
    )
    verdicts = [
        ("witness", None, "they disagree"),
        ("undecided", None, "undecided"),
        ("proved", "solver", "proved equal by a solver"),
        ("proved", "derivation", "proved equal by derivation"),
        ("proved", "argument", "proved equal by an analytical proof"),
        ("proved", "one expression", "one expression: equal"),
    ]
    unlisted = {(r["verdict"], r.get("by")) for r in runs if r["verdict"] == "proved"} - {v[:2] for v in verdicts}
    if unlisted:
        sys.exit(f"no table of the page has a place for {unlisted}")
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
    """Where variants differ from the released code, as `show` prints it."""
    found = {}
    for name in names:
        for departure in tool.show(name).get("departures", []):
            key = ("@" + suffix(name), departure["theirs"], departure["ours"])
            found.setdefault(key, []).append(name)
    out = ["## Where a variant differs from its model's code", ""]
    out += wrap(
        "These differences come from reading the released code: MMA-Sim at c785138 and release 2.1.1, Khattak and Mikaitis's "
        "code at b12b5a7. Khattak and Mikaitis's code has no variant here for f16 results of FP8 operands: for Ada and Hopper it "
        "keeps no fraction bit of them, for Blackwell it gives f32 results. It does not support mixed formats, FP6, FP4 and "
        "scale factors."
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
        f"FPy (`bksaiki/fpy`, examples/mmasim, at {answers[0]['commit']}) states MMA-Sim's algorithms in a separate language. "
        "`tools/fpy.py` draws rows for each design of the catalogue whose instruction is in FPy's tables, and evaluates them by "
        "the default and by FPy's model. The rows have random and special patterns, zeros, terms that cancel, subnormal "
        "numbers, and sums near half of the least result. All NaNs are equal. FPy's tables have NVIDIA's units from Volta to "
        "Blackwell and AMD's CDNA1 to CDNA3. They have no model of RDNA, CDNA4, CPUs (among them x86 ACE and RISC-V's IME), "
        "Apple's AMX and Tenstorrent, nor of conversions."
    )
    heads = ["architecture", "designs", "rows", "equal", "only the sign of a zero differs", "differ"]
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
            "The table shows designs whose results differ, with the smallest input found. In f16 results, FPy's least exponent of "
            "zeros is -20 (Volta), -21 (Turing, Ampere, Ada) and -22 (Hopper, Blackwell): one below the floors of MMA-Sim 2.1.1 "
            "and of the defaults. For `wgmma` and `tcgen05` it is -133. An H100's answers fit -21, for `mma` and for `wgmma` "
            "([replay.md](replay.md#what-an-h100-answered)). On Volta the drawn rows do not show the difference: with a[1] = "
            "0x1p-21, b[1] = -0x1p-22, a[2] = -0x1p-13, b[2] = 0x1p-12 and all else zero, the default gives `0000`, FPy `8001`. In "
            "FP4 by 64, FPy uses the scale factors of a group that cancels, as 2.1.1 does; this is undecided (see above). In FP8 on "
            "CDNA3, FPy has the same fault as 2.1.1: it drops an infinite or NaN c next to large products."
        )
        out += rows(differ)
    zeros = {}
    for answer in answers:
        if answer["zeros"] and not answer["differ"]:
            zeros.setdefault(answer["instr"].split("/")[0], answer)
    if zeros:
        out += wrap(
            "The table shows one design of each architecture for which only the signs of zeros differ. FPy gives -0 if each term "
            "is -0 or is cut to -0. The default gives +0, like all recorded zero results of an H100."
        )
        out += rows(zeros.values())
    return out


def anchor(title):
    """The anchor of a heading, as the site's Markdown makes it."""
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return "-".join(kept.split(" "))


def summary_text(runs, fpy):
    """A line for each section: how many contradictions it has, and what recorded hardware decides."""
    heads = ["section", "contradictions", "hardware fits the first", "the second", "neither", "both", "no recorded rows"]
    out = ["## Summary", "", "| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * 6]
    for key, (title, *_) in SECTIONS.items():
        texts = [hardware_text(r) for r in runs if r["section"] == key]
        starts = ("the first", "the second", "neither", "undecided", "no recorded")
        counts = [sum(t.startswith(start) for t in texts) for start in starts]
        cells = [f"[{title}](#{anchor(title)})", len(texts), *counts]
        out.append("| " + " | ".join(map(str, cells)) + " |")
    pairs = sum(len(r["pairs"]) for r in runs if r["section"] == "catalogue" and r["verdict"] == "witness")
    proved = sum(len(r["pairs"]) for r in runs if r["section"] == "catalogue" and r["verdict"] == "proved")
    differ = sum(1 for answer in fpy if answer["differ"])
    out += ["", *wrap(
        f"Two further sections compare models as a whole. [FPy's models](#fpys-models) differ from the default for {differ} of "
        f"{len(fpy)} designs. In [the whole catalogue](#the-whole-catalogue), {pairs:,} pairs of variants disagree and "
        f"{proved:,} pairs are proved equal."
    )]
    return out + [""]


SOURCES = """\
- MMA-Sim (arXiv 2511.10909, version 2 of April 2026): release 2.1.1 is `@mma-sim`, the code of January 2026 is
  `@mma-sim-2025`.
- Khattak and Mikaitis (ACM TACO, doi 10.1145/3830409; arXiv 2512.07004): their released models are
  `@khattak-mikaitis`.
- FTTN (Li et al., CCGrid 2024).
- Valpey et al. (arXiv 2502.15999).
- A name without a variant is the specification of the hardware: the default."""


def page(tool, runs, fpy):
    out = [
        "<!-- Written by tools/contradictions.py from contradictions.jsonl; change the script, not this file. -->",
        "",
        "# Where published models contradict each other",
        "",
    ]
    out += wrap(
        "Published models of the same instruction do not always compute the same result. This page lists the contradictions, "
        "shows a smallest input for each, and compares the models with recorded results of hardware."
    )
    out += ["", *summary_text(runs, fpy), "## How to read the tables", ""]
    out += wrap(
        "A row stands for all instructions with the same parameters. It has an input that `mmaspec diff` found, the result of "
        "each model for it, and the number of recorded rows that each model reproduces (`mmaspec verify`). If both models fit "
        "all recorded rows, the row is undecided: the result of that GPU for the row's input decides it."
    )
    out += [""]
    out += wrap(
        "If two models differ in several parameters, the command below the table compares designs that differ in one parameter "
        "only. The results in the table are those of the published models. A variant can differ from its model's code; the last "
        "section and `mmaspec show` list such differences."
    )
    out += ["", "Sources:", "", *SOURCES.split("\n"), "", "This command finds the contradictions and writes the page:"]
    out += ["", "```", "python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec", "```", ""]
    for key in SECTIONS:
        out += section_text(tool, key, [r for r in runs if r["section"] == key])
    out += fpy_text(tool, fpy)
    catalogue = [r for r in runs if r["section"] == "catalogue"]
    out += catalogue_text(catalogue)
    names = dict.fromkeys(name for run in catalogue for pair in run["pairs"] for name in pair if suffix(name))
    out += departures_text(tool, names)
    return "\n".join(out).rstrip() + "\n"
