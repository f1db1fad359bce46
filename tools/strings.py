#!/usr/bin/env python3
"""Lists the strings of the program that users can see: help, messages, headings, docstrings, the explorer's texts.

    tools/strings.py [FILE...]

Without FILE it reads all tracked sources except tests and benchmarks. It prints FILE:LINE: TEXT, so that all strings
can be read from top to bottom. A string is listed if it has two words, or one word in a room that prints headings.
Adjacent literals are joined, as the compiler joins them. Generated languages (Verilog, C, SMT-LIB) and names of files
are left out as far as their syntax shows.
"""

import ast
import html.parser
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folders whose strings users of the program do not see.
UNSEEN = ("tests/", "bench/", "concrete/rows/data/", "tools/prose", "tools/strings.py", "tools/outputs.py")
# Rooms in which a single word is a heading or a label.
HEADINGS = ("apps/cli/", "report/", "apps/web/page/")

CPP_TOKEN = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<directive> ^[ \t]*\#[ \t]*(?:include|error|pragma|if|elif)[^\n]* )
    | (?P<raw> R"(?P<mark>[^(\s]{0,16})\((?P<body>.*?)\)(?P=mark)" )
    | (?P<string> "(?:[^"\\\n]|\\.)*" )
    | (?P<character> (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+' )
    | (?P<blank> \s+ )
    | (?P<other> [A-Za-z0-9_']+ | :: | . )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

JS_TOKEN = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<raw> `(?P<body>(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*)` )
    | (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
    | (?P<expression> (?<=[(=:,\s])/(?![/*\s])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]* )
    | (?P<blank> \s+ )
    | (?P<other> [A-Za-z0-9_$]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)

ESCAPES = {"n": "\n", "t": "\t", '"': '"', "'": "'", "\\": "\\", "0": "\0", "r": "\r"}


def unescaped(text):
    """The text that a literal of C++ or JavaScript stands for, as far as prose uses escapes."""
    text = re.sub(r"\\u\{?([0-9a-fA-F]{4})\}?", lambda m: chr(int(m[1], 16)), text)
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[0]), text, flags=re.DOTALL)


def literals(source, token, joined):
    """(line, text) of each string of a source.

    Where joined, adjacent strings are one, as C++ has it, and so are those that '+' connects: {} stands for what is between.
    """
    line, start, text = 1, 0, None
    between, depth = "", 0  # the operator before the current expression, and its open brackets
    for match in token.finditer(source):
        kind, found = match.lastgroup, match[0]
        if match["raw"] is not None:
            kind, piece = "string", match["body"]
        elif kind == "string":
            piece = unescaped(found[1:-1])
        if kind == "string" and depth == 0:
            if text is not None and not joined:
                yield start, text
                text = None
            if text is None:
                start, text = line, ""
            text += ("{}" if "." in between else "") + piece
            between = ""
        elif kind == "string":
            yield line, piece
        elif text is not None and kind not in ("blank", "comment"):
            depth += (found in "([{") - (found in ")]}")
            if depth < 0 or (depth == 0 and (found in ",;?:" or not (joined and (between or found == "+")))):
                yield start, text
                text, between, depth = None, "", 0
            else:
                between += "+" if found == "+" and depth == 0 else "."
        line += found.count("\n")
    if text is not None:
        yield start, text


def python_strings(source):
    """(line, text) of each string of a Python source; parts in braces of an f-string are {}."""
    tree = ast.parse(source)
    inner = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner.update(id(value) for value in ast.walk(node) if value is not node)
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
            yield node.lineno, "".join(map(str, parts))


class Page(html.parser.HTMLParser):
    """Collects the texts and the labels of an HTML page."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.code = False

    def handle_starttag(self, tag, attrs):
        self.code = tag in ("script", "style")
        for name, value in attrs:
            if name in ("title", "alt", "aria-label", "placeholder", "content") and value:
                self.found.append((self.getpos()[0], value))

    def handle_endtag(self, tag):
        self.code = False

    def handle_data(self, data):
        if not self.code and data.strip():
            self.found.append((self.getpos()[0], data.strip()))


def strings_of(file):
    """(line, text) of each string of a file, in the order of its lines."""
    source = file.read_text(encoding="utf-8")
    if file.suffix in (".cpp", ".h", ".inc", ".cu", ".hip"):
        found = list(literals(source, CPP_TOKEN, joined=True))
        for line, text in list(found):
            if re.search(r"\bconst \w+ =|\bfunction \w*\(", text):  # the script of a page
                found += [(line + at - 1, inner) for at, inner in literals(text, JS_TOKEN, joined=False)]
        return sorted(found)
    if file.suffix == ".js":
        return list(literals(source, JS_TOKEN, joined=False))
    if file.suffix == ".py":
        return sorted(python_strings(source))
    page = Page()
    page.feed(source)
    return page.found


def is_prose(text, headings=False):
    """Whether it can be a sentence, a phrase or a heading, and not a name, a path or generated code."""
    if "</p>" not in text and re.search(r"(;|\{|(?<!\{)\})[ \t]*\n|\b(endmodule|declare-fun|assign |typedef |__global__|static inline|return \w+;)", text):
        return False
    words = text.split()
    if 3 * sum("_" in word for word in words) > len(words):  # lists of identifiers
        return False
    text = re.sub(r"</?[a-z][^<>]*>", " ", text)  # HTML and SVG elements
    if re.search(r"^\s*[.#\w, >:-]+\s*\{[^{}]*[:;]", text):  # CSS
        return False
    if re.search(r"(?<![a-zA-Z])[a-zA-Z][a-z']*[,;:)]?\s+\(?[a-z]{2,}", text):
        return True
    return headings and bool(re.fullmatch(r"\s*[A-Z][a-z]{2,}[ :]*", text))


def sources():
    """The tracked files that hold strings for users."""
    names = subprocess.run(["git", "ls-files", "*.cpp", "*.h", "*.inc", "*.py", "*.js", "*.html"],
                           cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return [ROOT / name for name in names if not name.startswith(UNSEEN) and not name.startswith("docs/")]


def listed(files):
    """(name, line, text) of everything to be listed."""
    for file in files:
        name = str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)
        for line, text in strings_of(file):
            if is_prose(text, name.startswith(HEADINGS)):
                yield name, line, text


def main():
    for name, line, text in listed([pathlib.Path(f).resolve() for f in sys.argv[1:]] or sources()):
        print(f"{name}:{line}: {text.strip()}")


if __name__ == "__main__":
    main()
