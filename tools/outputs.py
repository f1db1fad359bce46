#!/usr/bin/env python3
"""Prints what users see when they run mmaspec: the output of an example of every command, and of typical mistakes.

    tools/outputs.py [--check] [--only COMMAND] MMASPEC

The output is there to be read from top to bottom, together with the list of tools/strings.py, which holds the strings of
the sources. Help texts are in docs/commands.md. The commands run in a new folder with small inputs, and some of them need
solvers. Examples of `rtl` need Yosys.

With --check the tool prints only the findings of tools/prose.py in these outputs. The exit status is 1 if there is one,
or if a command of the program has no example.
"""

import argparse
import json
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import prose

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 120  # limit of each command

VOLTA = "volta/mma.m8n8k4.f32.f16.f16.f32"
TURING = "turing/mma.m16n8k8.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"
HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
CDNA3 = "cdna3/v_mfma_f32_32x32x8_f16"
E5M2 = "k=1,a=e5m2,b=e5m2,c=e5m2,d=e5m2"
SMALL = f"design:fused-dot-add({E5M2},fraction_bits=6)"
FMA = f"design:sequential-fma({E5M2})"
ROW = {"instr": VOLTA, "a": "3c00 3c00 0000 0000", "b": "3c00 3c00 0000 0000", "c": "3f000000", "d": "40200000"}

# Command lines. A line that starts with "!" is a mistake, which the command must refuse.
COMMANDS = f"""
list --arch volta
list --products --arch hopper
!list --arch hoper
show {VOLTA}
show --parameters fused-dot-add
show --parameters split-k
!show volta/mma.m8n8k4
eval {VOLTA} --a 1,0x1p-12 --b 1,0x1p-12 --c 0.5 --trace
eval {VOLTA} --a 0.1 --b 0.2 --round
eval {VOLTA} --rows rows.jsonl
!eval {VOLTA} --a 0.1
!eval {VOLTA} --a 1,2,3,4,5
verify rows.jsonl
verify wrong.jsonl
!verify broken.jsonl
diff {HOPPER} {AMPERE}
diff {VOLTA} {CDNA3} --ulp 4 --distribution normal --samples 1000
diff {SMALL} {FMA}
diff {VOLTA} {TURING} --where 'c == 0' --timeout 20
diff {FMA} {FMA} --certificates proofs
diff v100 t4 --timeout 20
diff {VOLTA} cdna2/v_mfma_f64_16x16x4f64
!diff {VOLTA} x86/vpdpbusds
!diff {VOLTA} {HOPPER} --where 'c = 0'
!diff {VOLTA}
check {VOLTA} --timeout 20
export {SMALL} --format verilog
!export {VOLTA} --format vhdl
export {SMALL} --format sva --module dot --latency 2 --bind unit --valid-in valid_i --valid-out valid_o --reset rst_n=0
export {VOLTA} --format coverage --module dot --out coverage.sv
export {VOLTA} --format rows --count 2
export {VOLTA} --format csv --count 2 --where 'normal(a[*])'
!export {VOLTA} --format sva --map a=x
replay rows.jsonl --device @mma-sim
replay {VOLTA} --random 2 --dry-run
replay {VOLTA} {VOLTA}@mma-sim-2025 --decide --count 1 --dry-run
!replay rows.jsonl --device opencl
prove --list
prove monotone-c {VOLTA}
prove commutative {HOPPER}
prove error-bound {VOLTA} --timeout 20
prove correctly-rounded {VOLTA} --where 'normal(a[*])' 'normal(b[*])' --timeout 10
prove commutative {VOLTA} --where 'a[0] < 0 && a[0] > 1'
prove carry-bits {VOLTA} --bound 3
prove monotone-c {SMALL} --json
!prove monoton-c {VOLTA}
table {SMALL} {FMA} --timeout 5
matrix {SMALL} {FMA} --timeout 5
matrix {SMALL} {FMA} --timeout 5 --results matrix.jsonl
merge matrix.jsonl --out merged.jsonl
suite {SMALL} {FMA} --timeout 10
suite {VOLTA} {TURING} --timeout 10
identify --oracle 'python3 oracle.py' --formats f16,f16,f32,f32 --k 4 --space 'sequential-fma' --timeout 60
identify --formats f16,f16,f32,f32 --k 4 --space
!identify --oracle false --formats f16,f16,f32,f32 --k 4
tolerance {VOLTA} {TURING} --where 'abs(a[*]) <= 1' 'abs(b[*]) <= 1' 'c == 0' --timeout 10
tolerance {VOLTA} {TURING} --rtol 0 --confidence 0.999 --samples 2000 --timeout 10
certify proofs
!certify rows.jsonl
rtl dot.v --top dot --against {SMALL} --timeout 60
rtl other.v --top dot --against {SMALL} --timeout 60
!rtl dot.v --top dot --against {SMALL} --map flags=d[4:0]
!rtl missing.v --top dot --against {SMALL}
explore 'design:fused-dot-add({E5M2},fraction_bits=4..6)' --require monotone-c --timeout 60
compare a.npy b.npy {HOPPER} {CDNA3}
explain a.npy b.npy d.npy volta --timeout 30
explain a.npy b.npy d.npy other.npy volta hopper --timeout 30
!explain a.npy d.npy b.npy volta
help where
help plan
help diff
!help plans
!completion csh
!difff {VOLTA} {HOPPER}
"""


def npy(rows, columns, values, code="e"):
    """The contents of a .npy file."""
    dtype = "<f2" if code == "e" else "<f4"
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    length = struct.pack("<H", len(header))
    return b"\x93NUMPY\x01\x00" + length + header.encode() + struct.pack(f"<{len(values)}{code}", *values)


def write_inputs(folder, mmaspec):
    """The files that the command lines name."""
    (folder / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    (folder / "wrong.jsonl").write_text(json.dumps(ROW | {"d": "40200001"}) + "\n")
    (folder / "broken.jsonl").write_text('{"instr": "volta/mma", "a": "3c00"}\n{"instr": }\n')
    (folder / "oracle.py").write_bytes((ROOT / "examples/oracle.py").read_bytes())
    numbers = [((7 * i) % 31 - 15) / 7 for i in range(4 * 32)]
    (folder / "a.npy").write_bytes(npy(4, 32, numbers))
    (folder / "b.npy").write_bytes(npy(32, 4, numbers[::-1]))
    for name, unit in (("d", VOLTA), ("other", HOPPER)):
        (folder / f"{name}.npy").write_bytes(npy(4, 4, products(mmaspec, unit, numbers, folder), "f"))
    for name, design in (("dot", SMALL), ("other", FMA)):
        run([mmaspec, "export", design, "--format", "verilog", "--module", "dot", "--out", f"{name}.v"], folder)


def products(mmaspec, unit, numbers, folder):
    """The elements of A * B on a unit, for A and B of write_inputs()."""
    patterns = [struct.pack(">e", x).hex() for x in numbers]
    rows = [{"instr": unit, "a": " ".join(patterns[32 * i:][:32]), "b": " ".join(patterns[::-1][j::4]), "c": "00000000"}
            for i in range(4) for j in range(4)]
    (folder / "products.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = run([mmaspec, "eval", unit, "--chain", "32", "--rows", "products.jsonl"], folder)[1]
    return [struct.unpack(">f", bytes.fromhex(json.loads(line)["d"]))[0] for line in out.splitlines()]


def run(command, folder):
    """The exit status, standard output and standard error of a command."""
    try:
        finished = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return None, "", f"not finished in {SECONDS} s\n"
    return finished.returncode, finished.stdout, finished.stderr


def outputs(mmaspec, only):
    """(command line, whether it is a mistake, status, output) of each command."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder, mmaspec)
        for line in COMMANDS.strip().split("\n"):
            arguments = shlex.split(line.removeprefix("!"))
            if (only and arguments[0] != only) or (arguments[0] == "rtl" and not shutil.which("yosys")):
                continue
            status, out, err = run([mmaspec, *arguments], folder)
            yield line.removeprefix("!"), line.startswith("!"), status, out + err


def commands_of(mmaspec):
    """The names of the program's commands."""
    help_text = run([mmaspec, "help", "--markdown"], ROOT)[1]
    usages = re.findall(r"^## ([a-z]+)\n\n.*?\n\n```\nmmaspec \1 ", help_text, re.MULTILINE)
    return set(usages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mmaspec", help="the program", metavar="MMASPEC")
    parser.add_argument("--check", action="store_true", help="print only the findings of tools/prose.py")
    parser.add_argument("--only", help="only the examples of this command", metavar="COMMAND")
    options = parser.parse_args()
    mmaspec = str(pathlib.Path(options.mmaspec).resolve())
    shown = {line.removeprefix("!").split()[0] for line in COMMANDS.strip().split("\n")}
    faults = [f"no example of `mmaspec {name}`" for name in sorted(commands_of(mmaspec) - shown)]
    for line, is_mistake, status, output in outputs(mmaspec, options.only):
        if (status == 2) != is_mistake:
            faults.append(f"mmaspec {line}: exit status {status}: {output.strip()[-200:]}")
        if options.check:
            faults += [f"mmaspec {line}: {message}" for message in prose.patterns_in(output)]
        else:
            print(f"$ mmaspec {line}\n{output.rstrip()}\n[exit status {status}]\n", flush=True)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
