#!/usr/bin/env python3
"""Identifies designs drawn from the space behind an oracle that answers as they do.

The same designs for the same seed; parameters as `identify --space` prints them, at those of known units and
beyond. A name is wrong if `mmaspec diff` finds an input on which it and the hidden design differ, or if none is
given as fitting. Prints a line a design and a summary; exits with 1 if a name is wrong.

    tools/identify_drawn.py --mmaspec build/release/bin/mmaspec [--count 300] [--seed 0]
"""

import argparse
import concurrent.futures
import json
import random
import shlex
import subprocess
import sys

FORMATS = [  # formats of a, b, c, d; K; format of scale factors
    ("f16,f16,f32,f32", 4, ()), ("f16,f16,f32,f32", 8, ()), ("f16,f16,f32,f32", 16, ()), ("f16,f16,f16,f16", 4, ()),
    ("f16,f16,f16,f16", 16, ()), ("bf16,bf16,f32,f32", 4, ()), ("bf16,bf16,f32,f32", 16, ()),
    ("tf32,tf32,f32,f32", 4, ()), ("e4m3,e4m3,f32,f32", 16, ()), ("e5m2,e5m2,f32,f32", 8, ()),
    ("e4m3,e5m2,f16,f16", 8, ()), ("e5m2,e5m2,f16,f16", 4, ()), ("f64,f64,f64,f64", 2, ()), ("f32,f32,f32,f32", 2, ()),
    ("e2m1,e2m1,f32,f32", 16, ("ue4m3", 16)),
]


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def values_of(text):
    """The values of one parameter, as `--space` prints them: 20..30|none."""
    values = []
    for part in text.split("|"):
        low, dots, high = part.partition("..")
        values += [str(v) for v in range(int(low), int(high) + 1)] if dots else [part]
    return values


def space_of(mmaspec, formats, k, scale):
    """From an algorithm's name to the values of its parameters."""
    command = [mmaspec, "identify", "--formats", formats, "--k", str(k), "--space"]
    if scale:
        command[2:2] = ["--scale", scale[0], "--scale-block", str(scale[1])]
    algorithms = {}
    for line in run(command).stdout.splitlines():
        name, bracket, rest = line.partition("(")
        if not bracket or not rest.endswith(")"):
            continue
        algorithms[name] = {key: values_of(text)
                            for key, text in (pair.split("=", 1) for pair in rest[:-1].split(","))}
    return algorithms


def draw(rng, algorithms, formats, k, scale):
    """A design in `design:` notation."""
    name = rng.choice(sorted(algorithms))
    a, b, c, d = formats.split(",")
    chosen = {"a": a, "b": b, "c": c, "d": d, "k": k}
    if scale:
        chosen |= {"scale": scale[0], "scale_block": scale[1]}
    for key, values in algorithms[name].items():
        value = rng.choice(values)
        if key == "zero_exponent":
            chosen["zero_terms"] = "left-out" if value == "none" else "operands-count"
            if value == "none":
                continue
        chosen[key] = value
    return f"design:{name}(" + ",".join(f"{key}={value}" for key, value in chosen.items()) + ")"


def identify(mmaspec, case, arguments):
    design, formats, k, scale = case
    oracle = f"{shlex.quote(mmaspec)} eval {shlex.quote(design)} --rows -"
    command = [mmaspec, "identify", "--json", "--oracle", oracle, "--formats", formats, "--k", str(k), *arguments]
    if scale:
        command += ["--scale", scale[0], "--scale-block", str(scale[1])]
    done = run(command)
    found = json.loads(done.stdout) if done.stdout else {"verdict": "error", "why": done.stderr.strip()}
    wrong = found["verdict"] in ("none fits", "error")
    if found["verdict"] == "identified" and found["design"] != design:
        asked = run([mmaspec, "diff", "--json", "--inputs", "any", "--timeout", "5", design, found["design"]])
        wrong = asked.returncode == 1
        # A design that is reported as fitting but undecided may differ.
        found["wrong"] = "the named one differs" if wrong else ""
        wrong = wrong and found["equal"] == "proved"
    return found, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mmaspec", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="leave out those before this one")
    parser.add_argument("--jobs", type=int, default=1)
    options, arguments = parser.parse_known_args()

    rng = random.Random(options.seed)
    spaces = {}
    cases = []
    while len(cases) < options.count:
        formats, k, scale = rng.choice(FORMATS)
        if (formats, k) not in spaces:
            spaces[formats, k] = space_of(options.mmaspec, formats, k, scale)
        design = draw(rng, spaces[formats, k], formats, k, scale)
        if run([options.mmaspec, "show", design]).returncode == 0:  # not all parameters go together
            cases.append((design, formats, k, scale))

    totals = {"wrong": 0, "proved equal": 0, "equality undecided": 0, "undecided": 0}
    most = {"inputs": 0, "seconds": 0.0}

    def one(number):
        found, wrong = identify(options.mmaspec, cases[number], arguments)
        verdict = found["verdict"]
        if verdict == "identified":
            verdict = "proved equal" if found["equal"] == "proved" else "equality undecided"
        totals["wrong" if wrong else verdict] = totals.get("wrong" if wrong else verdict, 0) + 1
        most["inputs"] = max(most["inputs"], found.get("inputs", 0))
        most["seconds"] = max(most["seconds"], found.get("seconds", 0))
        print(f"{number} {'WRONG ' if wrong else ''}{verdict} {found.get('inputs')} inputs, {found.get('fitting')} left, "
              f"{found.get('seconds', 0):.1f} s {cases[number][0]}"
              + ("" if verdict == "proved equal" else
                 f"\n    {found.get('why', '')} {found.get('wrong', '')} {found.get('design', '')} {found.get('expressions', '')} expressions, {found.get('not_decided', [])[:2]}"),
              flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, range(options.first, len(cases))))
    print(", ".join(f"{count} {what}" for what, count in totals.items())
          + f"; at most {most['inputs']} inputs, {most['seconds']:.0f} s")
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
