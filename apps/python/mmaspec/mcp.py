"""A Model Context Protocol server: gives assistants in editors access to the specifications.

`mmaspec mcp` and `python -m mmaspec.mcp` serve the tools `list`, `show`, `evaluate`, `diff`,
`prove`, `tolerance` and `explain` on standard input and output (docs/mcp.md). Each call runs one
command of `mmaspec` in a child process, whose time and memory are limited. Its answer is the
command's JSON document. No call runs code of the caller's, writes a file, or reads a file outside
the folder that the server was given.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

_MISSING = "the server needs the package 'mcp' (version 2 or newer): pip install 'mmaspec[mcp]'"

try:
    import anyio
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import Field
except ImportError:
    if __name__ != "__main__":
        raise ImportError(_MISSING) from None
    print(f"mmaspec mcp: {_MISSING}", file=sys.stderr)
    sys.exit(2)

import mmaspec

#: Seconds that a command has beyond its --timeout, to start and to print, before it is ended.
_GRACE = 20.0

#: Exit statuses with a document: done or proved, a witness or a mismatch, undecided.
_ANSWERED = (0, 1, 3)

# Printable ASCII. A name that starts with '-' would be an option.
_NAME = r"^[A-Za-z0-9][ -~]*$"
_NUMBER = r"^[0-9][0-9A-Za-z.+/-]*$"
_VALUE = r"^[-+]?[0-9A-Za-z][0-9A-Za-z.+-]*$"

Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4000,
        pattern=_NAME,
        description="a unit: <arch>/<mnemonic>[@variant], design:... or plan:...",
    ),
]
Conditions = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=4000, pattern=r"^[ -~]+$")]],
    Field(
        max_length=1000,
        description="preconditions that the inputs must satisfy: 'abs(a[*]) <= 1', 'c == 0', "
        "'normal(b[0]) && d > 0'",
    ),
]
Number = Annotated[str, Field(max_length=400, pattern=_NUMBER)]
Values = Annotated[
    list[Annotated[str, Field(max_length=400, pattern=_VALUE)] | int | float],
    Field(
        max_length=65536,
        description="numbers that the format represents exactly, or strings: decimals, C99 hex floats "
        "('0x1.8p-3'), hex bits ('0x3c00'), 'inf', 'nan'",
    ),
]
Seconds = Annotated[
    float,
    Field(
        gt=0,
        le=86400,
        description="limit of the command in seconds; after it, the answer is undecided",
    ),
]
ArrayFile = Annotated[
    str, Field(min_length=1, max_length=4000, description="a .npy file in the server's folder")
]
K = Annotated[int, Field(ge=1, le=65536)]


def _value(x: str | float) -> str:
    return x.hex() if isinstance(x, float) else str(x)


class _Commands:
    """The tools: each one is a command line of `mmaspec`."""

    def __init__(
        self, folder: Path | None, longest: float, memory: int, at_once: int, grace: float
    ) -> None:
        self._folder = folder
        self._longest = longest
        self._memory = memory
        self._grace = grace
        self._at_once = at_once
        self._slots: anyio.Semaphore | None = None

    async def _run(
        self, command: str, options: Sequence[str], arguments: Sequence[str], timeout: float | None
    ) -> dict[str, Any]:
        """The answer of `mmaspec COMMAND OPTIONS -- ARGUMENTS`."""
        seconds = self._longest
        line = [command, "--json", *options]
        if timeout is not None:
            seconds = min(timeout, self._longest)
            line.append(f"--timeout={seconds:g}")
        line += ["--", *arguments]
        if self._slots is None:
            self._slots = anyio.Semaphore(self._at_once)
        async with self._slots:
            status, out, err = await self._child(line, seconds + self._grace)
        if status not in _ANSWERED or not out.strip():
            raise ToolError(err.strip().splitlines()[-1] if err.strip() else f"status {status}")
        lines = command == "list"
        answer = [json.loads(x) for x in out.splitlines()] if lines else json.loads(out)
        return {
            "command": shlex.join(["mmaspec", *line]),
            "exit_status": status,
            "answer": answer,
        }

    async def _child(self, line: list[str], seconds: float) -> tuple[int, str, str]:
        limits = [str(self._memory), str(os.getpid())]
        # The child starts in /, because modules in the server's folder must not be imported.
        home = os.path.dirname(os.path.dirname(mmaspec.__file__))
        paths = [home, *(p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)]
        places = os.pathsep.join(os.path.abspath(p) for p in paths)
        environment = {**os.environ, "PYTHONPATH": places, "PYTHONSAFEPATH": "1"}
        try:
            # The child is also killed on cancellation.
            with anyio.fail_after(seconds):
                done = await anyio.run_process(
                    [sys.executable, "-m", "mmaspec._bounded", *limits, *line],
                    input=b"",
                    check=False,
                    cwd="/",
                    env=environment,
                )
        except TimeoutError:
            raise ToolError(
                f"the command did not end after {seconds:g} s and was stopped"
            ) from None
        return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")

    def _array(self, path: str) -> str:
        """The absolute path of an array in the folder; symbolic links must not lead out of it."""
        if self._folder is None:
            raise ToolError("the server was started without --folder and reads no files")
        try:
            found = (self._folder / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            raise ToolError(f"there is no file '{path}' in the server's folder") from None
        if not found.is_relative_to(self._folder):
            raise ToolError(f"'{path}' is outside the server's folder")
        if found.suffix != ".npy" or not found.is_file():
            raise ToolError(f"'{path}' is not a .npy file")
        return str(found)

    async def list_units(
        self,
        arch: Annotated[
            str, Field(pattern=_NAME, max_length=100, description="architecture or product")
        ],
    ) -> dict[str, Any]:
        return await self._run("list", [f"--arch={arch}"], [], None)

    async def show(self, name: Name) -> dict[str, Any]:
        """Shows a unit's algorithm, formats and parameters, with the evidence and source of each."""
        return await self._run("show", [], [name], None)

    async def evaluate(
        self,
        name: Name,
        a: Values,
        b: Values,
        c: Annotated[str, Field(max_length=400, pattern=_VALUE)] | int | float = 0,
        scale_a: Values = [],  # noqa: B006: never changed
        scale_b: Values = [],  # noqa: B006
        chain: Annotated[
            K | None, Field(description="compute a chain of the instruction, of this length K")
        ] = None,
        round_operands: Annotated[
            bool,
            Field(
                description="round operands that the format does not represent to the nearest number, ties to even"
            ),
        ] = False,
        trace: Annotated[bool, Field(description="also return all stages of the result")] = False,
    ) -> dict[str, Any]:
        """Computes one dot product, c + a[0] * b[0] + a[1] * b[1] + ..., bit for bit.

        Missing operands are 0, missing scale factors are 1.
        """
        options = [f"--c={_value(c)}"]
        for key, values in (("a", a), ("b", b), ("sa", scale_a), ("sb", scale_b)):
            if values:
                options.append(f"--{key}=" + ",".join(_value(x) for x in values))
        if chain is not None:
            options.append(f"--chain={chain}")
        if round_operands:
            options.append("--round")
        if trace:
            options.append("--trace")
        return await self._run("eval", options, [name], None)

    async def diff(
        self,
        first: Name,
        second: Name,
        ulp: Annotated[
            int | None,
            Field(ge=0, description="report only differences of more than this number of ulp"),
        ] = None,
        absolute: Annotated[
            Number | None, Field(description="report only larger absolute differences")
        ] = None,
        relative: Annotated[
            Number | None,
            Field(
                description="report only differences of more than this times the first unit's result"
            ),
        ] = None,
        where: Conditions = [],  # noqa: B006
        inputs: Literal["finite", "normal", "any"] = "finite",
        signed_zero: Annotated[
            bool, Field(description="zeros of opposite signs count as different")
        ] = False,
        count: Annotated[
            int, Field(ge=1, le=100, description="the number of witnesses to find")
        ] = 1,
        maximize: Annotated[
            Literal["ulp", "abs"] | None,
            Field(description="instead: find the largest difference, and prove an upper bound"),
        ] = None,
        match: Annotated[
            Literal["values", "bits"],
            Field(description="if result formats differ: compare values, or bits"),
        ] = "values",
        pad: Annotated[
            bool,
            Field(
                description="if K differs: set the longer unit's further products to zeros, instead of chaining the shorter unit"
            ),
        ] = False,
        chain: Annotated[
            K | None, Field(description="compare chains of both units of this length K")
        ] = None,
        timeout: Seconds = 30,
    ) -> dict[str, Any]:
        """Finds inputs on which two units differ (witnesses), or proves that they never differ.

        exit_status 0: proved, 1: witnesses found, 3: undecided within the timeout. Both may be
        architectures or products ('h100', 'mi300x'): diff then compares the instructions that a
        GEMM library selects on each.
        """
        options = [f"--inputs={inputs}"]
        for key, value in (
            ("ulp", ulp),
            ("abs", absolute),
            ("rel", relative),
            ("chain", chain),
            ("maximize", maximize),
        ):
            if value is not None:
                options.append(f"--{key}={value}")
        if match != "values":
            options.append(f"--match={match}")
        if count != 1:
            options.append(f"--count={count}")
        options += ["--signed-zero"] * signed_zero + ["--pad"] * pad
        options += [f"--where={w}" for w in where]
        return await self._run("diff", options, [first, second], timeout)

    async def prove(
        self,
        property: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=100)],  # noqa: A002
        name: Name,
        other: Annotated[
            Name | None, Field(description="the second unit, for a property of two")
        ] = None,
        bound: Annotated[
            Number | None,
            Field(
                description="the bound of a property that has one; without it, the least bound is found"
            ),
        ] = None,
        within: Annotated[
            K | None,
            Field(
                description="permutation-invariant: only permutations inside blocks of this many products"
            ),
        ] = None,
        where: Conditions = [],  # noqa: B006
        timeout: Seconds = 30,
    ) -> dict[str, Any]:
        options = [
            f"--{key}={x}" for key, x in (("bound", bound), ("within", within)) if x is not None
        ]
        options += [f"--where={w}" for w in where]
        names = [name] if other is None else [name, other]
        return await self._run("prove", options, [property, *names], timeout)

    async def tolerance(
        self,
        first: Name,
        second: Name,
        where: Conditions = [],  # noqa: B006
        inputs: Literal["finite", "normal"] = "finite",
        rtol: Annotated[
            Number | None, Field(description="the rtol of the test; the least atol for it is found")
        ] = None,
        atol: Annotated[
            Number | None, Field(description="the atol of the test; the least rtol for it is found")
        ] = None,
        k: Annotated[
            K | None, Field(description="compare chains of both units of this length K")
        ] = None,
        distribution: Annotated[
            Literal["normal", "uniform"] | None, Field(description="also try random rows")
        ] = None,
        timeout: Seconds = 30,
    ) -> dict[str, Any]:
        """Finds the tolerance with which every input passes a test of one unit against another.

        The test is |first - second| <= atol + rtol |first|. The tolerance is an upper bound only if
        `proved` is true. `found` is a lower bound: the tolerance that the worst input found needs.
        """
        options = [f"--inputs={inputs}"]
        for key, value in (
            ("rtol", rtol),
            ("atol", atol),
            ("k", k),
            ("distribution", distribution),
        ):
            if value is not None:
                options.append(f"--{key}={value}")
        options += [f"--where={w}" for w in where]
        return await self._run("tolerance", options, [first, second], timeout)

    async def explain(
        self,
        a: ArrayFile,
        b: ArrayFile,
        d: ArrayFile,
        c: ArrayFile | None = None,
        units: Annotated[
            list[Name],
            Field(max_length=1000, description="candidates: architectures, products, units"),
        ] = [],  # noqa: B006
        formats: Annotated[
            str | None,
            Field(
                pattern=r"^[A-Za-z0-9_]+(,[A-Za-z0-9_]+){2,3}$",
                description="formats of A,B,D or A,B,C,D, if the files hold bit patterns",
            ),
        ] = None,
        timeout: Seconds = 30,
    ) -> dict[str, Any]:
        """Finds the plans that reproduce the matrix D (M, N) that a library computed from A (M, K),
        B (K, N).

        exit_status 0: explained, 1: no plan fits, 3: undecided.
        """
        for name in units:
            if ".npy" in name.lower():  # because the command would read it as a file
                raise ToolError(f"units: '{name}' is not a unit")
        options = [] if c is None else [f"--c={self._array(c)}"]
        if formats is not None:
            options.append(f"--formats={formats}")
        arrays = [self._array(x) for x in (a, b, d)]
        return await self._run("explain", options, [*arrays, *units], timeout)


def _list_help() -> str:
    architectures = sorted({name.split("/")[0] for name in mmaspec.units()})
    return (
        "The instructions of an architecture or a product ('h100', 'mi300x'), with algorithm, K and "
        "formats. Architectures: " + ", ".join(architectures) + "."
    )


def _prove_help() -> str:
    properties = "\n".join(f"{name}: {says}" for name, says in mmaspec.properties().items())
    return (
        "Proves a property of a unit, or refutes it by a witness.\n\nexit_status 0: proved, 1: refuted, "
        "3: undecided within the timeout.\n\nProperties:\n" + properties
    )


def server(
    folder: str | os.PathLike[str] | None = None,
    *,
    longest: float = 300,
    memory_gib: float = 8,
    at_once: int = 2,
    grace: float = _GRACE,
) -> MCPServer:
    """Creates the server.

    folder: the only folder whose files `explain` reads; None: the server reads no files and does
    not offer `explain`. longest: the largest `timeout` of a call in seconds; starting and printing
    may take `grace` seconds more. memory_gib: the limit of address space of each process. at_once:
    the largest number of concurrent calls; others wait. Raises ValueError if `folder` is not a
    folder.
    """
    root = None
    if folder is not None:
        root = Path(folder).resolve()
        if not root.is_dir():
            raise ValueError(f"--folder: '{folder}' is not a folder")
    commands = _Commands(root, longest, int(memory_gib * 2**30), at_once, grace)
    offered = MCPServer(
        "mmaspec",
        title="MMA-Spec",
        instructions="Computes and proves what matrix units (tensor cores, matrix cores) compute, bit for "
        "bit. If the verdict is proved, the answer holds for all inputs in `inputs`. `evidence` states "
        "the evidence for each unit's specification. An undecided answer has no conclusion; a longer "
        "timeout may decide the question.",
        version=mmaspec.__version__,
    )
    tools: list[tuple[str, Callable[..., Any], str | None]] = [
        ("list", commands.list_units, _list_help()),
        ("show", commands.show, None),
        ("evaluate", commands.evaluate, None),
        ("diff", commands.diff, None),
        ("prove", commands.prove, _prove_help()),
        ("tolerance", commands.tolerance, None),
    ]
    if root is not None:
        tools.append(("explain", commands.explain, None))
    for name, function, description in tools:
        offered.add_tool(
            function,
            name=name,
            description=description,
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, open_world_hint=False
            ),
            structured_output=True,
        )
    return offered


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves on standard input and output until the client ends it; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="mmaspec mcp",
        description="A Model Context Protocol server on standard input and output (docs/mcp.md).",
    )
    parser.add_argument(
        "--folder", help="the folder whose .npy files 'explain' may read (default: none is read)"
    )
    parser.add_argument(
        "--longest",
        type=float,
        default=300,
        metavar="SECONDS",
        help="the largest time limit of a call in seconds (default: 300)",
    )
    parser.add_argument(
        "--memory",
        type=float,
        default=8,
        metavar="GIB",
        help="limit of address space of each process (default: 8)",
    )
    parser.add_argument(
        "--at-once",
        type=int,
        default=2,
        metavar="CALLS",
        help="calls that run at the same time; others wait (default: 2)",
    )
    given = parser.parse_args(arguments)
    if not 0 < given.longest <= 86400:
        parser.error("--longest must be above 0 and at most 86400 seconds")
    if not 1 <= given.memory <= 1024:
        parser.error("--memory must be from 1 to 1024 GiB")
    if not 1 <= given.at_once <= 64:
        parser.error("--at-once must be from 1 to 64 calls")
    try:
        offered = server(
            given.folder,
            longest=given.longest,
            memory_gib=given.memory,
            at_once=given.at_once,
        )
    except ValueError as error:
        parser.error(str(error))
    offered.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
