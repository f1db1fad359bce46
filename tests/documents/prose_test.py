#!/usr/bin/env python3
"""Tests of tools/prose.py: how it splits texts into sentences, and its findings."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import prose  # noqa: E402


def messages(markdown):
    return [message for _, message in prose.findings(markdown)]


def lines_of_comments(name, source):
    """The lines of the comments with findings."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / name
        file.write_text(source)
        return [line for line, _ in prose.findings_of_comments(file)]


class Prose(unittest.TestCase):
    def test_finds_patterns(self):
        self.assertEqual(len(messages("Rounding is no function. It speaks of one's own data.")), 3)

    def test_accepts_plain_sentences(self):
        self.assertEqual(messages("There is no solver. The bound is no larger than 4."), [])

    def test_finds_long_sentences(self):
        self.assertEqual(len(messages("word " * 41 + ".")), 1)
        self.assertEqual(messages("word " * 25 + ". " + "Word " + "word " * 25 + "."), [])

    def test_counts_inline_code_as_one_word(self):
        self.assertEqual(messages("`" + "word " * 60 + "`"), [])

    def test_skips_blocks_of_code(self):
        self.assertEqual(messages("```\nit is no text\n```\n\n    it is no text\n"), [])

    def test_reads_cells_and_items_separately(self):
        self.assertEqual(messages("| " + "word " * 30 + " | " + "word " * 30 + " |\n"), [])
        self.assertEqual(messages("- " + "word " * 30 + "\n- " + "word " * 30 + "\n"), [])

    def test_skips_parts_that_a_program_writes(self):
        self.assertEqual(messages("<!-- suites: table -->\n\nIt is no text.\n\n<!-- end -->\n"), [])
        self.assertEqual(len(messages("<!-- recorded: begin -->\nIt is no text.\n<!-- recorded: end -->\nIt is no text.")), 1)

    def test_reads_comments(self):
        source = '/// Values that lie\n/// beside others.\nint x = 1;  // it is no text\nauto s = "it is no text";\n'
        self.assertEqual(lines_of_comments("a.h", source), [1, 3])
        self.assertEqual(lines_of_comments("a.py", 's = "it is no text"\n# It is\n# no text.\nx = 1  # a text\n'), [2])

    def test_says_the_line(self):
        self.assertEqual([line for line, _ in prose.findings("# Title\n\nText.\n\nIt is no text.\n")], [5])


if __name__ == "__main__":
    unittest.main()
