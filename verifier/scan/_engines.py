"""Who does the parts: this process, a pool of processes, or Dask. What they do, and so what they write, is the same."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any, Protocol

from verifier.errors import Unavailable, UsageError
from verifier.scan._parts import Job, Part
from verifier.scan._work import probe, work

Work = Callable[[Job, Any], dict[str, Any]]
TWICE = 2  # a part under which so many processes ended is looked at document by document
AHEAD = 2  # parts that wait for each worker; the rest of the corpus is not even listed yet


class Engine(Protocol):
    def map(self, what: Work, job: Job, tasks: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Results in whatever order they come; holds few tasks at a time."""
        ...


class Here:
    """One after another in this process."""

    def map(self, what: Work, job: Job, tasks: Iterable[Any]) -> Iterator[dict[str, Any]]:
        return (what(job, task) for task in tasks)


def _executor(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes, mp_context=get_context("forkserver"))


@dataclass(frozen=True)
class Pool:
    """Processes of this machine; one that ends costs nothing but time."""

    processes: int

    def map(self, what: Work, job: Job, tasks: Iterable[Any]) -> Iterator[dict[str, Any]]:
        source, again, ended = iter(tasks), deque[Any](), Counter[Any]()
        running: dict[Future[dict[str, Any]], Any] = {}
        while True:
            with _executor(self.processes) as pool:
                with suppress(BrokenProcessPool):
                    while True:
                        while len(running) < AHEAD * self.processes and (again or (task := next(source, None)) is not None):
                            task = again.popleft() if again else task
                            again.appendleft(task)  # not lost where the pool breaks before it takes it
                            running[pool.submit(what, job, task)] = again.popleft()
                        if not running:
                            return
                        for future in wait(running, return_when=FIRST_COMPLETED).done:
                            result = future.result()
                            del running[future]
                            yield result
                again.extend(running.values())
                ended.update(running.values())
                running.clear()
            for task in [t for t in again if ended[t] >= TWICE and isinstance(t, Part)]:
                again.remove(task)
                yield carefully(job, task)


def carefully(job: Job, part: Part) -> dict[str, Any]:
    """A part under which processes end: each document in a process apart, then the part without those that are deadly."""
    deadly = []
    pool = _executor(1)
    count = len(part.files) or (part.table.stop - part.table.start if part.table else 0)
    for number in range(count):
        try:
            pool.submit(probe, job, part, number).result()
        except BrokenProcessPool:
            deadly.append(number)
            pool.shutdown(wait=False)
            pool = _executor(1)
    with pool:
        return pool.submit(work, job, replace(part, deadly=tuple(deadly))).result()


class Dask:
    """Workers of a Dask cluster: a scheduler's, or `workers` processes started here."""

    def __init__(self, scheduler: str | None = None, workers: int = 0) -> None:
        try:
            from distributed import Client, LocalCluster
            from distributed.comm.addressing import get_address_host_port
        except ImportError:
            raise UsageError("Dask is not installed; `pip install verifier[scan]` has it") from None
        try:
            get_address_host_port(scheduler or "tcp://127.0.0.1:0")
        except ValueError as error:
            raise UsageError(f"{scheduler}: is no address of a scheduler, such as tcp://host:8786 ({error})") from None
        self._cluster = None if scheduler else LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)  # type: ignore[no-untyped-call]
        try:
            self._client = Client(scheduler or self._cluster, timeout="10s", set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise Unavailable(f"{scheduler}: no Dask scheduler answers there ({error})") from None

    def map(self, what: Work, job: Job, tasks: Iterable[Any]) -> Iterator[dict[str, Any]]:
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        source = iter(tasks)
        waiting: dict[Any, Any] = {}
        done = as_completed(loop=self._client.loop)  # type: ignore[no-untyped-call]

        def more() -> None:
            room = AHEAD * max(1, sum(self._client.nthreads().values())) - len(waiting)  # type: ignore[no-untyped-call]
            for _ in range(room):
                if (task := next(source, None)) is None:
                    return
                future = self._client.submit(what, job, task, pure=False)
                waiting[future.key] = task
                done.add(future)  # type: ignore[no-untyped-call]

        more()
        for future in done:
            task = waiting.pop(future.key)
            try:
                result = future.result()
            except KilledWorker:
                if not isinstance(task, Part):
                    raise
                result = carefully(job, task)
            future.release()
            yield result
            more()

    def close(self) -> None:
        self._client.close()  # type: ignore[no-untyped-call]
        if self._cluster is not None:
            self._cluster.close()
