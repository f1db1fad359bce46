#!/usr/bin/env python3
"""Compiles the MFMA kernels for each AMD target to assembly and checks that they are the instructions they claim to be.

    check_machine_code.py [PROGRAM]

PROGRAM (mmaspec-replay-hip, default from the PATH) tells the names with --list. The compiler is hipcc (or the variable
HIPCC); for a target that it does not know, the newest clang++ on the PATH that does, with the HIP headers of
ROCM_PATH (default /usr). Exit status: 0 all as claimed, 1 not, 2 no such program, 77 no compiler.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TARGETS = ("gfx908", "gfx90a", "gfx942")
ROOT = pathlib.Path(__file__).resolve().parents[3]


def compilers():
    hipcc = os.environ.get("HIPCC") or shutil.which("hipcc")
    if hipcc:
        yield [hipcc]
    for version in range(25, 13, -1):
        clang = shutil.which(f"clang++-{version}")
        if clang:
            yield [clang, "-x", "hip", f"--rocm-path={os.environ.get('ROCM_PATH', '/usr')}", "-nogpulib"]


def mnemonics(target, folder):
    """The MFMA instructions of each kernel, and the compiler that made them: None where no compiler knows the target."""
    for command in compilers():
        out = os.path.join(folder, "mfma.s")
        run = subprocess.run(command + ["-std=c++17", "-O2", "-I", str(ROOT), f"--offload-arch={target}",
                                        "--cuda-device-only", "-S", "-o", out, str(ROOT / "hardware/replay/device/hip/mfma.hip")],
                             capture_output=True, text=True)
        if run.returncode == 0:
            kernels = collections.defaultdict(list)
            kernel = None
            for line in open(out):
                label = re.match(r"_ZN\w*?mfma_kernelI\w*?\d+mfma_(\w+?)EEEv\w*:", line)
                if label:
                    kernel = label.group(1)
                    kernels[kernel] = []
                found = re.match(r"\s+(v_mfma_\w+)", line)
                if found and kernel:
                    kernels[kernel].append(found.group(1))
            return kernels, os.path.basename(command[0])
        if "invalid target ID" not in run.stderr and "unsupported HIP gpu" not in run.stderr:
            print(f"{command[0]} for {target}:\n{run.stderr[:2000]}")
    return None, None


def spelling(operation, target):
    """The mnemonic of a builtin: gfx942 has spellings of its own."""
    if target != "gfx942":
        return "v_mfma_" + operation
    result, shape, operands = re.match(r"(f\d+)_(\d+x\d+x\d+)_?(\w+)", operation).groups()
    m, _, k = map(int, shape.split("x"))
    operands = operands.replace("_1k", "")
    # A block of A has m rows; elements that 64 lanes hold beyond one block's k belong to further
    # blocks.
    per_lane = {"f32": 1, "f64": 1, "xf32": 2, "f16": 4, "bf16": 4}.get(operands, 8)
    blocks = 64 * per_lane // (m * k)
    return f"v_mfma_{result}_{shape}_" + (f"{blocks}b_" if blocks > 1 else "") + operands


def fail(message):
    print(f"check_machine_code.py: {message}", file=sys.stderr)
    sys.exit(2)


def needs_of(program):
    """What `PROGRAM --list` says: the instructions, and which targets have each."""
    # A name without a path is a file in this folder, or a program on the PATH.
    path = os.path.abspath(program) if os.path.exists(program) else shutil.which(program)
    if path is None:
        fail(f"no program {program}, neither here nor on the PATH")
    try:
        run = subprocess.run([path, "--list"], capture_output=True, text=True)
    except OSError as error:
        fail(f"cannot run {program}: {error.strerror}")
    if run.returncode != 0:
        fail(f"{program} --list ended with status {run.returncode}")
    try:
        return dict(line.split("\tneeds ") for line in run.stdout.strip().split("\n"))
    except ValueError:
        fail(f"{program} --list does not list instructions: is it mmaspec-replay-hip?")


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 2
    needs = needs_of(sys.argv[1] if len(sys.argv) > 1 else "mmaspec-replay-hip")
    if not list(compilers()):
        print("check_machine_code.py: no hipcc and no clang++ found: skipped")
        return 77
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            kernels, compiler = mnemonics(target, folder)
            if kernels is None:
                print(f"{target}: no compiler here knows it")
                continue
            good = 0
            for name, where in needs.items():
                operation = name.removeprefix("v_mfma_")
                found = kernels.get(operation, [])
                wanted = [spelling(operation, target)] if target in where else []
                if found == wanted:
                    good += bool(wanted)
                else:
                    print(f"FAULT {target} {operation}: {found}, expected {wanted}")
                    faults += 1
            print(f"{target}: {good} kernels run their instruction ({compiler})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
