"""Rich displays for notebooks: plain tables, readable in light and dark, without colour."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from ._explain import Explanation
    from ._results import Answer, Comparison, Document, Trace, Witness
    from ._unit import Unit


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
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
        + table(("parameter", "value", "meaning"), u.parameters)
    )


def trace_html(trace: Trace) -> str:
    return table(
        ("stage", "name", "value"), ((s.stage, s.name, s.value or s.integer) for s in trace)
    )


def _operands(w: Any) -> str:
    # A zero product with a nonzero operand may matter, so it is shown.
    rows = [
        (f"k = {k}", a, b)
        for k, (a, b) in enumerate(zip(w.a, w.b))
        if float(a) != 0 or float(b) != 0
    ]
    return table(("", "a", "b"), [*rows, ("c", w.c, "")])


def witness_html(w: Witness) -> str:
    other = w.other.name if w.other else ""
    return (
        f"<p><b>{w.ulp:g} ulp apart</b></p>"
        + _operands(w)
        + table(("", "d"), ((w.unit.name, w.d), (other, w.d_other)))
    )


def answer_html(answer: Answer) -> str:
    from ._results import Differ, Least, Maximum, Refuted

    text = f"<p><b>{escape(answer.verdict)}</b>: {escape(answer.question)}<br>"
    text += escape(", ".join(part for part in (answer.how, f"{answer.seconds:.2f} s") if part))
    text += "</p>"
    if isinstance(answer, Least):
        text += table(("it is more than", "and at most"), [(answer.refuted, answer.proved)])
    if isinstance(answer, Maximum):
        text += table(("largest found", "at most"), [(answer.largest, answer.bound)])
    if isinstance(answer, Differ):
        text += "".join(witness_html(w) for w in answer.witnesses[:3])
    if isinstance(answer, Refuted):
        for run in answer.runs:
            text += f"<p>{escape(run.label)}: d = {escape(str(run.d))}</p>" + _operands(run)
    return text


def explanation_html(found: Explanation) -> str:
    calls = f", {found.calls} calls of the function" if found.calls else ""
    text = f"<p><b>{escape(found.verdict)}</b>: {found.elements} elements, {found.tried} plans tried{calls}</p>"
    rows = [(p.where or "all", p.plan, p.tree) for p in found.plans[:16]]
    return text + (table(("elements", "plan", "sums"), rows) if rows else "")


def comparison_html(c: Comparison) -> str:
    bins = [(f"{b.first} – {b.last}", b.count) for b in c.histogram]
    worst = [
        (list(e.index), f"{e.ulp:g}", f"{e.relative:.3g}", e.d, e.d_other) for e in c.worst
    ]
    return (
        f"<p><b>{escape(str(c))}</b></p>"
        + table(("ulp", "results"), bins)
        + table(("worst at", "ulp", "relative", c.first.name, c.second.name), worst)
    )


def _suite_html(d: Any) -> str:
    parts = table(
        ("input", "a", "b", "c", *(f"d of {c['class']}" for c in d["classes"])),
        (
            (i + 1, r["a"], r["b"], r["c"], *(c["answers"][i] for c in d["classes"]))
            for i, r in enumerate(d["rows"])
        ),
    )
    classes = table(("class", "designs"), ((c["class"], ", ".join(c["names"])) for c in d["classes"]))
    least = "no fewer would do" if d["minimal"] else f"at least {d['least_of_candidates']} are needed"
    undecided = f"; undecided pairs: {len(d['undecided'])}" if d["undecided"] else ""
    count = len(d["rows"])
    inputs = f"{count} input{'' if count == 1 else 's'}"
    return f"<p>{inputs}, {least}{undecided}</p>" + parts + classes


def _identification_html(d: Any) -> str:
    facts = [
        ("verdict", d["verdict"]),
        ("design", d["design"] or ""),
        ("names", ", ".join(d["names"])),
        ("designs that fit", f"{d['fitting']}, equality {d['equal']}" if d["fitting"] else 0),
        ("inputs asked", d["inputs"]),
    ]
    if d["confirming"]:
        facts.append(("confirming rows", f"{d['confirming']}{'' if d['confirmed'] else ', not survived'}"))
    text = table(("", ""), facts)
    if d["conflict"]:
        text += "<p>No design of the space explains these answers:</p>"
        text += table(("a", "b", "c", "d"), ([r[x] for x in "abcd"] for r in d["conflict"]))
    return text


def _properties_html(d: Any) -> str:
    units = list(dict.fromkeys(", ".join(cell["instructions"]) for cell in d))
    properties = list(dict.fromkeys(cell["property"] for cell in d))
    verdicts = {(", ".join(c["instructions"]), c["property"]): c["verdict"] for c in d}
    return table(
        ("", *properties), ((u, *(verdicts.get((u, p), "") for p in properties)) for u in units)
    )


def _rows_html(d: Any) -> str:
    return table(
        ("rows of", "as specified", "not"),
        ((i["instr"], i["passed"], i["failed"]) for i in d["instructions"]),
    )


_SHOWN = {
    "suite": _suite_html,
    "identification": _identification_html,
    "table of properties": _properties_html,
    "verification": _rows_html,
}


def document_html(document: Document) -> str:
    shown = _SHOWN.get(document.title)
    if shown is not None:
        body = shown(document.document)
    else:
        body = f"<pre>{escape(json.dumps(document.document, indent=1))}</pre>"
    return f"<p><b>{escape(document.title)}</b></p>{body}"
