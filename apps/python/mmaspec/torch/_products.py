"""The custom operators: matrix products and convolutions of tensors, computed by a unit.

Each operator has an implementation that computes, and one that determines only shapes, for
torch.compile and torch.export. Results are bit for bit those of the plan that `plan_of` names.
Tensors in the memory of a CUDA device are computed there, in PyTorch's current stream; all others by
the CPU, where NumPy computes the epilogues because PyTorch's threads may flush subnormal numbers.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Iterator, Sequence

import numpy as np
import torch

from .._device import is_on_cuda
from .._floating import ieee_arithmetic
from .._rules import call_for, is_whole
from ..formats import round_to, word_of
from ._types import FORMATS, TYPES

Tensor = Any  # torch.Tensor; PyTorch is not installed where types are checked

_SIGNED = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
#: Elements of the unfolded operand of a convolution that are held at once.
_CHUNK = 1 << 24


def _patterns(x: Tensor) -> np.ndarray:
    """The bit patterns of a tensor in the CPU's memory; a view if the tensor is there."""
    x = x.detach().resolve_neg().cpu()
    words: np.ndarray = x.view(_SIGNED[x.element_size()]).numpy()
    return words.view(word_of(FORMATS[x.dtype]))


def _tensor(words: np.ndarray, format_name: str, device: Any) -> Tensor:
    dtype = TYPES[format_name]
    signed = np.dtype(f"i{words.dtype.itemsize}") if words.dtype.itemsize > 1 else words.dtype
    return torch.from_numpy(words.view(signed)).view(dtype).to(device)


def _multiply(
    a: Tensor, b: Tensor, name: str, c: Tensor | None = None, scales: Any = (None, None)
) -> Tensor:
    """A @ B by the unit, each sum from c or +0, in the format of the unit's results.

    `scales`: patterns of the scale factors of blocks of A and B, for a unit that takes them.
    """
    k = a.shape[-1]
    call = call_for(name, max(k, 1))
    u = call.unit
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    shape = (*batch, a.shape[-2], b.shape[-1])
    if k == 0 or math.prod(shape) == 0:
        return torch.zeros(shape, dtype=TYPES[u.d], device=a.device)
    third = None if c is None else c.to(TYPES[u.c]).expand(shape)
    of_blocks = {} if scales[0] is None else {"scale_a": scales[0], "scale_b": scales[1]}
    if is_on_cuda(a):
        if call.rounded:
            a, b = _rounded_to_tf32(a), _rounded_to_tf32(b)
        result: Tensor = u(a, b, third, **of_blocks)
        return result
    operands = [_patterns(x) for x in (a, b)]
    if call.rounded:
        operands = [round_to("tf32", x.view(np.float32)).view(np.uint32) for x in operands]
    words = None if third is None else _patterns(third)
    d = u(operands[0], operands[1], words, bits=True, threads=torch.get_num_threads(), **of_blocks)
    return _tensor(d, u.d, a.device)


def _rounded_to_tf32(x: Tensor) -> Tensor:
    """formats.round_to("tf32", x) for a tensor."""
    words = x.detach().resolve_neg().contiguous().view(torch.int32)
    rounded = (words + (0xFFF + ((words >> 13) & 1))) & ~0x1FFF
    return torch.where((words & 0x7FFFFFFF) >= 0x7F800000, words, rounded).view(torch.float32)


# The epilogue: each operation rounds once, to nearest even. Numbers are NumPy arrays, or tensors in
# the memory of a CUDA device.


def fused(x: np.ndarray, y: np.floating[Any], z: np.ndarray) -> np.ndarray:
    """x * y + z of float32, rounded once.

    The product is exact in float64. The sum is rounded to odd in float64, which has at least two
    bits more than float32, so rounding it to float32 gives the same result as a single rounding.
    """
    product = x.astype(np.float64) * np.float64(y)
    addend = z.astype(np.float64)
    total = np.asarray(product + addend)
    part = total - product
    error = (product - (total - part)) + (addend - part)
    words = total.view(np.int64)
    inexact = np.isfinite(total) & (error != 0) & (words & 1 == 0)
    step = np.where((error > 0) == (total > 0), 1, -1)
    odd = np.where(inexact, words + step, words).view(np.float64)
    return odd.astype(np.float32)


def _fused_tensor(x: Tensor, y: float, z: Tensor) -> Tensor:
    """fused() of tensors."""
    product, addend = x.double() * y, z.double()
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    words = total.view(torch.int64)
    inexact = total.isfinite() & (error != 0) & (words & 1 == 0)
    step = torch.where((error > 0) == (total > 0), 1, -1)
    return torch.where(inexact, words + step, words).view(torch.float64).float()


def _to_bf16(x: np.ndarray) -> np.ndarray:
    """The patterns of float32 numbers rounded to nearest even; a NaN stays one."""
    words = x.view(np.uint32)
    tie = (words >> np.uint32(16)) & np.uint32(1)
    rounded = (words + (np.uint32(0x7FFF) + tie)) >> np.uint32(16)
    quiet = (words >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(x), quiet, rounded).astype(np.uint16)


def _rounded(x: Any, out: Any, device: Any) -> Tensor:
    """Numbers of float32 or float64 in the type `out`, rounded to nearest even.

    FP8 saturates, like CUDA's conversions: a number beyond the largest one is replaced by the
    largest.
    """
    if isinstance(x, torch.Tensor):
        if x.dtype == out or (x.dtype == torch.float32 and out in (torch.float16, torch.bfloat16, torch.float64)):
            return x.to(out)
        if x.dtype == torch.float32 and FORMATS.get(out, "").startswith("e"):
            largest = torch.finfo(out).max
            return x.clamp(-largest, largest).to(out)
        x = x.cpu().numpy()  # PyTorch rounds float64 to float32 before it rounds to float16
    x = np.ascontiguousarray(x)
    if out == torch.bfloat16 and x.dtype == np.float32:
        return _tensor(_to_bf16(x), "bf16", device)
    if out in (torch.float16, torch.float32, torch.float64):
        dtype = {torch.float16: "f2", torch.float32: "f4", torch.float64: "f8"}[out]
        return torch.from_numpy(x.astype(dtype)).to(device)
    if x.dtype == np.float32 and FORMATS.get(out, "").startswith("e"):
        largest = torch.finfo(out).max
        return torch.from_numpy(np.clip(x, -largest, largest)).to(out).to(device)
    raise ValueError(f"results of {x.dtype} cannot be converted to {out}")


def _numbers(x: Tensor, dtype: Any) -> Any:
    """A tensor's elements as float32 or float64, which represent them exactly."""
    return x.detach().to(dtype) if is_on_cuda(x) else x.detach().cpu().to(dtype).numpy()


def _finish(d: Tensor, c: Tensor | None, alpha: float, beta: float, out: Any) -> Tensor:
    """out(alpha * d + beta * c), computed in float32, or in float64 if d has that type."""
    if c is None and alpha == 1 and d.dtype == out:
        return d
    wide = torch.float64 if d.dtype == torch.float64 else torch.float32
    number = np.float64 if wide == torch.float64 else np.float32
    x = _numbers(d, wide)
    by = float(number(alpha))
    if c is None:
        x = x * by if alpha != 1 else x
    else:
        addend = _numbers(c, wide)
        addend = addend * float(number(beta)) if beta != 1 else addend
        if alpha == 1:
            x = x + addend
        elif number is np.float64:
            x = x * by + addend
        elif isinstance(x, torch.Tensor):
            x = _fused_tensor(x, by, addend)
        else:
            x = fused(x, number(alpha), np.broadcast_to(addend, x.shape))
    return _rounded(x, out, d.device)


def product(
    a: Tensor, b: Tensor, c: Tensor | None, unit: str, out: Any, alpha: float, beta: float
) -> Tensor:
    """out(alpha * (A @ B) + beta * C): A (..., M, K), B (..., K, N), C broadcast to (..., M, N)."""
    with ieee_arithmetic(), np.errstate(all="ignore"):
        if c is not None and is_whole(unit):
            return _multiply(a, b, unit, c)
        return _finish(_multiply(a, b, unit), c, alpha, beta, out)


def _shape_of_product(
    a: Tensor, b: Tensor, c: Tensor | None, unit: str, out: Any, alpha: float, beta: float
) -> Tensor:
    torch._check(a.shape[-1] == b.shape[-2], lambda: "A and B have different K")
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty((*batch, a.shape[-2], b.shape[-1]), dtype=out)


#: Products that share an f32 scale factor, and one of MX.
BLOCK, MX_BLOCK = 128, 32


def kind_of_scales(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> str:
    """What the scale factors of _scaled_mm belong to: 'whole' operands, 'rows' and columns, or
    'blocks' of f32, or 'mx'; "" for others.

    Blocks of f32 are 1 x 128 or 128 x 128. Those of MX are 32 products, in the layout of
    torch's _scaled_mm: tiles of 128 rows and 4 factors.
    """
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    if scale_a.dtype == scale_b.dtype == torch.float32:
        shapes = tuple(scale_a.shape), tuple(scale_b.shape)
        if scale_a.numel() == 1 and scale_b.numel() == 1:
            return "whole"
        if shapes == ((m, 1), (1, n)):
            return "rows"
        blocks = k // BLOCK
        of_a = ((m, blocks), (-(-m // BLOCK), blocks))
        of_b = ((blocks, n), (blocks, -(-n // BLOCK)))
        return "blocks" if k % BLOCK == 0 and shapes[0] in of_a and shapes[1] in of_b else ""
    mx = getattr(torch, "float8_e8m0fnu", None)
    if mx is None or scale_a.dtype != mx or scale_b.dtype != mx or k % MX_BLOCK:
        return ""
    sizes = [-(-rows // 128) * -(-(k // MX_BLOCK) // 4) * 512 for rows in (m, n)]
    return "mx" if [scale_a.numel(), scale_b.numel()] == sizes else ""


def _of_tiles(scale: Tensor, rows: int, blocks: int) -> Tensor:
    """MX's scale factors as bytes, (rows, blocks). In a tile of 128 x 4, row r and block c is
    element 16 (r mod 32) + 4 (r div 32) + c.
    """
    down, across = -(-rows // 128), -(-blocks // 4)
    words = scale.detach().contiguous().view(torch.uint8)
    tiles = words.reshape(down, across, 32, 4, 4)  # r mod 32, r div 32, c
    return tiles.permute(0, 3, 2, 1, 4).reshape(down * 128, across * 4)[:rows, :blocks]


def _block_scales(
    kind: str, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor
) -> tuple[Tensor, Tensor]:
    """The scale factors, or their patterns, as (M, blocks) and (blocks, N)."""
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    if kind == "mx":
        of_b = _of_tiles(scale_b, n, k // MX_BLOCK)
        return _of_tiles(scale_a, m, k // MX_BLOCK), of_b.transpose(0, 1)
    if scale_a.shape[0] != m:
        scale_a = scale_a.repeat_interleave(BLOCK, 0)[:m]
    if scale_b.shape[1] != n:
        scale_b = scale_b.repeat_interleave(BLOCK, 1)[:, :n]
    return scale_a.detach(), scale_b.detach()


def scaled_product(
    a: Tensor,
    b: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias: Tensor | None,
    scale_result: Tensor | None,
    unit: str,
    out: Any,
) -> Tensor:
    """The result of _scaled_mm.

    Each operation rounds to float32. With factors for whole operands: (scale_a * scale_b) * D. With
    factors for rows: scale_b * (scale_a * D), as in PyTorch's kernel (RowwiseScaledMM.cu). Factors
    of blocks are the unit's. The bias is added next, then the result is scaled and converted.
    """
    kind = kind_of_scales(a, b, scale_a, scale_b)
    with ieee_arithmetic(), np.errstate(all="ignore"):
        if kind in ("blocks", "mx"):
            d = _multiply(a, b, unit, scales=_block_scales(kind, a, b, scale_a, scale_b))
            x = _numbers(d, torch.float32)
        else:
            d = _multiply(a, b, unit)
            x = _numbers(d, torch.float32)
            sa, sb = _numbers(scale_a, torch.float32), _numbers(scale_b, torch.float32)
            if kind == "whole":
                x = x * (sa.reshape(()) * sb.reshape(()))
            else:
                x = sb.reshape(1, -1) * (sa.reshape(-1, 1) * x)
        if bias is not None:
            x = x + _numbers(bias, torch.float32)
        if scale_result is not None:
            x = x * _numbers(scale_result, torch.float32).reshape(())
        return _rounded(x, out, d.device)


def _shape_of_scaled_product(
    a: Tensor,
    b: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias: Tensor | None,
    scale_result: Tensor | None,
    unit: str,
    out: Any,
) -> Tensor:
    return a.new_empty((a.shape[0], b.shape[1]), dtype=out)


# Convolutions as implicit matrix products. Spatial sizes are tuples of one to three.


def _windows(
    x: Tensor, sizes: Sequence[int], kernel: Sequence[int], stride: Sequence[int],
    dilation: Sequence[int],
) -> Tensor:
    """Views of x (N, C, spatial): (N, sizes, kernel, C), element [n, p, r, c] is
    x[n, c, p * stride + r * dilation]."""
    n, c = x.shape[:2]
    steps = x.stride()[2:]
    return x.as_strided(
        (n, *sizes, *kernel, c),
        (
            x.stride(0),
            *(s * t for s, t in zip(steps, stride)),
            *(s * t for s, t in zip(steps, dilation)),
            x.stride(1),
        ),
    )


def _padded(x: Tensor, margins: Sequence[tuple[int, int]]) -> Tensor:
    """x padded with +0, or cropped if a margin is negative; in channels-last memory format."""
    flat = [size for pair in reversed(margins) for size in pair]
    x = torch.nn.functional.pad(x, flat)
    # Channels last, so that the channels of a window are adjacent in memory.
    return x.movedim(1, -1).contiguous().movedim(-1, 1)


def _by_group(x: Tensor, groups: int, axis: int) -> Tensor:
    """The axis as (groups, rest), groups moved to the front."""
    axis %= x.dim()
    shape = (*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])
    return x.reshape(shape).movedim(axis, 0)


def _as_rows(windows: Tensor, groups: int, spatial: int, order: str) -> Tensor:
    """Windows (N, P, R, C) as (groups, N * P, K), K in the order of the letters."""
    w = _by_group(windows, groups, -1)  # (G, N, P, R, C/G)
    if order == "crs":
        w = w.movedim(-1, 2 + spatial)
    rows = math.prod(w.shape[1 : 2 + spatial])
    return w.reshape(groups, rows, math.prod(w.shape[2 + spatial :]))


def _filters(w: Tensor, groups: int, order: str) -> Tensor:
    """Filters (C_out, C_in, R) as (groups, K, C_out / groups), K in the same order."""
    w = _by_group(w, groups, 0)  # (G, Co/G, Ci, R)
    if order == "rsc":
        w = w.movedim(2, -1)
    return w.flatten(2).transpose(1, 2)


def _chunks(samples: int, elements: int) -> Iterator[slice]:
    """Slices of the samples with at most _CHUNK elements each, or with one sample."""
    step = max(1, _CHUNK // max(1, elements // max(1, samples)))
    for start in range(0, samples, step):
        yield slice(start, start + step)


def _correlate(
    x: Tensor,
    filters: Tensor,
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    order: str,
    unit: str,
    flipped: bool,
) -> Tensor:
    """x, padded, times filters (groups, K, C_out / groups): (N, C_out, sizes)."""
    spatial = len(sizes)
    n = x.shape[0]
    parts = []
    for part in _chunks(n, n * math.prod((*sizes, *kernel, x.shape[1]))):
        w = _windows(x[part], sizes, kernel, stride, dilation)
        if flipped:
            w = w.flip(tuple(range(1 + spatial, 1 + 2 * spatial)))
        d = _multiply(_as_rows(w, groups, spatial, order), filters, unit)
        # (G, N * P, C/G) -> (N, C, P)
        d = d.reshape(groups, -1, *sizes, d.shape[-1]).movedim(0, -2).flatten(-2)
        parts.append(d.movedim(-1, 1))
    if not parts:
        return torch.zeros((0, filters.shape[0] * filters.shape[2], *sizes), device=x.device)
    return torch.cat(parts) if len(parts) > 1 else parts[0].contiguous()


def convolution(
    x: Tensor,
    w: Tensor,
    sizes: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    order: str,
    unit: str,
) -> Tensor:
    """The convolution of x (N, C_in, S) with filters w (C_out, C_in / groups, R): (N, C_out, sizes).

    A row of A is a window of x with zeros around it, a column of B is a filter.
    """
    with ieee_arithmetic(), np.errstate(all="ignore"):
        padded = _padded(x, [(p, p) for p in padding])
        d = _correlate(
            padded, _filters(w, groups, order), sizes, w.shape[2:], stride, dilation, groups,
            order, unit, False,
        )
        return _finish(d, None, 1, 0, x.dtype)


def _shape_of_convolution(
    x: Tensor,
    w: Tensor,
    sizes: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    order: str,
    unit: str,
) -> Tensor:
    return x.new_empty((x.shape[0], w.shape[0], *sizes))


def convolution_input(
    g: Tensor,
    w: Tensor,
    sizes: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    order: str,
    unit: str,
) -> Tensor:
    """The gradient of :func:`convolution` with respect to x (N, C_in, sizes); g is that of its result.

    It is also the transposed convolution of g. With a stride, g has zeros between its elements. A
    row of A is a window of g, a column of B has the filters' weights for one input channel.
    """
    with ieee_arithmetic(), np.errstate(all="ignore"):
        kernel = w.shape[2:]
        spread = g
        if any(s != 1 for s in stride):
            lengths = [(p - 1) * s + 1 for p, s in zip(g.shape[2:], stride)]
            spread = g.new_zeros((*g.shape[:2], *lengths))
            spread[(slice(None), slice(None), *(slice(None, None, s) for s in stride))] = g
        margins = []
        for size, length, r, t, p in zip(sizes, spread.shape[2:], kernel, dilation, padding):
            left = t * (r - 1) - p
            margins.append((left, size + t * (r - 1) - left - length))
        # (G, C_out/G, C_in/G, R) -> (G, C_in/G, C_out/G, R): the filters of g's channels.
        turned = _by_group(w, groups, 0).transpose(1, 2).flatten(0, 1)
        d = _correlate(
            _padded(spread, margins), _filters(turned, groups, order), sizes, kernel,
            [1] * len(sizes), dilation, groups, order, unit, True,
        )
        return _finish(d, None, 1, 0, g.dtype)


def _shape_of_convolution_input(
    g: Tensor,
    w: Tensor,
    sizes: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    order: str,
    unit: str,
) -> Tensor:
    return g.new_empty((g.shape[0], w.shape[1] * groups, *sizes))


def convolution_weight(
    g: Tensor,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    unit: str,
) -> Tensor:
    """The gradient of :func:`convolution` with respect to w (C_out, C_in / groups, kernel).

    The sums run over samples, then positions: K = (n, p, q).
    """
    with ieee_arithmetic(), np.errstate(all="ignore"):
        padded = _padded(x, [(p, p) for p in padding])
        sizes = g.shape[2:]
        windows = _windows(padded, sizes, kernel, stride, dilation)
        rows = _as_rows(windows, groups, len(sizes), "crs")  # (G, N * P, C/G * R)
        a = _by_group(g, groups, 1)  # (G, N, Co/G, P)
        a = a.movedim(2, 1).flatten(2)  # (G, Co/G, N * P)
        d = _multiply(a, rows, unit)
        return _finish(d.reshape(g.shape[1], -1, *kernel), None, 1, 0, g.dtype)


def _shape_of_convolution_weight(
    g: Tensor,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    unit: str,
) -> Tensor:
    return g.new_empty((g.shape[1], x.shape[1] // groups, *kernel))


class _NoGradient(torch.autograd.Function):  # type: ignore[misc]
    """The gradient of an operator that was called outside :func:`emulate`: it raises an error."""

    @staticmethod
    def forward(ctx: Any, operator: Any, *args: Any) -> Tensor:
        with torch._C._AutoDispatchBelowAutograd():
            return operator(*args)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise RuntimeError(
            "operators of mmaspec do not have gradients: run forward and backward within "
            "mmaspec.torch.emulate(), or compile with mmaspec.torch.backend()"
        )


_STEPS = "SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups"
_library = torch.library.Library("mmaspec", "DEF")


def _register(arguments: str, compute: Callable[..., Any], shape: Callable[..., Any]) -> None:
    name = compute.__name__
    _library.define(f"{name}({arguments}) -> Tensor")
    _library.impl(name, compute, "CompositeExplicitAutograd")
    torch.library.register_fake(f"mmaspec::{name}", shape, lib=_library)
    operator = getattr(torch.ops.mmaspec, name).default
    _library.impl(name, lambda *args: _NoGradient.apply(operator, *args), "Autograd")


_register(
    "Tensor a, Tensor b, Tensor? c, str unit, ScalarType out, float alpha, float beta",
    product,
    _shape_of_product,
)
_register(
    "Tensor a, Tensor b, Tensor scale_a, Tensor scale_b, Tensor? bias, Tensor? scale_result,"
    " str unit, ScalarType out",
    scaled_product,
    _shape_of_scaled_product,
)
for _compute, _shape in (
    (convolution, _shape_of_convolution),
    (convolution_input, _shape_of_convolution_input),
):
    _register(
        f"Tensor x, Tensor w, SymInt[] sizes, {_STEPS}, str order, str unit", _compute, _shape
    )
_register(
    f"Tensor g, Tensor x, SymInt[] kernel, {_STEPS}, str unit",
    convolution_weight,
    _shape_of_convolution_weight,
)
