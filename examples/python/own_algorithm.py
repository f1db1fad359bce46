"""An algorithm that no unit has, on matrices, against Hopper's, and asked for a property.

    python3 examples/python/own_algorithm.py
"""

import numpy as np

import mmaspec
from mmaspec import language as L

F16, F32 = L.format("f16"), L.format("f32")


@L.algorithm(a="f16", b="f16", c="f32", d="f32", k=8)
def floored(x):
    """Terms are cut downward 27 bits below the largest; the sum is rounded to nearest."""
    a = [L.unpack(F16, p) for p in x.a]
    b = [L.unpack(F16, p) for p in x.b]
    c = L.unpack(F32, x.c)
    terms = [L.exact_product(F16, p, F16, q) for p, q in zip(a, b)] + [L.as_term(F32, c)]
    terms = L.leave_zeros_out(terms)
    e_max = L.largest_exponent(terms)
    with L.stage("sum"):
        s = L.total([L.align(t, e_max, 27, "rd") for t in terms])
        L.mark("sum", s, e_max, -27)
    finite = L.round_and_pack(s < 0, abs(s), e_max - 27, F32, "rne")
    return L.with_special_values(a, b, c, F32, finite)


def main() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((256, 256)).astype(np.float16)
    b = rng.standard_normal((256, 256)).astype(np.float16)
    hopper = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")

    print(mmaspec.compare(floored, hopper, a, b))
    apart = mmaspec.diff(floored, hopper)
    print(apart)
    print(apart.witness.a, apart.witness.b, apart.witness.c, apart.witness.d, apart.witness.d_other)
    print(apart.trace())
    print(mmaspec.prove("commutative", floored))
    print(mmaspec.prove("negation-symmetric", floored))
    print(mmaspec.prove("monotone-c", floored, timeout=20))


if __name__ == "__main__":
    main()
