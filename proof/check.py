#!/usr/bin/env python3
"""Checks proof objects of MMA-Spec's certificates: a second checker, which shares no code with the first.

    proof/check.py FOLDER...          checks certificates, or folders of certificates
    proof/check.py --evaluate GOAL    evaluates a goal's conditions on inputs from standard input, a JSON object a line

A certificate's goal is a graph of expressions over integers and a list of Boolean conditions. It states that no values of
the inputs, for which all claims in the graph hold, make all conditions true. Each step of its proof refutes some Booleans: they
are never all true. There is one rule. The circuit of these Booleans, with some nodes' words fresh within their ranges, others
replaced by those of equal nodes, and the clauses of earlier steps added, has no model. An LRAT proof shows that.
proof/kernel/kernel.h says why this is sound.

This program rebuilds each circuit from the graph. It does not know what the graph is about: that the goals are those of the
statement, and that the statement follows from them, is what `mmaspec certify` checks.

Python 3.9 or later, standard library only. Exit status: 0 if all are accepted, 1 if one is rejected, 2 for bad input.
"""

import hashlib
import heapq
import json
import sys
from pathlib import Path
from typing import Optional

TRUE, FALSE = 1, -1
LONGEST = 20000  # bits of a word
SUBSTITUTIONS = 2  # of members for maxima and branches for selects, where a sum is bounded
MOST_MEMBERS = 256
MOST_CONDITIONS = 3
BOOLEANS = {"boolean", "less", "equal", "not", "and", "xor"}
ARITY = {"abs": 1, "bits": 1, "bit_length": 1, "claim": 1, "not": 1, "negate_if": 2, "shift_left": 2,
         "floor_shift_right": 2, "less": 2, "equal": 2, "select": 3}
VARIADIC = {"sum", "product", "min", "max", "and", "xor"}


class Rejected(Exception):
    """A proof that does not show its goal, or text that is not a proof."""


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Rejected(otherwise)


class Node:
    """An operation on earlier nodes, which are numbered from 1."""

    def __init__(self, array: list, before: list["Node"]) -> None:
        self.op = array[0]
        self.args: list[int] = []
        self.coefficients: list[int] = []
        self.value = self.low = self.width = 0
        self.claimed = (0, 0)
        self.name = ""
        rest = array[1:]
        if self.op in ("constant", "boolean"):
            (value,) = rest
            self.value = int(value)
            require(self.op == "constant" or self.value in (0, 1), "a Boolean is 0 or 1")
            return
        if self.op == "input":
            self.name, self.width = rest
            require(0 < self.width <= 4096, "an input of no bits, or of too many")
            return
        require(self.op in ARITY or self.op in VARIADIC, f"{self.op!r} is not an operation")
        self.args = rest.pop(0)
        require(all(isinstance(a, int) and 1 <= a <= len(before) for a in self.args), "an operand that is not there")
        if self.op == "sum":
            coefficients, value = rest
            self.coefficients, self.value = [int(c) for c in coefficients], int(value)
            require(len(self.coefficients) == len(self.args), "a sum has another number of coefficients")
        elif self.op == "bits":
            self.low, self.width = rest
            require(0 < self.width <= 4096 and 0 <= self.low <= 4096, "bits of no width, or of too great a one")
        elif self.op == "claim":
            self.claimed = (int(rest[0]), int(rest[1]))
            require(len(rest) == 2, "a claim has two ends")
        else:
            require(not rest, f"{self.op!r} has more members")
        if self.op in ARITY:
            require(len(self.args) == ARITY[self.op], f"{self.op!r} has another number of operands")
        elif self.op != "sum":
            require(bool(self.args), f"{self.op!r} has no operands")
        wanted = self.args if self.op in ("not", "and", "xor") else self.args[:1] if self.op in ("negate_if", "select") else []
        require(all(before[a - 1].op in BOOLEANS for a in wanted), "an operand that is not Boolean")


class Graph:
    """Nodes and their ranges."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.ranges: list[tuple[int, int]] = []

    def add(self, array: list) -> int:
        node = Node(array, self.nodes)
        require(node.op != "input" or all(n.op != "input" or n.name != node.name for n in self.nodes), "two inputs of one name")
        self.nodes.append(node)
        low, high = self.range_of(node)
        require(width_of(low, high) <= LONGEST, "a word that is too long")
        self.ranges.append((low, high))
        return len(self.nodes)

    def node(self, number: int) -> Node:
        return self.nodes[number - 1]

    def range(self, number: int) -> tuple[int, int]:
        return self.ranges[number - 1]

    def terms(self, number: int) -> tuple[dict[int, int], int]:
        """A node as a sum: coefficients, and a constant."""
        node = self.node(number)
        if node.op == "constant":
            return {}, node.value
        if node.op == "sum":
            return collected(zip(node.args, node.coefficients)), node.value
        return {number: 1}, 0

    def lower_bound(self, terms: dict[int, int], constant: int, substitutions: int) -> int:
        """A number that the sum is never less than.

        A maximum is never less than a member, and equals one. All selects of one condition take the same branch.
        """
        bound = constant + sum(c * self.range(n)[c < 0] for n, c in terms.items())
        if substitutions == 0:
            return bound
        for number, c in terms.items():
            node = self.node(number)
            if node.op not in ("max", "min") or len(node.args) > MOST_MEMBERS:
                continue
            bounds = [self.lower_bound(*self.replaced(terms, constant, {number: member}), substitutions - 1) for member in node.args]
            all_hold = (node.op == "max") == (c > 0)
            bound = max(bound, max(bounds) if all_hold else min(bounds))
        conditions = {self.node(n).args[0] for n in terms if self.node(n).op == "select"}
        if len(conditions) > MOST_CONDITIONS:
            return bound
        for condition in conditions:
            sides = []
            for branch in (1, 2):
                taken = {n: self.node(n).args[branch] for n in terms
                         if self.node(n).op == "select" and self.node(n).args[0] == condition}
                sides.append(self.lower_bound(*self.replaced(terms, constant, taken), substitutions - 1))
            bound = max(bound, min(sides))
        return bound

    def replaced(self, terms: dict[int, int], constant: int, by: dict[int, int]) -> tuple[dict[int, int], int]:
        """The sum with other nodes in the place of some of its terms."""
        pairs = []
        for number, c in terms.items():
            of_term, more = self.terms(by[number]) if number in by else ({number: 1}, 0)
            constant += c * more
            pairs += [(n, c * k) for n, k in of_term.items()]
        return collected(pairs), constant

    def range_of(self, node: Node) -> tuple[int, int]:
        args = [self.range(a) for a in node.args]
        op = node.op
        if op in ("constant", "boolean"):
            return node.value, node.value
        if op == "input":
            return 0, (1 << node.width) - 1
        if op in BOOLEANS:
            return 0, 1
        if op == "sum":
            terms = collected(zip(node.args, node.coefficients))
            negative = {n: -c for n, c in terms.items()}
            return (self.lower_bound(terms, node.value, SUBSTITUTIONS), -self.lower_bound(negative, -node.value, SUBSTITUTIONS))
        if op == "product":
            low, high = args[0]
            for other in args[1:]:
                ends = [x * y for x in (low, high) for y in other]
                low, high = min(ends), max(ends)
            return low, high
        if op == "min":
            return min(a[0] for a in args), min(a[1] for a in args)
        if op == "max":
            return max(a[0] for a in args), max(a[1] for a in args)
        if op == "select":
            return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
        if op == "negate_if":
            low, high = args[1]
            return min(low, -high), max(high, -low)
        low, high = args[0]
        if op == "abs":
            return (low, high) if low >= 0 else (-high, -low) if high <= 0 else (0, max(-low, high))
        if op in ("shift_left", "floor_shift_right"):
            least, most = args[1]
            require(least >= 0, "a shift amount may be negative")
            not_negative = low >= 0
            if op == "shift_left":
                require(most < LONGEST, "a shift amount may exceed the longest word")
                low, high = low << (most if low < 0 else least), high << (least if high < 0 else most)
            else:
                least, most = min(least, LONGEST), min(most, LONGEST)
                low, high = low >> (least if low < 0 else most), high >> (most if high < 0 else least)
            bounds = [high]
            length = self.shifted_length(*node.args, 1 if op == "shift_left" else -1) if not_negative else None
            if length is not None and length < LONGEST:
                bounds.append((1 << max(length, 0)) - 1)
            quotient = self.node(node.args[0])
            if op == "shift_left" and quotient.op == "floor_shift_right" and quotient.args[1] == node.args[1]:
                bounds.append(self.range(quotient.args[0])[1])  # rounded down to a multiple of 2^n
            return low, max(low, min(bounds))
        if op == "bits":
            require(low >= 0, "bits of a number that may be negative")
            if (high >> node.low).bit_length() <= node.width:
                return low >> node.low, high >> node.low
            return 0, (1 << node.width) - 1
        if op == "bit_length":
            require(low >= 0, "the length of a number that may be negative")
            return low.bit_length(), high.bit_length()
        require(op == "claim", f"no range of {op!r}")
        low, high = max(low, node.claimed[0]), min(high, node.claimed[1])
        require(low <= high, "a claim that contradicts the range of its operand")
        return low, high

    def shifted_length(self, x: int, n: int, sign: int) -> Optional[int]:
        """A number that the length of x, plus or minus the amount n, never exceeds; if a node is the length of x."""
        for i, node in enumerate(self.nodes[:len(self.ranges)]):
            if node.op == "bit_length" and node.args[0] == x:
                negative, constant = self.replaced({-1: -1, -2: -sign}, 0, {-1: i + 1, -2: n})
                return -self.lower_bound(negative, constant, SUBSTITUTIONS)
        return None

    def evaluate(self, inputs: dict[str, int]) -> list[int]:
        """The nodes' values. Raises Rejected where a claim does not hold."""
        values: list[int] = []
        for node in self.nodes:
            values.append(value_of(node, [values[a - 1] for a in node.args], inputs))
        return values


def collected(pairs) -> dict[int, int]:
    terms: dict[int, int] = {}
    for number, coefficient in pairs:
        terms[number] = terms.get(number, 0) + coefficient
    return terms


def value_of(node: Node, args: list[int], inputs: dict[str, int]) -> int:
    """What an operation is, on numbers."""
    op = node.op
    if op in ("constant", "boolean"):
        return node.value
    if op == "input":
        value = inputs.get(node.name, 0)
        require(0 <= value < 1 << node.width, f"{node.name} has {node.width} bits")
        return value
    if op == "sum":
        return node.value + sum(c * a for c, a in zip(node.coefficients, args))
    if op == "product":
        product = 1
        for a in args:
            product *= a
        return product
    if op == "claim":
        require(node.claimed[0] <= args[0] <= node.claimed[1], "a claim does not hold")
        return args[0]
    return {
        "abs": lambda x: abs(x),
        "negate_if": lambda s, x: -x if s else x,
        "select": lambda c, x, y: x if c else y,
        "min": min if len(args) > 1 else lambda x: x,
        "max": max if len(args) > 1 else lambda x: x,
        "shift_left": lambda x, n: x << n,
        "floor_shift_right": lambda x, n: x >> n,
        "bits": lambda x: (x >> node.low) & ((1 << node.width) - 1),
        "bit_length": lambda x: x.bit_length(),
        "less": lambda x, y: int(x < y),
        "equal": lambda x, y: int(x == y),
        "not": lambda x: 1 - x,
        "and": lambda *x: int(all(x)),
        "xor": lambda *x: sum(x) % 2,
    }[op](*args)


def width_of(low: int, high: int) -> int:
    """Bits of the least word, in two's complement if there are negative numbers."""
    if low >= 0:
        return max(high.bit_length(), 1)
    return max((-low - 1).bit_length(), max(high, 0).bit_length()) + 1


class Circuit:
    """Gates as clauses (Tseitin), each gate once. Literals as DIMACS has them; variable 1 is true."""

    def __init__(self) -> None:
        self.variables = 1
        self.clauses: list[tuple[int, ...]] = [(TRUE,)]
        self.gates: dict[tuple, int] = {}

    def input(self) -> int:
        self.variables += 1
        return self.variables

    def gate(self, key: tuple) -> tuple[int, bool]:
        known = self.gates.get(key)
        if known is None:
            self.gates[key] = self.input()
        return self.gates[key], known is None

    def conjunction(self, literals) -> int:
        literals = sorted(set(literals) - {TRUE}, key=lambda x: (abs(x), x))
        if FALSE in literals or any(x == -y for x, y in zip(literals, literals[1:])):
            return FALSE
        if len(literals) < 2:
            return literals[0] if literals else TRUE
        out, new = self.gate(("and", *literals))
        if new:
            self.clauses += [(-out, x) for x in literals]
            self.clauses.append((out, *(-x for x in literals)))
        return out

    def disjunction(self, x: int, y: int) -> int:
        return -self.conjunction((-x, -y))

    def parity(self, x: int, y: int) -> int:
        if abs(x) > abs(y):
            x, y = y, x
        if abs(x) == TRUE:
            return -y if x == TRUE else y
        if abs(x) == abs(y):
            return FALSE if x == y else TRUE
        sign = -1 if (x < 0) != (y < 0) else 1
        x, y = abs(x), abs(y)
        out, new = self.gate(("parity", x, y))
        if new:
            self.clauses += [(-out, x, y), (-out, -x, -y), (out, -x, y), (out, x, -y)]
        return sign * out

    def choice(self, condition: int, yes: int, no: int) -> int:
        if condition == TRUE or yes == no:
            return yes
        if condition == FALSE:
            return no
        if condition < 0:
            return self.choice(-condition, no, yes)
        if yes in (TRUE, condition):
            return self.disjunction(condition, no)
        if yes in (FALSE, -condition):
            return self.conjunction((-condition, no))
        if no in (FALSE, condition):
            return self.conjunction((condition, yes))
        if no in (TRUE, -condition):
            return self.disjunction(-condition, yes)
        if yes == -no:
            return self.parity(condition, no)
        if yes < 0:
            return -self.choice(condition, -yes, -no)
        out, new = self.gate(("choice", condition, yes, no))
        if new:
            self.clauses += [(-condition, -yes, out), (-condition, yes, -out), (condition, -no, out), (condition, no, -out),
                             (-yes, -no, out), (yes, no, -out)]
        return out

    def majority(self, x: int, y: int, z: int) -> int:
        p, q, r = sorted((x, y, z), key=lambda v: (abs(v), v))
        if p == TRUE:
            return self.disjunction(q, r)
        if p == FALSE:
            return self.conjunction((q, r))
        if q in (p, r):
            return q
        if p == -q:
            return r
        if q == -r:
            return p
        if p < 0:
            return -self.majority(-p, -q, -r)
        out, new = self.gate(("majority", p, q, r))
        if new:
            for s, t in ((p, q), (p, r), (q, r)):
                self.clauses += [(-s, -t, out), (s, t, -out)]
        return out

    def any(self, literals) -> int:
        return -self.conjunction([-x for x in literals])

    def dimacs(self) -> str:
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join(lines) + "\n"


def resized(word: list[int], signed: bool, width: int) -> list[int]:
    return word[:width] + [word[-1] if signed else FALSE] * (width - len(word))


def constant(value: int, width: int) -> list[int]:
    return [TRUE if value >> i & 1 else FALSE for i in range(width)]


class Words:
    """The word of each node: literals, the least significant bit first."""

    def __init__(self, graph: Graph, free: set[int], by: dict[int, int]) -> None:
        self.graph = graph
        self.free = free
        self.by = by
        self.circuit = Circuit()
        self.words: dict[int, list[int]] = {}

    def is_zero_product(self, node: Node) -> bool:
        if node.op != "equal" or self.graph.node(node.args[0]).op != "product":
            return False
        other = self.graph.node(node.args[1])
        return other.op == "constant" and other.value == 0

    def is_conditional(self, number: int) -> bool:
        return self.graph.node(number).op == "negate_if" and number not in self.free and number not in self.by

    def parts(self, number: int) -> list[int]:
        node = self.graph.node(number)
        if number in self.free:
            return []
        if number in self.by:
            return [self.by[number]]
        if self.is_zero_product(node):
            return self.graph.node(node.args[0]).args
        if node.op != "sum":
            return node.args
        return [p for a in node.args for p in (self.graph.node(a).args if self.is_conditional(a) else [a])]

    def make(self, roots: list[int]) -> None:
        users: dict[int, list[int]] = {number: [] for number in roots}
        parts, pending = {}, list(users)
        while pending:
            number = pending.pop()
            parts[number] = self.parts(number)
            for part in parts[number]:
                if part not in users:
                    users[part] = []
                    pending.append(part)
                users[part].append(number)
        missing = {number: len(of) for number, of in parts.items()}
        ready = [number for number, count in missing.items() if count == 0]
        heapq.heapify(ready)
        while ready:
            number = heapq.heappop(ready)
            self.words[number] = self.word_of(number)
            for user in users[number]:
                missing[user] -= 1
                if missing[user] == 0:
                    heapq.heappush(ready, user)
        require(len(self.words) == len(parts), "a word is built from itself")

    def literal(self, number: int) -> int:
        return self.words[abs(number)][0] * (1 if number > 0 else -1)

    def is_signed(self, number: int) -> bool:
        return self.graph.range(number)[0] < 0

    def word(self, number: int, width: int) -> list[int]:
        return resized(self.words[number], self.is_signed(number), width)

    def fresh(self, low: int, high: int) -> list[int]:
        width = width_of(low, high)
        if low == high:
            return constant(low, width)
        word = [self.circuit.input() for _ in range(width)]
        self.circuit.clauses.append((-self.less(word, constant(low, width), low < 0),))
        self.circuit.clauses.append((-self.less(constant(high, width), word, low < 0),))
        return word

    def add(self, x: list[int], y: list[int]) -> list[int]:
        out, carry = [], FALSE
        for i, (p, q) in enumerate(zip(x, y)):
            out.append(self.circuit.parity(self.circuit.parity(p, q), carry))
            if i + 1 < len(x):
                carry = self.circuit.majority(p, q, carry)
        return out

    def total(self, terms: list[list[int]], width: int) -> list[int]:
        if not terms:
            return constant(0, width)
        while len(terms) > 1:
            terms = [self.add(*terms[i:i + 2]) if i + 1 < len(terms) else terms[i] for i in range(0, len(terms), 2)]
        return terms[0]

    def times(self, x: list[int], factor: int) -> list[int]:
        rows = [[FALSE] * i + x[:len(x) - i] for i in range(len(x)) if factor >> i & 1]
        return self.total(rows, len(x))

    def product(self, x: list[int], y: list[int]) -> list[int]:
        out = [FALSE] * len(x)
        for i, bit in enumerate(x):
            if bit != FALSE:
                row = [FALSE] * i + [self.circuit.conjunction((bit, y[j])) for j in range(len(x) - i)]
                out = self.add(out, row)
        return out

    def choice(self, condition: int, yes: list[int], no: list[int]) -> list[int]:
        return [self.circuit.choice(condition, p, q) for p, q in zip(yes, no)]

    def flipped_if(self, sign: int, x: list[int]) -> list[int]:
        return [self.circuit.parity(bit, sign) for bit in x]

    def negated_if(self, sign: int, x: list[int]) -> list[int]:
        return self.add(self.flipped_if(sign, x), resized([sign], False, len(x)))

    def less(self, x: list[int], y: list[int], signed: bool) -> int:
        if signed:
            x, y = x[:-1] + y[-1:], y[:-1] + x[-1:]
        lower = FALSE
        for p, q in zip(x, y):
            lower = self.circuit.majority(-p, q, lower)
        return lower

    def hull(self, numbers: list[int]) -> tuple[int, int]:
        ranges = [self.graph.range(n) for n in numbers]
        return min(r[0] for r in ranges), max(r[1] for r in ranges)

    def sum_of(self, node: Node, width: int) -> list[int]:
        rest, terms, signs = node.value, [], []
        for number, coefficient in zip(node.args, node.coefficients):
            conditional = self.is_conditional(number)
            args = self.graph.node(number).args
            x = self.times(self.word(args[1] if conditional else number, width), abs(coefficient))
            if conditional:
                sign = self.literal(args[0]) * (-1 if coefficient < 0 else 1)
                x = self.flipped_if(sign, x)
                signs.append([sign])
            elif coefficient < 0:
                x = self.flipped_if(TRUE, x)
                rest += 1
            terms.append(x)
        while len(signs) > 1:
            wider = [resized(s, False, len(signs[0]) + 1) for s in signs]
            signs = [self.add(*wider[i:i + 2]) if i + 1 < len(wider) else wider[i] for i in range(0, len(wider), 2)]
        if signs:
            terms.append(resized(signs[0], False, width))
        if rest != 0:
            terms.append(constant(rest, width))
        return self.total(terms, width)

    def shifted(self, x: list[int], amount: list[int], fill: int, left: bool) -> list[int]:
        out, i = x, 0
        while i < len(amount) and 1 << i < len(x):
            n = 1 << i
            moved = [FALSE] * n + out[:len(x) - n] if left else out[n:] + [fill] * n
            out = self.choice(amount[i], moved, out)
            i += 1
        return self.choice(self.circuit.any(amount[i:]), [fill] * len(x), out)

    def length_of(self, x: list[int]) -> list[int]:
        digits = 1
        while (1 << digits) - 1 < len(x):
            digits += 1
        rest, length = resized(x, False, (1 << digits) - 1), [0] * digits
        for j in reversed(range(digits)):
            half = 1 << j
            upper = rest[half - 1:]
            length[j] = self.circuit.any(upper)
            if j > 0:
                rest = self.choice(length[j], upper[1:], rest[:half - 1])
        return length

    def extremum_of(self, node: Node, width: int) -> list[int]:
        low, high = self.hull(node.args)
        left = [self.word(a, width_of(low, high)) for a in node.args]
        while len(left) > 1:
            winners = []
            for i in range(0, len(left), 2):
                if i + 1 == len(left):
                    winners.append(left[i])
                    continue
                x, y = left[i], left[i + 1]
                first = self.less(x, y, low < 0)
                winners.append(self.choice(first, x, y) if node.op == "min" else self.choice(first, y, x))
            left = winners
        return resized(left[0], low < 0, width)

    def compared(self, node: Node) -> int:
        low, high = self.hull(node.args)
        width = width_of(low, high)
        x, y = self.word(node.args[0], width), self.word(node.args[1], width)
        if node.op == "less":
            return self.less(x, y, low < 0)
        return self.circuit.conjunction([-self.circuit.parity(p, q) for p, q in zip(x, y)])

    def word_of(self, number: int) -> list[int]:
        node = self.graph.node(number)
        low, high = self.graph.range(number)
        width = width_of(low, high)
        circuit, op, args = self.circuit, node.op, node.args
        if number in self.free:
            return self.fresh(low, high)
        if number in self.by:
            return self.word(self.by[number], width)
        if op in ("constant", "boolean"):
            return constant(node.value, width)
        if op == "input":
            return [circuit.input() for _ in range(width)]
        if op == "sum":
            return self.sum_of(node, width)
        if op == "product":
            out = self.word(args[0], width)
            for a in args[1:]:
                out = self.product(out, self.word(a, width))
            return out
        if op == "abs":
            x = self.words[args[0]]
            return resized(self.negated_if(x[-1], x) if self.is_signed(args[0]) else x, False, width)
        if op == "negate_if":
            return self.negated_if(self.literal(args[0]), self.word(args[1], width))
        if op == "select":
            return self.choice(self.literal(args[0]), self.word(args[1], width), self.word(args[2], width))
        if op in ("min", "max"):
            return self.extremum_of(node, width)
        if op == "shift_left":
            return self.shifted(self.word(args[0], width), self.words[args[1]], FALSE, left=True)
        if op == "floor_shift_right":
            x, signed = self.words[args[0]], self.is_signed(args[0])
            return resized(self.shifted(x, self.words[args[1]], x[-1] if signed else FALSE, left=False), signed, width)
        if op == "bits":
            return resized(resized(self.words[args[0]], False, node.low + node.width)[node.low:], False, width)
        if op == "bit_length":
            return resized(self.length_of(self.words[args[0]]), False, width)
        if op == "claim":
            return self.word(args[0], width)
        if op == "not":
            return [-self.literal(args[0])]
        if op == "and":
            return [circuit.conjunction([self.literal(a) for a in args])]
        if op == "xor":
            odd = self.literal(args[0])
            for a in args[1:]:
                odd = circuit.parity(odd, self.literal(a))
            return [odd]
        if self.is_zero_product(node):
            factors = self.graph.node(args[0]).args
            return [-circuit.conjunction([circuit.any(self.words[f]) for f in factors])]
        return [self.compared(node)]


def check_lrat(clauses: list[tuple[int, ...]], proof: str) -> None:
    """Each line follows from the clauses that it names by unit propagation; the last is empty."""
    known = list(clauses)
    for text in proof.splitlines():
        numbers = [int(x) for x in text.split()]
        end = numbers.index(0, 1)
        clause, hints = numbers[1:end], numbers[end + 1:-1]
        require(numbers[0] == len(known) + 1 and numbers[-1] == 0 and 0 not in hints, "a line of the LRAT proof is out of order")
        false = set(clause)  # literals
        require(not any(-x in false for x in clause), "a clause of the LRAT proof has a literal and its negation")
        conflict = False
        for i, hint in enumerate(hints):
            require(1 <= hint <= len(known), "a line of the LRAT proof names a clause that is not there")
            left = {x for x in known[hint - 1] if x not in false}
            if not left:
                conflict = i + 1 == len(hints)
                break
            require(len(left) == 1, "a clause of the LRAT proof does not follow")
            false.add(-left.pop())
        require(conflict, "a clause of the LRAT proof does not follow")
        if not clause:
            return
        known.append(tuple(clause))
    raise Rejected("the LRAT proof does not end with the empty clause")


def read_goal(text: str) -> tuple[Graph, list[int]]:
    goal = json.loads(text)
    require(goal["version"] == 1, "a goal of another version")
    graph = Graph()
    for array in goal["nodes"]:
        graph.add(array)
    conditions = goal["conditions"]
    require(bool(conditions) and all(1 <= c <= len(graph.nodes) for c in conditions), "a condition that is not there")
    require(all(graph.node(c).op in BOOLEANS for c in conditions), "a condition that is not Boolean")
    return graph, conditions


def rewrites_of(graph: Graph, step: dict, earlier: list[list[int]]) -> dict[int, int]:
    """The node whose word replaces each rewritten node's."""
    by: dict[int, int] = {}
    for node, other, premise in step.get("rewrites", []):
        require(all(1 <= n <= len(graph.nodes) for n in (node, other)), "a rewritten node that is not there")
        require(1 <= premise <= len(earlier), "a rewriting's premise that is not there")
        require(node not in by and node not in step["free"], "two words for a node")
        rest = [x for x in earlier[premise - 1] if x not in step["refuted"]]
        require(len(rest) == 1, "a rewriting's premise depends on more than the step does")
        says = graph.node(abs(rest[0]))
        require(says.op == ("equal" if rest[0] < 0 else "xor") and sorted(says.args) == sorted([node, other]), "a rewriting of what is not equal")
        by[node] = other
    return by


def clauses_of(graph: Graph, step: dict, earlier: list[list[int]]) -> Circuit:
    refuted, free, premises = step["refuted"], step["free"], step["premises"]
    require(bool(refuted), "a step refutes nothing")
    require(all(1 <= p <= len(earlier) for p in premises), "a premise that is not there")
    require(all(1 <= n <= len(graph.nodes) for n in free), "a free node that is not there")
    used = [refuted] + [earlier[p - 1] for p in premises]
    roots = [abs(x) for literals in used for x in literals]
    require(all(1 <= n <= len(graph.nodes) and graph.node(n).op in BOOLEANS for n in roots), "a step refutes what is not Boolean")
    words = Words(graph, set(free), rewrites_of(graph, step, earlier))
    words.make(roots)
    circuit = words.circuit
    circuit.clauses += [(words.literal(x),) for x in refuted]
    for literals in used[1:]:
        circuit.clauses.append((-circuit.conjunction([words.literal(x) for x in literals]),))
    return circuit


def check_goal(folder: Path, number: str) -> int:
    """The number of steps of a goal's proof."""
    text = (folder / f"{number}.goal.json").read_text()
    require(hashlib.sha256(text.encode()).hexdigest()[:16] == number, "the goal is another one")
    graph, conditions = read_goal(text)
    steps: list[list[int]] = []
    for line in (folder / f"{number}.proof.jsonl").read_text().splitlines():
        step = json.loads(line)
        if "define" in step:
            require(step["define"][0] not in ("input", "claim"), "a definition of an input or a claim")
            graph.add(step["define"])
            continue
        circuit = clauses_of(graph, step, steps)
        digest = hashlib.sha256(circuit.dimacs().encode()).hexdigest()
        require(digest == step["clauses"], f"step {len(steps) + 1} has other clauses than its line says")
        check_lrat(circuit.clauses, (folder / f"{number}.{len(steps) + 1}.lrat").read_text())
        steps.append(step["refuted"])
    require(any(set(refuted) <= set(conditions) for refuted in steps), "no step refutes conditions of the goal alone")
    return len(steps)


def check_certificate(folder: Path) -> str:
    """What was checked. Raises Rejected."""
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        require("/" not in name, "a file outside the folder")
        require(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"{name} was changed")
    statement = json.loads((folder / "statement.json").read_text())
    require("goals" in statement, "it has queries, not proof objects: mmaspec certify checks it")
    steps = [check_goal(folder, goal[:16]) for goal in statement["goals"]]
    for goal in statement["goals"]:
        text = (folder / f"{goal[:16]}.goal.json").read_bytes()
        require(hashlib.sha256(text).hexdigest() == goal, "a goal is not the one that the statement names")
    return f"{len(steps)} goals, {sum(steps)} steps"


def evaluate(path: Path) -> None:
    graph, conditions = read_goal(path.read_text())
    for line in sys.stdin:
        inputs = {name: int(value, 16) if isinstance(value, str) else value for name, value in json.loads(line).items()}
        values = graph.evaluate(inputs)
        print(json.dumps([values[c - 1] for c in conditions]))


def certificates_in(path: Path) -> list[Path]:
    if (path / "statement.json").exists():
        return [path]
    return sorted(p for p in path.iterdir() if p.is_dir())


def main(arguments: list[str]) -> int:
    sys.setrecursionlimit(10000)
    if len(arguments) == 2 and arguments[0] == "--evaluate":
        try:
            evaluate(Path(arguments[1]))
        except (Rejected, OSError, ValueError, KeyError, TypeError, IndexError) as error:
            print(f"check.py: {error}", file=sys.stderr)
            return 2
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for argument in arguments:
        if not Path(argument).is_dir():
            print(f"check.py: {argument} is not a folder", file=sys.stderr)
            return 2
        for folder in certificates_in(Path(argument)):
            try:
                print(f"accepted: {folder}: {check_certificate(folder)}")
            except (Rejected, OSError, ValueError, KeyError, TypeError, IndexError) as error:
                print(f"rejected: {folder}: {error}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
