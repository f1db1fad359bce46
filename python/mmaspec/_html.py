"""Rich displays for notebooks: plain tables, readable in light and dark, without colour."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from ._results import Answer, Comparison, Document, Trace, Witness
    from ._unit import Unit


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    top = "".join(f"<th style='text-align:left'>{escape(str(h))}</th>" for h in head)
    body = "".join(
        "<tr>"
        + "".join(f"<td style='text-align:left'>{escape(str(x))}</td>" for x in row)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def unit_html(u: Unit) -> str:
    scale = f", {u.scale} for each {u.scale_block} products" if u.scale else ""
    return (
        f"<p><b>{escape(u.name)}</b><br>{escape(u.algorithm)}: "
        f"{u.d} = {u.c} + {u.k} × {u.a} × {u.b}{scale}</p>"
        + _table(("parameter", "value", "meaning"), u.parameters)
    )


def trace_html(trace: Trace) -> str:
    return _table(
        ("stage", "name", "value"), ((s.stage, s.name, s.value or s.integer) for s in trace)
    )


def _operands(w: Any) -> str:
    # A zero product whose other operand is not zero may matter: it is shown.
    rows = [
        (f"k = {k}", a, b)
        for k, (a, b) in enumerate(zip(w.a, w.b))
        if float(a) != 0 or float(b) != 0
    ]
    return _table(("", "a", "b"), [*rows, ("c", w.c, "")])


def witness_html(w: Witness) -> str:
    other = w.other.name if w.other else ""
    return (
        f"<p><b>{w.ulp:g} ulp apart</b></p>"
        + _operands(w)
        + _table(("", "d"), ((w.unit.name, w.d), (other, w.d_other)))
    )


def answer_html(answer: Answer) -> str:
    from ._results import Differ, Refuted

    text = f"<p><b>{escape(answer.verdict)}</b>: {escape(answer.question)}<br>"
    text += f"{escape(answer.how)}, {answer.seconds:.2f} s</p>"
    if isinstance(answer, Differ):
        text += "".join(witness_html(w) for w in answer.witnesses[:3])
    if isinstance(answer, Refuted):
        for run in answer.runs:
            text += f"<p>{escape(run.label)}: d = {escape(str(run.d))}</p>" + _operands(run)
    return text


def comparison_html(c: Comparison) -> str:
    bins = [(f"{b.first} – {b.last}", b.count) for b in c.histogram]
    worst = [
        (list(e.index), f"{e.ulp:g}", f"{e.relative:.3g}", e.d, e.d_other) for e in c.worst
    ]
    return (
        f"<p><b>{escape(str(c))}</b></p>"
        + _table(("ulp", "results"), bins)
        + _table(("worst at", "ulp", "relative", c.first.name, c.second.name), worst)
    )


def document_html(document: Document) -> str:
    text = json.dumps(document.document, indent=1)
    return f"<p><b>{escape(document.title)}</b></p><pre>{escape(text)}</pre>"
