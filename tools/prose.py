#!/usr/bin/env python3
"""Checks the prose of the documents, notebooks and help texts for dense or archaic patterns and for long sentences.

    tools/prose.py [FILE...]

Without FILE it checks all documents, docs/commands.md, which contains the help texts, and all strings that
tools/strings.py lists: messages, headings, docstrings. Comments of all C++ and Python sources are checked for the
patterns only. Prints one line for each finding; the exit status is 1 if there is one.
"""

import io
import json
import pathlib
import re
import subprocess
import sys
import tokenize

import strings

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 40  # words in a sentence

# A pattern, and what to write instead.
PATTERNS = [
    (
        r"(?<!there )\b(is|are|was|were) no "
        r"(?!longer|more|less|larger|smaller|greater|fewer|wider|narrower|further)[a-z]+",
        "is not a ...",
    ),
    (r"\b(speaks?|spoken|speaking) of\b", "is about, concerns"),
    (r"\bknows? nothing\b", "does not know, does not use"),
    (r"\bone's own\b", "your own"),
    (r"\bwith other work\b", "state the load, or leave it out"),
    (r"\blets? (all )?time pass\b", "cancels"),
    (r"\bwho (asks|reads)\b", "the user"),
    (r"\bat hand\b", "given, this machine's"),
    (r"\bon the way\b", "intermediate"),
    (r"\bbut for\b", "except"),
    (r"\bsave for\b", "except"),
    (r"\bbecomes? of\b", "happens to"),
    (r"\bmakes? of (it|them)\b", "does with"),
    (r"\b(has|have|had) it\b", "defines it, does it"),
    (r"\bmend(s|ed|ing)?\b", "fix"),
    (r"\brubbish\b", "malformed output"),
    (r"\bthat which\b", "what, the"),
    (r"\bof them all\b", "of all"),
    (r"\b(is|are) told\b", "is printed"),
    (r"\bgoes on\b|\bgo on\b", "continues"),
    (r"\bhereof\b|\bthereof\b|\bwhereof\b|\bthereby\b|\bwherein\b", "of it, so"),
    (r"\bas it stands\b", "unchanged"),
    (r"\bno one\b", "nobody"),
    (r"\bmeanwhile\b", "at the same time"),
    (r"\bgrounds?\b(?! truth)", "reason, justification"),
    (r"\b(tell|tells|told|telling)( \w+){0,3} apart\b", "distinguish"),
    (r"\bbeside\b", "next to, with, compared with"),
    (r"\banew\b", "again"),
    (r"\bso many \w+(?! that\b)[,.;:)]| (of|in|on|has|use) so many (?!\w+ that\b)", "this many"),
    (r"\b(hence|whence|thus|thence|upon|whilst|amongst|unto|nay)\b", "so, on, while"),
    (r"\bsays? nothing of\b", "does not cover, does not decide"),
    (r"\b(stood|stands?) behind\b", "proves, supports"),
]
PATTERNS = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PATTERNS]

# Patterns that are plain in comments: "the first that has it", "continues with other work".
NOT_IN_COMMENTS = ("defines it, does it", "state the load, or leave it out")
CPP_COMMENT = re.compile(r"(?:^\s*|[;{}),:]\s+)//+<?\s?(.*)")

# A part of a page that a program writes, between marks such as those of bench/suites.py and
# tools/identify_recorded.py.
GENERATED = re.compile(r"<!-- (suites: .*?|[a-z]+: begin) -->.*?<!-- (end|[a-z]+: end) -->", re.DOTALL)

# An abbreviation, which does not end a sentence.
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|et al|cf|vs|resp|approx|No|Fig|Sec)\.$")
SENTENCE_END = re.compile(r"(?<=[.!?])[)\"']*\s+(?=[A-Z0-9`\"(]|CODE)")


def texts(markdown):
    """(line number, text) of each paragraph, list item, heading and table cell, without code and markup."""
    paragraph, start = [], 0
    fenced = comment = False
    in_list = False
    for number, line in enumerate([*markdown.split("\n"), ""], 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced = not fenced
            stripped = ""
        elif fenced or comment or stripped.startswith("<!--"):
            comment = (comment or stripped.startswith("<!--")) and "-->" not in stripped
            stripped = ""
        elif line.startswith("    ") and not in_list and not paragraph:
            stripped = ""  # indented code
        starts = re.match(r"(#+|[-*+]|[0-9]+\.)\s+", stripped)
        if paragraph and (not stripped or starts or stripped.startswith("|")):
            yield start, plain(" ".join(paragraph))
            paragraph = []
        if stripped.startswith("|"):
            if not re.fullmatch(r"[|:\s-]+", stripped):
                for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                    yield number, plain(cell)
            continue
        if stripped:
            if starts:
                stripped = stripped[starts.end():]
                in_list = not starts[1].startswith("#")
            elif not line.startswith(" ") and not paragraph:
                in_list = False
            start = start if paragraph else number
            paragraph.append(stripped)


def plain(text):
    """Without Markdown: inline code is one word."""
    text = re.sub(r"`+[^`]*`+", "CODE", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|[*_](?=\w)|(?<=\w)[*_]", "", text).replace("\\|", "|").strip()


def sentences(text):
    """The sentences of a text."""
    whole = ""
    for part in SENTENCE_END.split(text):
        whole = f"{whole} {part}" if whole else part
        if ABBREVIATION.search(whole):
            continue
        yield whole
        whole = ""
    if whole:
        yield whole


def words(sentence):
    """How many words it has; figures and signs are none."""
    return len(re.findall(r"[A-Za-z][A-Za-z'-]*", sentence))


def patterns_in(text):
    """A message for each match of PATTERNS."""
    for pattern, instead in PATTERNS:
        for match in pattern.finditer(text):
            yield f'"{match[0]}": write {instead}'


def findings(markdown):
    """(line number, message) of everything that the text should say differently."""
    markdown = GENERATED.sub(lambda part: "\n" * part[0].count("\n"), markdown)
    for number, text in texts(markdown):
        for message in patterns_in(text):
            yield number, message
        for sentence in sentences(text):
            count = words(sentence)
            if count > LONGEST:
                yield number, f"a sentence of {count} words (at most {LONGEST}): {sentence[:60]}..."


def comments(file):
    """(line number, text) of each comment; further lines without code belong to it."""
    lines = file.read_text().split("\n")
    found = {}  # by line
    if file.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string.lstrip("# ")
    else:
        matches = [(number, CPP_COMMENT.search(line)) for number, line in enumerate(lines, 1)]
        found = {number: match[1] for number, match in matches if match}
    first, parts = 0, []
    for number in [*found, len(lines) + 2]:
        continues = number == first + len(parts) and lines[number - 1].lstrip().startswith(("//", "#"))
        if parts and not continues:
            yield first, plain(" ".join(parts))
            parts = []
        if not parts:
            first = number
        parts.append(found.get(number, ""))


def findings_of_comments(file):
    """(line number, message) of each match of a pattern in a comment."""
    for number, text in comments(file):
        for message in patterns_in(text):
            if not message.endswith(NOT_IN_COMMENTS):
                yield number, message


def commented_sources():
    """The tracked C++ and Python sources."""
    suffixes = ("h", "cpp", "inc", "cu", "cuh", "hip", "py")
    command = ["git", "ls-files", *[f"*.{suffix}" for suffix in suffixes]]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in names.stdout.split() if not name.startswith("tools/prose")]


def documents():
    """The documents and notebooks, with the help texts."""
    names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"]
    pages = [ROOT / name for name in [*names, "hardware/replay/README.md"]]
    return pages + [page for suffix in ("md", "ipynb") for page in sorted((ROOT / "docs").rglob(f"*.{suffix}"))]


def findings_of(file):
    """The findings of a document; those of a notebook with the numbers of its cells; those of a source's strings."""
    if file.suffix not in (".md", ".ipynb"):
        for _, line, text in strings.listed([file]):
            text = re.sub(r"(?ms)^=+ .*^=+[ =]*$", "", text)  # tables of reStructuredText
            text = re.sub(r"</?[a-z!][^<>]*>", "\n\n", text)  # elements of HTML
            yield from ((line, message) for _, message in findings(re.sub(r"\n(?=[^\s-])", " ", text)))
        return
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        yield from findings(text)
        return
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        if cell["cell_type"] == "markdown":
            yield from ((number, message) for _, message in findings("".join(cell["source"])))


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    sources = [file for file in files if file.suffix not in (".md", ".ipynb")] if files else commented_sources()
    found = [(file, findings_of(file)) for file in files or documents() + strings.sources()]
    found += [(file, findings_of_comments(file)) for file in sources]
    count = 0
    for file, messages in found:
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        for number, message in messages:
            print(f"{name}:{number}: {message}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
