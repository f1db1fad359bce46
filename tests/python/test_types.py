"""Each type that represents a format's values, and values that are refused."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import random_patterns

import mmaspec
from mmaspec.formats import dtype_of, round_to, values_of, word_of

ml_dtypes = pytest.importorskip("ml_dtypes")
HOPPER = mmaspec.unit("hopper/mma.m16n8k16.f32.f16.f16.f32")


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("f64", np.float64),
        ("f32", np.float32),
        ("tf32", np.float32),
        ("f16", np.float16),
        ("bf16", ml_dtypes.bfloat16),
        ("e4m3", ml_dtypes.float8_e4m3fn),
        ("e5m2", ml_dtypes.float8_e5m2),
        ("e4m3fnuz", ml_dtypes.float8_e4m3fnuz),
        ("e5m2fnuz", ml_dtypes.float8_e5m2fnuz),
        ("e3m2", ml_dtypes.float6_e3m2fn),
        ("e2m3", ml_dtypes.float6_e2m3fn),
        ("e2m1", ml_dtypes.float4_e2m1fn),
    ],
)
def test_values_and_patterns_agree(name: str, dtype: type) -> None:
    u = mmaspec.unit(f"design:exact-dot-add(a={name},b={name},c=f32,d=f32,k=4,round=rne)")
    assert dtype_of(name) == np.dtype(dtype)
    rng = np.random.default_rng(5)
    a = rng.standard_normal((6, 4)).astype(dtype)
    b = rng.standard_normal((4, 6)).astype(dtype)
    d = u(a, b)
    np.testing.assert_array_equal(d, u(a.view(word_of(name)), b.view(word_of(name))))
    if name not in ("f64", "f32", "tf32"):  # there the exact sum is one of doubles
        exact = a.astype(np.float64) @ b.astype(np.float64)
        np.testing.assert_array_equal(d, exact.astype(np.float32))


@pytest.mark.parametrize("scale", ["ue8m0", "ue4m3"])
def test_scale_factors(scale: str) -> None:
    block = 16 if scale == "ue4m3" else 32
    name = f"blackwell/tcgen05.mma.block_scale.m128n8k64.block{block}.f32.e2m1.e2m1.{scale}"
    u = mmaspec.unit(name)
    rng = np.random.default_rng(6)
    a = rng.standard_normal((3, 64)).astype(ml_dtypes.float4_e2m1fn)
    b = rng.standard_normal((64, 2)).astype(ml_dtypes.float4_e2m1fn)
    sa = np.float32([[0.5, 1, 2, 4]] * 3)[:, : 64 // block].astype(dtype_of(scale))
    sb = np.float32([[1], [2], [0.5], [1]])[: 64 // block].repeat(2, 1).astype(dtype_of(scale))
    d = u(a, b, scale_a=sa, scale_b=sb)
    factors = (sa.astype(float)[:, :, None] * sb.astype(float)[None]).repeat(block, 1)
    exact = np.einsum("mk,kn,mkn->mn", a.astype(float), b.astype(float), factors)
    np.testing.assert_allclose(d, exact, rtol=1e-6)
    # Two elements per byte, the lower half first.
    pa = a.view(np.uint8)
    pb = b.view(np.uint8)
    packed_a = pa[:, ::2] | (pa[:, 1::2] << 4)
    packed_b = pb[::2] | (pb[1::2] << 4)
    packed = u(packed_a, packed_b, scale_a=sa, scale_b=sb, packed=True)
    np.testing.assert_array_equal(packed, d)
    with pytest.raises(ValueError, match="needs scale_a"):
        u(a, b)
    with pytest.raises(ValueError, match="scale_a must end in"):
        u(a, b, scale_a=sa[:, :1], scale_b=sb)


def test_tf32_is_cut_and_can_be_rounded() -> None:
    u = mmaspec.unit("hopper/mma.m16n8k8.f32.tf32.tf32.f32")
    x = np.float32([[1 + 2**-10 - 2**-20]])
    one = np.float32([[1]])
    assert u(x, one)[0, 0] == 1
    assert round_to("tf32", x)[0, 0] == np.float32(1 + 2**-10)
    assert u(round_to("tf32", x), one)[0, 0] == np.float32(1 + 2**-10)
    assert np.isnan(round_to("tf32", np.float32([np.nan]))[0])
    assert round_to("tf32", np.float32([np.inf]))[0] == np.inf


def test_small_results_keep_their_type() -> None:
    u = mmaspec.unit("design:exact-dot-add(a=bf16,b=bf16,c=bf16,d=bf16,k=4,round=rne)")
    a = np.ones((2, 4), dtype=ml_dtypes.bfloat16)
    d = u(a, a.T)
    assert d.dtype == ml_dtypes.bfloat16
    assert d.astype(float).tolist() == [[4, 4], [4, 4]]
    assert u(a, a.T, bits=True).dtype == np.uint16
    assert values_of("bf16", 0x3F80) == 1


@pytest.mark.parametrize(
    ("a", "b", "c", "error", "message"),
    [
        (np.ones((2, 16)), np.ones((16, 2), "f2"), None, TypeError, "A must be an array of float16"),
        (np.ones((2, 16), "f2"), np.ones((16, 2), "i2"), None, TypeError, "B must be"),
        (np.ones((2, 16), "f2"), np.ones((15, 2), "f2"), None, ValueError, "their K differ"),
        (np.ones(16, "f2"), np.ones((16, 2), "f2"), None, ValueError, "A has 1 dimension"),
        (np.ones((2, 16), "f2"), np.ones((16, 2), "f2"), np.ones((3, 2), "f4"), ValueError, "C has"),
        (np.ones((2, 16), "f2"), np.ones((16, 2), "f2"), np.ones((2, 2)), TypeError, "C must be"),
        (np.ones((3, 2, 16), "f2"), np.ones((2, 16, 2), "f2"), None, ValueError, "leading"),
    ],
)
def test_values_that_do_not_fit_are_refused(a, b, c, error, message) -> None:
    with pytest.raises(error, match=message):
        HOPPER(a, b, c)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="did you mean"):
        mmaspec.unit("hoppr/mma.m16n8k16.f32.f16.f16.f32")
    with pytest.raises(ValueError, match="no scale factors"):
        HOPPER(np.ones((1, 16), "f2"), np.ones((16, 1), "f2"), scale_a=1, scale_b=1)
    e2m1 = mmaspec.unit("design:exact-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=4)")
    with pytest.raises(ValueError, match="of 4 bits"):
        e2m1(np.full((1, 4), 16, "u1"), np.ones((4, 1), "u1"))
    mixed = mmaspec.unit("turing/mma.m16n8k8.f32.f16.f16.f32")
    assert mixed.k == 8
    volta = mmaspec.unit("volta/mma.m8n8k4.f32.f16.f16.f16")
    with pytest.raises(ValueError, match="cannot be chained"):
        volta(np.ones((1, 8), "f2"), np.ones((8, 1), "f2"))


def test_patterns_of_every_format_read_back() -> None:
    rng = np.random.default_rng(7)
    for name in ("f16", "bf16", "e4m3", "e5m2", "e4m3fnuz", "ue8m0", "f32", "f64"):
        words = random_patterns(rng, name, (50,))
        assert values_of(name, words).view(word_of(name)).tolist() == words.tolist()


def test_fixed_point() -> None:
    """Counts of 2^-F are integers, if a type has as many bits."""
    a = np.full((2, 4), 2, ml_dtypes.float8_e4m3fn)
    b = np.full((4, 3), -1.5, ml_dtypes.float8_e4m3fn)
    for name, dtype in (("fixed:6.2", np.int8), ("fixed:14.18", np.int32)):
        d = mmaspec.unit(f"design:fixed-point-dot-add(a=e4m3,c={name},k=4)")(a, b)
        assert d.dtype == dtype
        np.testing.assert_array_equal(d, -12 * 2 ** int(name[name.index(".") + 1 :]))
    with pytest.raises(ValueError, match="41 bits"):
        mmaspec.unit("design:fixed-point-dot-add(c=fixed:23.18,k=4)")(a, b)


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    try:
        torch.ones(1).numpy()
    except RuntimeError:
        pytest.skip("this torch does not speak to this NumPy")
    a = torch.randn(4, 32).to(torch.float16)
    b = torch.randn(32, 4).to(torch.float16)
    d = HOPPER(a, b)
    assert isinstance(d, torch.Tensor) and d.dtype == torch.float32
    np.testing.assert_array_equal(d.numpy(), HOPPER(a.numpy(), b.numpy()))
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.bf16.bf16.f32")
    x, y = a.to(torch.bfloat16), b.to(torch.bfloat16)
    wanted = u(
        x.float().numpy().astype(ml_dtypes.bfloat16), y.float().numpy().astype(ml_dtypes.bfloat16)
    )
    np.testing.assert_array_equal(u(x, y).numpy(), wanted)


def test_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")
    a = jnp.ones((4, 16), jnp.bfloat16)
    u = mmaspec.unit("hopper/mma.m16n8k16.f32.bf16.bf16.f32")
    assert type(u(a, a.T)).__module__.startswith("jax")
