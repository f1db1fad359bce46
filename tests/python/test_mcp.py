"""The Model Context Protocol server, called by the client of the package `mcp`."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Awaitable, Callable

import json_schema
import numpy as np
import pytest

import mmaspec

anyio = pytest.importorskip("anyio", reason="the package 'mcp' is missing: pip install 'mmaspec[mcp]'")
pytest.importorskip(
    "mcp.server.mcpserver", reason="the package 'mcp', version 2, is missing: pip install 'mmaspec[mcp]'"
)
from mcp import Client, StdioServerParameters  # noqa: E402

from mmaspec.mcp import server  # noqa: E402

HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"
WGMMA = "h100/wgmma.m64n8k16.f32.f16.f16"
VOLTA = "volta/mma.m8n8k4.f32.f16.f16.f32"
ROOT = Path(__file__).resolve().parents[2]


def with_client(ask: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        async with Client(server(**options)) as client:
            return await ask(client)

    return anyio.run(run)


def call(tool: str, arguments: dict[str, Any], **options: Any) -> Any:
    return with_client(lambda client: client.call_tool(tool, arguments), **options)


def answer(tool: str, arguments: dict[str, Any], status: int = 0, **options: Any) -> Any:
    """The command's document, which must be valid according to docs/schema."""
    result = call(tool, arguments, **options)
    assert not result.is_error, result.content[0].text
    told = result.structured_content
    assert json.loads(result.content[0].text) == told
    assert told["exit_status"] == status, told
    assert told["command"].startswith("mmaspec ")
    document = told["answer"]
    lines = document if isinstance(document, list) else [document]
    command = told["command"].split()[1:3]
    assert not json_schema.fault_of_output(command, "\n".join(json.dumps(x) for x in lines))
    return document


def refusal(tool: str, arguments: dict[str, Any], **options: Any) -> str:
    result = call(tool, arguments, **options)
    assert result.is_error and result.structured_content is None
    return str(result.content[0].text)


def test_tools_and_their_types(tmp_path: Path) -> None:
    def tools(**options: Any) -> dict[str, Any]:
        listed = with_client(lambda client: client.list_tools(), **options)
        return {tool.name: tool for tool in listed.tools}

    offered = tools()
    assert set(offered) == {"list", "show", "evaluate", "diff", "prove", "tolerance"}
    assert set(tools(folder=tmp_path)) == {*offered, "explain"}
    for tool in offered.values():
        assert tool.description and tool.annotations.read_only_hint
    assert all(name in offered["prove"].description for name in mmaspec.properties())
    assert "hopper" in offered["list"].description
    diff = offered["diff"].input_schema
    assert diff["required"] == ["first", "second"]
    assert diff["properties"]["inputs"]["enum"] == ["finite", "normal", "any"]
    for arguments in diff["properties"]:  # no property names a file, a program or a solver
        assert arguments not in ("plugin", "solver", "out", "html", "picture", "certificates", "data")


def test_list_and_show() -> None:
    names = [line["instr"] for line in answer("list", {"arch": "h100"})]
    assert names == mmaspec.units("h100")
    document = answer("show", {"name": HOPPER})
    assert document["evidence"] == "hardware"
    assert all(p["evidence"] and p["source"] for p in document["parameters"])


@pytest.mark.parametrize(
    ("a", "c", "d"),
    [([1, 0.5], 1, 3.5), (["0x3c00", "0x1p-1"], "0x3f800000", 3.5), (["-inf"], "-1.5", -np.inf)],
)
def test_evaluate(a: list[Any], c: Any, d: float) -> None:
    row = answer("evaluate", {"name": HOPPER, "a": a, "b": [2, 1], "c": c, "trace": True})
    assert np.uint32(int(row["d"], 16)).view(np.float32) == np.float32(d)
    assert row["trace"]


def test_evaluate_scale_factors_and_chains() -> None:
    name = "design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=4,fraction_bits=24,scale=ue8m0,scale_block=4)"
    row = answer("evaluate", {"name": name, "a": [1], "b": [3], "scale_a": [4], "scale_b": [0.5]})
    assert np.uint32(int(row["d"], 16)).view(np.float32) == 6
    row = answer("evaluate", {"name": VOLTA, "a": [1] * 7, "b": [1] * 7, "chain": 7})
    assert np.uint32(int(row["d"], 16)).view(np.float32) == 7


def test_evaluate_refuses_what_a_format_does_not_hold() -> None:
    given = {"name": HOPPER, "a": [0.1], "b": [1]}
    assert "0x1.999999999999ap-4" in refusal("evaluate", given)
    row = answer("evaluate", {**given, "round_operands": True})
    assert np.uint32(int(row["d"], 16)).view(np.float32) == np.float32(np.float16(0.1))


def test_diff_gives_a_witness_with_evidence() -> None:
    document = answer("diff", {"first": HOPPER, "second": AMPERE, "ulp": 4, "where": ["c > 0"]}, status=1)
    assert [e["unit"] for e in document["evidence"]] == [HOPPER, AMPERE]
    (row,) = document["witnesses"]
    for name, key in ((HOPPER, "d"), (AMPERE, "d_other")):
        words = [[int(x, 16) for x in row[operand].split()] for operand in ("a", "b", "c")]
        a, b = (np.array(x, dtype=np.uint16) for x in words[:2])
        c = np.array([words[2]], dtype=np.uint32)
        own = mmaspec.unit(name)(a[None, :], b[:, None], c, bits=True)
        assert own[0, 0] == int(row[key], 16)
    assert np.uint32(int(row["c"], 16)).view(np.float32) > 0


def test_diff_proves_and_maximizes() -> None:
    document = answer("diff", {"first": HOPPER, "second": WGMMA})
    assert document["verdict"] == "proved" and document["by"] == "one expression"
    few = {"first": VOLTA, "second": VOLTA, "maximize": "ulp", "timeout": 20}
    assert answer("diff", few)["bound"] == "0"


def test_prove() -> None:
    document = answer("prove", {"property": "monotone-c", "name": VOLTA}, status=1)
    assert document["verdict"] == "refuted" and document["witness"] and document["evidence"]
    proved = answer("prove", {"property": "commutative", "name": VOLTA})
    assert proved["verdict"] == "proved" and proved["by"]
    two = {"property": "refines", "name": HOPPER, "other": WGMMA}
    assert answer("prove", two)["verdict"] in ("proved", "not applicable")
    assert "commutative" in refusal("prove", {"property": "comutative", "name": VOLTA})


def test_tolerance() -> None:
    zero = {"first": HOPPER, "second": WGMMA, "where": ["abs(a[*]) <= 1", "abs(b[*]) <= 1", "c == 0"]}
    document = answer("tolerance", zero)
    assert document["proved"] and document["atol"] == 0 and document["evidence"]


@pytest.mark.parametrize(
    "name", ["--plugin=evil.so", "-x", "--help", " --out=x", "hopper/x\n--out=x", "", "ä", "a" * 4001]
)
def test_names_that_would_be_options_are_refused(name: str) -> None:
    for tool, arguments in (
        ("show", {"name": name}),
        ("diff", {"first": HOPPER, "second": name}),
        ("evaluate", {"name": name, "a": [1], "b": [1]}),
    ):
        assert "validation error" in refusal(tool, arguments)
    assert "validation error" in refusal("list", {"arch": name})


def test_no_argument_becomes_an_option_or_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert not call("diff", {"first": HOPPER, "second": AMPERE, "where": ["c > 0"]}).is_error
    assert refusal("diff", {"first": HOPPER, "second": AMPERE, "where": [f"--out={out}"]})
    assert refusal("diff", {"first": HOPPER, "second": AMPERE, "absolute": f"1 --out={out}"})
    assert refusal("evaluate", {"name": HOPPER, "a": [f"1 --html={out}"], "b": [1]})
    assert refusal("evaluate", {"name": HOPPER, "a": [1], "b": [1], "c": f"--html={out}"})
    assert refusal("tolerance", {"first": HOPPER, "second": AMPERE, "distribution": str(out)})
    assert refusal("prove", {"property": "--list", "name": HOPPER})
    # Arguments that a tool does not have are not passed on.
    more = {"name": HOPPER, "out": str(out), "html": str(out), "plugin": str(out)}
    answer("show", more)
    assert not out.exists()


def matrices(folder: Path) -> None:
    rng = np.random.default_rng(1)
    a = rng.standard_normal((16, 32)).astype(np.float16)
    b = rng.standard_normal((32, 8)).astype(np.float16)
    for name, x in (("a", a), ("b", b), ("d", mmaspec.unit(HOPPER)(a, b))):
        np.save(folder / f"{name}.npy", x)


def test_explain(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    matrices(tmp_path / "sub")
    given = {"a": "sub/a.npy", "b": "sub/b.npy", "d": "sub/d.npy", "units": [HOPPER, VOLTA]}
    document = answer("explain", given, folder=tmp_path)
    assert document["verdict"] == "explained"
    assert any(HOPPER in name for p in document["plans"] for name in (p["plan"], *p["equal_to"]))
    absolute = {**given, "a": str(tmp_path / "sub" / "a.npy")}
    assert answer("explain", absolute, folder=tmp_path)["verdict"] == "explained"


def test_explain_reads_only_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        matrices(folder)
    (inside / "link.npy").symlink_to(outside / "a.npy")
    (inside / "up").symlink_to(tmp_path)
    (inside / "a.txt").write_text("1")
    (inside / "folder.npy").mkdir()
    given = {"a": "a.npy", "b": "b.npy", "d": "d.npy", "units": [HOPPER]}
    for path in (str(outside / "a.npy"), "../outside/a.npy", "link.npy", "up/outside/a.npy", "/etc/passwd"):
        assert "outside" in refusal("explain", {**given, "a": path}, folder=inside)
        assert "outside" in refusal("explain", {**given, "c": path}, folder=inside)
    for path in ("a.txt", "folder.npy"):
        assert "is not a .npy file" in refusal("explain", {**given, "a": path}, folder=inside)
    for path in ("none.npy", "a\0.npy", "x" * 4000):
        assert "there is no file" in refusal("explain", {**given, "a": path}, folder=inside)
    # A unit whose name ends with .npy would be another matrix.
    d2 = refusal("explain", {**given, "units": [str(outside / "d.npy")[1:]]}, folder=inside)
    assert "is not a unit" in d2
    assert "Unknown tool" in refusal("explain", given)


class Touch:
    """An object whose unpickling creates a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return Path.touch, (self.file,)


def test_arrays_run_no_code(tmp_path: Path) -> None:
    matrices(tmp_path)
    touched = tmp_path / "touched"
    evil = np.empty((16, 32), dtype=object)
    evil[:] = Touch(touched)
    np.save(tmp_path / "evil.npy", evil, allow_pickle=True)
    given = {"a": "evil.npy", "b": "b.npy", "d": "d.npy", "units": [HOPPER]}
    assert refusal("explain", given, folder=tmp_path)
    assert not touched.exists()
    pickle.loads(pickle.dumps(Touch(touched)))  # noqa: S301: it would have
    assert touched.exists()


def processes(marker: str) -> list[str]:
    """Processes whose command line contains the marker: commands and the solvers that they started."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker in file.read_bytes().decode(errors="replace"):
                found.append(file.parent.name)
        except OSError:
            pass  # it has ended
    return found


async def call_and_leave(client: Any, marker: str, timeout: float) -> None:
    """Cancels a call once its command runs."""
    hard = {"first": HOPPER, "second": AMPERE, "maximize": "ulp", "timeout": timeout}
    async with anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "diff", hard)
        while not processes(marker):
            await anyio.sleep(0.05)
        await anyio.sleep(0.5)  # for the solvers to start; otherwise the test checks less
        group.cancel_scope.cancel()


def test_cancelled_calls_leave_no_process() -> None:
    marker = "--timeout=3599.25"
    with_client(lambda client: call_and_leave(client, marker, 3599.25), longest=4000)
    while processes(marker):  # until the kernel has ended the solvers
        pass


def test_servers_that_end_leave_no_process() -> None:
    marker = "--timeout=3598.25"
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mmaspec", "mcp", "--longest", "4000"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )

    async def run() -> None:
        async with Client(started) as client:
            await call_and_leave(client, marker, 3598.25)

    anyio.run(run)
    while processes(marker):
        pass


def test_killed_servers_leave_no_process() -> None:
    marker = "--timeout=3597.25"
    request = {"name": "diff", "arguments": {"first": HOPPER, "second": AMPERE, "maximize": "ulp", "timeout": 3597.25}}
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": version},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": request},
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "mmaspec", "mcp", "--longest", "4000"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert running.stdin is not None
    running.stdin.write("".join(json.dumps(m) + "\n" for m in messages).encode())
    running.stdin.flush()
    while not processes(marker):
        assert running.poll() is None
    running.kill()
    running.wait()
    running.stdin.close()
    while processes(marker):
        pass


def test_limits() -> None:
    hard = {"first": HOPPER, "second": AMPERE, "maximize": "ulp"}
    assert call("diff", hard, longest=0.5).structured_content["exit_status"] == 3
    assert "was stopped" in refusal("diff", hard, longest=0.01, grace=0.0)
    for timeout in (0, -1, 1e9, "x"):
        assert "validation error" in refusal("diff", {**hard, "timeout": timeout})


BOUNDED = """
import resource, sys
from mmaspec import __main__, _bounded
__main__.main = lambda: print(resource.getrlimit(resource.RLIMIT_AS), sys.argv[1:]) or 7
sys.exit(_bounded.main())
"""


def test_limit_of_memory() -> None:
    def bounded(parent: int) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-c", BOUNDED, str(2**36), str(parent), "show", "x"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        return done.returncode, done.stdout.strip()

    assert bounded(os.getpid()) == (7, f"({2**36}, {2**36}) ['show', 'x']")
    assert bounded(1) == (125, "")  # the server has ended already


def test_modules_in_the_working_folder_are_not_imported(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    for name in ("numpy", "json", "mmaspec", "ctypes"):
        (tmp_path / f"{name}.py").write_text(f"open({str(touched)!r}, 'w')\n")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        answer("show", {"name": HOPPER})
    finally:
        os.chdir(before)
    assert not touched.exists()


def test_standard_input_and_output(tmp_path: Path) -> None:
    paths = os.pathsep.join(p for p in sys.path if p)
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mmaspec", "mcp", "--folder", str(tmp_path), "--longest", "60"],
        env={**os.environ, "PYTHONPATH": paths},
    )

    async def run() -> Any:
        async with Client(started) as client:
            tools = await client.list_tools()
            shown = await client.call_tool("show", {"name": VOLTA})
            return [tool.name for tool in tools.tools], shown.structured_content

    names, shown = anyio.run(run)
    assert "explain" in names and shown["answer"]["instr"] == VOLTA


@pytest.mark.parametrize(
    "arguments", [["--folder", "/nowhere"], ["--longest", "0"], ["--at-once", "0"], ["--memory", "x"], ["x"]]
)
def test_bad_usage(arguments: list[str]) -> None:
    for module in ("mmaspec.mcp", "mmaspec"):
        more = ["mcp"] if module == "mmaspec" else []
        done = subprocess.run(
            [sys.executable, "-m", module, *more, *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        assert done.returncode == 2 and not done.stdout and "mmaspec mcp: error:" in done.stderr


def test_missing_package(tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ImportError('none')\n")
    paths = os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)])
    for arguments in (["-m", "mmaspec", "mcp"], ["-m", "mmaspec.mcp"]):
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert done.returncode == 2 and "pip install 'mmaspec[mcp]'" in done.stderr
        assert "Traceback" not in done.stderr
