#!/usr/bin/env python3
"""Tests that the links between documents lead to files and headings that exist, and that the site's navigation has every page.

    tests/documents/links.py

`scripts/docs` checks the same when it builds the site, with packages from PyPI; this test needs none.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MADE = {"index.md", "api.md", "changelog.md", "contributing.md", "security.md"}  # by tools/site_hooks.py
CODE = re.compile(r"`+[^`]*`+")
LINK = re.compile(r"(?<!\\)\[[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*\]\(([^)\s]+)\)")


def without_code(text):
    """The text with fenced blocks and inline code removed; lines are kept."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if fence or fenced else CODE.sub(lambda code: re.sub(r"[\[(]", "", code[0]), line))
        fenced = fenced != fence
    return "\n".join(lines)


def anchors(file):
    """The anchors of a document's headings, generated like those of the site and GitHub."""
    names = set()
    counts = {}
    for heading in re.findall(r"^#+\s+(.*?)\s*#*$", without_code(file.read_text(encoding="utf-8")), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        text = re.sub(r"[^\w\s-]", "", text).strip()
        name = re.sub(r"[-\s]+", "-", text)
        count = counts[name] = counts.get(name, -1) + 1
        names |= {name, re.sub(r"\s", "-", text)} if not count else {f"{name}_{count}", f"{name}-{count}"}
    return names


def broken(file):
    """The broken links."""
    for target in LINK.findall(without_code(file.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (file.parent / path).resolve() if path else file
        if not there.exists():
            yield f"{target}: there is no such file"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there):
            yield f"{target}: there is no such heading"


def main():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.split()
    if listed.returncode != 0:  # in an archive of the sources
        names = ["README.md", *(str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*.md"))]
    failures = 0
    for name in names:
        if not (ROOT / name).exists():
            continue
        for message in broken(ROOT / name):
            failures += 1
            print(f"{name}: {message}")
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for file in sorted((ROOT / "docs").rglob("*.md")):
        page = file.relative_to(ROOT / "docs").as_posix()
        if f" {page}\n" not in navigation and not page.startswith(("reference/", "figures/")):
            failures += 1
            print(f"mkdocs.yml: {page} is not in the navigation")
    for page in re.findall(r"^ +- .*: (\S+\.(?:md|ipynb))$", navigation, re.MULTILINE):
        if page not in MADE and not (ROOT / "docs" / page).exists():
            failures += 1
            print(f"mkdocs.yml: there is no page {page}")
    print(f"{len(names)} documents, {failures} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
