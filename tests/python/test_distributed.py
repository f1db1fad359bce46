"""Campaigns on a local Dask cluster, whose workers are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Iterator

import pytest

distributed = pytest.importorskip("distributed", reason="the package 'distributed' is missing: pip install 'mmaspec[distributed]'")

from mmaspec.distributed import ShardFailed, campaign, identify  # noqa: E402

NAMES = ("volta", "cdna1")
KILLS = 6


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster, distributed.Client(cluster) as own:
        yield own


class Killer(threading.Thread):
    """Kills a worker that runs a shard, a given number of times."""

    def __init__(self, client: Any, folder: Path) -> None:
        super().__init__(daemon=True)
        self.client, self.folder = client, folder
        self.killed = 0
        self.over = threading.Event()

    def run(self) -> None:
        while self.killed < KILLS and not self.over.wait(0.2):
            running = {worker for worker, tasks in self.client.processing().items() if tasks}
            processes = self.client.run(os.getpid, on_error="ignore")
            for worker, process in processes.items():
                if worker in running and isinstance(process, int) and self.killed < KILLS:
                    os.kill(process, signal.SIGKILL)
                    self.killed += 1
                    break


def slow(command: str, folder: Path) -> list[str]:
    """The program, slowed down so that it can be killed: a shell waits first."""
    file = folder / "slow"
    file.write_text(f'#!/bin/sh\n[ "$1" = merge ] || sleep 1\nexec "{command}" "$@"\n')
    file.chmod(0o755)
    return [str(file)]


def test_killed_workers_change_nothing(command: str, client: Any, tmp_path: Path) -> None:
    killer = Killer(client, tmp_path)
    killer.start()
    results = campaign(
        client, tmp_path / "campaign", "matrix", *NAMES, "--timeout", "20", shards=12, program=slow(command, tmp_path)
    )
    killer.over.set()
    killer.join()
    assert killer.killed >= 3  # fewer than all if shards ended earlier

    one = tmp_path / "one.jsonl"
    done = subprocess.run([command, "matrix", *NAMES, "--timeout", "20", "--results", one], capture_output=True)
    assert done.returncode in (0, 3), done.stderr
    subprocess.run([command, "merge", one, "--out", tmp_path / "merged.jsonl"], check=True)
    assert results.read_bytes() == (tmp_path / "merged.jsonl").read_bytes()

    # Again: all answers are stored and remain unchanged.
    before = {file: file.read_bytes() for file in results.parent.glob("shard-*.jsonl")}
    assert campaign(client, results.parent, "matrix", *NAMES, "--timeout", "20", shards=12, program=[command]) == results
    assert before and before == {file: file.read_bytes() for file in before}


def test_errors(command: str, client: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected matrix, table or explore"):
        campaign(client, tmp_path, "prove", "commutative")
    with pytest.raises(ValueError, match="--shard"):
        campaign(client, tmp_path, "matrix", "--shard=1/2")
    with pytest.raises(ValueError, match="shards"):
        campaign(client, tmp_path, "matrix", shards=0)
    with pytest.raises(ShardFailed, match="status 2.*no-such-unit"):
        campaign(client, tmp_path, "matrix", "no-such-unit", shards=1, program=[command])
    with pytest.raises(ShardFailed, match="status -9"):
        killed = tmp_path / "killed"
        killed.write_text("#!/bin/sh\nkill -9 $$\n")
        killed.chmod(0o755)
        campaign(client, tmp_path, "matrix", shards=1, tries=1, program=[str(killed)])


def test_a_table(command: str, client: Any, tmp_path: Path) -> None:
    arguments = ("volta/mma.m8n8k4.f32.f16.f16.f32", "--properties", "commutative,monotone-c")
    results = campaign(client, tmp_path, "table", *arguments, shards=2)
    text = subprocess.run(
        [command, "table", *arguments, "--results", results, "--render-only", "--format", "csv"],
        capture_output=True, text=True, check=True,
    ).stdout
    assert "proved" in text and "refuted" in text


PATTERN = "design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=2,fraction_bits=13..14|20..23,round=rz)"


@pytest.mark.skipif(not shutil.which("yosys"), reason="there is no yosys")
def test_designs_are_explored_by_workers_that_are_killed(command: str, client: Any, tmp_path: Path) -> None:
    arguments = (PATTERN, "--require", "sum-error-bound <= 4096", "--bound", "sum-error-bound")
    killer = Killer(client, tmp_path)
    killer.start()
    results = campaign(client, tmp_path / "campaign", "explore", *arguments, shards=6, program=slow(command, tmp_path))
    killer.over.set()
    killer.join()
    assert killer.killed >= 2

    def document(*options: Any) -> dict[str, Any]:
        done = subprocess.run([command, "explore", *arguments, "--json", *options], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        del found["seconds"]
        return found

    rendered = document("--results", results, "--render-only")
    assert rendered == document()
    assert len(rendered["designs"]) == 6 and rendered["proved_cheapest"]
    before = results.read_bytes()
    assert campaign(client, results.parent, "explore", *arguments, shards=6, program=[command]).read_bytes() == before


def test_units_are_identified_by_workers_that_are_killed(command: str, client: Any, tmp_path: Path) -> None:
    space = ["--space", "fused-dot-add(fraction_bits=22..26,round=rz|rne)"]
    bits = {"card 0": 23, "card 1": 24, "card 2": 25}

    def arguments(fraction_bits: int) -> list[str]:
        unit = f"design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits={fraction_bits},round=rz)"
        return [*space, "--oracle", f"'{command}' eval '{unit}' --rows -", "--formats", "f16,f16,f32,f32", "--k", "4"]

    units = {name: arguments(n) for name, n in bits.items()}
    killer = Killer(client, tmp_path)
    killer.start()
    found = identify(client, tmp_path / "units", units, program=slow(command, tmp_path))
    killer.over.set()
    killer.join()
    assert killer.killed >= 2
    for name, n in bits.items():
        assert found[name]["verdict"] == "identified" and f"fraction_bits={n}" in json.dumps(found[name]), found[name]
    # Again: the documents are there, and no unit is asked.
    assert identify(client, tmp_path / "units", units, program=["false"]) == found
    with pytest.raises(ValueError, match="a name has letters"):
        identify(client, tmp_path, {"../x": []})
    with pytest.raises(ValueError, match="identify.. sets --resume itself"):
        identify(client, tmp_path, {"x": ["--resume=y"]})
    with pytest.raises(ShardFailed, match="unit x ended with status 2"):
        identify(client, tmp_path, {"x": ["--k", "0"]}, program=[command])
