"""Graphs of torch.compile and torch.export with their products as custom operators."""

from __future__ import annotations

import warnings
from typing import Any, Callable

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .._rules import Refusal, Target, checked_order, rule_for
from ._emulate import Engine, hidden_products, is_handled, laid_out


def rewrite(
    program: Any,
    target: Target,
    *,
    tf32: bool = False,
    convolutions: str = "rsc",
    strict: bool = False,
) -> Any:
    """An exported program or a graph in which the operators of `mmaspec` compute the products.

    program: a torch.export.ExportedProgram, which is copied, or a torch.fx.GraphModule of ATen
    operators, which is changed in place. The other arguments are those of :func:`emulate`; a
    function as the target is called now, not when the program runs. A product that cannot be
    emulated stays unchanged, with a warning, or raises NotImplementedError if `strict`.
    """
    engine = Engine(rule_for(target, tf32), checked_order(convolutions))
    if isinstance(program, torch.export.ExportedProgram):
        lowered = program.run_decompositions({})
        _rewrite_graph(lowered.graph_module, engine, strict)
        lowered._validate()
        return lowered
    if not isinstance(program, torch.fx.GraphModule):
        raise TypeError(
            "the program must be a torch.export.ExportedProgram or a torch.fx.GraphModule, not "
            f"{type(program).__name__}"
        )
    _rewrite_graph(program, engine, strict)
    return program


def backend(
    target: Target,
    *,
    tf32: bool = False,
    convolutions: str = "rsc",
    strict: bool = False,
    inner: Callable[[Any, Any], Any] | None = None,
) -> Callable[[Any, Any], Any]:
    """A backend for torch.compile that emulates products in forward and backward passes.

        torch.compile(model, backend=mmaspec.torch.backend("mi300x"))

    inner: compiles the graphs that result, a function of a GraphModule and its example inputs, such
    as torch._inductor.compile_fx.compile_fx_inner; None: they run operator by operator. The other
    arguments are those of :func:`rewrite`.
    """
    rule_for(target, tf32)  # raises for an invalid target before compilation
    checked_order(convolutions)

    def lower(module: Any, inputs: Any) -> Any:
        from functorch.compile import make_boxed_func

        rewrite(module, target, tf32=tf32, convolutions=convolutions, strict=strict)
        return make_boxed_func(module.forward) if inner is None else inner(module, inputs)

    def compile(module: Any, inputs: Any) -> Any:
        from torch._dynamo.backends.common import aot_autograd

        return aot_autograd(fw_compiler=lower, bw_compiler=lower)(module, inputs)

    return compile


def _rewrite_graph(module: Any, engine: Engine, strict: bool) -> None:
    for inner in module.modules():  # branches and loops have their own graphs
        if not isinstance(inner, torch.fx.GraphModule):
            continue
        for node in list(inner.graph.nodes):
            if node.op != "call_function":
                continue
            why = ""
            if _may_hold_products(node.target):
                try:
                    why = _replace(inner.graph, node, engine)
                except Refusal as refusal:
                    why = str(refusal)
            elif isinstance(node.target, torch._ops.OpOverload):
                why = hidden_products(node.target, node.meta.get("val"))
            elif isinstance(node.target, torch._ops.HigherOrderOperator):
                if "attention" in node.target.name():
                    why = "an operator that may contain products"
            if why and strict:
                raise NotImplementedError(
                    f"{node.target} cannot be emulated as {engine.rule}: {why}"
                )
            if why:
                warnings.warn(
                    f"mmaspec.torch: {node.target} is not emulated, PyTorch computes it: {why}",
                    stacklevel=3,
                )
        inner.graph.lint()
        inner.recompile()


def _may_hold_products(target: Any) -> bool:
    return isinstance(target, torch._ops.OpOverload) and (
        is_handled(target) or (target.namespace == "aten" and target._can_decompose())
    )


class _Lowering(TorchDispatchMode):  # type: ignore[misc]
    """An interpreter that computes products by an engine. Composite operators are decomposed."""

    def __init__(self, engine: Engine):
        super().__init__()
        self._engine = engine
        self.hidden = ""  #: why an operator that was left may hold products

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if is_handled(func):
            return self._engine.run(func, args, kwargs or {})
        result = func(*args, **(kwargs or {}))
        self.hidden = self.hidden or hidden_products(func, result)
        return result


def _replace(graph: Any, node: Any, engine: Engine) -> str:
    """Replaces a node by the engine's operations, if the node computes products.

    Returns the reason why products may remain; empty if none do.
    """
    from torch.fx.experimental.proxy_tensor import make_fx  # slow to import

    operands: list[Any] = []

    def collect(x: Any) -> Any:
        if isinstance(x.meta["val"], torch.Tensor) and x not in operands:
            operands.append(x)
        return x

    torch.fx.map_arg((node.args, node.kwargs), collect)

    def compute(*tensors: Any) -> Any:
        held = dict(zip(operands, tensors))

        def value(x: Any) -> Any:
            return held[x] if x in held else x.meta["val"]

        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), value)
        with lowering:
            result = node.target(*args, **kwargs)
        return laid_out(result, node.meta["val"])

    lowering = _Lowering(engine)
    engine.computed.clear()
    traced = make_fx(compute)(*(x.meta["val"] for x in operands))
    if not engine.computed:
        return lowering.hidden
    for name, constant in traced.named_buffers():
        raise Refusal(f"a constant {name} of shape {tuple(constant.shape)}")
    places = [x for x in traced.graph.nodes if x.op == "placeholder"]
    copies: dict[Any, Any] = dict(zip(places, operands))
    with graph.inserting_before(node):
        results = graph.graph_copy(traced.graph, copies)
    if isinstance(results, (tuple, list)):
        for user in list(node.users):
            _take_over(graph, user, results[user.args[1]])
        graph.erase_node(node)
    else:
        _take_over(graph, node, results)
    return lowering.hidden


def _take_over(graph: Any, node: Any, result: Any) -> None:
    """Uses the result in place of a node, and by its name: signatures of programs name results."""
    node.replace_all_uses_with(result)
    name = node.name
    graph.erase_node(node)
    if result.op != "placeholder":
        result._rename(name)
