#!/usr/bin/env python3
"""Reads the machine code of mmaspec-replay-cuda and checks that every kernel runs the instruction it claims.

    check_machine_code.py PROGRAM

Needs cuobjdump and nvdisasm (on the PATH, in CUDA_HOME/bin, or named by the variables CUOBJDUMP and NVDISASM; without a
CUDA toolkit: `pip download nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm`). Exit status: 0 all as claimed, 1 not, 2 no such
program, 77 no disassembler. What `mma.sync` is compiled to where the hardware lacks it is reported, and for FP8 followed from register to
register: see docs/notes/fp8-mma-sync-on-hopper.md.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MATRIX_OPCODES = re.compile(r"(HMMA|QMMA|OMMA|DMMA|IMMA|HGMMA|QGMMA|IGMMA|UTC[A-Z]*MMA)")


def find_tool(name):
    for candidate in (os.environ.get(name.upper()), shutil.which(name),
                      os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", name)):
        if candidate and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    print(f"check_machine_code.py: no {name} found: skipped")
    sys.exit(77)


def fail(message):
    print(f"check_machine_code.py: {message}", file=sys.stderr)
    sys.exit(2)


def find_program(name):
    """A name without a path is a file here, or a program on the PATH."""
    path = os.path.abspath(name) if os.path.isfile(name) else shutil.which(name)
    return path or fail(f"no program {name}, neither here nor on the PATH")


def disassemble(program):
    """Yields (target, kernel, operation, instructions): an instruction is (predicate, opcode, operands)."""
    cuobjdump, nvdisasm = find_tool("cuobjdump"), find_tool("nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([cuobjdump, "-xelf", "all", program], cwd=folder, capture_output=True, text=True)
        if run.returncode != 0:
            said = run.stderr.strip().split("\n")[-1]
            fail(f"cuobjdump ended with status {run.returncode} for {program}: {said}")
        for cubin in sorted(pathlib.Path(folder).glob("*.cubin")):
            target = re.search(r"sm_(\d+a?)", cubin.name).group(1)
            text = subprocess.run([nvdisasm, "-c", str(cubin)], check=True, capture_output=True, text=True).stdout
            kernel, code = None, []
            for line in text.split("\n"):
                section = re.match(r"\.text\.(\S+):", line)
                if section:
                    if kernel:
                        yield (target, *kernel, code)
                    # For example ...mma_sync_kernelINS1_29mma_m16n8k8_f32_f16_f16_f32EEE...
                    named = re.search(r"\d((?:mma|wgmma|tcgen05)\w*?_kernel)I\w*?\d((?:mma|wgmma|kind)_\w+?)EEEv",
                                      section.group(1))
                    kernel, code = (named.groups() if named else None), []
                found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\d)\s+)?([A-Z]\w*[.\w]*)\s*(.*?)\s*;", line)
                if kernel and found:
                    code.append(found.groups())
            if kernel:
                yield (target, *kernel, code)


def capability(target):
    return int(target.rstrip("a"))


def has_narrow(target):
    return target in ("120a", "121a")


def expected_of_integers(parts, target):
    """Chips from Hopper on have no INT4."""
    arch = capability(target)
    saturates = r"\.SAT" if "satfinite" in parts else ""
    shape, a, b = parts[1], *(x.upper() for x in parts[parts.index("s32") + 1:][:2])
    k = shape.split("k")[1]
    if parts[0] == "wgmma":
        return rf"IGMMA\.64x8x{k}\.{a}\.{b}{saturates}" if target == "90a" else None
    m = shape[1:].split("n")[0]
    if arch < (75 if m == "8" else 80):
        return None
    if "4" in a and arch >= 90:
        return "INT4 emulation"
    # From sm_120 on, the shape with eight rows is executed as the one with sixteen.
    return rf"IMMA\.({m}|16)8{k}\.{a}\.{b}{saturates}"


def expected(operation, target):
    """What the kernel must contain: a pattern for its one matrix instruction, None where the target lacks the
    instruction, or the name of an emulation."""
    arch = capability(target)
    if operation.startswith("kind_"):
        kind = {"kind_f16": "UTCHMMA", "kind_tf32": "UTCHMMA", "kind_f8f6f4": "UTCQMMA", "kind_mxf8f6f4_1x": "UTCQMMA",
                "kind_mxf4_2x": "UTCOMMA", "kind_mxf4nvf4_4x": r"UTCOMMA\.(4X|BLOCK16)"}[operation]
        return kind if target in ("100a", "103a") else None
    parts = operation.split("_")
    if "s32" in parts:
        return expected_of_integers(parts, target)
    if parts[0] == "wgmma":
        shape, d, a, b = parts[1:]
        k = shape.split("k")[1]
        result = "F16" if d == "f16" else "F32"
        if a in ("e4m3", "e5m2"):
            pattern = rf"QGMMA\.64x8x{k}\.{result}\.{a.upper()}\.{b.upper()}"
        else:
            pattern = rf"HGMMA\.64x8x{k}\.{result}" + {"f16": "", "bf16": r"\.BF16", "tf32": r"\.TF32"}[a]
        return pattern if target == "90a" else None
    if operation.startswith("mma_block_scale_m16n8k64"):
        suffix = {"block32_ue8m0": "E8", "block16_ue4m3": r"UE4M3\.4X", "block16_ue8m0": r"E8\.4X"}
        return r"OMMA\.SF\.16864\.F32\.E2M1\.E2M1\." + suffix["_".join(parts[4:])] if has_narrow(target) else None
    if operation.startswith("mma_block_scale"):
        a, b = parts[4:]
        return rf"QMMA\.SF\.16832\.F32\.{a.upper()}\.{b.upper()}\.E8" if has_narrow(target) else None

    shape, d, a, b, _ = parts[1:]
    k = shape.split("k")[1]
    if a == "f64":
        if arch < 80 or (shape != "m8n8k4" and arch < 90):
            return None
        if shape == "m8n8k4":
            return r"DMMA\.(884|8x8x4)"
        return rf"DMMA\.16x8x{k}" if arch == 90 else "f64 emulation"
    if shape == "m8n8k4":
        return r"HMMA\.884" if arch < 80 else "m8n8k4 emulation"
    if a in ("f16", "bf16", "tf32"):
        if arch < 80 and (a != "f16" or k != "8"):
            return None
        return rf"HMMA\.168{k}\.{d.upper()}" + {"f16": "", "bf16": r"\.BF16", "tf32": r"\.TF32"}[a]
    if {a, b} <= {"e4m3", "e5m2"}:
        if arch < 89:
            return None
        if arch == 89 or arch >= 120:
            return rf"QMMA\.168{k}\.{d.upper()}\.{a.upper()}\.{b.upper()}"
        return "fp8 emulation"
    return rf"QMMA\.16832\.{d.upper()}\.{a.upper()}\.{b.upper()}" if has_narrow(target) else None


def registers(operand, count):
    base = re.match(r"-?\|?R(\d+)", operand)
    return [f"R{int(base.group(1)) + i}" for i in range(count)] if base else []


def follow_fp8(operation, code):
    """What an emulated FP8 mma.sync computes, read from register to register: a short text, or None if it is not of a
    known form. A register holds "lo" or "hi" (f16 made of bytes 0, 1 or 2, 3) or the number of the HMMA that wrote it."""
    k16 = "m16n8k16" in operation
    half = "_f16_" in operation
    holds, steps, additions = {}, [], collections.Counter()
    for predicate, opcode, text in code:
        operands = [o.strip() for o in text.split(",")]
        if opcode.startswith("F2FP.F16") and ".UNPACK_B" in opcode:
            holds[operands[0]] = "hi" if operands[1].split(".")[-1] == "H1" or ".H1" in operands[1] else "lo"
        elif opcode.startswith("HMMA"):
            a = registers(operands[1], 2 if k16 else 4)
            b = registers(operands[2], 1 if k16 else 2)
            halves = {holds.get(r) for r in a + b}
            c = operands[3]
            before = None if c.startswith("RZ") else holds.get(registers(c, 1)[0])
            if halves - {"lo", "hi"} or len(halves) != 1 or not (before is None or isinstance(before, int)):
                return None
            steps.append((halves.pop(), before))
            for r in registers(operands[0], 2 if half else 4):
                holds[r] = len(steps)
        elif opcode.split(".")[0] in ("FADD", "HADD2"):
            sources = [holds.get(r) for o in operands[1:] for r in registers(o, 1)]
            steps_used = tuple(sorted(s for s in sources if isinstance(s, int)))
            if steps_used:
                additions[(opcode, steps_used)] += 1
                holds[registers(operands[0], 1)[0]] = ("sum", steps_used)
        elif opcode in ("MOV", "IMAD.MOV.U32") and registers(operands[-1], 1):  # both halves of A may be one value
            holds[operands[0]] = holds.get(registers(operands[-1], 1)[0])
        elif operands and operands[0] in holds:
            del holds[operands[0]]
    add = "HADD2" if half else "FADD"
    if steps == [("lo", None), ("hi", 1)] and set(additions) == {(add, (2,))}:
        return f"s = HMMA(0, low half); s = HMMA(s, high half); d = {add}(c, s)"
    if steps == [("lo", None), ("hi", None)] and (add, (1, 2)) in additions:
        return f"d = {add}(c, {add}(HMMA(0, low half), HMMA(0, high half)))"
    return None


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 2
    program = find_program(sys.argv[1])
    faults, checked, lacking = [], collections.Counter(), collections.Counter()
    emulated = collections.defaultdict(set)
    for target, kernel, operation, code in disassemble(program):
        found = [opcode for _, opcode, _ in code if MATRIX_OPCODES.match(opcode)]
        want = expected(operation, target)
        where = f"sm_{target} {operation}"
        # The build leaves out instructions newer than the toolkit: see target_has in kernels.cuh.
        if want is None or (not found and want and "emulation" not in want and len(code) < 120):
            if want is not None:
                emulated[f"{operation}: not in this build"].add(target)
            if found:
                faults.append(f"{where}: {found}, expected none")
            lacking[target] += 1
            continue
        checked[target] += 1
        if want == "fp8 emulation":
            form = follow_fp8(operation, code)
            if form is None:
                faults.append(f"{where}: an emulation of unknown form: {found}")
            else:
                result = "f16" if "_f16_" in operation else "f32"
                emulated[f"fp8 mma.sync, {result} result: {form}"].add(target)
        elif want == "m8n8k4 emulation":
            if found or not any(opcode.startswith("FFMA") for _, opcode, _ in code):
                faults.append(f"{where}: {found}, expected scalar arithmetic")
            emulated["m8n8k4 of f16: no matrix instruction, scalar FFMA and FADD"].add(target)
        elif want == "INT4 emulation":
            types = operation.split("_s32_")[1].upper().replace("4", "8").split("_")[:2]
            if len(found) != 2 or any(not re.fullmatch(rf"IMMA\.\d+\." + r"\.".join(types), o) for o in found):
                faults.append(f"{where}: {found}, expected two IMMA of 8-bit integers")
            emulated["mma.sync of INT4: two IMMA of 8-bit integers"].add(target)
        elif want == "f64 emulation":
            if not found or any(not opcode.startswith("DMMA.8x8x4") for opcode in found):
                faults.append(f"{where}: {found}, expected a chain of DMMA.8x8x4")
            emulated["m16n8kK of f64: a chain of DMMA.8x8x4"].add(target)
        elif not found or any(not re.fullmatch(want + r"(\..*)?", opcode) for opcode in found):
            faults.append(f"{where}: {found}, expected {want}")
    for target in checked:
        print(f"sm_{target}: {checked[target]} kernels run their instruction, {lacking[target]} answer that it is lacking")
    for form, targets in sorted(emulated.items()):
        print(f"emulated on {', '.join('sm_' + t for t in sorted(targets, key=capability))}: {form}")
    for fault in faults:
        print(f"FAULT {fault}")
    if not checked:
        print("FAULT no kernel found")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
