"""What tools/contradictions.py and its page know of the command mmaspec, of formats and of recorded rows."""

import collections
import glob
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile

# Rows recorded by this project.
OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "hardware")

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
    if field == (1 << exponent_bits) - 1 and name in ("f64", "f32", "tf32", "xf32", "f16", "bf16", "e5m2"):
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


def suffix(name):
    return name.partition("@")[2]


def meaning(shown):
    """What two names must share to be one model: formats, algorithm, parameters."""
    formats = [shown.get(key) for key in ("a", "b", "c", "d", "k", "scale", "scale_block")]
    return json.dumps([formats, shown["algorithm"], [[p["key"], p["value"]] for p in shown["parameters"]]])


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


class Recorded:
    """Rows of real GPUs, by what the default model of their instruction is."""

    def __init__(self, tool, folder):
        self.tool = tool
        self.files = {}
        for file in sorted(glob.glob(os.path.join(folder, "hardware", "*.jsonl"))):
            self.add(os.path.basename(file).split("_")[0], file)
        own = [os.path.join(OWN, pattern) for pattern in ("*.jsonl", "*.jsonl.gz", os.path.join("drawn", "*.gz"))]
        for file in sorted(itertools.chain.from_iterable(map(glob.glob, own))):
            gpu = os.path.basename(file).split(".")[0].split("-")[1]
            self.add("gfx942" if gpu == "probe" else gpu, file)

    def add(self, gpu, file):
        with (gzip.open if file.endswith(".gz") else open)(file, "rt", encoding="utf-8") as f:
            rows = [row for row in f.read().splitlines() if "instr" in json.loads(row)]
        of = collections.defaultdict(list)
        for row in rows:
            of[json.loads(row)["instr"]].append(row)
        for name, rows in of.items():
            self.files.setdefault(meaning(self.tool.show(name)), []).append((gpu, rows))

    def right(self, name, rows):
        """On how many rows the model is right."""
        right = 0
        for is_drawn, command in ((False, ["verify"]), (True, ["replay", "--recorded"])):
            lines = [{**row, "instr": name} for row in map(json.loads, rows) if ("drawn" in row) == is_drawn]
            if not lines:
                continue
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.write("".join(json.dumps(line) + "\n" for line in [{"device": "recorded"}, *lines]))
                file.flush()
                of = [file.name] * (2 if is_drawn else 1)
                report = self.tool.run(command[0], of[0], *command[1:], *of[1:], good=(0, 1))
            right += int(report.splitlines()[-1].split()[0])
        return right

    def count(self, first, second):
        result = {"gpus": [], "rows": 0, "first": 0, "second": 0}
        for gpu, rows in self.files.get(meaning(self.tool.show(first)), []):
            if any(name.startswith("design:") for name in (first, second)):
                rows = [row for row in rows if "drawn" not in json.loads(row)]  # of names alone
            if rows and gpu not in result["gpus"]:
                result["gpus"].append(gpu)
            result["rows"] += sum(int(json.loads(row).get("drawn", 1)) for row in rows)
            result["first"] += self.right(first, rows)
            result["second"] += self.right(second, rows)
        return result
