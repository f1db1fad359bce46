#!/usr/bin/env python3
"""Measures how far a reader of the built site is from the command for each task of the how-to guides.

    tools/cold_reading.py [--site build/docs/site] [--document docs/validation.md]

For each task it follows the given links from the site's first page. It counts the clicks and the words that a reader
passes: labels of the navigation or text before each link, and text before the command on the last page. It fails if a
link or a command is missing, or if a task needs more than 3 clicks or 600 words. With
--document it writes the table to the part of that document between the marks "reading: begin" and "reading: end".
"""

import argparse
import html.parser
import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_CLICKS = 3
MOST_WORDS = 600
BEGIN, END = "<!-- reading: begin -->", "<!-- reading: end -->"

# A task, the pages to click through after the first page, and the command that the reader needs.
TASKS = [
    ("compare two GPUs", ["howto/compare-gpus/"], "mmaspec diff v100 h100"),
    ("choose a tolerance", ["howto/choose-a-tolerance/"], "mmaspec tolerance"),
    ("explain a mismatch", ["howto/explain-a-mismatch/"], "mmaspec explain"),
    ("emulate a model", ["howto/emulate-a-model/"], "mmaspec.torch.emulate("),
    ("test RTL", ["howto/test-rtl/"], "mmaspec rtl"),
    ("identify a unit", ["howto/identify-a-unit/"], "mmaspec identify"),
    ("run on a cluster", ["howto/run-on-a-cluster/"], "mmaspec matrix --shard"),
    ("replay on hardware", ["howto/replay-on-hardware/"], "mmaspec replay"),
    ("check a certificate", ["howto/check-a-certificate/"], "mmaspec certify"),
    ("prove a property", ["start/questions/", "proving/"], "mmaspec prove"),
]


class Page(html.parser.HTMLParser):
    """Reads the navigation and the article of a page as (text, address of the link around it or None)."""

    def __init__(self, text):
        super().__init__()
        self.navigation, self.article = [], []
        self.part, self.depth, self.href, self.hidden = None, 0, None, 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        classes = (attrs.get("class") or "").split()
        if self.part is None and (tag == "article" or (tag == "nav" and "md-nav--primary" in classes)):
            self.part, self.depth = (self.article if tag == "article" else self.navigation), 0
            self.part_tag = tag
        if self.part is not None and tag == self.part_tag:
            self.depth += 1
        if tag in ("script", "style", "button", "svg"):
            self.hidden += 1
        if tag == "a":
            self.href = None if "headerlink" in classes else attrs.get("href")

    def handle_endtag(self, tag):
        if tag in ("script", "style", "button", "svg"):
            self.hidden -= 1
        if tag == "a":
            self.href = None
        if self.part is not None and tag == self.part_tag:
            self.depth -= 1
            if self.depth == 0:
                self.part = None

    def handle_data(self, data):
        if self.part is not None and not self.hidden:
            self.part.append((data, self.href))


def words(text):
    return len(re.findall(r"[A-Za-z][\w'-]*", text))


def before_link(page, address, target):
    """The number of words before the link to `target`: in the article, or in the navigation if that is shorter."""
    counts = []
    for part in (page.navigation, page.article):
        text = ""
        for data, href in part:
            if href and posixpath.normpath(posixpath.join(address, href.partition("#")[0])) == target.rstrip("/"):
                counts.append(words(text))
                break
            text += data + " "
    return min(counts, default=None)


def measured(site, links, command):
    """(clicks, words) of a task; raises ValueError if a link or the command is missing."""
    address, count = "", 0
    for link in [*links, None]:
        page = Page((site / address / "index.html").read_text(encoding="utf-8"))
        if link is None:
            break
        before = before_link(page, address, link)
        if before is None:
            raise ValueError(f"{address or 'the first page'} has no link to {link}")
        count += before
        address = link
    text = "".join(data for data, _ in page.article)
    at = re.sub(r"\s+", " ", text).find(command)
    if at < 0:
        raise ValueError(f"{address} does not contain {command}")
    return len(links), count + words(re.sub(r"\s+", " ", text)[:at])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--site", type=pathlib.Path, default=ROOT / "build/docs/site", help="the built site")
    parser.add_argument("--document", type=pathlib.Path, help="write the table to this document")
    options = parser.parse_args()
    lines = ["| task | clicks | words | command |", "| --- | ---: | ---: | --- |"]
    faults = []
    for task, links, command in TASKS:
        try:
            clicks, count = measured(options.site, links, command)
        except (ValueError, OSError) as error:
            faults.append(f"{task}: {error}")
            continue
        if clicks > MOST_CLICKS or count > MOST_WORDS:
            faults.append(f"{task}: {clicks} clicks (at most {MOST_CLICKS}), {count} words (at most {MOST_WORDS})")
        lines.append(f"| {task} | {clicks} | {count} | `{command.rstrip('(')}` |")
    if options.document and not faults:
        text = options.document.read_text(encoding="utf-8")
        begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        options.document.write_text(text[:begin] + "\n\n" + "\n".join(lines) + "\n\n" + text[end:], encoding="utf-8")
    else:
        print("\n".join(lines))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
