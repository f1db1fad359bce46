#!/usr/bin/env python3
"""Tests that the commands shown in README.md and docs/ print the output shown below them.

    tests/documents/examples.py build/release/bin/mmaspec [FILE...]

An example is a block, fenced or indented by four spaces, with a line `$ mmaspec ...` or `$ scripts/run ...` and its
output on the lines after it. A line of dots alone stands for any lines, and dots at the end of a line for the rest of
it. Seconds may differ. Examples that need a device are left out, and pages that a program writes, which have tests of
their own.
"""

import difflib
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITTEN = re.compile(r"<!-- Written by ")
COMMAND = re.compile(r"\$ (?:mmaspec|scripts/run) (.*)")


def blocks(text):
    """The lines of each block, without fences and indentation."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        end = i + 1
        if lines[i].startswith("```"):
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            yield lines[i + 1 : end]
            end += 1
        elif lines[i].startswith("    "):
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            yield [line[4:] for line in lines[i:end]]
        i = end


def examples(text):
    """Each command's arguments, and the lines shown below it."""
    for block in blocks(text):
        starts = [i for i, line in enumerate(block) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(block)]):
            command = COMMAND.fullmatch(block[start])
            if command and "--device" not in command[1]:
                yield shlex.split(command[1]), block[start + 1 : end]


def pattern_of(shown):
    """A regular expression for the output shown."""
    parts = []
    for line in shown:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        text = re.escape(line[:-3] if line.endswith("...") else line)
        text = re.sub(r"[0-9]+(?:\\\.[0-9]+)?\\ s\\\)", r"[0-9]+(?:\\.[0-9]+)?\\ s\\)", text)
        parts.append(text + (".*" if line.endswith("...") else "") + r"\n")
    return "".join(parts)


def without_end(lines):
    """The lines without empty ones at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def main():
    mmaspec, *files = sys.argv[1:]
    files = [pathlib.Path(file) for file in files] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    count = failures = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        if WRITTEN.match(text):
            continue
        for arguments, shown in examples(text):
            count += 1
            run = subprocess.run([mmaspec, *arguments], capture_output=True, text=True, cwd=ROOT)
            if re.fullmatch(pattern_of(without_end(shown)), run.stdout.rstrip("\n") + "\n"):
                continue
            failures += 1
            print(f"{file}: {shlex.join(['mmaspec', *arguments])} (status {run.returncode}) {run.stderr}")
            print("\n".join(difflib.unified_diff(shown, run.stdout.split("\n"), "shown", "printed", lineterm="")))
    if count < 5 and not sys.argv[2:]:
        sys.exit(f"only {count} examples were found")
    print(f"{count} examples, {failures} of them not as shown")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
