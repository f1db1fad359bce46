"""Runs JAX functions with the matrix products of another unit.

    import mmaspec.jax
    run = mmaspec.jax.emulate(jax.value_and_grad(loss), "mi300x")
    value, gradients = run(parameters, batch)
    print(run.report)

docs/emulation.md says what is emulated, and how.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any, Callable, Sequence

import numpy as np

try:
    import jax
except ImportError:
    raise ImportError("mmaspec.jax needs JAX, which is not installed: pip install jax") from None
from jax.extend import core as _extended

from ._floating import ieee_arithmetic
from ._report import ELEMENTWISE, Emulated, Report
from ._rules import (
    Product,
    Refusal,
    Rule,
    Target,
    call_for,
    checked_order,
    chosen,
    evidence_for,
    format_of,
    plan_of,
    rule_for,
)
from .formats import dtype_of, round_to, values_of, word_of

__all__ = ["Emulation", "Report", "emulate"]

# Primitives that contain products and are not decomposed.
_HIDDEN = {
    "ragged_dot",
    "ragged_dot_general",
    "scaled_matmul",
    "triangular_solve",
    "cholesky",
    "lu",
    "qr",
    "geqrf",
    "householder_product",
    "svd",
    "eigh",
    "eig",
    "pallas_call",
    "ffi_call",
    "custom_call",
}
# Primitives that move data or create arrays.
_MOVES = set(
    "broadcast_in_dim reshape transpose slice dynamic_slice dynamic_update_slice gather scatter"
    " concatenate pad squeeze rev select_n iota copy copy_p convert_element_type"
    " expand_dims stop_gradient device_put sharding_constraint".split()
)
# Calls, which are replaced by the operations of the called functions.
_CALLS = {
    "pjit", "jit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call",
    "custom_vjp_call_jaxpr", "remat", "remat2", "checkpoint",
}  # fmt: skip


def _multiply(a: Any, b: Any, *, name: str, out: Any, note: Callable[[int], None]) -> np.ndarray:
    """A @ B of (..., M, K) and (..., K, N) by the unit, converted to the type `out`."""
    with ieee_arithmetic(), np.errstate(all="ignore"):
        a, b = np.asarray(a), np.asarray(b)
        k = a.shape[-1]
        call = call_for(name, max(k, 1))
        u = call.unit
        shape = (*a.shape[:-1], b.shape[-1])
        note(math.prod(shape))
        if k == 0 or math.prod(shape) == 0:
            return np.zeros(shape, out)
        if call.rounded:
            a, b = round_to("tf32", a), round_to("tf32", b)
        d = u(
            *(np.ascontiguousarray(x).view(word_of(str(format_of(x.dtype)))) for x in (a, b)),
            bits=True,
        )
        result: np.ndarray = values_of(u.d, d).astype(out)
        return result


class Emulation:
    """A function with emulated products, made by :func:`emulate`. `report` lists the products that
    ran.
    """

    def __init__(self, function: Callable[..., Any], rule: Rule, order: str, strict: bool):
        self._function = function
        self._rule = rule
        self._order = order
        self._strict = strict
        self.report = Report(str(rule), "JAX")
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, tree = jax.tree.flatten((args, kwargs))
        # Arguments that are not arrays or numbers are static.
        dynamic = [isinstance(x, (jax.Array, np.ndarray, np.generic, float, complex)) for x in leaves]
        results: Any = None

        def flat(*arrays: Any) -> Any:
            nonlocal results
            given = iter(arrays)
            values = [next(given) if d else x for d, x in zip(dynamic, leaves)]
            inner_args, inner_kwargs = jax.tree.unflatten(tree, values)
            outputs, results = jax.tree.flatten(self._function(*inner_args, **inner_kwargs))
            return outputs

        arrays = [x for d, x in zip(dynamic, leaves) if d]
        closed = jax.make_jaxpr(flat)(*arrays)
        outputs = self._run(closed.jaxpr, closed.consts, arrays)
        return jax.tree.unflatten(results, outputs)

    def _run(self, jaxpr: Any, constants: Sequence[Any], args: Sequence[Any]) -> list[Any]:
        """Evaluates a jaxpr, with its products computed by the units."""
        values: dict[Any, Any] = dict(zip(jaxpr.constvars, constants))
        values.update(zip(jaxpr.invars, args))

        def read(v: Any) -> Any:
            return v.val if isinstance(v, _extended.Literal) else values[v]

        for equation in jaxpr.eqns:
            operands = [read(v) for v in equation.invars]
            values.update(zip(equation.outvars, self._equation(equation, operands)))
        return [read(v) for v in jaxpr.outvars]

    def _equation(self, equation: Any, operands: list[Any]) -> list[Any]:
        name, parameters = equation.primitive.name, dict(equation.params)
        if name in ("dot_general", "conv_general_dilated"):
            try:
                if name == "dot_general":
                    return [self._dot_general(*operands, **parameters)]
                return [self._convolution(*operands, **parameters)]
            except Refusal as why:
                self._refuse(name, str(why))
        elif name in _CALLS:
            inner = next(
                parameters[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in parameters
            )
            if isinstance(inner, _extended.ClosedJaxpr):
                return self._run(inner.jaxpr, inner.consts, operands)
            return self._run(inner, (), operands)
        elif name in _HIDDEN:
            self._refuse(name, "an operator that may contain products")
        else:
            for key, value in parameters.items():
                if isinstance(value, _extended.ClosedJaxpr):
                    parameters[key] = self._lowered(value)
                elif isinstance(value, tuple) and any(
                    isinstance(x, _extended.ClosedJaxpr) for x in value
                ):
                    parameters[key] = tuple(self._lowered(x) for x in value)
            if name not in _MOVES and operands and parameters == equation.params:
                if any(np.issubdtype(v.aval.dtype, np.inexact) for v in equation.outvars):
                    self.report._leave(name, ELEMENTWISE, False)
        bound = equation.primitive.get_bind_params(parameters)
        functions: Any = ()
        if isinstance(bound, tuple):  # before JAX 0.9
            functions, bound = bound
        results = equation.primitive.bind(*functions, *operands, **bound)
        return list(results) if equation.primitive.multiple_results else [results]

    def _lowered(self, closed: Any) -> Any:
        """The body of a loop or branch with emulated products."""
        shapes = [jax.ShapeDtypeStruct(v.shape, v.dtype) for v in closed.in_avals]
        return jax.make_jaxpr(lambda *args: self._run(closed.jaxpr, closed.consts, args))(*shapes)

    def _refuse(self, name: str, why: str) -> None:
        if self._strict:
            raise NotImplementedError(f"{name} cannot be emulated as {self.report.target}: {why}")
        self.report._leave(name, why, True)
        warnings.warn(
            f"mmaspec.jax: {name} is not emulated, JAX computes it: {why}", stacklevel=2
        )

    def _dot_general(
        self, a: Any, b: Any, *, dimension_numbers: Any, preferred_element_type: Any = None, **_: Any
    ) -> Any:
        (contract_a, contract_b), (batch_a, batch_b) = dimension_numbers
        rows = [i for i in range(a.ndim) if i not in contract_a and i not in batch_a]
        columns = [i for i in range(b.ndim) if i not in contract_b and i not in batch_b]
        batch = [a.shape[i] for i in batch_a]
        m, n = [a.shape[i] for i in rows], [b.shape[i] for i in columns]
        k = math.prod(a.shape[i] for i in contract_a)
        left = jax.lax.transpose(a, (*batch_a, *rows, *contract_a))
        right = jax.lax.transpose(b, (*batch_b, *contract_b, *columns))
        d = self._product(
            "dot_general",
            (a, b),
            left.reshape(math.prod(batch), math.prod(m), k),
            right.reshape(math.prod(batch), k, math.prod(n)),
            preferred_element_type,
        )
        return d.reshape(*batch, *m, *n)

    def _product(self, op: str, operands: Sequence[Any], a: Any, b: Any, out: Any) -> Any:
        """A @ B of (batch, M, K) and (batch, K, N), to which the operands were rearranged."""
        out = np.dtype(out or np.result_type(a.dtype, b.dtype))
        result = format_of(out)
        if result not in ("f16", "bf16", "f32", "f64"):
            raise Refusal(f"results of {out.name}")
        shapes = tuple(tuple(x.shape) for x in operands)
        types = tuple(x.dtype for x in operands)
        k = a.shape[-1]
        choice = chosen(self._rule, Product(op, shapes, types, k))
        entry = Emulated(
            op,
            shapes,
            tuple(x.name for x in types),
            out.name,
            plan_of(choice.unit, k, result, 1, 0, False),
            evidence_for(choice.unit, k),
            choice.source,
        )

        def note(results: int) -> None:
            self.report._add(entry, results, None)

        return jax.pure_callback(
            functools.partial(_multiply, name=choice.unit, out=out, note=note),
            jax.ShapeDtypeStruct((*a.shape[:-1], b.shape[-1]), out),
            a,
            b,
            vmap_method="sequential",
        )

    def _convolution(
        self,
        x: Any,
        w: Any,
        *,
        window_strides: Sequence[int],
        padding: Sequence[tuple[int, int]],
        lhs_dilation: Sequence[int],
        rhs_dilation: Sequence[int],
        dimension_numbers: Any,
        feature_group_count: int,
        batch_group_count: int,
        preferred_element_type: Any = None,
        **_: Any,
    ) -> Any:
        axes_x, axes_w, axes_d = dimension_numbers
        operands = x, w
        x = jax.lax.transpose(x, axes_x)  # (N, C, S)
        w = jax.lax.transpose(w, axes_w)  # (O, I, R)
        kernel, outputs = w.shape[2:], w.shape[0]
        x = jax.lax.pad(
            x,
            np.zeros((), x.dtype),
            [(0, 0, 0), (0, 0, 0)]
            + [(low, high, t - 1) for (low, high), t in zip(padding, lhs_dilation)],
        )
        sizes = [
            (s - t * (r - 1) - 1) // stride + 1
            for s, r, t, stride in zip(x.shape[2:], kernel, rhs_dilation, window_strides)
        ]
        if min(sizes, default=1) < 1:
            raise Refusal("a filter that is larger than its input")
        # Groups of samples and groups of channels are groups of independent convolutions.
        groups = batch_group_count * feature_group_count
        n = x.shape[0] // batch_group_count
        windows = []
        for place in np.ndindex(*kernel):
            start = [p * t for p, t in zip(place, rhs_dilation)]
            limit = [
                p + (size - 1) * stride + 1 for p, size, stride in zip(start, sizes, window_strides)
            ]
            windows.append(
                jax.lax.slice(
                    x, (0, 0, *start), (*x.shape[:2], *limit), (1, 1, *window_strides)
                )
            )
        # (R, batch groups, N, channel groups, C, P) -> (groups, N, P, R, C)
        stacked = jax.numpy.stack(windows).reshape(
            len(windows), batch_group_count, n, feature_group_count, -1, *sizes
        )
        spatial = list(range(5, 5 + len(sizes)))
        inner = [0, 4] if self._order == "rsc" else [4, 0]
        stacked = stacked.transpose(1, 3, 2, *spatial, *inner)
        k = len(windows) * w.shape[1]
        a = stacked.reshape(groups, n * math.prod(sizes), k)
        filters = w.reshape(groups, outputs // groups, w.shape[1], len(windows))
        filters = filters.transpose((0, 3, 2, 1) if self._order == "rsc" else (0, 2, 3, 1))
        b = filters.reshape(groups, k, outputs // groups)
        d = self._product("conv_general_dilated", operands, a, b, preferred_element_type)
        # (groups, N, P, O) -> (N, O, P), then the requested order of axes.
        d = jax.numpy.moveaxis(d.reshape(groups, n, *sizes, outputs // groups), 0, -2)
        d = jax.numpy.moveaxis(d.reshape(n, *sizes, outputs), -1, 1)
        return jax.lax.transpose(d, [axes_d.index(i) for i in range(d.ndim)])


def emulate(
    function: Callable[..., Any],
    target: Target,
    *,
    tf32: bool = False,
    convolutions: str = "rsc",
    strict: bool = False,
) -> Emulation:
    """The function with its matrix products computed as another unit computes them.

    The function is traced, and each dot_general and convolution is computed on the CPU through
    jax.pure_callback: those of einsum, matmul, attention, loops and branches too. Transformations go
    inside: ``emulate(jax.grad(f), "mi300x")``; jax.jit may go around. target, tf32 and convolutions
    are as those of mmaspec.torch.emulate. strict: raise NotImplementedError for a product that
    cannot be emulated, instead of a warning and JAX's own result.

    ``emulate(...).report`` lists what ran so far. Calls of operators that JAX computes are counted
    when the function is traced, products when they run.
    """
    return Emulation(
        function, rule_for(target, tf32), checked_order(convolutions), strict
    )
