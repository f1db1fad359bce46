"""Tables and matrices on a Dask cluster: shards that continue where a killed worker left off.

    from dask.distributed import Client
    from mmaspec.distributed import campaign

    results = campaign(Client("scheduler:8786"), "folder", "matrix", "h100", "mi300x", "--timeout", "60", shards=64)

``results`` is a file of rows; ``mmaspec matrix h100 mi300x --results FILE --render-only`` shows it. The same file comes out
for every number of shards and workers. See docs/campaigns.md. Needs the package ``distributed``: ``pip install
'mmaspec[distributed]'``.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence

__all__ = ["ShardFailed", "campaign"]

COMMANDS = ("matrix", "table")
# Exit statuses of the command: ended, with or without undecided cells, and failed. Statuses 2 and
# 70 would repeat in another attempt; all others are kills.
ENDED, FAILED = (0, 3), (2, 70)


class ShardFailed(RuntimeError):
    """The command of a shard ended with an error that another attempt would repeat, or it was killed too often."""


def _own_command() -> list[str]:
    """The command line of the package that this process has."""
    return [sys.executable, "-m", "mmaspec"]


def _run_shard(program: Sequence[str], folder: str, arguments: Sequence[str], shard: int, shards: int) -> str:
    """One shard, on a worker. Returns an error that would come again; empty: the shard has all its answers."""
    results = Path(folder) / f"shard-{shard}.jsonl"
    command = [*(program or _own_command()), *arguments, "--jobs", "1", "--shard", f"{shard}/{shards}"]
    command += ["--results", str(results), "--format", "results", "--out", str(results.with_suffix(".out"))]
    # The command ends with its worker, so that a cancelled campaign does not leave processes
    # behind.
    setpriv = shutil.which("setpriv")
    if setpriv:
        command = [setpriv, "--pdeathsig", "KILL", *command]
    # The command inherits the lock: while it writes to the file, no other attempt starts.
    with results.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, pass_fds=[lock.fileno()], check=False
        )
    if done.returncode in ENDED:
        return ""
    what = f"shard {shard} ended with status {done.returncode}: {done.stderr.strip()}"
    if done.returncode in FAILED:
        return what
    raise ShardFailed(what)  # Dask tries again


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
      command: ``matrix`` or ``table``.
      arguments: what the command takes, without ``--shard``, ``--results``, ``--jobs``, ``--format`` and ``--out``.
      shards: tasks, at least as many as the workers have threads. Each uses one core.
      tries: how often a shard is begun again after its worker or its command was killed.
      program: the command on the workers; by default that of their Python package.

    Returns:
      The file of all rows, ``FOLDER/results.jsonl``.

    Raises:
      ValueError: an argument is wrong.
      ShardFailed: a shard's command ended with an error, or was killed too often.
    """
    from distributed import KilledWorker, as_completed

    if command not in COMMANDS:
        raise ValueError(f"command '{command}': expected {' or '.join(COMMANDS)}")
    own = {"--shard", "--results", "--jobs", "--format", "--out", "--json", "--render-only"}
    given = sorted(own & {argument.split("=")[0] for argument in arguments})
    if given:
        raise ValueError(f"campaign() sets {', '.join(given)} itself")
    if shards < 1 or tries < 0:
        raise ValueError("shards: expected 1 or more; tries: 0 or more")
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)

    def submit(shard: int) -> Any:
        return client.submit(
            _run_shard, list(program), str(place), [command, *arguments], shard, shards, pure=False, retries=tries
        )

    shard_of = {submit(shard): shard for shard in range(1, shards + 1)}
    begun = dict.fromkeys(shard_of.values(), 0)
    pending = as_completed(shard_of)
    try:
        for future in pending:
            shard = shard_of.pop(future)
            error = future.exception()
            if isinstance(error, KilledWorker) and begun[shard] < tries:
                begun[shard] += 1
                again = submit(shard)
                shard_of[again] = shard
                pending.add(again)
            elif error is not None:
                raise ShardFailed(f"shard {shard}: {error}") from error
            elif what := future.result():
                raise ShardFailed(what)
    finally:
        client.cancel(list(shard_of))
    files = [str(file) for i in range(1, shards + 1) if (file := place / f"shard-{i}.jsonl").exists()]
    results = place / "results.jsonl"
    merged = subprocess.run(
        [*(program or _own_command()), "merge", *files, "--out", str(results)], capture_output=True, text=True, check=False
    )
    if merged.returncode != 0:
        raise ShardFailed(f"merge ended with status {merged.returncode}: {merged.stderr.strip()}")
    return results
