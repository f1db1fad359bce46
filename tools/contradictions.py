#!/usr/bin/env python3
"""Finds where published models of one instruction disagree, by `mmaspec diff`.

    python3 tools/contradictions.py --mmaspec build/release/bin/mmaspec

runs diff for every question below and for every two variants of every instruction of the catalogue. It writes the answers
to docs/contradictions.jsonl, one line for each run. From that file and from docs/fpy.jsonl (by tools/fpy.py) it makes
docs/contradictions.md. With $MMASPEC_VECTORS (a folder with hardware/*.jsonl) it also counts how many recorded rows each
model reproduces; without it, the counts on file are kept. Runs on file whose witnesses still hold are kept.

    ... --anew           asks all questions again. This takes a few minutes.
    ... --render-only    runs no diff, and makes docs/contradictions.md from the files.
    ... --check          runs no diff, because times and solvers differ between machines. It evaluates the witnesses on file
                         again, and fails if a run of the catalogue is missing or docs/contradictions.md is out of date.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import sys

from contradictions_page import page
from contradictions_questions import questions
from contradictions_tool import OPERANDS, Recorded, Tool, meaning

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
RUNS = os.path.join(DOCS, "contradictions.jsonl")
FPY = os.path.join(DOCS, "fpy.jsonl")
PAGE = os.path.join(DOCS, "contradictions.md")

# diff is asked with each of these seeds and seconds until it has an answer: its search is fast, and
# may find with one seed what it misses with another.
QUESTION = [(seed, 0.05) for seed in range(20)] + [(0, 15)]
CATALOGUE = [(seed, 0.05) for seed in range(8)] + [(0, 1), (0, 100)]


def ask(tool, first, second, options, attempts):
    """What is written to the file of runs."""
    for seed, seconds in attempts:
        command = [first, second, *options] + (["--seed", str(seed)] if seed else [])
        answer = json.loads(tool.run("diff", *command, "--timeout", str(seconds), "--json", good=(0, 1, 3)))
        if answer["verdict"] != "undecided":
            break
    run = {"diff": command, "verdict": answer["verdict"]}
    if answer["verdict"] == "witness":
        row = answer["witnesses"][0]
        run["by"] = "search" if answer["how"] == "search" else "solver"
        run["witness"] = {key: row[key] for key in OPERANDS if key in row}
        run["d"], run["d_other"] = row["d"], row["d_other"]
    elif answer["verdict"] == "proved":
        run["by"] = answer["by"]
    return run


def without_seed(command):
    return command[: command.index("--seed")] if "--seed" in command else command


def ask_question(tool, question):
    first, second = question["between"](tool)
    if "by_hand" in question:
        run = {"diff": [first, second, *question["options"]], "verdict": "witness", "by": "hand"}
        run["witness"] = dict(question["by_hand"])
    else:
        run = ask(tool, first, second, question["options"], QUESTION)
    if run["verdict"] == "undecided" and "short" in question:
        run = ask(tool, *question["short"](tool), question["options"], QUESTION)
    print(question["section"], question["label"], run["verdict"], file=sys.stderr, sep=": ")
    if run["verdict"] != "witness":
        raise RuntimeError(f"no contradiction: {first} and {second}: {run['verdict']}")
    run = {"section": question["section"], "label": question["label"], **run}
    for key in ("a", "b"):
        given = run["witness"][key].split()
        missing = tool.show(question["first"])["k"] - len(given)
        run["witness"][key] = " ".join(given + ["0" * len(given[0])] * missing)
    # The answers of the published models themselves.
    names = [question["first"], question["second"] if isinstance(question["second"], str) else second]
    run["models"] = names
    if "verdict" in question:
        run["verdict_of"] = question["verdict"]
    run["d"], run["d_other"] = (tool.eval(name, run["witness"]) for name in names)
    if run["d"] == run["d_other"]:
        raise RuntimeError(f"{names[0]} and {names[1]} agree on the witness {run['witness']}")
    return run


def catalogue_pairs(tool, pool):
    """Pairs of variants of an instruction, in a list for all that share both meanings."""
    names = [json.loads(line)["instr"] for line in tool.run("list", "--json").splitlines()]
    list(pool.map(tool.show, names))
    variants = {name: [name + "@" + v for v in tool.show(name)["variants"]] for name in names}
    list(pool.map(tool.show, itertools.chain.from_iterable(variants.values())))
    groups = {}
    for name in names:
        for pair in itertools.combinations([name] + variants[name], 2):
            meanings = tuple(meaning(tool.show(n)) for n in pair)
            key = meanings if meanings in groups else meanings[::-1]
            groups.setdefault(key if key in groups else meanings, []).append(list(pair))
    return list(groups.values())


def ask_catalogue(tool, pairs):
    run = ask(tool, *pairs[0], [], CATALOGUE)
    return {"section": "catalogue", "pairs": pairs, **run}


def transplant(tool, run, known):
    """Tries the witnesses of other runs, the order of a and b and the number of zero products aside."""
    names = run["diff"][:2]
    shown = tool.show(names[0])
    if "scale" in shown:
        return
    for other in known:
        other_shown = tool.show(other.get("models", other["diff"])[0])
        if "scale" in other_shown or other_shown["c"] != shown["c"]:
            continue
        a, b = (other["witness"][key].split() for key in ("a", "b"))
        if [other_shown["a"], other_shown["b"]] == [shown["b"], shown["a"]]:
            a, b = b, a
        elif [other_shown["a"], other_shown["b"]] != [shown["a"], shown["b"]]:
            continue
        pairs = [p for p in zip(a, b) if int(p[0], 16) or int(p[1], 16)]
        if len(pairs) > shown["k"]:
            continue
        pairs += [("0" * len(a[0]), "0" * len(b[0]))] * (shown["k"] - len(pairs))
        row = {"a": " ".join(p[0] for p in pairs), "b": " ".join(p[1] for p in pairs), "c": other["witness"]["c"]}
        d, d_other = (tool.eval(name, row) for name in names)
        if d != d_other:
            run.update(verdict="witness", by="another's input", witness=row, d=d, d_other=d_other)
            return


def read(file):
    with open(file, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def write_page(tool, runs):
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page(tool, runs, read(FPY)))


def write_runs(runs):
    with open(RUNS, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(run) + "\n" for run in runs)


def count_recorded(tool, runs):
    folder = os.environ.get("MMASPEC_VECTORS", "")
    if os.path.isdir(os.path.join(folder, "hardware")):
        recorded = Recorded(tool, folder)
        for run in runs:
            if run["section"] != "catalogue":
                run["hardware"] = recorded.count(*run["models"])
        return
    if os.path.exists(RUNS):
        known = {(r["section"], r.get("label")): r.get("hardware") for r in read(RUNS)}
        for run in runs:
            if run["section"] != "catalogue":
                run["hardware"] = known.get((run["section"], run["label"]))


def update(tool, pool, anew):
    on_file = [] if anew or not os.path.exists(RUNS) else [r for r in read(RUNS) if holds(tool, r)]
    asked = {(r["section"], r["label"]): r for r in on_file if "label" in r}
    # All pairs of a run are one question, which stays answered if pairs are added or removed.
    paired = {json.dumps(p): r for r in on_file if "pairs" in r and r["verdict"] != "undecided" for p in r["pairs"]}
    failures = []

    def question_run(question):
        known = asked.get((question["section"], question["label"]))
        if known and without_seed(known["diff"]) in commands(tool, question):
            return known
        try:
            return ask_question(tool, question)
        except RuntimeError as failure:
            failures.append(str(failure))
            return None

    def pair_run(pairs):
        known = next((paired[json.dumps(p)] for p in pairs if json.dumps(p) in paired), None)
        if known and known["diff"][:2] in pairs:
            return {**known, "pairs": pairs}
        return ask_catalogue(tool, pairs)

    runs = [run for run in pool.map(question_run, questions()) if run]
    write_runs(runs)  # so that nothing is asked twice after an interruption
    runs += pool.map(pair_run, catalogue_pairs(tool, pool))
    known = [run for run in runs if run["verdict"] == "witness"]
    undecided = [run for run in runs if run["verdict"] == "undecided"]
    list(pool.map(lambda run: transplant(tool, run, known), undecided))
    count_recorded(tool, runs)
    write_runs(runs)
    write_page(tool, runs)
    if failures:
        sys.exit("\n".join(failures))


def holds(tool, run):
    """The witness of the run, if it has one, is still one."""
    if run["verdict"] != "witness":
        return True
    names = run.get("models", run["diff"][:2])
    return [tool.eval(name, run["witness"]) for name in names] == [run["d"], run["d_other"]]


def commands(tool, question):
    """What diff may have been asked for the question."""
    return [[*question[way](tool), *question["options"]] for way in ("between", "short") if way in question]


def check(tool, pool):
    runs = read(RUNS)
    asked = [(q["section"], q["label"], commands(tool, q)) for q in questions()]
    on_file = [(r["section"], r["label"], without_seed(r["diff"])) for r in runs if r["section"] != "catalogue"]
    if len(asked) != len(on_file) or any(
        a[:2] != f[:2] or f[2] not in a[2] for a, f in zip(asked, on_file)
    ):
        sys.exit("docs/contradictions.jsonl: its questions are out of date: run tools/contradictions.py")
    if catalogue_pairs(tool, pool) != [r["pairs"] for r in runs if r["section"] == "catalogue"]:
        sys.exit("docs/contradictions.jsonl: its instructions are out of date: run tools/contradictions.py")
    rows = []
    for run in runs:
        if run["verdict"] != "witness":
            continue
        if run["d"] == run["d_other"]:
            sys.exit(f"no contradiction: {run['diff']}")
        for name, d in zip(run.get("models", run["diff"][:2]), (run["d"], run["d_other"])):
            rows.append(json.dumps({"instr": name, **run["witness"], "d": d}))
    for answer in read(FPY):
        smallest = answer.get("smallest")
        if smallest and smallest["d"] == smallest["fpy"]:
            sys.exit(f"docs/fpy.jsonl: no contradiction: {answer['instr']}")
        if smallest and smallest["d"] != "nan":
            rows.append(json.dumps({"instr": answer["instr"], **{k: x for k, x in smallest.items() if k != "fpy"}}))
    tool.run("verify", "-", stdin="\n".join(rows) + "\n")
    if os.environ.get("MMASPEC_VECTORS"):
        counts = [r.get("hardware") for r in runs]
        count_recorded(tool, runs)
        if counts != [r.get("hardware") for r in runs]:
            sys.exit("docs/contradictions.jsonl: the counts of recorded rows are out of date: run tools/contradictions.py")
    with open(PAGE, encoding="utf-8") as f:
        if f.read() != page(tool, runs, read(FPY)):
            sys.exit("docs/contradictions.md is out of date: run tools/contradictions.py --render-only")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mmaspec", default="build/release/bin/mmaspec", help="the command")
    parser.add_argument("--check", action="store_true", help="check the files; run no diff")
    parser.add_argument("--render-only", action="store_true", help="make the page from the files; run no diff")
    parser.add_argument("--anew", action="store_true", help="ask all questions again")
    options = parser.parse_args()
    tool = Tool(options.mmaspec)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        if options.check:
            check(tool, pool)
        elif options.render_only:
            write_page(tool, read(RUNS))
        else:
            update(tool, pool, options.anew)


if __name__ == "__main__":
    main()
