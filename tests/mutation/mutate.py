#!/usr/bin/env python3
"""Mutation testing of the folders on which every answer depends.

mutate.py make FOLDER [--rooms ROOM=N...] [--sources] [--cmake NAME=VALUE...]
                                      clones the last commit into FOLDER, writes N mutants into each room (changed
                                      operators, constants, conditions; off by one), with --sources none into headers,
                                      and builds the tests with all of them at once, in one process, with these options
                                      of cmake. With the options of an earlier build and ccache, only what a mutant
                                      changes is compiled.
mutate.py run FOLDER [--seconds S]    runs, for each mutant, the quick tests that reach it, the quickest first, until
                                      one fails or they have taken S seconds; writes FOLDER/results.jsonl and
                                      continues where an earlier run ended
mutate.py table FOLDER                prints the table of docs/validation.md, and each survivor

The choice of mutants is fixed: of all that a file offers, those whose hash is least. Needs git, cmake, clang and PyPI's
libclang of clang's version. A mutant is chosen at run time by MMASPEC_MUTANT (mutant.h).
"""

import argparse
import collections
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Without tests in which compilers or solvers take most of the time, and which reach the same as others.
CONCRETE = "concrete_test -OnOpenCl.*:DeviceKernel.*"
SPEC = "spec_test -*RealInstruction*"
# The folders or files, and the test programs of each; where only some tests of a program are about it, with a filter.
ROOMS = {
    "spec/parts": [SPEC, CONCRETE, "literature_test"],
    "spec/formats": [SPEC, CONCRETE, "literature_test"],
    "spec/lang": [SPEC, "encoder_test", CONCRETE],
    "concrete/evaluator.cpp": [CONCRETE, "encoder_test", SPEC],
    "concrete/aligned": [CONCRETE],
    "concrete/batch": [CONCRETE],
    "concrete/dot": [CONCRETE],
    "concrete/matrix": [CONCRETE],
    "concrete/rows": ["cli_test", "literature_test"],
    "encoder": ["encoder_test"],
    "proof/sat": ["proof_test", "certify_test"],
    "proof/kernel": ["proof_test", "certify_test"],
    "proof/recorded": ["proof_test", "certify_test"],
    "queries/values": [
        "queries_test DifferenceDefinition.*:ExactResult.*:NeighboursAndNearest.*:Ordinals.*:PatternValues.*:"
        "SameValue.*:UlpDistance.*:Differ.*:TypicalData.*",
    ],
    "queries/numbers": [
        "queries_test DifferenceDefinition.*:ExactResult.*:Negated.*:NeighboursAndNearest.*:Ordinals.*:PatternValues.*:"
        "SameValue.*:UlpDistance.*:*Where*.*:WorstCases.*:BinaryRational.*:Differ.*:*OfIntegers.*:TypicalData.*",
    ],
}
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "+", "/": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "&&": "||", "||": "&&",
}  # fmt: skip
# No warnings for what a mutant changes, whatever the options are; lines count as in the file.
PREFIX = b'#include "tests/mutation/mutant.h"\n#pragma GCC system_header\n#line 1\n'


# ---------------------------------------------------------------- candidates


def parse(file, checkout):
    from clang import cindex

    resources = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()
    options = ["-x", "c++", "-std=c++20", f"-I{checkout}", "-resource-dir", resources]
    return cindex.Index.create().parse(str(file), options)


def candidates(file, checkout):
    """(begin, end, replacement, description) of each possible mutant of the file, with offsets in bytes."""
    from clang.cindex import CursorKind

    source = file.read_bytes()
    unit = parse(file, checkout)
    found = []

    def extent(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    @functools.cache
    def is_file(name):
        return os.path.samefile(name, file)

    def here(cursor):
        return is_file(cursor.location.file.name)

    def text(begin, end):
        return source[begin:end].decode()

    def offer(begin, end, changed, what):
        original = text(begin, end)
        if "#" not in original and "//" not in original and "static_assert" not in original:
            found.append((begin, end, changed, what))

    def binary(cursor, children):
        begin, end = extent(cursor)
        left, right = extent(children[0]), extent(children[-1])
        if not begin == left[0] < left[1] <= right[0] < right[1] == end:
            return
        operator = text(left[1], right[0]).strip()
        if operator in OPERATORS:
            other = OPERATORS[operator]
            offer(begin, end, f"({text(*left)}) {other} ({text(*right)})", f"{operator} -> {other}")

    def walk(cursor):
        for child in cursor.get_children():
            if child.kind == CursorKind.STATIC_ASSERT:
                continue
            if child.location.file is not None and not here(child):
                continue
            if child.kind == CursorKind.CALL_EXPR and child.spelling == "__builtin_prefetch":  # wants constants
                continue
            children = list(child.get_children())
            begin, end = extent(child)
            if child.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
                binary(child, children)
            elif child.kind == CursorKind.CALL_EXPR and child.spelling.startswith("operator") and len(children) >= 2:
                binary(child, sorted(children, key=lambda c: c.extent.start.offset))
            elif child.kind == CursorKind.CALL_EXPR and child.spelling in ("min", "max"):
                changed = re.sub(r"\b(min|max)\b", lambda m: "max" if m[1] == "min" else "min", text(begin, end), count=1)
                offer(begin, end, changed, "min <-> max")
            elif child.kind == CursorKind.UNARY_OPERATOR and text(begin, begin + 1) in ("!", "-"):
                offer(begin, end, f"({text(begin + 1, end)})", f"{text(begin, begin + 1)}x -> x")
            elif child.kind == CursorKind.INTEGER_LITERAL and re.fullmatch(r"\d+U?", text(begin, end)):
                offer(begin, end, f"({text(begin, end)} + 1)", "n -> n + 1")
            elif child.kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
                offer(begin, end, "false" if text(begin, end) == "true" else "true", "true <-> false")
            walk(child)

    walk(unit.cursor)
    return sorted(set(found))


def choose(found, count, key):
    """`count` of them without overlaps: those with the least hashes."""
    chosen = []
    for mutant in sorted(found, key=lambda m: hashlib.sha256(f"{key}:{m[0]}:{m[3]}".encode()).hexdigest()):
        if len(chosen) == count:
            break
        if all(mutant[1] <= other[0] or other[1] <= mutant[0] for other in chosen):
            chosen.append(mutant)
    return chosen


def files_of(room, checkout, suffixes):
    if (checkout / room).is_file():
        return [checkout / room]
    return sorted(path for path in (checkout / room).rglob("*") if path.suffix in suffixes)


def rewrite(original, mutants):
    for number, (begin, end, changed, _) in sorted(mutants.items(), key=lambda m: -m[1][0]):
        written = f"(mmaspec_mutant({number}) ? ({changed}) : ({original[begin:end].decode()}))"
        original = original[:begin] + written.encode() + original[end:]
    return PREFIX + original if mutants else original


def complaints(file, checkout):
    """The lines of the file that do not compile."""
    command = ["g++", "-std=c++20", "-fsyntax-only", "-w", f"-I{checkout}"]
    if file.suffix == ".h":
        command += ["-x", "c++"]
    run = subprocess.run(command + [str(file)], capture_output=True, text=True)
    lines = {int(m[1]) for m in re.finditer(re.escape(str(file)) + r":(\d+):\d+: (?:fatal )?error", run.stderr)}
    assert run.returncode == 0 or lines, run.stderr[:2000]
    return lines


def write_mutants(checkout, rooms, suffixes):
    """Writes them, file by file, and returns a description of each."""
    offered, everything = {}, collections.Counter()
    for room in rooms:
        for file in files_of(room, checkout, suffixes):
            offered[file] = (room, candidates(file, checkout))
            everything[room] += len(offered[file][1])
    described, number = {}, 1
    for file, (room, found) in offered.items():
        count = round(rooms[room] * len(found) / everything[room] + 0.25)
        original = file.read_bytes()
        name = str(file.relative_to(checkout))
        mutants = {}
        for mutant in sorted(choose(found, count, name)):
            mutants[number] = mutant
            number += 1
        while True:
            file.write_bytes(rewrite(original, mutants))
            bad = complaints(file, checkout)
            if not bad:
                break
            left = {}
            for n, mutant in mutants.items():
                first = original[: mutant[0]].count(b"\n") + 1
                last = original[: mutant[1]].count(b"\n") + 1
                if not any(first <= line <= last for line in bad):
                    left[n] = mutant
            assert len(left) < len(mutants), (file, bad)
            mutants = left
        for n, (begin, end, changed, what) in mutants.items():
            described[n] = {
                "mutant": n, "room": room, "file": name, "line": original[:begin].count(b"\n") + 1, "what": what,
                "text": re.sub(r"\s+", " ", original[begin:end].decode()),
            }  # fmt: skip
        print(f"{name}: {len(mutants)} of {len(found)}", flush=True)
    return described


def build_of(folder):
    return folder / "checkout/build/mutants"


def programs(rooms):
    return list(dict.fromkeys(program for room in rooms for program in ROOMS[room]))


def make(folder, rooms, suffixes, options):
    checkout = folder / "checkout"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(checkout)], check=True)
    described = write_mutants(checkout, rooms, suffixes)
    (folder / "mutants.json").write_text(json.dumps(described, indent=1))
    print(f"{len(described)} mutants", flush=True)
    subprocess.run(
        ["cmake", "-S", str(checkout), "-B", str(build_of(folder)), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
         "-DCMAKE_UNITY_BUILD=ON", *(f"-D{option}" for option in options)], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    subprocess.run(["ninja", "-j1", "-C", str(build_of(folder)), *(p.split()[0] for p in programs(rooms))], check=True)


# ---------------------------------------------------------------- runs


def tests_of(program, wanted, environment):
    command = [program, "--gtest_list_tests", f"--gtest_filter={wanted or '*'}"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    suite, tests = "", []
    for line in listed.stdout.splitlines():
        line = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = line
        elif "DISABLED" not in line:
            tests.append(suite + line.strip())
    return tests


def run_test(build, test, environment, limit):
    """True if it passes, and its seconds."""
    program, name = test
    began = time.monotonic()
    try:
        done = subprocess.run(
            [str(build / "bin" / program), f"--gtest_filter={name}"], cwd=build, env=environment, timeout=limit,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        passed = done.returncode == 0
    except subprocess.TimeoutExpired:
        passed = False
    return passed, time.monotonic() - began


def reached_by(folder, rooms, environment):
    """For each test: its duration without a mutant, in seconds, and the mutants that it reaches."""
    build, path = build_of(folder), folder / "reached.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    for program, _, wanted in (entry.partition(" ") for entry in programs(sorted(rooms))):
        for name in tests_of(build / "bin" / program, wanted, environment):
            key = f"{program} {name}"
            if key in known:
                continue
            log = folder / "reached.log"
            log.unlink(missing_ok=True)
            passed, seconds = run_test(build, (program, name), environment | {"MMASPEC_MUTANTS_REACHED": str(log)}, 900)
            mutants = sorted({int(n) for n in log.read_text().split()}) if log.exists() else []
            known[key] = {"seconds": seconds, "mutants": mutants if passed else []}
            if not passed:
                print(f"not counted, fails without a mutant: {key}", flush=True)
            path.write_text(json.dumps(known))
    return known


def run(folder, most):
    build = build_of(folder)
    environment = os.environ | {"MMASPEC_PACE": "1"}
    mutants = json.loads((folder / "mutants.json").read_text())
    reached = reached_by(folder, {mutant["room"] for mutant in mutants.values()}, environment)
    reaching = collections.defaultdict(list)
    for test, about in reached.items():
        for n in about["mutants"]:
            reaching[n].append((about["seconds"], test))
    results = folder / "results.jsonl"
    done = {json.loads(line)["mutant"] for line in results.read_text().splitlines()} if results.exists() else set()
    with results.open("a") as out:
        for mutant in mutants.values():
            n = mutant["mutant"]
            if n in done:
                continue
            spent, killer = 0.0, None
            for seconds, test in sorted(reaching[n]):
                if spent > most:
                    break
                program, name = test.split(" ", 1)
                # A mutant that takes ten times as long counts as failed too.
                passed, took = run_test(build, (program, name), environment | {"MMASPEC_MUTANT": str(n)}, 30 + 10 * seconds)
                spent += took
                if not passed:
                    killer = test
                    break
            verdict = "killed" if killer else "survived" if reaching[n] else "not reached"
            line = mutant | {"verdict": verdict, "by": killer, "tests": len(reaching[n]), "seconds": round(spent, 1)}
            print(json.dumps(line), file=out, flush=True)
            print(f"{n} {verdict} {mutant['file']}:{mutant['line']} {mutant['what']} {killer or ''}", flush=True)


def table(folder):
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    print("| Folder | Mutants | Killed | Survived | Not reached |\n|---|---|---|---|---|")
    for room in [*dict.fromkeys(line["room"] for line in lines), "all"]:
        of = collections.Counter(line["verdict"] for line in lines if room in ("all", line["room"]))
        print(f"| {room} | {sum(of.values())} | {of['killed']} | {of['survived']} | {of['not reached']} |")
    for line in lines:
        if line["verdict"] != "killed":
            print(f"{line['file']}:{line['line']}: {line['what']}: {line['text']} ({line['verdict']}, {line['tests']} tests)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "run", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rooms", nargs="+", default=[f"{room}=15" for room in ROOMS])
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--cmake", nargs="+", default=[])
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if given.command == "make":
        rooms = {room: int(count) for room, count in (text.split("=") for text in given.rooms)}
        for room in rooms:
            if room not in ROOMS or not (ROOT / room).exists():
                parser.error(f"no such room: {room}")
        make(folder, rooms, [".cpp"] if given.sources else [".h", ".cpp"], given.cmake)
    elif given.command == "run":
        run(folder, given.seconds)
    else:
        table(folder)


if __name__ == "__main__":
    sys.exit(main())
