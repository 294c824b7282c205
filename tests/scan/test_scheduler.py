"""A Dask cluster that somebody else started: a scheduler and workers as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from conftest import ROOT

from tests.scan.conftest import tables

WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard")


def started(*words, folder):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen((sys.executable, "-m", *words), cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def cluster(tmp_path):
    """(address of a scheduler, its two workers)."""
    known = tmp_path / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(known))
    processes = [started("distributed.cli.dask_scheduler", *words, folder=tmp_path)]
    until = time.monotonic() + 60
    while not known.exists() and time.monotonic() < until:
        time.sleep(0.05)
    address = json.loads(known.read_text())["address"]
    workers = [started("distributed.cli.dask_worker", address, *WORKER, "--host", "127.0.0.1", folder=tmp_path) for _ in range(2)]
    processes += workers
    yield address, workers
    for process in processes:
        process.kill()
        process.wait()


def test_a_running_scheduler_gives_the_bytes_of_one_process(corpus, scan, cluster):
    folder, _ = corpus
    here = tables(scan(folder / "texts", "--processes", "1", out="here")[2])
    done, summary, out = scan(folder / "texts", "--scheduler", cluster[0], out="there")
    assert done.returncode == 0 and summary["again"] == 0
    assert tables(out) == here


def test_killing_one_of_its_workers_changes_nothing(corpus, scan, cluster, tmp_path):
    folder, _ = corpus
    address, workers = cluster
    here = tables(scan(folder / "texts", "--processes", "1", out="here")[2])
    running = started("verifier", "scan", str(folder / "texts"), "--out", str(tmp_path / "there"), "--scheduler", address, folder=tmp_path)
    killed = _kill_the_first_that_works(workers, running)
    assert running.wait(timeout=90) == 0 and killed
    assert tables(tmp_path / "there") == here


def _kill_the_first_that_works(workers, running) -> bool:
    """Kill a worker once it works on a part; whether one was killed before the scan ended."""
    idle = {worker.pid: None for worker in workers}
    until = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < until:
        for worker in workers:
            used = sum(psutil.Process(worker.pid).cpu_times()[:2])
            if _connected(worker) and idle[worker.pid] is None:
                idle[worker.pid] = used
            elif idle[worker.pid] is not None and used > idle[worker.pid] + 0.8:
                os.kill(worker.pid, signal.SIGKILL)
                return True
        time.sleep(0.02)
    return False


def _connected(worker) -> bool:
    return any(c.status == psutil.CONN_ESTABLISHED for c in psutil.Process(worker.pid).net_connections("tcp"))


def test_a_scheduler_that_does_not_answer_is_said_in_one_sentence(corpus, scan):
    done, summary, _ = scan(corpus[0] / "texts", "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 3 and "no Dask scheduler answers there" in summary["error"]


@pytest.mark.parametrize("address", ["nonsense://host:1", "tcp://host", "tcp://host:port"])
def test_an_address_that_is_none_is_a_usage_error(corpus, scan, address):
    done, summary, _ = scan(corpus[0] / "texts", "--scheduler", address)
    assert done.returncode == 2 and f"{address}: is no address of a scheduler" in summary["error"]
