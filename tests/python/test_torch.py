"""mmaspec.torch: emulated operators compared with loops over units, with which they share no code."""

from __future__ import annotations

import functools
import itertools
import json
import math
import os
import subprocess
import sys
import threading
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mmaspec

try:
    import torch
except ImportError:
    pytest.skip(
        "PyTorch is not installed: scripts/test --all gets it, or pip install torch",
        allow_module_level=True,
    )

import mmaspec.torch as emulation
from mmaspec.torch import _products
from mmaspec.torch._compare import difference

F = torch.nn.functional
HOPPER = "hopper/wgmma.m64n8k16.f32.f16.f16"
CDNA3 = "cdna3/v_mfma_f32_32x32x8_f16"
WORDS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


unit = functools.cache(mmaspec.unit)


def bits(x: torch.Tensor) -> np.ndarray:
    x = x.detach().contiguous()
    words = x.view(WORDS[x.element_size()]).numpy()
    return words.view(f"u{x.element_size()}")


def same(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Bit-identical, except that all NaNs are equal."""
    assert x.dtype == y.dtype and x.shape == y.shape
    unlike = bits(x) != bits(y)
    both_nan = (x.isnan() & y.isnan()).detach().numpy()
    return not (unlike & ~both_nan).any()


def random(*shape: int, dtype: Any = torch.float16, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    return torch.randn(shape, generator=generator).to(dtype)


def run(plan: str, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor | None = None) -> torch.Tensor:
    """One product of matrices by a unit or a plan, on bit patterns."""
    u = unit(plan)
    third = None if c is None else bits(c.to({"f32": torch.float32, "f64": torch.float64}[u.c]))
    d = u(bits(a), bits(b), third, bits=True)
    types = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
    return torch.from_numpy(d.view(f"i{d.itemsize}")).view(types[u.d])


def epilogue(unit: str, k: int, out: str, rest: str = "beta=0") -> str:
    return f"plan:epilogue({unit},k={k},{rest},out={out})"


def test_products_are_those_of_the_plan() -> None:
    a, b, c = random(5, 37), random(37, 9), random(5, 9, seed=1)
    with emulation.emulate(CDNA3) as report:
        assert same(torch.mm(a, b), run(epilogue(CDNA3, 37, "f16"), a, b))
        assert same(a @ b, run(epilogue(CDNA3, 37, "f16"), a, b))
        assert same(torch.mm(a, b, out_dtype=torch.float32), run(CDNA3, a, b))
        wanted = run(epilogue(CDNA3, 37, "f16", "alpha=1,beta=1"), a, b, c)
        assert same(torch.addmm(c, a, b), wanted)
        wanted = run(epilogue(CDNA3, 37, "f16", "alpha=-0x1.8p-1,beta=0x1.4p+1"), a, b, c)
        assert same(torch.addmm(c, a, b, alpha=-0.75, beta=2.5), wanted)
        assert same(torch.addmm(c, a, b, beta=0), run(epilogue(CDNA3, 37, "f16"), a, b))
        row = c[0]
        broadcast = row.expand(5, 9).contiguous()
        wanted = run(epilogue(CDNA3, 37, "f16", "beta=1"), a, b, broadcast)
        assert same(F.linear(a, b.t(), row), wanted)
    assert report.complete and not report.not_emulated
    assert {x.plan for x in report.emulated} >= {CDNA3, epilogue(CDNA3, 37, "f16")}


@pytest.mark.parametrize("target", ["h100", "mi300x", "v100"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_plans_in_the_report_compute_the_same(target: str, dtype: Any) -> None:
    a, b, c = (random(*s, dtype=dtype) for s in ((7, 50), (50, 6), (7, 6)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with emulation.emulate(target) as report:
            d = [torch.mm(a, b), torch.addmm(c, a, b, alpha=1.7, beta=-0.3), torch.addmm(c, a, b)]
    if (target, dtype) == ("v100", torch.bfloat16):
        reasons = {x.reason for x in report.not_emulated}
        assert reasons == {"v100 has no instruction for bf16 and bf16"}
        return
    assert report.complete
    product, scaled, plain = report.emulated
    assert same(d[0], run(product.plan, a, b))
    if dtype != torch.float64:  # plans have no epilogue of f64
        assert same(d[1], run(scaled.plan, a, b, c))
        assert same(d[2], run(plain.plan, a, b, c))
    else:
        assert same(d[2], run(product.plan, a, b) + c)
        assert "as f64" in scaled.plan


def test_one_rounding_of_a_fused_multiply_add() -> None:
    rng = np.random.default_rng(3)
    x, z = (rng.standard_normal(4000).astype(np.float32) for _ in range(2))
    z *= np.float32(2.0) ** rng.integers(-40, 40, 4000)
    x[:8] = [np.inf, -np.inf, np.nan, 0, -0.0, 1e-45, 3e38, 1]
    z[:8] = [1, np.inf, 1, -0.0, -0.0, -1e-45, 3e38, -1]
    # Ties of float32, which a product just above or below breaks.
    x[8:12] = [1 + 2**-23, 1 + 2**-23, 2**-60, -(2**-60)]
    z[8:12] = [2**-25, -(2**-25), 1 + 2**-23, 1 + 2**-23]
    for y in (np.float32(1.7), np.float32(-0.3), np.float32(2**-24), np.float32(1 + 2**-23)):
        with np.errstate(all="ignore"):
            got = _products.fused(x, y, z)
        for one, three, result in zip(x[8:], z[8:], got[8:]):
            exact = Fraction(float(one)) * Fraction(float(y)) + Fraction(float(three))
            below, above = np.nextafter(result, np.float32(-np.inf)), np.nextafter(
                result, np.float32(np.inf)
            )
            error = abs(exact - Fraction(float(result)))
            for neighbour in (below, above):
                other = abs(exact - Fraction(float(neighbour)))
                assert error < other or (error == other and result.view(np.uint32) % 2 == 0)
    with np.errstate(all="ignore"):
        got = _products.fused(x[:8], np.float32(1), z[:8])
    np.testing.assert_array_equal(got, [np.inf, np.nan, np.nan, 0, -0.0, 0, np.inf, 0])
    assert np.signbit(got[4]) and not np.signbit(got[3])


def test_shapes_layouts_and_batches() -> None:
    plan = lambda k: epilogue(HOPPER, k, "f16")  # noqa: E731
    a, b = random(3, 2, 4, 20), random(2, 20, 5)
    with emulation.emulate("h100", strict=True):
        d = torch.matmul(a, b)
        bmm = torch.bmm(a[:, 0], random(3, 20, 5))
        added = torch.baddbmm(random(3, 4, 5), a[:, 0], random(3, 20, 5))
        transposed = torch.mm(a[0, 0].t(), a[0, 1][:, ::2])
        vector = torch.mv(a[0, 0], b[0, :, 0])
        dot = torch.dot(a[0, 0, 0], b[0, :, 0])
        addmv = torch.addmv(random(4), a[0, 0], b[0, :, 0], beta=2)
        einsum = torch.einsum("njik,jkl->nil", a, b)
        inner = torch.einsum("ik,jk->ij", a[0, 0], a[0, 1])
    for n, j in itertools.product(range(3), range(2)):
        assert same(d[n, j], run(plan(20), a[n, j], b[j]))
    for n in range(3):
        assert same(bmm[n], run(plan(20), a[n, 0], random(3, 20, 5)[n]))
        wanted = run(epilogue(HOPPER, 20, "f16", "beta=1"), a[n, 0], random(3, 20, 5)[n],
                     random(3, 4, 5)[n])
        assert same(added[n], wanted)
        flat = a[n].movedim(0, 1).reshape(4, 40)
        assert same(einsum[n], run(plan(40), flat, b.reshape(40, 5)))
    assert same(transposed, run(plan(4), a[0, 0].t(), a[0, 1][:, ::2]))
    assert same(vector, run(plan(20), a[0, 0], b[0, :, :1])[:, 0])
    assert same(dot, run(plan(20), a[0, 0, :1], b[0, :, :1])[0, 0])
    column = random(4)[:, None]
    assert same(addmv, run(epilogue(HOPPER, 20, "f16", "beta=2"), a[0, 0], b[0, :, :1], column)[:, 0])
    assert same(inner, run(plan(20), a[0, 0], a[0, 1].t()))


def test_empty_products() -> None:
    with emulation.emulate("h100", strict=True):
        assert torch.mm(random(0, 4), random(4, 3)).shape == (0, 3)
        assert torch.mm(random(2, 0), random(0, 3)).tolist() == [[0] * 3] * 2
        added = torch.addmm(torch.ones(3, dtype=torch.float16), random(2, 0), random(0, 3))
        assert added.tolist() == [[1] * 3] * 2
        assert torch.bmm(random(0, 2, 4), random(0, 4, 3)).shape == (0, 2, 3)
        assert F.conv1d(random(0, 2, 5), random(3, 2, 2)).shape == (0, 3, 4)


def test_out_and_in_place() -> None:
    a, b, c = random(4, 8), random(8, 3), random(4, 3, seed=9)
    with emulation.emulate("mi300x") as report:
        wanted, sums = torch.mm(a, b), torch.addmm(c, a, b, alpha=2)
        out = torch.empty(0, dtype=torch.float16)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert torch.mm(a, b, out=out) is out
        place = c.clone()
        assert place.addmm_(a, b, alpha=2) is place
    assert same(out, wanted) and same(place, sums)
    assert [(x.op, x.calls) for x in report.emulated] == [("mm", 2), ("addmm", 2)]
    assert all(x.differing is not None for x in report.emulated)
    with emulation.emulate("mi300x", against_torch=False), pytest.raises(RuntimeError, match="dim"):
        torch.mm(a, a)
    with emulation.emulate("mi300x"), pytest.raises(RuntimeError, match="shape"):
        torch.mm(a, a)


def test_special_values() -> None:
    a, b = random(6, 16, dtype=torch.float32), random(16, 6, dtype=torch.float32)
    a[0, 0], a[1, 0], a[2, 1], b[0, 0], b[1, 2] = math.nan, math.inf, -math.inf, math.inf, 0
    a[3], a[4] = 1e-40, -0.0
    for target, dtype in (("h100", torch.float32), ("mi300x", torch.float16), ("h100", torch.bfloat16)):
        x, y = a.to(dtype), b.to(dtype)
        with emulation.emulate(target) as report:
            d = x @ y
        assert same(d, run(report.emulated[0].plan, x, y))
        torch.set_flush_denormal(True)
        try:
            with emulation.emulate(target):
                assert same(x @ y, d)
            assert float(torch.tensor(1e-40) * 1) == 0  # as before
        finally:
            torch.set_flush_denormal(False)
    # Sums beyond float16's range, and NaNs that are not counted as differences.
    big = torch.full((1, 16), 300.0, dtype=torch.float16)
    with emulation.emulate("h100") as report:
        assert torch.mm(big, big.t()).item() == math.inf
        torch.mm(torch.full((1, 16), math.nan, dtype=torch.float16), big.t())
    assert report.differing == 0


# Convolutions, position by position.


def sums(plan: str, rows: list[list[torch.Tensor]], columns: list[list[torch.Tensor]]) -> torch.Tensor:
    """Products of lists of numbers, each with its own row and column."""
    a, b = (torch.stack([torch.stack(x).detach() for x in y]) for y in (rows, columns))
    return run(plan, a.unsqueeze(1), b.unsqueeze(2))[:, 0, 0]


def positions(sizes: Any) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(n) for n in sizes)))


def at(x: torch.Tensor, n: int, c: int, place: tuple[int, ...]) -> torch.Tensor:
    """x[n, c, place], zero outside."""
    if any(not 0 <= p < s for p, s in zip(place, x.shape[2:])):
        return x.new_zeros(())
    return x[(n, c, *place)]


CASES = [
    # channels in, out, spatial sizes, filter, stride, padding, dilation, groups
    (3, 4, (9,), (3,), (1,), (1,), (1,), 1),
    (4, 6, (5, 6), (3, 2), (2, 1), (1, 0), (1, 2), 2),
    (2, 2, (4, 5), (1, 3), (3, 2), (2, 3), (1, 1), 1),
    (3, 3, (5, 5), (3, 3), (2, 2), (1, 1), (1, 1), 3),
    (2, 3, (3, 4, 3), (2, 2, 3), (1, 2, 1), (0, 1, 1), (1, 1, 1), 1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("order", ["rsc", "crs"])
def test_convolutions_position_by_position(case: Any, order: str) -> None:
    cin, cout, spatial, kernel, stride, padding, dilation, groups = case
    x = random(2, cin, *spatial).requires_grad_()
    w = random(cout, cin // groups, *kernel).requires_grad_()
    bias = random(cout).requires_grad_()
    convolve = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[len(spatial)]
    with emulation.emulate("mi300x", convolutions=order, strict=True) as report:
        y = convolve(x, w, bias, stride, padding, dilation, groups)
        g = random(*y.shape, seed=5)
        y.backward(g)
    per_group = cin // groups

    def ordered(channels: Any) -> Any:
        both = itertools.product(positions(kernel), channels)
        if order == "crs":
            both = ((r, c) for c, r in itertools.product(channels, positions(kernel)))
        return list(both)

    def inside(p: tuple[int, ...], r: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            i * s + j * t - q for i, j, s, t, q in zip(p, r, stride, dilation, padding)
        )

    rows, columns, biases = [], [], []
    for n, c, *p in positions(y.shape):
        group = c // (cout // groups)
        terms = ordered(range(per_group))
        rows.append([at(x, n, group * per_group + i, inside(p, r)) for r, i in terms])
        columns.append([w[(c, i, *r)] for r, i in terms])
        biases.append(bias[c])
    k = math.prod(kernel) * per_group
    wanted = sums(epilogue(CDNA3, k, "f16"), rows, columns) + torch.stack(biases)
    assert same(y, wanted.reshape(y.shape))

    rows, columns = [], []
    outs = cout // groups
    for n, c, *place in positions(x.shape):
        group = c // per_group
        a, b = [], []
        for r, i in ordered(range(outs)):
            o = group * outs + i
            steps = [
                h + q - j * t for h, j, t, q in zip(place, r, dilation, padding)
            ]
            hit = all(v % s == 0 for v, s in zip(steps, stride))
            source = tuple(v // s for v, s in zip(steps, stride))
            a.append(at(g, n, o, source) if hit else g.new_zeros(()))
            b.append(w[(o, c - group * per_group, *r)])
        rows.append(a)
        columns.append(b)
    k = math.prod(kernel) * outs
    assert same(x.grad, sums(epilogue(CDNA3, k, "f16"), rows, columns).reshape(x.shape))

    rows, columns = [], []
    for o, i, *r in positions(w.shape):
        c = o // outs * per_group + i
        places = list(itertools.product(range(2), positions(y.shape[2:])))
        rows.append([g[(n, o, *p)] for n, p in places])
        columns.append([at(x, n, c, inside(p, r)) for n, p in places])
    k = 2 * math.prod(y.shape[2:])
    assert same(w.grad, sums(epilogue(CDNA3, k, "f16"), rows, columns).reshape(w.shape))
    assert same(bias.grad, g.sum([0, *range(2, g.dim())]))
    assert report.results == y.numel() + x.numel() + w.numel()


@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolutions_are_gradients(groups: int) -> None:
    w, g = random(4, 6 // groups, 3, 2), random(2, 4, 3, 4)
    x = random(2, 6, 6, 6).requires_grad_()
    settings: Any = {"stride": (2, 1), "padding": (1, 0), "dilation": (1, 2)}
    backwards = w.detach().clone().requires_grad_()
    with emulation.emulate("h100", strict=True):
        y = F.conv2d(x, w, groups=groups, **settings)
        assert y.shape == g.shape
        y.backward(g)
        up = F.conv_transpose2d(g.requires_grad_(), backwards, groups=groups, output_padding=(1, 0),
                                **settings)
        up.backward(x.detach())
        down = F.conv2d(x.detach(), w, groups=groups, **settings)
    assert same(up, x.grad)
    assert same(g.grad, down)
    # The filters' gradient adds the same products of g's and x's elements.
    with emulation.emulate("h100", strict=True):
        v = w.detach().clone().requires_grad_()
        F.conv2d(x.detach(), v, groups=groups, **settings).backward(g.detach())
    assert same(backwards.grad, v.grad)


def test_a_convolution_by_a_filter_of_one_is_a_product() -> None:
    x, w = random(3, 8, 4, 5), random(6, 8, 1, 1)
    with emulation.emulate("mi300x", strict=True):
        y = F.conv2d(x, w)
        d = torch.matmul(x.movedim(1, -1), w[:, :, 0, 0].t())
    assert same(y, d.movedim(-1, 1).contiguous())
    step = _products._CHUNK
    try:
        _products._CHUNK = 100  # one sample at a time
        with emulation.emulate("mi300x", strict=True):
            assert same(F.conv2d(x, w), y)
    finally:
        _products._CHUNK = step


# Attention, and whole transformers.


def attention(plans: Any, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> torch.Tensor:
    """scaled_dot_product_attention of (batch, heads, length, size), head by head."""
    out = torch.empty_like(q)
    for i, j in positions(q.shape[:2]):
        scores = plans(q[i, j], k[i, j].t(), torch.float32) * (1 / math.sqrt(q.shape[-1]))
        if causal:
            hidden = torch.ones(scores.shape, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(hidden, -math.inf)
        out[i, j] = plans(torch.softmax(scores, -1).to(q.dtype), v[i, j], q.dtype)
    return out


def plans_of(unit: str) -> Any:
    """Products by the instruction, converted to the given type."""

    def product(a: torch.Tensor, b: torch.Tensor, out: Any, c: torch.Tensor | None = None) -> torch.Tensor:
        name = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}[out]
        rest = "beta=0" if c is None else "beta=1"
        c = None if c is None else c.expand(a.shape[0], b.shape[1])
        return run(epilogue(unit, a.shape[1], name, rest), a, b, c)

    return product


class Block(torch.nn.Module):
    def __init__(self, size: int, heads: int):
        super().__init__()
        self.heads = heads
        self.before = torch.nn.LayerNorm(size)
        self.qkv = torch.nn.Linear(size, 3 * size)
        self.out = torch.nn.Linear(size, size, bias=False)
        self.between = torch.nn.LayerNorm(size)
        self.up = torch.nn.Linear(size, 4 * size)
        self.down = torch.nn.Linear(4 * size, size)

    def forward(self, x: torch.Tensor, linear: Any = None, attend: Any = None) -> torch.Tensor:
        def apply(layer: Any, y: torch.Tensor) -> torch.Tensor:
            return layer(y) if linear is None else linear(layer, y)

        shape = (*x.shape[:2], 3, self.heads, -1)
        q, k, v = apply(self.qkv, self.before(x)).reshape(shape).permute(2, 0, 3, 1, 4)
        if attend is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            y = attend(q, k, v)
        x = x + apply(self.out, y.transpose(1, 2).flatten(2))
        return x + apply(self.down, F.gelu(apply(self.up, self.between(x))))


class Transformer(torch.nn.Module):
    def __init__(self, size: int, heads: int, depth: int, words: int, length: int):
        super().__init__()
        self.embed = torch.nn.Embedding(words, size)
        self.place = torch.nn.Parameter(0.02 * torch.randn(length, size))
        self.blocks = torch.nn.ModuleList(Block(size, heads) for _ in range(depth))
        self.norm = torch.nn.LayerNorm(size)
        self.head = torch.nn.Linear(size, words, bias=False)

    def forward(self, tokens: torch.Tensor, linear: Any = None, attend: Any = None) -> torch.Tensor:
        x = self.embed(tokens) + self.place[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x, linear, attend)
        x = self.norm(x)
        return self.head(x) if linear is None else linear(self.head, x)


def transformer(large: bool) -> tuple[Transformer, torch.Tensor]:
    torch.manual_seed(1)
    if large:
        model, shape = Transformer(384, 6, 5, 2048, 64), (2, 48)
    else:
        model, shape = Transformer(96, 3, 4, 256, 32), (2, 20)
    return model.half().eval(), torch.randint(model.head.out_features, shape)


def check_transformer(target: str, unit: str, large: bool) -> int:
    model, tokens = transformer(large)
    product = plans_of(unit)

    def linear(layer: Any, x: torch.Tensor) -> torch.Tensor:
        rows = x.reshape(-1, x.shape[-1])
        bias = None if layer.bias is None else layer.bias
        return product(rows, layer.weight.t(), x.dtype, bias).reshape(*x.shape[:-1], -1)

    with torch.no_grad():
        wanted = model(tokens, linear, lambda q, k, v: attention(product, q, k, v, True))
        with emulation.emulate(target, strict=True) as report:
            logits = model(tokens)
    assert same(logits, wanted)
    assert report.complete and report.results > 0
    return sum(p.numel() for p in model.parameters())


UNITS = [("h100", HOPPER), ("mi300x", CDNA3), ("v100", "volta/mma.m8n8k4.f32.f16.f16.f32")]


@pytest.mark.parametrize(("target", "unit"), UNITS)
def test_a_transformer_is_a_loop_over_the_unit(target: str, unit: str) -> None:
    assert check_transformer(target, unit, large=False) > 400_000


@pytest.mark.skipif(not os.environ.get("MMASPEC_FULL_TESTS"), reason="of scripts/test --full")
@pytest.mark.parametrize(("target", "unit"), UNITS)
def test_a_transformer_of_ten_million_parameters(target: str, unit: str) -> None:
    assert check_transformer(target, unit, large=True) > 10_000_000


def test_attention_and_its_gradients() -> None:
    q, k, v = (random(2, 2, 5, 8, seed=s).requires_grad_() for s in range(3))
    g = random(2, 2, 5, 8, seed=7)
    product = plans_of(CDNA3)
    for causal in (False, True):
        q.grad = k.grad = v.grad = None
        with emulation.emulate("mi300x", strict=True) as report:
            out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            out.backward(g)
        assert same(out, attention(product, q, k, v, causal))
        assert report.complete
        for i, j in positions((2, 2)):
            a, b, c = q[i, j].detach(), k[i, j].detach(), v[i, j].detach()
            s = product(a, b.t(), torch.float32) * (1 / math.sqrt(8))
            if causal:
                s = s.masked_fill(torch.ones(5, 5, dtype=torch.bool).triu(1), -math.inf)
            p = torch.softmax(s, -1)
            assert same(v.grad[i, j], product(p.half().t(), g[i, j], torch.float16))
            dp = product(g[i, j], c.t(), torch.float32)
            ds = (p * (dp - (dp * p).sum(-1, keepdim=True)) * (1 / math.sqrt(8))).half()
            assert same(q.grad[i, j], product(ds, b, torch.float16))
            assert same(k.grad[i, j], product(ds.t(), a, torch.float16))
    # In float64 the formulas are PyTorch's, except for rounding.
    q, k, v = (x.detach().double().requires_grad_() for x in (q, k, v))
    mask = torch.rand(5, 5) < 0.7
    mask[0] = False  # no keys
    for settings in ({"attn_mask": mask}, {"attn_mask": random(5, 5, dtype=torch.float64)}, {"scale": 0.3}):
        results = []
        for emulated in (False, True):
            q.grad = k.grad = v.grad = None
            with emulation.emulate("x86/vfmadd231pd", strict=True) if emulated else torch.enable_grad():
                out = F.scaled_dot_product_attention(q, k, v, **settings)
                out.backward(g.double())
            results.append((out.detach(), q.grad, k.grad, v.grad))
        for own, mine in zip(*results):
            torch.testing.assert_close(mine, own, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_heads_that_share_keys() -> None:
    q, k, v = random(2, 4, 5, 8).requires_grad_(), random(2, 2, 6, 8), random(2, 2, 6, 8, seed=4)
    k.requires_grad_(), v.requires_grad_()
    g = random(2, 4, 5, 8, seed=2)
    product = plans_of(CDNA3)
    with emulation.emulate("mi300x", strict=True):
        out = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        out.backward(g)
    twice = [x.detach().repeat_interleave(2, 1) for x in (k, v)]
    assert same(out, attention(product, q.detach(), *twice, False))
    # Sums over both heads, then over positions.
    p = torch.empty(2, 4, 5, 6, dtype=torch.float16)
    for i, j in positions((2, 4)):
        scores = product(q[i, j].detach(), twice[0][i, j].t(), torch.float32) * (1 / math.sqrt(8))
        p[i, j] = torch.softmax(scores, -1).half()
    for i, j in positions((2, 2)):
        both = slice(2 * j, 2 * j + 2)
        a, b = p[i, both].reshape(10, 6), g[i, both].reshape(10, 8)
        assert same(v.grad[i, j], product(a.t(), b, torch.float16))


def test_results_have_the_memory_layout_of_pytorch() -> None:
    x, w = random(2, 4, 6, 6).to(memory_format=torch.channels_last), random(5, 4, 3, 3)
    packed = random(2, 5, 3, 3, 8).permute(2, 0, 3, 1, 4)
    for options in ({}, {"against_torch": False}):
        with emulation.emulate("mi300x", strict=True, **options):
            y = F.conv2d(x, w)
            outs = [F.scaled_dot_product_attention(q, q, q) for q in (*packed, random(2, 3, 5, 8))]
        assert y.stride() == F.conv2d(x, w).stride() and not y.is_contiguous()
        for out, q in zip(outs, (*packed, random(2, 3, 5, 8))):
            assert out.stride() == F.scaled_dot_product_attention(q, q, q).stride()
    with emulation.emulate("mi300x", strict=True):
        assert same(y, F.conv2d(x.contiguous(), w))
    compiled = torch.compile(
        lambda x: F.conv2d(x, w).permute(0, 2, 3, 1).view(2, -1), backend=emulation.backend("mi300x")
    )
    assert same(compiled(x), y.permute(0, 2, 3, 1).reshape(2, -1))


def test_modules_take_their_slow_path() -> None:
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).half().eval()
    x = random(3, 5, 16)
    before = torch.backends.mha.get_fastpath_enabled()
    with torch.no_grad(), emulation.emulate("mi300x", strict=True) as report:
        y = layer(x)
    assert torch.backends.mha.get_fastpath_enabled() == before
    assert {x.op for x in report.emulated} == {"addmm", "mm", "scaled_dot_product_attention"}
    with torch.inference_mode(), emulation.emulate("mi300x", strict=True):
        assert same(layer(x), y)


# Backward passes, compilers, exporters.


def test_backward() -> None:
    x, w = random(6, 40).requires_grad_(), random(9, 40).requires_grad_()
    g = random(6, 9, seed=3)
    with emulation.emulate("h100", strict=True):
        F.linear(x, w).backward(g)
    assert same(w.grad, run(epilogue(HOPPER, 6, "f16"), g.t(), x.detach()))
    assert same(x.grad, run(epilogue(HOPPER, 9, "f16"), g, w.detach()))


def net() -> tuple[torch.nn.Module, torch.Tensor]:
    torch.manual_seed(2)

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv1d(4, 6, 3, padding=1)
            self.linear = torch.nn.Linear(6, 8)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.linear(torch.relu(self.conv(x)).transpose(1, 2))
            return torch.softmax(y @ y.transpose(1, 2), -1)

    return Net().half(), random(2, 4, 7)


def gradients(model: torch.nn.Module, call: Any, x: torch.Tensor) -> list[torch.Tensor]:
    model.zero_grad()
    y = call(x)
    (y * y).sum().backward()
    return [y.detach(), *(p.grad.clone() for p in model.parameters())]


def test_compiled_models() -> None:
    model, x = net()
    with emulation.emulate("mi300x", strict=True):
        wanted = gradients(model, model, x)
    torch._dynamo.reset()
    compiled = torch.compile(model, backend=emulation.backend("mi300x", strict=True))
    for mine, other in zip(gradients(model, compiled, x), wanted, strict=True):
        assert same(mine, other)
    graphs = []

    def inner(module: Any, inputs: Any) -> Any:
        from functorch.compile import make_boxed_func

        graphs.append(module)
        return make_boxed_func(module.forward)

    torch._dynamo.reset()
    gradients(model, torch.compile(model, backend=emulation.backend("mi300x", inner=inner)), x)
    targets = {str(n.target) for g in graphs for n in g.graph.nodes if n.op == "call_function"}
    assert {t for t in targets if t.startswith("mmaspec")} == {
        "mmaspec.product.default", "mmaspec.convolution.default",
        "mmaspec.convolution_weight.default",
    }
    assert not any(t.startswith(("aten.mm", "aten.bmm", "aten.addmm", "aten.convolution")) for t in targets)
    # In the context, compiled code runs without compilation.
    torch._dynamo.reset()
    plain = torch.compile(model, backend="eager")
    own = plain(x)
    with emulation.emulate("mi300x") as report:
        assert same(plain(x), wanted[0])
    assert report.results and same(plain(x), own)


def test_exported_models() -> None:
    model, x = net()
    with torch.no_grad(), emulation.emulate("mi300x", strict=True):
        wanted = model(x)
    program = torch.export.export(model, (x,))
    lowered = emulation.rewrite(program, "mi300x", strict=True)
    assert same(lowered.module()(x), wanted)
    assert any("mmaspec" in str(n.target) for n in lowered.graph.nodes)
    assert not any("mmaspec" in str(n.target) for n in program.graph.nodes)
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(model, (x,), dynamic_shapes={"x": {0: batch}})
    more = random(5, 4, 7)
    with torch.no_grad(), emulation.emulate("mi300x", strict=True):
        wanted = model(more)
    assert same(emulation.rewrite(program, "mi300x", strict=True).module()(more), wanted)
    integers = torch.ones(2, 2, dtype=torch.int64)

    class Hidden(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return torch.linalg.inv(x), integers @ integers

    program = torch.export.export(Hidden(), (torch.eye(2),))
    with pytest.warns(UserWarning) as told:
        emulation.rewrite(program, "mi300x")
    messages = [str(x.message) for x in told if "mmaspec" in str(x.message)]
    assert len(messages) == 2 and any("int64" in m for m in messages), messages
    with pytest.raises(NotImplementedError, match="cannot be emulated as mi300x"):
        emulation.rewrite(program, "mi300x", strict=True)
    with pytest.raises(TypeError, match="ExportedProgram"):
        emulation.rewrite(model, "mi300x")


def test_operators_fit_their_shapes() -> None:
    a, b, c = random(2, 4, 16), random(16, 3), random(3)
    ops: Any = torch.ops.mmaspec
    checks = ("test_schema", "test_faketensor")
    torch.library.opcheck(ops.product, (a, b, c, CDNA3, torch.float16, 1.0, 1.0), test_utils=checks)
    x, w = random(2, 4, 6, 6), random(4, 2, 3, 3)
    how = ([2, 2], [1, 1], [1, 1], 2)
    g = random(2, 4, 3, 3)
    torch.library.opcheck(ops.convolution, (x, w, [3, 3], *how, "rsc", CDNA3), test_utils=checks)
    torch.library.opcheck(ops.convolution_input, (g, w, [6, 6], *how, "rsc", CDNA3), test_utils=checks)
    torch.library.opcheck(ops.convolution_weight, (g, x, [3, 3], *how, CDNA3), test_utils=checks)


# Scaled products.


def test_scaled_products() -> None:
    a = random(16, 96, dtype=torch.float32).to(torch.float8_e4m3fn)
    b = random(32, 96, dtype=torch.float32).to(torch.float8_e4m3fn).t()
    unit = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3"
    one = torch.tensor(1.0)
    fast = run(unit, a, b)
    with emulation.emulate("h100", strict=True) as report:
        d = torch._scaled_mm(a, b, one, one, out_dtype=torch.float32, use_fast_accum=True)
        assert same(d, fast)
        sa, sb = torch.tensor(0.3), torch.tensor(1.7)
        bias = random(32, dtype=torch.bfloat16)
        d = torch._scaled_mm(a, b, sa, sb, bias, out_dtype=torch.bfloat16, use_fast_accum=True)
        assert same(d, ((sa * sb) * fast + bias.float()).bfloat16())
        rows, columns = torch.rand(16, 1), torch.rand(1, 32)
        d = torch._scaled_mm(a, b, rows, columns, out_dtype=torch.bfloat16, use_fast_accum=True)
        assert same(d, (columns * (rows * fast)).bfloat16())
    assert report.complete
    wide = random(16, 300, dtype=torch.float32).to(torch.float8_e4m3fn)
    with emulation.emulate("h100", strict=True):
        d = torch._scaled_mm(wide[:, :288], wide[:, :288].t(), one, one, out_dtype=torch.float32)
        short = torch._scaled_mm(a, b, one, one, out_dtype=torch.float32)
    assert same(d, run(f"plan:promote({unit},k=288,every=128)", wide[:, :288], wide[:, :288].t()))
    assert same(short, run(f"plan:promote({unit},k=96,every=96)", a, b))
    with emulation.emulate("h100", strict=True) as report:
        d = torch._scaled_mm(a[:, :48].contiguous(), b[:48], one, one, out_dtype=torch.float32)
    assert f"plan:promote({unit},k=64,every=64)" in report.emulated[0].plan
    none = torch.zeros(16, 16).to(torch.float8_e4m3fn)
    padded = torch.cat([a[:, :48], none], 1), torch.cat([b[:48], torch.cat([none, none], 1)])
    assert same(d, run(f"plan:promote({unit},k=64,every=64)", *padded))
    e5m2 = b.float().to(torch.float8_e5m2)
    with emulation.emulate("h100", strict=True) as report:
        d = torch._scaled_mm(a, e5m2, one, one, out_dtype=torch.float32, use_fast_accum=True)
    assert report.emulated[0].plan.startswith("hopper/wgmma.m64n8k32.f32.e4m3.e5m2")
    assert same(d, run("hopper/wgmma.m64n8k32.f32.e4m3.e5m2", a, e5m2))
    with pytest.warns(UserWarning, match="multiplies e4m3fnuz"), emulation.emulate("mi300x"):
        torch._scaled_mm(a, b, one, one, out_dtype=torch.float32)


def patterns_of(x: torch.Tensor) -> np.ndarray:
    return x.contiguous().view(torch.uint8).numpy().view(mmaspec.formats.dtype_of("e4m3"))


@pytest.mark.parametrize(
    ("shape_a", "shape_b"),
    [((200, 2), (2, 150)), ((200, 2), (2, 2)), ((2, 2), (2, 150)), ((2, 2), (2, 2))],
)
def test_scale_factors_of_blocks(shape_a: tuple[int, int], shape_b: tuple[int, int]) -> None:
    a = random(200, 256, dtype=torch.float32).to(torch.float8_e4m3fn)
    b = random(150, 256, dtype=torch.float32).to(torch.float8_e4m3fn).t()
    rows, columns = torch.rand(shape_a) + 0.5, torch.rand(shape_b) + 0.5
    bias = random(150, dtype=torch.bfloat16)
    with emulation.emulate("h100", strict=True) as report:
        d = torch._scaled_mm(a, b, rows, columns, out_dtype=torch.float32)
        stored = torch._scaled_mm(a, b, rows, columns, bias, out_dtype=torch.bfloat16)
    plan = "plan:promote(hopper/wgmma.m64n8k32.f32.e4m3.e4m3,k=256,every=128,scales=yes)"
    assert report.emulated[0].plan == f"{plan}, as f32"
    rows = rows if shape_a[0] == 200 else rows.repeat_interleave(128, 0)[:200]
    columns = columns if shape_b[1] == 150 else columns.repeat_interleave(128, 1)[:, :150]
    expected = mmaspec.unit(plan)(
        patterns_of(a), patterns_of(b), scale_a=rows.numpy(), scale_b=columns.numpy()
    )
    assert same(d, torch.from_numpy(expected))
    assert same(stored, (d + bias.float()).bfloat16())


def test_scale_factors_of_mx() -> None:
    a = random(200, 160, dtype=torch.float32).to(torch.float8_e4m3fn)
    b = random(150, 160, dtype=torch.float32).to(torch.float8_e4m3fn).t()
    numbers = np.random.default_rng(3)
    rows, columns = (numbers.integers(120, 134, (n, 5), dtype=np.uint8) for n in (200, 150))

    def as_torch_has_them(scales: np.ndarray) -> torch.Tensor:
        # PyTorch's documentation: element (r, c) of each tile of 128 x 4.
        tiles = np.zeros((256, 8), np.uint8)
        tiles[: len(scales), :5] = scales
        flat = np.zeros(256 * 8, np.uint8)
        for r in range(256):
            for c in range(8):
                tile = r // 128 * 2 + c // 4
                flat[tile * 512 + r % 32 * 16 + r % 128 // 32 * 4 + c % 4] = tiles[r, c]
        return torch.from_numpy(flat).view(torch.float8_e8m0fnu)

    factors = as_torch_has_them(rows), as_torch_has_them(columns)
    with emulation.emulate("b200", strict=True) as report:
        d = torch._scaled_mm(a, b, *factors, out_dtype=torch.float32)
    plan = "plan:chain(blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0,k=160)"
    assert report.emulated[0].plan == f"{plan}, as f32"
    expected = mmaspec.unit(plan)(
        patterns_of(a), patterns_of(b), scale_a=rows, scale_b=np.ascontiguousarray(columns.T)
    )
    assert same(d, torch.from_numpy(expected))
    with emulation.emulate("h100", strict=True), pytest.raises(NotImplementedError, match="ue8m0"):
        torch._scaled_mm(a, b, *factors, out_dtype=torch.float32)
    with emulation.emulate("b200", strict=True), pytest.raises((ValueError, RuntimeError)):
        torch._scaled_mm(a, b, factors[0][:512], factors[1], out_dtype=torch.float32)


def test_products_of_groups() -> None:
    a, b = random(9, 16, dtype=torch.bfloat16), random(2, 16, 8, dtype=torch.bfloat16)
    ends = torch.tensor([4, 9], dtype=torch.int32)
    product = plans_of("cdna3/v_mfma_f32_32x32x8_bf16")
    x = a.clone().requires_grad_()
    w = b.clone().requires_grad_()
    with emulation.emulate("mi300x", strict=True) as report:
        d = torch._grouped_mm(x, w, offs=ends)
        g = random(9, 8, dtype=torch.bfloat16)
        d.backward(g)
    for i, part in enumerate((slice(0, 4), slice(4, 9))):
        assert same(d[part], product(a[part], b[i], torch.bfloat16))
        assert same(x.grad[part], product(g[part], b[i].t(), torch.bfloat16))
        assert same(w.grad[i], product(a[part].t(), g[part], torch.bfloat16))
    assert report.complete and {x.op for x in report.emulated} == {"_grouped_mm"}


def test_fp8_results_saturate() -> None:
    x = np.float32([500, -1e9, np.inf, np.nan, 0.3, -0.0])
    y = _products._rounded(x, torch.float8_e4m3fn, "cpu").float()
    assert y[:3].tolist() == [448, -448, 448] and y[3].isnan() and y[4] == 0.3125


def test_tf32() -> None:
    a, b = random(5, 20, dtype=torch.float32), random(20, 7, dtype=torch.float32)
    a[0, 0] = 1 + 2**-11  # a tie
    unit = "hopper/wgmma.m64n8k8.f32.tf32.tf32"
    with emulation.emulate("h100", tf32=True, strict=True) as report:
        d = a @ b
    plan = report.emulated[0].plan
    assert plan == f"plan:convert({unit},k=20,a=f32,b=f32,round=rne)"
    assert same(d, run(plan, a, b))
    with emulation.emulate("mi300x", tf32=True, strict=True):
        assert same(a @ b, run("cdna3/v_mfma_f32_32x32x4_xf32", a, b))
    with emulation.emulate("h100", strict=True):
        assert same(a @ b, run("x86/vfmadd231ps", a, b))


# Targets, contexts, reports.


def test_targets() -> None:
    a, b = random(4, 24), random(24, 3)
    split = "plan:split-k(hopper/wgmma.m64n8k16.f32.f16.f16,k={k},parts=2)"
    wanted = run(f"plan:epilogue({split[5:].format(k=24)},k=24,beta=0,out=f16)", a, b)
    for target in (
        split,
        {torch.float16: split},
        {(torch.float16, torch.float16): split, torch.float32: None},
        lambda op, shapes, dtypes: split if (op, shapes) == ("mm", ((4, 24), (24, 3))) else None,
    ):
        with emulation.emulate(target, strict=True):
            assert same(a @ b, wanted)
    with emulation.emulate(mmaspec.unit(CDNA3), strict=True):
        assert same(a @ b, run(epilogue(CDNA3, 24, "f16"), a, b))
    whole = "plan:epilogue(hopper/wgmma.m64n8k16.f32.f16.f16,k={k},bias=yes,out=f16)"
    c = random(4, 3)
    with emulation.emulate(whole, strict=True):
        assert same(torch.addmm(c, a, b), run(whole.format(k=24), a, b, c))
        with pytest.raises(NotImplementedError, match="alpha=2"):
            torch.addmm(c, a, b, alpha=2)
    for wrong, error, message in (
        ("h10", ValueError, "did you mean"),
        ("hopper/wgma", ValueError, "unknown instruction"),
        (3, TypeError, "not int"),
        ("x86", ValueError, "unknown which instructions"),
        ({"f16": CDNA3}, TypeError, "a dtype of float64"),
        ({torch.float16: 3}, TypeError, "an mmaspec.Unit"),
    ):
        with pytest.raises(error, match=message):
            emulation.emulate(wrong)
    with pytest.raises(ValueError, match="'rsc' or 'crs'"):
        emulation.emulate("h100", convolutions="nhwc")
    with pytest.raises(ValueError, match="tf32"):
        emulation.emulate(CDNA3, tf32=True)


def test_functions_of_the_users() -> None:
    from mmaspec import language as L

    f16, f32 = L.format("f16"), L.format("f32")

    @L.algorithm(a="f16", b="f16", c="f32", d="f32", k=4)
    def mine(x: Any) -> Any:
        a, b, c = [L.unpack(f16, p) for p in x.a], [L.unpack(f16, p) for p in x.b], L.unpack(f32, x.c)
        terms = [L.exact_product(f16, p, f16, q) for p, q in zip(a, b)] + [L.as_term(f32, c)]
        terms = L.leave_zeros_out(terms)
        e = L.largest_exponent(terms)
        s = L.total(L.align(t, e, 27, "rd") for t in terms)
        return L.with_special_values(a, b, c, f32, L.round_and_pack(s < 0, abs(s), e - 27, f32, "rne"))

    a, b = random(3, 8), random(8, 2)
    with emulation.emulate(mine, strict=True) as report:
        d = torch.mm(a, b, out_dtype=torch.float32)
        rounded = a @ b
    wanted = torch.from_numpy(mine(a.numpy(), b.numpy()))
    assert same(d, wanted) and same(rounded, wanted.half())
    assert report.emulated[0].evidence == "none"


def test_contexts_nest_and_end() -> None:
    a, b = random(64, 512), random(512, 64, seed=1)
    own = a @ b
    results = {}
    for target in ("h100", "mi300x"):
        with emulation.emulate(target):
            results[target] = a @ b
    assert not same(results["h100"], results["mi300x"])
    outer = emulation.emulate("h100")
    with outer as first:
        assert same(a @ b, results["h100"])
        with emulation.emulate("mi300x") as second:
            assert same(a @ b, results["mi300x"])
        assert same(a @ b, results["h100"])
        with pytest.raises(ZeroDivisionError), emulation.emulate("mi300x"):
            1 / 0  # noqa: B018
        assert same(a @ b, results["h100"])
        with outer:
            assert same(a @ b, results["h100"])
        with pytest.raises(RuntimeError):
            a @ a
        assert same(a @ b, results["h100"])
    assert same(a @ b, own)
    assert torch.backends.mha.get_fastpath_enabled()
    assert first.emulated[0].calls == 5 and second.emulated[0].calls == 1
    # The inner context compares with PyTorch's results, not with those of the outer one.
    assert second.emulated[0].differing == int((results["mi300x"] != own).sum())


def test_each_thread_has_its_contexts() -> None:
    a, b = random(16, 64), random(64, 16)
    own = a @ b
    wanted = {}
    for target in ("h100", "mi300x"):
        with emulation.emulate(target):
            wanted[target] = a @ b
    shared = emulation.emulate("h100")
    failed: list[str] = []

    def work(target: str) -> None:
        context = shared if target == "h100" else emulation.emulate(target)
        for _ in range(20):
            if not same(a @ b, own):
                failed.append("before")
            with context:
                if not same(a @ b, wanted[target]):
                    failed.append(target)

    threads = [threading.Thread(target=work, args=(t,)) for t in ("h100", "mi300x", "h100")]
    for t in threads:
        t.start()
    with emulation.emulate("mi300x"):
        assert same(a @ b, wanted["mi300x"])
    for t in threads:
        t.join()
    assert not failed and torch.backends.mha.get_fastpath_enabled()
    assert shared.report.emulated[0].calls == 40


def test_operations_that_are_not_emulated_are_reported() -> None:
    lstm, x = torch.nn.LSTM(4, 3), random(5, 2, 4, dtype=torch.float32)
    integers = torch.ones(2, 2, dtype=torch.int64)
    with pytest.warns(UserWarning, match="mm is not emulated.*operands of torch.int64"):
        with emulation.emulate("h100") as report:
            torch.exp(torch.softmax(torch.ones(3), 0)).reshape(1, 3)
            integers @ integers
    reasons = {x.op: x.reason for x in report.not_emulated}
    assert reasons == {
        "mm": "operands of torch.int64", "exp": "not a matrix product", "_softmax": "not a matrix product",
    }
    assert not report.complete and [x.product for x in report.not_emulated] == [True, False, False]
    assert "not emulated: mm (1 calls)" in str(report) and "exp (1)" in str(report)
    assert json.loads(report.to_json())["not_emulated"][0]["op"] == "mm"
    assert "<table" in report._repr_html_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with emulation.emulate("h100") as report:
            lstm(x)
            torch.linalg.inv(torch.eye(3))
            torch.sparse.mm(torch.eye(3).to_sparse(), torch.ones(3, 2))
            torch.cdist(torch.ones(30, 4), torch.ones(30, 4))
    assert sum(x.product for x in report.not_emulated) >= 3, report
    with emulation.emulate("h100", strict=True), pytest.raises(NotImplementedError, match="int64"):
        integers @ integers
    with emulation.emulate("h100", strict=True), torch.backends.mkldnn.flags(enabled=False):
        lstm(x)


def test_reports_count_differences() -> None:
    a, b = random(32, 256), random(256, 32)
    own = a @ b
    with emulation.emulate("mi300x") as report:
        d = a @ b
    assert report.results == 1024 and report.differing == int((d != own).sum()) > 0
    entry = report.emulated[0]
    assert (entry.op, entry.shapes, entry.calls) == ("mm", ((32, 256), (256, 32)), 1)
    assert entry.evidence == "model" and "Composable Kernel" in entry.source
    with emulation.emulate("mi300x", against_torch=False) as report:
        a @ b
    assert report.emulated[0].differing is None and report.differing == 0


def test_transforms() -> None:
    a, b = random(2, 3, 20), random(2, 20, 5)
    with emulation.emulate("mi300x", strict=True) as report:
        d = torch.func.vmap(torch.mm)(a, b)
        slope = torch.func.grad(lambda w: (w @ b[0]).sum())(a[0])
    for i in range(2):
        assert same(d[i], run(epilogue(CDNA3, 20, "f16"), a[i], b[i]))
    assert same(slope, run(epilogue(CDNA3, 5, "f16"), torch.ones(3, 5).half(), b[0].t()))
    assert report.complete


def test_operators_of_other_libraries_may_hide_products() -> None:
    library = torch.library.Library("mmaspec_test", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x @ x, "CPU")
    x = random(3, 3)
    with pytest.warns(UserWarning, match="mmaspec_test"), emulation.emulate("h100") as report:
        torch.ops.mmaspec_test.twice(x)
    assert not report.complete
    # Operators that are called outside of a context have no gradient, and report this.
    d = torch.ops.mmaspec.product(x.requires_grad_(), x, None, CDNA3, torch.float16, 1.0, 1.0)
    with pytest.raises(RuntimeError, match="do not have gradients"):
        d.sum().backward()


def test_automatic_mixed_precision() -> None:
    layer, x = torch.nn.Linear(16, 8), random(4, 16, dtype=torch.float32)
    with emulation.emulate("h100", strict=True) as report, torch.autocast("cpu", torch.bfloat16):
        y = layer(x)
    assert y.dtype == torch.bfloat16 and report.emulated[0].dtypes == ("bfloat16", "bfloat16")


# Comparisons.


def test_differences() -> None:
    x = torch.tensor([1.0, -1.0, 0.0, math.inf, math.nan, 2.0, -0.0])
    y = torch.tensor([1 + 2**-23, -1 + 2**-24, -0.0, math.inf, math.nan, math.nan, 1e-45])
    d = difference(x, y)
    assert (d.results, d.differing, d.not_both_finite, d.largest_ulp) == (7, 4, 1, 1)
    assert d.largest_relative == 2**-23
    assert difference(torch.tensor([-1e-45]), torch.tensor([1e-45])).largest_ulp == 2
    assert difference(x.half(), x.half()).differing == 0
    assert difference(torch.zeros(0), torch.zeros(0)).differing == 0


def test_layers() -> None:
    model, tokens = transformer(large=False)
    found = emulation.compare(model, tokens, "h100", "mi300x")
    names = [x.name for x in found]
    assert names[0] == "embed" and names[-1] == "(model)" and "blocks.1" in names
    by_name = {x.name: x for x in found}
    assert by_name["embed"].own.differing == 0 and by_name["embed"].same is None
    assert found.start is not None and found.start.name.startswith("blocks.0.")
    assert by_name["blocks.3.down"].own.differing > 0
    assert by_name["blocks.0"].same is not None  # the attention belongs to the block
    with torch.no_grad():
        results = []
        for target in ("h100", "mi300x"):
            with emulation.emulate(target):
                results.append(model(tokens))
    assert by_name["(model)"].own == difference(*results)
    head = by_name["head"].same
    assert head.results == results[0].numel() and 0 < head.differing < by_name["head"].own.differing
    document = json.loads(found.to_json())
    assert document["start"] == found.start.name and len(document["layers"]) == len(found)
    assert str(found).splitlines()[0].startswith("h100 and mi300x: results differ from blocks.0.")
    page = found.to_html()
    assert page.startswith("<!doctype html>") and page.count("<table") == 5 and "blocks.3.down" in page
    assert not emulation.compare(model, {"tokens": tokens}, "h100", "h200").start
    with pytest.raises(TypeError, match="torch.nn.Module"):
        emulation.compare(lambda x: x, tokens, "h100", "mi300x")


def test_comparisons_do_not_change_the_model() -> None:
    torch.manual_seed(4)
    model = torch.nn.Sequential(
        torch.nn.Linear(8, 8), torch.nn.BatchNorm1d(8), torch.nn.ReLU(inplace=True), torch.nn.Dropout(0.5),
        torch.nn.Linear(8, 4),
    ).half()  # fmt: skip
    before = {name: x.clone() for name, x in model.state_dict().items()}
    state = torch.get_rng_state()
    found = emulation.compare(model, random(6, 8), "h100", "h100")
    assert found.start is None and len(found) == 6
    assert all(x.equal(before[name]) for name, x in model.state_dict().items())
    assert torch.get_rng_state().equal(state)
    assert not any(m._forward_hooks for m in model.modules())


def test_the_plot() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    model, tokens = transformer(large=False)
    found = emulation.compare(model, tokens, "h100", "mi300x")
    assert "<svg" in found.to_html()
    axes = found.plot()
    assert len(axes.lines) == 2 and axes.get_yscale() == "log"


def test_one_line_if_torch_is_missing(tmp_path: Any) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('none')\n")
    paths = [str(tmp_path), str(os.path.dirname(os.path.dirname(mmaspec.__file__))), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", "import mmaspec.torch"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: mmaspec.torch needs PyTorch, which is not installed: pip install torch"
    )
