"""Hidden plans that `mmaspec explain` has to name, computed by models that share no code with it.

    hidden_plans.py MMASPEC [--inside N] [--outside N] [--first SEED]

Each seed draws a plan: an instruction, conversions of operands, the order of K, promotions, parts of K, the order in which
their sums are added, and the format of the result. Its product of drawn matrices is computed here, by integers of Python.
`mmaspec explain` gets the matrices alone. Of a plan of the space:

  explained   the plan that it names has to reproduce the hidden plan's product of other matrices, too
  undecided   one of the plans that it lists has to, unless there are more than it lists
  none fits   is a fault

Of a plan outside of the space the answer has to be `none fits`. The exit status is 1 if there is a fault. A line for each seed.
Without --inside and --outside there are 6 and 3 seeds, or 200 and 50 where MMASPEC_FULL_TESTS is set.
"""

import argparse
import json
import os
import random
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


def encode(fmt, value, exponent, rounding="rne", negative_zero=False):
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
        if magnitude >= ((1 << exponent_bits) - 1) << fraction_bits:
            raise OverflowError
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
# No unit of the catalogue computes so.
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
    """A drawn plan."""

    def __init__(self, rng, outside):
        units = OTHER_UNITS if outside == "unit" else UNITS
        if outside in ("truncated", "order"):
            # Sums of 13 bits are added without an error in any order.
            units = [u for u in units if u.a != "e4m3"]
        self.unit = rng.choice(units)
        unit = self.unit
        self.file = "f32" if unit.a == "tf32" else unit.a
        self.round = rng.choice([None, "rne", "rna"]) if unit.a == "tf32" else None
        steps = rng.choice([8, 12, 16, 24, 32] if outside else [4, 6, 8, 12, 16, 24, 32])
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
                parts = [p for p in (8, 12, 16) if steps % p == 0]
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
        d = reduce_sums(self.reduce, sums, self.sum_order)
        if self.out == "f32":
            return d
        value, exponent = signed("f32", d)
        return encode(self.out, value, exponent, "rne", d >> 31 == 1)


def matrices(rng, hidden, side, wide):
    """A and B as rows of patterns."""
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
    _, _, _, size, dtype = FORMATS[fmt]
    order = "|" if size == 1 else "<"
    header = f"{{'descr': '{order}{dtype}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    letter = {1: "B", 2: "H", 4: "I"}[size]
    data = b"".join(struct.pack(f"<{len(row)}{letter}", *row) for row in rows)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def run(mmaspec, folder, hidden, rng, side, wide, names):
    a, b = matrices(rng, hidden, side, wide)
    columns = [list(c) for c in zip(*b)]
    d = [[hidden.element(row, column) for column in columns] for row in a]
    for name, fmt, rows in (("a", hidden.file, a), ("b", hidden.file, b), ("d", hidden.out, d)):
        save(folder / f"{name}.npy", fmt, rows)
    files = [str(folder / f"{name}.npy") for name in "abd"]
    formats = ["--formats", f"{hidden.file},{hidden.file},{hidden.out}"] if hidden.unit.a != "tf32" else []
    process = subprocess.run([mmaspec, "explain", *files, *names, *formats, "--json", "--timeout", "3600"],
                             capture_output=True, text=True, check=False)
    try:
        return process.returncode, json.loads(process.stdout)
    except ValueError:
        return process.returncode, {"verdict": process.stderr.strip(), "plans": [], "unchecked": 0}


def fault_of(mmaspec, seed, outside):
    """What is wrong with the answer, and the answer in words."""
    rng = random.Random(seed)
    hidden = Hidden(rng, rng.choice(["unit", "truncated", "order", "permuted"]) if outside else "")
    architectures = ["hopper", "ampere"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        status, found = run(mmaspec, folder, hidden, rng, 8, False, architectures)
        plans = [p["plan"] for p in found["plans"]]
        says = f"{found['verdict']}, {len(plans)} + {found['unchecked']}: {plans[:1]} | {hidden}"
        if outside:
            return ("" if status == 1 else "is named"), says
        if status not in (0, 3):
            return "is not found", says
        if found["unchecked"] > 0:
            return "", says
        again, _ = run(mmaspec, folder, hidden, rng, 8, True, plans)
        return ("" if again in (0, 3) else "is another plan"), says


def main():
    parser = argparse.ArgumentParser(description="Hidden plans that mmaspec explain has to name.")
    parser.add_argument("mmaspec")
    is_full = "MMASPEC_FULL_TESTS" in os.environ
    parser.add_argument("--inside", type=int, default=200 if is_full else 6, help="plans of the space")
    parser.add_argument("--outside", type=int, default=50 if is_full else 3, help="plans outside of it")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    faults = 0
    for outside, count in ((False, options.inside), (True, options.outside)):
        for seed in range(options.first, options.first + count):
            fault, says = fault_of(options.mmaspec, seed, outside)
            faults += bool(fault)
            print(f"{'outside' if outside else 'inside'} {seed}: {fault or 'ok'}: {says}", flush=True)
    print(f"{options.inside + options.outside} plans, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
