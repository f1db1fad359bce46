#!/usr/bin/env python3
"""Tests that the C++ API gives the answers of the command line.

    tests/consumer/answers.py PROGRAM FOLDER MMASPEC

PROGRAM is tests/consumer/answers.cpp: each line that it prints holds an answer, and the arguments with which MMASPEC
is asked the same question.
"""

import json
import pathlib
import subprocess
import sys


def asked(mmaspec, arguments, json_lines=False):
    """The output of the command with --json: a document, or one document per line."""
    put = [arguments[0], "--json", *arguments[1:]]  # before --where, which takes all words after it
    run = subprocess.run([mmaspec, *put], capture_output=True, text=True)
    assert run.returncode in (0, 1), f"{put}: status {run.returncode}: {run.stderr}"
    return [json.loads(line) for line in run.stdout.splitlines()] if json_lines else json.loads(run.stdout)


def without(document, *keys):
    return {key: value for key, value in document.items() if key not in keys}


def row(document):
    """The members of a row, without those for readers."""
    return without(document, "values", "run", "file", "line", "computed")


def same_members(where, answer, document):
    for key, value in answer.items():
        told = document.get(key)
        assert value == told, f"{where}: {key}: the API says {value!r}, the command line {told!r}"


def compare_proofs(where, answer, document):
    runs = [{"run": r["run"], "row": json.loads(r["row"])} for r in answer["runs"]]
    told = [{"run": r["run"], "row": row(r)} for r in document["witness"]]
    same_members(where, {"runs": runs}, {"runs": told})
    same_members(where, without(answer, "runs"), document)


def compare(mmaspec, arguments, answer):
    command = arguments[0]
    if command == "eval":
        told = [row(line) for line in asked(mmaspec, arguments, json_lines=True)]
        same_members(arguments, {"rows": [json.loads(r) for r in answer["rows"]]}, {"rows": told})
    elif command == "verify":
        document = asked(mmaspec, arguments)
        (unit,) = document["instructions"]
        same_members(arguments, {key: answer[key] for key in ("passed", "failed")}, document)
        assert answer["instr"] == unit["instr"]
        told = [(m["line"], row(m), m["computed"]) for m in unit.get("mismatches", [])]
        own = [(m["line"], json.loads(m["row"]), m["computed"]) for m in answer["mismatches"]]
        assert own == told, (arguments, own, told)
    elif command == "show":
        same_members(arguments, without(answer, "parameters"), document := asked(mmaspec, arguments))
        told = [without(p, "variants") for p in document["parameters"]]
        assert answer["parameters"] == told, arguments
    elif command == "list":
        assert answer["names"] == [line["instr"] for line in asked(mmaspec, arguments, json_lines=True)]
    elif command == "compare":
        document = asked(mmaspec, arguments)
        assert answer["results_agree"] and answer["differing"] > 0
        same_members(arguments, {key: answer[key] for key in ("elements", "differing", "note")}, document)
        assert answer["exceeding"] == document["tolerance"]["exceeding"]
        assert answer["largest_ulp"] == str(document["ulp"]["largest"])
        told = [[b["from"], b["to"], b["count"]] for b in document["ulp"]["histogram"]]
        assert answer["histogram"] == told, arguments
        told = [
            [*w["index"], str(w["ulp"]), int(w["row"]["d"], 16), int(w["row"]["d_other"], 16)]
            for w in document["worst"]
        ]
        assert answer["worst"] == told, (arguments, answer["worst"], document["worst"])
    elif command == "diff" and "--maximize" in arguments:
        document = asked(mmaspec, arguments)
        if "witness" in document:
            document["witness"] = row(document["witness"])
        same_members(arguments, answer, document)
    elif command == "diff":
        document = asked(mmaspec, arguments)
        document["witnesses"] = [row(w) for w in document["witnesses"]]
        same_members(arguments, answer, document)
    elif command == "prove" and "--tightest" in arguments:
        document = asked(mmaspec, arguments)
        same_members(arguments, {key: answer[key] for key in ("proved", "refuted")}, document)
        for part in ("proof", "refutation"):
            compare_proofs([*arguments, part], answer[part], document[part])
    else:
        assert command == "prove", arguments
        compare_proofs(arguments, answer, asked(mmaspec, arguments))


def main():
    program, folder, mmaspec = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    lines = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout.splitlines()
    commands = []
    for line in lines:
        question = json.loads(line)
        compare(mmaspec, question["arguments"], question["answer"])
        commands.append(question["arguments"][0])
    expected = {"eval", "verify", "show", "list", "compare", "diff", "prove"}
    assert set(commands) == expected, f"no answers of {expected - set(commands)}"
    print(f"{len(lines)} answers are those of the command line")


main()
