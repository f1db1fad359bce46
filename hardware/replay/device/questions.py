#!/usr/bin/env python3
"""Says which reading of the hardware survives: the answers of a replay against the rivals that each row carries.

    mmaspec-replay-cuda < questions.jsonl | questions.py

A row that decides something has `answers`, an object from the name of a reading to the result that it predicts, and may
have `question` and `why` (what comes before a colon in it groups rows). Rows without `answers` are printed as they came.
"""
import collections
import json
import sys


def main():
    groups = collections.defaultdict(list)
    device = "unknown device"
    for number, line in enumerate(sys.stdin, 1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            sys.exit(f"questions.py: line {number} is not a JSON object")
        if "drawn" in row:
            continue  # random rows: mmaspec replay --recorded compares them
        if "instr" not in row:
            device = ", ".join(f"{key} {value}" for key, value in row.items())
            continue
        why = row.get("why", "").split(":")[0]
        groups[(str(row.get("question", "")), row["instr"], why)].append(row)
    print(device)
    for (question, instr, why), rows in sorted(groups.items()):
        answered = [row for row in rows if "d" in row]
        uneven = sum(row.get("uneven", False) for row in rows)
        print(f"\n{question} {why}: {instr}, {len(answered)} of {len(rows)} rows answered"
              + (f", {uneven} UNEVEN" if uneven else ""))
        if not answered:
            print(f"   {rows[0].get('lacks', 'no answer')}")
            continue
        rivals = collections.Counter()
        for row in answered:
            for name, predicted in row.get("answers", {}).items():
                rivals[name] += int(predicted, 16) == int(row["d"], 16)
        for name, right in rivals.most_common():
            print(f"   {right:4}/{len(answered)}  {name}" + ("   <- survives" if right == len(answered) else ""))
        for row in answered if not rivals else []:
            print(f"   {row.get('why', ''):60} c {row['c']}  ->  {row['d']}")


if __name__ == "__main__":
    main()
