"""The order in which a function adds the products of a matrix product, measured with masks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

import numpy as np

from ._arrays import as_numpy
from .formats import dtype_of

#: A leaf is the number of a product; a node has the sums that are added there. More than two are
#: added at once, by an instruction that aligns several products.
Tree = Any

#: A number whose sum with as many ones as K has is the number itself, by the format of A and B. The
#: other formats' exponents are too near each other for such a number.
_HUGE = {"f64": 2.0**1000, "f32": 2.0**126, "bf16": 2.0**126, "f16": 2.0**15}
#: What stands for one in the operand with the huge numbers, and in the other operand. For f16, a
#: huge product is 2^39 times the product of both.
_ONES = {"f16": (2.0**-24, 2.0**15)}
#: So many ones a result of the format can count.
_COUNTS = {"f64": 2**53, "f32": 2**24, "bf16": 2**8, "f16": 2**11}
_LONGEST_TREE = 60000  # letters of a tree in a plan's name
_MOST_PARTS = 64  # of K, for instructions with several products


def can_measure(formats: tuple[str, str, str]) -> bool:
    """Whether masks exist for products of these formats."""
    a, b, d = formats
    return a == b and a in _HUGE and d in _COUNTS and not (a == "f64" and d != "f64")


def needs_many_calls(formats: tuple[str, str, str]) -> bool:
    """Whether a row or a column of each product measures only one pair."""
    return formats[0] in _ONES


class NotMeasurable(Exception):
    """The masks do not show an order: no fixed tree of additions explains the results."""


@dataclass
class Counted:
    """A function with a counter of its calls."""

    function: Callable[[Any, Any], Any]
    calls: int = 0

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        self.calls += 1
        return as_numpy(self.function(A, B))


@dataclass
class Masks:
    """Measures the number of products in the first common sum of products i and j, for pairs of i
    and j.

    Product i is huge, product j is its negation, and all other products are one. A one that is
    added to a sum with only one of the two is lost; the result counts the other ones (FPRev; Xie et
    al., USENIX ATC 2025). One call measures many pairs: A's rows hold products i, and B's columns
    products j, or A's rows alone hold both.
    """

    function: Counted
    m: int
    n: int
    k: int
    formats: tuple[str, str, str]
    #: The elements of which the order is measured: those of these rows and columns.
    rows: list[int]
    columns: list[int]
    known: dict[tuple[int, int], int] = field(default_factory=dict)

    def _numbers(self, masks_a: bool = True) -> tuple[np.ndarray, np.ndarray, float]:
        """A and B of ones, and the huge number. `masks_a`: whether A gets it, or B."""
        one, other = _ONES.get(self.formats[0], (1.0, 1.0))
        A = np.full((self.m, self.k), one if masks_a else other)
        B = np.full((self.k, self.n), other if masks_a else one)
        return A, B, _HUGE[self.formats[0]]

    def product(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """The function's result for two float64 matrices, as float64."""
        a_format, b_format, d_format = self.formats
        # If a row and a column both make the same product huge, that result is not used.
        with np.errstate(over="ignore", invalid="ignore"):
            D = self.function(A.astype(dtype_of(a_format)), B.astype(dtype_of(b_format)))
        if D.dtype.kind == "u":  # bit patterns
            D = D.view(dtype_of(d_format))
        if D.shape != (self.m, self.n):
            raise ValueError(f"the function returned {D.shape} for ({self.m}, {self.n})")
        return D.astype(np.float64)

    def _left(self, A: np.ndarray, B: np.ndarray, masked: np.ndarray) -> np.ndarray:
        """The number of ones that remain in each element. `masked`: the operand with both masks, A
        or B.

        A result counts at most as many ones as its format represents; further ones are zeros.
        """
        counted = np.zeros((self.m, self.n))
        one, other = _ONES.get(self.formats[0], (1.0, 1.0))
        ones = masked == one
        places = np.arange(self.k) if masked is A else np.arange(self.k)[:, None]
        limit = _COUNTS[self.formats[2]]
        for first in range(0, self.k, limit):
            masked[ones] = 0
            masked[ones & (places >= first) & (places < first + limit)] = one
            counted += self.product(A, B) / (one * other)
        return counted

    def _keep(self, i: int, j: int, result: float) -> None:
        lost = self.k - result
        if not (2 <= lost <= self.k and lost == int(lost)):
            raise NotMeasurable(f"products {i} and {j}: the sum of ones is {result:g}")
        self.known[i, j] = self.known[j, i] = int(lost)

    def everywhere(self, i: int, j: int) -> np.ndarray:
        """The number of products in the first common sum of i and j, for each element: (m, n)."""
        A, B, huge = self._numbers()
        A[:, i], A[:, j] = huge, -huge
        return self.k - self._left(A, B, A)

    def measure(self, wanted: list[tuple[int, int]]) -> None:
        """Calls the function until all wanted pairs are known."""
        while todo := [pair for pair in wanted if pair not in self.known]:
            most = max(len(self.rows), len(self.columns))
            # A product of two operands of which one is huge is not huge enough in f16.
            only_pairs = self.formats[0] in _ONES or self.k > _COUNTS[self.formats[2]]
            if only_pairs or most >= self._grid(todo, dry=True):
                self._pairs(todo)
            else:
                self._grid(todo)

    def _grid(self, todo: list[tuple[int, int]], dry: bool = False) -> int:
        """Measures some products i with some products j. Returns the number of measured pairs of
        `todo`.
        """
        by_i: dict[int, list[int]] = {}
        for i, j in todo:
            by_i.setdefault(i, []).append(j)
        first = max(by_i, key=lambda i: len(by_i[i]))
        js = by_i[first][: len(self.columns)]
        others = sorted(by_i, key=lambda i: -len(set(js) & set(by_i[i])))
        fill = [i for i in range(self.k) if i not in by_i]
        rows = [i for i in (*others, *fill)][: len(self.rows)]
        if dry:
            return sum(len(set(js) & set(by_i[i])) for i in rows if i in by_i)
        A, B, huge = self._numbers()
        for row, i in zip(self.rows, rows):
            A[row, i] = huge
        for column, j in zip(self.columns, js):
            B[j, column] = -huge
        D = self.product(A, B)
        for row, i in zip(self.rows, rows):
            for column, j in zip(self.columns, js):
                if i != j:
                    self._keep(i, j, float(D[row, column]))
        return 0

    def _pairs(self, todo: list[tuple[int, int]]) -> None:
        """One pair in each row, or in each column."""
        by_row = len(self.rows) >= len(self.columns)
        A, B, huge = self._numbers(by_row)
        for at, (i, j) in zip(self.rows if by_row else self.columns, todo):
            operand = A[at] if by_row else B[:, at]
            operand[i], operand[j] = huge, -huge
        D = self._left(A, B, A if by_row else B)
        for at, (i, j) in zip(self.rows if by_row else self.columns, todo):
            self._keep(i, j, float(D[at, self.columns[0]] if by_row else D[self.rows[0], at]))

    def tree(self) -> Tree:
        """The tree of sums. Raises NotMeasurable."""
        while True:
            missing: list[tuple[int, int]] = []
            found = self._subtree(list(range(self.k)), missing)
            if not missing:
                return sorted_tree(found[0])
            self.measure(missing)

    def _subtree(self, indexes: list[int], missing: list[tuple[int, int]]) -> tuple[Tree, int]:
        """The tree over some products, and the number of products in its root's sum."""
        # FPRev's algorithm: the terms that are added to the first product, in order.
        first = indexes[0]
        if len(indexes) == 1:
            return first, 1
        unknown = [(first, j) for j in indexes[1:] if (first, j) not in self.known]
        if unknown:
            missing += unknown
            return first, 0
        groups: dict[int, list[int]] = {}
        for j in indexes[1:]:
            groups.setdefault(self.known[first, j], []).append(j)
        tree: Tree = first
        for lost in sorted(groups):
            group = groups[lost]
            sub, products = self._subtree(group, missing)
            if missing:
                continue
            if products == len(group):
                tree = (tree, sub)
            elif products == lost and isinstance(sub, tuple):  # one node adds all of them
                tree = (tree, *sub)
            else:
                raise NotMeasurable("no single tree of additions explains the masked sums")
        return tree, max(groups)


def _fold(tree: Tree, leaf: Callable[[Any], Any], node: Callable[[list[Any]], Any]) -> Any:
    """Folds a tree: `node` combines the summands' values, `leaf` gives a product's. Not recursive:
    chains are K deep.
    """
    done: list[Any] = []
    todo: list[tuple[Tree, bool]] = [(tree, False)]
    while todo:
        at, is_open = todo.pop()
        if not isinstance(at, tuple):
            done.append(leaf(at))
        elif is_open:
            summands = done[-len(at) :]
            del done[-len(at) :]
            done.append(node(summands))
        else:
            todo.append((at, True))
            todo += [(t, False) for t in reversed(at)]
    return done[0]


def sorted_tree(tree: Tree) -> Tree:
    """The same tree, with the summands of each node in the order of their least product."""

    def node(summands: list[Any]) -> Any:
        ordered = sorted(summands, key=lambda s: s[0])
        return ordered[0][0], tuple(t for _, t in ordered)

    return _fold(tree, lambda x: (x, x), node)[1]


def number_of(tree: Tree, numbers: dict[Any, int]) -> int:
    """A number for each tree; trees are equal if only the order of summands differs."""
    return int(
        _fold(
            tree,
            lambda x: numbers.setdefault(("product", x), len(numbers)),
            lambda summands: numbers.setdefault(("sum", *sorted(summands)), len(numbers)),
        )
    )


def chain_of(tree: Tree) -> list[int]:
    """The products that a tree adds one after the other; empty for other trees.

    The masks do not show the order of the first two products; the lesser index comes first.
    """
    items: list[int] = []
    while isinstance(tree, tuple):
        leaves = [t for t in tree if not isinstance(t, tuple)]
        if len(tree) != 2 or not leaves:
            return []
        items.append(max(leaves))
        tree = tree[1] if tree[0] == items[-1] else tree[0]
    return [tree, *reversed(items)]


def _text_of_chain(chain: list[int]) -> str:
    """`0..63`, or `0..56/8`: every eighth product."""
    parts = []
    at = 0
    while at < len(chain):
        end = at + 1
        step = chain[end] - chain[at] if end < len(chain) else 0
        while end < len(chain) and step > 0 and chain[end] - chain[end - 1] == step:
            end += 1
        if end - at > 2:
            parts.append(f"{chain[at]}..{chain[end - 1]}" + (f"/{step}" if step > 1 else ""))
        else:
            end = at + 1
            parts.append(str(chain[at]))
        at = end
    return "+".join(parts)


def text_of_tree(tree: Tree) -> str:
    """`((0..62/2)+(1..63/2))` adds the even products, one after the other, the odd ones, and both sums.

    `{(0..7), 8..15}`: one node adds the sum of eight products, and eight more.
    """
    chain = chain_of(tree)
    if len(chain) == 1:
        return str(chain[0])
    if chain:
        return f"({_text_of_chain(chain)})"
    if len(tree) > 2:
        leaves = _text_of_chain(sorted(t for t in tree if not isinstance(t, tuple)))
        nodes = [text_of_tree(t) for t in tree if isinstance(t, tuple)]
        return "{" + ", ".join([*nodes, *leaves.split("+")]) + "}"
    summands: list[str] = []  # starting with the last one
    while isinstance(tree, tuple) and len(tree) == 2 and not chain_of(tree):
        summands.append(text_of_tree(tree[1]))
        tree = tree[0]
    return "(" + "+".join([text_of_tree(tree), *reversed(summands)]) + ")"


def _summands(text: str) -> list[str]:
    """The summands of '(x+y+z)' or '{x, y, z}'; empty for a chain."""
    if text[:1] not in ("(", "{"):
        return []
    found: list[str] = []
    depth = 0
    at = 1
    for i, letter in enumerate(text):
        depth += letter in "({"
        depth -= letter in ")}"
        if (depth == 1 and letter in "+,") or depth == 0:
            found.append(text[at:i].strip())
            at = i + 1
    return found


def picture_of_tree(text: str) -> str:
    """A tree as indented lines: the summands of a node follow it, with a larger indent."""
    lines: list[str] = []
    todo = [(text, 0)]
    while todo:
        at, depth = todo.pop()
        summands = _summands(at)
        # A term added to a sum of several terms is added in sequence: ((x+y)+z) is (x+y+z).
        while at[:1] == "(" and len(_summands(summands[0])) > 1 and summands[0][0] == "(":
            summands[:1] = _summands(summands[0])
        if any(_summands(s) for s in summands):
            lines.append("    " * depth + ("sum of" if at[0] == "(" else "at once the sum of"))
            todo += [(s, depth + 1) for s in reversed(summands)]
        else:
            lines.append("    " * depth + ("+".join(summands) if summands else at))
    return "\n".join(lines)


@dataclass(frozen=True)
class Step:
    """An instruction with the order in which it adds its products."""

    name: str  #: as a plan has it, without 'plan:'
    k: int
    products: Tree  #: of 'c' and the numbers of products

    def rounded(self, length: int) -> Step:
        """The order of K products, each of which is rounded before it is added."""
        if length == 1:
            return self
        tree: Tree = 0
        for i in range(1, length):
            tree = (tree, i)
        return Step(f"split-k({self.name},k={length},parts={length})", length, ("c", tree))

    def chain(self, products: list[int]) -> Tree:
        """The tree of a chain over some products that starts from +0; -1 stands for a missing
        product.
        """
        tree: Tree = "c"
        for at in range(0, len(products), self.k):
            tree = self._substituted(tree, products[at : at + self.k])
        return tree

    def _substituted(self, c: Tree, products: list[int]) -> Tree:
        def leaf(x: Any) -> Tree:
            return c if x == "c" else products[x]

        return _fold(self.products, leaf, tuple)


def _without_zeros(tree: Tree) -> Tree:
    """The tree without sums with +0 (the leaf 'c'); None if nothing remains."""

    def node(summands: list[Any]) -> Any:
        left = [t for t in summands if t is not None]
        return None if not left else left[0] if len(left) == 1 else tuple(left)

    return _fold(tree, lambda x: None if x == "c" or x == -1 else x, node)


def _reduced(trees: list[Tree], reduce: str) -> Tree:
    """The tree that adds the parts' sums in the order of split-k's `reduce`."""
    if reduce == "sequential" or reduce == "backward":
        ordered = trees if reduce == "sequential" else trees[::-1]
        tree = ordered[0]
        for t in ordered[1:]:
            tree = (tree, t)
        return tree
    while len(trees) > 1:
        if reduce == "tree":
            pairs: list[Tree] = [tuple(trees[i : i + 2]) for i in range(0, len(trees), 2)]
            trees = [p if len(p) == 2 else p[0] for p in pairs]
        else:
            half = (len(trees) + 1) // 2
            trees = [
                (trees[i], trees[i + half]) if i + half < len(trees) else trees[i]
                for i in range(half)
            ]
    return trees[0]


def _dealt(products: list[int], ways: int, block: int, within: int) -> list[int]:
    """The order of plan:permute."""
    out: list[int] = []
    for first in range(0, len(products), within):
        some = products[first : first + within]
        for way in range(ways):
            for at in range(way * block, len(some), ways * block):
                out += some[at : at + block]
    return out


def _chains(tree: Tree) -> list[list[int]]:
    """The chains whose sums a tree adds."""
    chains: list[list[int]] = []
    todo = [tree]
    while todo:
        at = todo.pop()
        chain = chain_of(at)
        if chain:
            chains.append(chain)
        else:
            todo += [t for t in at if isinstance(t, tuple)] if len(at) > 2 else at
    return chains


def plans_of_tree(tree: Tree, k: int, step: Step) -> dict[bool, str]:
    """Plans around an instruction that add the products in this tree.

    False: the instruction adds products to its accumulator. True: each product is rounded, then
    added. The masks do not distinguish the two.
    """
    numbers: dict[Any, int] = {}
    wanted = number_of(tree, numbers)
    found: dict[bool, str] = {}
    for is_rounded, plan, products in _plans(tree, k, step):
        if is_rounded in found:
            continue
        sums = _without_zeros(products)
        if sums is not None and number_of(sums, numbers) == wanted:
            found[is_rounded] = plan
    return found


def trees_as_plans(tree: Tree, k: int, step: Step, exact: bool) -> list[str]:
    """Plans that add the products in this tree with an instruction of one product.

    They differ in what masks do not show: whether products are rounded before they are added, and
    which of two products a sum starts with. `exact`: products are exact, so that neither matters.
    """
    if step.k > 1:
        return []
    starts: list[set[str]] = [set(), {"last first"}, {"first two"}, {"all"}]
    ways = [set()] if exact else [start | more for start in starts for more in (set(), {"of sums"})]
    texts = [_text_with_roundings(tree, how) for how in ways]
    return [f"sum-tree({step.name},k={k},tree={t})" for t in dict.fromkeys(texts) if 0 < len(t) < _LONGEST_TREE]


def _text_with_roundings(tree: Tree, how: set[str]) -> str:
    """The tree as text for plan:sum-tree; "" if a node has more than two summands.

    `how`: 'all': each product of a chain is rounded before it is added; 'first two': those with
    which a chain starts; 'of sums': those that are added to a sum of sums. 'last first': a chain
    starts with its second product.
    """

    def text(terms: list[Any]) -> str:
        parts: list[str] = []
        at = 0
        while at < len(terms):
            end = at
            while end < len(terms) and isinstance(terms[end], int):
                end += 1
            parts.append(_text_of_chain(terms[at:end]) if end > at else terms[at])
            at = max(end, at + 1)
        return f"({'+'.join(parts)})"

    def term(product: int, is_rounded: bool) -> int | str:
        return f"({product})" if is_rounded else product

    def node(summands: list[Any]) -> Any:
        if len(summands) != 2 or None in summands:
            return None
        leaves = [x for x in summands if isinstance(x, int)]
        if len(leaves) == 2:
            ordered = leaves[::-1] if "last first" in how else leaves
            return False, [term(x, bool({"all", "first two"} & how)) for x in ordered]
        if leaves:
            of_sums, terms = summands[0] if isinstance(summands[1], int) else summands[1]
            terms.append(term(leaves[0], ("of sums" if of_sums else "all") in how))
            return of_sums, terms
        (_, terms), (_, others) = summands
        return True, [*terms, text(others)]

    found = _fold(tree, lambda x: x, node)
    return text(found[1]) if isinstance(found, tuple) else ""


def _split(step: Step, products: list[int], lengths: list[int]) -> Iterator[tuple[str, Tree]]:
    """Parts of K, added in each order: the name, without 'plan:' before it, and the tree."""
    k = len(products)
    parts = len(lengths)
    sums = []
    at = 0
    for length in lengths:
        sums.append(step.chain(products[at : at + length]))
        at += length
    if parts == 1:
        yield (step.name if k == step.k else f"chain({step.name},k={k})"), sums[0]
        return
    if lengths == [lengths[0]] * parts:
        cut = f"parts={parts}"
    elif lengths[:-1] == [lengths[0]] * (parts - 1) and lengths[-1] < lengths[0]:
        cut = f"parts={parts},part={lengths[0]}"
    else:
        runs: list[list[int]] = []
        for length in lengths:
            if runs and runs[-1][0] == length:
                runs[-1][1] += 1
            else:
                runs.append([length, 1])
        cut = "lengths=" + ":".join(f"{n}x{c}" if c > 1 else str(n) for n, c in runs)
    for reduce in ("sequential", "backward", "tree", "halves"):
        name = "" if reduce == "sequential" else f",reduce={reduce}"
        yield f"split-k({step.name},k={k},{cut}{name})", _reduced(sums, reduce)


def _unrolled(
    k: int, step: Step, block: int, lengths: list[int]
) -> Iterator[tuple[bool, str, Tree]]:
    """Plans of a loop with a sum for each chain, whose first chain gets the products that do not
    fill an iteration of the unrolled loop.
    """
    ways, dealt = len(lengths), len(lengths) * lengths[1]
    first = k - dealt + lengths[1]
    if dealt == k or block != step.k or lengths != [first] + lengths[1:2] * (ways - 1):
        return
    unroll = ways * block
    while unroll < dealt and k // unroll * unroll != dealt:
        unroll *= 2
    if k // unroll * unroll != dealt:
        unroll = dealt
    if k // unroll * unroll != dealt:
        return
    order = _dealt(list(range(dealt)), ways, block, dealt)
    order[lengths[1] : lengths[1]] = range(dealt, k)
    for name, sums in _split(step, order, lengths):
        yield False, f"permute({name},k={k},ways={ways},block={block},unroll={unroll})", sums


def _plans(tree: Tree, k: int, step: Step) -> Iterator[tuple[bool, str, Tree]]:
    """Plans whose parts have the lengths of the tree's chains: (products are rounded, name, tree)."""

    def multiple(of: int) -> int:
        return -(-k // of) * of

    def padded(length: int) -> list[int]:
        return [i if i < k else -1 for i in range(length)]

    rounds: list[tuple[bool, Callable[[int], Step]]] = [(False, lambda length: step)]
    if step.k == 1:
        # A part that is split into parts of one product each.
        rounds.append((True, lambda length: step.rounded(length)))
    whole = multiple(step.k)
    if step.k > 1:
        # Equal parts, for any tree of a step.
        for parts in range(1, min(whole // step.k, _MOST_PARTS) + 1):
            part = -(-whole // (parts * step.k)) * step.k
            if part * (parts - 1) < whole:
                cut = [part] * (parts - 1) + [whole - part * (parts - 1)]
                for name, sums in _split(step, padded(whole), cut):
                    yield False, name, sums
    chains = sorted(_chains(tree), key=min)
    ways = len(chains)
    if sum(len(c) for c in chains) < k:
        return  # nodes of many products
    # Consecutive parts of K.
    lengths = [len(c) for c in chains]
    if all(n % step.k == 0 for n in lengths[:-1]):
        lengths[-1] = whole - sum(lengths[:-1])
        for is_rounded, unit in rounds:
            if not is_rounded or len(set(lengths)) == 1:
                for name, sums in _split(unit(lengths[0]), padded(whole), lengths):
                    yield is_rounded, name, sums
    if ways == 1:
        return
    # Distributed among the elements of vectors, whose sums are added at the end.
    block = 1
    first = sorted(chains[0])
    while block < len(first) and first[block] == first[0] + block:
        block += 1
    yield from _unrolled(k, step, block, [len(c) for c in chains])
    together = multiple(ways * block)
    each = together // ways
    if block % step.k != 0 or each % step.k != 0:
        return
    for is_rounded, unit in rounds:
        dealt = _dealt(padded(together), ways, block, together)
        for name, sums in _split(unit(each), dealt, [each] * ways):
            yield is_rounded, f"permute({name},k={k},ways={ways},block={block})", sums
        # The vector's halves are added until this number of elements is left, and then neighbours.
        left = ways // 2
        while left > 1 and ways % left == 0:
            order = _dealt(padded(together), left, block, together)
            wrap = [f"ways={left},block={block}"]
            within = together // left
            for _ in range((ways // left).bit_length() - 1):
                order = _dealt(order, 2, block, within)
                wrap.append(f"ways=2,block={block},within={within}")
                within //= 2
            for name, sums in _split(unit(each), order, [each] * ways):
                for depth, options in enumerate(reversed(wrap)):
                    size = k if depth + 1 == len(wrap) else together
                    name = f"permute({name},k={size},{options})"
                yield is_rounded, name, sums
            left //= 2


def step_of(unit: Any) -> Step | None:
    """The order in which an instruction adds its products, measured on its specification."""
    k = unit.k
    if k == 1:
        return Step(unit.name, 1, ("c", 0))
    if unit.a != unit.b or unit.a not in _HUGE or k > 64:
        return None
    masks = Masks(Counted(unit.chained(2 * k)), 16, 16, 2 * k, (unit.a, unit.b, unit.d), [*range(16)], [*range(16)])
    try:
        tree = masks.tree()
    except NotMeasurable:
        return None

    def node(summands: list[Any]) -> Any:
        # The terms of the first step's products are the accumulator of the second step.
        left = [t for t in summands if t != "c"]
        return "c" if not left else tuple(summands)

    found = _fold(tree, lambda x: "c" if x < k else x - k, node)
    ones = [t for t in found if t == "c"] if isinstance(found, tuple) else []
    return Step(unit.name, k, found) if isinstance(found, tuple) and len(ones) <= 1 else None
