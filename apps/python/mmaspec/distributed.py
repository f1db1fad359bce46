"""Long work on a Dask cluster: tasks that continue where a killed worker left off.

    from dask.distributed import Client
    from mmaspec.distributed import campaign, identify

    client = Client("scheduler:8786")
    results = campaign(client, "folder", "matrix", "h100", "mi300x", "--timeout", "60", shards=64)
    found = identify(client, "units", {"card 0": ["--oracle", "./ask 0", "--formats", "f16,f16,f32,f32", "--k", "16"]})

``results`` is a file of rows; ``mmaspec matrix h100 mi300x --results FILE --render-only`` shows it. The same file comes out
for every number of shards and workers. See docs/campaigns.md. Needs the package ``distributed``: ``pip install
'mmaspec[distributed]'``.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Mapping, Sequence

__all__ = ["ShardFailed", "campaign", "identify"]

COMMANDS = ("matrix", "table", "explore")
# Exit statuses of the command: ended with an answer, perhaps undecided, and failed. Statuses 2 and
# 70 would repeat in another attempt; all others are kills.
ENDED, FAILED = (0, 1, 3), (2, 70)


class ShardFailed(RuntimeError):
    """The command of a shard ended with an error that another attempt would repeat, or it was killed too often."""


def _own_command() -> list[str]:
    """The command line of the package that this process has."""
    return [sys.executable, "-m", "mmaspec"]


def _run_task(program: Sequence[str], arguments: Sequence[str], name: str, files: str, keep: bool) -> str:
    """A command, on a worker: FILES.lock is its lock, and with ``keep`` FILES.json its output. Returns an error that
    would come again; empty: it ended.
    """
    command = [*(program or _own_command()), *arguments]
    # The command ends with its worker, so that a cancelled campaign does not leave processes
    # behind.
    setpriv = shutil.which("setpriv")
    if setpriv:
        command = [setpriv, "--pdeathsig", "KILL", *command]
    # The command inherits the lock: while it writes to the file, no other attempt starts.
    with Path(f"{files}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, pass_fds=[lock.fileno()], check=False
        )
        if keep and done.returncode in ENDED:
            written = Path(f"{files}.json.part")
            written.write_text(done.stdout)
            os.replace(written, f"{files}.json")
    if done.returncode in ENDED:
        return ""
    what = f"{name} ended with status {done.returncode}: {done.stderr.strip()}"
    if done.returncode in FAILED:
        return what
    raise ShardFailed(what)  # Dask tries again


def _complete(client: Any, tasks: Mapping[str, tuple[Any, ...]], tries: int) -> None:
    """Runs all tasks, each the arguments of :func:`_run_task`, by name."""
    from distributed import KilledWorker, as_completed

    def submit(name: str) -> Any:
        return client.submit(_run_task, *tasks[name], pure=False, retries=tries)

    name_of = {submit(name): name for name in tasks}
    begun = dict.fromkeys(tasks, 0)
    pending = as_completed(name_of)
    try:
        for future in pending:
            name = name_of.pop(future)
            error = future.exception()
            if isinstance(error, KilledWorker) and begun[name] < tries:
                begun[name] += 1
                again = submit(name)
                name_of[again] = name
                pending.add(again)
            elif error is not None:
                raise ShardFailed(f"{name}: {error}") from error
            elif what := future.result():
                raise ShardFailed(what)
    finally:
        client.cancel(list(name_of))


def _refuse(function: str, own: set[str], arguments: Sequence[str]) -> None:
    given = sorted(own & {argument.split("=")[0] for argument in arguments})
    if given:
        raise ValueError(f"{function}() sets {', '.join(given)} itself")


def campaign(
    client: Any,
    folder: str | Path,
    command: str,
    *arguments: str,
    shards: int = 64,
    tries: int = 20,
    program: Sequence[str] = (),
) -> Path:
    """Runs ``mmaspec COMMAND ARGUMENTS`` in shards on the workers of ``client``, and merges what they found.

    Args:
      client: a ``dask.distributed.Client``.
      folder: where each shard keeps its answers. Client and workers must see it under this path. A campaign that was
        interrupted continues from there.
      command: ``matrix``, ``table`` or ``explore``.
      arguments: what the command takes, without ``--shard``, ``--results``, ``--jobs`` and options for output.
      shards: tasks, at least as many as the workers have threads. Each uses one core.
      tries: how often a shard is begun again after its worker or its command was killed.
      program: the command on the workers; by default that of their Python package.

    Returns:
      The file of all rows, ``FOLDER/results.jsonl``.

    Raises:
      ValueError: an argument is wrong.
      ShardFailed: a shard's command ended with an error, or was killed too often.
    """
    if command not in COMMANDS:
        raise ValueError(f"command '{command}': expected {', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}")
    own = {"--shard", "--results", "--jobs", "--format", "--out", "--json", "--render-only", "--csv", "--html"}
    _refuse("campaign", own, arguments)
    if shards < 1 or tries < 0:
        raise ValueError("shards: expected 1 or more; tries: 0 or more")
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)

    def task(shard: int) -> tuple[Any, ...]:
        files = str(place / f"shard-{shard}")
        options = ["--jobs", "1", "--shard", f"{shard}/{shards}", "--results", f"{files}.jsonl"]
        if command != "explore":
            options += ["--format", "results", "--out", f"{files}.out"]
        return list(program), [command, *arguments, *options], f"shard {shard}", files, False

    _complete(client, {f"shard {i}": task(i) for i in range(1, shards + 1)}, tries)
    files = [str(file) for i in range(1, shards + 1) if (file := place / f"shard-{i}.jsonl").exists()]
    results = place / "results.jsonl"
    merged = subprocess.run(
        [*(program or _own_command()), "merge", *files, "--out", str(results)], capture_output=True, text=True, check=False
    )
    if merged.returncode != 0:
        raise ShardFailed(f"merge ended with status {merged.returncode}: {merged.stderr.strip()}")
    return results


def identify(
    client: Any,
    folder: str | Path,
    units: Mapping[str, Sequence[str]],
    *,
    tries: int = 20,
    program: Sequence[str] = (),
) -> dict[str, Any]:
    """Identifies many unknown units on the workers of ``client``: ``mmaspec identify ARGUMENTS`` for each.

    Args:
      client: a ``dask.distributed.Client``.
      folder: where each unit's questions and answers are kept, and its document. Client and workers must see it under this
        path. A unit whose worker was killed continues from there, and a unit that has a decided document is not asked again.
      units: the arguments for each unit, by a name of letters, digits, spaces and ``._-``; without ``--resume``,
        ``--rounds``, ``--jobs`` and ``--json``. The worker runs the oracle.
      tries: how often a unit is begun again after its worker or its command was killed.
      program: the command on the workers; by default that of their Python package.

    Returns:
      The document of ``mmaspec identify --json`` for each unit.

    Raises:
      ValueError: an argument is wrong.
      ShardFailed: a command ended with an error, or was killed too often.
    """
    if tries < 0:
        raise ValueError("tries: expected 0 or more")
    for name, arguments in units.items():
        if not re.fullmatch(r"[\w-][\w. -]{0,99}", name, re.ASCII):
            raise ValueError(f"unit {name!r}: a name has letters, digits, spaces and ._-, and does not start with a dot")
        _refuse("identify", {"--resume", "--rounds", "--jobs", "--json"}, arguments)
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)

    def task(name: str) -> tuple[Any, ...]:
        files = str(place / name)
        options = ["--jobs", "1", "--json", "--resume", f"{files}.jsonl"]
        return list(program), ["identify", *units[name], *options], f"unit {name}", files, True

    def document(name: str) -> Any:
        file = place / f"{name}.json"
        return json.loads(file.read_text()) if file.exists() else {"verdict": "undecided"}

    _complete(client, {name: task(name) for name in units if document(name)["verdict"] == "undecided"}, tries)
    return {name: document(name) for name in units}
