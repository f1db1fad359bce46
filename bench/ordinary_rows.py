#!/usr/bin/env python3
"""Random rows under the conditions of the bench's ordinary questions, on models of the designs that share no code with
mmaspec: how it is known that these are satisfiable. Prints for each the rows that differ, and by how much at most.

Fused sums (Hopper F=25, Ampere F=24 in two blocks, Volta F=23, Turing F=24): terms cut toward zero F bits below the
largest exponent, their sum cut to f32's 24 bits. Here no result is subnormal and none overflows."""
import random
import sys
from fractions import Fraction


def floor_log2(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def cut(x, unit):
    """x toward zero to a multiple of 2^unit."""
    scaled = abs(x) / Fraction(2) ** unit
    size = (scaled.numerator // scaled.denominator) * Fraction(2) ** unit
    return size if x >= 0 else -size




def fused(terms, c, f, places=23):
    """terms: (a, b), of formats whose normal numbers these are."""
    values = [(a * b, floor_log2(abs(a)) + floor_log2(abs(b))) for a, b in terms if a * b]
    if c:
        values.append((c, floor_log2(abs(c))))
    if not values:
        return Fraction(0)
    largest = max(e for _, e in values)
    total = sum(cut(x, largest - f) for x, _ in values)
    return cut(total, floor_log2(abs(total)) - places) if total else total


def in_blocks(terms, c, f, block):
    for first in range(0, len(terms), block):
        c = fused(terms[first:first + block], c, f)
    return c


def exact(terms, c):
    total = sum(a * b for a, b in terms) + c
    return cut(total, floor_log2(abs(total)) - 23) if total else total


def drawn(low, high, bits):
    """Uniform, cut to so many significant bits; normal numbers of f16 alone (or of FP8, from 2^-6 on)."""
    least = Fraction(1, 2 ** 14) if bits > 4 else Fraction(1, 2 ** 6)
    while True:
        x = Fraction(random.uniform(low, high))
        if abs(x) >= least:
            return cut(x, floor_log2(abs(x)) - bits + 1)


def rows(count, k, a, b, c, same=False):
    for _ in range(count):
        terms = [(drawn(*a, 11), drawn(*b, 11)) for _ in range(k)]
        yield ([(x, x) for x, _ in terms] if same else terms), (drawn(*c, 24) if c != (0, 0) else Fraction(0))


def hopper(terms, c):
    return fused(terms, c, 25)


def ampere(terms, c):
    return in_blocks(terms, c, 24, 8)


def volta(terms, c):
    return fused(terms, c, 23)


def turing(terms, c):
    return fused(terms, c, 24)


def main():
    random.seed(1)
    zero = (0, 0)
    n = 2000
    questions = [
        ('Hopper, Ampere, a norm', hopper, ampere, rows(n, 16, (-1, 1), (-1, 1), zero, same=True)),
        ('Hopper, Ampere, all in [-1, 1]', hopper, ampere, rows(n, 16, (-1, 1), (-1, 1), (-1, 1))),
        ('Hopper, exact sum, all in [0, 1)', hopper, exact, rows(n, 16, (0, 1), (0, 1), (0, 1))),
        ('Hopper, Ampere, probabilities times weights', hopper, ampere, rows(n, 16, (0, 0.125), (-4, 4), zero)),
        ('Volta, Turing, all in [0.1, 1), c = 1000', volta, turing,
         ((terms, Fraction(1000)) for terms, _ in rows(n, 4, (0.1, 1), (0.1, 1), zero))),
        ('Volta, Turing, products in order of size', volta, turing,
         (([(Fraction(1024), Fraction(1))] + [(Fraction(j, 2 ** 14), Fraction(1))] * 3, Fraction(0))
          for j in range(1, 64, 2))),
        ('Hopper, Ampere, all of one sign', hopper, ampere, rows(n, 16, (0, 1), (0, 1), (0, 1))),
    ]
    missing = 0
    for text, one, other, inputs in questions:
        differences = [abs(one(terms, c) - other(terms, c)) for terms, c in inputs]
        differ = sum(d != 0 for d in differences)
        missing += differ == 0
        print(f'{text}: {differ} of {len(differences)} rows differ, by {float(max(differences)):.3g} at most')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
