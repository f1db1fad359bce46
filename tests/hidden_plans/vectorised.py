"""The models of hidden_plans.py for whole matrices at once, by NumPy.

`product(hidden, a, b)` computes what `hidden.element()` computes of each row and column. hidden_plans.py compares some elements
of each product with that.
"""

import hidden_plans
import numpy as np

NO_EXPONENT = -(1 << 20)  # for a product that is zero


def decoded(fmt, patterns, drop):
    """Signed significands and exponents of the lowest bit; `drop`: low bits that the unit ignores."""
    exponent_bits, fraction_bits, bias, _, _ = hidden_plans.FORMATS[fmt]
    field = patterns >> fraction_bits & ((1 << exponent_bits) - 1)
    significand = (patterns & ((1 << fraction_bits) - 1)) | np.where(field > 0, 1 << fraction_bits, 0)
    significand >>= drop
    sign = patterns >> (exponent_bits + fraction_bits) & 1
    return np.where(sign == 1, -significand, significand), np.maximum(field, 1) - bias - fraction_bits + drop


def encoded(fmt, value, exponent, rounding):
    """Patterns of value * 2^exponent; zero is +0."""
    exponent_bits, fraction_bits, bias, _, _ = hidden_plans.FORMATS[fmt]
    magnitude = np.abs(value)
    bits = np.frexp(magnitude.astype(np.float64))[1]  # exact below 2^53
    assert magnitude.max(initial=0) < 1 << 53
    lowest = np.maximum(bits + exponent - 1, 1 - bias) - fraction_bits
    drop = lowest - exponent
    right, left = np.clip(drop, 0, 62), np.clip(-drop, 0, 62)
    rest = magnitude & ((np.int64(1) << right) - 1)
    kept = (magnitude << left) >> right
    half = np.where(right > 0, np.int64(1) << np.maximum(right - 1, 0), 1 << 62)
    if rounding == "rne":
        kept += (rest > half) | ((rest == half) & (kept & 1 == 1))
    elif rounding == "rna":
        kept += rest >= half
    pattern = kept + ((lowest + fraction_bits + bias - 1).astype(np.int64) << fraction_bits)
    pattern = np.where(magnitude == 0, 0, pattern)
    assert pattern.max(initial=0) < ((1 << exponent_bits) - 1) << fraction_bits
    return pattern | np.where(value < 0, 1 << (exponent_bits + fraction_bits), 0)


def fused_chain(unit, a, b):
    """From +0: a is (M, K), b (K, N)."""
    tf32 = unit.a == "tf32"
    fmt, drop = ("f32", 13) if tf32 else (unit.a, 0)
    fraction = 10 if tf32 else hidden_plans.FORMATS[unit.a][1]
    pad = -a.shape[1] % unit.k
    sa, ea = decoded(fmt, np.pad(a, ((0, 0), (0, pad))), drop)
    sb, eb = decoded(fmt, np.pad(b, ((0, pad), (0, 0))), drop)
    c = np.zeros((a.shape[0], b.shape[1]), np.int64)
    for first in range(0, sa.shape[1], unit.block):
        some = slice(first, first + unit.block)
        value = sa[:, None, some] * sb.T[None, :, some]
        exponent = ea[:, None, some] + eb.T[None, :, some] + 2 * fraction
        exponent = np.where(value == 0, NO_EXPONENT, exponent)
        sc, ec = decoded("f32", c, 0)
        ec = np.where(sc == 0, NO_EXPONENT, ec + 23)
        largest = np.maximum(exponent.max(axis=2), ec)

        def cut(significand, bits, behind):
            shift = unit.fraction_bits - bits - behind
            magnitude = (np.abs(significand) << np.clip(shift, 0, 40)) >> np.clip(-shift, 0, 62)
            return np.where(significand < 0, -magnitude, magnitude)

        sum_ = cut(value, 2 * fraction, largest[:, :, None] - exponent).sum(axis=2) + cut(sc, 23, largest - ec)
        if unit.kept < 23:
            bits = np.frexp(np.abs(sum_).astype(np.float64))[1]
            extra = np.maximum(bits - 1 - unit.kept, 0)
            magnitude = np.abs(sum_) >> extra << extra
            sum_ = np.where(sum_ < 0, -magnitude, magnitude)
        c = encoded("f32", sum_, np.where(sum_ == 0, 0, largest - unit.fraction_bits), unit.rounding)
    return c


def fma_chain(a, b):
    """Fused multiply-adds of f32 by f64: rounded to odd there, and then to f32, which is rounding once."""
    a = a.astype(np.uint32).view(np.float32).astype(np.float64)
    b = b.astype(np.uint32).view(np.float32).astype(np.float64)
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[1]):
        product = a[:, i, None] * b[None, i, :]  # exact
        sum_ = product + c
        back = sum_ - product
        error = (product - (sum_ - back)) + (c - back)
        odd = sum_.view(np.int64) & 1 == 1
        away = (error > 0) == (sum_ > 0)
        odd_sum = (sum_.view(np.int64) + np.where(away, 1, -1)).view(np.float64)
        sum_ = np.where((error != 0) & ~odd, odd_sum, sum_)
        c = sum_.astype(np.float32).astype(np.float64)
    return c.astype(np.float32).view(np.uint32).astype(np.int64)


def chain(unit, a, b):
    return fma_chain(a, b) if unit.k == 1 else fused_chain(unit, a, b)


def add_f32(x, y):
    numbers = [z.astype(np.uint32).view(np.float32) for z in (x, y)]
    return (numbers[0] + numbers[1]).view(np.uint32).astype(np.int64)


def operands(hidden, rows):
    patterns = np.array(rows, np.int64)
    if hidden.round is None:
        return patterns
    magnitude = patterns & 0x7FFFFFFF
    rest, kept = magnitude & 0x1FFF, magnitude >> 13
    up = (rest > 0x1000) | ((rest == 0x1000) & ((hidden.round == "rna") | (kept & 1 == 1)))
    return patterns >> 31 << 31 | (kept + up) << 13


def product(hidden, a, b):
    """D as rows of patterns."""
    a, b = operands(hidden, a), operands(hidden, b)
    if hidden.order is not None:
        a, b = a[:, hidden.order], b[hidden.order, :]
    sums, first = [], 0
    for length in hidden.parts:
        end = first + length
        if hidden.every:
            sum_ = np.zeros((a.shape[0], b.shape[1]), np.int64)
            for at in range(first, end, hidden.every):
                last = min(at + hidden.every, end)
                sum_ = add_f32(sum_, chain(hidden.unit, a[:, at:last], b[at:last]))
        else:
            sum_ = chain(hidden.unit, a[:, first:end], b[first:end])
        sums.append(sum_)
        first = end
    # There are few additions of parts: element by element.
    flat = [s.ravel().tolist() for s in sums]
    d = [hidden.stored([s[i] for s in flat]) for i in range(len(flat[0]))]
    return [d[i:i + b.shape[1]] for i in range(0, len(d), b.shape[1])]
