"""Hidden plans that `mmaspec explain` has to name, computed by models that share no code with it.

    hidden_plans.py MMASPEC [--inside N] [--outside N] [--special N] [--first SEED] [--large]

Each seed draws a plan: an instruction, conversions of operands, the order of K, promotions, parts of K, the order in which
their sums are added, and the format of the result. Its product of drawn matrices is computed here, by integers of Python.
`mmaspec explain` gets the matrices alone. Of a plan of the space:

  explained   the plan that it names has to reproduce the hidden plan's product of other matrices, too
  undecided   the product of the matrices that it suggests has to be explained so, in a few rounds at most
  none fits   is a fault

Of a plan outside of the space the answer has to be `none fits`. Special plans have factors, saturated results, operands that are scaled
to FP8 (all by one factor, or each row by its own), words, integers, or atomic additions of many parts: they are in the space, and one of
those that are listed has to reproduce the product of other matrices. The exit status is 1 if there is a fault. A line for each seed.
Without --inside, --outside and --special there are 6, 3 and 4 seeds, or 200, 50 and 70 where MMASPEC_FULL_TESTS is set.
"""

import argparse
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# Formats: exponent bits, fraction bits, bias, bytes, dtype of the file.
FORMATS = {
    "f16": (5, 10, 15, 2, "f2"),
    "bf16": (8, 7, 127, 2, "V2"),
    "f32": (8, 23, 127, 4, "f4"),
    "e4m3": (4, 3, 7, 1, "V1"),
}


def decode(fmt, pattern):
    """(sign, significand, exponent of its lowest bit) of a finite number."""
    exponent_bits, fraction_bits, bias, _, _ = FORMATS[fmt]
    sign = pattern >> (exponent_bits + fraction_bits) & 1
    field = pattern >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = pattern & ((1 << fraction_bits) - 1)
    if field > 0:
        fraction |= 1 << fraction_bits
    return sign, fraction, max(field, 1) - bias - fraction_bits


def encode(fmt, value, exponent, rounding="rne", negative_zero=False, saturate=False):
    """The pattern of value * 2^exponent, value an integer, rounded."""
    exponent_bits, fraction_bits, bias, _, _ = FORMATS[fmt]
    sign = 1 if value < 0 or (value == 0 and negative_zero) else 0
    magnitude = abs(value)
    if magnitude:
        lowest = max(magnitude.bit_length() + exponent - 1, 1 - bias) - fraction_bits
        drop = lowest - exponent
        if drop <= 0:
            magnitude <<= -drop
        else:
            rest = magnitude & ((1 << drop) - 1)
            magnitude >>= drop
            half = 1 << (drop - 1)
            if rounding == "rne" and (rest > half or (rest == half and magnitude & 1)):
                magnitude += 1
            if rounding == "rna" and rest >= half:
                magnitude += 1
        magnitude += (lowest + fraction_bits + bias - 1) << fraction_bits
        # The largest e4m3 number has the exponent that other formats reserve for infinity.
        largest = 0x7E if fmt == "e4m3" else (((1 << exponent_bits) - 1) << fraction_bits) - 1
        if magnitude > largest:
            if not saturate:
                raise OverflowError
            magnitude = largest
    return sign << (exponent_bits + fraction_bits) | magnitude


def signed(fmt, pattern):
    sign, significand, exponent = decode(fmt, pattern)
    return (-significand if sign else significand), exponent


def total(terms):
    """The exact sum of (value, exponent) pairs."""
    lowest = min(e for _, e in terms)
    return sum(v << (e - lowest) for v, e in terms), lowest


def add_f32(x, y, rounding="rne"):
    value, exponent = total([signed("f32", x), signed("f32", y)])
    return encode("f32", value, exponent, rounding, x >> 31 == 1 and y >> 31 == 1)


def multiply_f32(x, y):
    (vx, ex), (vy, ey) = signed("f32", x), signed("f32", y)
    return encode("f32", vx * vy, ex + ey, negative_zero=(x ^ y) >> 31 == 1)


def f32(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


class Fused:
    """Terms cut below the largest exponent, summed, and cut to the result: NVIDIA's tensor cores."""

    def __init__(self, name, k, a, fraction_bits, block=0, kept=23, rounding="rz"):
        self.name, self.k, self.a, self.fraction_bits = name, k, a, fraction_bits
        self.block, self.kept, self.rounding = block or k, kept, rounding

    def step(self, a, b, c):
        for first in range(0, self.k, self.block):
            c = self.of_block(a[first:first + self.block], b[first:first + self.block], c)
        return c

    def of_block(self, a, b, c):
        fraction = 10 if self.a == "tf32" else FORMATS[self.a][1]
        fmt = "f32" if self.a == "tf32" else self.a
        terms = []  # sign and significand, exponent, fraction bits
        for x, y in zip(a, b):
            if self.a == "tf32":
                x, y = x & ~0x1FFF, y & ~0x1FFF
            (sx, mx, ex), (sy, my, ey) = decode(fmt, x), decode(fmt, y)
            if mx and my:
                drop = 13 if self.a == "tf32" else 0
                significand = (mx >> drop) * (my >> drop)
                exponent = ex + ey + 2 * drop + 2 * fraction
                terms.append((-significand if sx != sy else significand, exponent, 2 * fraction))
        sc, mc, ec = decode("f32", c)
        if mc:
            terms.append((-mc if sc else mc, ec + 23, 23))
        if not terms:
            return 0
        largest = max(e for _, e, _ in terms)
        sum_ = 0
        for value, exponent, bits in terms:
            shift = self.fraction_bits - bits - (largest - exponent)
            magnitude = abs(value) << shift if shift >= 0 else abs(value) >> -shift
            sum_ += magnitude if value > 0 else -magnitude
        return self.rounded(sum_, largest - self.fraction_bits)

    def rounded(self, value, exponent):
        if value == 0:
            return 0
        if self.kept < 23:
            extra = max(abs(value).bit_length() - 1 - self.kept, 0)
            value = abs(value) >> extra << extra if value > 0 else -(abs(value) >> extra << extra)
        return encode("f32", value, exponent, self.rounding)


class Fma:
    """One fused multiply-add of f32."""

    name, k, a = "x86/vfmadd231ps", 1, "f32"

    def step(self, a, b, c):
        (va, ea), (vb, eb) = signed("f32", a[0]), signed("f32", b[0])
        value, exponent = total([(va * vb, ea + eb), signed("f32", c)])
        return encode("f32", value, exponent)


UNITS = [
    Fused("hopper/wgmma.m64n8k16.f32.f16.f16", 16, "f16", 25),
    Fused("hopper/wgmma.m64n8k16.f32.bf16.bf16", 16, "bf16", 25),
    Fused("hopper/wgmma.m64n8k32.f32.e4m3.e4m3", 32, "e4m3", 13, kept=13),
    Fused("hopper/wgmma.m64n8k8.f32.tf32.tf32", 8, "tf32", 25),
    Fused("ampere/mma.m16n8k16.f32.f16.f16.f32", 16, "f16", 24, block=8),
    Fused("ampere/mma.m16n8k8.f32.bf16.bf16.f32", 8, "bf16", 24),
    Fma(),
]
ROUNDS = 3  # of suggested matrices
LARGE = [1024, 1536, 2048, 3072, 4096, 6144, 8192]  # K with --large
# No unit of the catalogue computes like these.
OTHER_UNITS = [
    Fused("22 fraction bits", 16, "f16", 22),
    Fused("rounds to nearest", 16, "f16", 25, rounding="rne"),
    Fused("blocks of four", 16, "bf16", 25, block=4),
    Fused("16 kept bits", 32, "e4m3", 16, kept=16),
]


def chain(unit, a, b, c=0):
    pad = -len(a) % unit.k
    a, b = a + [0] * pad, b + [0] * pad
    for first in range(0, len(a), unit.k):
        c = unit.step(a[first:first + unit.k], b[first:first + unit.k], c)
    return c


def reduce_sums(how, sums, order):
    sums = list(sums)
    if how == "order":
        sums = [sums[i] for i in order]
        how = "sequential"
    if how == "backward":
        sums.reverse()
        how = "sequential"
    if how == "sequential":
        all_ = sums[0]
        for s in sums[1:]:
            all_ = add_f32(all_, s)
        return all_
    if how == "truncated":
        all_ = sums[0]
        for s in sums[1:]:
            all_ = add_f32(all_, s, "rz")
        return all_
    while len(sums) > 1:
        half = (len(sums) + 1) // 2
        step, count = (half, half) if how == "halves" else (1, 2 * half)
        pairs = range(half) if how == "halves" else range(0, count, 2)
        sums = [add_f32(sums[i], sums[i + step]) if i + step < len(sums) else sums[i] for i in pairs]
    return sums[0]


class Hidden:
    """A random plan."""

    def __init__(self, rng, outside, large):
        units = OTHER_UNITS if outside == "unit" else UNITS
        if outside in ("truncated", "order"):
            # Sums with 13 bits are exact in any order.
            units = [u for u in units if u.a != "e4m3"]
        self.unit = rng.choice(units)
        unit = self.unit
        self.file = "f32" if unit.a == "tf32" else unit.a
        self.round = rng.choice([None, "rne", "rna"]) if unit.a == "tf32" else None
        steps = rng.choice([12, 16, 24, 32] if outside else [4, 6, 8, 12, 16, 24, 32])
        if large:
            steps = rng.choice(LARGE) // max(unit.k, 8)
        self.k = k = steps * max(unit.k, 8)
        self.order, self.every, self.parts, self.reduce = None, 0, [k], "sequential"
        self.sum_order = None
        kind = rng.choice(["chain", "promote", "split", "split", "uneven", "sliced", "both"])
        if outside in ("truncated", "order"):
            kind = "split"
        if outside == "permuted":
            kind = "chain"
        unit_k = max(unit.k, 8)
        if kind == "promote":
            self.every = unit_k * rng.randrange(1, steps)
        if kind in ("split", "both"):
            parts = [p for p in (2, 3, 4, 5, 6, 8, 12) if p <= steps]
            if outside in ("truncated", "order"):
                parts = [p for p in (12, 16) if steps % p == 0]
            count = rng.choice(parts)
            length = -(-steps // count) * unit_k
            self.parts = [min(length, k - first) for first in range(0, k, length)]
        if kind == "uneven":
            count = rng.choice([p for p in (3, 5, 7) if p < steps])
            more = [steps // count + (1 if i < steps % count else 0) for i in range(count)]
            self.parts = [n * unit_k for n in (more if rng.random() < 0.5 else reversed(more))]
        if kind == "both" and len(self.parts) > 1 and self.parts[0] > unit_k:
            divisors = [e for e in range(unit_k, self.parts[0], unit_k) if self.parts[0] % e == 0]
            self.every = rng.choice(divisors) if divisors else 0
        if kind == "sliced":
            ways = rng.choice([w for w in (2, 4) if steps % w == 0] or [1])
            block = rng.choice([unit_k, unit_k // 2, 2 * unit_k])
            if ways > 1 and k % (ways * block) == 0 and k > ways * block:
                self.order = [p for w in range(ways) for f in range(w * block, k, ways * block)
                              for p in range(f, f + block)]
                self.parts = [k // ways] * ways
        if len(self.parts) > 2:
            self.reduce = rng.choice(["sequential", "sequential", "backward", "tree", "halves"])
            if len(self.parts) <= 6 and rng.random() < 0.2:
                self.reduce = "order"
                self.sum_order = rng.sample(range(len(self.parts)), len(self.parts))
        if outside == "truncated":
            self.reduce = "truncated"
        if outside == "order":
            self.reduce = "order"
            self.sum_order = rng.sample(range(len(self.parts)), len(self.parts))
            self.every = 0
        if outside == "permuted":
            self.order = rng.sample(range(k), k)
        narrow = self.file in ("f16", "bf16") and rng.random() < 0.2 and not outside
        self.out = self.file if narrow else "f32"

    def __str__(self):
        order = "" if self.order is None else ", permuted"
        every = f", every {self.every}" if self.every else ""
        round_ = f", {self.round}" if self.round else ""
        orders = f" {self.sum_order}" if self.sum_order else ""
        return (f"{self.unit.name}, k={self.k}{order}{every}{round_}, parts "
                f"{self.parts[0]}x{len(self.parts)}..{self.parts[-1]}, {self.reduce}{orders}, out {self.out}")

    def operand(self, pattern):
        if self.round is None:
            return pattern
        sign, magnitude = pattern >> 31, pattern & 0x7FFFFFFF
        rest, kept = magnitude & 0x1FFF, magnitude >> 13
        if rest > 0x1000 or (rest == 0x1000 and (self.round == "rna" or kept & 1)):
            kept += 1
        return sign << 31 | kept << 13

    def element(self, a, b):
        a, b = [self.operand(x) for x in a], [self.operand(x) for x in b]
        if self.order is not None:
            a, b = [a[i] for i in self.order], [b[i] for i in self.order]
        sums, first = [], 0
        for length in self.parts:
            end = first + length
            if self.every:
                sum_ = 0
                for at in range(first, end, self.every):
                    last = min(at + self.every, end)
                    sum_ = add_f32(sum_, chain(self.unit, a[at:last], b[at:last]))
            else:
                sum_ = chain(self.unit, a[first:end], b[first:end])
            sums.append(sum_)
            first = end
        return self.stored(sums)

    def stored(self, sums):
        """D of the parts' sums."""
        d = reduce_sums(self.reduce, sums, self.sum_order)
        if self.out == "f32":
            return d
        value, exponent = signed("f32", d)
        return encode(self.out, value, exponent, "rne", d >> 31 == 1)


class Integers:
    """Exact sums of 8-bit integers."""

    name, k, a = "int8", 32, "int8"


class Special(Hidden):
    """A random plan with factors, saturated results, a tree of many summands, or operands that are scaled to FP8."""

    KINDS = ["alpha", "alpha and beta", "beta", "saturated", "fan", "scaled", "int8", "atomic", "words", "rows"]

    def __init__(self, rng):
        self.kind = kind = rng.choice(self.KINDS)
        fp8 = next(u for u in UNITS if u.a == "e4m3")
        f16 = rng.choice([u for u in UNITS if u.a in ("f16", "bf16")])
        self.unit = unit = fp8 if kind in ("saturated", "scaled", "rows") else Integers() if kind == "int8" else f16
        if kind == "words":
            self.unit = unit = rng.choice([u for u in UNITS if u.a == "bf16"])
        self.file = rng.choice(["f32", "bf16"]) if kind in ("scaled", "rows") else "f32" if kind == "words" else unit.a
        self.round, self.order, self.every = None, None, 0
        self.k = unit.k * rng.choice([8, 12, 16])
        parts = rng.choice([1, 2, 4]) if kind != "fan" else self.k // unit.k
        if kind == "atomic":
            parts = rng.choice([7, 8, 9])
            self.k = unit.k * parts * rng.choice([1, 2])
        self.parts = [self.k // parts] * parts
        self.reduce = "order" if kind == "atomic" else "tree"
        self.sum_order = rng.sample(range(parts), parts)
        self.fan = rng.choice([3, 4]) if kind == "fan" else 2
        self.out = "int32" if kind == "int8" else rng.choice(["f32", "bf16"])
        self.alpha = self.beta = f32(1)
        self.fma = True
        self.has_c = kind in ("alpha and beta", "beta")
        if kind.startswith("alpha"):
            self.alpha = f32(rng.choice([0.5, 0.1, -1.7, 3]))
        if self.has_c:
            self.beta = f32(rng.choice([0.3, -2, 5]))
            self.fma = kind == "beta" or rng.random() < 0.5
            self.out = "f32"
        if kind == "saturated":
            self.out, self.alpha = "e4m3", f32(8)
        self.factors, self.scales = [self.alpha], None
        self.recipe, self.back = rng.randrange(3), rng.randrange(3)
        if kind == "words":
            self.k, self.words, self.reach = unit.k * rng.choice([2, 4, 24, 40]), *rng.choice([(2, 1), (3, 2), (3, 4)])
            self.parts = [self.k]
        if kind in ("fan", "atomic", "words"):
            self.out = "f32"

    def __str__(self):
        return f"{self.kind}: {super().__str__()}, alpha {self.alpha:x}, beta {self.beta:x}, fan {self.fan}"

    def prepare(self, a, b, rng):
        """Computes values that depend on whole matrices."""
        if self.kind != "scaled":
            return
        (scale_a, back_a), (scale_b, back_b) = (self.scale_of([x for row in rows for x in row]) for rows in (a, b))
        self.scales = [scale_a, scale_b]
        self.factors = self.factors_of(back_a, back_b)

    def scale_of(self, numbers):
        """The factor computed from the largest magnitude, and its inverse."""
        largest = max(p & ((1 << (8 * FORMATS[self.file][3] - 1)) - 1) for p in numbers)
        value, exponent = signed(self.file, largest)
        amax = value * 2.0**exponent  # an f32 number
        one = struct.unpack("<f", struct.pack("<f", 448 / amax))[0]
        down = struct.unpack("<f", struct.pack("<f", amax / 448))[0]
        if self.recipe == 0:
            return f32(one), f32(1 / one)
        if self.recipe == 1:
            return f32(1 / down), f32(down)
        power = 2.0 ** math.floor(math.log2(one))
        return f32(power), f32(1 / power)

    def factors_of(self, back_a, back_b):
        return [[multiply_f32(back_a, back_b)], [back_a, back_b], [back_b, back_a]][self.back]

    def element(self, a, b, c=0):
        scales, factors = self.scales, self.factors
        if self.kind == "rows":
            (scale_a, back_a), (scale_b, back_b) = self.scale_of(a), self.scale_of(b)
            scales, factors = [scale_a, scale_b], self.factors_of(back_a, back_b)
        if scales:
            a, b = (
                [encode("e4m3", *signed("f32", multiply_f32(self.widened(x), scale)), saturate=True) for x in all_]
                for all_, scale in zip((a, b), scales)
            )
        if self.kind == "int8":
            return sum((x - 256 * (x >> 7)) * (y - 256 * (y >> 7)) for x, y in zip(a, b)) & 0xFFFFFFFF
        if self.kind == "words":
            return self.of_words(a, b)
        sums, first = [], 0
        for length in self.parts:
            sums.append(chain(self.unit, a[first:first + length], b[first:first + length]))
            first += length
        if self.kind == "atomic":
            sums = [reduce_sums("order", sums, self.sum_order)]
        while len(sums) > 1:
            groups = [sums[i:i + self.fan] for i in range(0, len(sums), self.fan)]
            sums = [reduce_sums("sequential", group, None) for group in groups]
        d = sums[0]
        if self.has_c:
            of_c = multiply_f32(self.beta, c)
            if self.fma:
                (va, ea), (vd, ed) = signed("f32", self.alpha), signed("f32", d)
                d = encode("f32", *total([(va * vd, ea + ed), signed("f32", of_c)]))
            else:
                d = add_f32(multiply_f32(self.alpha, d), of_c)
        else:
            for factor in factors:
                d = multiply_f32(factor, d)
        if self.out == "f32":
            return d
        value, exponent = signed("f32", d)
        return encode(self.out, value, exponent, "rne", d >> 31 == 1, saturate=self.kind == "saturated")

    def of_words(self, a, b):
        """The products of words i and j up to i + j = reach, each a sum of its own; the smallest are added first."""
        words_a, words_b = ([self.words_of(x) for x in all_] for all_ in (a, b))
        d = None
        for weight in range(self.reach, -1, -1):
            for i in range(self.words):
                if 0 <= weight - i < self.words:
                    sum_ = chain(self.unit, [w[i] for w in words_a], [w[weight - i] for w in words_b])
                    d = sum_ if d is None else add_f32(sum_, d)
        return d

    def words_of(self, x):
        words = []
        for _ in range(self.words):
            value, exponent = signed("f32", x)
            words.append(encode("bf16", value, exponent, negative_zero=x >> 31 == 1))
            word, of_word = signed("bf16", words[-1])
            x = encode("f32", *total([(value, exponent), (-word, of_word)]))
        return words

    def widened(self, pattern):
        return pattern << 16 if self.file == "bf16" else pattern


def number_of(pattern):
    return repr(struct.unpack("<f", struct.pack("<I", pattern))[0])


def special_fault_of(mmaspec, seed):
    """The same for plans of Special."""
    rng = random.Random(f"special {seed}")
    hidden = Special(rng)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = ["hopper", "ampere"]
        for wide in (False, True):
            a, b = matrices(rng, hidden, 8, wide)
            hidden.prepare(a, b, rng)
            c = [[f32(rng.choice([-1, 1]) * rng.random() * 4) for _ in range(8)] for _ in range(8)]
            columns = [list(column) for column in zip(*b)]
            d = [[hidden.element(row, column, c[i][j]) for j, column in enumerate(columns)] for i, row in enumerate(a)]
            for file, fmt, rows in (("a", hidden.file, a), ("b", hidden.file, b), ("d", hidden.out, d), ("c", "f32", c)):
                save(folder / f"{file}.npy", fmt, rows)
            files = [str(folder / f"{file}.npy") for file in "abd"]
            options = ["--json", "--timeout", "3600"]
            if hidden.kind not in ("int8", "words"):
                options += ["--formats", f"{hidden.file},{hidden.file},{'f32,' * hidden.has_c}{hidden.out}"]
            if hidden.has_c:
                options += ["--c", str(folder / "c.npy"), f"--beta={number_of(hidden.beta)}"]
            if hidden.alpha != f32(1):
                options.append(f"--alpha={number_of(hidden.alpha)}")
            process = subprocess.run([mmaspec, "explain", *files, *names, *options],
                                     capture_output=True, text=True, check=False)
            if process.returncode not in (0, 3):
                return f"is not found {'again' if wide else ''}", f"{hidden} {process.stdout}{process.stderr}"
            found = json.loads(process.stdout)
            if found["unchecked"] > 0 or hidden.kind == "scaled":
                break  # other matrices have other factors
            names = [p["plan"] for p in found["plans"]]
    return "", f"{found['verdict']}, {len(found['plans'])}: {found['plans'][0]['plan']} | {hidden}"


def matrices(rng, hidden, side, wide):
    """A and B as rows of patterns."""
    if hidden.file == "int8":
        return tuple([[rng.getrandbits(8) for _ in range(w)] for _ in range(h)]
                     for h, w in ((side, hidden.k), (hidden.k, side)))
    exponent_bits, fraction_bits, bias, _, _ = FORMATS[hidden.file]
    span = {"e4m3": 8, "f16": 10}.get(hidden.file, 12) if wide else 6

    def number():
        field = bias - rng.randrange(span) + (2 if hidden.file == "e4m3" else 0)
        fraction = rng.getrandbits(fraction_bits)
        if hidden.round and rng.random() < 0.3:
            fraction = fraction & ~0x1FFF | 0x1000  # a tie
        return rng.getrandbits(1) << (exponent_bits + fraction_bits) | field << fraction_bits | fraction

    a = [[number() for _ in range(hidden.k)] for _ in range(side)]
    b = [[number() for _ in range(side)] for _ in range(hidden.k)]
    return a, b


def save(path, fmt, rows):
    size, dtype = {"int8": (1, "i1"), "int32": (4, "i4")}.get(fmt) or FORMATS[fmt][3:]
    order = "|" if size == 1 else "<"
    header = f"{{'descr': '{order}{dtype}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    letter = {1: "B", 2: "H", 4: "I"}[size]
    data = b"".join(struct.pack(f"<{len(row)}{letter}", *row) for row in rows)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def product(hidden, rng, a, b):
    """D as rows of patterns."""
    columns = list(zip(*b))
    if hidden.k < 1024 or len(a) * len(columns) <= 64:
        return [[hidden.element(row, column) for column in columns] for row in a]
    import vectorised  # noqa: PLC0415  only many results of long sums need NumPy

    d = vectorised.product(hidden, a, b)
    for _ in range(4):
        row, column = rng.randrange(len(a)), rng.randrange(len(columns))
        if d[row][column] != hidden.element(a[row], columns[column]):
            raise AssertionError(f"the models do not agree: {hidden}")
    return d


def run(mmaspec, folder, hidden, rng, side, wide, names):
    """The exit status, the answer, and the processor time in seconds."""
    a, b = matrices(rng, hidden, side, wide)
    d = product(hidden, rng, a, b)
    for name, fmt, rows in (("a", hidden.file, a), ("b", hidden.file, b), ("d", hidden.out, d)):
        save(folder / f"{name}.npy", fmt, rows)
    files = [str(folder / f"{name}.npy") for name in "abd"]
    formats = ["--formats", f"{hidden.file},{hidden.file},{hidden.out}"] if hidden.unit.a != "tf32" else []
    before = os.times()
    process = subprocess.run([mmaspec, "explain", *files, *names, *formats, "--json", "--timeout", "3600"],
                             capture_output=True, text=True, check=False)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    try:
        return process.returncode, json.loads(process.stdout), seconds
    except ValueError:
        return process.returncode, {"verdict": process.stderr.strip(), "plans": [], "unchecked": 0}, seconds


def load(path, fmt):
    """Rows of patterns of a two-dimensional file."""
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    rows, columns = (int(x) for x in re.search(r"\((\d+), (\d+)\)", data[10:10 + length].decode()).groups())
    letter = {1: "B", 2: "H", 4: "I"}[FORMATS[fmt][3]]
    all_ = struct.unpack(f"<{rows * columns}{letter}", data[10 + length:])
    return [list(all_[i:i + columns]) for i in range(0, rows * columns, columns)]


def on_suggested(mmaspec, folder, hidden, rng, names):
    """The answer for the matrices that --suggest writes."""
    formats = ["--formats", f"{hidden.file},{hidden.file},{hidden.out}"] if hidden.unit.a != "tf32" else []

    def explain(*more):
        files = [str(folder / f"{name}.npy") for name in "abd"]
        return subprocess.run([mmaspec, "explain", *files, *names, *formats, "--json", "--timeout", "3600", *more],
                              capture_output=True, text=True, check=False)

    explain("--suggest", str(folder / "suggested"))
    for name in "ab":
        (folder / f"{name}.npy").write_bytes((folder / "suggested" / f"{name}.npy").read_bytes())
    a, b = (load(folder / f"{name}.npy", hidden.file) for name in "ab")
    save(folder / "d.npy", hidden.out, product(hidden, rng, a, b))
    process = explain()
    return process.returncode, json.loads(process.stdout)


def fault_of(mmaspec, seed, outside, large, keep):
    """The fault of the answer, and a description of the answer."""
    rng = random.Random(f"large {seed}" if large else seed)
    kind = rng.choice(["unit", "truncated", "order", "permuted"]) if outside else ""
    hidden = Hidden(rng, kind, large)
    architectures = ["hopper", "ampere"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(keep or name)
        status, found, seconds = run(mmaspec, folder, hidden, rng, 64 if large else 8, False, architectures)
        plans = [p["plan"] for p in found["plans"]]
        says = f"{found['verdict']}, {len(plans)} + {found['unchecked']}, {seconds:.0f} s: {plans[:1]} | {kind} {hidden}"
        if outside:
            return ("" if status == 1 else "is named"), says
        if status not in (0, 3):
            return "is not found", says
        if keep:
            return "", says
        # One answer must hold for other matrices too; of several answers, the right one for the
        # suggested matrices.
        names = architectures
        for _ in range(ROUNDS):
            if status == 0:
                break
            # As docs/explain.md says: the plans' names, if the answer lists all of them.
            names = names if found["unchecked"] else plans
            status, found = on_suggested(mmaspec, folder, hidden, rng, names)
            plans = [p["plan"] for p in found["plans"]]
            says += f"; suggested: {found['verdict']}, {len(plans)} + {found['unchecked']}"
            if status not in (0, 3):
                return "is not found on the suggested matrices", says
        if status == 3:
            return "is not told apart", says
        again, _, _ = run(mmaspec, folder, hidden, rng, 8, True, plans)
        return ("" if again == 0 else "is another plan"), says


def main():
    parser = argparse.ArgumentParser(description="Hidden plans that mmaspec explain has to name.")
    parser.add_argument("mmaspec")
    is_full = "MMASPEC_FULL_TESTS" in os.environ
    parser.add_argument("--inside", type=int, default=200 if is_full else 6, help="plans of the space")
    parser.add_argument("--outside", type=int, default=50 if is_full else 3, help="plans outside of it")
    parser.add_argument("--special", type=int, default=70 if is_full else 4, help="plans with factors, FP8 scales, integers")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--large", action="store_true", help="64 x 64 results and K from 1024 to 8192; needs NumPy")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the first matrices of the last seed there")
    options = parser.parse_args()
    faults = 0
    for outside, count in ((False, options.inside), (True, options.outside)):
        for seed in range(options.first, options.first + count):
            fault, says = fault_of(options.mmaspec, seed, outside, options.large, options.keep)
            faults += bool(fault)
            print(f"{'outside' if outside else 'inside'} {seed}: {fault or 'ok'}: {says}", flush=True)
    for seed in range(options.first, options.first + options.special):
        fault, says = special_fault_of(options.mmaspec, seed)
        faults += bool(fault)
        print(f"special {seed}: {fault or 'ok'}: {says}", flush=True)
    print(f"{options.inside + options.outside + options.special} plans, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
