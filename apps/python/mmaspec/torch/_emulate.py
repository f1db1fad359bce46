"""The context manager in which another unit computes the products of tensors."""

from __future__ import annotations

import contextlib
import math
import re
import threading
import warnings
from typing import Any, Callable, Iterator, NamedTuple, Sequence

import torch
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass

from .._report import ELEMENTWISE, Emulated, Report
from .._rules import (
    Choice,
    Product,
    Refusal,
    Rule,
    Target,
    checked_order,
    chosen,
    evidence_for,
    is_whole,
    plan_of,
    rule_for,
    with_block_scales,
)
from ._products import kind_of_scales
from ._types import FORMATS

Tensor = Any
_ops: Any = torch.ops.mmaspec


class Computed(NamedTuple):
    """A product that was emulated."""

    op: str
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[Any, ...]
    result: Tensor
    choice: Choice
    k: int  #: products of each result
    plan: str
    #: The shadow's result for the same operands, or the reason why it is missing; None: no shadow.
    other: Tensor | str | None


#: What computes a product by an engine: the result, the unit, and the plan that has these results.
Compute = Callable[["Engine"], "tuple[Tensor, Choice, str]"]


class Engine:
    """Computes operators by the units that a rule chooses.

    shadow: an engine that also computes each product, with the same operands.
    """

    def __init__(self, rule: Rule, order: str, shadow: Engine | None = None):
        self.rule = rule
        self.order = order
        self.shadow = shadow
        self.computed: list[Computed] = []

    def run(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The operator's result. Raises Refusal if it cannot be emulated."""
        name = packet(func)
        base = name.rstrip("_")
        handler = _HANDLERS[base if base in _HANDLERS else name]
        kwargs = dict(kwargs)
        out = kwargs.pop("out", None)
        for x in _tensors([args, kwargs]):
            _plain(x)
        result = handler(self, func, *args, **kwargs)
        if out is not None:
            if out.shape != result.shape:
                out.resize_(result.shape)
            return out.copy_(result)
        if name.endswith("_"):
            return args[0].copy_(result)
        return result

    def choose(
        self, op: str, operands: Sequence[Tensor], k: Any, fast: bool | None = None
    ) -> Choice:
        shapes = tuple(_sizes(x.shape) for x in operands)
        return chosen(
            self.rule, Product(op, shapes, tuple(x.dtype for x in operands), _size(k), fast)
        )

    def compute(self, op: str, operands: Sequence[Tensor], k: Any, how: Compute) -> Tensor:
        """Computes a product and records it."""
        result, choice, plan = how(self)
        other: Tensor | str | None = None
        if self.shadow is not None:
            try:
                other = how(self.shadow)[0]
            except Refusal as why:
                other = str(why)
        shapes = tuple(_sizes(x.shape) for x in operands)
        types = tuple(x.dtype for x in operands)
        self.computed.append(Computed(op, shapes, types, result, choice, _size(k), plan, other))
        return result

    def product(
        self,
        op: str,
        a: Tensor,
        b: Tensor,
        c: Tensor | None = None,
        alpha: float = 1,
        beta: float = 1,
        out: Any = None,
    ) -> Tensor:
        """out(alpha * (A @ B) + beta * C) of (..., M, K) and (..., K, N)."""
        if beta == 0:
            c = None  # not used, as in PyTorch
        out = a.dtype if out is None else out
        if out not in FORMATS and a.dtype in FORMATS:
            raise Refusal(f"results of {out}")
        factors = float(alpha), float(beta)

        def how(e: Engine) -> tuple[Tensor, Choice, str]:
            choice = e.choose(op, (a, b), a.shape[-1])
            if c is not None and is_whole(choice.unit) and factors != (1, 1):
                raise Refusal(
                    f"alpha={alpha}, beta={beta} with a plan that has an epilogue of its own"
                )
            result = _ops.product(a, b, c, choice.unit, out, *factors)
            plan = plan_of(
                choice.unit, _size(a.shape[-1]), FORMATS[out], *factors, c is not None
            )
            return result, choice, plan

        return self.compute(op, (a, b), a.shape[-1], how)


def packet(func: Any) -> str:
    """The operator's name without its namespace and overload: "mm", "addmm_"."""
    return str(func._schema.name.partition("::")[2])


def _size(n: Any) -> int:
    """A size as a number; for a symbolic size, the number with which it was traced."""
    if isinstance(n, int):
        return n
    hint = n.node.hint
    return 1 if hint is None else int(hint)


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(_size(n) for n in shape)


def _tensors(x: Any) -> Iterator[Tensor]:
    if isinstance(x, torch.Tensor):
        yield x
    elif isinstance(x, (list, tuple)):
        for y in x:
            yield from _tensors(y)
    elif isinstance(x, dict):
        yield from _tensors(list(x.values()))


def _plain(x: Tensor) -> None:
    if x.layout != torch.strided or x.is_nested:
        raise Refusal("sparse and nested tensors")
    if x.is_quantized:
        raise Refusal("quantized tensors")
    if is_traceable_wrapper_subclass(x):
        raise Refusal(f"tensors of the class {type(x).__name__}")


def _equal_types(*tensors: Tensor) -> None:
    if len({x.dtype for x in tensors}) > 1:
        raise Refusal("operands of several types")


# One function for each operator, with the operator's own arguments.


def _mm(e: Engine, func: Any, a: Tensor, b: Tensor, out_dtype: Any = None) -> Tensor:
    _equal_types(a, b)
    return e.product(packet(func), a, b, out=out_dtype)


def _addmm(
    e: Engine, func: Any, c: Tensor, a: Tensor, b: Tensor, out_dtype: Any = None, *,
    beta: float = 1, alpha: float = 1,
) -> Tensor:
    _equal_types(a, b)
    return e.product(packet(func).rstrip("_"), a, b, c, alpha, beta, out_dtype)


def _mv(e: Engine, func: Any, a: Tensor, x: Tensor) -> Tensor:
    return e.product("mv", a, x.unsqueeze(-1)).squeeze(-1)


def _addmv(
    e: Engine, func: Any, c: Tensor, a: Tensor, x: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    column = c.unsqueeze(-1) if c.dim() else c
    return e.product("addmv", a, x.unsqueeze(-1), column, alpha, beta).squeeze(-1)


def _dot(e: Engine, func: Any, x: Tensor, y: Tensor) -> Tensor:
    return e.product("dot", x.unsqueeze(0), y.unsqueeze(-1)).reshape(())


def _addbmm(
    e: Engine, func: Any, c: Tensor, a: Tensor, b: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    # As on CUDA: the products are added to the result one after another.
    if a.shape[0] == 0:
        raise Refusal("no products")
    for i in range(a.shape[0]):
        c = e.product("addbmm", a[i], b[i], c, alpha, beta if i == 0 else 1)
    return c


def _scaled_mm(
    e: Engine, func: Any, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor,
    bias: Tensor | None = None, scale_result: Tensor | None = None, out_dtype: Any = None,
    use_fast_accum: bool = False,
) -> Tensor:
    kind = kind_of_scales(a, b, scale_a, scale_b)
    if not kind:
        raise Refusal("scale factors of other shapes than those of blocks of 128 or of MX")
    k = _size(a.shape[1])
    out = a.dtype if out_dtype is None else out_dtype
    scaled = "" if kind in ("blocks", "mx") else ", scaled"
    steps = scaled + (", bias added" if bias is not None else "") + f", as {FORMATS[out]}"

    def how(e: Engine) -> tuple[Tensor, Choice, str]:
        of_blocks = kind in ("blocks", "mx")
        # The kernel of block scale factors adds to a register itself.
        choice = e.choose("_scaled_mm", (a, b), a.shape[1], of_blocks or bool(use_fast_accum))
        if of_blocks:
            choice = with_block_scales(choice, k, mx=kind == "mx")
        result = _ops.scaled_product(a, b, scale_a, scale_b, bias, scale_result, choice.unit, out)
        plan = choice.unit if of_blocks else plan_of(choice.unit, k, "f32", 1, 0, False)
        return result, choice, plan + steps

    return e.compute("_scaled_mm", (a, b), a.shape[1], how)


def _grouped_mm(
    e: Engine, func: Any, a: Tensor, b: Tensor, offs: Tensor | None = None,
    bias: Tensor | None = None, out_dtype: Any = None,
) -> Tensor:
    """One product for each group. `offs` has the ends of the groups along the split axis."""
    op = "_grouped_mm"
    _equal_types(a, b)
    if bias is not None:
        raise Refusal("grouped products with a bias")
    if offs is None:
        return e.product(op, a, b, out=out_dtype)
    if traced([a, b, offs]):
        raise Refusal("groups whose sizes depend on data, in a graph")
    out = a.dtype if out_dtype is None else out_dtype
    ends = [int(n) for n in offs]
    parts = [slice(start, end) for start, end in zip([0, *ends[:-1]], ends)]
    if a.dim() == b.dim() == 2:  # the sums are split
        products = [e.product(op, a[:, p], b[p], out=out) for p in parts]
        return torch.stack(products)
    d = a.new_zeros((a.shape[-2], b.shape[-1]), dtype=out)
    for g, p in enumerate(parts):
        if a.dim() == 2:
            d[p] = e.product(op, a[p], b[g], out=out)
        else:
            d[:, p] = e.product(op, a[g], b[:, p], out=out)
    return d


def _convolution(
    e: Engine, func: Any, x: Tensor, w: Tensor, bias: Tensor | None, stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int], transposed: bool,
    output_padding: Sequence[int], groups: int,
) -> Tensor:
    _equal_types(x, w)
    spatial = x.dim() - 2
    stride, padding, dilation = (_each(v, spatial) for v in (stride, padding, dilation))
    extra = _each(output_padding, spatial)
    kernel = w.shape[2:]
    if transposed:
        sizes = [
            (n - 1) * s - 2 * p + t * (r - 1) + q + 1
            for n, s, p, t, r, q in zip(x.shape[2:], stride, padding, dilation, kernel, extra)
        ]
    else:
        sizes = [
            (n + 2 * p - t * (r - 1) - 1) // s + 1
            for n, s, p, t, r in zip(x.shape[2:], stride, padding, dilation, kernel)
        ]
    k = math.prod(kernel) * w.shape[0 if transposed else 1] // (groups if transposed else 1)
    operator = _ops.convolution_input if transposed else _ops.convolution

    def how(e: Engine) -> tuple[Tensor, Choice, str]:
        choice = e.choose("convolution", (x, w), k)
        d = operator(x, w, sizes, stride, padding, dilation, groups, e.order, choice.unit)
        d = _channels_last(d, x, w)
        plan = _convolution_plan(choice, k, x)
        if bias is None:
            return d, choice, plan
        # A separate step with rounded results, as in PyTorch on GPUs.
        biased = d + bias.reshape(1, -1, *([1] * spatial))
        return biased, choice, plan + f", bias added in {FORMATS[x.dtype]}"

    return e.compute("convolution", (x, w), k, how)


def _channels_last(d: Tensor, *operands: Tensor) -> Tensor:
    """The result in channels-last memory format if an operand has that format."""
    last = {4: torch.channels_last, 5: torch.channels_last_3d}.get(d.dim())
    for x in operands:
        if last and x.is_contiguous(memory_format=last) and not x.is_contiguous():
            return d.contiguous(memory_format=last)
    return d


def _convolution_plan(choice: Choice, k: Any, x: Tensor) -> str:
    return plan_of(choice.unit, _size(k), FORMATS[x.dtype], 1, 0, False)


def _each(values: Sequence[int], n: int) -> list[int]:
    """One value for each of n dimensions; a single value is repeated."""
    return [int(v) for v in values] * (n if len(values) == 1 else 1)


def _convolution_backward(
    e: Engine, func: Any, g: Tensor, x: Tensor, w: Tensor, bias_sizes: Any, stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int], transposed: bool,
    output_padding: Sequence[int], groups: int, output_mask: Sequence[bool],
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    _equal_types(g, x, w)
    spatial = x.dim() - 2
    strides = [_each(v, spatial) for v in (stride, padding, dilation)]
    kernel = w.shape[2:]
    gx = gw = gb = None
    op = "convolution_backward"
    if output_mask[0]:
        summands = math.prod(kernel) * (w.shape[1] if transposed else w.shape[0] // groups)
        operator = _ops.convolution if transposed else _ops.convolution_input

        def of_input(e: Engine) -> tuple[Tensor, Choice, str]:
            choice = e.choose(op, (g, w), summands)
            d = operator(g, w, list(x.shape[2:]), *strides, groups, e.order, choice.unit)
            return d, choice, _convolution_plan(choice, summands, x)

        gx = e.compute(op, (g, w), summands, of_input)
    if output_mask[1]:
        first, second = (x, g) if transposed else (g, x)
        positions = first.shape[0] * math.prod(first.shape[2:])

        def of_weight(e: Engine) -> tuple[Tensor, Choice, str]:
            choice = e.choose(op, (g, x), positions)
            d = _ops.convolution_weight(
                first, second, list(kernel), *strides, groups, choice.unit
            )
            return d, choice, _convolution_plan(choice, positions, x)

        gw = e.compute(op, (g, x), positions, of_weight)
    if output_mask[2]:
        gb = g.sum([0, *range(2, g.dim())])
    return gx, gw, gb


_ATTENTION = "scaled_dot_product_attention"


def _grouped(x: Tensor, k: Tensor) -> Tensor:
    """x of the queries' heads (B, H, L, D) as (B, heads of k, L of all heads that share it, D)."""
    return x.reshape(x.shape[0], k.shape[1], -1, x.shape[-1])


def _weights(
    e: Engine, op: str, q: Tensor, k: Tensor, causal: bool, mask: Tensor | None,
    scale: float | None,
) -> tuple[Tensor, Tensor, float]:
    """softmax(scale * (Q @ K^T) + mask) in float32 (of float64: in that), 0 where all is masked.

    With the logarithm of the softmax's sums, and the scale.
    """
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = e.product(op, _grouped(q, k), k.transpose(-2, -1), out=wide)
    s = s.reshape(*q.shape[:3], k.shape[2]) * factor
    if causal:
        keep = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).tril()
        s = s.masked_fill(~keep, -math.inf)
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else s + mask
    p = torch.softmax(s, -1).masked_fill((s == -math.inf).all(-1, keepdim=True), 0)
    return p, torch.logsumexp(s, -1), factor


def _attention(
    e: Engine, func: Any, q: Tensor, k: Tensor, v: Tensor, dropout_p: float = 0.0,
    is_causal: bool = False, *, attn_mask: Tensor | None = None, scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    if dropout_p:
        raise Refusal("attention with dropout")
    _equal_types(q, k, v)
    p, lse, _ = _weights(e, _ATTENTION, q, k, is_causal, attn_mask, scale)
    out = e.product(_ATTENTION, _grouped(p.to(q.dtype), k), v)
    out = out.reshape(*q.shape[:3], v.shape[-1])
    # Heads and positions have the memory layout of the queries, as in PyTorch.
    return laid_out(out, q if q.stride(-1) == 1 else out.contiguous()), lse


def _attention_backward(
    e: Engine, func: Any, g: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, lse: Tensor,
    dropout_p: float, is_causal: bool, *, attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    if dropout_p:
        raise Refusal("attention with dropout")
    op = _ATTENTION + "_backward"
    _equal_types(g, q, k, v)
    p, _, factor = _weights(e, op, q, k, is_causal, attn_mask, scale)
    gv = e.product(op, _grouped(p.to(q.dtype), k).transpose(-2, -1), _grouped(g, k))
    gp = e.product(op, _grouped(g, k), v.transpose(-2, -1), out=p.dtype).reshape(p.shape)
    gs = p * (gp - (gp * p).sum(-1, keepdim=True))
    gs = _grouped((gs * factor).to(q.dtype), k)
    gq = e.product(op, gs, k).reshape(q.shape)
    return gq, e.product(op, gs.transpose(-2, -1), _grouped(q, k)), gv


_HANDLERS: dict[str, Callable[..., Any]] = {
    "mm": _mm,
    "bmm": _mm,
    "addmm": _addmm,
    "baddbmm": _addmm,
    "mv": _mv,
    "addmv": _addmv,
    "dot": _dot,
    "vdot": _dot,
    "addbmm": _addbmm,
    "_scaled_mm": _scaled_mm,
    "_grouped_mm": _grouped_mm,
    "convolution": _convolution,
    "convolution_overrideable": _convolution,
    "convolution_backward": _convolution_backward,
    "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attention_backward,
}

# Words in the names of other operators that multiply matrices or may do so.
_PRODUCT_WORDS = re.compile(
    r"(^|_)(\w*mm|matmul|conv|conv\dd|convolution|attention|rnn|lstm|gru|linear|linalg|trilinear|"
    r"cdist|euclidean|encoder|cholesky|lu|solve|svd|inverse|det)(_|$)"
)
_HINTS = {
    "mkldnn_rnn_layer": "; torch.backends.mkldnn.flags(enabled=False) makes it matrix products",
    "_scaled_dot_product_flash_attention": "; sdpa_kernel(SDPBackend.MATH) makes it matrix products",
    "_scaled_dot_product_efficient_attention": "; sdpa_kernel(SDPBackend.MATH) makes it matrix "
    "products",
    "_scaled_dot_product_cudnn_attention": "; sdpa_kernel(SDPBackend.MATH) makes it matrix products",
}

# Operators that only move data or create tensors.
_MOVES = set(
    "detach clone copy_ lift_fresh _unsafe_view cat stack constant_pad_nd index index_put index_put_"
    " index_select gather scatter embedding _to_copy repeat flip roll tril triu masked_fill"
    " masked_fill_ where slice_backward select_backward fill_ zero_ resize_ set_ record_stream"
    " _reshape_alias _local_scalar_dense ones_like zeros_like empty_like full_like rand_like"
    " randn_like new_zeros new_ones new_full new_empty new_empty_strided".split()
)


def is_handled(func: Any) -> bool:
    """Whether the operator is one of PyTorch's that is emulated."""
    name = packet(func)
    return func.namespace == "aten" and (name in _HANDLERS or name.rstrip("_") in _HANDLERS)


def hidden_products(func: Any, result: Any) -> str:
    """The reason why an operator that is not emulated may contain products; empty if it contains
    none.
    """
    name = packet(func)
    if func.namespace not in ("aten", "prim", "prims", "mmaspec"):
        floating = any(x.is_floating_point() for x in _tensors(result))
        return f"an operator of {func.namespace}, which may contain products" if floating else ""
    if _PRODUCT_WORDS.search(name) and not name.startswith("_thnn_fused"):
        return "an operator that may contain products" + _HINTS.get(name, "")
    return ""


def _computes(func: Any, result: Any) -> bool:
    """Whether the operator computes numbers, and does not only move them."""
    if func.namespace in ("prim", "mmaspec") or packet(func) in _MOVES or func.is_view:
        return False
    if not any(True for _ in _operand_types(func)):
        return False  # creates a tensor
    return any(x.is_floating_point() for x in _tensors(result))


def _operand_types(func: Any) -> Iterator[str]:
    for argument in func._schema.arguments:
        kind = str(argument.type)
        if "Tensor" in kind:
            yield kind


class _Local(threading.local):
    """The state of a thread."""

    def __init__(self) -> None:
        #: An operator is being emulated: what it calls is not emulated again.
        self.inside = False


_local = _Local()


@contextlib.contextmanager
def _inside() -> Iterator[None]:
    _local.inside = True
    try:
        yield
    finally:
        _local.inside = False


class _Mode(TorchDispatchMode):  # type: ignore[misc]
    def __init__(self, owner: emulate):
        super().__init__()
        self._owner = owner

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if _local.inside:
            return func(*args, **kwargs)
        if not is_handled(func) and func._can_decompose():
            # In torch.inference_mode() composite operators are not decomposed.
            with self:
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        with _inside():
            return self._owner._run(func, args, kwargs)


class _FastPath:
    """Switches off PyTorch's fused inference path of nn.MultiheadAttention while any emulation
    runs.

    The fused operators hide their products. Without the fused path, the modules compute the same.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before = True

    def turn_off(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = torch.backends.mha.get_fastpath_enabled()
                torch.backends.mha.set_fastpath_enabled(False)
            self._users += 1

    def turn_back(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                torch.backends.mha.set_fastpath_enabled(self._before)


_fast_path = _FastPath()


def differing(x: Tensor, y: Tensor) -> int:
    """Results of unlike values: a NaN equals every NaN, +0 equals -0."""
    if x.element_size() == 1:
        x, y = x.float(), y.float()
    return int(((x != y) & ~(x.isnan() & y.isnan())).sum())


def traced(args: Any) -> bool:
    """Whether the operator is only recorded, or its tensors have shapes but no elements."""
    key = torch._C._TorchDispatchModeKey
    if any(torch._C._get_dispatch_mode(k) is not None for k in (key.PROXY, key.FAKE)):
        return True
    return any(type(x).__name__ in ("FakeTensor", "FunctionalTensor") or x.is_meta for x in _tensors(args))


class emulate:  # noqa: N801: it is used as a context, as torch.no_grad
    """Within this context, another unit computes the matrix products of tensors.

    target: the name of an architecture or a product ("h100", "mi300x"), which stands for the
    instructions that GEMM libraries select on it; the name of an instruction, a design or a plan,
    or an `mmaspec.Unit`, for all products whose operands have its formats; a dict from torch.dtype,
    or a pair of them, to such units; or a function of the operator's name, the operands' shapes and
    their types that returns a unit or None. In a plan's name, ``{k}`` stands for the number of
    products of each result.

    tf32: products of float32 use TF32, if the named machine has such instructions.
    convolutions: the order of a convolution's products, "rsc" (positions of the filter, then
    channels) or "crs". against_torch: also compute each product by PyTorch, and count the results
    that differ. strict: raise NotImplementedError for a product that cannot be emulated, instead of
    a warning and PyTorch's own result.

    ``with emulate(...) as report`` gives the :class:`Report`. Backward passes are emulated if they
    run within the context. The context applies to the thread that entered it. Contexts nest: the
    innermost one applies. Functions compiled by torch.compile run as eager code within;
    :func:`backend` compiles with emulated products.

    Raises TypeError or ValueError for an invalid target, with the nearest name that exists.
    """

    def __init__(
        self,
        target: Target,
        *,
        tf32: bool = False,
        convolutions: str = "rsc",
        against_torch: bool = True,
        strict: bool = False,
    ):
        self._rule = rule_for(target, tf32)
        self._order = checked_order(convolutions)
        self._against_torch = against_torch
        self._strict = strict
        self._shadow: Engine | None = None
        self.report = Report(str(self._rule), "PyTorch")
        self._entered = threading.local()

    def __enter__(self) -> Report:
        mode = _Mode(self)
        mode.__enter__()
        _fast_path.turn_off()
        modes = self._entered.__dict__.setdefault("modes", [])
        modes.append(mode)
        return self.report

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        _fast_path.turn_back()
        self._entered.modes.pop().__exit__(kind, value, trace)

    def _run(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if not is_handled(func):
            result = func(*args, **kwargs)
            hidden = hidden_products(func, result)
            if hidden:
                self._refuse(func, hidden)
            elif _computes(func, result):
                self.report._leave(packet(func), ELEMENTWISE, False)
            return result
        recorded = traced([args, kwargs])
        own = None if recorded else self._own(func, args, kwargs)
        engine = Engine(self._rule, self._order, None if recorded else self._shadow)
        try:
            result = engine.run(func, args, kwargs)
        except Refusal as why:
            self._refuse(func, str(why))
            return func(*args, **kwargs) if own is None else own
        self._record(engine.computed, result, own, recorded)
        if not recorded and not _writes(func):
            result = laid_out(result, own)
        if "attention" in packet(func):
            self.report._leave(f"softmax of {_ATTENTION}", ELEMENTWISE, False)
        return result

    def _own(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """PyTorch's own result, or None. Raises PyTorch's exceptions for operands that do not fit."""
        if packet(func) == "_scaled_mm" and args[0].device.type == "cpu":
            if kind_of_scales(*args[:4]) in ("blocks", "mx"):
                return None  # PyTorch computes these on GPUs alone
        func, kwargs = _functional(func, kwargs)
        with contextlib.suppress(NotImplementedError):  # an overload for other devices
            if self._against_torch:
                return func(*args, **kwargs)
            func(*(_shaped(x) for x in args), **{name: _shaped(x) for name, x in kwargs.items()})
        return None

    def _refuse(self, func: Any, why: str) -> None:
        name = packet(func)
        if self._strict:
            raise NotImplementedError(f"{name} cannot be emulated as {self.report.target}: {why}")
        self.report._leave(name, why, True)
        warnings.warn(
            f"mmaspec.torch: {name} is not emulated, PyTorch computes it: {why}", stacklevel=6
        )

    def _record(self, computed: list[Computed], result: Any, own: Any, recorded: bool) -> None:
        results = list(_tensors(result))
        own_results = list(_tensors(own)) if own is not None else []
        single = len(computed) == len(results) == 1
        for x in computed:
            apart = None
            # The tensors that the operator returned can be compared, but not their contents.
            for mine, other in zip(results, own_results):
                if single or mine.data_ptr() == x.result.data_ptr():
                    apart = differing(mine, other)
            entry = Emulated(
                x.op,
                x.shapes,
                tuple(str(t).removeprefix("torch.") for t in x.dtypes),
                str(x.result.dtype).removeprefix("torch."),
                x.plan,
                evidence_for(x.choice.unit, x.k),
                x.choice.source,
            )
            self.report._add(entry, 0 if recorded else x.result.numel(), apart)


def _writes(func: Any) -> bool:
    """Whether the operator writes to one of its operands."""
    return any(a.alias_info is not None and a.alias_info.is_write for a in func._schema.arguments)


def laid_out(result: Any, layout: Any) -> Any:
    """The results with the strides of other tensors of the same shapes, which are dense."""
    if layout is None:
        return result
    if isinstance(result, (tuple, list)):
        return tuple(laid_out(x, y) for x, y in zip(result, layout))
    if not isinstance(result, torch.Tensor) or not isinstance(layout, torch.Tensor):
        return result
    strides = _sizes(layout.stride())
    if _sizes(result.stride()) == strides or _sizes(result.shape) != _sizes(layout.shape):
        return result
    order = sorted(range(len(strides)), key=lambda i: -strides[i])
    back = sorted(range(len(order)), key=lambda i: order[i])
    return result.permute(order).contiguous().permute(back)


def _functional(func: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The overload of the same operator that writes to no operand, and its arguments."""
    if not _writes(func):
        return func, kwargs
    overload = "dtype" if "dtype" in func._overloadname else "default"
    base = getattr(torch.ops.aten, packet(func).rstrip("_"))
    return getattr(base, overload), {n: x for n, x in kwargs.items() if n != "out"}


def _shaped(x: Any) -> Any:
    """A tensor of the same shape and type without elements."""
    return torch.empty_like(x, device="meta") if isinstance(x, torch.Tensor) else x
