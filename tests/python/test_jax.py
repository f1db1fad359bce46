"""mmaspec.jax: emulated functions compared with loops over units."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import mmaspec

try:
    import jax
except ImportError:
    pytest.skip(
        "JAX is not installed: scripts/test --all gets it, or pip install jax",
        allow_module_level=True,
    )
ml_dtypes = pytest.importorskip("ml_dtypes")

import jax.numpy as jnp  # noqa: E402

import mmaspec.jax as emulation  # noqa: E402

CDNA3 = mmaspec.unit("cdna3/v_mfma_f32_32x32x8_f16")
HOPPER = mmaspec.unit("hopper/wgmma.m64n8k16.f32.f16.f16")


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(np.float16)


def product(u: mmaspec.Unit, a: Any, b: Any) -> np.ndarray:
    result: np.ndarray = u(np.asarray(a), np.asarray(b)).astype(np.asarray(a).dtype)
    return result


def same(x: Any, y: Any) -> bool:
    x, y = np.asarray(x), np.asarray(y)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def test_products() -> None:
    a, b = random(5, 40), random(40, 6)
    run = emulation.emulate(lambda a, b: a @ b, "mi300x", strict=True)
    assert same(run(a, b), product(CDNA3, a, b))
    assert same(jax.jit(run)(a, b), product(CDNA3, a, b))
    jax.effects_barrier()
    entry = run.report.emulated[0]
    assert (entry.calls, entry.results) == (2, 60)
    assert same(mmaspec.unit(entry.plan)(a, b), product(CDNA3, a, b))
    x, w = random(2, 3, 4, 8), random(4, 8, 5)
    d = emulation.emulate(lambda x, w: jnp.einsum("nijk,jkl->nil", x, w), "h100", strict=True)(x, w)
    for i in range(2):
        assert same(d[i], product(HOPPER, x[i].reshape(3, 32), w.reshape(32, 5)))
    wide = emulation.emulate(lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.float32), "h100")
    assert same(wide(a, b), HOPPER(a, b))
    bf16 = a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16)
    u = mmaspec.unit("hopper/wgmma.m64n8k16.f32.bf16.bf16")
    assert same(emulation.emulate(jnp.matmul, "h100", strict=True)(*bf16), product(u, *bf16))
    empty = emulation.emulate(jnp.matmul, "h100", strict=True)(random(2, 0), random(0, 3))
    assert same(empty, np.zeros((2, 3), np.float16))


def test_subnormal_numbers() -> None:
    # XLA's threads flush subnormal numbers. Neither the unit nor the conversion does.
    a, b = np.full((2, 16), 2.0**-14, np.float16), np.full((16, 2), 2.0**-12, np.float16)
    run = jax.jit(emulation.emulate(jnp.matmul, "h100", strict=True))
    assert same(run(a, b), np.full((2, 2), 2.0**-22, np.float16))
    x, y = np.full((2, 4), 1e-30, np.float32), np.full((4, 2), 1e-10, np.float32)
    assert same(run(x, y), mmaspec.unit("x86/vfmadd231ps")(x, y))
    assert (np.asarray(run(x, y)) > 0).all()


def test_gradients_loops_and_branches() -> None:
    w, x = random(3, 8, 8) * np.float16(0.5), random(4, 8)

    def states(w: Any, x: Any) -> Any:
        h, _ = jax.lax.scan(lambda h, wi: (jnp.tanh(h @ wi), None), x, w)
        return jax.lax.cond(h[0, 0] > 10, lambda h: h, lambda h: h @ w[0], h)

    wanted = x
    for wi in w:
        wanted = np.asarray(jnp.tanh(product(CDNA3, wanted, wi)))
    wanted = product(CDNA3, wanted, w[0])
    assert same(emulation.emulate(states, "mi300x", strict=True)(w, x), wanted)

    def loss(v: Any, y: Any) -> Any:
        return jnp.sum(jax.nn.relu(y @ v) * jnp.float16(2))

    gradient = emulation.emulate(jax.grad(loss), "mi300x", strict=True)(w[0], x)
    g = np.where(product(CDNA3, x, w[0]) > 0, np.float16(2), np.float16(0))
    assert same(gradient, product(CDNA3, x.T.copy(), g))


def test_trees_and_static_arguments() -> None:
    def apply(parameters: Any, x: Any, *, scale: bool) -> Any:
        y = x @ parameters["w"]
        return {"y": y * jnp.float16(2) if scale else y}

    w, x = random(8, 4), random(3, 8)
    run = emulation.emulate(apply, "h100", strict=True)
    assert same(run({"w": w}, x, scale=False)["y"], product(HOPPER, x, w))
    assert same(run({"w": w}, x, scale=True)["y"], product(HOPPER, x, w) * np.float16(2))


@pytest.mark.parametrize("order", ["rsc", "crs"])
def test_convolutions(order: str) -> None:
    x, w = random(2, 5, 4, 4), random(3, 2, 2, 6)  # NHWC, HWIO in two groups

    def convolve(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (2, 1), [(1, 2), (0, 1)], rhs_dilation=(1, 2),
            dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=2,
        )  # fmt: skip

    run = emulation.emulate(convolve, "mi300x", convolutions=order, strict=True)
    y = np.asarray(run(x, w))
    assert y.shape == convolve(x, w).shape
    padded = np.pad(x, ((0, 0), (1, 2), (0, 1), (0, 0)))
    for n, p, q, o in np.ndindex(*y.shape):
        group = o // 3
        places = [(r, s, c) for r in range(3) for s in range(2) for c in range(2)]
        if order == "crs":
            places.sort(key=lambda place: place[2])
        row = np.array([padded[n, 2 * p + r, q + 2 * s, 2 * group + c] for r, s, c in places])
        column = np.array([w[r, s, c, o] for r, s, c in places])
        assert same(y[n, p, q, o], product(CDNA3, row[None], column[:, None])[0, 0])
    wide = x.astype(np.float32), w.astype(np.float32)
    loss = jax.grad(lambda x, w: jnp.sum(jnp.sin(convolve(x, w))), (0, 1))
    for mine, own in zip(emulation.emulate(loss, "h100", strict=True)(*wide), loss(*wide)):
        np.testing.assert_allclose(mine, own, rtol=1e-4, atol=1e-4)


def test_operations_that_are_not_emulated_are_reported() -> None:
    a = np.eye(3, dtype=np.float32)

    def solve(x: Any) -> Any:
        return jnp.exp(jnp.linalg.cholesky(x))

    run = emulation.emulate(solve, "h100")
    with pytest.warns(UserWarning, match="cholesky is not emulated"):
        run(a)
    assert not run.report.complete and "exp (1)" in str(run.report)
    with pytest.raises(NotImplementedError, match="cholesky"):
        emulation.emulate(solve, "h100", strict=True)(a)
    integers = np.ones((2, 2), np.int32)
    with pytest.raises(NotImplementedError, match="int32"):
        emulation.emulate(jnp.matmul, "h100", strict=True)(integers, integers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert same(emulation.emulate(jnp.matmul, "h100")(integers, integers), integers @ integers)
    with pytest.raises(ValueError, match="did you mean"):
        emulation.emulate(jnp.matmul, "h10")


def test_one_line_if_jax_is_missing(tmp_path: Any) -> None:
    (tmp_path / "jax.py").write_text("raise ImportError('none')\n")
    paths = [str(tmp_path), os.path.dirname(os.path.dirname(mmaspec.__file__)), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", "import mmaspec.jax"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: mmaspec.jax needs JAX, which is not installed: pip install jax"
    )
