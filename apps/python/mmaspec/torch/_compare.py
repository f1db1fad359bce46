"""Compares two units on one model, layer by layer: where results begin to differ, and how the
difference grows.
"""

from __future__ import annotations

import io
import json
import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Iterator, Mapping

import torch

from .._html import table
from .._report import Report, text_table
from .._rules import Target, rule_for
from ._emulate import Computed, Engine, emulate

Tensor = Any


@dataclass
class Difference:
    """The difference of two tensors of the same shape."""

    results: int
    #: Unlike values: a NaN equals every NaN, +0 equals -0.
    differing: int
    #: Of these, pairs in which a result is infinite or NaN; they have no distance.
    not_both_finite: int
    largest_ulp: int  #: numbers of the results' type between the two
    largest_relative: float  #: of |x - y| / |x|, where x is not 0
    rms_relative: float  #: the norm of x - y, divided by that of x

    def __add__(self, other: Difference) -> Difference:
        return Difference(
            self.results + other.results,
            self.differing + other.differing,
            self.not_both_finite + other.not_both_finite,
            max(self.largest_ulp, other.largest_ulp),
            max(self.largest_relative, other.largest_relative),
            max(self.rms_relative, other.rms_relative),
        )


_INTEGERS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def _ordered(x: Tensor) -> Tensor:
    """Numbers' ranks as integers: neighbours differ by 1, both zeros are 0."""
    words = x.contiguous().view(_INTEGERS[x.element_size()]).to(torch.int64)
    lowest = -(1 << (8 * x.element_size() - 1))
    return torch.where(words < 0, lowest - words, words)


def difference(x: Tensor, y: Tensor) -> Difference:
    """The difference of y from x; both have the same shape and floating-point type."""
    x, y = x.detach().cpu().reshape(-1), y.detach().cpu().reshape(-1)
    p, q = x.double(), y.double()
    unlike = (p != q) & ~(p.isnan() & q.isnan())
    finite = p.isfinite() & q.isfinite()
    apart = int(unlike.sum())
    if not apart:
        return Difference(x.numel(), 0, 0, 0, 0.0, 0.0)
    both = unlike & finite
    distance = (p - q).abs()[both]
    known = p[both].abs()
    ratios = (distance / known)[known > 0]
    ranks = (_ordered(x) - _ordered(y))[both].abs()
    norm = float(p[finite].square().sum())
    error = float(distance.square().sum())
    rms = math.sqrt(error / norm) if norm else (math.inf if error else 0.0)
    return Difference(
        x.numel(),
        apart,
        int((unlike & ~finite).sum()),
        int(ranks.max()) if ranks.numel() else 0,
        float(ratios.max()) if ratios.numel() else 0.0,
        rms,
    )


@dataclass
class Layer:
    """A call of a module, with its results in both runs."""

    name: str  #: as model.named_modules() has it; the model itself is "(model)"
    kind: str  #: the module's class
    result: str  #: type of its results
    #: The layer's results in two runs of the model, each layer fed by its own run.
    own: Difference | None
    #: The products that the layer itself makes, of the first run's operands under both units. None:
    #: it makes none.
    same: Difference | None
    note: str = ""  #: why differences are missing


class Layers:
    """The result of :func:`compare`. print() shows a table."""

    def __init__(self, first: Report, second: Report, layers: list[Layer]):
        self.first = first  #: the first run's report; `second` likewise
        self.second = second
        self.layers = layers

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    @property
    def start(self) -> Layer | None:
        """The first layer whose results differ between the runs; None if no layer's results differ."""
        return next((x for x in self.layers if x.own is not None and x.own.differing), None)

    def _line(self) -> str:
        both = f"{self.first.target} and {self.second.target}"
        start = self.start
        if start is None:
            return f"{both}: all results of {len(self)} layers are equal"
        last = next(x for x in reversed(self.layers) if x.own is not None)
        assert last.own is not None and start.own is not None
        return (
            f"{both}: results differ from {start.name} on; of {last.name} "
            f"{last.own.differing} of {last.own.results} differ, relative norm "
            f"{last.own.rms_relative:.3g}"
        )

    def _rows(self) -> list[tuple[Any, ...]]:
        def cells(d: Difference | None) -> tuple[Any, ...]:
            if d is None:
                return ("-", "-", "-")
            return (f"{d.differing}/{d.results}", d.largest_ulp, f"{d.rms_relative:.2e}")

        return [(x.name, x.kind, x.result, *cells(x.own), *cells(x.same), x.note) for x in self]

    def __str__(self) -> str:
        return "\n".join([self._line(), *text_table(_HEAD, self._rows())])

    def __repr__(self) -> str:
        return f"<{self._line()}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self._line())}</b></p>" + table(_HEAD, self._rows())

    def to_html(self) -> str:
        """A page with the table, both runs' reports and, if matplotlib is installed, the plot."""
        parts = [self._repr_html_()]
        try:
            from matplotlib.figure import Figure
        except ImportError:
            pass
        else:
            figure = Figure(figsize=self._size(), layout="constrained")
            self.plot(figure.subplots())
            image = io.StringIO()
            figure.savefig(image, format="svg")
            parts.append(image.getvalue()[image.getvalue().index("<svg") :])
        for report in (self.first, self.second):
            parts.append(f"<h2>{escape(report.target)}</h2>" + report._repr_html_())
        title = escape(f"{self.first.target} and {self.second.target}")
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
            f"</head><body>{''.join(parts)}</body></html>"
        )

    def to_json(self, indent: int | None = 2) -> str:
        start = self.start
        document = {
            "first": json.loads(self.first.to_json()),
            "second": json.loads(self.second.to_json()),
            "start": None if start is None else start.name,
            "layers": [asdict(x) for x in self.layers],
        }
        return json.dumps(document, indent=indent)

    def _size(self) -> tuple[float, float]:
        """The plot's width and height in inches, which depend on the number of layers."""
        return max(6, 0.22 * len(self)), 4.5

    def plot(self, ax: Any = None) -> Any:
        """Plots the relative norm of each layer's difference in both views, and returns the axes.
        Needs matplotlib. A layer without a difference has no point.
        """
        if ax is None:
            try:
                import matplotlib.pyplot as plt
            except ImportError:
                raise ImportError(
                    "plot() needs matplotlib: pip install 'mmaspec[notebook]'"
                ) from None

            ax = plt.subplots(figsize=self._size(), layout="constrained")[1]
        for view, label, mark in (
            ([x.own for x in self], "each layer fed by its own run", "o-"),
            ([x.same for x in self], "products of the same operands", "x"),
        ):
            points = [
                (i, d.rms_relative) for i, d in enumerate(view) if d is not None and d.rms_relative
            ]
            ax.plot([i for i, _ in points], [y for _, y in points], mark, label=label, markersize=4)
        ax.set_yscale("log")
        ax.set_xticks(range(len(self)), [x.name for x in self], rotation=90, fontsize="x-small")
        ax.set_ylabel("norm of the difference / norm")
        ax.set_title(f"{self.first.target} and {self.second.target}", fontsize="small")
        ax.legend(fontsize="small")
        return ax


_HEAD = (
    "layer", "module", "type", "differ", "ulp", "relative", "same operands", "ulp", "relative", ""
)  # fmt: skip


@dataclass
class _Call:
    """A call of a module in a running model."""

    name: str
    kind: str
    results: list[Tensor]
    products: int = 0
    same: Difference | None = None
    note: str = ""


class _Recorder(emulate):
    """An emulation that keeps the results of layers.

    A layer is a module without submodules, a module that computes products itself, or the whole
    model.
    """

    def __init__(self, target: Target, shadow: Engine | None, tf32: bool, convolutions: str):
        super().__init__(target, tf32=tf32, convolutions=convolutions, against_torch=False)
        self._shadow = shadow
        self._open: list[_Call] = []
        self.calls: list[_Call] = []

    def _record(self, computed: list[Computed], result: Any, own: Any, recorded: bool) -> None:
        super()._record(computed, result, own, recorded)
        if not self._open:
            return
        call = self._open[-1]
        for x in computed:
            call.products += 1
            if isinstance(x.other, str):
                call.note = f"{x.op} is not emulated in the second run: {x.other}"
            elif x.other is not None:
                d = difference(x.result, x.other)
                call.same = d if call.same is None else call.same + d

    def run(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Calls the model, then restores its buffers and PyTorch's random state."""
        buffers = {name: x.clone() for name, x in model.named_buffers()}
        hooks = []
        for name, module in model.named_modules():
            hooks += [
                module.register_forward_pre_hook(self._entering(name, module)),
                module.register_forward_hook(self._leaving(name, module), always_call=False),
            ]
        try:
            with torch.no_grad(), torch.random.fork_rng(), self:
                model(*args, **kwargs)
        finally:
            for hook in hooks:
                hook.remove()
            with torch.no_grad():
                for name, x in model.named_buffers():
                    if name in buffers:
                        x.copy_(buffers[name])

    def _entering(self, name: str, module: Any) -> Any:
        def hook(*_: Any) -> None:
            self._open.append(_Call(name or "(model)", type(module).__name__, []))

        return hook

    def _leaving(self, name: str, module: Any) -> Any:
        leaf = not any(True for _ in module.children())

        def hook(_: Any, inputs: Any, output: Any) -> None:
            call = self._open.pop()
            if leaf or call.products or not name:
                # Copies, because later operations may write to them.
                call.results = [x.detach().clone() for x in _results(output)]
                self.calls.append(call)

        return hook


def _results(output: Any) -> list[Tensor]:
    from torch.utils._pytree import tree_leaves

    return [
        x for x in tree_leaves(output) if isinstance(x, torch.Tensor) and x.is_floating_point()
    ]


def _layer(first: _Call, second: _Call | None) -> Layer:
    types = dict.fromkeys(str(x.dtype).removeprefix("torch.") for x in first.results)
    layer = Layer(first.name, first.kind, " ".join(types), None, first.same, first.note)
    if second is None or second.name != first.name:
        layer.note = "the second run takes another path"
    elif [(x.shape, x.dtype) for x in first.results] != [
        (x.shape, x.dtype) for x in second.results
    ]:
        layer.note = "the second run has results of other shapes or types"
    else:
        for x, y in zip(first.results, second.results):
            d = difference(x, y)
            layer.own = d if layer.own is None else layer.own + d
    return layer


def compare(
    model: Any,
    inputs: Any,
    first: Target,
    second: Target,
    *,
    tf32: bool = False,
    convolutions: str = "rsc",
) -> Layers:
    """Runs a model with the products of two units, and compares the results layer by layer.

    inputs: a tensor, a tuple of the model's arguments, or a dict of its arguments by name. first,
    second and the options are those of :func:`emulate`. Each layer is compared in two ways: its
    results in the two runs, which include the differences of earlier layers; and its own products
    of the first run's operands under both units. The model runs twice without gradients, from the
    same random numbers, and its buffers are restored. Copies of all layers' results stay in memory.
    """
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"the model must be a torch.nn.Module, not {type(model).__name__}")
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    if isinstance(inputs, Mapping):
        kwargs = dict(inputs)
    else:
        args = inputs if isinstance(inputs, tuple) else (inputs,)
    runs = [
        _Recorder(first, Engine(rule_for(second, tf32), convolutions), tf32, convolutions),
        _Recorder(second, None, tf32, convolutions),
    ]
    for run in runs:
        run.run(model, args, kwargs)
    one, two = (run.calls for run in runs)
    layers = [_layer(x, two[i] if i < len(two) else None) for i, x in enumerate(one)]
    return Layers(runs[0].report, runs[1].report, layers)
