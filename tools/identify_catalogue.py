#!/usr/bin/env python3
"""Identifies every distinct design of the catalogue behind an oracle that answers as it does.

A design is distinct by its operand formats, its K and its parameters. Writes docs/identify-catalogue.md
(or --out): inputs asked, designs that were left, whether their equality is proved, seconds. Exits with 1
if a name is wrong or missing.

    tools/identify_catalogue.py --mmaspec build/release/bin/mmaspec [--k 16] [--only TEXT]
"""

import argparse
import concurrent.futures
import json
import resource
import shlex
import subprocess
import sys
import threading


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def distinct(mmaspec, algorithms):
    """One name of the catalogue for each design (of these algorithms, if any), with its formats and all its names."""
    rows = [json.loads(line) for line in run([mmaspec, "list", "--json"]).stdout.splitlines()]
    designs = {}
    for row in rows:
        if algorithms and row["algorithm"] not in algorithms:
            continue
        shown = json.loads(run([mmaspec, "show", "--json", row["instr"]]).stdout)
        parameters = tuple((p["key"], p["value"]) for p in shown["parameters"])
        formats = tuple(shown.get(key) for key in ("a", "b", "c", "d", "k", "scale", "scale_block"))
        designs.setdefault((row["algorithm"], parameters, formats), []).append(row["instr"])
    return [(formats, names) for (_, _, formats), names in designs.items()]


def identify(mmaspec, formats, names, arguments):
    a, b, c, d, k, scale, scale_block = formats
    oracle = f"{shlex.quote(mmaspec)} eval {shlex.quote(names[0])} --rows -"
    command = [mmaspec, "identify", "--json", "--oracle", oracle, "--formats", f"{a},{b},{c},{d}",
               "--k", str(k), *arguments]
    if scale:
        command += ["--scale", scale, "--scale-block", str(scale_block)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        return {"verdict": "error", "names": [], "why": done.stderr.strip()}
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout) | {"cpu": cpu}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--out")
    parser.add_argument("--k", type=int, default=4096, help="designs of at most this K")
    parser.add_argument("--above", type=int, default=0, help="and of more than this K")
    parser.add_argument("--only", default="", help="designs with a name that holds this")
    parser.add_argument("--algorithm", action="append", help="designs of this one; may be given again")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="one of so many")
    options, arguments = parser.parse_known_args()

    designs = [(f, names) for f, names in distinct(options.mmaspec, options.algorithm)
               if options.above < f[4] <= options.k and any(options.only in name for name in names)][::options.every]
    lines = {}
    bad = 0
    lock = threading.Lock()

    def one(number):
        nonlocal bad
        formats, names = designs[number]
        found = identify(options.mmaspec, formats, names, arguments)
        right = names[0] in found["names"]
        proved = found.get("equal") == "proved"
        with lock:
            if not right:
                bad += 1
            lines[number] = (f"| `{names[0]}` | {len(names)} | {formats[4]} | {found.get('inputs', '')} "
                             f"| {found.get('fitting', '')} | {found.get('expressions', '')} "
                             f"| {found['verdict']}{'' if right else ', not as this'}"
                             f"{', equality ' + found.get('equal', '') if not proved else ', proved equal'} "
                             f"| {found.get('seconds', 0):.1f} | {found.get('cpu', 0):.1f} |")
            print(f"{len(lines)}/{len(designs)} {lines[number]} {found.get('why', '')} "
                  f"{found.get('not_decided', [])[:2]}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, range(len(designs))))

    head = ["# Every design of the catalogue, identified",
            "",
            "Made by `tools/identify_catalogue.py`: each distinct design (formats, K, parameters) answers as an oracle,",
            "and `mmaspec identify` finds it in the whole default space. Inputs: asked before the confirming rows. Left:",
            "designs of the space that fit all answers; expressions: how many remain of them once parameters that no",
            "input shows are left out. Seconds: with the confirmation by 10,000 rows, each asked twice, on two cores that",
            "others used, too; CPU: seconds of processors, those of the oracle, too (with --jobs 1).",
            "",
            "| design | names | K | inputs | left | expressions | verdict | seconds | CPU |",
            "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |"]
    text = "\n".join(head + [lines[i] for i in sorted(lines)]) + "\n"
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        print(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
