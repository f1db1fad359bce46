#!/usr/bin/env python3
"""Tests of the second checker of proof objects, proof/check.py: alone, compared with `mmaspec certify`, and on the committed corpus.

checkers_test.py MMASPEC MMASPEC_CERTIFY
"""

import hashlib
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/data/certificates"
sys.path.insert(0, str(ROOT / "proof"))
import check  # noqa: E402

MMASPEC = ""
MMASPEC_CERTIFY = ""


def propagated(clauses):
    """The literals that unit propagation makes true; None if a clause is false."""
    true, waiting = set(), list(clauses)
    while True:
        left = []
        for clause in waiting:
            if any(x in true for x in clause):
                continue
            open_ = [x for x in clause if -x not in true]
            if not open_:
                return None
            if len(open_) == 1:
                true.add(open_[0])
            else:
                left.append(clause)
        if len(left) == len(waiting):
            return true
        waiting = left


def check_steps(graph, folder, number):
    """Checks all steps of a certificate's goal with this graph instead of the goal's."""
    steps = []
    for line in (folder / f"{number}.proof.jsonl").read_text().splitlines():
        step = json.loads(line)
        if "define" in step:
            graph.add(step["define"])
            continue
        lrat = (folder / f"{number}.{len(steps) + 1}.lrat").read_text()
        check.check_lrat(check.clauses_of(graph, step, steps).clauses, lrat)
        steps.append(step["refuted"])


def drawn_graph(rng):
    graph = check.Graph()
    for i in range(1 + rng.randrange(3)):
        graph.add(["input", f"x{i}", 1 + rng.randrange(3)])
    for value in ("0", "1", "-3"):
        graph.add(["constant", value])
    for _ in range(60):
        numbers = [max(rng.randrange(len(graph.nodes)), rng.randrange(len(graph.nodes))) + 1 for _ in range(3)]
        booleans = [i + 1 for i, n in enumerate(graph.nodes) if n.op in check.BOOLEANS]
        op = rng.choice(sorted(check.VARIADIC | set(check.ARITY)))
        many = numbers[: 1 + rng.randrange(3)]
        if op == "sum":
            array = [op, many, [str(rng.randrange(-4, 5)) for _ in many], str(rng.randrange(-4, 5))]
        elif op in ("not", "and", "xor", "negate_if", "select"):
            if not booleans:
                continue
            truth = rng.choice(booleans)
            array = [op, {"not": [truth], "negate_if": [truth, numbers[0]], "select": [truth, *numbers[:2]]}.get(op, [truth, rng.choice(booleans)])]
        elif op == "bits":
            array = [op, numbers[:1], rng.randrange(4), 1 + rng.randrange(4)]
        elif op == "claim":
            array = [op, numbers[:1], "-4", "9"]
        else:
            array = [op, numbers[: check.ARITY[op]] if op in check.ARITY else many]
        try:
            graph.add(array)
        except check.Rejected:
            del graph.nodes[len(graph.ranges):]
            continue
        if check.width_of(*graph.ranges[-1]) > 24:
            graph.nodes.pop()
            graph.ranges.pop()
        if len(graph.nodes) > 18:
            break
    return graph


class SecondChecker(unittest.TestCase):
    def test_circuits_compute_the_nodes(self):
        checked = set()
        for seed in range(250):
            graph = drawn_graph(random.Random(seed))
            inputs = [(i + 1, n) for i, n in enumerate(graph.nodes) if n.op == "input"]
            for values in itertools.product(*(range(1 << n.width) for _, n in inputs)):
                try:
                    expected = graph.evaluate({n.name: v for (_, n), v in zip(inputs, values)})
                except check.Rejected:
                    continue  # a claim does not hold
                for value, (low, high) in zip(expected, graph.ranges):
                    self.assertTrue(low <= value <= high, seed)
                words = check.Words(graph, set(), {})
                words.make(list(range(1, len(graph.nodes) + 1)))
                fixed = [(literal if v >> i & 1 else -literal,) for (number, _), v in zip(inputs, values)
                         for i, literal in enumerate(words.words[number])]
                true = propagated(words.circuit.clauses + fixed)
                self.assertIsNotNone(true, seed)
                for number, value in enumerate(expected, 1):
                    bits = check.constant(value, len(words.words[number]))
                    for literal, bit in zip(words.words[number], bits):
                        self.assertEqual(literal in true, bit == check.TRUE, (seed, number))
                    checked.add(graph.node(number).op)
        self.assertEqual(checked, set(check.ARITY) | check.VARIADIC | {"input", "constant"})

    def test_a_rewriting_needs_a_proof_that_the_nodes_are_equal(self):
        graph = check.Graph()
        for array in (["input", "x", 4], ["input", "y", 4], ["sum", [1], ["1"], "1"], ["sum", [2], ["1"], "1"], ["product", [3, 3]],
                      ["product", [4, 4]], ["less", [5, 6]], ["equal", [1, 2]], ["equal", [3, 4]], ["less", [3, 4]]):
            graph.add(array)
        earlier = [[-9, 8], [10, 8], [9, -8]]  # equal if x = y; not less if x = y; different if x is not y

        def clauses(refuted, rewrites, free=()):
            step = {"refuted": refuted, "free": list(free), "premises": [], "rewrites": rewrites}
            return check.clauses_of(graph, step, earlier).clauses

        whole = check.clauses_of(graph, {"refuted": [7, 8], "free": [], "premises": []}, earlier).clauses
        self.assertLess(len(clauses([7, 8], [[4, 3, 1]])), len(whole))
        self.assertLess(len(clauses([7, 8], [[3, 4, 1]])), len(whole))
        for refuted, rewrites, free in (([7], [[4, 3, 1]], ()), ([7, -8], [[4, 3, 1]], ()), ([7, 8], [[4, 3, 2]], ()),
                                        ([7, -8], [[4, 3, 3]], ()), ([7, 8], [[6, 5, 1]], ()), ([7, 8], [[4, 3, 1]], (4,)),
                                        ([7, 8], [[4, 3, 9]], ()), ([7, 8], [[99, 3, 1]], ()),
                                        ([7, 8], [[4, 3, 1], [3, 4, 1]], ()), ([7, 8], [[4, 3, 1], [4, 3, 1]], ())):
            with self.assertRaises(check.Rejected, msg=(refuted, rewrites, free)):
                clauses(refuted, rewrites, free)

    def test_lrat_is_checked(self):
        clauses = [(1,), (-1, 2), (-2, 3), (-3, -1)]
        check.check_lrat(clauses, "5 3 0 1 2 3 0\n6 0 1 5 4 0\n")
        for wrong in ("", "5 3 0 1 2 3 0\n", "6 0 1 5 4 0\n", "5 0 1 2 3 0\n", "5 0 1 2 3 4 4 0\n", "5 -3 0 1 2 3 0\n",
                      "5 3 0 1 2 9 0\n", "5 0 0\n", "5 0 -1 0\n"):
            with self.assertRaises((check.Rejected, ValueError), msg=wrong):
                check.check_lrat(clauses, wrong)


class Corpus(unittest.TestCase):
    """A version that does not accept an older certificate has another specification, or a defect."""

    def certificates(self):
        folders = sorted(p for p in CORPUS.iterdir() if p.is_dir())
        self.assertGreater(len(folders), 150)
        return folders

    def test_both_checkers_accept_it(self):
        done = subprocess.run([MMASPEC, "certify", CORPUS, "--no-other-checker"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr)
        for folder in self.certificates():
            with self.subTest(folder.name):
                check.check_certificate(folder)

    def test_its_conditions_never_hold_together(self):
        for folder in self.certificates():
            rng = random.Random(folder.name)
            for file in folder.glob("*.goal.json"):
                graph, conditions = check.read_goal(file.read_text())
                for _ in range(20):
                    values = graph.evaluate({n.name: rng.getrandbits(n.width) for n in graph.nodes if n.op == "input"})
                    self.assertFalse(all(values[c - 1] for c in conditions), file)

    def test_forged_goals_are_rejected(self):
        """A goal that is changed in one place, with correct digests, has no proof, or is also true."""
        rejected = 0
        for folder in self.certificates()[::4]:
            rng = random.Random(folder.name)
            number = json.loads((folder / "statement.json").read_text())["goals"][0][:16]
            goal = json.loads((folder / f"{number}.goal.json").read_text())
            node = rng.choice([n for n in goal["nodes"] if n[0] in ("constant", "sum", "less", "select", "max")])
            if node[0] == "constant":
                node[1] = str(int(node[1]) + 1)
            elif node[0] == "sum":
                node[3] = str(int(node[3]) + 1)
            else:
                node[1] = node[1][:-2] + node[1][:-3:-1]
            try:
                graph, conditions = check.read_goal(json.dumps(goal))
                check_steps(graph, folder, number)
            except check.Rejected:
                rejected += 1
                continue
            for _ in range(200):
                values = graph.evaluate({n.name: rng.getrandbits(n.width) for n in graph.nodes if n.op == "input"})
                self.assertFalse(all(values[c - 1] for c in conditions), folder)
        self.assertGreater(rejected, 5)

    def test_changed_files_are_rejected_by_both(self):
        rng = random.Random(1)
        folders = self.certificates()
        with tempfile.TemporaryDirectory() as work:
            for i in range(12):
                copy = pathlib.Path(work) / str(i)
                shutil.copytree(folders[i * len(folders) // 12], copy)
                name = rng.choice([f.name for f in copy.iterdir() if f.name != "derivation.txt" and not f.name.endswith(".lrat")])
                content = bytearray((copy / name).read_bytes())
                content[rng.randrange(len(content))] ^= 1 + rng.randrange(127)
                (copy / name).write_bytes(content)
                if i % 2 and name != "SHA256SUMS":
                    sums = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in sorted(copy.iterdir()) if f.name != "SHA256SUMS"]
                    (copy / "SHA256SUMS").write_text("".join(sums))
            done = subprocess.run([MMASPEC, "certify", work, "--json"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertEqual([json.loads(line)["verdict"] for line in done.stdout.splitlines()], ["rejected"] * 12)

    def test_the_checker_without_solvers_accepts_the_corpus(self):
        done = subprocess.run([MMASPEC_CERTIFY, CORPUS], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), len(self.certificates()))
        self.assertTrue(all(line.startswith("accepted: ") for line in done.stdout.splitlines()))

    def test_the_checker_without_solvers_rejects_what_differs(self):
        run = lambda folder: subprocess.run([MMASPEC_CERTIFY, folder], capture_output=True, text=True, check=False)  # noqa: E731
        with tempfile.TemporaryDirectory() as work:
            self.assertEqual(run(work).returncode, 2)
            copy = pathlib.Path(work) / "changed"
            shutil.copytree(self.certificates()[0], copy)
            next(copy.glob("*.lrat")).write_text("")
            self.assertEqual(run(work).returncode, 1)
            self.assertIn("SHA256SUMS", run(work).stdout)
            sums = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in sorted(copy.iterdir()) if f.name != "SHA256SUMS"]
            (copy / "SHA256SUMS").write_text("".join(sums))
            done = run(work)
            self.assertEqual((done.returncode, done.stdout.split(":")[0]), (1, "rejected"))
        self.assertEqual(run("no-such-folder").returncode, 2)

    def test_the_checker_without_solvers_has_none(self):
        if shutil.which("nm") is None:
            self.skipTest("nm is not installed")
        names = subprocess.run(["nm", "-C", MMASPEC_CERTIFY], capture_output=True, text=True, check=True).stdout
        self.assertIn("mmaspec::kernel::Kernel::admit", names)
        for other in ("Z3_", "z3::", "cvc5", "bitwuzla", "mmaspec::Encoder", "mmaspec::Portfolio", "mmaspec::Lemmas", "mmaspec::ask("):
            self.assertNotIn(other, names)

    def test_the_command_states_the_fault(self):
        with tempfile.TemporaryDirectory() as work:
            copy = pathlib.Path(work) / "changed"
            shutil.copytree(self.certificates()[0], copy)
            run = lambda *arguments: subprocess.run(  # noqa: E731
                [sys.executable, ROOT / "proof/check.py", *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(run(work).returncode, 0)
            goal = next(copy.glob("*.goal.json"))
            goal.write_text(goal.read_text().replace('"1"', '"2"', 1))
            done = run(work)
            self.assertEqual((done.returncode, done.stdout.split(":")[0]), (1, "rejected"))
            self.assertEqual(run(pathlib.Path(work) / "nothing").returncode, 2)
            self.assertEqual(run().returncode, 2)


if __name__ == "__main__":
    MMASPEC, MMASPEC_CERTIFY = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main(argv=sys.argv[:1])
