#!/usr/bin/env python3
"""Identifies every distinct design of the catalogue behind an oracle that answers as it does.

A design is distinct by its operand formats, its K and its parameters. Writes docs/identify-catalogue.md
(or --out): inputs asked, designs that were left, whether their equality is proved, seconds. Exits with 1
if a name is wrong or missing. With --keep, only the designs that the options select are asked; the rows of all
others are taken from an earlier table. This is for changes of a few designs: the whole table takes about 25
minutes of CPU time. The page names the designs that neither table has.

    tools/identify_catalogue.py --mmaspec build/release/bin/mmaspec [--k 16] [--only TEXT] [--keep FILE]
"""

import argparse
import concurrent.futures
import json
import resource
import shlex
import subprocess
import sys
import threading


PROVED = "identified, proved equal"
WRONG = ", not as this"


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


def kept_rows(file):
    """The rows of an earlier table by the name of their design: the cells from K on."""
    rows = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("| `"):
                _, name, _, *cells, _ = (cell.strip() for cell in line.split("|"))
                rows[name.strip("`")] = cells
    return rows


def summary(rows):
    """What the table's rows say together, as lines of text."""
    inputs = max((int(cells[1]) for _, _, cells in rows if cells[1]), default=0)
    proved = sum(cells[4] == PROVED for _, _, cells in rows)
    short = sum(int(cells[0]) <= 16 for _, _, cells in rows)
    named = sum(WRONG not in cells[4] for _, _, cells in rows)
    lines = [f"{len(rows)} distinct designs, {short} of them with K up to 16: {named} are rightly named, {proved} of",
             f"them with equality proved. The largest number of inputs is {inputs}."]
    open_ones = [f"`{name}`" for name, _, cells in rows if cells[4] != PROVED]
    return lines + ([f"Not proved: {', '.join(open_ones)}."] if open_ones else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--out")
    parser.add_argument("--k", type=int, default=4096, help="designs of at most this K")
    parser.add_argument("--above", type=int, default=0, help="and of more than this K")
    parser.add_argument("--only", action="append", help="designs with a name that holds this; may be given again")
    parser.add_argument("--keep", metavar="FILE", help="an earlier table, whose rows stand for the designs not asked")
    parser.add_argument("--algorithm", action="append", help="designs of this one; may be given again")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="one of so many")
    options, arguments = parser.parse_known_args()

    catalogue = distinct(options.mmaspec, options.algorithm)
    designs = [(f, names) for f, names in catalogue if options.above < f[4] <= options.k
               and any(part in name for part in options.only or [""] for name in names)][::options.every]
    kept = {}
    if options.keep:
        rows = kept_rows(options.keep)
        asked = {names[0] for _, names in designs}
        kept = {names[0]: rows[names[0]] for _, names in catalogue if names[0] not in asked and names[0] in rows}
    lines = {}
    bad = 0
    lock = threading.Lock()

    def one(number):
        nonlocal bad
        formats, names = designs[number]
        found = identify(options.mmaspec, formats, names, arguments)
        # An answer that ended early, or that no design fits, names none.
        right = names[0] in found.get("names", [])
        proved = found.get("equal") == "proved"
        with lock:
            if not right:
                bad += 1
            verdict = (found["verdict"] + ("" if right else WRONG) +
                       (", proved equal" if proved else f", equality {found.get('equal', 'not asked')}"))
            lines[names[0]] = [str(cell) for cell in (
                formats[4], found.get("inputs", ""), found.get("fitting", ""), found.get("expressions", ""), verdict,
                f"{found.get('seconds', 0):.1f}", f"{found.get('cpu', 0):.1f}")]
            print(f"{len(lines)}/{len(designs)} {names[0]} {' '.join(lines[names[0]])} {found.get('why', '')} "
                  f"{found.get('not_decided', [])[:2]}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, range(len(designs))))

    lines |= kept
    rows = [(names[0], len(names), lines[names[0]]) for _, names in catalogue if names[0] in lines]
    unasked = [f"`{names[0]}`" for _, names in catalogue if names[0] not in lines] if options.keep else []
    head = ["# Every design of the catalogue, identified",
            "",
            "`tools/identify_catalogue.py` writes this page. Each distinct design (formats, K, parameters) answers as an oracle,",
            "and `mmaspec identify` searches for it in the whole default space.",
            "",
            "- inputs: questions before the confirming rows",
            "- left: designs of the space that fit all answers",
            "- expressions: how many of them remain after parameters that no input shows are removed",
            "- seconds: wall time, including the confirmation by 10,000 rows, each asked twice, on two cores with other load",
            "- CPU: processor time, including that of the oracle, and of the other design if two are asked at a time (`--jobs 2`)",
            "",
            *summary(rows),
            *(["", "Not asked yet:", "", *[f"- {name}" for name in unasked]] if unasked else []),
            "",
            "| design | names | K | inputs | left | expressions | verdict | seconds | CPU |",
            "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |"]
    text = "\n".join(head + [f"| `{name}` | {count} | {' | '.join(cells)} |" for name, count, cells in rows]) + "\n"
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        print(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
