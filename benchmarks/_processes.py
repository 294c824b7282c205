"""Programs as real processes, with compiled bytecode and a cache folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import psutil

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "benchmarks"
VERIFY = (sys.executable, "-m", "verifier")


class Finished(NamedTuple):
    """A process that ended well: seconds on the clock and of processors; its own largest memory in MB where that was watched.

    Watched, the processor time is that of all processes under it too, whether or not it waited for them.
    """

    seconds: float
    processor: float
    peak: float
    out: bytes


def environment() -> dict[str, str]:
    """This process's, with the project importable, and without what would slow a start or lead to another ledger."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFY_CACHE": str(BUILD / "cache"), "PYTHONIOENCODING": "utf-8"}
    for name in ("PYTHONDONTWRITEBYTECODE", "VERIFY_LEDGER"):
        env.pop(name, None)
    return env


def run(words: Sequence[str], folder: Path, *, watch: bool = False) -> Finished:
    """Run to the end. Raises RuntimeError with what it said where it fails. `watch` looks every 20 ms."""
    with TemporaryFile() as out, TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen(words, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        peak, below = _watched(process) if watch else (0.0, 0.0)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        if process.returncode:
            said = err.read().decode(errors="replace").strip()[-500:]
            raise RuntimeError(f"{' '.join(words)}: exit code {process.returncode}: {said}")
        return Finished(seconds, max(usage.ru_utime + usage.ru_stime, below), peak, out.read())


def _watched(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """Until it has ended: the largest resident memory of the process alone in MB, and the processor seconds of it and of all below it."""
    peak, spent, turn = 0.0, dict[int, float](), 0
    with suppress(psutil.Error):
        seen = psutil.Process(process.pid)
        while seen.status() != psutil.STATUS_ZOMBIE:
            peak = max(peak, seen.memory_info().rss / 1e6)
            for one in (seen, *seen.children(recursive=True)) if turn % 5 == 0 else ():
                with suppress(psutil.NoSuchProcess):
                    spent[one.pid] = sum(one.cpu_times()[:2])
            turn += 1
            time.sleep(0.02)
    return peak, sum(spent.values())


def worked(words: Sequence[str], folder: Path) -> Callable[[], float]:
    """Processor seconds of the whole process, which other work on the machine hardly changes."""
    return lambda: run(words, folder).processor
