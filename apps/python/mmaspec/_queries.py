"""Questions about units, answered by search, by analytical proofs and by solvers."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Callable, Iterable, Iterator, Sequence

import numpy as np

from . import _core
from ._arguments import exact_number, integer, seconds
from ._conversion import Conversion, conversion
from ._results import (
    Answer,
    Comparison,
    Differ,
    Document,
    Element,
    Least,
    Machines,
    Maximum,
    NotApplicable,
    Proved,
    Refuted,
    Run,
    Tolerance,
    Undecided,
    Witness,
    hex_list,
)
from ._unit import Unit, unit
from .formats import values_of, word_of

UnitLike = "Unit | str"


def _unit(u: Unit | str) -> Unit:
    if isinstance(u, Conversion):
        raise ValueError(f"{u.name} converts a number, and this query is about products")
    return unit(u) if isinstance(u, str) else u


def _asked(u: Unit | Conversion | str) -> Unit | Conversion:
    """The same for queries that accept conversions."""
    if not isinstance(u, str):
        return u
    return conversion(u) if _core.is_conversion(u) else unit(u)


def _strings(where: str | Sequence[str] | None) -> list[str]:
    if where is None:
        return []
    return [where] if isinstance(where, str) else list(where)


@contextmanager
def _solve(
    timeout: float, solver: str, seed: int, jobs: int, progress: bool | None, total: int = 0
) -> Iterator[_core.Solve]:
    """Shows a tqdm line while solvers run, if tqdm is installed and standard error is a terminal."""
    timeout = seconds("timeout", timeout)
    seed = integer("seed", seed, 0, 2**32 - 1)
    jobs = integer("jobs", jobs, 0, 4096)
    shown = sys.stderr.isatty() if progress is None else progress
    bar = None
    if shown:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if progress:
                raise ImportError(
                    "progress=True needs tqdm: pip install 'mmaspec[notebook]'"
                ) from None
        else:
            bar = tqdm(total=total or None, leave=False, disable=None if progress is None else False)

    def look(*told: Any) -> None:
        assert bar is not None
        if len(told) == 3:  # cells done, number of all cells, and the current cell
            bar.total, bar.n = told[1], told[0]
        bar.set_description_str(str(told[-1])[:60])
        bar.refresh()

    try:
        yield _core.Solve(timeout, solver, seed, jobs, look if bar is not None else None)
    finally:
        if bar is not None:
            bar.close()


def _run(u: Unit | Conversion, row: dict[str, Any], label: str = "") -> Run:
    return Run(u, row, label)


def diff(
    first: Unit | Conversion | str,
    second: Unit | Conversion | str,
    *,
    ulp: int | None = None,
    abs: float | str | None = None,  # noqa: A002: the command line's name
    rel: float | str | None = None,
    where: str | Sequence[str] | None = None,
    inputs: str = "finite",
    signed_zero: bool = False,
    count: int = 1,
    pad: bool = False,
    chain: int = 0,
    match: str = "values",
    shrink: bool = True,
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    all_k: bool = False,
    progress: bool | None = None,
) -> Differ | Proved | Undecided | Machines:
    """Finds inputs on which two units differ (by more than `ulp`, `abs`, `rel`), or proves that
    none exist.

    Both may be conversions, too. The options are those of `mmaspec diff` (docs/proving.md). ulp: an integer of at least 0; abs,
    rel: exact numbers of at least 0. all_k: compare chains for every common K. `timeout` bounds the
    whole call, in seconds. If both are architectures or products ('h100', 'mi300x'), the
    instructions that a GEMM library selects on them are compared (`Machines`). Raises TypeError or
    ValueError for arguments that `mmaspec diff` refuses.
    """
    pairing = _pairing(where, inputs, pad, chain, match)
    if _is_machine(first) and _is_machine(second):
        if where or ulp is not None or abs is not None or rel is not None or signed_zero or count != 1:
            raise ValueError(
                "two architectures or products cannot be combined with where, ulp, abs, rel, "
                "signed_zero or count"
            )
        if all_k or chain or pad:
            raise ValueError(
                "two architectures or products cannot be combined with all_k, chain or pad"
            )
        with _solve(timeout, solver, seed, jobs, progress) as solve:
            machines = _core.diff_machines(str(first), str(second), pairing, solve)
        return Machines(
            json.loads(machines.json), f"{first} and {second}", text=machines.text
        )
    u, v = _asked(first), _asked(second)
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer = _core.diff(
            u._core,
            v._core,
            None if ulp is None else str(integer("ulp", ulp, 0, 10**30 - 1)),
            exact_number("abs", abs),
            exact_number("rel", rel),
            signed_zero,
            integer("count", count),
            shrink,
            all_k,
            pairing,
            solve,
        )
    document = json.loads(answer.json)
    by = [f"{n} {x}" for n, x in (("ulp", ulp), ("abs", abs), ("rel", rel)) if x is not None]
    witness = document["verdict"] == "witness"
    question = f"{u.name} and {v.name} {'differ' if witness else 'never differ'}"
    if by:
        question += " by more than " + " and ".join(by)
    if where:
        question += ", where " + ", where ".join(_strings(where))
    if witness:
        witnesses = tuple(_witness(u, v, row) for row in document["witnesses"])
        return Differ(document, question, witnesses, text=answer.text)
    kind = Proved if document["verdict"] == "proved" else Undecided
    return kind(document, question, text=answer.text)


def _is_machine(u: Unit | Conversion | str) -> bool:
    return isinstance(u, str) and bool(_core.is_machine(u))


def _pairing(
    where: str | Sequence[str] | None, inputs: str, pad: bool, chain: int, match: str
) -> _core.Pairing:
    return _core.Pairing(_strings(where), inputs, pad, integer("chain", chain), match)


def _witness(u: Unit | Conversion, v: Unit | Conversion, row: dict[str, Any]) -> Witness:
    return Witness(u, row, "", v)


def maximize(
    first: Unit | Conversion | str,
    second: Unit | Conversion | str,
    *,
    measure: str = "ulp",
    where: str | Sequence[str] | None = None,
    inputs: str = "finite",
    pad: bool = False,
    chain: int = 0,
    match: str = "values",
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Maximum:
    """Finds the largest difference in 'ulp' or 'abs', and proves an upper bound."""
    u, v = _asked(first), _asked(second)
    pairing = _pairing(where, inputs, pad, chain, match)
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer = _core.maximize(u._core, v._core, measure, pairing, solve)
    document = json.loads(answer.json)
    row = document.get("witness")
    question = f"how far {u.name} and {v.name} differ"
    return Maximum(document, question, _witness(u, v, row) if row else None, text=answer.text)


def tolerance(
    first: Unit | str,
    second: Unit | str,
    *,
    where: str | Sequence[str] | None = None,
    inputs: str = "finite",
    rtol: float | str | None = None,
    atol: float | str | None = None,
    k: int = 0,
    distribution: str | None = None,
    samples: int = 100_000,
    confidence: float | None = None,
    full: bool = False,
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Tolerance:
    """Finds the tolerance with which every input passes a test of one unit against another.

    The test is |first - second| <= atol + rtol * |first|. The least atol is looked for (with rtol =
    0, or the one given), or beside a given `atol` the least rtol. `where` restricts the inputs;
    inputs: 'finite' or 'normal' (no subnormals; zeros are allowed); k: compare chains of both units
    of this length K, chained (0: the longer one's). distribution ('normal', 'uniform' or a .npy
    file of numbers): try `samples` random rows, too. confidence: a probability such as 0.9999 asks
    for a statistical tolerance of such rows, which is not proved, too. full: the text shows all
    products of the worst input. The options are those of `mmaspec tolerance`. Raises TypeError or
    ValueError for arguments that `mmaspec tolerance` refuses.
    """
    u, v = _unit(first), _unit(second)
    pairing = _pairing(where, inputs, False, integer("k", k), "values")
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer = _core.tolerance(
            u._core,
            v._core,
            exact_number("rtol", rtol),
            exact_number("atol", atol),
            distribution,
            integer("samples", samples),
            confidence,
            full,
            pairing,
            solve,
        )
    document = json.loads(answer.json)
    row = document["worst"]
    question = f"tolerance of {u.name} and {v.name}"
    return Tolerance(document, question, _witness(u, v, row) if row else None, text=answer.text)


def export(u: Unit | Conversion | str, format: str = "smtlib2", *, module: str = "") -> str:  # noqa: A002
    """A unit's formula or graph, the output of `mmaspec export`.

    format: smtlib2, btor2, verilog (a combinational module), c (a C99 file), cuda or opencl (a kernel
    that computes whole matrices), dot, json, or text (the graph, a line for each node). module: the name of the Verilog module or the C function. Raises
    ValueError for another format.
    """
    return _core.export(_asked(u)._core, format, module)


def prove(
    property: str,  # noqa: A002: the field's word
    first: Unit | Conversion | str,
    second: Unit | Conversion | str | None = None,
    *,
    bound: float | str | None = None,
    within: int = 0,
    where: str | Sequence[str] | None = None,
    confirm: bool = False,
    shrink: bool = True,
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Proved | Refuted | Undecided | NotApplicable | Least:
    """Proves or refutes a property of a unit or a conversion. mmaspec.properties() lists all
    properties.

    For a property with a bound, the result is the least bound that holds (`Least`), unless `bound`
    is given. The `error-bound` of a chain or a plan without `bound` and `where` is a formula in K
    (`Proved`, with the formula in its text and in `document["bounds"]`). bound: an exact number of
    at least 0; within: an integer from 0 to 65536; timeout: seconds. Raises TypeError or ValueError
    for arguments that `mmaspec prove` refuses.
    """
    u = _asked(first)
    v = None if second is None else _asked(second)
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer = _core.prove(
            property,
            u._core,
            None if v is None else v._core,
            exact_number("bound", bound),
            integer("within", within),
            confirm,
            shrink,
            _strings(where),
            solve,
        )
    document = json.loads(answer.json)
    of = u.name if v is None else f"{u.name} and {v.name}"
    question = f"{property} of {of}"
    if "proof" in document:
        parts = [_proof(document[k], question, u, v) for k in ("proof", "refutation")]
        return Least(document, question, *parts, text=answer.text)
    return _proof(document, question, u, v, answer.text)


def _proof(
    document: dict[str, Any],
    question: str,
    u: Unit | Conversion,
    v: Unit | Conversion | None,
    text: str = "",
) -> Proved | Refuted | Undecided | NotApplicable:
    verdict = document["verdict"]
    if verdict == "proved":
        return Proved(document, question, text=text)
    if verdict == "refuted":
        runs = tuple(
            Run(v if v is not None and row["instr"] == v.name else u, row, row.get("run", ""))
            for row in document["witness"]
        )
        return Refuted(document, question, runs, text=text)
    return (Undecided if verdict == "undecided" else NotApplicable)(document, question, text=text)


def properties() -> dict[str, str]:
    """The names of all properties, each with its statement."""
    return {p["property"]: p["says"] for p in json.loads(_core.properties())}


def table(
    units: Iterable[Unit | Conversion | str],
    *,
    properties: Sequence[str] = (),
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Document:
    """Decides every property of each unit or conversion. Returns a list of cells, as in `mmaspec table --json`.

    `timeout` is the limit of each cell in seconds.
    """
    all_units = [_asked(u) for u in units]
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        text = _core.table([u._core for u in all_units], list(properties), solve)
    return Document([json.loads(line) for line in text.splitlines()], "table of properties")


def suite(
    units: Iterable[Unit | str],
    *,
    chain: int = 0,
    pad: bool = False,
    inputs: str = "finite",
    where: str | Sequence[str] | None = None,
    signed_zero: bool = False,
    adaptive: bool = False,
    timeout: float = 60,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Document:
    """The smallest set of inputs that distinguishes the units, as in `mmaspec suite --json`."""
    all_units = [_unit(u) for u in units]
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        text = _core.suite(
            [u._core for u in all_units],
            integer("chain", chain),
            pad,
            inputs,
            _strings(where),
            signed_zero,
            adaptive,
            solve,
        )
    return Document(json.loads(text), "suite")


def explore(
    pattern: str,
    *,
    require: str | Sequence[str] = (),
    bound: str = "error-bound",
    data: Sequence[Any] | None = None,
    against: Unit | str | None = None,
    liberty: str | os.PathLike[str] = "",
    csv: str | os.PathLike[str] | None = None,
    html: str | os.PathLike[str] | None = None,
    timeout: float = 600,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Document:
    """Compares the designs of a pattern by properties and circuit costs, as in `mmaspec explore --json`.

    pattern: a design whose values may be ranges and alternatives, such as
    'design:fused-dot-add(k=8,fraction_bits=13..30,round=rz|rne)'. require: properties that a design
    must have, such as 'error-bound <= 2'. data: your matrices (A, B) or (A, B, C); results that
    differ from those of `against`, a unit of the same formats, are counted. liberty: a cell library
    for costs. csv, html: files to write. Needs Yosys.
    """
    if (data is None) != (against is None):
        raise ValueError("data and against must be given together")
    unit_of_data, operands = None, None
    if data is not None and against is not None:
        if len(data) not in (2, 3):
            raise ValueError(f"data has {len(data)} matrices; expected A, B or A, B, C")
        unit_of_data = _unit(against)
        operands = unit_of_data._operands(data[0], data[1], data[2] if len(data) == 3 else None, None, None, False)
    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer, table_text, page = _core.explore(
            pattern,
            _strings(require),
            bound,
            None if unit_of_data is None else unit_of_data._core,
            None if operands is None else operands.a,
            None if operands is None else operands.b,
            None if operands is None else operands.c,
            os.fspath(liberty),
            solve,
        )
    for file, text in ((csv, table_text), (html, page)):
        if file is not None:
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
    return Document(json.loads(answer), "exploration")


def identify(
    oracle: Callable[..., Any],
    *,
    formats: Sequence[str] | str = ("f16", "f16", "f32", "f32"),
    k: int,
    scale: str | None = None,
    scale_block: int = 0,
    space: str | Sequence[str] = (),
    batch: int = 16,
    confirm: int = 10_000,
    pair_timeout: float = 10,
    timeout: float = 600,
    solver: str = "auto",
    seed: int = 0,
    jobs: int = 0,
    progress: bool | None = None,
) -> Document:
    """Finds the design that an unknown unit computes, as in `mmaspec identify --json`.

    oracle(A, B, C) computes n dot products: A and B are (n, K), C is (n,), with values of the
    formats. It returns n values of d, or their bit patterns as unsigned integers. With scale
    factors the call is oracle(A, B, C, scale_a, scale_b), where both factors are (n, blocks).
    """
    names = formats.split(",") if isinstance(formats, str) else list(formats)
    if len(names) != 4:
        raise ValueError(f"formats must be four names, those of a, b, c and d, not {names}")
    a, b, c, d = names
    text = f"design:exact-dot-add(a={a},b={b},c={c},d={d},k={k}"
    if scale:
        text += f",scale={scale},scale_block={scale_block or k}"
    like = unit(text + ")")

    def ask(rows: list[tuple[Any, ...]]) -> list[int]:
        columns = list(zip(*rows))
        given = [values_of(n, columns[i]) for i, n in enumerate((a, b, c))]
        if scale:
            given += [values_of(scale, columns[i]) for i in (3, 4)]
        answers: list[int] = _as_patterns(oracle(*given), d, len(rows)).tolist()
        return answers

    with _solve(timeout, solver, seed, jobs, progress) as solve:
        answer = _core.identify(
            like._core, ask, _strings(space), integer("batch", batch), integer("confirm", confirm),
            seconds("pair_timeout", pair_timeout), solve
        )
    return Document(json.loads(answer), "identification")


def _as_patterns(results: Any, format_name: str, count: int) -> np.ndarray:
    from ._arrays import patterns

    words = patterns("the result", results, format_name).reshape(-1)
    if words.size != count:
        raise ValueError(f"{words.size} results for {count} dot products")
    return words


def verify(rows: str | os.PathLike[str] | Iterable[Any], *, variant: str = "") -> Document:
    """Compares recorded rows with the specifications. rows: a file's name, or Runs, dicts or JSON
    lines.

    The result has ["passed"], ["failed"], and the first mismatches of each instruction.
    """
    if isinstance(rows, (str, os.PathLike)):
        return Document(json.loads(_core.verify([os.fspath(rows)], variant)), "verification")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(line + "\n" for line in _lines(rows))
        file.flush()
        return Document(json.loads(_core.verify([file.name], variant)), "verification")


def _lines(rows: Iterable[Any]) -> Iterator[str]:
    for row in rows:
        if isinstance(row, str):
            yield row
        else:
            yield json.dumps(row.row if isinstance(row, Run) else row)


def replay(
    rows: str | os.PathLike[str] | Iterable[Any], *, device: Callable[..., Any]
) -> Document:
    """Compares a device, given as a Python function, with the specifications.

    device(name, a, b, c) computes one dot product: name is the unit's name, a and b are vectors of
    values, c is a number. If the unit has scale factors, scale_a and scale_b follow. It returns d.
    The result has ["passed"], ["failed"] and ["disagreements"]: rows with both results.
    """
    if isinstance(rows, (str, os.PathLike)):
        with open(rows, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    else:
        lines = list(_lines(rows))
    units: dict[str, Unit] = {}
    document: dict[str, Any] = {"passed": 0, "failed": 0, "disagreements": []}
    for line in lines:
        row = json.loads(line)
        if "instr" not in row:
            continue  # the header of a record
        u = units.setdefault(row["instr"], unit(row["instr"]))
        run = Run(u, row)
        scales = {} if u.scale is None else {"scale_a": run.scale_a, "scale_b": run.scale_b}
        answered = int(_as_patterns(np.asarray(device(u.name, run.a, run.b, run.c, **scales)), u.d, 1)[0])
        sa = None if u.scale is None or run.scale_a is None else run.scale_a[None, :]
        sb = None if u.scale is None or run.scale_b is None else run.scale_b[:, None]
        c = np.asarray([[run.c]], dtype=run.c.dtype)
        own = u(run.a[None, :], run.b[:, None], c, scale_a=sa, scale_b=sb, bits=True).item()
        if answered == own or (not u._core.canonical_nan and _are_nan(u.d, answered, own)):
            document["passed"] += 1
            continue
        document["failed"] += 1
        digits = -(-_core.format_bits(u.d) // 4)
        row["computed"], row["device"] = f"{own:0{digits}x}", f"{answered:0{digits}x}"
        document["disagreements"].append(row)
    return Document(document, "replay")


def _are_nan(format_name: str, x: int, y: int) -> bool:
    return bool(np.isnan(values_of(format_name, [x, y]).astype(np.float64)).all())


def compare(
    first: Unit | str,
    second: Unit | str,
    A: Any,
    B: Any,
    C: Any = None,
    *,
    scale_a: Any = None,
    scale_b: Any = None,
    packed: bool = False,
    worst: int = 5,
    by: str = "ulp",
    threads: int = 0,
) -> Comparison:
    """Compares two units of the same operand formats on your own matrices.

    How many results differ, by how many ulp (of the first one's results) and relative to
    |c| + sum |a b|; the `worst` elements, by 'ulp' or 'relative', with their traces.
    """
    if by not in ("ulp", "relative"):
        raise ValueError(f"by must be 'ulp' or 'relative', not {by!r}")
    u, v = _unit(first), _unit(second)
    o = u._operands(A, B, C, scale_a, scale_b, packed)
    d_first = np.empty(o.shape, dtype=word_of(u.d))
    d_second = np.empty(o.shape, dtype=word_of(v.d))
    text = _core.compare(
        u._core, v._core, o.a, o.b, o.c, d_first, d_second, o.scale_a, o.scale_b,
        integer("worst", worst, 0), by, integer("threads", threads, 0, 4096)
    )
    document = json.loads(text)
    elements = []
    for entry in document["worst"]:
        index = tuple(entry["index"])
        if len(o.shape) > 2:
            product = index[0] if len(index) == 3 else 0
            index = (*(int(i) for i in np.unravel_index(product, o.shape[:-2])), *index[-2:])
        elements.append(
            Element(
                u,
                entry["row"],
                "",
                v,
                index,
                float(entry["ulp"]),
                float(entry["relative"]),
                int(d_second[index]),
            )
        )
    return Comparison(
        u,
        v,
        values_of(u.d, d_first),
        values_of(v.d, d_second),
        document,
        tuple(elements),
    )


__all__ = [
    "Answer",
    "compare",
    "diff",
    "explore",
    "export",
    "hex_list",
    "identify",
    "maximize",
    "properties",
    "prove",
    "replay",
    "suite",
    "table",
    "tolerance",
    "verify",
]
