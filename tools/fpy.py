#!/usr/bin/env python3
"""Compares MMA-Spec's defaults with the models of FPy (bksaiki/fpy, examples/mmasim) on drawn rows.

    python3 tools/fpy.py --fpy FOLDER --mmaspec build/release/bin/mmaspec [--rows 2000] [--only TEXT]

FOLDER is a copy of that repository, whose package needs titanfp and gmpy2. For each instruction of which FPy's tables
list the model, one for each design of the catalogue, it draws rows, evaluates them by both, and makes the first input
on which they differ as small as it can. The answers are in docs/fpy.jsonl, a line a design, which is a part of
docs/contradictions.md: run tools/contradictions.py afterwards. --only keeps the other designs' lines.
"""

import argparse
import inspect
import json
import math
import os
import random
import struct
import subprocess
import sys
import types

from contradictions_tool import FORMATS, OPERANDS, Tool, decoded, meaning

ANSWERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "fpy.jsonl")
RESULTS = {"f64": ("d", "Q", 16), "f32": ("f", "I", 8), "f16": ("e", "H", 4)}


def width(name):
    return {"e3m2": 6, "e2m3": 6, "e2m1": 4, "f64": 64, "f32": 32, "tf32": 32, "xf32": 32, "f16": 16, "bf16": 16}.get(name, 8)


def word(name, bits):
    """A bit pattern in the format of rows."""
    return f"{bits:0{-(-width(name) // 4)}x}"


def value(name, bits):
    if (name in ("e4m3", "ue4m3") and bits & 0x7F == 0x7F) or (name.endswith("fnuz") and bits == 0x80):
        return math.nan
    if name == "ue8m0" and bits == 0xFF:
        return math.nan
    return float.fromhex(decoded(name, bits))


def pattern(name, x):
    """The result's pattern; x is a number of the format. Every NaN is one."""
    code, integer, digits = RESULTS[name]
    if math.isnan(x):
        return "nan"
    return f"{struct.unpack('<' + integer, struct.pack('<' + code, x))[0]:0{digits}x}"


def canonical(name, bits):
    """A pattern that mmaspec printed, written as pattern() does."""
    code, integer, _ = RESULTS[name]
    return pattern(name, struct.unpack("<" + code, struct.pack("<" + integer, int(bits, 16)))[0])


# FPy


def import_fpy(folder):
    """Its models nv and amd, and the package."""
    if sys.version_info < (3, 12):
        # FPy takes a function's global names from inspect.getclosurevars(). Before Python 3.12 a
        # comprehension is a separate code object, whose names are not included.
        closure_vars = inspect.getclosurevars

        def with_comprehensions(function):
            found = closure_vars(function)
            for code in function.__code__.co_consts:
                if isinstance(code, types.CodeType):
                    names = set(code.co_names) & set(function.__globals__)
                    found.globals.update({name: function.__globals__[name] for name in names})
            return found

        inspect.getclosurevars = with_comprehensions
    sys.path[:0] = [folder, os.path.join(folder, "examples", "mmasim")]
    import amd
    import fpy2
    import nv

    return fpy2, nv, amd


class Models:
    """FPy's model of an instruction, from its tables 3 to 7."""

    def __init__(self, folder):
        self.fp, self.nv, self.amd = import_fpy(folder)
        fp = self.fp
        self.contexts = {"f64": fp.FP64, "f32": fp.FP32, "f16": fp.FP16, "bf16": fp.BF16, "tf32": fp.TF32,
                         "xf32": fp.TF32, "e4m3": fp.MX_E4M3, "e5m2": fp.MX_E5M2, "e3m2": fp.MX_E3M2,
                         "e2m3": fp.MX_E2M3, "e2m1": fp.MX_E2M1, "e4m3fnuz": fp.S1E4M3, "e5m2fnuz": fp.S1E5M2,
                         "ue8m0": fp.MX_E8M0, "ue4m3": fp.MX_E4M3}

    def of(self, name, shown):
        """Its call in words, and a function of operands as numbers; None: FPy's tables do not have the instruction."""
        architecture, mnemonic = name.split("/", 1)
        a, b, c, d, k = (shown[key] for key in "abcdk")
        if any(x not in self.contexts for x in (a, b, c)) or c != d or d not in RESULTS:
            return None
        if a == "f64" or (a == "f32" and architecture.startswith("cdna")):
            model = self.amd.make_fma_dpa(self.contexts[a])
            return f"make_fma_dpa({a})", lambda row: model(row["a"], row["b"], row["c"])
        if architecture.startswith("cdna"):
            return self.of_amd(architecture, mnemonic, a, b, k)
        return self.of_nvidia(architecture, mnemonic, shown)

    def of_amd(self, architecture, mnemonic, a, b, k):
        amd, context = self.amd, self.contexts
        if architecture == "cdna1" and a in ("bf16", "f16"):
            terms = 2 if a == "bf16" else 4
            call, model = f"make_e_fdpa({terms})", amd.make_e_fdpa(terms)
        elif architecture == "cdna2" and a in ("bf16", "f16"):
            terms = 2 if a == "bf16" and not mnemonic.endswith("_1k") else 4
            call, model = f"make_ftz_addmul({a}, {terms})", amd.make_ftz_addmul(context[a], terms)
        elif architecture == "cdna3" and a in ("xf32", "bf16", "f16"):
            terms = 4 if a == "xf32" else 8
            call, model = f"make_tr_fdpa({terms}, {a}, {b})", amd.make_tr_fdpa(terms, context[a], context[b])
        elif architecture == "cdna3" and a.endswith("fnuz"):
            call, model = f"make_gtr_fdpa(16, {a}, {b})", amd.make_gtr_fdpa(16, context[a], context[b])
        else:
            return None
        return call, lambda row: model(row["a"], row["b"], row["c"])

    def of_nvidia(self, architecture, mnemonic, shown):
        nv, context = self.nv, self.contexts
        a, b, d = shown["a"], shown["b"], shown["d"]
        narrow = width(a) <= 8 and width(b) <= 8
        at = {"volta": 0, "turing": 1, "ampere": 2, "ada": 2, "hopper": 3, "blackwell": 4, "rtx-blackwell": 4}[architecture]
        if mnemonic.startswith("mma.m8n8k4") and at == 1:
            return None  # the tables have only Turing's own instructions
        fraction_bits = (23, 24, 24, 25, 25)[at]
        if "scale" in shown:
            if a == b == "e2m1" and shown["k"] == 64:
                model = nv.make_gst_fdpa(16, context[shown["scale"]], 35, nv.RZ_FP32)
                copies = shown["scale_block"] // 16

                def scaled(row):
                    factors = [[x for x in row[key] for _ in range(copies)] for key in ("sa", "sb")]
                    return model(row["a"], row["b"], row["c"], *factors)

                return f"make_gst_fdpa(16, {shown['scale']}, 35, RZ_FP32)", scaled
            model = nv.make_st_fdpa(context[a], context[b], context[shown["scale"]], fraction_bits, nv.RZ_FP32)
            return (f"make_st_fdpa({a}, {b}, {shown['scale']}, {fraction_bits}, RZ_FP32)",
                    lambda row: model(row["a"], row["b"], row["c"], row["sa"][0], row["sb"][0]))
        is_mma = mnemonic.startswith("mma.")
        options = {"is_mma": is_mma}
        if narrow and (architecture == "ada" or (at == 3 and not is_mma)):
            terms, fraction_bits = (16, 13) if architecture == "ada" else (32, 13)
            options = {"e_zero": {"ada": {"f32": -132, "f16": -21}, "hopper": {"f32": -133, "f16": -133}}[architecture][d]}
            rho = "RZ_E8M13" if d == "f32" else "RNE_FP16"
        elif narrow and (at < 4 or architecture == "blackwell" and is_mma):
            return None  # FP8 `mma`, which assemblers implement by two f16 instructions
        else:
            terms = 32 if narrow else (4, 8, 8, 16, 16)[at] // (2 if a == "tf32" else 1)
            rho = "RZ_FP32" if d == "f32" else "RNE_FP16"
        model = nv.make_t_fdpa_chain(terms, context[a], context[b], context[d], fraction_bits, getattr(nv, rho), **options)
        more = ", ".join(f"{key}={x}" for key, x in options.items())
        return (f"make_t_fdpa_chain({terms}, {a}, {b}, {d}, {fraction_bits}, {rho}, {more})",
                lambda row: model(row["a"], row["b"], row["c"]))


# Rows: patterns as integers, by operand


class Drawn:
    """Patterns of one format."""

    def __init__(self, name, source):
        self.name, self.source = name, source
        self.exponent_bits, self.fraction_bits, self.bias, self.ignored = FORMATS[name]
        self.is_signed = not name.startswith("u")
        self.least = 1 - self.bias - self.fraction_bits  # exponent of the least number

    def pack(self, sign, field, fraction):
        bits = fraction | field << self.fraction_bits
        return (bits | (sign and self.is_signed) << (self.fraction_bits + self.exponent_bits)) << self.ignored

    def any(self):
        return self.pack(self.source.getrandbits(1), self.source.getrandbits(self.exponent_bits),
                         self.source.getrandbits(self.fraction_bits) if self.fraction_bits else 0)

    def edge(self):
        top = (1 << self.exponent_bits) - 1
        last = (1 << self.fraction_bits) - 1
        field, fraction = self.source.choice(
            [(0, 0), (0, 0), (0, 1 & last), (0, last), (1, 0), (self.bias, 0), (top - 1, last), (top, 0), (top, last)])
        return self.pack(self.source.getrandbits(1), field, fraction)

    def power(self, exponent):
        """A power of two, subnormal ones too; 0 where the format has none so small."""
        if exponent + self.bias > 0:
            return self.pack(self.source.getrandbits(1), min(exponent + self.bias, (1 << self.exponent_bits) - 2), 0)
        shift = exponent + self.bias - 1 + self.fraction_bits
        return self.pack(self.source.getrandbits(1), 0, 1 << shift) if shift >= 0 else 0

    def near(self, exponent, spread):
        """A normal number of about that exponent, where the format has one; few fraction bits, as often as all."""
        field = min(max(exponent + self.source.randint(-spread, spread) + self.bias, 0), (1 << self.exponent_bits) - 2)
        fraction = self.source.getrandbits(self.fraction_bits) if self.fraction_bits else 0
        if self.source.random() < 0.5:
            fraction &= -1 << max(0, self.fraction_bits - 2)
        return self.pack(self.source.getrandbits(1), field, fraction)


def drawn_row(shown, source, kind):
    k = shown["k"]
    a, b, c = (Drawn(shown[key], source) for key in "abc")
    sizes = {key: 1 if "scale" not in shown else k // shown["scale_block"] for key in ("sa", "sb")}
    if kind in (0, 1, 2):
        def draw(of):
            if kind == 2 and source.random() < 0.4:
                return of.pack(source.getrandbits(1), 0, 0)
            return of.edge() if kind == 1 else of.any()
        row = {"a": [draw(a) for _ in range(k)], "b": [draw(b) for _ in range(k)], "c": [draw(c)]}
    else:
        # 3: about one; 4: small products and c; 5: a few terms, some of which cancel; 6: small, and
        # few terms; 7: a product of about half of d's least number, and smaller ones, for which
        # floors matter.
        small = kind in (4, 6)
        of_a, of_b = (source.randint(min(0, 2 - x.bias), 0) if small else source.randint(-3, 3) for x in (a, b))
        spread = source.choice([0, 1, 4, 12])
        row = {"a": [a.near(of_a, spread) for _ in range(k)], "b": [b.near(of_b, spread) for _ in range(k)],
               "c": [c.near(of_a + of_b + source.choice([-26, -24, -8, 0, 0, 1]), 3)]}
        if kind in (5, 6):
            for i in range(k):
                if source.random() < 1 - 4 / k:
                    row["a"][i] = row["b"][i] = 0
            for i in range(1, k):
                if source.random() < 0.3:
                    j = source.randrange(i)
                    row["a"][i], row["b"][i] = row["a"][j] ^ a.pack(1, 0, 0), row["b"][j]
        if kind == 7:
            d = Drawn(shown["d"], source)
            below = 0
            row["a"], row["b"] = [0] * k, [0] * k
            for i in source.sample(range(k), min(k, 3)):
                exponent = 0 - d.bias - d.fraction_bits - below + (0 if below else source.choice([0, 0, 1]))
                least, last = max(a.least, exponent), min(0, exponent - b.least)
                if least > last:
                    break  # less than the least product
                of_a = source.randint(least, last)
                row["a"][i], row["b"][i] = a.power(of_a), b.power(exponent - of_a)
                below += source.choice([source.randint(1, 30), source.randint(20, 26), source.randint(20, 26)])
        if source.random() < 0.3 or kind == 7:
            row["c"] = [0]
    if "scale" in shown:
        scale = Drawn(shown["scale"], source)
        for key, size in sizes.items():
            row[key] = [scale.any() if source.random() < 0.1 else scale.near(0, source.choice([0, 2, 40])) for _ in range(size)]
    return row


def text_of(shown, row):
    formats = {"sa": shown.get("scale"), "sb": shown.get("scale")}
    return {key: " ".join(word(formats.get(key) or shown[key], x) for x in row[key]) for key in OPERANDS if key in row}


class Compared:
    """One instruction by both."""

    def __init__(self, tool, name, shown, model):
        self.tool, self.name, self.shown, self.model = tool, name, shown, model

    def ours(self, rows):
        lines = "".join(json.dumps({"instr": self.name, **text_of(self.shown, row)}) + "\n" for row in rows)
        out = self.tool.run("eval", self.name, "--rows", "-", stdin=lines)
        found = [json.loads(line)["d"] for line in out.splitlines()]
        return [canonical(self.shown["d"], d) for d in found]

    def theirs(self, row):
        formats = {"sa": self.shown.get("scale"), "sb": self.shown.get("scale")}
        numbers = {key: [value(formats.get(key) or self.shown[key], x) for x in bits] for key, bits in row.items()}
        numbers["c"] = numbers["c"][0]
        return pattern(self.shown["d"], float(self.model(numbers)))

    def kind(self, row, d):
        """Of an input and our result: "equal", "zeros" (theirs differs in the sign of a zero alone) or "differ"."""
        other = self.theirs(row)
        if d == other:
            return "equal"
        return "zeros" if {d[1:].strip("0"), other[1:].strip("0")} == {""} and d[0] in "08" and other[0] in "08" else "differ"

    def kinds(self, rows):
        return [self.kind(row, d) for row, d in zip(rows, self.ours(rows))]

    def simpler(self, row):
        """Inputs that are a step simpler."""
        k = self.shown["k"]
        for i in range(k):
            if row["a"][i] or row["b"][i]:
                yield {**row, "a": row["a"][:i] + [0] + row["a"][i + 1:], "b": row["b"][:i] + [0] + row["b"][i + 1:]}
        for key in OPERANDS:
            if key not in row:
                continue
            name = self.shown[key] if key in self.shown else self.shown["scale"]
            _, fraction_bits, bias, ignored = FORMATS[name]
            one = bias << (fraction_bits + ignored)
            fraction = ((1 << fraction_bits) - 1) << ignored
            sign = 0 if name.startswith("u") else 1 << (width(name) - 1)
            for i, x in enumerate(row[key]):
                steps = [one] if key in ("sa", "sb") or (key != "c" and x not in (0, one)) else [0] if key == "c" else []
                steps += [x & ~sign, x & ~fraction, x & (x - 1) if x & fraction else x]
                for y in steps:
                    if y != x and (y or key == "c"):
                        yield {**row, key: row[key][:i] + [y] + row[key][i + 1:]}

    def shrunk(self, row, kind):
        while True:
            candidates = list(self.simpler(row))
            found = next((c for c, d in zip(candidates, self.ours(candidates)) if self.kind(c, d) == kind), None)
            if found is None:
                return row
            row = found


def compare(tool, name, call, model, count):
    shown = tool.show(name)
    source = random.Random(name)
    rows = [drawn_row(shown, source, min(i % 9, 7)) for i in range(count)]
    compared = Compared(tool, name, shown, model)
    kinds = compared.kinds(rows)
    answer = {"instr": name, "model": call, "rows": count, "equal": kinds.count("equal"), "zeros": kinds.count("zeros"),
              "differ": kinds.count("differ")}
    for kind in ("differ", "zeros"):
        if kind in kinds:
            of_kind = [row for row, k in zip(rows, kinds) if k == kind]
            row = compared.shrunk(min(of_kind, key=lambda r: sum(map(bool, r["a"])) + sum(map(bool, r["b"]))), kind)
            answer["smallest"] = {**text_of(shown, row), "d": compared.ours([row])[0], "fpy": compared.theirs(row)}
            break
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fpy", required=True, help="a copy of the repository bksaiki/fpy")
    parser.add_argument("--mmaspec", default="build/release/bin/mmaspec", help="the command")
    parser.add_argument("--rows", type=int, default=2000, help="rows of each design")
    parser.add_argument("--only", help="designs whose instruction's name holds this")
    options = parser.parse_args()
    tool = Tool(options.mmaspec)
    models = Models(options.fpy)
    version = subprocess.run(["git", "-C", options.fpy, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True)
    kept = {}
    if options.only and os.path.exists(ANSWERS):
        with open(ANSWERS, encoding="utf-8") as lines:
            kept = {answer["instr"]: answer for answer in map(json.loads, lines)}
    answers, seen = [], {}
    for line in tool.run("list", "--json").splitlines():
        name = json.loads(line)["instr"]
        found = None if name.split("/")[0] not in KNOWN else models.of(name, tool.show(name))
        if not found:
            continue
        key = (meaning(tool.show(name)), found[0])
        if key in seen:
            seen[key]["more"] = seen[key].get("more", 0) + 1
            continue
        if options.only and options.only not in name:
            if name in kept:
                answers.append(kept[name])
            seen[key] = {}
            continue
        answer = {**compare(tool, name, *found, options.rows), "commit": version.stdout.strip()}
        print(name, {key: answer[key] for key in ("model", "equal", "zeros", "differ")}, answer.get("smallest", ""),
              file=sys.stderr, flush=True)
        seen[key] = answer
        answers.append(answer)
    with open(ANSWERS, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(answer) + "\n" for answer in answers)


KNOWN = ("volta", "turing", "ampere", "ada", "hopper", "blackwell", "rtx-blackwell", "cdna1", "cdna2", "cdna3")

if __name__ == "__main__":
    main()
